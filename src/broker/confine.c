/* SPDX-License-Identifier: MIT */

/*
 * The kernel caches which calls a filter always allows (since 5.11), so the order of the list does
 * not matter and a search through it needs no tree.
 */

#include "broker/confine.h"

#include "base/attr.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "which AUDIT_ARCH_ is this?"
#endif

/* Not in the headers of every system; the numbers are the same on all architectures. */
#define NR_FCHMODAT2 452
#define NR_SETXATTRAT 463
#define NR_REMOVEXATTRAT 466
#define NR_FILE_GETATTR 468
#define NR_FILE_SETATTR 469

static const int allowed[] = {
	/* a program with threads */
	SYS_read,
	SYS_write,
	SYS_pread64,
	SYS_close,
	SYS_futex,
	SYS_mmap,
	SYS_munmap,
	SYS_mprotect,
	SYS_madvise,
	SYS_mremap,
	SYS_brk,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_timer_create,
	SYS_timer_settime,
	SYS_timer_delete,
	SYS_sched_yield,
	SYS_clock_gettime,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_getpid,
	SYS_gettid,
	SYS_geteuid,
	SYS_restart_syscall,
	SYS_exit,
	SYS_exit_group,
	SYS_set_robust_list,
	SYS_rseq,
#ifdef __SANITIZE_ADDRESS__
	/* a thread with AddressSanitizer, in a build for tests */
	SYS_rt_sigaction,
	SYS_sigaltstack,
	SYS_dup,
#endif
	/* the tree */
	SYS_wait4,
	SYS_waitid,
	/* notifications and callers */
	SYS_ioctl,
	SYS_ppoll,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_pidfd_open,
	SYS_pidfd_getfd,
	/* walking and judging */
	SYS_openat,
	SYS_openat2,
	SYS_fstat,
	SYS_newfstatat,
	SYS_statx,
	SYS_fstatfs,
	SYS_readlinkat,
	SYS_faccessat,
	SYS_faccessat2,
	SYS_getdents64,
	SYS_lseek,
	SYS_fcntl,
	SYS_fchdir,
	/* files */
	SYS_umask,
	SYS_mkdirat,
	SYS_mknodat,
	SYS_linkat,
	SYS_symlinkat,
	SYS_renameat2,
	SYS_unlinkat,
	SYS_ftruncate,
	SYS_truncate,
	SYS_pipe2,
	SYS_tee,
	/* metadata */
	SYS_fchmod,
	SYS_fchmodat,
	NR_FCHMODAT2,
	SYS_fchown,
	SYS_fchownat,
	SYS_utimensat,
	SYS_setxattr,
	SYS_lsetxattr,
	SYS_fsetxattr,
	NR_SETXATTRAT,
	SYS_removexattr,
	SYS_lremovexattr,
	SYS_fremovexattr,
	NR_REMOVEXATTRAT,
	NR_FILE_GETATTR,
	NR_FILE_SETATTR,
	/* other processes of the tree */
	SYS_setpriority,
	SYS_ioprio_set,
	SYS_sched_setscheduler,
	SYS_sched_setparam,
	SYS_sched_setattr,
	SYS_sched_setaffinity,
	SYS_sched_getaffinity,
	SYS_prlimit64,
	/* sockets */
	SYS_connect,
	SYS_bind,
	SYS_listen,
	SYS_getsockopt,
	SYS_setsockopt,
	SYS_getsockname,
	SYS_getpeername,
	SYS_shutdown,
	SYS_sendto,
	SYS_recvfrom,
	SYS_sendmsg,
	SYS_recvmsg,
#if defined(__x86_64__)
	SYS_open,
	SYS_stat,
	SYS_lstat,
	SYS_poll,
	SYS_readlink,
	SYS_access,
#endif
};

/* Calls that are allowed for some arguments only: signal 0, which asks whether a process of the
 * tree is there; a further thread; and a thread's own directory and umask. */
static const struct {
	int nr;
	unsigned int arg; /* which of them, its low 32 bits */
	uint32_t mask;
	uint32_t value;
} restricted[] = {
	{ SYS_kill, 1, UINT32_MAX, 0 },
	{ SYS_tgkill, 2, UINT32_MAX, 0 },
	{ SYS_clone, 0, CLONE_THREAD, CLONE_THREAD },
	{ SYS_unshare, 0, UINT32_MAX, CLONE_FS },
};

#define FIXED 7U
#define PER_CALL 2U
#define PER_RESTRICTED 6U
#define PROGRAM_MAX (FIXED + COUNT_OF(allowed) * PER_CALL + COUNT_OF(restricted) * PER_RESTRICTED)

static void
put(struct sock_filter *program, unsigned short *len, struct sock_filter one)
{
	program[(*len)++] = one;
}

#define STATEMENT(code, k) ((struct sock_filter)BPF_STMT(code, k))
#define JUMP(code, k, yes, no) ((struct sock_filter)BPF_JUMP(code, k, yes, no))
#define LOAD(offset) STATEMENT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define RETURN(action) STATEMENT(BPF_RET | BPF_K, action)
#define IF_IS(value, yes, no) JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, no)

static unsigned short
build(struct sock_filter *program)
{
	unsigned short len = 0;

	put(program, &len, LOAD(offsetof(struct seccomp_data, arch)));
	put(program, &len, IF_IS(OUR_ARCH, 1, 0));
	put(program, &len, RETURN(SECCOMP_RET_KILL_PROCESS));
	put(program, &len, LOAD(offsetof(struct seccomp_data, nr)));
	for (size_t i = 0; i < COUNT_OF(allowed); i++) {
		put(program, &len, IF_IS(allowed[i], 0, 1));
		put(program, &len, RETURN(SECCOMP_RET_ALLOW));
	}
	for (size_t i = 0; i < COUNT_OF(restricted); i++) {
		put(program, &len, IF_IS(restricted[i].nr, 0, 5));
		put(program, &len,
		    LOAD(offsetof(struct seccomp_data, args) +
			 restricted[i].arg * sizeof(uint64_t)));
		put(program, &len, STATEMENT(BPF_ALU | BPF_AND | BPF_K, restricted[i].mask));
		put(program, &len, IF_IS(restricted[i].value, 0, 1));
		put(program, &len, RETURN(SECCOMP_RET_ALLOW));
		put(program, &len, RETURN(SECCOMP_RET_ERRNO | EPERM));
	}
	/* The C library then makes its threads by clone, whose flags can be seen. */
	put(program, &len, IF_IS(SYS_clone3, 0, 1));
	put(program, &len, RETURN(SECCOMP_RET_ERRNO | ENOSYS));
	put(program, &len, RETURN(SECCOMP_RET_ERRNO | EPERM));
	return len;
}

int
confine_self(void)
{
	struct sock_filter program[PROGRAM_MAX];
	struct sock_fprog filter = { build(program), program };

	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}
