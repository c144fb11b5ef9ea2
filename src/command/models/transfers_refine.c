/* SPDX-License-Identifier: MIT */

/*
 * Files in the arguments of curl, wget and their like ("@file"), files whose names follow from a
 * URL, and what a URL names: a file of this machine, or a service that gives out credentials.
 */

#include "command/models/transfers_impl.h"

RULE(metadata, "network.metadata", FORBIDDEN, DISCLOSURE,
     "asks the service that gives out the credentials of this machine");
RULE(sends, "network.transfer", PROMPT, NETWORK, "talks to another machine");
RULE(local_only, "transfer.file", PROMPT, READS, "reads a file of this machine as a URL");
RULE(daemon, "network.daemon-socket", FORBIDDEN, PRIVILEGE,
     "gives orders to the daemon of containers, and with it this machine");
RULE(api_delete, "network.api-delete", FORBIDDEN, DELETES,
     "deletes a repository, or all that a store holds");

/* ---- URLs -------------------------------------------------------------------------------- */

static bool
starts_nocase(const struct field *field, const char *prefix)
{
	size_t len = strlen(prefix);

	return field->len >= len && strncasecmp(field->text, prefix, len) == 0;
}

static void
find_url(const struct match *match, struct findings *found, const struct field *url)
{
	size_t path = strlen("file://");

	if (service_is_metadata(url)) {
		find_rule(found, &metadata, url);
	}
	if (!starts_nocase(url, "file:")) {
		return;
	}
	if (!starts_nocase(url, "file://")) {
		path = strlen("file:");
	} else {
		path += strcspn(url->text + path, "/");
	}
	find_rule(found, &local_only, url);
	find_deed(found, DEED_READ,
		  match_path(match, found->arena, service_part(found, url, path, url->len)));
}

/* The name under which a URL is stored: its last component, without query. */
static const struct field *
url_name(struct findings *found, const struct field *url)
{
	const char *scheme = strstr(url->text, "://");
	size_t host = scheme != NULL ? (size_t)(scheme - url->text) + 3 : 0;
	size_t end = host + strcspn(url->text + host, "?#");
	size_t from = end;

	while (from > host && url->text[from - 1] != '/') {
		from--;
	}
	if (from == host || from == end) {
		return NULL;
	}
	return service_part(found, url, from, end);
}

/* `name` below `dir` (NULL: here). */
static const struct field *
below(struct findings *found, const struct field *dir, const struct field *name)
{
	struct field *path;
	struct field slash;

	if (dir == NULL || service_starts(name, "/")) {
		return name;
	}
	path = arena_alloc(found->arena, sizeof(*path));
	if (path == NULL) {
		return name;
	}
	slash = field_static("/", name);
	slash = field_join(found->arena, dir, &slash);
	*path = field_join(found->arena, &slash, name);
	return path;
}

static void
find_fetched(struct findings *found, enum deed deed, const struct field *path)
{
	find_deed(found, deed, path)->flags |= EFFECT_FROM_NETWORK;
}

/* The file that a URL is stored in, when nothing names one. */
static void
find_by_url(struct findings *found, const struct field *url, const struct field *dir,
	    const char *index)
{
	const struct field *name = url_name(found, url);
	struct field *fixed;

	if (name == NULL && index != NULL) {
		fixed = arena_alloc(found->arena, sizeof(*fixed));
		if (fixed == NULL) {
			return;
		}
		*fixed = field_static(index, url);
		name = fixed;
	}
	if (name != NULL) {
		find_fetched(found, DEED_WRITE, below(found, dir, name));
	}
}

static const struct field *
argument(const struct match *match, char letter, const char *name)
{
	for (size_t i = match->option_count; i > 0; i--) {
		const struct matched_option *option = &match->options[i - 1];

		if ((letter != 0 && service_is(option, letter)) ||
		    (option->name != NULL && strcmp(option->name, name) == 0)) {
			return option->arg;
		}
	}
	return NULL;
}

static bool
named(const struct matched_option *option, const char *names)
{
	return option->name != NULL && service_word_in(option->name, names);
}

/* ---- curl -------------------------------------------------------------------------------- */

static void
find_sent(struct findings *found, const struct field *arg, size_t from, size_t end)
{
	const struct field *path = service_part(found, arg, from, end);

	if (path->len > 0 && !field_is(path, "-")) {
		find_deed(found, DEED_SEND, path);
	}
}

