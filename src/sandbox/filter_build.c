/* SPDX-License-Identifier: MIT */
/*
 * From a filter's spec to a BPF program, through libseccomp.
 *
 * A rule of libseccomp is "this call, with these arguments: that action"; rules have no order, and
 * a call that none matches gets the program's fallback. So a filter is made of several such
 * programs, each of which may hand a call on to the next:
 *
 *   listed     only in an allowlist: refuses what is not listed, hands on the rest
 *   refusals   refuses whole calls, and others for some arguments; hands calls that are refused
 *              but for some arguments on to a judge; allows the rest
 *   judge      one for each errno: lets pass what filter_pass_rules say and refuses the rest
 *   tail       asks the broker about some of what has passed, refuses numbers that are not known,
 *              allows the rest (filter_notify.c)
 *
 * A call is handed on where a program returns a certain verdict, which is then replaced by a jump.
 * The one that calls a judge is SECCOMP_RET_TRACE: if a jump were forgotten, the kernel would
 * refuse the call with ENOSYS, as there is no tracer.
 */
#include "sandbox/filter_impl.h"

#include "base/attr.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

const char *const filter_basic_syscalls[] = {
	"access",
	"arch_prctl",
	"brk",
	"close",
	"execve",
	"exit",
	"exit_group",
	"faccessat",
	"fstat",
	"futex",
	"getrandom",
	"mmap",
	"mprotect",
	"munmap",
	"newfstatat",
	"openat",
	"pread64",
	"prlimit64",
	"read",
	"readlink",
	"readlinkat",
	"restart_syscall",
	"rseq",
	"rt_sigaction",
	"rt_sigprocmask",
	"rt_sigreturn",
	"set_robust_list",
	"set_tid_address",
	"stat",
	"write",
};

const size_t filter_basic_syscall_count = COUNT_OF(filter_basic_syscalls);

/* The errnos with which judges refuse: those of the rows that filter_pass_rules are about. */
static const int judge_errors[] = { EPERM, EAFNOSUPPORT };

struct builder {
	const struct plan_filter *spec;
	unsigned int in_force;	       /* of FILTER_ALWAYS, ... */
	bool whole[SYSCALL_ROWS_MAX];  /* refused whatever the arguments */
	bool judged[SYSCALL_ROWS_MAX]; /* refused but for some arguments */
};

/* One of the programs while it is made. */
struct stage {
	scmp_filter_ctx ctx;
	uint32_t fallback;
	int failed; /* errno of the first step that libseccomp refused */
	const char *failed_at;
};

static void
stage_finish(const struct stage *stage)
{
	if (stage->ctx != NULL) {
		seccomp_release(stage->ctx);
	}
}

#define AUTO_STAGE __attribute__((cleanup(stage_finish))) struct stage

static void
note_failure(struct stage *stage, int rc, const char *at)
{
	if (rc < 0 && stage->failed == 0) {
		stage->failed = -rc;
		stage->failed_at = at;
	}
}

/*
 * Optimisation level 2 is a binary search by number: the kernel takes half the time to load it,
 * because it first runs a program once for every number. On x86_64 libseccomp puts x32 numbers
 * under the action for other architectures.
 */
