/* SPDX-License-Identifier: MIT */

/*
 * What a container gets of its host, what runs inside of it, and what of the data is deleted.
 *
 * Invariant: a command inside of a container is judged as one on another machine: it never makes
 * the whole harmless.
 */

#include "command/models/containers_impl.h"

RULE(starts, "container.run", PROMPT, SYSTEM, "starts a container");
RULE(enters, "container.exec", PROMPT, EXECUTES, "runs a command inside of a container");
RULE(privileged, "container.privileged", FORBIDDEN, PRIVILEGE,
     "gives a container all rights on this machine");
RULE(host_mount, "container.host-mount", FORBIDDEN, PRIVILEGE,
     "gives a container the file system of this machine");
RULE(socket_mount, "container.daemon-socket", FORBIDDEN, PRIVILEGE,
     "gives a container the daemon, and with it this machine");
RULE(removes, "container.remove", PROMPT, DELETES, "removes containers, images or networks");
RULE(removes_all, "container.remove-all", FORBIDDEN, DELETES,
     "removes containers that are not named, whether they run or not");
RULE(prunes, "container.prune", PROMPT, DELETES, "removes what no container uses");
RULE(prunes_volumes, "container.prune-volumes", FORBIDDEN, DELETES,
     "deletes every volume that no container uses, with the data in it");
RULE(volume_deletes, "container.volume-delete", FORBIDDEN, DELETES,
     "deletes volumes with the data in them");
RULE(down, "container.down", PROMPT, SYSTEM, "stops and removes the containers of a project");
RULE(down_volumes, "container.down-volumes", FORBIDDEN, DELETES,
     "deletes the volumes of a project with the data in them");
RULE(remote_daemon, "container.remote-daemon", PROMPT, NETWORK,
     "talks to a daemon on another machine");
RULE(copies, "container.copy", PROMPT, WRITES, "copies files into or out of a container");

/* ---- what a container gets of the host --------------------------------------------------- */

static const char host_dirs[] =
	"/ /etc /root /home /boot /usr /lib /lib64 /bin /sbin /var /opt /dev "
	"/proc /sys /run /var/run /var/lib /var/lib/docker /host /Users "
	"/private /System";
static const char read_only_dirs[] = "/proc /sys /dev /etc /usr /lib /lib64 /bin /opt";

static const char *const disks[] = { "/dev/sd",	 "/dev/nvme", "/dev/vd",   "/dev/xvd",
				     "/dev/hd",	 "/dev/mem",  "/dev/disk", "/dev/mapper",
				     "/dev/dm-", "/dev/kmem", "/dev/loop" };

static bool
names_socket(const char *text)
{
	return strstr(text, "docker.sock") != NULL || strstr(text, "containerd.sock") != NULL ||
	       strstr(text, "podman.sock") != NULL || strstr(text, "crio.sock") != NULL;
}

/* The source of a mount, `len` bytes of `arg` from `from` on. */
static void
find_mount(struct findings *found, const struct field *arg, size_t from, size_t len, bool read_only)
{
	struct field *source = arena_alloc(found->arena, sizeof(*source));
	char *text;

	if (source == NULL) {
		return;
	}
	*source = len == arg->len - from ? field_tail(found->arena, arg, from)
					 : field_literal(found->arena, arg->text + from, len, arg);
	while (source->len > 1 && source->text[source->len - 1] == '/' &&
	       field_is_literal(source)) {
		text = arena_strndup(found->arena, source->text, source->len - 1);
		if (text == NULL) {
			return;
		}
		*source = field_static(text, arg);
	}
	if (names_socket(source->text)) {
		find_rule(found, &socket_mount, arg);
	} else if (service_word_in(source->text, host_dirs) &&
		   !(read_only && service_word_in(source->text, read_only_dirs))) {
		find_rule(found, &host_mount, arg);
	} else if (source->text[0] == '/' || source->text[0] == '.' || source->text[0] == '~') {
		source->tilde = arg->tilde && from == 0;
		find_deed(found, DEED_READ, source);
	}
}

