# SPDX-License-Identifier: MIT
# fish completion for bailey(1)

set -l commands check run policy why debug sandbox-exec help version
set -l policy_users 'run policy why'

complete -c bailey -f
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a run -d 'Run a command under a policy'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a policy -d 'Show, explain or validate a policy'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a check -d 'Judge a command without running it'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a why -d 'Is it allowed, and by which rule?'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a debug -d 'What this machine can hold'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a sandbox-exec -d 'Helper of a sandbox manager'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a help -d 'How a command is used'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -a version -d 'The version'
complete -c bailey -n "not __fish_seen_subcommand_from $commands" -l version -d 'The version'

complete -c bailey -n '__fish_seen_subcommand_from policy' -a 'show explain validate profiles'
complete -c bailey -n '__fish_seen_subcommand_from debug' -a 'landlock seatbelt capabilities'
complete -c bailey -n '__fish_seen_subcommand_from help' -a "$commands"
complete -c bailey -n '__fish_seen_subcommand_from why' -F
complete -c bailey -n '__fish_seen_subcommand_from policy why' -l json -d 'Answer as JSON'

function __bailey_policy -V policy_users
    complete -c bailey -n "__fish_seen_subcommand_from $policy_users" $argv
end

__bailey_policy -l read-only -d 'No writes at all'
__bailey_policy -l policy -r -F -d 'A policy file, or JSON'
__bailey_policy -l profile -x -a 'build go node offline-agent python read-only rust workspace-write' -d 'A named policy'
__bailey_policy -l full-access -d 'No sandbox at all'
__bailey_policy -s w -l write -x -a '(__fish_complete_directories)' -d 'Let it write there too'
__bailey_policy -s r -l read -r -F -d 'Read only there'
__bailey_policy -l exec -r -F -d 'Run programs from there only'
__bailey_policy -l deny -r -F -d 'Neither read nor write there'
__bailey_policy -l no-protect -d 'Let it write .git and the like'
__bailey_policy -l protect -x -d 'One more protected name'
__bailey_policy -l protect-git -x -a 'all hooks none' -d 'How much of .git is protected'
__bailey_policy -l net -d 'Open the whole network'
__bailey_policy -l allow-net -x -d 'Open one destination'
__bailey_policy -l allow-unix -d 'Open a unix socket (=PATH), or all'
__bailey_policy -l loopback -x -a 'own none' -d 'IP among its own processes'
__bailey_policy -l no-broker -d 'Only what the kernel holds by itself'
__bailey_policy -l tmp -d 'A private temp directory'
__bailey_policy -l no-tmp -d 'No private temp directory'
__bailey_policy -l real-tmp -d 'Let it write the real /tmp'
__bailey_policy -l caches -x -a 'private shared none' -d 'Caches of tools'
__bailey_policy -l device -x -a 'gpu kvm fuse pty' -d 'Open devices'
__bailey_policy -l proc -x -a 'read none' -d '/proc'
__bailey_policy -l hide-names -d 'Hide the names beside what is kept out'
__bailey_policy -l ipc -d 'System V IPC and message queues'
__bailey_policy -l seccomp -x -a 'strict permissive logging' -d 'System calls'
__bailey_policy -l block-syscall -x -d 'Refuse one more system call'
__bailey_policy -l limits -x -a 'conservative moderate generous unlimited' -d 'All limits at once'
__bailey_policy -l timeout -x -d 'Seconds of wall clock'
__bailey_policy -l memory -x -d 'MiB of memory'
__bailey_policy -l pids -x -d 'Processes and threads'
__bailey_policy -l disk -x -d 'MiB written'
__bailey_policy -l cpu -x -d 'Seconds of cpu time'
__bailey_policy -l files -x -d 'Open descriptors of each process'
__bailey_policy -l best-effort -d 'Run although the kernel cannot hold a part'
__bailey_policy -l cwd -x -a '(__fish_complete_directories)' -d 'Start there'
__bailey_policy -s h -l help -d 'The options'
functions -e __bailey_policy

set -l running '__fish_seen_subcommand_from run'
complete -c bailey -n $running -a '(__fish_complete_subcommand)'
complete -c bailey -n $running -l env -x -d 'Set a variable'
complete -c bailey -n $running -l keep-env -d 'Pass the whole environment on'
complete -c bailey -n $running -l clear-env -d 'Pass nothing of it on'
complete -c bailey -n $running -l sanitize-env -d 'Pass on harmless names only'
complete -c bailey -n $running -l keep-fd -x -d 'Let a descriptor through'
complete -c bailey -n $running -l grace -x -d 'Seconds from TERM to KILL'
complete -c bailey -n $running -l exact-pids -d 'One process too many fails'
complete -c bailey -n $running -l in-place -d 'Become the command'
complete -c bailey -n $running -l keep-background -d 'What it leaves running lives on'
complete -c bailey -n $running -l json-status-fd -x -d 'Tell events to a descriptor'
complete -c bailey -n $running -l outlive-parent -d 'Go on when the caller ends'
complete -c bailey -n $running -l compat -x -a vtcode -d 'Set the VTCODE_SANDBOX_* variables too'
complete -c bailey -n $running -s q -l quiet -d 'Only errors on stderr'

for option in sandbox-policy-cwd sandbox-policy seccomp-profile resource-limits
    complete -c bailey -n '__fish_seen_subcommand_from sandbox-exec' -l $option -x
end
complete -c bailey -n '__fish_seen_subcommand_from check' -l policy -r -d 'The policy it would run under'
complete -c bailey -n '__fish_seen_subcommand_from check' -l profile -x -d 'A named policy'
complete -c bailey -n '__fish_seen_subcommand_from check' -s w -l write -r -d 'A directory that belongs to the work too'
complete -c bailey -n '__fish_seen_subcommand_from check' -l cwd -r -d 'Judge as if it ran there'
complete -c bailey -n '__fish_seen_subcommand_from check' -l stdin -d 'Commands from the standard input, one a line'
complete -c bailey -n '__fish_seen_subcommand_from check' -l stdin0 -d 'The same, each ended by a NUL'
complete -c bailey -n '__fish_seen_subcommand_from check' -l explain -d 'Show every simple command and what it does'
complete -c bailey -n '__fish_seen_subcommand_from check' -l json -d 'Answer as JSON'
complete -c bailey -n '__fish_seen_subcommand_from check' -s q -l quiet -d 'Only the exit status'
