! cd .
_n=a.txt cmd5
time -p cmd3 w3 w2
