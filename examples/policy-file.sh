#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Policies in files: a profile of one's own, and the configuration of another program.

. "$(dirname "$0")/common.sh"

# Are they good, here and on this kernel?
bailey policy validate "$examples/policies/team.toml" "$examples/policies/vtcode.toml"

mkdir customers
echo 'a name' >customers/list
echo 'echo deploy' >deploy.sh
echo 'a note' >notes.txt
bailey run --policy "$examples/policies/team.toml" -- sh -c 'echo more >>notes.txt'
[ "$(wc -l <notes.txt)" -eq 2 ] || fail 'notes.txt was not written'
must_fail bailey run --policy "$examples/policies/team.toml" -- cat customers/list
must_fail bailey run --policy "$examples/policies/team.toml" -- sh -c 'echo evil >>deploy.sh'
[ "$(cat deploy.sh)" = 'echo deploy' ] || fail 'deploy.sh was changed'

# What such a file means, in the form that programs exchange.
bailey policy show --policy "$examples/policies/vtcode.toml" >policy.json
bailey policy validate policy.json
bailey run --policy policy.json -- true

# A mistake is an error with its place, and a guess at what was meant.
echo '{"type": "workspace_write", "writeable_roots": []}' >wrong.json
must_exit 1 bailey policy validate wrong.json
must_say 'wrong.json:1:'
must_say "did you mean 'writable_roots'?"
must_exit 125 bailey run --policy wrong.json -- true
