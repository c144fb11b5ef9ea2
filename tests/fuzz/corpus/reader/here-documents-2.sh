f() { a <<E
x
E
}; b
a <<E
$((1+2))
E
a "$(b <<E
x
E
)" c
a <<E "b
c" d
x
E
