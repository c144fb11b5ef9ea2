#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library in a program of one's own: see embed.c.

. "$(dirname "$0")/common.sh"

echo 'the text' >notes.txt
"$EMBED" grep -q 'the text' notes.txt
must_exit 1 "$EMBED" rm notes.txt
must_have notes.txt
must_exit 127 "$EMBED" no-such-program
