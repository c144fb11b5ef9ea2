/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_FILTER_IMPL_H
#define SANDBOX_FILTER_IMPL_H

/*
 * What the filter's own files share: the rules about arguments, the compiler proper, which the
 * build also runs to make the standard programs, and these programs.
 */

#include "sandbox/filter.h"

#include <seccomp.h>

/* ---- argument rules (filter_rules.c) ----------------------------------------------------- */

/* When a rule is in force. */
#define FILTER_ALWAYS 1U	 /* in every filter */
#define FILTER_STRICT 2U	 /* in strict denylists and in allowlists */
#define FILTER_NO_NAMESPACES 4U	 /* unless namespaces are allowed */
#define FILTER_NO_METADATA 8U	 /* unless metadata may be changed */
#define FILTER_INET 16U		 /* when there are INET sockets */
#define FILTER_NO_INET 32U	 /* when there are not */
#define FILTER_UNIX 64U		 /* when there are UNIX sockets */
#define FILTER_NO_UNIX 128U	 /* when there are not */
#define FILTER_LOOPBACK 256U	 /* when there are INET streams alone */
#define FILTER_OWN_PROCESS 512U	 /* strict, and the broker is not asked about other processes */
#define FILTER_ASK_PROCESS 1024U /* when it is asked about them */
#define FILTER_NO_FLAGS 2048U	 /* strict, and the broker is not asked about inode flags */

#define FILTER_ARGS 3

struct filter_rule {
	const char *name;
	unsigned int when;
	int error;			       /* 0: the call passes */
	struct scmp_arg_cmp args[FILTER_ARGS]; /* all must hold; unused ones have op 0 */
};

/*
 * A call that has rules in the first table, in force, is refused altogether but for what they let
 * pass; their other rules only choose a better errno. A call in the second table passes but for
 * what is listed there. No call is in both.
 */
extern const struct filter_rule filter_pass_rules[];
extern const size_t filter_pass_rule_count;
extern const struct filter_rule filter_refuse_rules[];
extern const size_t filter_refuse_rule_count;

/* ---- what is asked of the broker (filter_rules.c) ---------------------------------------- */

enum notify_kind {
	TEST_NONE,
	TEST_IS,      /* the low 32 bits of the argument are `value` */
	TEST_IS_NOT,  /* they are not */
	TEST_HAS_ANY, /* they have one of the bits of `value` */
	TEST_POINTER, /* all 64 are not zero */
};

struct notify_test {
	enum notify_kind kind;
	unsigned int arg;
	uint32_t value;
};

#define NOTIFY_TESTS 2

/* A call that every earlier stage lets pass is asked about when one of its rules is in force (one
 * of `parts` is to be asked) and all its tests hold. */
struct notify_rule {
	const char *name;
	unsigned int parts; /* PART_* */
	struct notify_test tests[NOTIFY_TESTS];
};

extern const struct notify_rule filter_notify_rules[];
extern const size_t filter_notify_rule_count;

/* Is there a rule about this call, with these parts? */
bool filter_asks(const char *name, unsigned int parts);

/*
 * The last stage (filter_notify.c): asks the broker about what the rules above say, refuses numbers
 * that the table does not know in a strict denylist, and allows the rest.
 */
int filter_build_tail(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
		      struct bailey_error *err);

/* ---- the compiler (filter_build.c) ------------------------------------------------------- */

/* The FILTER_* conditions of argument rules that hold for a spec. */
unsigned int filter_conditions(const struct plan_filter *spec);

/* As filter_compile(), always through libseccomp, and with names that are known to be good. */
int filter_build(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
		 struct bailey_error *err);

/* ---- the standard programs --------------------------------------------------------------- */

/*
 * Strict denylists, and nothing else: with every combination of the four switches inet,
 * unix_sockets, metadata and ipc where nobody is asked, and what `bailey run` makes of the usual
 * options where the broker is.
 */
#define FILTER_ALONE 16U
#define FILTER_ASKING 8U
#define FILTER_STANDARDS (FILTER_ALONE + FILTER_ASKING)

struct plan_filter filter_standard_spec(unsigned int index);

/* Which of them a spec is; FILTER_STANDARDS when it is none. */
unsigned int filter_standard_index(const struct plan_filter *spec);

struct filter_program {
	const struct sock_filter *code;
	unsigned short len;
};

/* Made by filter_gen.c at build time; the count is FILTER_STANDARDS, or 0 in a cross build. */
extern const struct filter_program filter_standards[];
extern const unsigned int filter_standard_count;

#endif /* SANDBOX_FILTER_IMPL_H */
