cmd3	$(
<< END_X
END_X
)	--long=v	3<&0-	w3
