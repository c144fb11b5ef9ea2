/* SPDX-License-Identifier: MIT */
/*
 * The reasons that the walker gives: their ids, which are stable, and their messages.
 */
#include "command/walk_impl.h"

#define PROMPT(kind_, id_, message_)                                                               \
	{                                                                                          \
		.id = (id_), .decision = BAILEY_PROMPT, .kind = (kind_), .message = (message_)     \
	}
#define FORBIDDEN(kind_, id_, message_)                                                            \
	{                                                                                          \
		.id = (id_), .decision = BAILEY_FORBIDDEN, .kind = (kind_), .message = (message_)  \
	}

const struct rule walk_rules[WHY_COUNT_] = {
	[WHY_UNKNOWN_PROGRAM] = PROMPT(BAILEY_EFFECT_EXECUTES, "command.unknown-program",
				       "runs a program that is not known here"),
	[WHY_UNKNOWN_USE] = PROMPT(BAILEY_EFFECT_UNKNOWN, "command.unknown-use",
				   "uses a program in a way that is not known here"),
	[WHY_UNKNOWN_NAME] = PROMPT(BAILEY_EFFECT_EXECUTES, "command.unknown-program",
				    "runs a program whose name is not in the text"),
	[WHY_LOOK_ALIKE] = PROMPT(BAILEY_EFFECT_EXECUTES, "command.look-alike",
				  "runs a program whose name has letters that look like others"),
	[WHY_UNKNOWN_CODE] =
		PROMPT(BAILEY_EFFECT_EXECUTES, "code.unknown", "runs code that is not in the text"),
	[WHY_UNKNOWN_PART] = PROMPT(BAILEY_EFFECT_EXECUTES, "code.unknown-part",
				    "runs code of which a part is not in the text"),
	[WHY_UNKNOWN_FILE] =
		PROMPT(BAILEY_EFFECT_EXECUTES, "code.unknown-file", "runs code from a file"),
	[WHY_UNKNOWN_INPUT] = PROMPT(BAILEY_EFFECT_EXECUTES, "code.unknown-input",
				     "runs what it reads as code, and that is not in the text"),
	[WHY_DECODED] = PROMPT(BAILEY_EFFECT_EXECUTES, "code.decoded",
			       "runs code that was hidden by an encoding"),
	[WHY_OTHER_CODE] = PROMPT(BAILEY_EFFECT_EXECUTES, "code.not-followed",
				  "runs code that is not followed to its end"),
	[WHY_REMOTE_CODE] = FORBIDDEN(BAILEY_EFFECT_EXECUTES, "remote.code",
				      "runs code that comes over the network"),
	[WHY_REMOTE_PART] = PROMPT(BAILEY_EFFECT_EXECUTES, "remote.part",
				   "runs code with a part that comes over the network"),
	[WHY_REVERSE_SHELL] = FORBIDDEN(BAILEY_EFFECT_NETWORK, "shell.reverse-shell",
					"gives a shell to another machine"),
	[WHY_FORK_BOMB] = FORBIDDEN(BAILEY_EFFECT_PROCESS, "shell.fork-bomb",
				    "starts itself again and again until the machine stops"),
	[WHY_RECURSIVE] = PROMPT(BAILEY_EFFECT_UNKNOWN, "walk.recursive-function",
				 "calls functions too deep to follow"),
	[WHY_TOO_MUCH] = PROMPT(BAILEY_EFFECT_UNKNOWN, "walk.too-much",
				"repeats too much to follow all of it"),
	[WHY_TOO_DEEP] = FORBIDDEN(BAILEY_EFFECT_UNKNOWN, "nesting-too-deep",
				   "runs commands inside of commands too deep to follow"),
	[WHY_PAYLOAD] = FORBIDDEN(BAILEY_EFFECT_EXECUTES, "persistence.payload",
				  "plants harmful code where it runs by itself later"),
	[WHY_NETWORK] = PROMPT(BAILEY_EFFECT_NETWORK, "network.uses", "talks to another machine"),
	[WHY_SECRET_SENT] = FORBIDDEN(BAILEY_EFFECT_DISCLOSURE, "secret.sent",
				      "sends secrets to another machine"),
	[WHY_SECRET_HEADER] = PROMPT(BAILEY_EFFECT_DISCLOSURE, "secret.header",
				     "logs in to another machine with a secret"),
	[WHY_SECRET_SHOWN] =
		PROMPT(BAILEY_EFFECT_DISCLOSURE, "secret.shown", "hands on what may be a secret"),
	[WHY_ELSEWHERE] = PROMPT(BAILEY_EFFECT_EXECUTES, "inner.elsewhere",
				 "runs a command on another machine or in a container"),
	[WHY_PRIVILEGED] = PROMPT(BAILEY_EFFECT_PRIVILEGE, "inner.privileged",
				  "runs a command as another user"),
	[WHY_LATER] =
		PROMPT(BAILEY_EFFECT_EXECUTES, "inner.later", "has a command run at another time"),
	[WHY_WRAPPER] = PROMPT(BAILEY_EFFECT_EXECUTES, "inner.wrapper",
			       "runs a command in a way that changes what it does"),
	[WHY_VARIABLE] = PROMPT(BAILEY_EFFECT_UNKNOWN, "environment.variable",
				"sets a variable that programs may act on"),
	[WHY_VARIABLE_PROGRAM] = PROMPT(BAILEY_EFFECT_EXECUTES, "environment.program",
					"sets a variable that names a program for others to run"),
	[WHY_VARIABLE_LOADS] = PROMPT(BAILEY_EFFECT_EXECUTES, "environment.loads",
				      "sets a variable that changes what other programs load"),
	[WHY_ALIAS] = PROMPT(BAILEY_EFFECT_UNKNOWN, "shell.alias",
			     "runs an alias that cannot be followed"),
	[WHY_UNKNOWN_TARGET] = PROMPT(BAILEY_EFFECT_UNKNOWN, "redirect.unknown",
				      "redirects to what is not in the text"),
	[WHY_BUILTIN_OPTION] =
		PROMPT(BAILEY_EFFECT_UNKNOWN, "builtin.unknown-option",
		       "uses a builtin of the shell in a way that is not known here"),
	[WHY_BUILTIN_LOADS] =
		PROMPT(BAILEY_EFFECT_EXECUTES, "builtin.loads", "makes a name run something else"),
	[WHY_BUILTIN_BINDS] = PROMPT(BAILEY_EFFECT_UNKNOWN, "builtin.binds",
				     "changes what keys and completions do"),
	[WHY_BUILTIN_STOPS] = PROMPT(BAILEY_EFFECT_PROCESS, "builtin.suspends", "stops the shell"),
	[WHY_BUILTIN_LIMITS] = PROMPT(BAILEY_EFFECT_PROCESS, "builtin.limits",
				      "changes the limits or the file mode of what is run"),
	[WHY_BUILTIN_SHELL] = PROMPT(BAILEY_EFFECT_UNKNOWN, "builtin.history-variable",
				     "changes how the shell keeps its history"),
	[WHY_BUILTIN_HISTORY] =
		PROMPT(BAILEY_EFFECT_DELETES, "builtin.history", "changes the history of commands"),
	[WHY_BUILTIN_TRACE] = PROMPT(BAILEY_EFFECT_UNKNOWN, "builtin.option",
				     "changes an option of the shell that others depend on"),
	[WHY_BUILTIN_SECRET] = PROMPT(BAILEY_EFFECT_DISCLOSURE, "builtin.environment",
				      "shows every variable of the shell"),
	[WHY_NAME_CODE] = PROMPT(BAILEY_EFFECT_EXECUTES, "code.in-name",
				 "runs code that stands in the name of a variable"),
};
