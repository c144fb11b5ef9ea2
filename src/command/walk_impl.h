/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_WALK_IMPL_H
#define COMMAND_WALK_IMPL_H

/*
 * What the files of the walker share. Private to walk*.c.
 *
 * Invariants:
 *   - every node of the text is visited at least once; only repetitions (loops, calls) are cut, and
 *     a cut is always a reason to prompt
 *   - what is set where it may not run is unsure afterwards (shell_join)
 *   - `level` bounds the recursion of everything here and in expand.h together
 *   - while `floor` is above allow, something is only tried: milder findings are dropped and no
 *     command is added to the account
 */

#include "command/code.h"
#include "command/emulate.h"
#include "command/expand.h"
#include "command/walk.h"

/* The output of a shell that does what somebody else tells it: beside enum taint. */
#define WALK_TAINT_SHELL 0x4000
/* What came through a named pipe: whoever writes to it decides what it is. */
#define WALK_TAINT_FIFO 0x8000

/* ---- rules -------------------------------------------------------------------------------- */

/* The reasons that the walker gives by itself; walk_rules.c has their ids and messages. */
enum why {
	WHY_UNKNOWN_PROGRAM,
	WHY_UNKNOWN_USE,
	WHY_UNKNOWN_NAME,
	WHY_LOOK_ALIKE,
	WHY_UNKNOWN_CODE,
	WHY_UNKNOWN_PART,
	WHY_UNKNOWN_FILE,
	WHY_UNKNOWN_INPUT,
	WHY_DECODED,
	WHY_OTHER_CODE,
	WHY_REMOTE_CODE,
	WHY_REMOTE_PART,
	WHY_REVERSE_SHELL,
	WHY_FORK_BOMB,
	WHY_RECURSIVE,
	WHY_TOO_MUCH,
	WHY_TOO_DEEP,
	WHY_PAYLOAD,
	WHY_NETWORK,
	WHY_SECRET_SENT,
	WHY_SECRET_HEADER,
	WHY_SECRET_SHOWN,
	WHY_ELSEWHERE,
	WHY_PRIVILEGED,
	WHY_LATER,
	WHY_WRAPPER,
	WHY_VARIABLE,
	WHY_VARIABLE_PROGRAM,
	WHY_VARIABLE_LOADS,
	WHY_ALIAS,
	WHY_UNKNOWN_TARGET,
	WHY_BUILTIN_OPTION,
	WHY_BUILTIN_LOADS,
	WHY_BUILTIN_BINDS,
	WHY_BUILTIN_STOPS,
	WHY_BUILTIN_LIMITS,
	WHY_BUILTIN_SHELL,
	WHY_BUILTIN_HISTORY,
	WHY_BUILTIN_TRACE,
	WHY_BUILTIN_SECRET,
	WHY_NAME_CODE,
	WHY_COUNT_
};

extern const struct rule walk_rules[WHY_COUNT_];

/* ---- streams ------------------------------------------------------------------------------ */

#define WALK_FDS 16
#define DEV_FD_FIRST 63

/* A text that grows: what is written to a pipe or a file. */
struct growing {
	char *text;
	uint8_t *marks; /* NULL: all literal */
	size_t len, room;
	uint16_t taint;
	bool full;	   /* an unknown part stands for all that would come behind */
	const char *bytes; /* as in struct stream: the one thing that was written */
	size_t byte_count;
	struct growing *sure; /* what was written for certain; NULL: all of it was */
};

enum flow_kind {
	FLOW_OUTSIDE, /* whatever the caller has there */
	FLOW_TEXT,    /* a pipe, a here-document, a substitution */
	FLOW_FILE,
	FLOW_NETWORK,
	FLOW_NULL,
	FLOW_CLOSED,
	FLOW_EITHER, /* one of `either`, after a branch that redirected */
};

