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
#define FILTER_ALWAYS 1U	/* in every filter */
#define FILTER_STRICT 2U	/* in strict denylists and in allowlists */
#define FILTER_NO_NAMESPACES 4U /* unless namespaces are allowed */
#define FILTER_NO_METADATA 8U	/* unless metadata may be changed */
#define FILTER_INET 16U		/* when there are INET sockets */
#define FILTER_NO_INET 32U	/* when there are not */
#define FILTER_UNIX 64U		/* when there are UNIX sockets */
#define FILTER_NO_UNIX 128U	/* when there are not */

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

/* ---- the compiler (filter_build.c) ------------------------------------------------------- */

/* As filter_compile(), always through libseccomp, and with names that are known to be good. */
int filter_build(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
		 struct bailey_error *err);

/* ---- the standard programs --------------------------------------------------------------- */

/* A strict denylist with every combination of the four switches inet, unix_sockets, metadata and
 * ipc, and nothing else. */
#define FILTER_STANDARDS 16U

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
