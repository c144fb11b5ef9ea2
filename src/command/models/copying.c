/* SPDX-License-Identifier: MIT */
/*
 * Programs that put a file, or a link to it, somewhere else. Where the last operand is a directory,
 * what is written lies in it under the source's name; that follows from the text when there are
 * several sources, an option says so, or the operand can be nothing else.
 */
#include "command/models/basics.h"

/* Sources and the place that they go to. */
struct copying {
	const struct match *match;
	struct findings *found;
	const struct field *sources;
	size_t source_count;
	const struct field *dest;
	bool into; /* `dest` is a directory, and stays what it is */
};

static bool
copying_of(struct copying *copying, const struct match *match, struct findings *found)
{
	const struct matched_option *dir = match_option(match, 't', "target-directory");
	bool plain = match_option(match, 'T', "no-target-directory") != NULL;

	*copying = (struct copying){ .match = match,
				     .found = found,
				     .sources = match->operands,
				     .source_count = match->operand_count };
	if (dir != NULL && dir->arg != NULL) {
		copying->dest = dir->arg;
		copying->into = true;
		return match->operand_count > 0;
	}
	if (match->operand_count < 2) {
		return false;
	}
	copying->source_count--;
	copying->dest = &match->operands[copying->source_count];
	copying->into =
		!plain && (copying->source_count > 1 || field_is_several(&match->operands[0]) ||
			   basics_is_directory(match->shell, copying->dest));
	return true;
}

/* The effect of putting `source` in its new place; `deed` when the new name is known. */
static struct effect *
put(const struct copying *copying, const struct field *source, enum deed deed)
{
	const struct field *target = copying->dest;

	if (copying->into) {
		target = basics_into(copying->found, copying->dest, source);
	}
	if (target == NULL) {
		return find_deed(copying->found, DEED_EXTRACT, copying->dest);
	}
	return find_deed(copying->found, deed, target);
}

/* ---- cp, mv, install ------------------------------------------------------------------------ */

static const struct option_row cp_options[] = {
	ROW_FLAG("abdfiHlLnPpRrsTuvxZcNX",
		 "archive attributes-only copy-contents force interactive "
		 "link dereference no-clobber no-dereference parents "
		 "recursive remove-destination strip-trailing-slashes "
		 "symbolic-link no-target-directory update verbose "
		 "one-file-system keep-directory-symlink debug"),
	ROW_TAKES("St", "no-preserve sparse suffix target-directory"),
	ROW_MAYBE(NULL, "backup preserve reflink context"),
	ROW_VERSION,
	OPTIONS_END,
};

static void
cp_refine(const struct match *match, struct findings *found)
{
	struct copying copying;
	bool links = match_option(match, 'l', "link") != NULL ||
		     match_option(match, 's', "symbolic-link") != NULL;

	if (!copying_of(&copying, match, found)) {
		find_unknown(found, "nothing to put anywhere", match->argv);
		return;
	}
	for (size_t i = 0; i < copying.source_count; i++) {
		const struct field *source = &copying.sources[i];
		bool nothing = field_is(source, "/dev/null");
		struct effect *effect;

		find_deed(found, DEED_READ, source);
		effect = put(&copying, source, nothing ? DEED_EMPTY : DEED_WRITE);
		effect->other = source;
		effect->flags |= links ? EFFECT_LINK : EFFECT_FROM_FILE;
	}
}

static const struct option_row mv_options[] = {
	ROW_FLAG("bfinTuvZh", "force interactive no-clobber strip-trailing-slashes "
			      "no-target-directory update verbose context exchange no-copy debug"),
	ROW_TAKES("St", "suffix target-directory"),
	ROW_MAYBE(NULL, "backup"),
	ROW_VERSION,
	OPTIONS_END,
};

RULE(mv_null, "mv.to-null", FORBIDDEN, DELETES, "moves it where everything is lost");

