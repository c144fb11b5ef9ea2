/* SPDX-License-Identifier: MIT */

/*
 * Namespaces, in which an ordinary user is root and reaches code of the kernel that was written for
 * root: mounts, packet filters, raw sockets.
 */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>

/* ---- ways in --------------------------------------------------------------------------------- */

static enum outcome
by_unshare(const struct scene *s)
{
	(void)s;
	return tried(unshare(CLONE_NEWUSER), "unshare");
}

static enum outcome
by_unshare_of(const struct scene *s)
{
	int flag = s->row->args[0];

	if (unshare(flag) == 0) {
		return succeeded("unshare");
	}
	return tried(unshare(flag | CLONE_NEWUSER), "unshare");
}

static enum outcome
by_clone(const struct scene *s)
{
	long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0);

	(void)s;
	if (child == 0) {
		_exit(0);
	}
	return tried(child, "clone");
}

static enum outcome
by_clone3(const struct scene *s)
{
	struct clone_args args = { .flags = CLONE_NEWUSER, .exit_signal = SIGCHLD };
	long child = syscall(SYS_clone3, &args, sizeof(args));

	(void)s;
	if (child == 0) {
		_exit(0);
	}
	return tried(child, "clone3");
}

static enum outcome
by_int80_unshare(const struct scene *s)
{
	(void)s;
	return tried(int80(I386_UNSHARE, CLONE_NEWUSER, 0, 0, 0), "int80 unshare");
}

static enum outcome
by_int80_clone(const struct scene *s)
{
	long child = int80(I386_CLONE, CLONE_NEWUSER | SIGCHLD, 0, 0, 0);

	(void)s;
	if (child == 0) {
		_exit(0);
	}
	return tried(child, "int80 clone");
}

static enum outcome
by_x32_unshare(const struct scene *s)
{
	long result = x32(SYS_unshare, CLONE_NEWUSER, 0, 0);

	(void)s;
	if (x32_is_missing(result)) {
		return not_applicable("no x32 system calls");
	}
	return tried(result, "x32 unshare");
}

/* The kernel takes the lower half of clone's flags, a filter may compare the whole. */
static enum outcome
by_clone_with_high_bits(const struct scene *s)
{
	const unsigned long garbage = 0xffffffff00000000UL;
	long child = syscall(SYS_clone, garbage | CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0);

	(void)s;
	if (child == 0) {
		_exit(0);
	}
	return tried(child, "clone");
}

static enum outcome
by_setns(const struct scene *s)
{
	int fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);

	(void)s;
	if (fd < 0) {
		return blocked("open");
	}
	if (setns(fd, CLONE_NEWNET) == 0) {
		return succeeded("setns");
	}
	/* Without privilege, re-entering one's own namespace needs a user namespace before. */
	return enter_namespaces(CLONE_NEWNET) == 0 ? succeeded("unshare") : blocked("setns");
}

/* ---- what becomes possible ------------------------------------------------------------------- */

static enum outcome
nest(const struct scene *s)
{
	(void)s;
	if (enter_namespaces(0) != 0) {
		return blocked("unshare");
	}
	return tried(enter_namespaces(0), "unshare again");
}

static enum outcome
open_socket(const struct scene *s)
{
	const int *args = s->row->args;

	if (enter_namespaces(CLONE_NEWNET) != 0) {
		return blocked("unshare");
	}
	return tried(socket(args[0], args[1], args[2]), "socket");
}

static enum outcome
mount_tmpfs(const struct scene *s)
{
	const char *mine = path("%s/mnt", s->work);

	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)mkdir(mine, 0755);
	return tried(mount("none", mine, "tmpfs", 0, NULL), "mount");
}

static enum outcome
mount_overlay(const struct scene *s)
{
	const char *mine = path("%s/mnt", s->work);
	const char *options =
		path("lowerdir=/etc,upperdir=%s/upper,workdir=%s/temp,userxattr", s->work, s->work);

	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)mkdir(mine, 0755);
	(void)mkdir(path("%s/upper", s->work), 0755);
	(void)mkdir(path("%s/temp", s->work), 0755);
	return tried(mount("none", mine, "overlay", 0, options), "mount");
}