/* "-v SOURCE:TARGET:ro" */
static void
find_volume(struct findings *found, const struct field *arg)
{
	size_t len = 0;

	while (len < arg->len && arg->text[len] != ':') {
		len++;
	}
	if (len < arg->len || arg->kind == BAILEY_WORD_DYNAMIC) {
		find_mount(found, arg, 0, len,
			   arg->len > 3 && strcmp(arg->text + arg->len - 3, ":ro") == 0);
	}
}

/* "--mount type=bind,source=SOURCE,target=TARGET,readonly" */
static void
find_bind(struct findings *found, const struct field *arg)
{
	static const char *const keys[] = { "source=", "src=" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *at = strstr(arg->text, keys[i]);

		if (at != NULL) {
			at += strlen(keys[i]);
			find_mount(found, arg, (size_t)(at - arg->text), strcspn(at, ","),
				   strstr(arg->text, "readonly") != NULL ||
					   strstr(arg->text, ",ro") != NULL);
		}
	}
}

static void
find_device(struct findings *found, const struct field *arg)
{
	for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
		if (service_starts(arg, disks[i])) {
			find_rule(found, &privileged, arg);
			return;
		}
	}
}

static bool
is_option(const struct matched_option *option, char letter, const char *name)
{
	return (letter != 0 && option->letter == letter) ||
	       (name != NULL && option->name != NULL && strcmp(option->name, name) == 0);
}

static void
find_host_parts(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		const struct field *arg = option->arg;

		if (is_option(option, 0, "privileged") &&
		    (arg == NULL || !field_is(arg, "false"))) {
			find_rule(found, &privileged, option->word);
		} else if (arg == NULL) {
			continue;
		} else if (is_option(option, 'v', "volume")) {
			find_volume(found, arg);
		} else if (is_option(option, 0, "mount")) {
			find_bind(found, arg);
		} else if (is_option(option, 0, "device")) {
			find_device(found, arg);
		} else if (is_option(option, 0, "cap-add") &&
			   service_word_in(arg->text, "ALL all SYS_ADMIN CAP_SYS_ADMIN SYS_MODULE "
						      "CAP_SYS_MODULE SYS_RAWIO DAC_READ_SEARCH")) {
			find_rule(found, &privileged, arg);
		}
	}
}

/* ---- commands inside --------------------------------------------------------------------- */

/* "run IMAGE CMD ARGS": with --entrypoint, that comes first. */
void
containers_refine_run(const struct match *match, struct findings *found)
{
	const struct matched_option *entry = match_option(match, 0, "entrypoint");
	struct field *argv;

	service_find(match, found, &starts);
	find_host_parts(match, found);
	if (entry == NULL || entry->arg == NULL) {
		service_inner(match, found, 1, INNER_REMOTE | INNER_PROMPT, "container");
		return;
	}
	argv = arena_array(found->arena, match->operand_count + 1, sizeof(*argv));
	if (argv == NULL) {
		return;
	}
	argv[0] = *entry->arg;
	if (match->operand_count > 1) {
		memcpy(argv + 1, match->operands + 1, (match->operand_count - 1) * sizeof(*argv));
	}
	find_argv(found, argv, match->operand_count > 0 ? match->operand_count : 1,
		  INNER_REMOTE | INNER_PROMPT, "container");
}

void
containers_refine_exec(const struct match *match, struct findings *found)
{
	service_find(match, found, &enters);
	service_inner(match, found, 1, INNER_REMOTE | INNER_PROMPT, "container");
}

void
containers_refine_compose_run(const struct match *match, struct findings *found)
{
	service_find(match, found, &starts);
	find_host_parts(match, found);
	service_inner(match, found, 1, INNER_REMOTE | INNER_PROMPT, "container");
}

