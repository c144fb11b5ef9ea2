/* SPDX-License-Identifier: MIT */
#ifndef POLICY_PARTS_H
#define POLICY_PARTS_H

/*
 * What the files of the policy room share with each other and with nobody else.
 */

#include "base/doc.h"
#include "base/strbuf.h"
#include "policy/policy.h"

#define POLICY_TYPES 4

/* Names are compared with each other when they are written, so there must not be many. */
#define POLICY_RESOLVE_MAX 1024

static inline void
policy_freep(struct bailey_policy **policy)
{
	bailey_policy_free(*policy);
}

#define AUTO_POLICY __attribute__((cleanup(policy_freep))) struct bailey_policy

/* ---- model.c ------------------------------------------------------------------------------- */

/* As bailey_policy_new(); `wire` takes the defaults of the wire form where the two differ. */
int policy_create(enum bailey_policy_type type, bool wire, struct bailey_policy **out,
		  struct bailey_error *err);

/* Do the invariants of policy.h hold? For tests and fuzzing. */
bool policy_check(const struct bailey_policy *policy);

/* Appends a copy of `text` to a list of the policy. False: no memory, nothing has changed. */
bool policy_append(struct bailey_policy *policy, struct strings *list, const char *text);

bool policy_has_network(const struct bailey_policy *policy);
extern const char *const policy_type_names[POLICY_TYPES];

/* ---- defaults.c ---------------------------------------------------------------------------- */

#define POLICY_PRESETS 4
extern const char *const policy_preset_names[POLICY_PRESETS];
extern const struct limits policy_presets[POLICY_PRESETS];
enum { PRESET_CONSERVATIVE, PRESET_MODERATE, PRESET_GENEROUS, PRESET_UNLIMITED };

extern const char *const policy_blocked_syscalls[];
extern const size_t policy_blocked_syscall_count;

/* Is this list, as a set, what "strict" stands for? */
bool policy_is_strict_list(const char *const items[], size_t count);

#define POLICY_SECCOMP_NAMES 3
extern const char *const policy_seccomp_names[POLICY_SECCOMP_NAMES];
enum { SECCOMP_NAME_STRICT, SECCOMP_NAME_PERMISSIVE, SECCOMP_NAME_LOGGING };

/* Sets what the named profile says: the list and log_only. */
void policy_use_seccomp(struct seccomp_profile *profile, size_t name);

/* Gives the policy a list of its own that holds the defaults. False: no memory. */
bool policy_own_sensitive(struct bailey_policy *policy);

/* ---- values.c: what is wrong with a value, as the end of a sentence; NULL: nothing ---------- */

enum value_form {
	VALUE_ROOT,    /* an absolute path, or one that starts with "~/" */
	VALUE_PATH,    /* any path */
	VALUE_SOCKET,  /* as VALUE_ROOT, or "*" */
	VALUE_NAME,    /* one path component */
	VALUE_SYSCALL, /* a system call, or a family of them */
	VALUE_DEVICE,  /* a device group */
};

const char *value_problem(enum value_form form, const char *text);

/* ---- domain.c ------------------------------------------------------------------------------ */

/*
 * The normal form of a host name or address in the arena; "*." in front is accepted when
 * `pattern`. BAILEY_OK, BAILEY_E_NOMEM, or BAILEY_E_INVALID with the end of a sentence in
 * `*problem` (static).
 */
int domain_normalize(struct arena *arena, const char *text, bool pattern, const char **out,
		     const char **problem);

/* "8000", "8000-8010" or "*". NULL or the end of a sentence. */
const char *port_range(const char *text, size_t len, uint16_t *first, uint16_t *last);

/* "HOST[:PORT][/tcp|/udp]"; returns as domain_normalize(). */
int net_entry_parse(struct arena *arena, const char *text, struct net_entry *out,
		    const char **problem);

/* Does a normal pattern cover a normal host? */
bool domain_matches(const char *pattern, const char *host);

/* Is it an IPv4 or IPv6 address in normal form? */
bool domain_is_address(const char *domain);

/* ---- keys.c, read.c and write.c: the wire form ---------------------------------------------- */

struct reading {
	struct bailey_policy *policy;
	bool profile;	    /* the forms that only profiles and configuration files have */
	bool config;	    /* a [sandbox] table, whose own keys stand for some of these */
	bool whole;	    /* a policy as a whole, not a piece of one */
	bool sockets_given; /* allow_network_sockets was written */
};

enum key_kind { KEY_BOOL, KEY_WORD, KEY_STRINGS, KEY_SPECIAL };

