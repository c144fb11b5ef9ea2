if a; then b; fi
if a; b; then c; else d; fi
if a
then b
elif c; then d
elif e; then f
else g
fi
if (a) then b; fi
if [[ a ]] then b; fi
while a; do b; done
until a
do b
done <f
