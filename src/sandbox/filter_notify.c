/* SPDX-License-Identifier: MIT */
/*
 * The last stage of a filter: of the calls that all before it let pass, which go to the broker.
 *
 * It is made by hand, since libseccomp has no "this call unless", and because every instruction
 * is paid for when the kernel loads the program. The numbers of calls fall into runs that fare
 * alike; a binary search over where they begin leads to one of three ends, or to the tests of a
 * call's arguments. Only what seccomp's cache of always-allowed calls understands is used (JMP, AND
 * and loads), so a call that is asked about for no arguments costs the others nothing.
 */
#include "sandbox/filter_impl.h"

#include "base/attr.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>

/* Jumps have eight bits, and all lead forward. */
#define STAGE_MAX 255U
#define LABELS_MAX 192U
#define CHECKS_MAX 24U
#define ODD_MAX                                                                                    \
	4U /* comparisons one after the other, before another step of the search is better */

/* Labels: where a jump leads. */
enum { NEXT = -1, PASS, ASK, UNKNOWN, FIRST_CHECK };

struct insn {
	struct sock_filter code;
	int yes; /* labels; NEXT: the following instruction */
	int no;
};

/* Numbers from `first` to the next run's lead to `label`, but for a few odd ones. */
struct call_run {
	uint32_t first;
	int label;
	uint32_t odd[ODD_MAX];
	int odd_label[ODD_MAX];
	unsigned int odd_count;
};

struct tail {
	unsigned int parts;
	struct insn insns[STAGE_MAX];
	size_t count;
	size_t labels[LABELS_MAX]; /* the instruction that each stands before */
	int label_count;
	int of_call[SYSCALL_FIRST_UNKNOWN]; /* the label of each number; PASS is 0 */
	const char *checks[CHECKS_MAX]; /* the call that each label from FIRST_CHECK on is about */
	size_t check_count;
	struct call_run runs[SYSCALL_FIRST_UNKNOWN + 1];
	size_t run_count;
	bool full;
};

/* ---- emitting ---------------------------------------------------------------------------- */

static void
emit(struct tail *t, uint16_t code, uint32_t k, int yes, int no)
{
	if (t->count == STAGE_MAX) {
		t->full = true;
		return;
	}
	t->insns[t->count++] = (struct insn){ { .code = code, .k = k }, yes, no };
}

static void
load(struct tail *t, size_t offset)
{
	emit(t, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, NEXT, NEXT);
}

static int
new_label(struct tail *t)
{
	if (t->label_count == LABELS_MAX) {
		t->full = true;
		return PASS;
	}
	return t->label_count++;
}

static void
place_label(struct tail *t, int label)
{
	t->labels[label] = t->count;
}

/* ---- what is asked ----------------------------------------------------------------------- */

static bool
in_force(const struct notify_rule *rule, unsigned int parts)
{
	return (rule->parts & parts) != 0;
}

