ls
git status
  ls	-l  


# only a comment
ls # c 'x
a#b
a \# b
ls \
 -l
l\
s
'a b' c
'a
b'
''
""
a''b
a"b"c
r''m
'\'
"a\"b"
"a\b"
"a\
b"
"\$x \`y\` \\"
\a\b
a\ b
\'x\'
a\
é\é
