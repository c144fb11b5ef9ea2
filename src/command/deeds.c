/* SPDX-License-Identifier: MIT */

/*
 * What it means to do something to a path: the table of deeds by places, and the words for it.
 * "a" allow, "p" prompt, "F" forbidden, in the order of enum bailey_place.
 */

#include "command/account.h"

#include "base/attr.h"

#include <string.h>

struct deed_row {
	const char *name; /* first half of the rule's id */
	const char *verb;
	enum bailey_effect_kind kind;
	/* columns: None Unknown Null Workspace Top Protected tMp Home Startup sEnsitive Private
	 * sYstem Root Device Other Network Guard */
	const char *decisions;
};

#define DEED_PLACES (BAILEY_PLACE_GUARD + 1)

/* clang-format off */
static const struct deed_row deed_rows[DEED_COUNT_] = {
	/*                                                                            NUNWTPMHSEPYRDONG */
	[DEED_NONE]        = { "none", "touches", BAILEY_EFFECT_READS,               "aaaaaaaaaaaaaaaaa" },
	[DEED_READ]        = { "read", "reads", BAILEY_EFFECT_READS,                 "aaaaaaaaaFpappapa" },
	[DEED_LIST]        = { "list", "lists", BAILEY_EFFECT_READS,                 "aaaaaaaaapaaaaapa" },
	[DEED_WRITE]       = { "write", "writes", BAILEY_EFFECT_WRITES,              "ppapppppFFpFFFppF" },
	[DEED_APPEND]      = { "append", "appends to", BAILEY_EFFECT_WRITES,         "ppappppppFpppFppF" },
	[DEED_EDIT]        = { "edit", "changes", BAILEY_EFFECT_WRITES,              "ppappppppFpFFFppF" },
	[DEED_MAKE]        = { "make", "makes", BAILEY_EFFECT_WRITES,                "ppappppppppppppFp" },
	[DEED_DELETE]      = { "delete", "deletes", BAILEY_EFFECT_DELETES,           "ppFpFpppFFpFFFFpF" },
	[DEED_DELETE_TREE] = { "delete-tree", "deletes", BAILEY_EFFECT_DELETES,      "ppFpFFpFFFpFFFFpF" },
	[DEED_EMPTY]       = { "empty", "empties", BAILEY_EFFECT_DELETES,            "ppapFpppFFpFFFppF" },
	[DEED_MOVE]        = { "move", "moves away", BAILEY_EFFECT_DELETES,          "ppFppFppFFpFFFppF" },
	[DEED_META]        = { "change-mode", "changes owner, mode or times of", BAILEY_EFFECT_WRITES,
										     "ppapppppppppppppF" },
	[DEED_META_TREE]   = { "change-mode-tree", "changes owner, mode or times of", BAILEY_EFFECT_WRITES,
										     "ppappppppFpFFFppF" },
	[DEED_FORMAT]      = { "format", "overwrites", BAILEY_EFFECT_SYSTEM,         "ppFpFFppFFpFFFFpF" },
	[DEED_EXECUTE]     = { "execute", "runs", BAILEY_EFFECT_EXECUTES,            "ppppppppppppppp" "Fp" },
	[DEED_SEND]        = { "send", "sends", BAILEY_EFFECT_DISCLOSURE,            "pppppppppFFpppppp" },
	[DEED_EXTRACT]     = { "extract", "unpacks files into", BAILEY_EFFECT_WRITES, "ppapppppFpppppppF" },
	[DEED_SYNC]        = { "sync", "replaces", BAILEY_EFFECT_DELETES,            "ppFpFFpFFFpFFFFpF" },
	[DEED_CONFIG]      = { "config", "is configured by", BAILEY_EFFECT_EXECUTES, "ppappppppppppppFp" },
};
/* clang-format on */

struct place_words {
	const char *name; /* second half of the rule's id */
	const char *words;
};

