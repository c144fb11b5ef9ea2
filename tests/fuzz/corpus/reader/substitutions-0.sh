$(ls)
$(ls; pwd)
$( )
$(
ls
)
"$(ls "a b")"
$(ls # )
)
$(echo ')')
$(case x in a) b;; (c) d;; esac)
$(case x in a) b; esac)
`ls -l`
`echo \`ls\``
`echo \$x \\ \a`
"`echo \"a\"`"