bool
filter_asks(const char *name, unsigned int parts)
{
	for (size_t i = 0; i < filter_notify_rule_count; i++) {
		if (in_force(&filter_notify_rules[i], parts) &&
		    strcmp(filter_notify_rules[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* The label of the call's tests; the same for each rule of one call. */
static int
check_label(struct tail *t, const char *name)
{
	for (size_t i = 0; i < t->check_count; i++) {
		if (strcmp(t->checks[i], name) == 0) {
			return FIRST_CHECK + (int)i;
		}
	}
	if (t->check_count == CHECKS_MAX) {
		t->full = true;
		return ASK;
	}
	t->checks[t->check_count] = name;
	return FIRST_CHECK + (int)t->check_count++;
}

static void
choose_labels(struct tail *t)
{
	for (size_t i = 0; i < filter_notify_rule_count; i++) {
		const struct notify_rule *rule = &filter_notify_rules[i];
		const struct syscall_row *row = syscall_find(rule->name);
		int number = row != NULL ? syscall_number(row) : -1;

		if (number < 0 || !in_force(rule, t->parts) || t->of_call[number] == ASK) {
			continue;
		}
		t->of_call[number] =
			rule->tests[0].kind == TEST_NONE ? ASK : check_label(t, rule->name);
	}
}

/* ---- the search -------------------------------------------------------------------------- */

/* The runs as they are: each begins where the label changes. */
static size_t
plain_runs(const struct tail *t, bool refuse_unknown, struct call_run runs[])
{
	size_t count = 0;

	for (uint32_t nr = 0; nr <= SYSCALL_FIRST_UNKNOWN; nr++) {
		int label = nr < SYSCALL_FIRST_UNKNOWN ? t->of_call[nr]
			    : refuse_unknown	       ? UNKNOWN
						       : PASS;

		if (count == 0 || runs[count - 1].label != label) {
			runs[count++] = (struct call_run){ .first = nr, .label = label };
		}
	}
	return count;
}

/* Is runs[i + 1] a single call, with calls behind it that fare as those before it? */
static bool
is_odd(const struct call_run runs[], size_t count, size_t i)
{
	return i + 2 < count && runs[i + 2].first == runs[i + 1].first + 1 &&
	       runs[i + 2].label == runs[i].label;
}

/* Single calls between others that fare alike become odd ones of these. */
static void
make_runs(struct tail *t, bool refuse_unknown)
{
	struct call_run plain[SYSCALL_FIRST_UNKNOWN + 1];
	size_t count = plain_runs(t, refuse_unknown, plain);

	for (size_t i = 0; i < count; i++) {
		struct call_run *run = &t->runs[t->run_count++];

		*run = plain[i];
		while (run->odd_count < ODD_MAX && is_odd(plain, count, i)) {
			run->odd[run->odd_count] = plain[i + 1].first;
			run->odd_label[run->odd_count++] = plain[i + 1].label;
			i += 2;
		}
		if (is_odd(plain, count, i)) {
			i--; /* begin again where this one is full */
		}
	}
}

static void
emit_run(struct tail *t, const struct call_run *run)
{
	for (unsigned int i = 0; i < run->odd_count; i++) {
		bool last = i + 1 == run->odd_count;

		emit(t, BPF_JMP | BPF_JEQ | BPF_K, run->odd[i], run->odd_label[i],
		     last ? run->label : NEXT);
	}
}

/* A run without odd ones needs no instruction: whoever leads to it leads to its label. */
static bool
is_bare(const struct call_run *run)
{
	return run->odd_count == 0;
}

/* The search among runs low to high; at most nine calls deep. */
static void
emit_search(struct tail *t, size_t low, size_t high)
{
	size_t middle = low + (high - low + 1) / 2;
	bool left_bare = middle == low + 1 && is_bare(&t->runs[low]);
	bool right_bare = middle == high && is_bare(&t->runs[high]);
	int right;

	if (low == high) {
		emit_run(t, &t->runs[low]);
		return;
	}
	right = right_bare ? t->runs[high].label : new_label(t);
	emit(t, BPF_JMP | BPF_JGE | BPF_K, t->runs[middle].first, right,
	     left_bare ? t->runs[low].label : NEXT);
	if (!left_bare) {
		emit_search(t, low, middle - 1);
	}
	if (!right_bare) {
		place_label(t, right);
		emit_search(t, middle, high);
	}
}

/* ---- tests of arguments ------------------------------------------------------------------ */

static size_t
argument(unsigned int n, bool high)
{
	bool second = high == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	return offsetof(struct seccomp_data, args) + n * sizeof(uint64_t) + (second ? 4 : 0);
}

/* Goes on to the next instruction when the test holds, else to `otherwise`. The kernel takes the
 * arguments that are numbers as 32 bits, so the upper half is not looked at. */
static void
emit_test(struct tail *t, const struct notify_test *test, int otherwise)
{
	int holds;

	load(t, argument(test->arg, false));
	switch (test->kind) {
	case TEST_NONE:
		break;
	case TEST_IS:
		emit(t, BPF_JMP | BPF_JEQ | BPF_K, test->value, NEXT, otherwise);
		break;
	case TEST_IS_NOT:
		emit(t, BPF_JMP | BPF_JEQ | BPF_K, test->value, otherwise, NEXT);
		break;
	case TEST_HAS_ANY:
		emit(t, BPF_JMP | BPF_JSET | BPF_K, test->value, NEXT, otherwise);
		break;
	case TEST_POINTER:
		holds = new_label(t);
		emit(t, BPF_JMP | BPF_JEQ | BPF_K, 0, NEXT, holds);
		load(t, argument(test->arg, true));
		emit(t, BPF_JMP | BPF_JEQ | BPF_K, 0, otherwise, NEXT);
		place_label(t, holds);
		break;
	}
}

/* The last test of a rule leads to ASK when it holds. */
static void
emit_rule(struct tail *t, const struct notify_rule *rule, int otherwise)
{
	for (size_t i = 0; i < NOTIFY_TESTS && rule->tests[i].kind != TEST_NONE; i++) {
		emit_test(t, &rule->tests[i], otherwise);
	}
	emit(t, BPF_JMP | BPF_JA, 0, ASK, ASK);
}

/* All rules of one call: asked when one holds. */
static void
emit_check(struct tail *t, const char *name)
{
	for (size_t i = 0; i < filter_notify_rule_count; i++) {
		const struct notify_rule *rule = &filter_notify_rules[i];
		int otherwise;

		if (!in_force(rule, t->parts) || strcmp(rule->name, name) != 0) {
			continue;
		}
		otherwise = new_label(t);
		emit_rule(t, rule, otherwise);
		place_label(t, otherwise);
	}
	emit(t, BPF_JMP | BPF_JA, 0, PASS, PASS);
}

/* ---- the stage --------------------------------------------------------------------------- */

/* How far it is from instruction `at` to a label. */
static size_t
distance(const struct tail *t, size_t at, int label)
{
	return label == NEXT ? 0 : t->labels[label] - at - 1;
}

static void
resolve_jumps(struct tail *t, struct sock_filter code[])
{
	for (size_t i = 0; i < t->count; i++) {
		const struct insn *insn = &t->insns[i];

		code[i] = insn->code;
		if (insn->code.code == (BPF_JMP | BPF_JA)) {
			code[i].k = (uint32_t)distance(t, i, insn->yes);
		} else if (BPF_CLASS(insn->code.code) == BPF_JMP) {
			code[i].jt = (uint8_t)distance(t, i, insn->yes);
			code[i].jf = (uint8_t)distance(t, i, insn->no);
		}
	}
}

static void
emit_all(struct tail *t, const struct plan_filter *spec)
{
	bool refuse_unknown = spec->mode == SECCOMP_DENYLIST && spec->strict;

	choose_labels(t);
	make_runs(t, refuse_unknown);
	load(t, offsetof(struct seccomp_data, nr));
	emit_search(t, 0, t->run_count - 1);
	for (size_t i = 0; i < t->check_count; i++) {
		place_label(t, FIRST_CHECK + (int)i);
		emit_check(t, t->checks[i]);
	}
	place_label(t, PASS);
	emit(t, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, NEXT, NEXT);
	place_label(t, ASK);
	emit(t, BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF, NEXT, NEXT);
	place_label(t, UNKNOWN);
	emit(t, BPF_RET | BPF_K, spec->log_only ? SECCOMP_RET_LOG : SECCOMP_RET_ERRNO | ENOSYS,
	     NEXT, NEXT);
}

int
filter_build_tail(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
		  struct bailey_error *err)
{
	struct tail *t = arena_alloc(arena, sizeof(*t));

	out->filter = arena_array(arena, STAGE_MAX, sizeof(*out->filter));
	if (t == NULL || out->filter == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "out of memory for the system call filter");
	}
	memset(t, 0, sizeof(*t));
	t->parts = spec->notify;
	t->label_count = FIRST_CHECK + (int)CHECKS_MAX;
	emit_all(t, spec);
	if (t->full) {
		return bailey_fail(err, BAILEY_E_LIMIT,
				   "too much is to be asked of the broker for one filter");
	}
	resolve_jumps(t, out->filter);
	out->len = (unsigned short)t->count;
	return 0;
}
