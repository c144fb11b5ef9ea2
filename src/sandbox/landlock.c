/* SPDX-License-Identifier: MIT */

/*
 * The floor. Rules are added through descriptors that were opened without following any symlink,
 * so a path that is swapped for a link after the plan was made is refused, not followed.
 */

#include "sandbox/landlock.h"

#include "base/attr.h"
#include "base/path.h"
#include "plan/rights.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

static int
create_ruleset(const struct ll_ruleset_attr *attr, size_t size, unsigned int flags)
{
	return (int)syscall(SYS_landlock_create_ruleset, attr, size, flags);
}

/* ---- probing ----------------------------------------------------------------------------- */

static bool
can_create(uint64_t fs, uint64_t net, uint64_t scope)
{
	struct ll_ruleset_attr attr = { fs, net, scope };
	size_t size = scope != 0 ? sizeof(attr)
		      : net != 0 ? offsetof(struct ll_ruleset_attr, scoped)
				 : offsetof(struct ll_ruleset_attr, handled_net);
	AUTO_FD fd = create_ruleset(&attr, size, 0);

	return fd >= 0;
}

/*
 * A kernel may report an ABI and yet reject rights that came with it (seen with back-ported
 * kernels): so each right is believed only once a ruleset with it could be created.
 */
static uint64_t
usable(enum right_kind kind, int abi)
{
	const struct right_table *table = plan_right_table(kind);
	uint64_t mask = 0;

	for (size_t i = 0; i < table->count; i++) {
		uint64_t bit = table->rights[i].bit;
		bool fs = kind == RIGHTS_FS;

		if (table->rights[i].abi <= abi &&
		    can_create(fs ? bit : LL_EXECUTE, kind == RIGHTS_NET ? bit : 0,
			       kind == RIGHTS_SCOPE ? bit : 0)) {
			mask |= bit;
		}
	}
	return mask;
}

void
host_probe(struct host *host, int pretend_abi)
{
	unsigned int action = SECCOMP_RET_ERRNO;
	int abi = create_ruleset(NULL, 0, LL_CREATE_RULESET_VERSION);

	*host = (struct host){ .root = geteuid() == 0 };
	host->seccomp = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
	if (abi < 1) {
		host->landlock_errno = errno;
		return;
	}
	if (pretend_abi != 0 && pretend_abi < abi) {
		abi = pretend_abi > 0 ? pretend_abi : 0;
		host->landlock_errno = abi == 0 ? EOPNOTSUPP : 0;
	}
	host->landlock_abi = abi;
	/* The usual case, in one call: everything that the ABI promises is there. */
	host->landlock_fs = plan_fs_rights(abi);
	host->landlock_net = plan_net_rights(abi);
	host->landlock_scope = plan_scopes(abi);
	if (abi > 0 && !can_create(host->landlock_fs, host->landlock_net, host->landlock_scope)) {
		host->landlock_fs = usable(RIGHTS_FS, abi);
		host->landlock_net = usable(RIGHTS_NET, abi);
		host->landlock_scope = usable(RIGHTS_SCOPE, abi);
	}
}

/* ---- building ---------------------------------------------------------------------------- */

/* Component by component, for where openat2(2) is refused: inside of another sandbox. */
static int
open_stepwise(const char *path)
{
	char name[NAME_MAX + 1];
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && *(path += strspn(path, "/")) != '\0') {
		size_t len = strcspn(path, "/");
		struct stat st;
		int next;

		if (len > NAME_MAX) {
			(void)close(fd);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		next = openat(fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		close_fdp(&fd);
		if (next >= 0 && (fstat(next, &st) != 0 || S_ISLNK(st.st_mode))) {
			(void)close(next);
			errno = ELOOP;
			return -1;
		}
		fd = next;
		path += len;
	}
	return fd;
}

/* No symlink is followed: a path that is swapped for one since the plan was made is refused. */
static int
open_rule(const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));

	return fd < 0 && errno == ENOSYS ? open_stepwise(path) : fd;
}