static void
mv_refine(const struct match *match, struct findings *found)
{
	struct copying copying;

	if (!copying_of(&copying, match, found)) {
		find_unknown(found, "nothing to put anywhere", match->argv);
		return;
	}
	if (field_is(copying.dest, "/dev/null")) {
		find_rule(found, &mv_null, copying.sources);
	}
	for (size_t i = 0; i < copying.source_count; i++) {
		struct effect *effect;

		find_deed(found, DEED_MOVE, &copying.sources[i])->other = copying.dest;
		effect = put(&copying, &copying.sources[i], DEED_WRITE);
		effect->other = &copying.sources[i];
		effect->flags |= EFFECT_FROM_FILE;
	}
}

static const struct option_row install_options[] = {
	ROW_FLAG("bcCdDpsTvZSUM", "compare directory preserve-timestamps strip no-target-directory "
				  "verbose preserve-context debug"),
	ROW_TAKES("gmot", "group mode owner suffix target-directory"),
	ROW_RUNS(NULL, "strip-program"),
	ROW_MAYBE(NULL, "backup context"),
	ROW_VERSION,
	OPTIONS_END,
};

/* Set-user-id and set-group-id bits, and write access for all. */
static bool
mode_opens(const struct field *mode)
{
	const char *text = mode->text;
	size_t len = mode->len;

	if (!field_is_literal(mode) || len == 0) {
		return false;
	}
	if (text[0] < '0' || text[0] > '9') {
		return strchr(text, 's') != NULL || strstr(text, "o+w") != NULL ||
		       strstr(text, "a+w") != NULL || strstr(text, "a=rw") != NULL;
	}
	return strchr("2367", text[len - 1]) != NULL ||
	       (len > 3 && strchr("01", text[len - 4]) == NULL);
}

static void
install_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *mode = match_option(match, 'm', "mode");
	unsigned flags = mode != NULL && mode->arg != NULL && mode_opens(mode->arg)
				 ? (unsigned)EFFECT_SETUID
				 : 0U;
	struct copying copying;

	if (match_option(match, 'd', "directory") != NULL) {
		for (size_t i = 0; i < match->operand_count; i++) {
			find_deed(found, DEED_MAKE, &match->operands[i])->flags |= flags;
		}
		return;
	}
	if (!copying_of(&copying, match, found)) {
		find_unknown(found, "nothing to put anywhere", match->argv);
		return;
	}
	for (size_t i = 0; i < copying.source_count; i++) {
		struct effect *effect;

		find_deed(found, DEED_READ, &copying.sources[i]);
		effect = put(&copying, &copying.sources[i], DEED_WRITE);
		effect->other = &copying.sources[i];
		effect->flags |= flags | EFFECT_FROM_FILE | EFFECT_EXECUTABLE;
	}
}

/* ---- links --------------------------------------------------------------------------------- */

static const struct option_row ln_options[] = {
	ROW_FLAG("bdFfinLPrsTvhw", "directory force interactive logical no-dereference physical "
				   "relative symbolic no-target-directory verbose"),
	ROW_TAKES("St", "suffix target-directory"),
	ROW_MAYBE(NULL, "backup"),
	ROW_VERSION,
	OPTIONS_END,
};

/* A symbolic link is relative to the directory that it lies in. */
static const struct field *
link_leads_to(struct findings *found, const struct field *link, const struct field *target,
	      bool symbolic)
{
	struct field dir = *link;

	dir.len = (uint32_t)basics_base(link);
	if (!symbolic || dir.len == 0) {
		return target;
	}
	dir = field_literal(found->arena, link->text, dir.len, link);
	if (!field_is_literal(link) || dir.text == NULL) {
		return target;
	}
	return basics_below(found, basics_keep(found, dir), target);
}