/* "lxc exec NAME -- CMD" */
void
containers_refine_lxc_exec(const struct match *match, struct findings *found)
{
	size_t at = match->operand_count > 1 && field_is(&match->operands[1], "--") ? 2 : 1;

	service_find(match, found, &enters);
	service_inner(match, found, at, INNER_REMOTE | INNER_PROMPT, "container");
}

/* "vagrant ssh -c TEXT" */
void
containers_refine_ssh(const struct match *match, struct findings *found)
{
	const struct matched_option *command = match_option(match, 'c', "command");

	service_find(match, found, &enters);
	if (command != NULL && command->arg != NULL) {
		find_code(found, LANG_SH, command->arg, INNER_REMOTE | INNER_PROMPT, "container");
	}
}

/* ---- files ------------------------------------------------------------------------------- */

/* "cp SOURCE CONTAINER:TARGET", and the other way round. */
void
containers_refine_copy(const struct match *match, struct findings *found)
{
	service_find(match, found, &copies);
	for (size_t i = 0; i < match->operand_count && i < 2; i++) {
		const struct field *path = &match->operands[i];

		if (memchr(path->text, ':', path->len) == NULL && !field_is(path, "-")) {
			find_deed(found, i == 0 ? DEED_SEND : service_copy_deed(path), path);
		}
	}
}

/* ---- removals ---------------------------------------------------------------------------- */

static bool
forced(const struct match *match)
{
	return service_has(match, 'f', "force") || service_has(match, 'y', "yes");
}

void
containers_refine_remove(const struct match *match, struct findings *found)
{
	bool all = service_has(match, 'a', "all") || service_many_operands(match);

	service_find(match, found, all && forced(match) ? &removes_all : &removes);
}

void
containers_refine_prune(const struct match *match, struct findings *found)
{
	service_find(match, found,
		     service_has(match, 0, "volumes") && forced(match) ? &prunes_volumes : &prunes);
}

/* volume rm */
void
containers_refine_volume(const struct match *match, struct findings *found)
{
	bool named = match->operand_count > 0 || service_has(match, 'a', "all");

	service_find(match, found, named ? &volume_deletes : &removes);
}

/* volume prune: without --force it asks, and gets no answer. */
void
containers_refine_volume_prune(const struct match *match, struct findings *found)
{
	service_find(match, found, forced(match) ? &prunes_volumes : &prunes);
}

void
containers_refine_down(const struct match *match, struct findings *found)
{
	service_find(match, found, service_has(match, 'v', "volumes") ? &down_volumes : &down);
}

/* ---- the daemon -------------------------------------------------------------------------- */

/* Runs for every command: a reader is harmless on the daemon of this machine only. */
void
containers_refine_host(const struct match *match, struct findings *found)
{
	const struct matched_option *host = match_option(match, 'H', "host");

	if (host != NULL && host->arg != NULL && !service_starts(host->arg, "unix://")) {
		found->flags |= FIND_NETWORK;
		find_rule(found, &remote_daemon, host->arg);
	} else if (service_has(match, 0, "connection") || service_has(match, 0, "url") ||
		   service_has(match, 'c', "context")) {
		found->flags |= FIND_NETWORK;
		find_rule(found, &remote_daemon, NULL);
	}
}

/* Files of compose may lie anywhere: "-f https://host/x.git". */
void
containers_refine_files(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (service_is(option, 'f') && option->arg != NULL &&
		    strstr(option->arg->text, ":") != NULL) {
			found->flags |= FIND_NETWORK;
			find_rule(found, &remote_daemon, option->arg);
		}
	}
}

/* "lxc list remote:" asks another machine. */
void
containers_refine_lxc(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (memchr(match->operands[i].text, ':', match->operands[i].len) != NULL) {
			found->flags |= FIND_NETWORK;
			find_rule(found, &remote_daemon, &match->operands[i]);
		}
	}
}
