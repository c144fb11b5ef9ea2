/* SPDX-License-Identifier: MIT */
/*
 * Programs that change who may do what with a file: modes, owners, lists, attributes.
 */
#include "command/models/basics.h"

/* ---- chmod --------------------------------------------------------------------------------- */

/* Letters of a mode make a mode even with a dash in front (chmod -w f). */
static const struct option_row chmod_options[] = {
	ROW_FLAG("cfvhHLPEN", "changes silent quiet verbose no-preserve-root preserve-root "
			      "dereference no-dereference"),
	ROW_MODE("R", "recursive", DEED_META_TREE),
	ROW("rwxXstugoa,+=01234567", NULL, ARG_NONE, USE_PATTERN),
	ROW(NULL, "reference", ARG_ONE, USE_PATTERN),
	ROW_VERSION,
	OPTIONS_END,
};

static unsigned
octal_flags(const char *mode)
{
	unsigned value = 0;

	for (; *mode != '\0'; mode++) {
		if (*mode < '0' || *mode > '7' || value > 07777) {
			return EFFECT_EXECUTABLE;
		}
		value = value * 8 + (unsigned)(*mode - '0');
	}
	return ((value & 0111) != 0 ? EFFECT_EXECUTABLE : 0U) |
	       ((value & 06000) != 0 || (value & 0002) != 0 ? EFFECT_SETUID : 0U);
}

/* One clause of a symbolic mode: "u+x", "go=", "+x". Gives what follows it. */
static const char *
clause_flags(const char *mode, unsigned *flags)
{
	bool others = false, adds = false;

	for (; *mode != '\0' && *mode != ','; mode++) {
		if (strchr("+-=", *mode) != NULL) {
			adds = *mode != '-';
		} else if (!adds && (*mode == 'o' || *mode == 'a')) {
			others = true;
		} else if (adds && (*mode == 'x' || *mode == 'X')) {
			*flags |= EFFECT_EXECUTABLE;
		} else if (adds && (*mode == 's' || (*mode == 'w' && others))) {
			*flags |= EFFECT_SETUID;
		}
	}
	return *mode == ',' ? mode + 1 : mode;
}

/* What a mode lets happen, as effect flags. */
static unsigned
mode_flags(const struct field *mode)
{
	const char *text = mode->text;
	unsigned flags = 0;

	if (!field_is_literal(mode)) {
		return EFFECT_EXECUTABLE;
	}
	if (*text >= '0' && *text <= '9') {
		return octal_flags(text);
	}
	while (*text != '\0') {
		text = clause_flags(text, &flags);
	}
	return flags;
}

static const struct field *
mode_of(const struct match *match)
{
	for (size_t i = 0; i < match->option_count; i++) {
		if (match->options[i].row->use == USE_PATTERN) {
			return match->options[i].name == NULL ? match->options[i].word : NULL;
		}
	}
	return match->operand_count > 0 ? match->operands : NULL;
}

static void
chmod_refine(const struct match *match, struct findings *found)
{
	const struct field *mode = mode_of(match);
	unsigned flags = mode != NULL ? mode_flags(mode) : EFFECT_EXECUTABLE;

	basics_flag(found, DEED_META, flags);
	basics_flag(found, DEED_META_TREE, flags);
}

/* ---- owners, lists, attributes -------------------------------------------------------------- */

static const struct option_row chown_options[] = {
	ROW_FLAG("cfvhHLPnx", "changes silent quiet verbose dereference no-dereference "
			      "no-preserve-root preserve-root"),
	ROW_MODE("R", "recursive", DEED_META_TREE),
	ROW_TAKES(NULL, "from"),
	ROW(NULL, "reference", ARG_ONE, USE_PATTERN),
	ROW_VERSION,
	OPTIONS_END,
};

/* As with chmod, letters behind a dash are attributes that are taken away. */
static const struct option_row chattr_options[] = {
	ROW_FLAG("fV", NULL),  ROW_MODE("R", NULL, DEED_META_TREE),
	ROW_TAKES("vp", NULL), ROW("acdeijmstuxACDFPST", NULL, ARG_NONE, USE_PATTERN),
	OPTIONS_END,
};

static const struct option_row chflags_options[] = {
	ROW_FLAG("fhvxHLP", NULL),
	ROW_MODE("R", NULL, DEED_META_TREE),
	OPTIONS_END,
};

RULE(acl_restored, "setfacl.restores", PROMPT, WRITES, "sets the rights that a file lists");