static const struct place_words place_words[DEED_PLACES] = {
	[BAILEY_PLACE_NONE] = { "nowhere", "" },
	[BAILEY_PLACE_UNKNOWN] = { "unknown", "which is not known before it runs" },
	[BAILEY_PLACE_NULL] = { "null", "" },
	[BAILEY_PLACE_WORKSPACE] = { "workspace", "in the workspace" },
	[BAILEY_PLACE_TOP] = { "workspace-top", "the whole workspace" },
	[BAILEY_PLACE_PROTECTED] = { "git", "in the repository's own directory" },
	[BAILEY_PLACE_TMP] = { "tmp", "a temporary file" },
	[BAILEY_PLACE_HOME] = { "home", "in the home directory" },
	[BAILEY_PLACE_STARTUP] = { "startup", "which runs by itself at login or start" },
	[BAILEY_PLACE_SENSITIVE] = { "secret", "which holds secrets" },
	[BAILEY_PLACE_PRIVATE] = { "private", "which may hold secrets" },
	[BAILEY_PLACE_SYSTEM] = { "system", "part of the system" },
	[BAILEY_PLACE_ROOT] = { "root", "" },
	[BAILEY_PLACE_DEVICE] = { "device", "a device" },
	[BAILEY_PLACE_OTHER] = { "outside", "outside the workspace" },
	[BAILEY_PLACE_NETWORK] = { "network", "a network connection" },
	[BAILEY_PLACE_GUARD] = { "guard", "which keeps agents in check" },
};

static const char *const place_names[DEED_PLACES] = {
	"",	"unknown", "null",    "workspace", "top",     "protected",
	"tmp",	"home",	   "startup", "sensitive", "private", "system",
	"root", "device",  "other",   "network",   "guard",
};

const char *
bailey_place_name(enum bailey_place place)
{
	return (unsigned)place < DEED_PLACES ? place_names[place] : "";
}

static enum bailey_decision
decision_of(char letter)
{
	return letter == 'a' ? BAILEY_ALLOW : letter == 'p' ? BAILEY_PROMPT : BAILEY_FORBIDDEN;
}

static bool
changes(enum deed deed)
{
	return deed == DEED_WRITE || deed == DEED_APPEND || deed == DEED_EDIT ||
	       deed == DEED_MAKE || deed == DEED_EXTRACT;
}

static bool
is_deletion(enum deed deed)
{
	return deed == DEED_DELETE || deed == DEED_DELETE_TREE || deed == DEED_EMPTY;
}

/* Whose text it is that is not known decides whether a reader of it may be let pass: the output of
 * another command is a list of names as a rule; what comes from outside may be any path. */
static bool
is_any_path(const struct effect *effect)
{
	const unsigned outside = TAINT_VARIABLE | TAINT_INPUT | TAINT_FILE | TAINT_NETWORK |
				 TAINT_SECRET | TAINT_DECODED;

	return (effect->target->taint & outside) != 0;
}

/* The names of keys are not shown without a question, although the public halves may be read. */
static bool
names_key(const struct field *path)
{
	return path->len > 4 && memcmp(path->text + path->len - 4, ".pub", 4) == 0;
}

/* What the table cannot say: parts of a directory, modes, files where adding is replacing. */
static enum bailey_decision
decide(const struct effect *effect, struct place place)
{
	enum bailey_place where = place.place;
	enum deed deed = effect->deed;
	enum bailey_decision decision;

	if (where == BAILEY_PLACE_TOP && (place.below || (effect->flags & EFFECT_FILTERED) != 0)) {
		where = BAILEY_PLACE_WORKSPACE;
	}
	if (deed == DEED_META && where == BAILEY_PLACE_ROOT && place.below) {
		deed = DEED_META_TREE; /* of files found anywhere below the root */
	}
	decision = decision_of(deed_rows[deed].decisions[where]);
	if (place.critical && (changes(deed) || is_deletion(deed) || deed == DEED_MOVE)) {
		return BAILEY_FORBIDDEN;
	}
	if (deed == DEED_LIST && where == BAILEY_PLACE_PRIVATE && names_key(effect->target)) {
		return BAILEY_PROMPT;
	}
	if (where == BAILEY_PLACE_HOME && place.all && is_deletion(effect->deed)) {
		return BAILEY_FORBIDDEN;
	}
	if ((effect->flags & EFFECT_SETUID) != 0 &&
	    (where == BAILEY_PLACE_SYSTEM || where == BAILEY_PLACE_ROOT ||
	     where == BAILEY_PLACE_SENSITIVE)) {
		return BAILEY_FORBIDDEN;
	}
	if (effect->deed == DEED_READ && decision == BAILEY_ALLOW &&
	    (place.holds || (where == BAILEY_PLACE_UNKNOWN && is_any_path(effect)) ||
	     (place.below && effect->target->kind == BAILEY_WORD_DYNAMIC &&
	      where != BAILEY_PLACE_UNKNOWN && where != BAILEY_PLACE_WORKSPACE &&
	      where != BAILEY_PLACE_TMP))) {
		return BAILEY_PROMPT;
	}
	return decision;
}

