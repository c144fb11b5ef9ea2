declare -A a=([k]=v)
export a=(b) c=d
local a=() b
typeset a+=(b)
readonly a=(b)
>f declare a=(b)
b=c export a=(d)
a[1]
a[b c]d
a\
b=c
a==b
a=~/b:~/c
_x1=y
é=x
a-b=c
a=b=c
