#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes sure that the packages which one job needs are there.
#
#   scripts/deps.sh [--list] JOB...        JOB: build, test, bench, lint
#
# On Debian (and what derives from it), as root: installs what is missing. As anybody else: prints
# the one line that would, and fails. Elsewhere: says what is needed when a tool is missing, and
# leaves the choice of packages to the reader. Says nothing when all is there, in a few ms.
set -eu

# gcc alone does not bring the C library's headers when recommended packages are left out.
build='gcc libc6-dev make meson ninja-build pkg-config libseccomp-dev libjansson-dev libidn2-dev
	libunistring-dev zlib1g-dev scdoc'
# setpriv and script are in util-linux and bsdutils; /proc readers of the attacks need procps.
# From cmake on: what tests/compat runs in a sandbox.
test='libcmocka-dev python3 g++ git sqlite3 tmux util-linux bsdutils procps
	cmake curl gdb less openssh-client openssl perl python3-venv rsync strace unzip vim-tiny
	wget xz-utils zip bsdextrautils mount'
bench='bubblewrap firejail libtree-sitter-dev'
lint='clang clang-format clang-tidy cppcheck shellcheck codespell libclang-rt-dev'

say()
{
	printf '%s\n' "deps: $*" >&2
}

packages_of()
{
	case $1 in
	build) echo "$build" ;;
	test) echo "$test" ;;
	bench) echo "$bench" ;;
	lint) echo "$lint" ;;
	*)
		say "no job '$1'; there are build, test, bench and lint"
		exit 2
		;;
	esac
}

# What tests/compat runs in the sandbox: program, package. A case whose program is missing is
# skipped, but not in CI. The program counts and not the package, because some are often there in
# another way: distributors of Node.js put npm into nodejs, which conflicts with Debian's npm.
compat_programs='
bc bc
cmake cmake
col bsdextrautils
curl curl
gdb gdb
less less
node nodejs
npm npm
openssl openssl
perl perl
rsync rsync
ssh openssh-client
strace strace
unzip unzip
vi vim-tiny
wget wget
xz xz-utils
zip zip
'
wanted_programs()
{
	if [ "$1" != test ] || [ "${CI-}" != true ]; then
		return
	fi
	printf '%s' "$compat_programs" | while read -r program package; do
		if [ -n "$program" ] && ! command -v "$program" >/dev/null 2>&1; then
			printf '%s ' "$package"
		fi
	done
	python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
}

# The packages of "$@" that are not installed. dpkg-query says nothing at all about a name that it
# has never heard of, so what it does list as installed is taken away from what is wanted.
missing_of()
{
	installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
		sed -n 's/^installed //p') || true
	for package; do
		printf '%s\n' "$installed" | grep -qx -- "$package" || printf '%s ' "$package"
	done
}

elsewhere()
{
	for program in cc meson ninja pkg-config; do
		if ! command -v "$program" >/dev/null 2>&1; then
			say "'$program' is missing. This is not Debian, so install what answers to:"
			say "$*"
			exit 1
		fi
	done
}

install_missing()
{
	export DEBIAN_FRONTEND=noninteractive
	set -- install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
	# A machine that was never updated knows no packages, one that was updated long ago asks for
	# versions that are gone. An update cures both; it is slow, so it comes second.
	apt-get "$@" || {
		apt-get update && apt-get "$@"
	}
}

list=no
if [ "${1-}" = --list ]; then
	list=yes
	shift
fi
if [ $# -eq 0 ]; then
	say 'which job? build, test, bench or lint'
	exit 2
fi

wanted=
for job; do
	packages=$(packages_of "$job")
	wanted="$wanted $packages $(wanted_programs "$job")"
done
# shellcheck disable=SC2086 # package names have no blanks: the words are meant to be split
set -- $wanted

if [ $list = yes ]; then
	printf '%s\n' "$@"
	exit 0
fi
if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	elsewhere "$@"
	exit 0
fi

missing=$(missing_of "$@")
if [ -z "$missing" ]; then
	exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
	say 'some packages are missing; this installs them:'
	say "  sudo apt-get install -y --no-install-recommends $missing"
	exit 1
fi
say "installing $missing"
# shellcheck disable=SC2086 # as above
install_missing $missing
