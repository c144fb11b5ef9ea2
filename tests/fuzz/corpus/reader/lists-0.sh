a; b
a & b &
a;
a&
a
b

c
a && b || c && d
a &&
 b
a | b | c
a |
 b
a |& b
! a | b
! ! a
time a | b
time -p a
time -- a
time -p -- a
time
!
! time a
time ! a
time -x
a | time b
