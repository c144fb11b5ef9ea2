#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every check that is not a test, one after the other; a failed one does not stop the next.
#
# usage: scripts/lint.sh [STEP...]      all of them when left out; --list names them
#
# Reasons for what is switched off stand where it is switched off: .clang-tidy,
# scripts/cppcheck.suppressions, scripts/codespell.ignore and the notes below.
set -u
cd "$(dirname "$0")/.." || exit 2

jobs=$(nproc 2>/dev/null || echo 2)
steps='format style shell spelling clang analyzer tidy cppcheck sanitizers'

sources()
{
	find src include tests examples -name '*.[ch]' | sort
}

scripts()
{
	find scripts examples tests data .ci -type f \
		\( -name '*.sh' -o -name '*.bash' -o -path '.ci/*' \) | sort
	grep -rlE '^#!.*\b(ba)?sh$' scripts examples tests .ci | grep -v '\.sh$' || :
}

# A build directory of its own per compiler, kept between runs.
build_with()
{
	dir=$1
	shift
	[ -e "$dir/build.ninja" ] || meson setup "$@" "$dir" >"$dir.log" 2>&1 || {
		cat "$dir.log"
		return 1
	}
	rm -f "$dir.log"
	ninja -C "$dir" -j "$jobs" -k 0
}

lint_format()
{
	sources | xargs clang-format --dry-run --Werror
}

lint_style()
{
	tests/meta/style.py .
}

lint_shell()
{
	scripts | sort -u | xargs shellcheck
}

lint_spelling()
{
	# What Bailey did not write (data sets of others) is left as it is.
	codespell --ignore-words scripts/codespell.ignore \
		--skip './build*,./.git,*.json,*.toml,*.tsv,*/corpus/*' .
}

# werror is on in every build of the project, so this is clang with -Werror.
lint_clang()
{
	CC=clang build_with build-clang -Dtests=enabled
}

# The analyser of gcc 12 follows one translation unit; without the optimiser it loses fewer paths.
lint_analyzer()
{
	build_with build-analyzer -Dtests=disabled -Dc_args=-fanalyzer
}

# One file at a time: clang-tidy 14 finds uninitialised va_lists where there are none when the same
# process has seen another file before.
lint_tidy()
{
	CC=clang build_with build-clang -Dtests=enabled >/dev/null || return 1
	find src examples -name '*.c' | sort |
		xargs -P "$jobs" -n 1 clang-tidy --quiet -p build-clang 2>/dev/null
}

lint_cppcheck()
{
	cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 -j "$jobs" \
		--enable=warning,performance,portability \
		--suppressions-list=scripts/cppcheck.suppressions \
		-D_GNU_SOURCE -D__x86_64__ -D__linux__ -Iinclude -Isrc src examples
}

# A sanitizer's shadow memory and its own system calls do not live with the limits and filters of
# the sandbox, so what really starts one is left out here and runs in the ordinary build only.
lint_sanitizers()
{
	build_with build-asan -Dtests=enabled -Db_sanitize=address,undefined -Db_lundef=false \
		-Dstatic=false || return 1
	rm -f build-asan/meson-logs/testlog.json
	ASAN_OPTIONS=detect_stack_use_after_return=1 \
		UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		meson test -C build-asan --no-rebuild --print-errorlogs --timeout-multiplier 4 \
		--no-suite attack --no-suite soak --no-suite compat --no-suite examples \
		--no-suite meta --no-suite bench
	tests/summary.py build-asan $?
}

if [ "${1-}" = --list ]; then
	echo "$steps"
	exit 0
fi
failed=
# shellcheck disable=SC2086 # the names of the steps are words
[ $# -gt 0 ] || set -- $steps
for step; do
	case " $steps " in
	*" $step "*) ;;
	*)
		echo "lint: no step '$step'; there are: $steps" >&2
		exit 2
		;;
	esac
	echo "== $step"
	"lint_$step" || failed="$failed $step"
done
if [ -n "$failed" ]; then
	echo "lint: failed:$failed"
	exit 1
fi
echo 'lint: all is well'