/* What a file descriptor leads to. */
struct flow {
	enum flow_kind kind;
	bool reads;	    /* `text` is what is read from it */
	bool touched;	    /* somebody may have read a part of it already */
	bool fifo;	    /* a named pipe that the script made */
	bool watched;	    /* what is written runs by itself later */
	struct stream text; /* to be read; of a file that is appended to: what it held */
	struct growing out; /* written so far */
	struct field path; /* FLOW_FILE: its normal path; text NULL: not a file that can be noted */
	struct script *sink;	     /* >(...): reads what was written, at the end */
	const struct source *source; /* in which `sink` stands */
	struct flow *next_sink;	     /* in walk->sinks */
	struct flow *either[2];	     /* NULL: outside */
};

struct io {
	struct flow *fd[WALK_FDS]; /* NULL: outside */
};

/* How much had been written where. */
struct outputs {
	struct io io;
	uint32_t len[WALK_FDS], sure_len[WALK_FDS];
};

/* A text as it was before a line was read off it. */
struct consumed {
	struct flow *flow;
	struct field data;
};

/* Redirections that end with a command. */
struct io_scope {
	struct io saved;
	uint32_t changed; /* bits of fds */
	bool fails;	  /* it may be that one of them cannot be made: then nothing runs */
};

/* ---- the walk ----------------------------------------------------------------------------- */

struct walk;

/* What is rarely needed keeps its room off the stack of those who call themselves through it. */
#define WALK_APART __attribute__((noinline))

/* A function that is being run. */
struct call_frame {
	struct function_def *def;
	const struct node *body;
	const struct node *site;       /* the command of its body that is being run */
	const struct node *first_site; /* the first one that led back to it */
	bool again;		       /* more than one did */
	bool again_forked;	       /* in a pipeline or the background */
	unsigned forked;	       /* walk->forked when it was called */
	unsigned forks, branches;      /* the same of these */
	struct saved_var *locals;
	struct call_frame *outer;
};

/* A variable as it was before `local` or before a prefix assignment. */
struct saved_var {
	const char *name;
	struct var var;
	bool there;
	struct saved_var *next;
};

struct alias_use {
	const char *name;
	struct alias_use *outer;
};

struct trap_text {
	struct field text;
	bool at_end; /* it is for the end only */
	bool acts;   /* it changes the shell, and not only at its end */
	bool any;    /* this one does, or one behind it */
	struct trap_text *next;
};

struct dir_entry {
	struct field dir;
	bool stayed;		   /* only when a `cd` failed: */
	const struct node *failed; /* that one; NULL where it is no matter which */
	struct dir_entry *next;
};

/* Where the shell is, beside cwd. */
struct directories {
	struct dir_entry *stack;    /* of pushd */
	const struct node *missing; /* the pushd that may not have put there what lies on top */
	bool more_missing;	    /* it is not the only one */
	bool lost;		    /* nothing is known of the stack */
	struct dir_entry *maybe;    /* where it may be when cwd is not known, or when cd failed */
	struct dir_entry *old;	    /* what OLDPWD may be, that which it should be first; NULL: what
				     * the variable says */
};

/* hash -p PATH NAME */
struct hashed {
	const char *name;
	struct field path;
	struct hashed *next;
};