static struct stage
stage_start(uint32_t fallback)
{
	struct stage stage = { .ctx = seccomp_init(fallback), .fallback = fallback };

	if (stage.ctx == NULL) {
		note_failure(&stage, -ENOMEM, "start");
		return stage;
	}
	note_failure(&stage,
		     seccomp_attr_set(stage.ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
		     "other architectures");
	note_failure(&stage, seccomp_attr_set(stage.ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2),
		     "optimisation");
	return stage;
}

/* libseccomp refuses a rule that says what the fallback says. */
static void
stage_add(struct stage *stage, uint32_t action, const char *name, int number,
	  const struct scmp_arg_cmp *args, unsigned int count)
{
	if (stage->failed == 0 && action != stage->fallback) {
		note_failure(stage,
			     seccomp_rule_add_exact_array(stage->ctx, action, number, count, args),
			     name);
	}
}

/* libseccomp 2.5 writes a program to a descriptor only. */
static int
stage_export(const struct stage *stage, struct arena *arena, struct sock_fprog *out,
	     struct bailey_error *err)
{
	AUTO_FD fd = memfd_create("filter", MFD_CLOEXEC);
	struct stat st = { 0 };
	int rc;

	if (stage->failed != 0) {
		return bailey_fail_sys(err, stage->failed,
				       "cannot build the system call filter, at '%s'",
				       stage->failed_at);
	}
	rc = fd < 0 ? -errno : seccomp_export_bpf(stage->ctx, fd);
	if (rc == 0 && fstat(fd, &st) != 0) {
		rc = -errno;
	}
	if (rc < 0) {
		return bailey_fail_sys(err, -rc, "cannot export the system call filter");
	}
	out->filter = arena_alloc(arena, (size_t)st.st_size);
	if (out->filter == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "out of memory for the system call filter");
	}
	if (st.st_size / (off_t)sizeof(struct sock_filter) > BPF_MAXINSNS ||
	    pread(fd, out->filter, (size_t)st.st_size, 0) != st.st_size) {
		return bailey_fail(err, BAILEY_E_LIMIT,
				   "the system call filter has %jd bytes, and the kernel takes %zu",
				   (intmax_t)st.st_size, BPF_MAXINSNS * sizeof(struct sock_filter));
	}
	out->len = (unsigned short)((size_t)st.st_size / sizeof(struct sock_filter));
	return 0;
}

/* ---- what is refused whole --------------------------------------------------------------- */

static void
choose_all(const struct strings *words, bool chosen[])
{
	for (size_t i = 0; i < words->count; i++) {
		(void)syscall_choose(words->items[i], chosen);
	}
}

/* Does one of the spec's switches decide about the family, and is it off? */
static bool
is_off(const struct plan_filter *spec, enum syscall_family family)
{
	switch ((int)family) {
	case FAMILY_NAMESPACE:
		return !spec->namespaces;
	case FAMILY_METADATA:
		return !spec->metadata;
	case FAMILY_SYSV_IPC:
	case FAMILY_POSIX_MQ:
		return !spec->ipc;
	default:
		return false;
	}
}

static bool
has_switch(enum syscall_family family)
{
	static const struct plan_filter all_off = { 0 };

	return is_off(&all_off, family);
}

/* With a broker these are refused in every kind of filter: they do what it is asked about where no
 * filter sees it, or keep it waiting for a page of the command's memory. All have a fallback. */
static const char *const behind_the_broker[] = {
	"openat2", "clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd",
};

static void
choose_refused(struct builder *b)
{
	const struct plan_filter *spec = b->spec;
	bool denylist = spec->mode == SECCOMP_DENYLIST;

	choose_all(&spec->additional, b->whole);
	if (denylist && !spec->strict) {
		choose_all(&spec->blocked, b->whole);
	}
	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];
		bool builtin = denylist && spec->strict && row->reason != NULL &&
			       !filter_asks(row->name, spec->notify);

		if (is_off(spec, row->family) || (builtin && !has_switch(row->family))) {
			b->whole[i] = true;
		}
	}
	if (!spec->namespaces || !denylist) {
		(void)syscall_choose("clone3", b->whole);
	}
	for (size_t i = 0; i < COUNT_OF(behind_the_broker) && spec->notify != 0; i++) {
		(void)syscall_choose(behind_the_broker[i], b->whole);
	}
}

/* The calls that a judge decides about: what has a pass rule in force and is not refused anyway. */
static void
choose_judged(struct builder *b)
{
	for (size_t i = 0; i < filter_pass_rule_count; i++) {
		const struct syscall_row *row = syscall_find(filter_pass_rules[i].name);

		if (row != NULL && (filter_pass_rules[i].when & b->in_force) != 0 &&
		    !b->whole[row - syscall_rows]) {
			b->judged[row - syscall_rows] = true;
		}
	}
}

/* ---- the programs ------------------------------------------------------------------------ */

static uint32_t
refusal(const struct plan_filter *spec, int error)
{
	return spec->log_only ? SCMP_ACT_LOG : SCMP_ACT_ERRNO((unsigned int)error & 0xffffU);
}

