/* SPDX-License-Identifier: MIT */

/*
 * Code of the kernel that a command has no business with. Most of these are calls with arguments
 * that cannot do any harm; the error that comes back tells whether the kernel itself was reached.
 */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

/* ---- calls that must not be reached ---------------------------------------------------------- */

#define ANY_SUCCESS 0

/* A call as it is made, and the error that only the kernel's own code returns for it. */
struct probe {
	const char *name;
	long number;
	intptr_t args[6];
	int reached; /* errno, or ANY_SUCCESS */
};

static char zeros[1 << 12];

#define NOWHERE ((intptr_t) "/nonexistent/file")
#define BUFFER ((intptr_t)zeros)
#define BAD_CLOCK 9999
#define BAD_DESCRIPTOR 9999 /* -1 has a meaning for some */
#define BAD_ARCHITECTURE 0xffff0000L
#define BAD_QUOTA_TYPE ((0x800001L << 8) | 77)
#define UFFD_USER_MODE_ONLY_FLAG 1
#define FAN_REPORT_FID_FLAG 0x200
#define ADDR_NO_RANDOMIZE_FLAG 0x0040000
#define SYSLOG_READ_ALL 3

static const struct probe probes[] = {
	{ "acct", SYS_acct, { NOWHERE }, ENOENT },
	{ "adjtimex", SYS_adjtimex, { BUFFER }, ANY_SUCCESS },
	{ "bpf", SYS_bpf, { 0, BUFFER, 1 << 20 }, E2BIG },
	{ "chroot", SYS_chroot, { NOWHERE }, ENOENT },
	{ "clock_adjtime", SYS_clock_adjtime, { BAD_CLOCK, BUFFER }, EINVAL },
	{ "clock_settime", SYS_clock_settime, { BAD_CLOCK, BUFFER }, EINVAL },
	{ "delete_module", SYS_delete_module, { (intptr_t) "none", O_NONBLOCK }, ENOENT },
	{ "fanotify_init", SYS_fanotify_init, { FAN_REPORT_FID_FLAG }, ANY_SUCCESS },
	{ "finit_module", SYS_finit_module, { -1, BUFFER }, EBADF },
	{ "fsopen", SYS_fsopen, { 0 }, EFAULT },
	{ "init_module", SYS_init_module, { 0, 0, BUFFER }, ENOEXEC },
	{ "io_uring_enter", SYS_io_uring_enter, { -1 }, EBADF },
	{ "io_uring_register", SYS_io_uring_register, { BAD_DESCRIPTOR, 1 }, EBADF },
	{ "io_uring_setup", SYS_io_uring_setup, { 0, 0 }, EFAULT },
	{ "kexec_file_load", SYS_kexec_file_load, { -1, -1 }, EBADF },
	{ "kexec_load", SYS_kexec_load, { 0, 0, 0, BAD_ARCHITECTURE }, EINVAL },
	{ "keyctl",
	  SYS_keyctl,
	  { KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1 },
	  ANY_SUCCESS },
	{ "listmount", SYS_listmount, { 0 }, EFAULT },
	{ "memfd_secret", SYS_memfd_secret, { 0 }, ANY_SUCCESS },
	{ "migrate_pages", SYS_migrate_pages, { 0 }, EINVAL },
	{ "mount", SYS_mount, { NOWHERE, NOWHERE, BUFFER, 0, 0 }, ENOENT },
	{ "move_pages", SYS_move_pages, { 0 }, EINVAL },
	{ "name_to_handle_at",
	  SYS_name_to_handle_at,
	  { AT_FDCWD, (intptr_t) "/", BUFFER, BUFFER },
	  EOVERFLOW },
	{ "open_tree", SYS_open_tree, { AT_FDCWD, NOWHERE }, ENOENT },
	{ "perf_event_open", SYS_perf_event_open, { 0, 0, -1, -1 }, EFAULT },
	{ "personality", SYS_personality, { ADDR_NO_RANDOMIZE_FLAG }, ANY_SUCCESS },
	{ "pidfd_getfd", SYS_pidfd_getfd, { -1 }, EBADF },
	{ "process_madvise", SYS_process_madvise, { -1 }, EBADF },
	{ "process_mrelease", SYS_process_mrelease, { -1 }, EBADF },
	{ "process_vm_readv", SYS_process_vm_readv, { 0 }, ANY_SUCCESS },
	{ "ptrace", SYS_ptrace, { PTRACE_CONT, 0 }, ESRCH },
	{ "quotactl", SYS_quotactl, { BAD_QUOTA_TYPE, NOWHERE }, EINVAL },
	{ "quotactl_fd", SYS_quotactl_fd, { -1 }, EBADF },
	{ "request_key",
	  SYS_request_key,
	  { (intptr_t) "user", (intptr_t) "none", 0, KEY_SPEC_PROCESS_KEYRING },
	  ENOKEY },
	{ "setdomainname", SYS_setdomainname, { BUFFER, 9999 }, EINVAL },
	{ "sethostname", SYS_sethostname, { BUFFER, 9999 }, EINVAL },
	{ "setns", SYS_setns, { -1 }, EBADF },
	{ "settimeofday", SYS_settimeofday, { 0 }, ANY_SUCCESS },
	{ "statmount", SYS_statmount, { 0 }, EFAULT },
	{ "swapoff", SYS_swapoff, { NOWHERE }, ENOENT },
	{ "swapon", SYS_swapon, { NOWHERE, 0x40000000 }, EINVAL },
	{ "syslog", SYS_syslog, { SYSLOG_READ_ALL, BUFFER, 64 }, ANY_SUCCESS },
	{ "umount", SYS_umount2, { NOWHERE }, ENOENT },
	{ "userfaultfd", SYS_userfaultfd, { UFFD_USER_MODE_ONLY_FLAG }, ANY_SUCCESS },
#if defined(__x86_64__)
	{ "ioperm", SYS_ioperm, { 0, 1, 1 }, ANY_SUCCESS },
	{ "iopl", SYS_iopl, { 3 }, ANY_SUCCESS },
	{ "modify_ldt", SYS_modify_ldt, { 0, BUFFER, 16 }, ANY_SUCCESS },
#endif
};

