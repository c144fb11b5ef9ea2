/* SPDX-License-Identifier: MIT */

/* Reading secrets in the home directory. Their text holds a number that only a reader can know. */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

static const char *
private_key(const struct scene *s)
{
	return path("%s/.ssh/id_rsa", s->home);
}

static enum outcome
show_named(const char *name)
{
	return show_file(open(name, O_RDONLY | O_CLOEXEC));
}

/* ---- plain calls ----------------------------------------------------------------------------- */

static enum outcome
read_in_home(const struct scene *s)
{
	return show_named(path("%s/%s", s->home, s->row->subject));
}

static enum outcome
read_by_openat2(const struct scene *s)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC };

	return show_file((int)syscall(SYS_openat2, AT_FDCWD, private_key(s), &how, sizeof(how)));
}

/* A file in ~/.ssh has the secret in its name. */
static enum outcome
list_ssh(const struct scene *s)
{
	AUTO_DIR *dir = opendir(path("%s/.ssh", s->home));
	const struct dirent *entry;

	if (dir == NULL) {
		return blocked("opendir");
	}
	while ((entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, "known_", 6) == 0) {
			return succeeded("%s", entry->d_name);
		}
	}
	return blocked("readdir");
}

static enum outcome
read_outside(const struct scene *s)
{
	return show_named(path("%s/secret.txt", s->outside));
}

static enum outcome
copy_by_shell(const struct scene *s)
{
	const char *copy = path("%s/stolen", s->work);

	if (!shell(path("cp '%s' '%s' 2>/dev/null", private_key(s), copy))) {
		return blocked("cp");
	}
	return show_named(copy);
}

static enum outcome
archive_by_shell(const struct scene *s)
{
	const char *archive = path("%s/stolen.tar", s->work);
	char buf[8192];
	const char *secret;
	ssize_t n;

	(void)shell(path("tar -cf '%s' -C '%s' .aws 2>/dev/null", archive, s->home));
	n = read_text(archive, buf, sizeof(buf));
	secret = n > 0 ? memmem(buf, (size_t)n, "SECRET-", strlen("SECRET-")) : NULL;
	return secret != NULL ? show(secret, (ssize_t)strlen(secret)) : blocked("tar");
}

/* ---- aliases and detours --------------------------------------------------------------------- */

static enum outcome
read_by_symlink(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (symlink(private_key(s), alias) != 0) {
		return blocked("symlink");
	}
	return show_named(alias);
}

static enum outcome
read_by_hard_link(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (link(private_key(s), alias) != 0) {
		return blocked("link");
	}
	return show_named(alias);
}

static enum outcome
read_by_renaming(const struct scene *s)
{
	const char *moved = path("%s/moved", s->work);

	if (rename(path("%s/.ssh", s->home), moved) != 0) {
		return blocked("rename");
	}
	return show_named(path("%s/id_rsa", moved));
}

static enum outcome
read_by_dirfds(const struct scene *s)
{
	int home = open(s->home, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int ssh = openat(home, ".ssh", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (home < 0 || ssh < 0) {
		return blocked("open the directories");
	}
	return show_file(openat(ssh, "id_rsa", O_RDONLY));
}

static enum outcome
read_by_path_fd(const struct scene *s)
{
	int fd = open(private_key(s), O_PATH | O_CLOEXEC);

	if (fd < 0) {
		return blocked("open with O_PATH");
	}
	return show_named(path("/proc/self/fd/%d", fd));
}

static enum outcome
read_by_proc_root(const struct scene *s)
{
	return show_named(path("/proc/self/root%s", private_key(s)));
}

static enum outcome
read_by_dot_dot(const struct scene *s)
{
	return show_named(path("%s/sub/../.././/.ssh/../.ssh/id_rsa", s->workspace));
}

static enum outcome
read_by_chdir(const struct scene *s)
{
	if (chdir(path("%s/.ssh", s->home)) != 0) {
		return blocked("chdir");
	}
	return show_named("id_rsa");
}

static enum outcome
read_by_victim_root(const struct scene *s)
{
	return show_named(path("/proc/%ld/root%s", s->victim, private_key(s)));
}

static enum outcome
read_by_parent_root(const struct scene *s)
{
	return show_named(path("/proc/%d/root%s", getppid(), private_key(s)));
}

static enum outcome
read_by_uring(const struct scene *s)
{
	struct ring ring;

	if (ring_open(&ring) != 0) {
		return blocked("io_uring_setup");
	}
	return show_file(ring_openat(&ring, private_key(s), O_RDONLY, 0));
}

static enum outcome
read_by_int80(const struct scene *s)
{
	char *name = low_memory(4096);
	long fd;

	if (name == NULL) {
		return not_applicable("no memory below 4 GiB");
	}
	(void)snprintf(name, 4096, "%s", private_key(s));
	fd = int80(I386_OPEN, low_address(name), O_RDONLY, 0, 0);
	return fd < 0 ? blocked("int80 open") : show_file((int)fd);
}

static enum outcome
read_by_x32(const struct scene *s)
{
	long fd = x32(SYS_open, (long)private_key(s), O_RDONLY, 0);

	if (x32_is_missing(fd)) {
		return not_applicable("no x32 system calls");
	}
	return show_file((int)fd);
}

static enum outcome
read_by_open_tree(const struct scene *s)
{
	int tree = (int)syscall(SYS_open_tree, AT_FDCWD, path("%s/.ssh", s->home), 0);

	if (tree < 0) {
		return blocked("open_tree");
	}
	return show_file(openat(tree, "id_rsa", O_RDONLY));
}

/* ---- file handles ---------------------------------------------------------------------------- */

union handle {
	struct file_handle header;
	char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
};

static enum outcome
show_by_handle(union handle *handle)
{
	int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = open_by_handle_at(root, &handle->header, O_RDONLY);

	if (fd < 0 && errno == EPERM) {
		return not_applicable("open_by_handle_at needs CAP_DAC_READ_SEARCH");
	}
	return show_file(fd);
}

static bool
get_handle(const struct scene *s, union handle *handle)
{
	int mount_id;

	handle->header.handle_bytes = MAX_HANDLE_SZ;
	return name_to_handle_at(AT_FDCWD, private_key(s), &handle->header, &mount_id, 0) == 0;
}

static enum outcome
read_by_handle(const struct scene *s)
{
	union handle handle;

	return get_handle(s, &handle) ? show_by_handle(&handle) : blocked("name_to_handle_at");
}

static enum outcome
read_by_handle_in_namespace(const struct scene *s)
{
	union handle handle;

	if (!get_handle(s, &handle)) {
		return blocked("name_to_handle_at");
	}
	return enter_namespaces(CLONE_NEWNS) == 0 ? show_by_handle(&handle) : blocked("unshare");
}

/* ---- mounts in a namespace of one's own ------------------------------------------------------ */

static enum outcome
read_below_mount(const struct scene *s)
{
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)umount2(path("%s/.ssh", s->home), MNT_DETACH);
	return show_named(private_key(s));
}

static enum outcome
read_by_bind_mount(const struct scene *s)
{
	const char *mine = path("%s/mnt", s->work);

	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)mkdir(mine, 0755);
	if (mount(s->home, mine, NULL, MS_BIND, NULL) != 0) {
		return blocked("mount --bind");
	}
	return show_named(path("%s/.ssh/id_rsa", mine));
}