static const struct option_row setfacl_options[] = {
	ROW_FLAG("bkndLP", "remove-all remove-default no-mask mask default logical physical"),
	ROW_MODE("R", "recursive", DEED_META_TREE),
	ROW_TAKES("mx", "modify remove set"),
	ROW_PATH("MX", "modify-file remove-file set-file", DEED_READ),
	ROW_RULE(NULL, "restore", ARG_ONE, &acl_restored),
	ROW_DRY(NULL, "test"),
	ROW_HELP("vh", "version help"),
	OPTIONS_END,
};

static const struct option_row setfattr_options[] = {
	ROW_FLAG("h", "no-dereference raw"),
	ROW_TAKES("nvx", "name value remove"),
	ROW_RULE(NULL, "restore", ARG_ONE, &acl_restored),
	ROW_VERSION,
	OPTIONS_END,
};

/* macOS: lists and prints unless told otherwise. */
static const struct option_row xattr_options[] = {
	ROW_FLAG("lprsvx", NULL),
	ROW_MODE("cdw", NULL, DEED_META),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

/* ---- capabilities -------------------------------------------------------------------------- */

RULE(setcap_grants, "setcap.grants", FORBIDDEN, PRIVILEGE,
     "lets a program act with rights of root for whoever starts it");
RULE(setcap_changes, "setcap.changes", PROMPT, PRIVILEGE,
     "changes the capabilities that a program starts with");

static const struct option_row setcap_options[] = {
	ROW_FLAG("qf", NULL), ROW_FLAG("v", NULL),	     ROW("r", NULL, ARG_NONE, USE_PATTERN),
	ROW_TAKES("n", NULL), ROW_HELP("h", "license help"), OPTIONS_END,
};

/* Capabilities that do not lead to all the others. */
static const char *const mild_capabilities[] = {
	"cap_net_bind_service", "cap_net_raw",	     "cap_net_admin", "cap_net_broadcast",
	"cap_sys_nice",		"cap_ipc_lock",	     "cap_perfmon",   "cap_wake_alarm",
	"cap_syslog",		"cap_block_suspend", "cap_lease",     "cap_sys_resource",
};

static bool
is_mild(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(mild_capabilities) / sizeof(mild_capabilities[0]); i++) {
		if (strlen(mild_capabilities[i]) == len &&
		    memcmp(mild_capabilities[i], name, len) == 0) {
			return true;
		}
	}
	return false;
}

static bool
all_mild(const struct field *caps)
{
	const char *at = caps->text;

	if (!field_is_literal(caps)) {
		return false;
	}
	while (*at != '\0') {
		size_t len = strcspn(at, ",=+- ");

		if (!is_mild(at, len)) {
			return false;
		}
		at += len;
		at += *at == ',' ? 1 : strcspn(at, " ");
		at += strspn(at, " ");
	}
	return true;
}

static void
setcap_refine(const struct match *match, struct findings *found)
{
	bool removes = match_option(match, 'r', NULL) != NULL;

	if (match_option(match, 'v', NULL) != NULL) {
		return;
	}
	find_rule(found, &setcap_changes, match->operands);
	for (size_t i = 0; i < match->operand_count; i++) {
		if (removes || i % 2 == 1) {
			find_deed(found, DEED_META, &match->operands[i]);
		} else if (!all_mild(&match->operands[i])) {
			find_rule(found, &setcap_grants, &match->operands[i]);
		}
	}
}

/* -------------------------------------------------------------------------------------------- */

const struct program models_perms[] = {
	{ .names = "chmod gchmod",
	  .operands = "p c*",
	  .options = chmod_options,
	  .finds = FIND_QUIET,
	  .refine = chmod_refine },
	{ .names = "chown chgrp gchown gchgrp",
	  .operands = "p c*",
	  .options = chown_options,
	  .finds = FIND_QUIET },
	{ .names = "chattr", .operands = "p c*", .options = chattr_options, .finds = FIND_QUIET },
	{ .names = "chflags", .operands = ". c*", .options = chflags_options, .finds = FIND_QUIET },
	{ .names = "setfacl", .operands = "c*", .options = setfacl_options, .finds = FIND_QUIET },
	{ .names = "setfattr", .operands = "c*", .options = setfattr_options, .finds = FIND_QUIET },
	{ .names = "xattr", .operands = "l*", .options = xattr_options, .finds = FIND_QUIET },
	{ .names = "setcap",
	  .options = setcap_options,
	  .finds = FIND_QUIET,
	  .refine = setcap_refine },
	PROGRAMS_END,
};
