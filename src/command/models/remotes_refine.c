/* SPDX-License-Identifier: MIT */

/*
 * ssh and what is built on it: the command for the other side, options that run programs on this
 * side, and which files leave or come.
 */

#include "command/models/remotes_impl.h"

RULE(connects, "network.connect", PROMPT, NETWORK, "connects to another machine");
RULE(runs_remote, "ssh.command", PROMPT, EXECUTES, "runs a command on another machine");
RULE(metadata, "network.metadata", FORBIDDEN, DISCLOSURE,
     "asks the service that gives out the credentials of this machine");
RULE(helper, "ssh.helper", PROMPT, EXECUTES, "runs a program for the connection");
RULE(copies, "network.copy", PROMPT, NETWORK, "copies files from or to another machine");
RULE(remote_delete, "rsync.delete-remote", PROMPT, DELETES,
     "deletes files on another machine that are not here");
RULE(remote_delete_root, "rsync.delete-remote-root", FORBIDDEN, DELETES,
     "deletes the files of another machine that are not here");

/* ---- ssh --------------------------------------------------------------------------------- */

/* "ProxyCommand=TEXT" or "ProxyCommand TEXT". Keys compare without case. */
static void
find_ssh_option(struct findings *found, const struct field *arg)
{
	static const char *const shells[] = { "proxycommand", "localcommand", "knownhostscommand" };
	static const char *const loads[] = { "pkcs11provider", "securitykeyprovider",
					     "xauthlocation", "include" };
	size_t key = strcspn(arg->text, "= \t");
	size_t from = key + strspn(arg->text + key, "= \t\"");

	if (arg->text[key] == '\0' && arg->kind == BAILEY_WORD_LITERAL) {
		return;
	}
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strlen(shells[i]) == key && strncasecmp(arg->text, shells[i], key) == 0) {
			const struct field *text = service_part(found, arg, from, arg->len);

			find_rule(found, &helper, arg);
			if (strcasecmp(text->text, "none") != 0) {
				find_code(found, LANG_SH, text, INNER_PROMPT, "ssh option");
			}
		}
	}
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		if (strlen(loads[i]) == key && strncasecmp(arg->text, loads[i], key) == 0) {
			find_rule(found, &helper, arg);
		}
	}
	if (key == strlen("remotecommand") && strncasecmp(arg->text, "remotecommand", key) == 0) {
		find_code(found, LANG_SH, service_part(found, arg, from, arg->len),
			  INNER_REMOTE | INNER_PROMPT, "ssh");
	}
}

static void
find_ssh_options(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		if (match->options[i].row->use == USE_CONFIG && match->options[i].arg != NULL) {
			find_ssh_option(found, match->options[i].arg);
		}
	}
}

/* Options may stand behind the host as well. Gives the first word of the command. */
static size_t
after_host_options(const struct match *match, struct findings *found)
{
	static const char takes[] = "BbcDEeFIiJLlmOopQRSWwP";
	size_t at = 1;

	while (at < match->operand_count && match->operands[at].len > 1 &&
	       match->operands[at].text[0] == '-') {
		const struct field *word = &match->operands[at];
		size_t letter = 1;

		at++;
		if (field_is(word, "--")) {
			break;
		}
		while (letter < word->len && strchr(takes, word->text[letter]) == NULL) {
			letter++;
		}
		if (letter < word->len && letter + 1 == word->len && at < match->operand_count) {
			if (word->text[letter] == 'o') {
				find_ssh_option(found, &match->operands[at]);
			}
			at++;
		} else if (letter < word->len && word->text[letter] == 'o') {
			find_ssh_option(found, service_part(found, word, letter + 1, word->len));
		}
	}
	return at;
}

/* The words of a command are joined by blanks for the shell at the other side. */
static void
find_remote_text(const struct match *match, struct findings *found, size_t at)
{
	struct field *text = arena_alloc(found->arena, sizeof(*text));

	if (text == NULL || at >= match->operand_count) {
		return;
	}
	*text = match->operands[at];
	for (size_t i = at + 1; i < match->operand_count; i++) {
		struct field blank = field_static(" ", &match->operands[i]);

		blank = field_join(found->arena, text, &blank);
		*text = field_join(found->arena, &blank, &match->operands[i]);
	}
	find_rule(found, &runs_remote, &match->operands[at]);
	find_code(found, LANG_SH, text, INNER_REMOTE | INNER_PROMPT, "ssh");
}

void
remotes_refine_ssh(const struct match *match, struct findings *found)
{
	const struct field *host = service_operand(match, 0);
	size_t command;

	find_ssh_options(match, found);
	if (host == NULL) {
		return;
	}
	find_rule(found, service_is_metadata(host) ? &metadata : &connects, host);
	command = after_host_options(match, found);
	if (command >= match->operand_count && !service_has(match, 'N', NULL) &&
	    !service_has(match, 'n', NULL) && !service_has(match, 'G', NULL) &&
	    !service_has(match, 'W', NULL)) {
		find_stdin(found, LANG_SH, INNER_REMOTE | INNER_PROMPT, "ssh");
	}
	find_remote_text(match, found, command);
}

