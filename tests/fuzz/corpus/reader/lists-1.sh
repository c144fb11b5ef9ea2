(a; b)
( (a) )
((a); b)
{ a; }
{ a; b & }
{ (a) }
{ { a; }; } >f 2>&1
(a) >f | b
a; (b) & c
a
(b
c)
d
