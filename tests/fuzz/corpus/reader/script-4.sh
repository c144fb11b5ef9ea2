cmd1	$LONG_NAME12w1	w3	<<< w1	w2
cmd5 <>out1
