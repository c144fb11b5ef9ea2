function f { a; }
function f() { a; }
function f
{ a; }
function f (a)
f() if a; then b; fi
f() [[ a ]]
a-b.c() { d; }
coproc a b
coproc { a; }
coproc N { a; } >f
coproc N (a)
