cmd3	%s	+1	a.txt
