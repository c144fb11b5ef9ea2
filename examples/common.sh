# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# What the examples share: a home, a workspace and a place outside, all of them fresh and removed at
# the end, and words to say what must have happened. Read an example first; this is only the stage.

set -eu

# From a build directory: BAILEY=build/bailey examples/workspace.sh
if [ -n "${BAILEY-}" ]; then
	PATH=$(cd "$(dirname "$BAILEY")" && pwd):$PATH
fi
# shellcheck disable=SC2034 # for the example
examples=$(cd "$(dirname "$0")" && pwd)
stage=$(mktemp -d "${TMPDIR:-/tmp}/bailey-example.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$stage/home" "$stage/home/.ssh" "$stage/work" "$stage/outside"
echo 'a private key' >"$stage/home/.ssh/id_ed25519"
export HOME="$stage/home"
# shellcheck disable=SC2034 # for the example
outside=$stage/outside
cd "$stage/work"

fail()
{
	echo "$0: $*" >&2
	exit 1
}

# The command has to fail, whatever its status; but not because Bailey itself did (125).
must_fail()
{
	status=0
	"$@" >"$stage/output" 2>&1 || status=$?
	[ $status -ne 0 ] || fail "succeeded, and should not have: $*"
	[ $status -ne 125 ] || fail "$(cat "$stage/output")"
}

# The command has to exit with a status.
must_exit()
{
	wanted=$1
	shift
	status=0
	"$@" >"$stage/output" 2>&1 || status=$?
	[ $status -eq "$wanted" ] || fail "status $status instead of $wanted: $*
$(cat "$stage/output")"
}

must_have()
{
	[ -e "$1" ] || fail "'$1' is not there"
}

must_not_have()
{
	[ ! -e "$1" ] || fail "'$1' is there"
}

# The output of the last must_fail or must_exit has to contain a text.
must_say()
{
	grep -qF -- "$1" "$stage/output" || fail "no '$1' in: $(cat "$stage/output")"
}