struct walk {
	struct arena *arena;
	const struct bailey_scene *scene;
	struct shell shell;
	struct subject subject;
	enum bailey_decision floor;
	struct account *account; /* the one that counts */
	struct account *scratch; /* where findings are held against `floor`, and texts tried */
	struct expand_hooks hooks;
	const struct source *source; /* in which the nodes being walked stand */
	struct io io;
	uint32_t line;	       /* of the item that is walked, for aliases */
	unsigned depth;	       /* commands inside of commands */
	unsigned level;	       /* recursion */
	size_t visits, budget; /* nodes */
	size_t command_count;
	const char *via;
	size_t parent;	    /* SIZE_MAX: the shell itself */
	unsigned forked;    /* pipelines and background jobs around */
	unsigned forks;	    /* subshells around */
	unsigned branches;  /* what may not run, around */
	unsigned prefixed;  /* functions and builtins with assignments in front, around */
	const char **loose; /* variables that were reached while something hid them */
	size_t loose_count;
	/* What was seen of a jump: what follows in so many loops, in the function, in the subshell
	 * may not run. An end of the whole shell is none: then nothing runs that could depend on
	 * it. */
	unsigned jump_loops;
	bool returned, ended;
	bool fails;	/* set -e or -u: any command may be the last one of its subshell */
	unsigned quiet; /* repetitions: their commands are in the account already */
	bool too_much;
	bool cut;	/* a function was not followed: bodies never called count in full */
	bool traced;	/* set -x or -v */
	bool read_more; /* the last `read` had lines left */
	bool read_line; /* the last command was a `read` from a known text */
	struct call_frame *frames;
	struct alias_use *aliases;
	struct trap_text *traps;
	bool in_trap;
	bool inherits_traps; /* set -E or -T: subshells and functions have them too */
	struct hashed *hashed;
	size_t copy_count;
	struct hashed *copies; /* of programs of the system: path and what it is */
	struct consumed *consumed;
	size_t consumed_count;
	struct directories at;
	struct field history;  /* history -s: what history -a would write; text NULL: nothing */
	struct flow *sinks;    /* >(...) that are not run yet */
	struct flow **dev_fds; /* of /dev/fd/N, from DEV_FD_FIRST on */
	size_t dev_fd_count;
	const char **files; /* paths that were noted, in order */
	size_t file_count;
	size_t file_floor; /* paths before this are from before the subshell */
	const char **fifos;
	size_t fifo_count;
};

/* A simple command that is ready to run. */
struct command {
	const struct node *node; /* NULL: it comes from a word, not from the text */
	const struct field *argv;
	size_t argc;
	const struct assigned *assigned; /* in front of it */
	size_t assigned_count;
	const struct assigned *declared; /* behind declare and the like */
	size_t declared_count;
	unsigned flags; /* enum command_flag */
};

enum command_flag {
	COMMAND_NO_FUNCTION = 1, /* command, builtin, env */
	COMMAND_NO_BUILTIN = 2,	 /* env, xargs: only a program */
	COMMAND_EXEC = 4,	 /* exec */
};

/* An assignment, expanded. */
struct assigned {
	const char *name;
	struct field value;   /* of an array: its elements joined */
	struct field *values; /* array */
	const char **keys;
	size_t count;
	struct field index; /* a[i]= : what i is; text NULL: none */
	bool array;
	bool append;
};

/* walk.c: the account, subshells, scripts */
void walk_rule(struct walk *w, const struct rule *rule, const struct field *at);
void walk_reason(struct walk *w, enum why why, const struct field *at);
void walk_message(struct walk *w, enum why why, const char *message, const struct field *at);
enum bailey_decision walk_deed(struct walk *w, const struct effect *effect);
enum bailey_decision walk_deed_on(struct walk *w, enum deed deed, const struct field *target);
void walk_unreadable(struct walk *w, const struct trouble *trouble, const struct source *source);
bool walk_enter(struct walk *w); /* one level deeper; false: too deep, and said so */
void walk_leave(struct walk *w);
bool walk_spent(struct walk *w); /* no more repetitions */
void walk_script(struct walk *w, const struct script *script);

/* A subshell: everything comes back but what was written to files. */
struct subshell {
	struct shell_mark mark;
	struct io io;
	size_t files;
	size_t file_floor;
	struct directories at;
	struct trap_text *traps;
	struct call_frame *frames;
	size_t consumed;
	unsigned jump_loops;
	bool returned, ended, fails;
};
void walk_fork(struct walk *w, struct subshell *sub);
void walk_fork_end(struct walk *w, struct subshell *sub);

/* What may not run. At its end what was set is unsure, what was written in it is followed by an
 * unknown part, what was read may still be there, and redirections may not have happened. */