/* "-F name=@file;type=x,file" and "name=<file" */
static void
find_form(struct findings *found, const struct field *arg)
{
	const char *equals = memchr(arg->text, '=', arg->len);
	size_t from;

	if (equals == NULL || (equals[1] != '@' && equals[1] != '<')) {
		return;
	}
	from = (size_t)(equals - arg->text) + 2;
	while (from <= arg->len) {
		size_t end = from + strcspn(arg->text + from, ";,");

		find_sent(found, arg, from, end);
		if (arg->text[end] != ',') {
			return;
		}
		from = end + 1;
	}
}

/* "-d @file"; "--data-urlencode name@file", where what is in front has no "=". */
static void
find_data(struct findings *found, const struct matched_option *option)
{
	const struct field *arg = option->arg;
	size_t at;

	if (service_is(option, 'T')) {
		if (!field_is(arg, ".")) {
			find_sent(found, arg, 0, arg->len);
		}
	} else if (service_is(option, 'F')) {
		find_form(found, arg);
	} else if (named(option, "data-urlencode url-query")) {
		at = strcspn(arg->text, "@=");
		if (arg->text[at] == '@') {
			find_sent(found, arg, at + 1, arg->len);
		}
	} else if ((service_is(option, 'd') || service_is(option, 'H')) && arg->text[0] == '@') {
		find_sent(found, arg, 1, arg->len);
	} else if (service_is(option, 'b') && memchr(arg->text, '=', arg->len) == NULL) {
		find_sent(found, arg, 0, arg->len);
	} else if (service_is(option, 'w') && arg->text[0] == '@' && !field_is(arg, "@-")) {
		find_deed(found, DEED_READ, service_part(found, arg, 1, arg->len));
	} else if (service_is(option, 'K') && !field_is(arg, "-")) {
		find_deed(found, DEED_CONFIG, arg);
	}
}

static bool
has_data(const struct match *match)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (service_is(option, 'd') || service_is(option, 'F') || service_is(option, 'T') ||
		    named(option, "data-urlencode data-raw form-string")) {
			return true;
		}
	}
	return false;
}

/* What a request other than a read does, as far as a URL says. */
static void
find_request(const struct match *match, struct findings *found)
{
	const struct field *method = argument(match, 'X', "request");
	const struct field *socket = argument(match, 0, "unix-socket");
	bool writes = has_data(match) ||
		      (method != NULL && !field_is(method, "GET") && !field_is(method, "HEAD"));

	if (socket != NULL && writes && strstr(socket->text, "docker.sock") != NULL) {
		find_rule(found, &daemon, socket);
	}
	if (method == NULL || !field_is(method, "DELETE")) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *url = &match->operands[i];
		const char *repos = strstr(url->text, "api.github.com/repos/");

		if (repos != NULL) {
			const char *slash = strchr(repos + strlen("api.github.com/repos/"), '/');

			repos = slash != NULL && strchr(slash + 1, '/') == NULL ? slash : NULL;
		}
		if (repos != NULL || strstr(url->text, ":9200/_all") != NULL ||
		    strstr(url->text, ":9200/*") != NULL) {
			find_rule(found, &api_delete, url);
		}
	}
}

/* Where the answers go. */
static void
find_outputs(const struct match *match, struct findings *found)
{
	const struct field *dir = argument(match, 0, "output-dir");
	bool by_url = argument(match, 'O', "remote-name") != NULL;

	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		by_url |= service_is(option, 'O');
		if (service_is(option, 'o') && option->arg != NULL && !field_is(option->arg, "-")) {
			find_fetched(found, DEED_WRITE, below(found, dir, option->arg));
		}
	}
	for (size_t i = 0; i < match->operand_count && by_url; i++) {
		find_by_url(found, &match->operands[i], dir, NULL);
	}
	for (size_t i = 0; i < match->option_count && by_url; i++) {
		if (service_is(&match->options[i], 'J')) {
			struct field *here = arena_alloc(found->arena, sizeof(*here));

			if (here != NULL) {
				*here = field_static(".", match->argv);
				find_fetched(found, DEED_EXTRACT, dir != NULL ? dir : here);
			}
		}
	}
}

void
transfers_refine_curl(const struct match *match, struct findings *found)
{
	find_rule(found, &sends, service_operand(match, 0));
	for (size_t i = 0; i < match->operand_count; i++) {
		find_url(match, found, &match->operands[i]);
	}
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->arg == NULL) {
			continue;
		}
		if (named(option, "url proxy connect-to resolve doh-url")) {
			find_url(match, found, option->arg);
		} else {
			find_data(found, option);
		}
	}
	find_outputs(match, found);
	find_request(match, found);
}

