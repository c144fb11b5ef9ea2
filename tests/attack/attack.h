/* SPDX-License-Identifier: MIT */
#ifndef ATTACK_ATTACK_H
#define ATTACK_ATTACK_H

/*
 * One attack: something that a command in a sandbox must not be able to do, as one short function.
 *
 * The program `attacker` runs one of them and reports what it saw. That report is only half of the
 * verdict: run.py, which stands outside of the sandbox, looks for the effect itself in the way that
 * the attack's proof names. The same attack is run without a sandbox first; a test that never
 * succeeds proves nothing.
 *
 * An attack's process does nothing else and is short-lived, so nothing in it is ever freed.
 */

#include <stdbool.h>
#include <sys/types.h>

enum outcome {
	SUCCEEDED,	/* as far as the attack can tell */
	BLOCKED,	/* something refused; errno is part of the report */
	NOT_APPLICABLE, /* this kernel or user cannot do it with or without a sandbox */
};

/* Where the effect of an attack is seen. run.py knows these by the names in attacker.c. */
enum proof {
	PROOF_CALL,	/* only in the call: the kernel did what was asked */
	PROOF_FILES,	/* in a file that is off limits */
	PROOF_SECRET,	/* in the report, which shows what only a reader can know */
	PROOF_RECEIVED, /* at a listener outside, or in its reply */
	PROOF_VICTIM,	/* in a process outside: its state, memory, limits, or signals it got */
	PROOF_TERMINAL, /* on the terminal of the caller, as typed keys */
	PROOF_LAUNCHER, /* in the end of the program that started the sandbox */
	PROOF_LEFT,	/* in a file, which the report names, that is still there at the end */
};

struct scene;

struct attack {
	const char *name;
	enum proof proof;
	const char *tries; /* one sentence without a subject: "creates a file ..." */
	enum outcome (*run)(const struct scene *scene);
	const char *subject; /* for functions that serve several rows: a name, or NULL */
	int args[3];	     /* likewise, numbers */
};

/* What run.py tells an attack about its surroundings, as key=value arguments of the same names. */
struct scene {
	const struct attack *row; /* the attack itself */

	const char *home;      /* home directory of the user, with secrets in it */
	const char *workspace; /* the working directory: a git repository below `home` */
	const char *work;      /* a directory of the workspace to make files in */
	const char *outside;   /* a directory that belongs to nobody in the sandbox */
	const char *tag;       /* unique to this run, for names in places that are shared */
	const char *keys;      /* what to type into a terminal; never printed otherwise */
	const char *probe;     /* a setuid program that prints its effective uid */
	const char *cgroup;    /* a cgroup that the user may write to, or "" */
	const char *other_tmp; /* the temp directory of another sandbox that is running */
	const char *unix_stream;
	const char *unix_datagram;
	const char *abstract;  /* name of a stream socket; with a "d" behind, of a datagram one */
	const char *queue;     /* name of a POSIX message queue */
	const char *shared;    /* name of a POSIX shared memory object */
	const char *terminal;  /* another terminal of the user, where secrets are typed */
	long runner;	       /* pid of run.py, which is not a target */
	long victim;	       /* pid of a process outside, of the same user */
	long victim_secret;    /* address of a secret in its memory; 128 bytes on, of a mark */
	long victim_read_fd;   /* its descriptor that reads a secret */
	long victim_write_fd;  /* its descriptor that writes to a file outside */
	long namespace_victim; /* pid of a process in a user and mount namespace of its own */
	long tcp4;	       /* ports on loopback of listeners that answer */
	long tcp6;
	long udp;
	long dns;
	long prober;  /* a port on loopback that somebody outside keeps connecting to */
	long ipc_key; /* of a shared memory segment, a semaphore and a message queue */
	long group;   /* a group, other than the main one, that the user may give files to */
	long disk_mb; /* limits that the sandbox was started with */
	long memory_mb;
	long pids;
	long tries; /* so many for a race; 0: as many as fit into its time */
};

/* The tables end with a row that has no name. */
extern const struct attack benign_attacks[];
extern const struct attack broker_attacks[];
extern const struct attack cgroup_attacks[];
extern const struct attack env_attacks[];
extern const struct attack family_attacks[];
extern const struct attack fd_attacks[];
extern const struct attack fswrite_attacks[];
extern const struct attack info_attacks[];
extern const struct attack ipc_attacks[];
extern const struct attack kern_attacks[];
extern const struct attack launcher_attacks[];
extern const struct attack limit_attacks[];
extern const struct attack meta_attacks[];
extern const struct attack missing_attacks[];
extern const struct attack nested_attacks[];
extern const struct attack net_attacks[];
extern const struct attack ns_attacks[];
extern const struct attack proc_attacks[];
extern const struct attack procsig_attacks[];
extern const struct attack protect_attacks[];
extern const struct attack race_attacks[];
extern const struct attack read_attacks[];
extern const struct attack readmeta_attacks[];
extern const struct attack readonly_attacks[];
extern const struct attack start_attacks[];
extern const struct attack tmp_attacks[];
extern const struct attack tty_attacks[];
extern const struct attack unix_attacks[];

/* ---- how an attack ends ---------------------------------------------------------------------- */

/* Each takes a printf format for the report. blocked() adds the text of errno. */
enum outcome succeeded(const char *format, ...) __attribute__((format(printf, 1, 2)));
enum outcome blocked(const char *format, ...) __attribute__((format(printf, 1, 2)));
enum outcome not_applicable(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* By the result of a call named `what`: succeeded unless `result` is negative. */
enum outcome tried(long result, const char *what);

/* Writes a mark to a descriptor that open() and the like returned, -1 included. */
enum outcome write_mark(int fd);

/* Shows the first bytes of what was read; a secret among them is what run.py looks for. */
enum outcome show(const char *data, ssize_t len);
enum outcome show_file(int fd);

/* ---- what many attacks need ------------------------------------------------------------------ */

/* Formats a path, or any string. Never NULL. */
const char *path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where the command may write beside the workspace: $TMPDIR or /tmp. */
const char *temp_directory(void);

/* Creates an empty file, or overwrites one with `text`. False on failure. */
bool make_file(const char *name);
bool put_text(const char *name, const char *text);

/* Writes all of `text` to a file that exists, as to those in /proc; false on failure. */
bool write_to(const char *name, const char *text);

/* Reads at most `size` - 1 bytes and puts a NUL behind. Returns their number or -1. */
ssize_t read_text(const char *name, char *buf, size_t size);

/* Runs a command with the shell of the system, `bash` for what only bash has. True on status 0. */
bool shell(const char *command);
bool bash(const char *command);

/* Waits for a child and returns its exit status, or -1 when it ended otherwise. */
int exit_status(pid_t child);

#endif /* ATTACK_ATTACK_H */
