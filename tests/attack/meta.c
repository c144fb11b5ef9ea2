/* SPDX-License-Identifier: MIT */

/* Changing what is written about a file rather than in it. Landlock has no right for these. */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static const struct timespec long_ago[2] = { { 1, 0 }, { 1, 0 } };

static const char *
victim_file(const struct scene *s)
{
	return path("%s/victim.txt", s->outside);
}

static int
open_victim(const struct scene *s)
{
	return open(victim_file(s), O_RDONLY | O_CLOEXEC);
}

/* Extended attributes and the like do not exist on every file system. */
static enum outcome
tried_if_supported(long result, const char *what)
{
	if (result < 0 && (errno == EOPNOTSUPP || errno == ENOSYS || errno == ENOTTY)) {
		return not_applicable("%s is not supported here", what);
	}
	return tried(result, what);
}

/* ---- mode and owner -------------------------------------------------------------------------- */

static enum outcome
change_mode(const struct scene *s)
{
	return tried(chmod(victim_file(s), 0777), "chmod");
}

static enum outcome
publish_private_key(const struct scene *s)
{
	return tried(chmod(path("%s/.ssh/id_rsa", s->home), 0644), "chmod");
}

static enum outcome
change_mode_by_read_fd(const struct scene *s)
{
	int fd = open_victim(s);

	return fd < 0 ? blocked("open") : tried(fchmod(fd, 0777), "fchmod");
}

static enum outcome
change_mode_by_proc_fd(const struct scene *s)
{
	int fd = open(victim_file(s), O_PATH | O_CLOEXEC);

	return fd < 0 ? blocked("open with O_PATH")
		      : tried(chmod(path("/proc/self/fd/%d", fd), 0777), "chmod");
}

static enum outcome
change_mode_by_fchmodat2(const struct scene *s)
{
	return tried_if_supported(syscall(SYS_fchmodat2, AT_FDCWD, victim_file(s), 0777, 0),
				  "fchmodat2");
}

static enum outcome
change_mode_by_int80(const struct scene *s)
{
	char *name = low_memory(4096);

	if (name == NULL) {
		return not_applicable("no memory below 4 GiB");
	}
	(void)snprintf(name, 4096, "%s", victim_file(s));
	return tried(int80(I386_CHMOD, low_address(name), 0777, 0, 0), "int80 chmod");
}

static enum outcome
change_mode_by_x32(const struct scene *s)
{
	return tried_if_supported(x32(SYS_chmod, (long)victim_file(s), 0777, 0), "x32 chmod");
}

static enum outcome
set_setuid_bit(const struct scene *s)
{
	return tried(chmod(victim_file(s), 04755), "chmod");
}

static enum outcome
change_group(const struct scene *s)
{
	if (s->group == (long)getgid()) {
		return not_applicable("the user has no other group");
	}
	return tried(chown(victim_file(s), (uid_t)-1, (gid_t)s->group), "chown");
}

static enum outcome
change_group_by_fd(const struct scene *s)
{
	int fd = open_victim(s);

	if (s->group == (long)getgid()) {
		return not_applicable("the user has no other group");
	}
	return fd < 0 ? blocked("open") : tried(fchown(fd, (uid_t)-1, (gid_t)s->group), "fchown");
}

/* ---- times ----------------------------------------------------------------------------------- */

static enum outcome
change_times(const struct scene *s)
{
	return tried(utimensat(AT_FDCWD, victim_file(s), long_ago, 0), "utimensat");
}

static enum outcome
change_times_by_fd(const struct scene *s)
{
	int fd = open_victim(s);

	return fd < 0 ? blocked("open") : tried(futimens(fd, long_ago), "futimens");
}

/* ---- attributes and flags -------------------------------------------------------------------- */

static enum outcome
set_attribute(const struct scene *s)
{
	return tried_if_supported(setxattr(victim_file(s), "user.attack", "1", 1, 0), "setxattr");
}

static enum outcome
set_attribute_by_fd(const struct scene *s)
{
	int fd = open_victim(s);

	return fd < 0 ? blocked("open")
		      : tried_if_supported(fsetxattr(fd, "user.attack", "1", 1, 0), "fsetxattr");
}

static enum outcome
set_attribute_by_setxattrat(const struct scene *s)
{
	struct {
		uint64_t value;
		uint32_t size;
		uint32_t flags;
	} args = { .value = (uint64_t)(uintptr_t) "1", .size = 1 };

	return tried_if_supported(syscall(SYS_setxattrat, AT_FDCWD, victim_file(s), 0,
					  "user.attack", &args, sizeof(args)),
				  "setxattrat");
}

