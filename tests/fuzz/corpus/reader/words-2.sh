echo a=b
=x
1=x
-x=~/y
!
! ls
!ls
$ a$ $% "$" "a$"
a$'b'"c"$"d"
{ }
}x {x
a{b;c
\{a,b}