static enum outcome
mount_proc(const struct scene *s)
{
	const char *mine = path("%s/mnt", s->work);
	pid_t child;

	if (enter_namespaces(CLONE_NEWNS | CLONE_NEWPID) != 0) {
		return blocked("unshare");
	}
	(void)mkdir(mine, 0755);
	child = fork();
	if (child == 0) {
		_exit(mount("none", mine, "proc", 0, NULL) == 0 ? 0 : errno);
	}
	errno = exit_status(child);
	return errno == 0 ? succeeded("mount") : blocked("mount");
}

static enum outcome
change_root(const struct scene *s)
{
	if (enter_namespaces(0) != 0) {
		return blocked("unshare");
	}
	return tried(chroot(s->work), "chroot");
}

static enum outcome
pivot_root(const struct scene *s)
{
	const char *mine = path("%s/mnt", s->work);

	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)mkdir(mine, 0755);
	if (mount("none", mine, "tmpfs", 0, NULL) != 0 || mkdir(path("%s/old", mine), 0755) != 0) {
		return blocked("mount");
	}
	return tried(syscall(SYS_pivot_root, mine, path("%s/old", mine)), "pivot_root");
}

/* ---- the newer calls about mounts ------------------------------------------------------------ */

static enum outcome
clone_tree(const struct scene *s)
{
	(void)s;
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	return tried(syscall(SYS_open_tree, AT_FDCWD, "/usr", OPEN_TREE_CLONE), "open_tree");
}

static enum outcome
clone_tree_with_attributes(const struct scene *s)
{
	struct mount_attr attributes = { .attr_set = MOUNT_ATTR_RDONLY };
	long result;

	(void)s;
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	result = syscall(SYS_open_tree_attr, AT_FDCWD, "/usr", OPEN_TREE_CLONE, &attributes,
			 sizeof(attributes));
	if (result < 0 && errno == ENOSYS) {
		return not_applicable("no open_tree_attr in this kernel");
	}
	return tried(result, "open_tree_attr");
}

static enum outcome
move_tree(const struct scene *s)
{
	const char *mine = path("%s/mnt", s->work);
	int tree;

	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/usr", OPEN_TREE_CLONE);
	if (tree < 0) {
		return blocked("open_tree");
	}
	(void)mkdir(mine, 0755);
	return tried(syscall(SYS_move_mount, tree, "", AT_FDCWD, mine, MOVE_MOUNT_F_EMPTY_PATH),
		     "move_mount");
}

static enum outcome
make_mount(const struct scene *s)
{
	int context;

	(void)s;
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	context = (int)syscall(SYS_fsopen, "tmpfs", 0);
	if (context < 0 ||
	    syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) != 0) {
		return blocked("fsopen or fsconfig");
	}
	return tried(syscall(SYS_fsmount, context, 0, 0), "fsmount");
}

static enum outcome
pick_file_system(const struct scene *s)
{
	(void)s;
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	return tried(syscall(SYS_fspick, AT_FDCWD, "/", 0), "fspick");
}

static enum outcome
set_mount_attributes(const struct scene *s)
{
	struct mount_attr attributes = { .attr_set = MOUNT_ATTR_NOSUID };

	(void)s;
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	return tried(syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &attributes, sizeof(attributes)),
		     "mount_setattr");
}

/* ---- the rest of the machine ----------------------------------------------------------------- */

static enum outcome
write_sysctl(const struct scene *s)
{
	(void)s;
	if (enter_namespaces(CLONE_NEWNET) != 0) {
		return blocked("unshare");
	}
	return tried(write_to("/proc/sys/net/ipv4/ip_forward", "1") ? 0 : -1, "write ip_forward");
}

