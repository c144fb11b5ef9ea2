! f1 ()
{  cmd5 `cmd2 |cmd1` w3
}
LONG_NAME=$((v1 << 2)) cmd6 w2 w3 w3
