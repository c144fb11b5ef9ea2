module hello

go 1.18