struct branch {
	struct shell_mark mark;
	struct outputs outputs;
	struct io io;
	struct directories at;
	size_t consumed;
};
void walk_branch(struct walk *w, struct branch *branch);
void walk_branch_end(struct walk *w, struct branch *branch);
/* The same for what runs with the redirections of `scope`: what they lead to is made by them. */
void walk_redirected(struct walk *w, struct branch *branch, const struct io_scope *scope);
bool walk_jumped(const struct walk *w);
void walk_end_shell(struct walk *w); /* exit and the like */

/* A trial: only forbidden findings count. What it prints may be there, and may not. */
struct trial {
	struct subshell sub;
	struct outputs outputs;
	enum bailey_decision floor;
	unsigned attempt;
};
void walk_try(struct walk *w, struct trial *trial, unsigned attempt);
void walk_try_in_full(struct walk *w, struct trial *trial, unsigned attempt); /* prompts too */
void walk_try_end(struct walk *w, struct trial *trial);

/* Another account altogether: gives the worst of what is found until walk_aside_end(). */
struct aside {
	struct subshell sub;
	struct outputs outputs;
	struct subject subject;
	enum bailey_decision floor;
	size_t mark;
};
bool walk_aside(struct walk *w, struct aside *aside);
enum bailey_decision walk_aside_end(struct walk *w, struct aside *aside);

/* walk_flow.c: what is not a simple command */
void walk_node(struct walk *w, const struct node *node);
void walk_loop(struct walk *w, const struct node *node); /* walk_loops.c */
void walk_call(struct walk *w, struct function_def *def, const struct command *command);
void walk_uncalled(struct walk *w);

/* walk_streams.c; walk_hooks.c: what expansion asks for */
extern const struct expand_hooks walk_hooks;
struct flow *walk_flow_new(struct walk *w, enum flow_kind kind);
struct flow *walk_flow_text(struct walk *w, const struct stream *text); /* to be read */
struct flow *walk_fd(struct walk *w, int fd);
struct stream walk_input(struct walk *w, int fd); /* what a reader of `fd` gets */
struct stream walk_written(struct walk *w, const struct flow *flow);
struct stream walk_join(struct walk *w, const struct stream *a, const struct stream *b);
void walk_emit(struct walk *w, int fd, const struct field *text);
void walk_emit_unknown(struct walk *w, uint16_t taint); /* what is not followed prints something */
void walk_emit_stream(struct walk *w, struct flow *flow, const struct stream *text);
bool walk_wants_output(const struct walk *w, int fd);
bool walk_output_is_text(const struct walk *w, int fd);
void walk_outputs(const struct walk *w, struct outputs *outputs);
/* What was written since then may be missing, or stand elsewhere. */
void walk_outputs_doubt(struct walk *w, const struct outputs *outputs);
bool walk_is_network(const struct flow *flow);
void walk_run_sinks(struct walk *w, struct flow *until);
/* The text of a file: what the script wrote there, or unknown. */
struct stream walk_file_text(struct walk *w, const struct field *target, bool *found);
/* Is `path` a name of a descriptor? Then *flow is what it leads to, NULL for outside. */
bool walk_dev_fd(struct walk *w, const char *path, struct flow **flow);

/* walk_redirect.c */
struct redirected {
	struct bailey_redirection *items;
	size_t count;
};
void walk_redirect(struct walk *w, const struct redirect *list, bool prints_nothing,
		   struct io_scope *scope, struct redirected *out);
void walk_redirect_end(struct walk *w, struct io_scope *scope);

/* walk_messages.c: what may be said on descriptor 2 goes where that leads. Before a redirection is
 * made; in front of and behind what a command prints. */
void walk_say_expansion(struct walk *w, const struct command *command);
void walk_say_redirect(struct walk *w, const struct redirect *redirect);
void walk_say_command(struct walk *w, const struct command *command);
void walk_say_compound(struct walk *w, const struct node *node);