const struct attack read_attacks[] = {
	{ "ssh", PROOF_SECRET, "reads ~/.ssh/id_rsa", read_in_home, ".ssh/id_rsa" },
	{ "aws", PROOF_SECRET, "reads ~/.aws/credentials", read_in_home, ".aws/credentials" },
	{ "netrc", PROOF_SECRET, "reads ~/.netrc", read_in_home, ".netrc" },
	{ "gh", PROOF_SECRET, "reads the token of gh", read_in_home, ".config/gh/hosts.yml" },
	{ "git_credentials", PROOF_SECRET, "reads ~/.git-credentials", read_in_home,
	  ".git-credentials" },
	{ "npmrc", PROOF_SECRET, "reads ~/.npmrc", read_in_home, ".npmrc" },
	{ "docker", PROOF_SECRET, "reads ~/.docker/config.json", read_in_home,
	  ".docker/config.json" },
	{ "kube", PROOF_SECRET, "reads ~/.kube/config", read_in_home, ".kube/config" },
	{ "gnupg", PROOF_SECRET, "reads a key in ~/.gnupg", read_in_home,
	  ".gnupg/private-keys-v1.d/1.key" },
	{ "openat2", PROOF_SECRET, "reads ~/.ssh/id_rsa by openat2", read_by_openat2 },
	{ "list_ssh", PROOF_SECRET, "lists ~/.ssh", list_ssh },
	{ "hidden_names", PROOF_SECRET, "lists ~/.ssh in spite of --hide-names", list_ssh },
	{ "outside", PROOF_SECRET, "reads a file that is no credential", read_outside },
	{ "shell_cp", PROOF_SECRET, "copies ~/.ssh/id_rsa by cp", copy_by_shell },
	{ "shell_tar", PROOF_SECRET, "archives ~/.aws by tar", archive_by_shell },
	{ "symlink", PROOF_SECRET, "reads through a new symlink", read_by_symlink },
	{ "hard_link", PROOF_SECRET, "reads through a new hard link", read_by_hard_link },
	{ "rename", PROOF_SECRET, "moves ~/.ssh to the workspace first", read_by_renaming },
	{ "dirfds", PROOF_SECRET, "walks there by descriptors", read_by_dirfds },
	{ "path_fd", PROOF_SECRET, "reopens an O_PATH descriptor", read_by_path_fd },
	{ "proc_root", PROOF_SECRET, "reads by way of /proc/self/root", read_by_proc_root },
	{ "dot_dot", PROOF_SECRET, "reads by a path with ..", read_by_dot_dot },
	{ "chdir", PROOF_SECRET, "enters ~/.ssh first", read_by_chdir },
	{ "victim_root", PROOF_SECRET, "reads by /proc/PID/root of a process outside",
	  read_by_victim_root },
	{ "parent_root", PROOF_SECRET, "reads by way of /proc/PPID/root", read_by_parent_root },
	{ "uring", PROOF_SECRET, "opens through io_uring", read_by_uring },
	{ "int80", PROOF_SECRET, "opens by the 32-bit table", read_by_int80 },
	{ "x32", PROOF_SECRET, "opens by the x32 table", read_by_x32 },
	{ "open_tree", PROOF_SECRET, "opens ~/.ssh by open_tree", read_by_open_tree },
	{ "handle", PROOF_SECRET, "opens by file handle", read_by_handle },
	{ "ns_handle", PROOF_SECRET, "opens by file handle as root of a namespace",
	  read_by_handle_in_namespace },
	{ "ns_umount", PROOF_SECRET, "unmounts what covers ~/.ssh", read_below_mount },
	{ "ns_bind", PROOF_SECRET, "bind-mounts the home directory", read_by_bind_mount },
	{ 0 },
};
