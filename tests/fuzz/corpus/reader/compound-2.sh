for ((i=0; i<3; i++)); do a; done
for ((;;)) do a; done
for ((i=$(b);;)) { a; }
select x in a b; do c; done
case x in esac
case $x in a) b;; esac
