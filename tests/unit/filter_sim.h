/* SPDX-License-Identifier: MIT */
#ifndef FILTER_SIM_H
#define FILTER_SIM_H

/*
 * For the tests of filters: an interpreter for the part of classic BPF that seccomp takes, and
 * calls with the verdicts that they must get.
 */
#include "sandbox/filter_impl.h"

#include "base/attr.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#define RUBBISH UINT64_C(0xdeadbeef00000000)

/* ---- the interpreter --------------------------------------------------------------------- */

/* Verdicts: 0 allowed, an errno, or one of these. */
#define KILLED (-1)
#define LOGGED (-2)
#define STRANGE (-3) /* anything else; no filter may say it */
#define ASKED (-4)   /* of the broker */

static int
verdict_of(uint32_t value)
{
	switch (value & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
		return 0;
	case SECCOMP_RET_ERRNO:
		return (int)(value & SECCOMP_RET_DATA) != 0 ? (int)(value & SECCOMP_RET_DATA)
							    : STRANGE;
	case SECCOMP_RET_KILL_PROCESS:
		return KILLED;
	case SECCOMP_RET_LOG:
		return LOGGED;
	case SECCOMP_RET_USER_NOTIF:
		return ASKED;
	default:
		return STRANGE;
	}
}

static bool
holds(uint16_t code, uint32_t a, uint32_t k)
{
	switch (code) {
	case BPF_JMP | BPF_JEQ | BPF_K:
		return a == k;
	case BPF_JMP | BPF_JGT | BPF_K:
		return a > k;
	case BPF_JMP | BPF_JGE | BPF_K:
		return a >= k;
	case BPF_JMP | BPF_JSET | BPF_K:
		return (a & k) != 0;
	default:
		fail_msg("instruction 0x%x is not known here", code);
		return false;
	}
}

static int
run(const struct sock_fprog *program, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (size_t pc = 0; pc < program->len; pc++) {
		const struct sock_filter *at = &program->filter[pc];

		switch (at->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert_true(at->k % 4 == 0 && at->k + 4 <= sizeof(*data));
			memcpy(&a, (const char *)data + at->k, 4);
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= at->k;
			break;
		case BPF_JMP | BPF_JA:
			pc += at->k;
			break;
		case BPF_RET | BPF_K:
			return verdict_of(at->k);
		default:
			pc += holds(at->code, a, at->k) ? at->jt : at->jf;
			break;
		}
	}
	fail_msg("the program runs over its end");
	return STRANGE;
}

static int
run_number(const struct sock_fprog *program, uint32_t arch, uint32_t number)
{
	struct seccomp_data data = { .nr = (int)number, .arch = arch };

	return run(program, &data);
}

/* ---- the filters under test -------------------------------------------------------------- */

struct filters {
	struct arena arena;
	struct sock_fprog standard[FILTER_STANDARDS];
};

static struct sock_fprog
compile(struct filters *filters, const struct plan_filter *spec)
{
	struct sock_fprog program = { 0 };
	struct bailey_error err = { 0 };

	if (filter_compile(spec, &filters->arena, &program, &err) != 0) {
		fail_msg("%s", err.message);
	}
	assert_int_equal(err.status, 0);
	return program;
}

static int
make_filters(void **state)
{
	struct filters *filters = calloc(1, sizeof(*filters));

	if (filters == NULL) {
		return -1;
	}
	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		struct plan_filter spec = filter_standard_spec(i);

		filters->standard[i] = compile(filters, &spec);
	}
	*state = filters;
	return 0;
}

static int
free_filters(void **state)
{
	struct filters *filters = *state;

	arena_finish(&filters->arena);
	free(filters);
	return 0;
}

/* ---- calls and verdicts ------------------------------------------------------------------ */

enum on { ALWAYS, INET, UNIX, META, IPC, OTHERS, FLAGS };

/* OTHERS: the broker is asked about other processes; FLAGS: about metadata. */
/* `verdict` while the switch is off, `otherwise` when it is on; ALWAYS has only the first. `ints`
 * has a bit for each argument that the kernel reads as 32 bits. */
struct call {
	const char *name;
	uint64_t args[5];
	unsigned int ints;
	int verdict;
	enum on on;
	int otherwise;
};

#define CALL(name, ints, verdict, ...)                                                             \
	{                                                                                          \
		(name), { __VA_ARGS__ }, (ints), (verdict), ALWAYS, 0                              \
	}
#define CALL_ON(on, name, ints, off_verdict, on_verdict, ...)                                      \
	{                                                                                          \
		(name), { __VA_ARGS__ }, (ints), (off_verdict), (on), (on_verdict)                 \
	}
#define A0 1U
#define A1 2U
#define A2 4U
#define A3 8U
#define PTR 0x7ffc12345678 /* a pointer with a set upper half */
#define THREAD (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)
#define TYPE_FLAGS (SOCK_CLOEXEC | SOCK_NONBLOCK)
#define UNNAMED O_TMPFILE

static int
run_call(const struct sock_fprog *program, const char *name, const uint64_t args[5],
	 unsigned int rubbish)
{
	const struct syscall_row *row = syscall_find(name);
	struct seccomp_data data = { .arch = NATIVE };

	assert_non_null(row);
	data.nr = syscall_number(row);
	for (unsigned int i = 0; i < 5; i++) {
		data.args[i] = args[i];
		if ((rubbish >> i & 1U) != 0) {
			data.args[i] = (args[i] & UINT32_MAX) | RUBBISH;
		}
	}
	return run(program, &data);
}

/* Does a rule say, as it stands, that the broker is asked about this call if it passes? */
static inline bool
test_holds(const struct notify_test *test, const uint64_t args[])
{
	uint32_t low = (uint32_t)args[test->arg];

	switch (test->kind) {
	case TEST_NONE:
		return true;
	case TEST_IS:
		return low == test->value;
	case TEST_IS_NOT:
		return low != test->value;
	case TEST_HAS_ANY:
		return (low & test->value) != 0;
	case TEST_POINTER:
		return args[test->arg] != 0;
	}
	return false;
}

static inline bool
is_asked(const char *name, unsigned int parts, const uint64_t args[])
{
	for (size_t i = 0; i < filter_notify_rule_count; i++) {
		const struct notify_rule *rule = &filter_notify_rules[i];

		if ((rule->parts & parts) != 0 && strcmp(rule->name, name) == 0 &&
		    test_holds(&rule->tests[0], args) && test_holds(&rule->tests[1], args)) {
			return true;
		}
	}
	return false;
}

/* It is not refused. */
static inline bool
passes(int verdict)
{
	return verdict == 0 || verdict == ASKED;
}

static bool
exists(const char *name)
{
	const struct syscall_row *row = syscall_find(name);

	if (row == NULL) {
		fail_msg("'%s' is not in the table", name);
	}
	return syscall_number(row) >= 0;
}

#endif /* FILTER_SIM_H */
