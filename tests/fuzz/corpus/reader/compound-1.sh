for x in a b; do c; done
for x in; do a; done
for x; do a; done
for x do a; done
for x
do a; done
for x
in a
do b; done
for x in do done; do a; done
for x in a; { b; }
