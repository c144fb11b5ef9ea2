a=1 >f b=2 c
a 2 >f
a 2\
>f
a>f
2>f
a >f"g"$h
a >f;b<g
{a}>f
{a} >f
{a[1]}>f
a > >(b)
a b2>f
a \2>f
