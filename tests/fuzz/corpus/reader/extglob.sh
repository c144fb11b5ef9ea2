shopt -s extglob
a !(b) @(c|"d") *(e)?f