/* With wrong magic numbers, in a process namespace of its own: nothing can restart. */
static enum outcome
reach_reboot(const struct scene *s)
{
	pid_t child;

	(void)s;
	if (enter_namespaces(CLONE_NEWPID) != 0) {
		return blocked("unshare");
	}
	child = fork();
	if (child == 0) {
		_exit(syscall(SYS_reboot, 1, 2, 3, NULL) < 0 ? errno : 0);
	}
	errno = exit_status(child);
	return errno == EINVAL ? succeeded("reboot was reached") : blocked("reboot");
}

const struct attack ns_attacks[] = {
	{ "unshare", PROOF_CALL, "makes a user namespace", by_unshare },
	{ "unshare_mount", PROOF_CALL, "makes a mount namespace", by_unshare_of,
	  .args = { CLONE_NEWNS } },
	{ "unshare_net", PROOF_CALL, "makes a network namespace", by_unshare_of,
	  .args = { CLONE_NEWNET } },
	{ "unshare_pid", PROOF_CALL, "makes a process namespace", by_unshare_of,
	  .args = { CLONE_NEWPID } },
	{ "unshare_ipc", PROOF_CALL, "makes an IPC namespace", by_unshare_of,
	  .args = { CLONE_NEWIPC } },
	{ "unshare_uts", PROOF_CALL, "makes a namespace of host names", by_unshare_of,
	  .args = { CLONE_NEWUTS } },
	{ "unshare_cgroup", PROOF_CALL, "makes a cgroup namespace", by_unshare_of,
	  .args = { CLONE_NEWCGROUP } },
	{ "clone", PROOF_CALL, "makes a user namespace by clone", by_clone },
	{ "clone3", PROOF_CALL, "makes a user namespace by clone3", by_clone3 },
	{ "int80_unshare", PROOF_CALL, "makes one by the 32-bit table", by_int80_unshare },
	{ "int80_clone", PROOF_CALL, "makes one by the 32-bit clone", by_int80_clone },
	{ "x32_unshare", PROOF_CALL, "makes one by the x32 table", by_x32_unshare },
	{ "high_bits", PROOF_CALL, "makes one with garbage in the upper half of the flags",
	  by_clone_with_high_bits },
	{ "setns", PROOF_CALL, "enters a namespace by setns", by_setns },
	{ "nested", PROOF_CALL, "makes a user namespace in a user namespace", nest },
	{ "raw_socket", PROOF_CALL, "opens a raw socket", open_socket,
	  .args = { AF_INET, SOCK_RAW, IPPROTO_ICMP } },
	{ "packet_socket", PROOF_CALL, "opens a packet socket", open_socket,
	  .args = { AF_PACKET, SOCK_RAW, 0 } },
	{ "netfilter_socket", PROOF_CALL, "opens a netfilter socket", open_socket,
	  .args = { AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER } },
	{ "mount_tmpfs", PROOF_CALL, "mounts a tmpfs", mount_tmpfs },
	{ "mount_overlay", PROOF_CALL, "mounts an overlay over /etc", mount_overlay },
	{ "mount_proc", PROOF_CALL, "mounts /proc", mount_proc },
	{ "chroot", PROOF_CALL, "changes its root", change_root },
	{ "pivot_root", PROOF_CALL, "changes the root of its namespace", pivot_root },
	{ "open_tree", PROOF_CALL, "clones a mount", clone_tree },
	{ "open_tree_attr", PROOF_CALL, "clones a mount with attributes",
	  clone_tree_with_attributes },
	{ "move_mount", PROOF_CALL, "attaches a cloned mount", move_tree },
	{ "fsmount", PROOF_CALL, "makes a mount by fsopen and fsmount", make_mount },
	{ "fspick", PROOF_CALL, "takes a mounted file system", pick_file_system },
	{ "mount_setattr", PROOF_CALL, "changes the attributes of a mount", set_mount_attributes },
	{ "sysctl", PROOF_CALL, "changes a setting of its network namespace", write_sysctl },
	{ "reboot", PROOF_CALL, "reaches reboot in a process namespace", reach_reboot },
	{ 0 },
};
