/* SPDX-License-Identifier: MIT */
#include "sandbox/tree.h"

#include "base/attr.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

/* Reads a small file of /proc whole. Its length, or -1. */
static ssize_t
slurp(const char *path, char *buf, size_t size)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t have = 0;

	if (fd < 0) {
		return -1;
	}
	while (have + 1 < size) {
		ssize_t n = read(fd, buf + have, size - 1 - have);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			break;
		}
		have += (size_t)n;
	}
	buf[have] = '\0';
	return (ssize_t)have;
}

static bool
contains(const struct tree *tree, pid_t pid)
{
	for (size_t i = 0; tree != NULL && i < tree->count; i++) {
		if (tree->pids[i] == pid) {
			return true;
		}
	}
	return false;
}

static void
add_children_of_task(pid_t pid, const char *tid, const struct tree *known, size_t most,
		     struct tree *out)
{
	char path[96];
	char text[16384];
	char *at = text;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%s/children", pid, tid);
	if (slurp(path, text, sizeof(text)) <= 0) {
		return;
	}
	while (out->count < most) {
		char *end;
		long child = strtol(at, &end, 10);

		if (end == at) {
			return;
		}
		at = end;
		if (!contains(known, (pid_t)child)) {
			out->pids[out->count++] = (pid_t)child;
		}
	}
}

static void
add_children(pid_t pid, const struct tree *known, size_t most, struct tree *out)
{
	char path[48];
	AUTO_DIR *dir = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (dir == NULL) {
		return;
	}
	for (struct dirent *entry; out->count < most && (entry = readdir(dir)) != NULL;) {
		if (entry->d_name[0] != '.') {
			add_children_of_task(pid, entry->d_name, known, most, out);
		}
	}
}

void
tree_collect(pid_t root, const struct tree *known, size_t most, struct tree *out)
{
	most = most < TREE_PIDS_MAX ? most : TREE_PIDS_MAX;
	out->count = 0;
	add_children(root, known, most, out);
	for (size_t i = 0; i < out->count && out->count < most; i++) {
		add_children(out->pids[i], NULL, most, out);
	}
}

bool
tree_only_child(pid_t pid)
{
	char text[64];
	char *end = text;

	return slurp("/proc/thread-self/children", text, sizeof(text)) > 0 &&
	       strtol(text, &end, 10) == pid && end[strspn(end, " ")] == '\0';
}

bool
tree_supported(void)
{
	return access("/proc/thread-self/children", R_OK) == 0;
}

/* ---- measuring --------------------------------------------------------------------------- */

/* The nth field (from 1, as proc_pid_stat(5) counts) behind the name in parentheses. */
static uint64_t
stat_field(const char *text, int nth)
{
	const char *at = strrchr(text, ')');

	for (int field = 2; at != NULL && field < nth; field++) {
		at = strchr(at + 1, ' ');
	}
	return at != NULL ? strtoull(at, NULL, 10) : 0;
}

static uint64_t
line_value(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at != NULL ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static uint64_t
read_value(pid_t pid, const char *file, const char *name)
{
	char path[48];
	char text[2048];

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	return slurp(path, text, sizeof(text)) > 0 ? line_value(text, name) : 0;
}

static void
measure_one(pid_t pid, bool self, struct tree_usage *out)
{
	char path[48];
	char text[1024];
	uint64_t ticks;
	uint64_t tick_ms = 1000 / (uint64_t)sysconf(_SC_CLK_TCK);

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (slurp(path, text, sizeof(text)) <= 0) {
		return;
	}
	ticks = stat_field(text, 16) + stat_field(text, 17);
	if (!self) {
		ticks += stat_field(text, 14) + stat_field(text, 15);
		out->tasks += stat_field(text, 20);
		out->memory_kib += stat_field(text, 24) * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	}
	out->cpu_ms += ticks * tick_ms;
	out->written_bytes += read_value(pid, "io", "\nwrite_bytes: ");
}

static uint64_t
proportional_kib(const struct tree *tree)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < tree->count; i++) {
		sum += read_value(tree->pids[i], "smaps_rollup", "\nPss:");
	}
	return sum;
}

void
tree_measure(pid_t root, const struct tree *known, const struct tree_bounds *bounds,
	     struct tree_usage *out)
{
	size_t most = bounds->tasks > 0 && bounds->tasks < TREE_PIDS_MAX ? bounds->tasks + 1
									 : TREE_PIDS_MAX;
	struct tree tree;

	*out = (struct tree_usage){ 0 };
	tree_collect(root, known, most, &tree);
	if (bounds->tasks > 0 && tree.count > bounds->tasks) {
		out->tasks = tree.count;
		return;
	}
	measure_one(root, true, out);
	for (size_t i = 0; i < tree.count; i++) {
		measure_one(tree.pids[i], false, out);
	}
	if (bounds->memory_kib > 0 && out->memory_kib > bounds->memory_kib) {
		out->memory_kib = proportional_kib(&tree);
	}
}
