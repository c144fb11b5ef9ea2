/* SPDX-License-Identifier: MIT */
/*
 * The filter's front: checks the words of a spec, and takes a program that was compiled while
 * Bailey was built where there is one. libseccomp needs half a millisecond, as long as all the
 * rest of a start.
 */
#include "sandbox/filter_impl.h"

#include "base/attr.h"
#include "base/doc.h"

#include <string.h>

/* ---- names ------------------------------------------------------------------------------- */

static const char *
nearest_name(const char *word)
{
	const char *names[SYSCALL_ROWS_MAX + FAMILIES];
	size_t count = 0;

	for (size_t i = 0; i < syscall_row_count; i++) {
		names[count++] = syscall_rows[i].name;
	}
	for (int i = 0; i < FAMILIES; i++) {
		names[count++] = syscall_family_name((enum syscall_family)i);
	}
	return suggest(word[0] == '@' ? word + 1 : word, names, count);
}

/* A call that another architecture has ("socketcall") is no mistake, only nothing to do here. */
static bool
known_elsewhere(const char *word)
{
	return seccomp_syscall_resolve_name(word) != __NR_SCMP_ERROR;
}

static int
check_words(const struct strings *words, const char *where, struct bailey_error *err)
{
	bool chosen[SYSCALL_ROWS_MAX];

	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->items[i];
		const char *meant;

		if (syscall_choose(word, chosen) || known_elsewhere(word)) {
			continue;
		}
		meant = nearest_name(word);
		if (meant != NULL) {
			return bailey_fail(err, BAILEY_E_INVALID,
					   "unknown system call or family '%s' among the %s ones; "
					   "did you mean '%s'?",
					   word, where, meant);
		}
		return bailey_fail(err, BAILEY_E_INVALID,
				   "unknown system call or family '%s' among the %s ones", word,
				   where);
	}
	return 0;
}

int
filter_check_names(const struct plan_filter *spec, struct bailey_error *err)
{
	int rc = check_words(&spec->blocked, "blocked", err);

	rc = rc < 0 ? rc : check_words(&spec->additional, "additional", err);
	return rc < 0 ? rc : check_words(&spec->allowed, "allowed", err);
}

/* ---- programs ---------------------------------------------------------------------------- */

static bool
same_switches(const struct plan_filter *a, const struct plan_filter *b)
{
	/* Where INET sockets are open, loopback says nothing. */
	return a->inet == b->inet && (a->inet || a->loopback == b->loopback) &&
	       a->unix_sockets == b->unix_sockets && a->metadata == b->metadata &&
	       a->ipc == b->ipc && a->notify == b->notify;
}

unsigned int
filter_standard_index(const struct plan_filter *spec)
{
	if (spec->mode != SECCOMP_DENYLIST || !spec->strict || spec->additional.count > 0 ||
	    spec->namespaces || spec->log_only) {
		return FILTER_STANDARDS;
	}
	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		struct plan_filter standard = filter_standard_spec(i);

		if (same_switches(spec, &standard)) {
			return i;
		}
	}
	return FILTER_STANDARDS;
}

/* struct sock_fprog is not const, because the kernel's header is not; nobody writes to it. */
static struct sock_filter *
unconst(const struct sock_filter *code)
{
	return (struct sock_filter *)(uintptr_t)code;
}

int
filter_compile(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
	       struct bailey_error *err)
{
	unsigned int index = filter_standard_index(spec);
	int rc = filter_check_names(spec, err);

	if (rc < 0) {
		return rc;
	}
	if (index < filter_standard_count) {
		out->filter = unconst(filter_standards[index].code);
		out->len = filter_standards[index].len;
		return 0;
	}
	return filter_build(spec, arena, out, err);
}
