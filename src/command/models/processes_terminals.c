/* SPDX-License-Identifier: MIT */
/*
 * Terminal multiplexers. What they are given to run is judged as if it ran here; what they type
 * into a shell that runs already is read as text for a shell.
 */
#include "command/models/basics.h"

RULE(terminal_changes, "terminal.changes", PROMPT, PROCESS,
     "changes what runs in a terminal session");

/* ---- tmux ------------------------------------------------------------------------------------ */

static const struct option_row tmux_options[] = {
	ROW_FLAG("2CDluvN", NULL),
	ROW_SHELL("c", NULL),
	{ "f", NULL, ARG_ONE, USE_CODE_FILE, LANG_OTHER, 0, NULL, 0 },
	ROW_TAKES("LSTt", NULL),
	ROW_HELP("Vh", "help version"),
	OPTIONS_END,
};

/* A session, window or pane is opened: what stands behind the options runs in it. */
static const struct option_row tmux_open_options[] = {
	ROW_FLAG("AdDEPXabkShvIZOoBCb", NULL),
	ROW_TAKES("ceFfnstxylTwp", NULL),
	OPTIONS_END,
};

static const struct option_row tmux_type_options[] = {
	ROW_FLAG("FHlMRXK", NULL),
	ROW_TAKES("Ntc", NULL),
	OPTIONS_END,
};

static const struct option_row tmux_show_options[] = {
	ROW_FLAG("aCeJNpPqsAgHvw1hTI", NULL),
	ROW_TAKES("FftbESdc", NULL),
	OPTIONS_END,
};

static const struct option_row tmux_run_options[] = {
	ROW_FLAG("bCFIOo", NULL),
	ROW_TAKES("dtc", NULL),
	OPTIONS_END,
};

/* One word is text for a shell, several are a program and its arguments. */
static void
tmux_open(const struct match *match, struct findings *found)
{
	if (match->operand_count == 1) {
		find_code(found, LANG_SH, match->operands, INNER_PROMPT, "tmux");
	} else if (match->operand_count > 1) {
		find_argv(found, match->operands, match->operand_count, INNER_PROMPT, "tmux");
	}
}

/* Each word on its own: the names of keys are no harm as commands. */
static void
tmux_type(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		find_code(found, LANG_SH, &match->operands[i], INNER_PROMPT, "tmux");
	}
}

static bool
runs_in_format(const struct field *field)
{
	return field != NULL && (strstr(field->text, "#(") != NULL || !field_is_literal(field));
}

/* #(...) in a format runs a shell; a semicolon starts the next command of tmux. */
static void
tmux_show(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		if (runs_in_format(match->options[i].arg)) {
			find_unknown(found, "a format that may run something",
				     match->options[i].arg);
		}
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		if (runs_in_format(&match->operands[i]) ||
		    strchr(match->operands[i].text, ';') != NULL) {
			find_unknown(found, "more than one command", &match->operands[i]);
		}
	}
}

static const struct program tmux_commands[] = {
	SUB("list-sessions|ls|list-windows|lsw|list-panes|lsp|list-clients|lsc|list-buffers|lsb|"
	    "list-commands|lscm|list-keys|lsk|has-session|has|show-options|show|"
	    "show-window-options|showw|show-hooks|show-messages|showmsgs|show-buffer|showb|"
	    "capture-pane|capturep|display-message|display|info",
	    ".*", tmux_show_options, NULL, NULL, tmux_show),
	SUB("new-session|new|new-window|neww|split-window|splitw|respawn-pane|respawnp|"
	    "respawn-window|respawnw|display-popup|popup",
	    ".*", tmux_open_options, NULL, &terminal_changes, tmux_open),
	SUB("send-keys|send|set-buffer|setb", ".*", tmux_type_options, NULL, &terminal_changes,
	    tmux_type),
	SUB("run-shell|run|pipe-pane|pipep|if-shell|if", ".*", tmux_run_options, NULL,
	    &terminal_changes, tmux_type),
	SUB("save-buffer|saveb", "w", tmux_run_options, NULL, NULL, NULL),
	PROGRAMS_END,
};

static void
tmux_refine(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		find_rule(found, &terminal_changes, match->operands);
	}
}

/* ---- screen ---------------------------------------------------------------------------------- */

static const struct option_row screen_options[] = {
	ROW_FLAG("aAdDfilLmnOqrRUxX0123456789", NULL),
	ROW_TAKES("eghpsStT", NULL),
	ROW_PATH("c", NULL, DEED_CONFIG),
	ROW_PATH(NULL, "Logfile", DEED_WRITE),
	ROW_FLAG(NULL, "ls list"),
	ROW_DOUBT(NULL, "wipe"),
	ROW_HELP("v", "help version"),
	OPTIONS_END,
};

static void
screen_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 0, "ls") != NULL || match_option(match, 0, "list") != NULL) {
		return;
	}
	find_rule(found, &terminal_changes, match->operands);
	if (match_option(match, 'X', NULL) != NULL) {
		for (size_t i = 1; i < match->operand_count; i++) {
			find_code(found, LANG_SH, &match->operands[i], INNER_PROMPT, "screen -X");
		}
	} else if (match->operand_count > 0 && match_option(match, 'r', NULL) == NULL &&
		   match_option(match, 'x', NULL) == NULL) {
		find_argv(found, match->operands, match->operand_count, INNER_PROMPT, "screen");
	}
}

const struct program models_processes_terminals[] = {
	{ .names = "tmux",
	  .operands = ".*",
	  .options = tmux_options,
	  .subcommands = tmux_commands,
	  .style = PARSE_POSIX | PARSE_LOOSE,
	  .refine = tmux_refine },
	{ .names = "screen",
	  .options = screen_options,
	  .style = PARSE_POSIX | PARSE_LONG_ONE | PARSE_NO_ABBREV,
	  .refine = screen_refine },
	PROGRAMS_END,
};
