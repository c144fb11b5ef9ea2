# SPDX-License-Identifier: MIT
# Pipelines, substitutions, redirections and background jobs, each with an exit status that must
# come back: pipelines.sh ROUNDS [alarm]. For bash and dash.
#
# With "alarm", SIGALRM comes a thousand times a second. Then there is no background job, since
# bash 5.2 loses those by itself, and the shell itself opens nothing for writing: a handler without
# SA_RESTART may end the waiting for the broker with EINTR.

alarms=0
lost=0

expect() {
	if [ "$1" -ne "$2" ]; then
		lost=$((lost + 1))
		echo "round $round, $3: status $1, not $2" >&2
	fi
}

if [ "${2-}" = alarm ]; then
	count() { alarms=$((alarms + 1)); }
	trap count ALRM
	python3 alarm.py &
fi
round=0
while [ "$round" -lt "$1" ]; do
	round=$((round + 1))
	code=$((round % 120 + 1))
	echo "$round" | { read -r line; echo "$line" >line; } | (exit "$code")
	expect $? "$code" pipeline
	text=$(echo "$round" | cat; exit "$code")
	expect $? "$code" substitution
	[ "$text" = "$round" ] || expect 1 0 "text '$text'"
	(mkdir d && echo x >d/f && mv d/f d/g && chmod 600 d/g && rm d/g && rmdir d && exit "$code")
	expect $? "$code" subshell
	(sh -c 'kill -TERM $$'; exit $?)
	expect $? 143 "ended by a signal"
	if [ "${2-}" != alarm ]; then
		(exit "$code") &
		: >new && echo more >>new && mv new old
		expect $? 0 redirection
		wait $!
		expect $? "$code" "background job"
	fi
done
rm -f old line
echo "$round rounds, $lost lost"
if [ "${2-}" = alarm ]; then
	[ "$alarms" -gt "$round" ] && echo "with alarms"
fi
