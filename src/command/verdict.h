/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_VERDICT_H
#define COMMAND_VERDICT_H

/*
 * From findings to a verdict: places, the table of deeds by places, and the account of reasons,
 * effects and commands that becomes a struct bailey_verdict.
 */

#include "command/model.h"

/* Which place a path is. `path` is absolute and normal as shell_path() gives it; it may have
 * unknown parts and globs. `all` is set when it stands for all that is in a directory (dir/ and
 * dir/ * with or without hidden names) or may do so. */
struct place {
	enum bailey_place place;
	bool all;
	bool below;    /* an unknown or filtered part of it: something below, not all */
	bool holds;    /* a directory somewhere below which secrets lie */
	bool critical; /* adding to it is as bad as replacing it: sudoers, authorized_keys, cron */
};
struct place place_of(const struct bailey_scene *scene, const struct field *path);

struct account; /* opaque: verdict.c */

/* What is being judged; the walker keeps one for each simple command. */
struct subject {
	struct account *account;
	size_t command;		  /* index of the simple command, or SIZE_MAX */
	enum bailey_decision cap; /* nothing found gets worse than this: uncalled functions */
	bool remote;		  /* paths are those of another machine */
};

struct account *account_new(struct arena *arena, const struct bailey_scene *scene,
			    const struct source *source);

/* A simple command; returns its index. The arrays are kept, not copied. */
size_t account_command(struct account *account, const struct bailey_simple *simple);

/* A reason. `where` may be NULL (the whole command). Equal reasons at one span count once; only
 * the first ones of a rule are kept with their texts when there are very many, and the decision
 * always counts. */
void account_reason(struct subject *subject, enum bailey_decision decision, const char *rule,
		    const char *message, const struct source *source, struct bailey_span span);
void account_rule(struct subject *subject, const struct rule *rule, const struct field *target,
		  const struct field *fallback);

/* An effect on a path: finds the place, decides by the table, adds effect and reason. Returns
 * what it decided. `shell` is for its cwd and scene. `content` is what is written, when known. */
enum bailey_decision account_deed(struct subject *subject, struct shell *shell,
				  const struct effect *effect);

void account_sandbox(struct subject *subject); /* holds inside the sandbox only */
void account_unreadable(struct subject *subject, const struct trouble *trouble,
			const struct source *source);

/* The worst decision so far, of everything, or since the mark: for judging a text on trial. */
enum bailey_decision account_decision(const struct account *account);
size_t account_mark(const struct account *account);
enum bailey_decision account_since(const struct account *account, size_t mark);

/* The decision of one command changes with what is found later. */
enum bailey_decision account_command_decision(const struct account *account, size_t command);

int account_finish(struct account *account, struct bailey_verdict *verdict,
		   struct bailey_error *err);

#endif /* COMMAND_VERDICT_H */
