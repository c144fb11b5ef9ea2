#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A look without touching: no write at all, no network, and short limits.

. "$(dirname "$0")/common.sh"

echo 'the text' >notes.txt
bailey run --read-only -- grep -q 'the text' notes.txt

must_fail bailey run --read-only -- sh -c 'echo more >>notes.txt'
must_fail bailey run --read-only -- rm notes.txt
must_fail bailey run --read-only -- chmod 600 notes.txt
[ "$(cat notes.txt)" = 'the text' ] || fail 'notes.txt was changed'

# /dev/null is no file that anybody misses.
bailey run --read-only -- sh -c 'ls >/dev/null'
