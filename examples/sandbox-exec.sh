#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The helper program of vtcode-safety: the arguments are what its sandbox manager emits, so that
# Bailey can be named in VTCODE_LINUX_SANDBOX_EXECUTABLE.

. "$(dirname "$0")/common.sh"

# In the wire form the real temp directories are writable unless it says otherwise.
policy='{"type": "workspace_write", "exclude_slash_tmp": true, "exclude_tmpdir_env_var": true}'

sandboxed()
{
	bailey sandbox-exec --sandbox-policy-cwd "$PWD" --sandbox-policy "$policy" \
		--seccomp-profile '{"blocked_syscalls":["ptrace","mount"]}' \
		--resource-limits '{"timeout_secs":30}' -- "$@"
}

sandboxed sh -c 'echo result >result.txt'
must_have result.txt
must_fail sandboxed sh -c 'echo note >../outside/note.txt'
must_not_have "$outside/note.txt"