/* mkdir -p with mode 0700 for what is missing. */
static int
make_directories(const char *path)
{
	AUTO_FREE char *copy = strdup(path);

	if (copy == NULL) {
		return -1;
	}
	for (char *p = copy + 1; *p != '\0'; p++) {
		if (*p == '/') {
			*p = '\0';
			(void)mkdir(copy, 0700);
			*p = '/';
		}
	}
	return mkdir(copy, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

static int
add_path(int ruleset, const struct plan_rule *rule)
{
	AUTO_FD fd = open_rule(rule->path);
	struct ll_path_beneath_attr attr = { rule->access, fd };

	if (fd < 0) {
		return -1;
	}
	if (syscall(SYS_landlock_add_rule, ruleset, LL_RULE_PATH_BENEATH, &attr, 0) == 0) {
		return 0;
	}
	if (errno == EINVAL && rule->directory) {
		/* A directory that became a file since it was listed: less is granted, not more. */
		attr.allowed_access &= RIGHTS_ON_FILES;
		if (attr.allowed_access != 0) {
			return (int)syscall(SYS_landlock_add_rule, ruleset, LL_RULE_PATH_BENEATH,
					    &attr, 0);
		}
	}
	return -1;
}

/* Reasons for which a path that was only found, not named, may be left without a rule. */
static bool
may_skip(const struct plan_rule *rule, int sys)
{
	bool gone = sys == ENOENT || sys == ENOTDIR || sys == ELOOP || sys == EACCES ||
		    sys == EBADFD || sys == EINVAL || sys == ENOMSG;

	return gone && !rule->must;
}

/*
 * A regular file that descriptor 0, 1 or 2 is open on may be opened again (/dev/stdin, /dev/stdout,
 * /dev/stderr), for what the descriptor is open for anyway: scripts write to /dev/stderr, and
 * callers collect that in files anywhere. Added by descriptor, so no path has a say.
 */
static int
add_standard_files(int ruleset, uint64_t handled)
{
	for (int fd = 0; fd <= 2; fd++) {
		struct ll_path_beneath_attr attr = { 0, fd };
		int mode = fcntl(fd, F_GETFL);
		struct stat st;

		if (mode < 0 || (mode & O_PATH) != 0 || fstat(fd, &st) != 0 ||
		    !S_ISREG(st.st_mode)) {
			continue;
		}
		attr.allowed_access |= (mode & O_ACCMODE) != O_WRONLY ? LL_READ_FILE : 0;
		attr.allowed_access |= (mode & O_ACCMODE) != O_RDONLY ? LL_WRITE_FILE : 0;
		attr.allowed_access |= (mode & O_ACCMODE) != O_RDONLY ? LL_TRUNCATE : 0;
		attr.allowed_access &= handled;
		/* Some file systems of the kernel's own take no rules, and some lie unnamed. */
		if (attr.allowed_access != 0 &&
		    syscall(SYS_landlock_add_rule, ruleset, LL_RULE_PATH_BENEATH, &attr, 0) != 0 &&
		    errno != EBADFD && errno != EINVAL) {
			return -1;
		}
	}
	return 0;
}

static int
new_ruleset(const struct ll_ruleset_attr *attr, struct bailey_error *err)
{
	size_t size = attr->scoped != 0	       ? sizeof(*attr)
		      : attr->handled_net != 0 ? offsetof(struct ll_ruleset_attr, scoped)
					       : offsetof(struct ll_ruleset_attr, handled_net);
	int fd = create_ruleset(attr, size, 0);

	if (fd < 0) {
		(void)bailey_fail_sys(err, errno, "cannot create a Landlock ruleset");
	}
	return fd;
}

static int
add_rule(int ruleset, const struct plan_rule *rule, struct bailey_error *err)
{
	if (rule->make && make_directories(rule->path) != 0) {
		return bailey_fail_sys(err, errno, "cannot make the directory '%s'", rule->path);
	}
	if (rule->access != 0 && add_path(ruleset, rule) != 0 && !may_skip(rule, errno)) {
		return bailey_fail_sys(err, errno, "cannot add the rule for '%s'", rule->path);
	}
	return BAILEY_OK;
}

static int
finish_ruleset(int *fd, uint64_t handled, int *ruleset, struct bailey_error *err)
{
	if (add_standard_files(*fd, handled) != 0) {
		return bailey_fail_sys(err, errno, "cannot add a rule for descriptors 0 to 2");
	}
	*ruleset = take_fd(fd);
	return BAILEY_OK;
}

int
landlock_build(const struct plan *plan, int *ruleset, struct bailey_error *err)
{
	struct ll_ruleset_attr attr = { plan->handled_fs, plan->handled_net, plan->scoped };
	AUTO_FD fd = new_ruleset(&attr, err);

	if (fd < 0) {
		return BAILEY_E_SYSTEM;
	}
	for (size_t i = 0; i < plan->rule_count; i++) {
		int rc = add_rule(fd, &plan->rules[i], err);

		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return finish_ruleset(&fd, plan->handled_fs, ruleset, err);
}

int
landlock_build_broker(const struct plan *plan, int *ruleset, struct bailey_error *err)
{
	uint64_t writing = (RIGHTS_WRITE | LL_MAKE_SOCK) & plan->handled_fs;
	struct ll_ruleset_attr attr = { writing, 0, plan->scoped };
	bool shm = (plan->broker.parts & PART_SHM) != 0;
	struct plan_rule rule = { .access = writing, .directory = true };
	AUTO_FD fd = new_ruleset(&attr, err);
	int rc = BAILEY_OK;

	if (fd < 0) {
		return BAILEY_E_SYSTEM;
	}
	for (size_t i = 0; i < plan->rule_count && rc == BAILEY_OK; i++) {
		struct plan_rule write = plan->rules[i];

		write.access &= writing;
		rc = add_rule(fd, &write, err);
	}
	for (size_t i = 0; i < plan->broker.roots.count + shm && rc == BAILEY_OK; i++) {
		bool last = i == plan->broker.roots.count;

		rule.path = last ? "/dev/shm" : plan->broker.roots.items[i];
		rc = add_rule(fd, &rule, err);
	}
	return rc == BAILEY_OK ? finish_ruleset(&fd, writing, ruleset, err) : rc;
}

/*
 * Every domain refuses to move or link a file into another directory unless it allows that (REFER,
 * since ABI 2), so a domain that is not about files must allow it everywhere.
 */
int
landlock_signal_scope(void)
{
	static const struct plan_rule everywhere = { .path = "/", .access = LL_REFER };
	struct ll_ruleset_attr attr = { LL_REFER, 0, LL_SCOPE_SIGNAL };
	AUTO_FD fd = create_ruleset(&attr, sizeof(attr), 0);

	return fd >= 0 && add_path(fd, &everywhere) == 0 ? take_fd(&fd) : -1;
}

int
landlock_restrict(int ruleset)
{
	return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}