static enum outcome
make_probe(const struct probe *probe)
{
	const intptr_t *args = probe->args;
	long result = syscall(probe->number, args[0], args[1], args[2], args[3], args[4], args[5]);

	if (result >= 0 || (errno == probe->reached && errno != 0)) {
		return succeeded("the kernel was reached");
	}
	if (errno == EPERM || errno == EACCES) {
		return not_applicable("the user may not (%s)", strerrorname_np(errno));
	}
	if (errno == ENOSYS || errno == EOPNOTSUPP) {
		return not_applicable("not in this kernel (%s)", strerrorname_np(errno));
	}
	return blocked("%s", probe->name);
}

static enum outcome
reach(const struct scene *s)
{
	size_t i;

	for (i = 0; i < COUNT_OF(probes); i++) {
		if (strcmp(probes[i].name, s->row->name) == 0) {
			return make_probe(&probes[i]);
		}
	}
	return not_applicable("not a call of this machine");
}

/* ---- other ABIs ------------------------------------------------------------------------------ */

static enum outcome
call_by_int80(const struct scene *s)
{
	(void)s;
	return int80(I386_GETPID, 0, 0, 0, 0) == getpid() ? succeeded("getpid") : blocked("getpid");
}

static enum outcome
call_by_x32(const struct scene *s)
{
	long result = x32(SYS_getpid, 0, 0, 0);

	(void)s;
	if (x32_is_missing(result)) {
		return not_applicable("no x32 system calls");
	}
	return tried(result, "getpid");
}

/* ---- privileges ------------------------------------------------------------------------------ */

static enum outcome
may_gain_privileges(const struct scene *s)
{
	(void)s;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? succeeded("no_new_privs is not set")
							   : blocked("no_new_privs is set");
}

static enum outcome
execute_setuid(const struct scene *s)
{
	struct stat st;
	struct statvfs fs;
	int pair[2];
	char buf[50] = "";
	pid_t child;

	if (getuid() == 0) {
		return not_applicable("root gains nothing");
	}
	if (stat(s->probe, &st) != 0 || st.st_uid != 0 || (st.st_mode & S_ISUID) == 0 ||
	    statvfs(s->probe, &fs) != 0 || (fs.f_flag & ST_NOSUID) != 0) {
		return not_applicable("no setuid program here");
	}
	if (pipe(pair) != 0) {
		return blocked("pipe");
	}
	child = fork();
	if (child == 0) {
		(void)dup2(pair[1], STDOUT_FILENO);
		(void)execl(s->probe, s->probe, (char *)NULL);
		_exit(127);
	}
	(void)close(pair[1]);
	if (read(pair[0], buf, sizeof(buf) - 1) <= 0) {
		return blocked("execute");
	}
	(void)exit_status(child);
	return strstr(buf, "euid=0") != NULL ? succeeded("%s", buf) : blocked("%s", buf);
}