/* "mosh HOST -- CMD": run without a shell, as it stands. */
void
remotes_refine_mosh(const struct match *match, struct findings *found)
{
	size_t at = match->operand_count > 1 && field_is(&match->operands[1], "--") ? 2 : 1;

	service_inner(match, found, at, INNER_REMOTE | INNER_PROMPT, "mosh");
}

void
remotes_refine_sshfs(const struct match *match, struct findings *found)
{
	find_ssh_options(match, found);
	for (size_t i = 0; i < match->option_count; i++) {
		const struct field *arg = match->options[i].arg;
		const char *command = arg != NULL ? strstr(arg->text, "ssh_command=") : NULL;

		if (command != NULL) {
			size_t from = (size_t)(command - arg->text) + strlen("ssh_command=");

			find_code(found, LANG_SH, service_part(found, arg, from, arg->len),
				  INNER_PROMPT | INNER_SPLIT, "sshfs");
		}
	}
}

/* ---- scp and rsync --------------------------------------------------------------------------- */

static bool
any_remote(const struct match *match)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_is_remote(&match->operands[i])) {
			return true;
		}
	}
	return false;
}

/* The target of a copy that came from another machine, or from here. */
static void
find_target(const struct match *match, struct findings *found, const struct field *target,
	    enum deed deed)
{
	struct effect *effect = find_deed(found, deed, target);

	effect->flags |= any_remote(match) ? EFFECT_FROM_NETWORK : 0;
	if (match->operand_count == 2 && !any_remote(match)) {
		effect->flags |= deed == DEED_WRITE ? EFFECT_FROM_FILE : 0;
		effect->other = &match->operands[0];
	}
}

void
remotes_refine_scp(const struct match *match, struct findings *found)
{
	size_t count = match->operand_count;

	find_ssh_options(match, found);
	service_find(match, found, &copies);
	for (size_t i = 0; i < count; i++) {
		const struct field *path = &match->operands[i];

		if (service_is_remote(path)) {
			continue;
		}
		if (i + 1 == count && count > 1) {
			find_target(match, found, path,
				    count > 2 ? DEED_EXTRACT : service_copy_deed(path));
		} else {
			find_deed(found, DEED_SEND, path);
		}
	}
}

static bool
deletes_extra(const struct match *match)
{
	return service_has(match, 0, "delete") || service_has(match, 0, "del") ||
	       service_has(match, 0, "delete-before") || service_has(match, 0, "delete-during") ||
	       service_has(match, 0, "delete-delay") || service_has(match, 0, "delete-after") ||
	       service_has(match, 0, "delete-excluded") ||
	       service_has(match, 0, "delete-missing-args");
}

static void
find_rsync_target(const struct match *match, struct findings *found, const struct field *target)
{
	bool deletes = deletes_extra(match);
	size_t colon = strcspn(target->text, ":");

	if (!service_is_remote(target)) {
		find_target(match, found, target, deletes ? DEED_SYNC : DEED_EXTRACT);
		return;
	}
	if (deletes) {
		const char *path = target->text + colon + 1;

		find_rule(found,
			  service_word_in(path, "/ ~ ~/ /home /etc /var /root")
				  ? &remote_delete_root
				  : &remote_delete,
			  target);
	}
}

void
remotes_refine_rsync(const struct match *match, struct findings *found)
{
	const struct matched_option *path = match_option(match, 0, "rsync-path");
	bool remote = any_remote(match);
	bool moves = service_has(match, 0, "remove-source-files") ||
		     service_has(match, 0, "remove-sent-files");
	bool dry = service_has(match, 'n', "dry-run") || service_has(match, 0, "list-only");
	size_t count = match->operand_count;

	if (remote) {
		found->flags |= FIND_NETWORK;
		service_find(match, found, &copies);
	}
	if (path != NULL && path->arg != NULL) {
		find_code(found, LANG_SH, path->arg, INNER_REMOTE | INNER_PROMPT, "rsync-path");
	}
	for (size_t i = 0; i < count; i++) {
		const struct field *operand = &match->operands[i];

		if (dry) {
			find_deed(found, DEED_LIST, operand);
			continue;
		}
		if (i + 1 == count && count > 1) {
			find_rsync_target(match, found, operand);
			continue;
		}
		if (service_is_remote(operand)) {
			continue;
		}
		find_deed(found, remote ? DEED_SEND : count > 1 ? DEED_READ : DEED_LIST, operand);
		if (moves) {
			find_deed(found, DEED_MOVE, operand);
		}
	}
}
