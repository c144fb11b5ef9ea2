# SPDX-License-Identifier: MIT
# bash completion for bailey(1)
# shellcheck shell=bash

_bailey_policy_options='--read-only --policy --profile --full-access --write --read --exec --deny
	--no-protect --protect --protect-git --net --allow-net --allow-unix --loopback --no-broker --tmp
	--no-tmp --real-tmp --caches --device --proc --hide-names --ipc --seccomp --block-syscall --limits --timeout
	--memory --pids --disk --cpu --files --best-effort --cwd --help'
_bailey_run_options='--env --keep-env --clear-env --sanitize-env --keep-fd --grace --exact-pids --in-place
	--keep-background --outlive-parent --compat --quiet --json-status-fd'

# Values of the option before the cursor. Status 1: it takes none that could be listed.
_bailey_value()
{
	local profiles=${XDG_CONFIG_HOME:-$HOME/.config}/bailey/profiles
	local words

	case $1 in
	--write | -w | --cwd)
		mapfile -t COMPREPLY < <(compgen -d -- "$2")
		return
		;;
	--policy | --read | -r | --exec | --deny)
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
		return
		;;
	--profile)
		words='build go node offline-agent python read-only rust workspace-write'
		[ ! -d "$profiles" ] || words="$words $(cd "$profiles" && ls)"
		words=${words//.toml/} words=${words//.json/}
		;;
	--protect-git) words='all hooks none' ;;
	--loopback) words='own none' ;;
	--caches) words='private shared none' ;;
	--device) words='gpu kvm fuse pty' ;;
	--proc) words='read none' ;;
	--seccomp) words='strict permissive logging' ;;
	--limits) words='conservative moderate generous unlimited' ;;
	--compat) words='vtcode' ;;
	--protect | --allow-net | --block-syscall | --timeout | --memory | --pids | --disk | --cpu | \
		--files | --env | --keep-fd | --grace | --json-status-fd)
		COMPREPLY=()
		return
		;;
	*) return 1 ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
}

# Where the program to run begins, or nothing: after "--", or the first word that is neither an
# option nor the value of one.
_bailey_program_at()
{
	local i

	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--)
			echo $((i + 1))
			return
			;;
		-*)
			if _bailey_value "${COMP_WORDS[i]}" ''; then
				i=$((i + 1))
			fi
			;;
		*)
			echo "$i"
			return
			;;
		esac
	done
}

_bailey()
{
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words at

	if [ "$COMP_CWORD" -eq 1 ]; then
		words='check run policy why debug sandbox-exec help version --help --version'
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
		return
	fi
	case $command in
	run) words="$_bailey_policy_options $_bailey_run_options" ;;
	check) words='--policy --profile --write --cwd --stdin --stdin0 --explain --json --quiet --help' ;;
	why) words="$_bailey_policy_options --json" ;;
	policy) words="show explain validate profiles $_bailey_policy_options --json" ;;
	debug) words='landlock seatbelt capabilities --help' ;;
	sandbox-exec)
		words='--sandbox-policy-cwd --sandbox-policy --seccomp-profile --resource-limits --help'
		;;
	help) words='check run policy why debug sandbox-exec version' ;;
	*) words= ;;
	esac
	if [ "$command" = run ]; then
		at=$(_bailey_program_at)
		if [ -n "$at" ] && declare -F _command_offset >/dev/null; then
			_command_offset "$at"
			return
		fi
	fi
	if _bailey_value "${COMP_WORDS[COMP_CWORD - 1]}" "$word"; then
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	if [ "$command" = why ] && [[ $word != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -F _bailey bailey