static const char *
describe(struct account *account, const struct effect *effect, struct place place, const char *path)
{
	const struct deed_row *row = &deed_rows[effect->deed];
	const char *words = place_words[place.place].words;
	bool tree = effect->deed == DEED_DELETE_TREE || effect->deed == DEED_SYNC;
	const char *all = place.all && is_deletion(effect->deed) ? " and everything in it" : "";

	if (place.place == BAILEY_PLACE_ROOT) {
		words = strcmp(account->scene->home, path) == 0 ? "your home directory"
								: "the root of the file system";
		all = tree || place.all ? " and everything in it" : "";
	}
	return arena_printf(account->arena, "%s %s%s%s%s%s", row->verb, path,
			    words[0] != '\0' ? ", " : "", words, all[0] != '\0' ? "," : "", all);
}

/* The path as a person reads it: unknown parts as "...", the trailing star of "all of it" off. */
static const char *
path_shown(struct account *account, const struct field *path, struct place place)
{
	const char *end = place.all ? memrchr(path->text, '/', path->len) : NULL;
	size_t len = path->len;
	char *shown;
	size_t n = 0;

	if (path->kind == BAILEY_WORD_LITERAL) {
		return path->text;
	}
	if (end != NULL) {
		len = end == path->text ? 1 : (size_t)(end - path->text);
	}
	shown = arena_array(account->arena, len + 1, 3);
	for (size_t i = 0; i < len && shown != NULL; i++) {
		if (path->marks != NULL && path->marks[i] == MARK_UNKNOWN) {
			memcpy(shown + n, "...", 3);
			n += 3;
		} else {
			shown[n++] = path->text[i];
		}
	}
	return shown;
}

static void
give_reason(struct subject *subject, const struct effect *effect, struct place place,
	    enum bailey_decision decision, const char *path)
{
	struct account *account = subject->account;
	const char *rule = arena_printf(account->arena, "%s.%s", deed_rows[effect->deed].name,
					place_words[place.place].name);
	const char *message = describe(account, effect, place, path);
	const struct field *at = effect->target;

	if (rule == NULL || message == NULL) {
		(void)account_count(subject, decision);
		return;
	}
	account_reason(subject, decision, rule, message, at->source, at->span);
}

enum bailey_decision
account_deed(struct subject *subject, struct shell *shell, const struct effect *effect)
{
	struct account *account = subject->account;
	struct field path;
	struct place place;
	enum bailey_decision decision;
	const char *shown;

	if (effect->target == NULL || (unsigned)effect->deed >= DEED_COUNT_) {
		return account_count(subject, BAILEY_PROMPT);
	}
	path = shell_path(shell, effect->target);
	if (path.text == NULL) {
		return account_count(subject, BAILEY_PROMPT);
	}
	place = place_of(account->scene, &path);
	if (place.place == BAILEY_PLACE_TOP &&
	    (place.below || (effect->flags & EFFECT_FILTERED) != 0)) {
		place.place = BAILEY_PLACE_WORKSPACE; /* some of what is in it */
	}
	decision = decide(effect, place);
	if (subject->remote && decision == BAILEY_ALLOW) {
		decision = BAILEY_PROMPT;
	}
	if (decision > subject->cap) {
		decision = subject->cap;
	}
	shown = path_shown(account, &path, place);
	if (shown == NULL) {
		return account_count(subject, decision);
	}
	account_effect(subject, deed_rows[effect->deed].kind, place.place, decision, shown,
		       account_span(subject, effect->target));
	if (decision != BAILEY_ALLOW) {
		give_reason(subject, effect, place, decision, shown);
	}
	return decision;
}