/* walk_simple.c */
void walk_simple(struct walk *w, const struct node *node);
/* An expansion that fails ends the shell: what follows in a subshell may not run. */
void walk_check_words(struct walk *w, const struct word *words);
void walk_run(struct walk *w, const struct command *command);
void walk_add_command(struct walk *w, const struct command *command, const struct redirected *redir,
		      struct bailey_span span);
struct expander walk_expander(struct walk *w);
/* A text of its own that comes from a word; NULL when memory is out. */
struct source *walk_source(struct walk *w, const struct field *text);
struct bailey_word walk_word(const struct field *field);

/* walk_assign.c */
void walk_expand_assign(struct walk *w, const struct assignment *node, bool assoc,
			struct assigned *out);
bool walk_expand_declared(struct walk *w, const struct word *word, bool assoc,
			  struct assigned *out);
void walk_put(struct walk *w, const struct assigned *assigned); /* without judging the name */
void walk_assign(struct walk *w, const struct assigned *assigned);
void walk_save_var(struct walk *w, const char *name, struct saved_var **list);
void walk_restore_vars(struct walk *w, struct saved_var *list);
/* `name` may have been changed where it is hidden: what is put back is not certain. */
void walk_loosen(struct walk *w, const char *name);
bool walk_split_assignment(struct walk *w, const struct field *word, struct assigned *out);

/* walk_alias.c: was the command run by way of an alias? */
enum alias_run { ALIAS_NONE, ALIAS_MAYBE, ALIAS_RAN };
enum alias_run walk_alias(struct walk *w, const struct node *node);

/* walk_program.c */
void walk_program(struct walk *w, const struct command *command);
bool walk_is_test(const struct field *name); /* looks at its words and shows nothing */
void walk_follow(struct walk *w, const struct command *command, const struct findings *found,
		 const struct stream *input);

/* walk_files.c: what is written where, and what becomes of it */
void walk_note_write(struct walk *w, const char *path, const struct stream *content, bool append);
void walk_note_effect(struct walk *w, const struct effect *effect, const struct stream *input,
		      const struct stream *output);
void walk_payload(struct walk *w, const struct field *target, const struct stream *content);
void walk_note_copy(struct walk *w, const char *path, const struct field *of);
uint16_t walk_read_taint(struct walk *w, const struct field *target);
bool walk_is_fifo(const struct walk *w, const char *path);

/* walk_inner.c: coming into what is run by something else, and going out again */
struct visit {
	struct subshell sub;
	struct subject subject;
	const char *via;
	size_t parent;
	bool here;
};
bool walk_come_in(struct walk *w, struct visit *visit, unsigned flags, const char *via,
		  const struct field *at);
void walk_go_out(struct walk *w, struct visit *visit);

/* walk_code.c */
struct code_run {
	enum language language;
	const struct field *text;
	const struct field *argv; /* $0 and the arguments */
	size_t argc;
	unsigned flags; /* enum inner_flag */
	const char *via;
	bool fails; /* may have been started with -e or -u */
};
void walk_inner(struct walk *w, const struct command *command, const struct inner *inner,
		const struct stream *input);
/* walk_words.c: commands that get their last words from the input, or unknown ones */
typedef void walk_argv_runner(struct walk *w, const struct inner *inner, const struct field *argv,
			      size_t argc);
void walk_inner_input(struct walk *w, const struct command *command, const struct inner *inner,
		      const struct stream *input, walk_argv_runner *run);
void walk_split_words(struct walk *w, const struct field *text, bool lines, bool quotes,
		      struct fields *out);

void walk_code(struct walk *w, const struct code_run *run);
void walk_code_file(struct walk *w, const struct code_run *run);
void walk_code_stream(struct walk *w, const struct code_run *run, const struct stream *text,
		      const struct field *at);
void walk_text_here(struct walk *w, const struct field *text, const char *via);
/* `text` with a variable in the place of each unknown part, so that it can be read. */
struct field walk_readable(struct walk *w, const struct field *text);
bool walk_code_try(struct walk *w, const struct field *text, enum language language);

