coproc a=1 b
{ coproc a }
((x = 1))
((a < b)) && c
(( a[1] + $b ))
while ((i--)); do a; done
{ a; } | { b; }
if a; then b; fi >f | c