/* The attribute is one that the fixture gives to the file. */
static enum outcome
remove_attribute(const struct scene *s)
{
	long result = removexattr(victim_file(s), "user.fixture");

	if (result < 0 && errno == ENODATA) {
		return not_applicable("the fixture's file has no attribute");
	}
	return tried_if_supported(result, "removexattr");
}

static enum outcome
set_acl(const struct scene *s)
{
	/* Version 2; user rw, named user 1 rw, group r, mask rw, other r. */
	static const uint32_t acl[] = { 2,	    0x60001, 0xffffffff, 0x60002,
					1,	    0x40004, 0xffffffff, 0x60010,
					0xffffffff, 0x40020, 0xffffffff };

	return tried_if_supported(
		setxattr(victim_file(s), "system.posix_acl_access", acl, sizeof(acl), 0),
		"setxattr of an ACL");
}

static enum outcome
set_flags(const struct scene *s)
{
	int fd = open_victim(s);
	int flags = 0;

	if (fd < 0) {
		return blocked("open");
	}
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0) {
		return tried_if_supported(-1, "FS_IOC_GETFLAGS");
	}
	flags |= FS_NODUMP_FL;
	return tried(ioctl(fd, FS_IOC_SETFLAGS, &flags), "FS_IOC_SETFLAGS");
}

static enum outcome
set_extended_flags(const struct scene *s)
{
	int fd = open_victim(s);
	struct fsxattr attributes;

	if (fd < 0) {
		return blocked("open");
	}
	if (ioctl(fd, FS_IOC_FSGETXATTR, &attributes) != 0) {
		return tried_if_supported(-1, "FS_IOC_FSGETXATTR");
	}
	attributes.fsx_xflags |= FS_XFLAG_NODUMP;
	return tried(ioctl(fd, FS_IOC_FSSETXATTR, &attributes), "FS_IOC_FSSETXATTR");
}

static enum outcome
set_flags_by_file_setattr(const struct scene *s)
{
	struct {
		uint64_t xflags;
		uint32_t extent_size, extents, project, cow_extent_size;
	} attributes = { 0 };
	long result = syscall(SYS_file_getattr, AT_FDCWD, victim_file(s), &attributes,
			      sizeof(attributes), 0);

	if (result < 0) {
		return tried_if_supported(result, "file_getattr");
	}
	attributes.xflags |= FS_XFLAG_NODUMP;
	return tried(syscall(SYS_file_setattr, AT_FDCWD, victim_file(s), &attributes,
			     sizeof(attributes), 0),
		     "file_setattr");
}

const struct attack meta_attacks[] = {
	{ "chmod", PROOF_FILES, "changes the mode of a file outside", change_mode },
	{ "chmod_private_key", PROOF_FILES, "makes ~/.ssh/id_rsa readable for all",
	  publish_private_key },
	{ "fchmod", PROOF_FILES, "changes the mode by a descriptor for reading",
	  change_mode_by_read_fd },
	{ "chmod_proc_fd", PROOF_FILES, "changes the mode by /proc/self/fd",
	  change_mode_by_proc_fd },
	{ "fchmodat2", PROOF_FILES, "changes the mode by fchmodat2", change_mode_by_fchmodat2 },
	{ "chmod_int80", PROOF_FILES, "changes the mode by the 32-bit table",
	  change_mode_by_int80 },
	{ "chmod_x32", PROOF_FILES, "changes the mode by the x32 table", change_mode_by_x32 },
	{ "setuid_bit", PROOF_FILES, "sets the setuid bit of a file outside", set_setuid_bit },
	{ "chown", PROOF_FILES, "gives a file outside to another group", change_group },
	{ "fchown", PROOF_FILES, "does so by a descriptor for reading", change_group_by_fd },
	{ "utimes", PROOF_FILES, "changes the times of a file outside", change_times },
	{ "futimens", PROOF_FILES, "does so by a descriptor for reading", change_times_by_fd },
	{ "setxattr", PROOF_FILES, "sets an attribute of a file outside", set_attribute },
	{ "fsetxattr", PROOF_FILES, "does so by a descriptor for reading", set_attribute_by_fd },
	{ "setxattrat", PROOF_FILES, "does so by setxattrat", set_attribute_by_setxattrat },
	{ "removexattr", PROOF_FILES, "removes an attribute of a file outside", remove_attribute },
	{ "acl", PROOF_FILES, "adds a user to the access list of a file outside", set_acl },
	{ "flags", PROOF_FILES, "sets an inode flag by ioctl", set_flags },
	{ "xflags", PROOF_FILES, "sets an inode flag by the other ioctl", set_extended_flags },
	{ "file_setattr", PROOF_FILES, "sets an inode flag by file_setattr",
	  set_flags_by_file_setattr },
	{ 0 },
};
