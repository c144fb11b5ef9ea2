a <<E | b <<F
1
E
2
F
a <<E && b
x
E
c
(a <<E
x
E
)
if a <<E; then b; fi
x
E
a <<E
x\
y
E
a <<E
E
a <<''
x

b
a << E >f
x
E
a 3<<E
x
E
a <<E
 ${x:-"b"} ${x:-'c'}
E
a <<E
E 
EE
E