/* walk_env.c */
enum env_use {
	ENV_SHELL,	/* NAME=VALUE by itself */
	ENV_EXPORTED,	/* export NAME=VALUE */
	ENV_PREFIX,	/* NAME=VALUE program */
	ENV_FOR_BUILTIN /* NAME=VALUE builtin or function */
};
void walk_environment(struct walk *w, const char *name, const struct field *value,
		      enum env_use use);
void walk_assigned(void *context, const char *name, const struct field *value);

/* walk_builtins.c */
struct builtin {
	const char *name;
	void (*run)(struct walk *w, const struct command *command);
	bool prints; /* used in some ways, something that is not followed */
};
const struct builtin *walk_builtin(const char *name);

/* The options of a builtin, one by one: start from { .command, .letters }. `letters` are the known
 * ones, those that take an argument followed by ':'. */
struct options {
	const struct command *command;
	const char *letters;
	size_t next; /* index of the next word; that of the first operand at the end */
	size_t at;   /* in a cluster */
	const struct field *word;
	struct field arg;
};
/* The next letter, 0 at the end; '?' for what is unknown, which has been said already. */
char walk_option(struct walk *w, struct options *options);
/* Goes over all options; gives the index of the first operand. */
size_t walk_skip_options(struct walk *w, const struct command *command, const char *letters);

/* walk_dirs.c: where the shell is */
void walk_cd(struct walk *w, const struct command *command);
void walk_pushd(struct walk *w, const struct command *command);
void walk_popd(struct walk *w, const struct command *command);
void walk_dirs(struct walk *w, const struct command *command);
void walk_chdir(struct walk *w, const struct field *dir);
/* After a branch that came from `before`, with `at` */
void walk_dirs_join(struct walk *w, const struct field *before, const struct directories *at);
/* While something runs only because `node` did what it should, the shell is not where it is when
 * that failed. What is hidden comes back at the end of it. */
void walk_dirs_hide(struct walk *w, const struct node *node, struct directories *hidden);
void walk_dirs_show(struct walk *w, const struct directories *hidden);

/* walk_vars.c: builtins on variables; walk_eval.c: those that run code */
void walk_declare(struct walk *w, const struct command *command);
void walk_unset(struct walk *w, const struct command *command);
void walk_read(struct walk *w, const struct command *command);
void walk_mapfile(struct walk *w, const struct command *command);
void walk_printf(struct walk *w, const struct command *command);
void walk_getopts(struct walk *w, const struct command *command);
void walk_let(struct walk *w, const struct command *command);
void walk_test(struct walk *w, const struct command *command);
void walk_cond(struct walk *w, const struct node *node);
void walk_set_named(struct walk *w, const struct field *name, const struct field *value);
bool walk_name_is_code(struct walk *w, const struct field *name);
void walk_eval(struct walk *w, const struct command *command);
void walk_source_file(struct walk *w, const struct command *command);
void walk_exec(struct walk *w, const struct command *command);
void walk_command_builtin(struct walk *w, const struct command *command);
void walk_builtin_builtin(struct walk *w, const struct command *command);
void walk_trap(struct walk *w, const struct command *command);
void walk_set(struct walk *w, const struct command *command);
void walk_shift(struct walk *w, const struct command *command);
void walk_shopt(struct walk *w, const struct command *command);
void walk_alias_builtin(struct walk *w, const struct command *command);
void walk_unalias_builtin(struct walk *w, const struct command *command);
void walk_bind(struct walk *w, const struct command *command);
void walk_complete(struct walk *w, const struct command *command);
void walk_fc(struct walk *w, const struct command *command);
void walk_history(struct walk *w, const struct command *command);
void walk_traps_end(struct walk *w);
void walk_traps_between(struct walk *w);

/* Variables and functions that a new process does not get: unsure (shell_child.c). */
void shell_child(struct shell *shell);

static inline bool
walk_is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

#endif /* COMMAND_WALK_IMPL_H */
