#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs every fuzz target for some seconds on its corpus. What libFuzzer finds on the way stays in
# build-fuzz/found/TARGET; a crash is left there too, and its input belongs into the corpus.
#
# usage: scripts/fuzz.sh [SECONDS [TARGET...]]
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-60}
[ $# -eq 0 ] || shift
[ -e build-fuzz/build.ninja ] || CC=clang meson setup -Dfuzz=true -Dstatic=false \
	-Db_sanitize=address,undefined -Db_lundef=false build-fuzz
ninja -C build-fuzz

# Sets the arguments of one target: its dictionary and its corpus, where there are any.
fuzz_one()
{
	target=$1
	program=$2
	set -- "build-fuzz/found/$target"
	if [ -d "tests/fuzz/corpus/$target" ]; then
		set -- "$@" "tests/fuzz/corpus/$target"
	fi
	if [ -e "tests/fuzz/dict/$target.dict" ]; then
		set -- "-dict=tests/fuzz/dict/$target.dict" "$@"
	fi
	mkdir -p "build-fuzz/found/$target"
	echo "== $target, $seconds s"
	"$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="build-fuzz/found/$target/" "$@"
}

ran=0
for program in build-fuzz/tests/fuzz/fuzz_*; do
	name=${program##*/fuzz_}
	if [ ! -f "$program" ] || [ ! -x "$program" ]; then
		continue
	fi
	case " $* " in
	'  ' | *" $name "*)
		fuzz_one "$name" "$program"
		ran=$((ran + 1))
		;;
	esac
done
if [ $ran -eq 0 ]; then
	echo 'fuzz: there is no such target' >&2
	exit 1
fi
echo "fuzz: $ran targets, nothing found that breaks"