static void
ln_refine(const struct match *match, struct findings *found)
{
	struct copying copying;
	bool symbolic = match_option(match, 's', "symbolic") != NULL &&
			match_option(match, 'r', "relative") == NULL;
	enum deed deed = match_option(match, 'f', "force") != NULL ? DEED_WRITE : DEED_MAKE;

	if (!copying_of(&copying, match, found)) {
		if (match->operand_count != 1) {
			find_unknown(found, "nothing to link to", match->argv);
			return;
		}
		copying.dest = basics_static(found, ".", match->operands);
		copying.source_count = 1;
		copying.into = true;
	}
	for (size_t i = 0; i < copying.source_count; i++) {
		struct effect *effect = put(&copying, &copying.sources[i], deed);

		if (effect->deed == deed) {
			effect->other =
				link_leads_to(found, effect->target, &copying.sources[i], symbolic);
			effect->flags |= EFFECT_LINK;
		}
	}
}

static const struct option_row link_options[] = {
	ROW_VERSION,
	OPTIONS_END,
};

static void
link_refine(const struct match *match, struct findings *found)
{
	struct effect *effect;

	if (match->operand_count != 2) {
		find_unknown(found, "nothing to link to", match->argv);
		return;
	}
	effect = find_deed(found, DEED_MAKE, &match->operands[1]);
	effect->other = match->operands;
	effect->flags |= EFFECT_LINK;
}

/* ---- dd ------------------------------------------------------------------------------------ */

static const char *const dd_settings[] = {
	"bs=",	  "ibs=",   "obs=",   "cbs=",  "count=",  "skip=",  "seek=",  "iseek=",
	"oseek=", "iflag=", "oflag=", "conv=", "status=", "files=", "speed=",
};

static bool
dd_is_setting(const struct field *operand)
{
	for (size_t i = 0; i < sizeof(dd_settings) / sizeof(dd_settings[0]); i++) {
		if (service_starts(operand, dd_settings[i])) {
			return true;
		}
	}
	return false;
}

static void
dd_refine(const struct match *match, struct findings *found)
{
	const struct field *input = NULL;
	struct effect *effect;

	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];

		if (service_starts(operand, "if=")) {
			input = basics_tail(found, operand, 3);
			find_deed(found, DEED_READ, input);
		} else if (!service_starts(operand, "of=") && !dd_is_setting(operand) &&
			   !(match->argc == 2 &&
			     service_operand_is(match, i, "--help --version"))) {
			find_unknown(found, "an operand that dd does not have", operand);
		}
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_starts(&match->operands[i], "of=")) {
			effect = find_deed(found, DEED_WRITE,
					   basics_tail(found, &match->operands[i], 3));
			effect->other = input;
			effect->flags |= input != NULL ? EFFECT_FROM_FILE : EFFECT_FROM_STDIN;
		}
	}
}

/* -------------------------------------------------------------------------------------------- */

static const struct option_row ditto_options[] = {
	ROW_FLAG("vVXckxzj",
		 "rsrc norsrc extattr noextattr qtn noqtn acl noacl nocache hfsCompression "
		 "preserveHFSCompression sequesterRsrc keepParent"),
	ROW_TAKES(NULL, "arch bom"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

const struct program models_copying[] = {
	{ .names = "cp gcp", .options = cp_options, .finds = FIND_QUIET, .refine = cp_refine },
	{ .names = "mv gmv", .options = mv_options, .finds = FIND_QUIET, .refine = mv_refine },
	{ .names = "install ginstall",
	  .options = install_options,
	  .finds = FIND_QUIET,
	  .refine = install_refine },
	{ .names = "ln gln", .options = ln_options, .finds = FIND_QUIET, .refine = ln_refine },
	{ .names = "link", .options = link_options, .finds = FIND_QUIET, .refine = link_refine },
	{ .names = "dd gdd", .style = PARSE_NONE, .refine = dd_refine },
	{ .names = "ditto", .operands = "f* w$", .options = ditto_options, .finds = FIND_QUIET },
	PROGRAMS_END,
};
