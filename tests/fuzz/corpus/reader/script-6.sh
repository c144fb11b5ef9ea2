if (
! cmd1	{fd}>out2); then  cmd3 \
 --long=v \
 -x \
 <out2 \
 dir/f
fi
_n+=0
cmd5	@	w2	dir/f