static void
add_rule(const struct builder *b, struct stage *stage, const struct filter_rule *rule)
{
	const struct syscall_row *row = syscall_find(rule->name);
	uint32_t action = rule->error == 0 ? SCMP_ACT_ALLOW : refusal(b->spec, rule->error);
	unsigned int count = 0;

	if (row == NULL || syscall_number(row) < 0 || (rule->when & b->in_force) == 0) {
		return;
	}
	while (count < FILTER_ARGS && rule->args[count].op != 0) {
		count++;
	}
	stage_add(stage, action, row->name, syscall_number(row), rule->args, count);
}

static int
build_listed(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
	     struct bailey_error *err)
{
	AUTO_STAGE stage = stage_start(refusal(spec, ENOSYS));
	bool listed[SYSCALL_ROWS_MAX] = { false };

	choose_all(&spec->allowed, listed);
	for (size_t i = 0; i < filter_basic_syscall_count; i++) {
		(void)syscall_choose(filter_basic_syscalls[i], listed);
	}
	if (spec->notify != 0) {
		(void)syscall_choose("sendmsg", listed); /* hands the listener to the broker */
	}
	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];

		if (syscall_number(row) >= 0) {
			stage_add(&stage, listed[i] ? SCMP_ACT_ALLOW : refusal(spec, row->error),
				  row->name, syscall_number(row), NULL, 0);
		}
	}
	return stage_export(&stage, arena, out, err);
}

static int
build_refusals(const struct builder *b, struct arena *arena, struct sock_fprog *out,
	       struct bailey_error *err)
{
	AUTO_STAGE stage = stage_start(SCMP_ACT_ALLOW);

	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];
		uint32_t action = b->judged[i] ? SCMP_ACT_TRACE((unsigned int)row->error & 0xffffU)
					       : refusal(b->spec, row->error);

		if ((b->whole[i] || b->judged[i]) && syscall_number(row) >= 0) {
			stage_add(&stage, action, row->name, syscall_number(row), NULL, 0);
		}
	}
	for (size_t i = 0; i < filter_refuse_rule_count; i++) {
		const struct syscall_row *row = syscall_find(filter_refuse_rules[i].name);

		if (row != NULL && !b->whole[row - syscall_rows]) {
			add_rule(b, &stage, &filter_refuse_rules[i]);
		}
	}
	return stage_export(&stage, arena, out, err);
}

static int
build_judge(const struct builder *b, int error, struct arena *arena, struct sock_fprog *out,
	    struct bailey_error *err)
{
	AUTO_STAGE stage = stage_start(refusal(b->spec, error));

	for (size_t i = 0; i < filter_pass_rule_count; i++) {
		const struct syscall_row *row = syscall_find(filter_pass_rules[i].name);

		if (row != NULL && row->error == error && b->judged[row - syscall_rows]) {
			add_rule(b, &stage, &filter_pass_rules[i]);
		}
	}
	return stage_export(&stage, arena, out, err);
}

/* `first`, and where that would return `verdict`, `second`. */
static int
join(const struct sock_fprog *first, uint32_t verdict, const struct sock_fprog *second,
     struct arena *arena, struct sock_fprog *out, struct bailey_error *err)
{
	size_t len = (size_t)first->len + second->len;
	struct sock_filter *code = arena_array(arena, len, sizeof(*code));

	if (code == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "out of memory for the system call filter");
	}
	if (len > BPF_MAXINSNS) {
		return bailey_fail(err, BAILEY_E_LIMIT,
				   "the system call filter has %zu instructions, and the kernel "
				   "takes %d",
				   len, BPF_MAXINSNS);
	}
	for (size_t i = 0; i < first->len; i++) {
		code[i] = first->filter[i];
		if (code[i].code == (BPF_RET | BPF_K) && code[i].k == verdict) {
			code[i] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA,
							       (uint32_t)(first->len - i - 1));
		}
	}
	for (size_t i = 0; i < second->len; i++) {
		code[first->len + i] = second->filter[i];
	}
	out->filter = code;
	out->len = (unsigned short)len;
	return 0;
}

/* What a later kernel brings may do anything: to strict filters it is not there yet. And what is to
 * be asked of the broker is asked when all else has been judged. */
static int
add_tail(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
	 struct bailey_error *err)
{
	struct sock_fprog tail = { 0 };
	int rc;

