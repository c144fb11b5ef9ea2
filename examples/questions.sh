#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Asking instead of trying.

. "$(dirname "$0")/common.sh"

# May it be read, written, reached? The rule that decides has a stable name.
must_exit 1 bailey why ~/.ssh/id_ed25519
must_say '[read.sensitive]'
must_exit 0 bailey why ./notes.txt
must_exit 1 bailey why example.org:443
must_say '[net.none]'
must_exit 0 bailey why --net example.org:443

# For programs: one JSON object a line.
must_exit 1 bailey why --json ~/.ssh/id_ed25519
must_say '"allowed":false'

# Everything that the kernel would be told, and what would not be held.
must_exit 0 bailey policy explain
must_say "$PWD"
must_say '[broker]'
must_exit 0 bailey policy explain --no-broker
must_say 'metadata-not-confined'
must_exit 0 bailey policy explain --read-only
