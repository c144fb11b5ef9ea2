/* SPDX-License-Identifier: MIT */

/* Learning that files and processes exist, and their size, without reading them. */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>

/* The size of the key is a number that only stat() can tell. */
static enum outcome
stat_private_key(const struct scene *s)
{
	struct stat st;

	if (stat(path("%s/.ssh/id_rsa", s->home), &st) != 0) {
		return blocked("stat");
	}
	return succeeded("size=%ld", (long)st.st_size);
}

static enum outcome
watch_ssh(const struct scene *s)
{
	int fd = inotify_init1(IN_CLOEXEC);

	if (fd < 0) {
		return blocked("inotify_init1");
	}
	return tried(inotify_add_watch(fd, path("%s/.ssh", s->home), IN_ALL_EVENTS),
		     "inotify_add_watch");
}

static bool
is_victim(const char *pid)
{
	char buf[300];

	return read_text(path("/proc/%s/cmdline", pid), buf, sizeof(buf)) > 0 &&
	       strstr(buf, "victim") != NULL;
}

static enum outcome
read_victim_command_line(const struct scene *s)
{
	return is_victim(path("%ld", s->victim)) ? succeeded("it is the victim")
						 : blocked("it is not the victim");
}

static enum outcome
list_processes(const struct scene *s)
{
	AUTO_DIR *dir = opendir("/proc");
	const struct dirent *entry;

	(void)s;
	if (dir == NULL) {
		return blocked("opendir");
	}
	while ((entry = readdir(dir)) != NULL) {
		if (strspn(entry->d_name, "0123456789") > 0 && is_victim(entry->d_name)) {
			return succeeded("the victim is process %s", entry->d_name);
		}
	}
	return blocked("the victim is not listed");
}

const struct attack readmeta_attacks[] = {
	{ "stat", PROOF_SECRET, "reads the size of ~/.ssh/id_rsa", stat_private_key },
	{ "inotify", PROOF_CALL, "watches ~/.ssh for changes", watch_ssh },
	{ "command_line", PROOF_CALL, "reads the command line of a process outside",
	  read_victim_command_line },
	{ "processes", PROOF_CALL, "finds a process outside in /proc", list_processes },
	{ "hidden_processes", PROOF_CALL, "does so in spite of --proc none", list_processes },
	{ 0 },
};