/* Capabilities that reach beyond files: those of modules, raw I/O, networks, mounts, tracing ... */
static enum outcome
hold_capabilities(const struct scene *s)
{
	static const unsigned char dangerous[] = {
		CAP_DAC_READ_SEARCH, CAP_NET_ADMIN, CAP_NET_RAW,  CAP_SYS_MODULE, CAP_SYS_RAWIO,
		CAP_SYS_PTRACE,	     CAP_SYS_ADMIN, CAP_SYS_BOOT, CAP_SYS_TIME,	  CAP_MKNOD,
		CAP_SYSLOG,	     CAP_PERFMON,   CAP_BPF,
	};
	char status[4096];
	unsigned long held;
	const char *line;
	size_t i;

	(void)s;
	(void)read_text("/proc/self/status", status, sizeof(status));
	line = strstr(status, "CapEff:");
	held = line != NULL ? strtoul(line + strlen("CapEff:"), NULL, 16) : 0;
	for (i = 0; i < COUNT_OF(dangerous); i++) {
		if (held >> dangerous[i] & 1) {
			return succeeded("capability %u is held", dangerous[i]);
		}
	}
	return getuid() == 0 ? blocked("none is held") : not_applicable("the user has none");
}

static enum outcome
let_others_trace(const struct scene *s)
{
	int result = prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);

	(void)s;
	if (result != 0 && errno == EINVAL) {
		return not_applicable("no Yama in this kernel");
	}
	return tried(result, "PR_SET_PTRACER");
}

/* A filter of its own whose decisions it takes itself: it may answer for the sandbox's. */
static enum outcome
install_listener(const struct scene *s)
{
	static struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	static const struct sock_fprog program = { 1, &allow };

	(void)s;
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return tried(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			     &program),
		     "seccomp");
}

static enum outcome
add_key(const struct scene *s)
{
	(void)s;
	return tried(syscall(SYS_add_key, "user", "attack", "x", 1, KEY_SPEC_PROCESS_KEYRING),
		     "add_key");
}

static enum outcome
read_user_key(const struct scene *s)
{
	long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user",
			   path("attack-%s", s->tag), 0);
	char buf[200];

	if (key < 0) {
		return blocked("keyctl search");
	}
	return show(buf, syscall(SYS_keyctl, KEYCTL_READ, key, buf, sizeof(buf)));
}

/* ---- files that are the kernel --------------------------------------------------------------- */

static enum outcome
open_sysctl(const struct scene *s)
{
	int fd = open("/proc/sys/kernel/core_pattern", O_WRONLY | O_CLOEXEC);

	(void)s;
	if (fd < 0 && getuid() != 0) {
		return not_applicable("the file is root's");
	}
	return tried(fd, "open core_pattern");
}

static enum outcome
open_device(const struct scene *s)
{
	int fd = open(s->row->subject, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENXIO || errno == ENODEV)) {
		return not_applicable("no such device here");
	}
	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		return not_applicable("the user may not open the device");
	}
	return tried(fd, "open");
}

/* The device is /dev/zero's: nothing happens when it is read. */
static enum outcome
make_device_node(const struct scene *s)
{
	const char *name = path("%s/node", s->work);

	if (getuid() != 0) {
		return not_applicable("the user may not make devices");
	}
	if (mknod(name, S_IFCHR | 0600, makedev(1, 5)) != 0) {
		return blocked("mknod");
	}
	return tried(open(name, O_RDONLY | O_CLOEXEC), "open");
}

