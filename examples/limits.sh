#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Limits hold for the command and everything that it starts; when one ends it, nothing is left.

. "$(dirname "$0")/common.sh"

# Time: TERM, a moment of grace, then KILL. The status is that of timeout(1).
must_exit 124 bailey run --timeout 1 -- sleep 60

# Nothing outlives the command, whether it finished or not.
bailey run -- sh -c '(sleep 1; echo late >late.txt) >/dev/null 2>&1 &'
sleep 2
must_not_have late.txt

# Processes: this one starts more than it may have.
must_fail bailey run --pids 20 -- sh -c '
	i=0
	while [ $i -lt 30 ]; do
		sleep 30 &
		i=$((i + 1))
	done
	wait'
