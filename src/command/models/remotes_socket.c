/* SPDX-License-Identifier: MIT */

/*
 * Programs that are joined to a connection: nc -e, socat EXEC:, websocat. Whoever is at the other
 * end then gives the orders, so a shell, or what is not known to be harmless, is forbidden.
 */

#include "command/models/remotes_impl.h"

RULE(remote_shell, "network.remote-shell", FORBIDDEN, EXECUTES,
     "lets another machine give orders to a program here");
RULE(remote_program, "network.remote-program", PROMPT, EXECUTES, "joins a program to a connection");
RULE(connects, "network.connect", PROMPT, NETWORK, "connects to another machine");
RULE(listens, "network.listen", PROMPT, NETWORK, "lets other machines connect");
RULE(metadata, "network.metadata", FORBIDDEN, DISCLOSURE,
     "asks the service that gives out the credentials of this machine");
RULE(daemon, "network.daemon-socket", FORBIDDEN, PRIVILEGE,
     "reaches the daemon of containers, and with it this machine");

/* Does the text begin with a program that obeys nobody? */
static bool
is_harmless(const struct field *text)
{
	size_t from = 0;
	size_t len = strcspn(text->text, " ,");
	char name[16];

	for (size_t i = 0; i < len; i++) {
		from = text->text[i] == '/' ? i + 1 : from;
	}
	if (len - from >= sizeof(name) || field_known_prefix(text) < len) {
		return false;
	}
	memcpy(name, text->text + from, len - from);
	name[len - from] = '\0';
	return service_word_in(name, "cat echo date true printf head tail uptime hostname");
}

static void
find_joined(struct findings *found, const struct field *text, unsigned flags, const char *via)
{
	find_rule(found, is_harmless(text) ? &remote_program : &remote_shell, text);
	find_code(found, LANG_SH, text, flags | INNER_PROMPT | INNER_NO_INPUT, via);
}

void
remotes_refine_nc(const struct match *match, struct findings *found)
{
	bool shell = false;

	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		bool program = service_is(option, 'e');
		bool text = service_is(option, 'c');

		if ((program || text) && option->arg != NULL) {
			shell = true;
			find_joined(found, option->arg, program ? (unsigned)INNER_SPLIT : 0, "nc");
		}
	}
	if (match->operand_count > 0 && !shell) {
		find_rule(found, &connects, &match->operands[0]);
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_is_metadata(&match->operands[i])) {
			find_rule(found, &metadata, &match->operands[i]);
		}
		if (strstr(match->operands[i].text, "docker.sock") != NULL) {
			find_rule(found, &daemon, &match->operands[i]);
		}
	}
}

/* ---- socat ------------------------------------------------------------------------------- */

enum address_kind {
	ADDRESS_OTHER,
	ADDRESS_PROGRAM, /* run without a shell */
	ADDRESS_SHELL,
	ADDRESS_READS,
	ADDRESS_OPENS,
	ADDRESS_WRITES,
	ADDRESS_LISTENS,
	ADDRESS_CONNECTS,
	ADDRESS_UNIX,
};

static const struct {
	const char *name;
	enum address_kind kind;
} addresses[] = {
	{ "exec", ADDRESS_PROGRAM },	 { "system", ADDRESS_SHELL },
	{ "shell", ADDRESS_SHELL },	 { "open", ADDRESS_OPENS },
	{ "gopen", ADDRESS_OPENS },	 { "file", ADDRESS_OPENS },
	{ "create", ADDRESS_WRITES },	 { "creat", ADDRESS_WRITES },
	{ "unix", ADDRESS_UNIX },	 { "unix-connect", ADDRESS_UNIX },
	{ "unix-client", ADDRESS_UNIX }, { "local", ADDRESS_UNIX },
};

static bool
address_is(const char *text, size_t len, const char *name)
{
	return strlen(name) == len && strncasecmp(text, name, len) == 0;
}

