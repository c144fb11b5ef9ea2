c\
md1	\
w1	--long=v
! function f1() for v3 in $v2 w2; do 
! v3=@	cmd1	@	-x	x=y
done
time -p f1 +1 w1 w1
