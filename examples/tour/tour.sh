#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A tour of the sandbox: deeds and misdeeds, each done twice, once as it is and once under
# `bailey run`. Nothing is believed because a program says so: every line looks at what is there
# afterwards: a file, what a listener received, whether a process lives. A misdeed has to succeed
# without Bailey, or its line would prove nothing.
#
# usage: tour.sh [BAILEY]      the program, build/bailey when left out
#
# Exit status: 0 when every line is as promised, 1 when one is not, 2 when the tour cannot start.
# Where this machine itself refuses a misdeed its line says so; with CI=true it counts as not as
# promised, but for mounting without root, which needs user namespaces.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bailey=${1:-build/bailey}
case $bailey in
/*) ;;
*) bailey=$PWD/$bailey ;;
esac
if [ ! -x "$bailey" ]; then
	echo "tour: '$bailey' is not there; 'make build' makes it" >&2
	exit 2
fi

green='' red='' bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ] && [ "${TERM-dumb}" != dumb ]; then
	green=$(printf '\033[32m') red=$(printf '\033[31m')
	bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi

# ---- a small world: a home with a key in it, a workspace, a place outside ------------------

top=$(mktemp -d "${TMPDIR:-/tmp}/bailey-tour.XXXXXX")
helpers=
clean_up()
{
	for pid in $helpers; do
		kill -KILL "$pid" 2>/dev/null || :
	done
	rm -rf "$top"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$top/home" "$top/home/.ssh" "$top/work" "$top/outside" "$top/state"
key="the key of tour $$"
echo "$key" >"$top/home/.ssh/id_ed25519"
if ! ${CC:-cc} -O1 -D_GNU_SOURCE -o "$top/probe" "$here/probe.c" >"$top/state/out" 2>&1; then
	cat "$top/state/out" >&2
	echo "tour: the probe does not compile" >&2
	exit 2
fi
export HOME="$top/home"
export OPENAI_API_KEY="sk-tour-$$"
probe=$top/probe
cd "$top/work"

# ---- helpers -------------------------------------------------------------------------------

# Runs a command in the current world ("bare" or "bailey"). Its output goes to state/out; what it
# exits with is kept in $status and is no failure of the tour.
world=bare
options=
# shellcheck disable=SC2086 # several options are several words
run()
{
	status=0
	if [ $world = bare ]; then
		"$@" >"$top/state/out" 2>&1 </dev/null || status=$?
		return
	fi
	show bailey run $options -- "$@"
	"$bailey" run $options -- "$@" >"$top/state/out" 2>&1 </dev/null || status=$?
}

# Prints a command line, quoted where it must be, with the names of the tour's world made short.
show()
{
	line=
	for word; do
		case $word in
		*[!A-Za-z0-9_./=~-]*) line="$line '$word'" ;;
		*) line="$line $word" ;;
		esac
	done
	printf '$%s\n' "$line" | sed "s|$HOME|~|g; s|$top/||g"
}

# Waits up to $1 tenths of a second until a command succeeds.
wait_for()
{
	tenths=$1
	shift
	until "$@"; do
		tenths=$((tenths - 1))
		[ $tenths -gt 0 ] || return 1
		sleep 0.1
	done
}

# A zombie is gone too: its parent, this shell, has only not asked yet.
gone()
{
	case $(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) in
	'' | Z* | X*) return 0 ;;
	esac
	return 1
}

# Starts the probe outside of any sandbox and waits for the first file that it writes.
start_helper()
{
	rm -f "$2"
	"$probe" "$@" >/dev/null 2>&1 </dev/null &
	helper=$!
	helpers="$helpers $helper"
	if ! wait_for 50 test -s "$2"; then
		echo "tour: the helper '$1' does not start" >&2
		exit 2
	fi
}

# ---- the deeds: each returns 0 when its effect is there, 1 when it is not --------------------

write_inside()
{
	rm -f note.txt
	run sh -c 'echo hello >note.txt'
	[ "$(cat note.txt 2>/dev/null)" = hello ]
}

build_and_run()
{
	rm -f hello said
	cat >hello.c <<-'END'
	#include <stdio.h>
	int main(void) { return puts("built here") < 0; }
	END
	run sh -c 'cc -o hello hello.c && ./hello >said'
	[ "$(cat said 2>/dev/null)" = 'built here' ]
}

write_outside()
{
	rm -f "$top/outside/note.txt"
	run sh -c 'echo hello >../outside/note.txt'
	[ -e "$top/outside/note.txt" ]
}

read_key()
{
	run cat "$HOME/.ssh/id_ed25519"
	grep -q "$key" "$top/state/out"
}

connect()
{
	rm -f "$top/state/reached"
	run "$probe" connect "$(cat "$top/state/port")"
	wait_for 5 test -s "$top/state/reached"
}

trace()
{
	rm -f "$top/state/touched"
	start_helper victim "$top/state/address" "$top/state/touched"
	run "$probe" trace "$helper" "$(cat "$top/state/address")"
	wait_for 5 test -s "$top/state/touched"
}

mount_here()
{
	mkdir -p mnt
	run "$probe" mount "$top/work/mnt"
	grep -qx mounted "$top/state/out"
}

leak_key()
{
	run "$probe" leak OPENAI_API_KEY
	grep -q "$OPENAI_API_KEY" "$top/state/out"
}

outlive()
{
	rm -f late.txt
	run "$probe" outlive "$top/work/late.txt"
	wait_for 15 test -s late.txt
}

kill_outside()
{
	start_helper stuck "$top/state/pid"
	run "$probe" kill "$helper"
	wait_for 5 gone "$helper"
}

# Without Bailey there is nothing that would end it, so that it still runs after three seconds is
# what there is to see. Under Bailey it has one second, and the status has to say so.
run_for_ever()
{
	if [ $world = bare ]; then
		start_helper stuck stuck.pid
		sleep 3
		if gone "$helper"; then
			return 1
		fi
		return 0
	fi
	rm -f stuck.pid
	options='--timeout 1'
	run "$probe" stuck stuck.pid
	options=
	if [ "$status" = 124 ] && [ -s stuck.pid ] && gone "$(cat stuck.pid)"; then
		return 1
	fi
	return 0
}

# ---- the table -----------------------------------------------------------------------------

# The deed; what is promised under Bailey (yes or no); the words for yes and no; the label.
deeds="
write_inside   yes done    refused  write in the workspace
build_and_run  yes done    refused  build a C program there and run it
write_outside  no  done    refused  write outside the workspace
read_key       no  done    refused  read ~/.ssh/id_ed25519
connect        no  done    refused  open a TCP connection
trace          no  done    refused  ptrace a process outside
kill_outside   no  done    refused  kill a process outside
mount_here     no  done    refused  mount a file system
leak_key       no  done    refused  leak OPENAI_API_KEY
outlive        no  done    refused  outlive the command (double fork, setsid)
run_for_ever   no  running ended    run for ever (--timeout 1, TERM ignored)
"

# Sets $happened to yes, no or failed.
try()
{
	happened=no
	status=0
	if "$1"; then
		happened=yes
	fi
	if [ $world = bailey ] && [ "$status" = 125 ]; then
		happened=failed
	fi
}

must_have_control()
{
	[ "${CI-}" = true ] && { [ "$1" != mount_here ] || [ "$(id -u)" -eq 0 ]; }
}

word_for()
{
	case $1 in
	yes) echo "$2" ;;
	no) echo "$3" ;;
	*) echo 'bailey failed' ;;
	esac
}

printf '%sThe tour%s: %s, uid %s, Linux %s\n\n' "$bold" "$plain" \
	"$("$bailey" --version | head -n 1)" "$(id -u)" "$(uname -r)"
start_helper listen "$top/state/port" "$top/state/reached"

total=0 good=0
while read -r deed promise yes no label; do
	[ -n "$deed" ] || continue
	world=bare
	try "$deed"
	control=$happened
	world=bailey
	try "$deed"

	verdict='as promised' colour=$green
	if [ "$happened" != "$promise" ]; then
		verdict='NOT AS PROMISED' colour=$red
		sed 's/^/    /' "$top/state/out" | head -n 5
	elif [ "$control" != yes ]; then
		verdict='proves nothing: refused by this machine' colour=
		if must_have_control "$deed"; then
			verdict="NOT AS PROMISED: no control" colour=$red
		fi
	fi
	total=$((total + 1))
	case $verdict in NOT*) ;; *) good=$((good + 1)) ;; esac
	printf '%-42s %-15s %-13s %s\n' "$label" "$(word_for $control "$yes" "$no")" \
		"$(word_for $happened "$yes" "$no")" "$colour$verdict$plain" >>"$top/state/table"
done <<END
$deeds
END

printf '\n%s%-42s %-15s %-13s%s\n' "$bold" 'what was tried' 'without bailey' 'under bailey' "$plain"
cat "$top/state/table"
printf '\n%s of %s lines are as promised\n' "$good" "$total"
[ $good -eq $total ]