static enum address_kind
address_kind(const struct field *operand, size_t len)
{
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		if (address_is(operand->text, len, addresses[i].name)) {
			return addresses[i].kind;
		}
	}
	for (size_t i = 0; i + 1 < len; i++) {
		if (operand->text[i] == '-' && (operand->text[i + 1] | 0x20) == 'l') {
			return ADDRESS_LISTENS;
		}
	}
	if (operand->text[len] != ':') {
		return memchr(operand->text, '/', operand->len) != NULL ? ADDRESS_OPENS
									: ADDRESS_OTHER;
	}
	return ADDRESS_CONNECTS;
}

/* Is there an address of another machine among the operands? */
static bool
joins_network(const struct match *match)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];
		enum address_kind kind = address_kind(operand, strcspn(operand->text, ":,"));

		if (kind == ADDRESS_CONNECTS || kind == ADDRESS_LISTENS ||
		    operand->kind == BAILEY_WORD_DYNAMIC) {
			return true;
		}
	}
	return false;
}

/* The length of an address from `from` on: options behind a comma are not part of it. */
static size_t
address_end(const struct field *operand, size_t from, bool shell)
{
	static const char *const options[] = { ",pty",	    ",stderr", ",setsid", ",sigint",
					       ",sane",	    ",echo",   ",raw",	  ",fork",
					       ",ctty",	    ",fdin",   ",su=",	  ",su-d",
					       ",nofork",   ",rawer",  ",pipes",  ",chdir",
					       ",end-close" };
	size_t end = operand->len;

	if (!shell) {
		return from + strcspn(operand->text + from, ",!");
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *at = strstr(operand->text + from, options[i]);

		if (at != NULL && (size_t)(at - operand->text) < end) {
			end = (size_t)(at - operand->text);
		}
	}
	return end;
}

static void
find_address(struct findings *found, const struct field *operand, bool network)
{
	size_t len = strcspn(operand->text, ":,");
	enum address_kind kind = address_kind(operand, len);
	bool shell = kind == ADDRESS_SHELL || kind == ADDRESS_PROGRAM;
	size_t from = operand->text[len] == ':' ? len + 1 : 0;
	const struct field *rest =
		service_part(found, operand, from, address_end(operand, from, shell));

	switch (kind) {
	case ADDRESS_PROGRAM:
	case ADDRESS_SHELL:
		if (network) {
			find_rule(found, is_harmless(rest) ? &remote_program : &remote_shell, rest);
		}
		find_code(found, LANG_SH, rest,
			  INNER_PROMPT | (kind == ADDRESS_PROGRAM ? (unsigned)INNER_SPLIT : 0),
			  "socat");
		break;
	case ADDRESS_READS:
	case ADDRESS_OPENS:
		find_deed(found, network ? DEED_SEND : DEED_READ, rest);
		find_deed(found, DEED_EDIT, rest);
		break;
	case ADDRESS_WRITES:
		find_deed(found, DEED_WRITE, rest);
		break;
	case ADDRESS_LISTENS:
		find_rule(found, &listens, operand);
		break;
	case ADDRESS_UNIX:
		find_rule(found, strstr(rest->text, "docker.sock") != NULL ? &daemon : &connects,
			  operand);
		break;
	case ADDRESS_CONNECTS:
		find_rule(found, service_is_metadata(operand) ? &metadata : &connects, operand);
		break;
	case ADDRESS_OTHER:
		break;
	}
}

void
remotes_refine_socat(const struct match *match, struct findings *found)
{
	bool network = joins_network(match);

	for (size_t i = 0; i < match->operand_count; i++) {
		find_address(found, &match->operands[i], network);
	}
}

/* "websocat ws://host sh-c:TEXT", "exec:PROGRAM --exec-args" */
void
remotes_refine_websocat(const struct match *match, struct findings *found)
{
	static const char *const kinds[] = { "sh-c:", "cmd:", "exec:" };

	for (size_t i = 0; i < match->operand_count; i++) {
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			const struct field *operand = &match->operands[i];

			if (service_starts(operand, kinds[k])) {
				find_joined(found,
					    service_part(found, operand, strlen(kinds[k]),
							 operand->len),
					    0, "websocat");
			}
		}
	}
}