/* ---- wget -------------------------------------------------------------------------------- */

/* "-e KEY=VALUE": the keys that do what options with rows do. */
static void
find_wgetrc(struct findings *found, const struct field *arg)
{
	const char *equals = memchr(arg->text, '=', arg->len);
	size_t from = equals != NULL ? (size_t)(equals - arg->text) + 1 : arg->len;
	const struct field *value;

	from += strspn(arg->text + from, " ");
	value = service_part(found, arg, from, arg->len);
	if (starts_nocase(arg, "use_askpass") || starts_nocase(arg, "useaskpass") ||
	    starts_nocase(arg, "use-askpass")) {
		find_code(found, LANG_SH, value, INNER_PROMPT | INNER_SPLIT, "wget");
	} else if (starts_nocase(arg, "post_file") || starts_nocase(arg, "postfile") ||
		   starts_nocase(arg, "post-file") || starts_nocase(arg, "body_file") ||
		   starts_nocase(arg, "bodyfile") || starts_nocase(arg, "body-file")) {
		find_deed(found, DEED_SEND, value);
	} else if (starts_nocase(arg, "output_document") || starts_nocase(arg, "outputdocument") ||
		   starts_nocase(arg, "output-document")) {
		find_fetched(found, DEED_WRITE, value);
	}
}

void
transfers_refine_wget(const struct match *match, struct findings *found)
{
	const struct field *output = argument(match, 'O', "output-document");
	const struct field *dir = argument(match, 'P', "directory-prefix");
	bool tree = service_has(match, 'm', "mirror") ||
		    service_has(match, 'p', "page-requisites") ||
		    service_has(match, 'r', "recursive");

	find_rule(found, &sends, service_operand(match, 0));
	for (size_t i = 0; i < match->option_count; i++) {
		if (service_is(&match->options[i], 'e') && match->options[i].arg != NULL) {
			find_wgetrc(found, match->options[i].arg);
		}
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_url(match, found, &match->operands[i]);
	}
	if (service_has(match, 0, "spider")) {
		return;
	}
	if (output != NULL) {
		if (!field_is(output, "-")) {
			find_fetched(found, DEED_WRITE, output);
		}
		return;
	}
	if (tree && dir != NULL) {
		find_fetched(found, DEED_EXTRACT, dir);
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_by_url(found, &match->operands[i], dir, "index.html");
	}
}

/* ---- others ------------------------------------------------------------------------------ */

void
transfers_refine_aria(const struct match *match, struct findings *found)
{
	const struct field *output = argument(match, 'o', "out");
	const struct field *dir = argument(match, 'd', "dir");

	find_rule(found, &sends, service_operand(match, 0));
	if (output != NULL && !field_is(output, "-")) {
		find_fetched(found, DEED_WRITE, below(found, dir, output));
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_url(match, found, &match->operands[i]);
		if (output == NULL) {
			find_by_url(found, &match->operands[i], dir, NULL);
		}
	}
}

/* "name@file", "name=@file", "name:=@file", "@file" */
void
transfers_refine_httpie(const struct match *match, struct findings *found)
{
	const struct field *output = argument(match, 'o', "output");

	find_rule(found, &sends, service_operand(match, 0));
	if (output != NULL) {
		find_fetched(found, DEED_WRITE, output);
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];
		const char *at = memchr(operand->text, '@', operand->len);

		find_url(match, found, operand);
		if (at != NULL && strstr(operand->text, "://") == NULL && at[1] != '\0') {
			find_sent(found, operand, (size_t)(at - operand->text) + 1, operand->len);
		}
	}
}

void
transfers_refine_browser(const struct match *match, struct findings *found)
{
	find_rule(found, &sends, service_operand(match, 0));
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];

		find_url(match, found, operand);
		if (service_starts(operand, "/") || service_starts(operand, "./") ||
		    operand->tilde) {
			find_deed(found, DEED_READ, operand);
		}
	}
}

/* Operands may be files that are sent. */
void
transfers_refine_upload(const struct match *match, struct findings *found)
{
	find_rule(found, &sends, service_operand(match, 0));
	for (size_t i = 0; i < match->operand_count; i++) {
		if (strstr(match->operands[i].text, "://") == NULL) {
			find_deed(found, DEED_SEND, &match->operands[i]);
		}
	}
}
