a >f
a > f >>g <h
a 2>f 10>g
a >|f <>g
a &>f &>>g >&h
a >&2 2>&1 <&3 >&- 3<&- 2>&1-
a >& f
a 2>&f
a >&$x >&"2" >& -
a {fd}>f {fd}>&-
a <<<b <<< "c $d"
>f
>f a b
a 1 >f 2
