"$((x))"
$[1+2] $[a[1]] "$[x]"
<(ls) >(cat -n)
a<(ls)b
cat < <(ls)
x=$(y=$(z))
$(cat <<E
x
E
)
$(cat <<E
)
E
) a
$(ls | (cd x; cat) && { a; })
<((a) b)
$($(a) `b`)
