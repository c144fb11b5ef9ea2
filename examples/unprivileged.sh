#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs an example as a user without privileges, from a copy that such a user can read, when root
# runs the tests. Anybody else is one already, and the ordinary run has shown it.
#
# usage: unprivileged.sh BAILEY SCRIPT [ARGUMENT]...      "BAILEY" as an argument is the copy
set -eu

nobody=65534
bailey=$(cd "$(dirname "$1")" && pwd)/bailey
script=$2
shift 2
if [ "$(id -u)" -ne 0 ]; then
	exec env BAILEY="$bailey" "$script" ${1:+"$bailey"}
fi
copy=$(mktemp -d "${TMPDIR:-/tmp}/bailey-copy.XXXXXX")
trap 'rm -rf "$copy"' EXIT
cp -r "$(dirname "$script")" "$copy/examples"
cp "$bailey" "$copy/bailey"
chmod -R a+rX "$copy"
cd "$copy"
# HOME is root's: an example makes its own, and nothing else may depend on it.
setpriv --reuid=$nobody --regid=$nobody --clear-groups --inh-caps=-all \
	env HOME=/nonexistent BAILEY="$copy/bailey" "$copy/examples/$(basename "$script")" \
	${1:+"$copy/bailey"}
