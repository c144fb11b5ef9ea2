/* SPDX-License-Identifier: MIT */
#ifndef EXPORT_SEATBELT_H
#define EXPORT_SEATBELT_H

/*
 * The Seatbelt profile of a policy. Three steps: the places that a policy speaks of
 * (seatbelt_places.c, seatbelt_nested.c), the rules about them (seatbelt.c), and how a rule is
 * written (sbpl.c).
 */

#include "base/arena.h"
#include "base/strbuf.h"
#include "plan/plan.h"
#include "policy/policy.h"

#include <bailey/export.h>

/* A path that is denied, in one of its forms. */
struct seatbelt_denial {
	const char *path;
	bool read; /* reading is denied too; writing always is */
};

/* Grants are resolved paths; denials also paths as they were written. Of each also the form that
 * macOS has below /private. */
struct seatbelt_places {
	struct strings roots; /* writable, with protected names */
	struct strings temps; /* writable, without */
	struct strings read_roots;
	struct strings exec_roots;
	struct strings sockets; /* that may be connected to, beside those in writable places */
	bool any_socket;
	struct seatbelt_denial *denials;
	size_t denial_count;
	struct strings fixed;	/* may be neither created nor removed; what is inside may change */
	struct strings hidden;	/* directories whose names are withheld */
	struct strings anchors; /* directories that may not be moved away: a denied path is below */
};

struct seatbelt_request {
	const struct bailey_policy *policy;
	const struct bailey_scene *scene;
	const struct fs_view *fs; /* NULL: lexical */
};

int seatbelt_find_places(struct arena *arena, const struct seatbelt_request *request,
			 struct seatbelt_places *out, struct bailey_error *err);

/* A protected name as it is spelled in a directory. */
struct seatbelt_found {
	const char *dir;
	const char *name;
};

/*
 * The protected names that are there at and below `root`. The search is bounded in depth and in the
 * number of entries that it looks at, and passes over what holds other people's code. False: no
 * memory.
 */
bool seatbelt_find_nested(struct arena *arena, const struct seatbelt_request *request,
			  const char *root, struct seatbelt_found **found, size_t *count);

/* The protected name in force at `index` from 0, or NULL beyond the last. ".git" is among them
 * unless the policy protects nothing of it. */
const char *seatbelt_protected_name(const struct bailey_policy *policy, size_t index);

/* bailey_export_seatbelt() with a file system of the caller's choice. */
int seatbelt_write(const struct seatbelt_request *request, char **text, struct bailey_error *err);

/* ---- sbpl.c: writing --------------------------------------------------------------------- */

/*
 * A string literal. Quotes and backslashes are escaped, and so are newline, tab and carriage
 * return, which the profile's Scheme reader knows. BAILEY_E_UNSUPPORTED for other control
 * characters.
 */
int sbpl_string(struct strbuf *out, const char *text, struct bailey_error *err);

/*
 * "(HEAD", then for each path and each of the NULL-terminated filters a line with the filter, in
 * which "%" stands for the path as a string literal. Nothing at all when there is no path.
 */
int sbpl_rule(struct strbuf *out, const char *head, const char *const filters[],
	      const struct strings *paths, struct bailey_error *err);

/*
 * A rule "(HEAD (regex ...))" for paths with a component that is `name` in another spelling of
 * upper and lower case, but not `name` itself: on the usual macOS file system both are one file.
 * Nothing when the name has no letters, or has characters beyond A-Z a-z 0-9 . _ - that might mean
 * something in a regex.
 */
void sbpl_other_case(struct strbuf *out, const char *head, const char *name);

#endif /* EXPORT_SEATBELT_H */
