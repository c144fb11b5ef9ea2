case x in (a|"b c"|d*) e;; *) f
esac
case x in a) ;; b) c;& d) e;;& f) esac
case x
in
# c
a)

b
;;
esac
case x in (esac) a;; esac
f() { a; }
f () ( a )
f()
{ a; } >x 2>&1