const struct attack kern_attacks[] = {
	{ "acct", PROOF_CALL, "turns process accounting on", reach },
	{ "adjtimex", PROOF_CALL, "adjusts the clock", reach },
	{ "bpf", PROOF_CALL, "reaches bpf", reach },
	{ "chroot", PROOF_CALL, "reaches chroot", reach },
	{ "clock_adjtime", PROOF_CALL, "adjusts a clock", reach },
	{ "clock_settime", PROOF_CALL, "sets a clock", reach },
	{ "delete_module", PROOF_CALL, "unloads a module", reach },
	{ "fanotify_init", PROOF_CALL, "watches a file system", reach },
	{ "finit_module", PROOF_CALL, "loads a module from a file", reach },
	{ "fsopen", PROOF_CALL, "reaches fsopen", reach },
	{ "init_module", PROOF_CALL, "loads a module", reach },
	{ "io_uring_enter", PROOF_CALL, "reaches io_uring_enter", reach },
	{ "io_uring_register", PROOF_CALL, "reaches io_uring_register", reach },
	{ "io_uring_setup", PROOF_CALL, "reaches io_uring_setup", reach },
	{ "ioperm", PROOF_CALL, "asks for a port of the machine", reach },
	{ "iopl", PROOF_CALL, "asks for all ports of the machine", reach },
	{ "kexec_file_load", PROOF_CALL, "loads another kernel from a file", reach },
	{ "kexec_load", PROOF_CALL, "loads another kernel", reach },
	{ "keyctl", PROOF_CALL, "finds the session's keyring", reach },
	{ "listmount", PROOF_CALL, "lists mounts", reach },
	{ "memfd_secret", PROOF_CALL, "makes memory that the kernel cannot see", reach },
	{ "migrate_pages", PROOF_CALL, "moves memory between nodes", reach },
	{ "modify_ldt", PROOF_CALL, "reads the local descriptor table", reach },
	{ "mount", PROOF_CALL, "reaches mount", reach },
	{ "move_pages", PROOF_CALL, "reaches move_pages", reach },
	{ "name_to_handle_at", PROOF_CALL, "makes a file handle", reach },
	{ "open_tree", PROOF_CALL, "reaches open_tree", reach },
	{ "perf_event_open", PROOF_CALL, "reaches perf_event_open", reach },
	{ "personality", PROOF_CALL, "turns address randomisation off", reach },
	{ "pidfd_getfd", PROOF_CALL, "reaches pidfd_getfd", reach },
	{ "process_madvise", PROOF_CALL, "reaches process_madvise", reach },
	{ "process_mrelease", PROOF_CALL, "reaches process_mrelease", reach },
	{ "process_vm_readv", PROOF_CALL, "reaches process_vm_readv", reach },
	{ "ptrace", PROOF_CALL, "reaches ptrace", reach },
	{ "quotactl", PROOF_CALL, "reaches quotactl", reach },
	{ "quotactl_fd", PROOF_CALL, "reaches quotactl_fd", reach },
	{ "request_key", PROOF_CALL, "asks for a key", reach },
	{ "setdomainname", PROOF_CALL, "sets the domain of the machine", reach },
	{ "sethostname", PROOF_CALL, "sets the name of the machine", reach },
	{ "setns", PROOF_CALL, "reaches setns", reach },
	{ "settimeofday", PROOF_CALL, "sets the time", reach },
	{ "statmount", PROOF_CALL, "reads about a mount", reach },
	{ "swapoff", PROOF_CALL, "turns swap off", reach },
	{ "swapon", PROOF_CALL, "turns swap on", reach },
	{ "syslog", PROOF_CALL, "reads the kernel's log", reach },
	{ "umount", PROOF_CALL, "reaches umount", reach },
	{ "userfaultfd", PROOF_CALL, "handles its own page faults", reach },
	{ "int80", PROOF_CALL, "makes a 32-bit system call", call_by_int80 },
	{ "x32_call", PROOF_CALL, "makes an x32 system call", call_by_x32 },
	{ "no_new_privs", PROOF_CALL, "may gain privileges by exec", may_gain_privileges },
	{ "setuid", PROOF_CALL, "runs a setuid program", execute_setuid },
	{ "capabilities", PROOF_CALL, "holds dangerous capabilities", hold_capabilities },
	{ "set_ptracer", PROOF_CALL, "lets all processes trace it", let_others_trace },
	{ "listener", PROOF_CALL, "listens to its own system calls", install_listener },
	{ "add_key", PROOF_CALL, "adds a key to its keyring", add_key },
	{ "user_key", PROOF_SECRET, "reads a key of the user's keyring", read_user_key },
	{ "core_pattern", PROOF_CALL, "opens a setting of the kernel", open_sysctl },
	{ "device_node", PROOF_CALL, "makes and opens a device", make_device_node },
	{ "dev_mem", PROOF_CALL, "opens the machine's memory", open_device, "/dev/mem" },
	{ "dev_kmsg", PROOF_CALL, "opens the kernel's log", open_device, "/dev/kmsg" },
	{ "dev_fuse", PROOF_CALL, "opens the door for own file systems", open_device, "/dev/fuse" },
	{ "dev_kvm", PROOF_CALL, "opens the virtual machine monitor", open_device, "/dev/kvm" },
	{ "dev_tun", PROOF_CALL, "opens network tunnels", open_device, "/dev/net/tun" },
	{ "dev_disk", PROOF_CALL, "opens a disk", open_device, "/dev/vda" },
	{ "dev_input", PROOF_CALL, "opens an input device", open_device, "/dev/input/event0" },
	{ 0 },
};
