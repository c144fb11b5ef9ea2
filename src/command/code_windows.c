/* SPDX-License-Identifier: MIT */
/* Responsible for: what is done to paths of Windows. */

#include "command/code_windows.h"
#include "command/code_lex.h"

#include <string.h>

static const struct rule deletes = { "windows.delete", BAILEY_FORBIDDEN, BAILEY_EFFECT_DELETES,
				     "deletes what lies on a drive, outside of the workspace" };
static const struct rule writes = { "windows.write", BAILEY_PROMPT, BAILEY_EFFECT_WRITES,
				    "changes what lies on a drive, outside of the workspace" };
static const struct rule overwrites = { "windows.write-system", BAILEY_FORBIDDEN,
					BAILEY_EFFECT_WRITES, "changes a file of Windows itself" };
static const struct rule hives = { "windows.read-secrets", BAILEY_FORBIDDEN,
				   BAILEY_EFFECT_DISCLOSURE,
				   "reads where Windows keeps its passwords" };

const struct rule windows_registry_rule = { "windows.registry", BAILEY_FORBIDDEN,
					    BAILEY_EFFECT_SYSTEM, "changes the registry" };

static bool
is_slash(char c)
{
	return c == '\\' || c == '/';
}

bool
windows_is_absolute(const struct field *path)
{
	const char *text = path->text;

	if (path->len == 0) {
		return false;
	}
	if (path->len > 1 && lex_is_alpha(text[0]) && text[1] == ':') {
		return true;
	}
	return text[0] == '\\' && path->len > 1 && !lex_is_name(text[1]) ? text[1] == '\\'
									 : text[0] == '\\';
}

bool
windows_is_registry(const struct field *path)
{
	static const char *const roots[] = {
		"hklm", "hkcu", "hkcr", "hku:", "hkey_", "registry::"
	};

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		size_t len = strlen(roots[i]);

		if (path->len >= len && lex_same(path->text, len, roots[i])) {
			return true;
		}
	}
	return false;
}

/* Does a path of a drive lie in what belongs to Windows? */
static bool
has_part(const struct field *path, const char *part)
{
	size_t len = strlen(part);

	for (size_t i = 0; i + len <= path->len; i++) {
		if (lex_same(path->text + i, len, part)) {
			return true;
		}
	}
	return false;
}

static const struct rule *
rule_for(enum deed deed, const struct field *path)
{
	switch ((int)deed) {
	case DEED_DELETE:
	case DEED_DELETE_TREE:
	case DEED_EMPTY:
	case DEED_MOVE:
		return &deletes;
	case DEED_READ:
		return has_part(path, "\\config\\sam") || has_part(path, "ntds.dit") ? &hives
										     : NULL;
	default:
		return has_part(path, "\\windows\\") || has_part(path, "\\startup\\") ? &overwrites
										      : &writes;
	}
}

void
windows_deed(struct findings *found, enum deed deed, const struct field *path)
{
	const struct rule *rule;
	struct field *slashed;
	char *text;

	if (windows_is_registry(path)) {
		if (deed != DEED_READ && deed != DEED_LIST) {
			find_rule(found, &windows_registry_rule, NULL);
		}
		return;
	}
	if (windows_is_absolute(path)) {
		rule = rule_for(deed, path);
		if (rule != NULL) {
			find_rule(found, rule, NULL);
		}
		return;
	}
	slashed = arena_alloc(found->arena, sizeof *slashed);
	text = arena_strndup(found->arena, path->text, path->len);
	if (slashed == NULL || text == NULL) {
		return;
	}
	for (size_t i = 0; i < path->len; i++) {
		text[i] = is_slash(text[i]) ? '/' : text[i];
	}
	*slashed = *path;
	slashed->text = text;
	slashed->tilde |= text[0] == '~' && (path->len == 1 || text[1] == '/');
	find_deed(found, deed, slashed);
}