	if (spec->notify == 0 && !(spec->mode == SECCOMP_DENYLIST && spec->strict)) {
		return 0;
	}
	rc = filter_build_tail(spec, arena, &tail, err);
	return rc == 0 ? join(out, SECCOMP_RET_ALLOW, &tail, arena, out, err) : rc;
}

unsigned int
filter_conditions(const struct plan_filter *spec)
{
	bool strict = spec->strict || spec->mode == SECCOMP_ALLOWLIST;
	bool asks_process = (spec->notify & PART_PROCESSES) != 0;
	bool asks_flags = (spec->notify & PART_METADATA) != 0;
	unsigned int in_force = FILTER_ALWAYS;

	in_force |= strict ? FILTER_STRICT : 0;
	in_force |= spec->namespaces ? 0 : FILTER_NO_NAMESPACES;
	in_force |= spec->metadata ? 0 : FILTER_NO_METADATA;
	in_force |= spec->inet ? FILTER_INET : spec->loopback ? FILTER_LOOPBACK : FILTER_NO_INET;
	in_force |= spec->unix_sockets ? FILTER_UNIX : FILTER_NO_UNIX;
	in_force |= asks_process ? FILTER_ASK_PROCESS : strict ? FILTER_OWN_PROCESS : 0;
	in_force |= strict && !asks_flags ? FILTER_NO_FLAGS : 0;
	return in_force;
}

int
filter_build(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
	     struct bailey_error *err)
{
	struct builder b = { .spec = spec, .in_force = filter_conditions(spec) };
	struct sock_fprog listed = { 0 };
	struct sock_fprog judge = { 0 };
	int rc;

	choose_refused(&b);
	choose_judged(&b);
	rc = build_refusals(&b, arena, out, err);
	for (size_t i = 0; rc == 0 && i < COUNT_OF(judge_errors); i++) {
		uint32_t verdict = SECCOMP_RET_TRACE | (uint32_t)judge_errors[i];

		rc = build_judge(&b, judge_errors[i], arena, &judge, err);
		if (rc == 0) {
			rc = join(out, verdict, &judge, arena, out, err);
		}
	}
	if (rc == 0) {
		rc = add_tail(spec, arena, out, err);
	}
	if (rc == 0 && spec->mode == SECCOMP_ALLOWLIST) {
		rc = build_listed(spec, arena, &listed, err);
		if (rc == 0) {
			rc = join(&listed, SECCOMP_RET_ALLOW, out, arena, out, err);
		}
	}
	return rc;
}

/* What `bailey run` asks of the broker unless it is told otherwise. */
#define PARTS_RUN (PART_METADATA | PART_PROCESSES | PART_UNIX | PART_SHM)

struct plan_filter
filter_standard_spec(unsigned int index)
{
	/* With and without protected names and a limit on tasks; with a loopback of one's own, the
	 * whole network, or neither. */
	static const struct {
		unsigned int parts;
		bool inet;
	} asked[FILTER_ASKING] = {
		{ PARTS_RUN | PART_FILES | PART_LOOPBACK, false },
		{ PARTS_RUN | PART_FILES | PART_LOOPBACK | PART_TASKS, false },
		{ PARTS_RUN | PART_FILES, true },
		{ PARTS_RUN | PART_FILES | PART_TASKS, true },
		{ PARTS_RUN | PART_FILES, false },
		{ PARTS_RUN | PART_FILES | PART_TASKS, false },
		{ PARTS_RUN | PART_LOOPBACK, false },
		{ PARTS_RUN | PART_LOOPBACK | PART_TASKS, false },
	};
	struct plan_filter spec = { .mode = SECCOMP_DENYLIST, .strict = true };

	if (index < FILTER_ALONE) {
		spec.inet = (index & 1U) != 0;
		spec.unix_sockets = (index & 2U) != 0;
		spec.metadata = (index & 4U) != 0;
		spec.ipc = (index & 8U) != 0;
		return spec;
	}
	spec.notify = asked[index - FILTER_ALONE].parts;
	spec.inet = asked[index - FILTER_ALONE].inet;
	spec.loopback = (spec.notify & PART_LOOPBACK) != 0;
	spec.unix_sockets = true;
	spec.metadata = true;
	return spec;
}
