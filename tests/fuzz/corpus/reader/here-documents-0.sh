a <<E
x
E
a <<E
x $y
`z` $(w)
\$v \\ \a "q" 'q'
E
b
a <<'E'
$x
`y`\
E
b
a <<"E"
$x
E
a <<\E
$x
E
a <<E'F'
$x
EF
a <<-E
	x
		y $z
	E
b
a <<-'E'
	x
	E
a <<E <<F
1
E
2
F
b
