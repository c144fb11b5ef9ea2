#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The default policy: write here and nowhere else.

. "$(dirname "$0")/common.sh"

# The current directory is writable, and so is a temp directory of its own.
bailey run -- sh -c 'echo result >result.txt'
must_have result.txt

# Everything else is as it was.
must_fail bailey run -- sh -c 'echo note >../outside/note.txt'
must_fail bailey run -- sh -c 'echo "alias ls=rm" >>~/.bashrc'
must_not_have "$outside/note.txt"
must_not_have "$HOME/.bashrc"

# One more directory, for this run.
bailey run --write "$outside" -- sh -c 'echo note >../outside/note.txt'
must_have "$outside/note.txt"
