a=
a=b
a=b c=d
a=b c d=e
a+=b
a=$b"c"'d'
a[1]=b
a[$i+1]=b
a[x y]=b
a["k"]+=b
a=()
a=(b c)
a+=(b "c d" $e)
a=([1]=b [k]+=c [x y]=d e)
a=(b # c
 d)
a=(

b
)
a=({a,b} *.c)
declare a=b
