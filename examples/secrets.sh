#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Credentials stay outside: those in well-known files, those in the environment, and those that you
# name.

. "$(dirname "$0")/common.sh"

must_fail bailey run -- cat ~/.ssh/id_ed25519
must_fail bailey run -- cp -r ~/.ssh stolen

# A variable that looks like a credential is not there, unless it is given by name.
export DEPLOY_TOKEN=secret
[ -z "$(bailey run -- sh -c 'echo "$DEPLOY_TOKEN"')" ] || fail 'the token was there'
[ "$(bailey run --env DEPLOY_TOKEN=public -- sh -c 'echo "$DEPLOY_TOKEN"')" = public ] ||
	fail 'the variable was not set'

# One more path to keep out.
echo 42 >salaries.csv
bailey run -- cat salaries.csv >/dev/null
must_fail bailey run --deny "$PWD/salaries.csv" -- cat salaries.csv