/* One key of the wire form. */
struct key {
	const char *name;
	unsigned int seed;  /* types (bit by enum value) for which it is always written */
	unsigned int types; /* types that may have it */
	bool not_in_config; /* a [sandbox] table says it in another way */
	enum key_kind kind;
	size_t offset; /* of the field; not for KEY_SPECIAL */
	bool normal_bool;
	unsigned int normal_word;
	const char *const *words;
	size_t word_count;
	enum value_form form;
	/* KEY_SPECIAL. `differs` is asked only for types that are not in `seed`. */
	int (*read)(struct reading *reading, struct node node, struct bailey_error *err);
	void (*write)(struct strbuf *out, const struct bailey_policy *policy);
	bool (*differs)(const struct bailey_policy *policy);
};

extern const struct key policy_keys[];
extern const size_t policy_key_count;
#define POLICY_KEYS_MAX 32

const struct key *policy_key(const char *name);
void *policy_field(struct bailey_policy *policy, const struct key *key);
const void *policy_field_const(const struct bailey_policy *policy, const struct key *key);

extern const char *const protect_git_names[3];
extern const char *const tmp_names[2];
extern const char *const caches_names[3];
extern const char *const proc_names[2];
extern const char *const loopback_names[2];
extern const char *const limit_names[6];
/* A limit by its index in limit_names, and the largest value that it may have. */
uint64_t *limit_at(struct limits *limits, size_t index);
uint64_t limit_max(size_t index);

/* Reads the keys of an object that are there, on top of what the policy has. */
int policy_read_keys(struct reading *reading, struct node object, const char *const more[],
		     size_t more_count, struct bailey_error *err);
/* The type of an object with a "type" key; an error when it has none. */
int policy_read_type(struct node object, enum bailey_policy_type *type, struct bailey_error *err);
/* The whole of an object in the wire form. */
int policy_read_wire(struct node object, struct bailey_policy **out, struct bailey_error *err);
/* Lists of strings, each checked, appended. */
int policy_read_strings(struct bailey_policy *policy, struct node array, enum value_form form,
			struct strings *list, struct bailey_error *err);

int read_roots(struct reading *reading, struct node node, struct bailey_error *err);
int read_allowlist(struct reading *reading, struct node node, struct bailey_error *err);
int read_sensitive(struct reading *reading, struct node node, struct bailey_error *err);
int read_limits(struct reading *reading, struct node node, struct bailey_error *err);
int read_seccomp(struct reading *reading, struct node node, struct bailey_error *err);
/* Its flags and lists, without what chooses the profile as a whole and without its keys. */
int read_seccomp_parts(struct reading *reading, struct node node, struct bailey_error *err);
int read_description(struct reading *reading, struct node node, struct bailey_error *err);
int read_tmp(struct reading *reading, struct node node, struct bailey_error *err);
int read_loopback(struct reading *reading, struct node node, struct bailey_error *err);
int read_bind_ports(struct reading *reading, struct node node, struct bailey_error *err);
int read_resolve(struct reading *reading, struct node node, struct bailey_error *err);

void write_roots(struct strbuf *out, const struct bailey_policy *policy);
void write_allowlist(struct strbuf *out, const struct bailey_policy *policy);
void write_sensitive(struct strbuf *out, const struct bailey_policy *policy);
void write_limits(struct strbuf *out, const struct bailey_policy *policy);
void write_seccomp(struct strbuf *out, const struct bailey_policy *policy);
void write_description(struct strbuf *out, const struct bailey_policy *policy);
void write_tmp(struct strbuf *out, const struct bailey_policy *policy);
void write_loopback(struct strbuf *out, const struct bailey_policy *policy);
void write_bind_ports(struct strbuf *out, const struct bailey_policy *policy);
void write_resolve(struct strbuf *out, const struct bailey_policy *policy);
bool limits_differ(const struct bailey_policy *policy);
bool seccomp_differs(const struct bailey_policy *policy);
bool tmp_differs(const struct bailey_policy *policy);
bool loopback_differs(const struct bailey_policy *policy);
bool bind_ports_differ(const struct bailey_policy *policy);
bool resolve_differs(const struct bailey_policy *policy);

/* ---- config.c ------------------------------------------------------------------------------ */

/* The policy of a [sandbox] table. */
int policy_read_config(struct node sandbox, struct bailey_policy **out, struct bailey_error *err);
/* A table {use_defaults, additional, exceptions}. */
int policy_read_sensitive_table(struct bailey_policy *policy, struct node table,
				struct bailey_error *err);

/* ---- profile.c ----------------------------------------------------------------------------- */

#define POLICY_PROFILES_MAX 32

/* The policy of a parsed file in whichever of the three forms it is. Takes the document. */
int policy_read_doc(struct doc *doc, const char *path, const char *profile_dir,
		    struct bailey_policy **out, struct bailey_error *err);

/* Generated from data/profiles by embed_profiles.py. */
extern const struct bailey_profile policy_profiles[];
extern const size_t policy_profile_count;

#endif /* POLICY_PARTS_H */
