/* SPDX-License-Identifier: MIT */

/*
 * From a `struct bailey_run` to everything that its worker needs: what can fail, allocate or look
 * things up happens here, before the first fork.
 */

#include "sandbox/prepare.h"

#include "base/attr.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "sandbox/environment.h"
#include "sandbox/filter.h"
#include "sandbox/landlock.h"
#include "sandbox/program.h"
#include "sandbox/ptys.h"

#include <string.h>

#define ARGS_MAX 1048576U

static const char *const temp_variables[] = { "TMPDIR", "TMP", "TEMP", "TMUX_TMPDIR" };

/* ---- the plan ----------------------------------------------------------------------------- */

static int
check_run(const struct bailey_run *run, struct bailey_error *err)
{
	if (run->size != sizeof(*run)) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "struct bailey_run has size %zu, this library expects %zu",
				   run->size, sizeof(*run));
	}
	if (run->in_place && run->event != NULL) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "a run in place has nobody who could tell of events");
	}
	if (run->in_place && run->keep_background) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "a run in place has nobody who could keep what it leaves");
	}
	if (run->policy == NULL) {
		return bailey_fail(err, BAILEY_E_INVALID, "a run needs a policy");
	}
	if (run->cwd == NULL || run->cwd[0] != '/') {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "a run needs an absolute working directory, not '%s'",
				   run->cwd != NULL ? run->cwd : "");
	}
	return BAILEY_OK;
}

static const char *
env_value(char *const *env, const char *name)
{
	size_t len = strlen(name);
	const char *value = NULL;

	for (; env != NULL && *env != NULL; env++) {
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=') {
			value = *env + len + 1;
		}
	}
	return value;
}

int
prepare_program(struct arena *arena, const struct bailey_run *run, const char **out,
		struct bailey_error *err)
{
	const char *path = env_value(run->env_set, "PATH");

	if (run->argv == NULL || run->argv[0] == NULL) {
		return bailey_fail(err, BAILEY_E_INVALID, "a run needs a command");
	}
	path = path != NULL ? path : env_value(run->envp, "PATH");
	return program_find(arena, run->argv[0], path, run->cwd, out, err);
}

int
prepare_plan(const struct bailey_run *run, const char *program, struct plan **out,
	     struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };
	struct terminals terminals;
	struct host host;
	struct plan_request request = {
		.policy = run->policy,
		.host = &host,
		.fs = &plan_real_fs,
		.cwd = run->cwd,
		.home = run->home,
		.user_home = run->user_home,
		.tmpdir = run->tmpdir,
		.program = program,
		.cache = run->cache,
		.terminals = &terminals,
		.best_effort = run->best_effort,
		.in_place = run->in_place,
		.exact_pids = run->exact_pids,
		.no_inet = run->no_inet,
		.no_broker = run->no_broker,
		.env_mode = (enum env_mode)run->env_mode,
	};
	int rc = check_run(run, err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	host_probe(&host, run->pretend_abi);
	ptys_find(&arena, &terminals);
	rc = plan_compile(&request, out, err);
	if (rc == BAILEY_OK && (*out)->sandboxed) {
		rc = filter_check_names(&(*out)->filter, err);
		if (rc != BAILEY_OK) {
			plan_free(*out);
			*out = NULL;
		}
	}
	return rc;
}

/* ---- telling ------------------------------------------------------------------------------ */

void
prepare_tell(const struct bailey_run *run, const struct strbuf *line)
{
	AUTO_STRBUF shown = STRBUF_INIT;

	strbuf_shown(&shown, line->text); /* it may have names of files in it */
	if (run->tell != NULL && !line->failed && !shown.failed) {
		run->tell(run->tell_data, shown.text);
	}
}

/* One line for all that is not held, one for the places that are more closed than they look. */
void
prepare_tell_notes(const struct bailey_run *run, const struct plan *plan)
{
	AUTO_STRBUF gaps = STRBUF_INIT;
	AUTO_STRBUF names = STRBUF_INIT;

	for (size_t i = 0; i < plan->note_count; i++) {
		const struct plan_note *note = &plan->notes[i];

		if (note->gap) {
			strbuf_printf(&gaps, "%s%s",
				      gaps.len > 0 ? ", " : "not enforced in this run: ", note->id);
		} else if (strcmp(note->id, "protected-name") == 0 && names.len == 0) {
			strbuf_printf(&names, "%s; --no-protect lifts this", note->text);
		}
	}
	if (gaps.len > 0) {
		strbuf_puts(&gaps, " (`bailey policy explain` says more)");
		prepare_tell(run, &gaps);
	}
	if (names.len > 0) {
		prepare_tell(run, &names);
	}
}

/* ---- preparing ---------------------------------------------------------------------------- */

/* The user's own settings go in last, so that they count. */
static int
add_user_env(struct plan *plan, char *const *set)
{
	for (; set != NULL && *set != NULL; set++) {
		const char *equals = strchr(*set, '=');

		if (equals == NULL || equals == *set) {
			continue; /* `bailey run` has refused it already */
		}
		if (!plan_set_env(plan, arena_strndup(&plan->arena, *set, (size_t)(equals - *set)),
				  equals + 1)) {
			return BAILEY_E_NOMEM;
		}
	}
	return BAILEY_OK;
}

static int
prepare_env(struct prepared *p, struct bailey_error *err)
{
	const struct bailey_run *run = p->run;
	struct plan *plan = p->plan;
	struct bailey_sandbox_marks marks = {
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.network_disabled = !plan->network,
		.writable_roots = plan->write_roots.items,
		.writable_root_count = plan->write_roots.count,
		.vtcode_names = run->vtcode_markers,
	};
	struct env_source source = {
		.base = run->envp,
		.env = &plan->env,
		.cwd = plan->sandboxed ? plan->cwd : NULL,
		.marks = plan->sandboxed ? &marks : NULL,
	};

	if (add_user_env(plan, run->env_set) == BAILEY_OK) {
		p->worker.envp = env_build(&plan->arena, &source);
	}
	return p->worker.envp != NULL ? BAILEY_OK
				      : bailey_fail(err, BAILEY_E_NOMEM, "no memory for the run");
}

static int
prepare_tmp(struct prepared *p, struct bailey_error *err)
{
	struct plan *plan = p->plan;
	const char *parent =
		p->run->tmpdir != NULL && p->run->tmpdir[0] == '/' ? p->run->tmpdir : "/tmp";
	char *real;
	int rc;

	if (!plan->private_tmp || !plan->sandboxed) {
		return BAILEY_OK;
	}
	real = plan_real_fs.resolve(NULL, &plan->arena, parent);
	if (real == NULL) {
		return bailey_fail_sys(err, errno, "cannot resolve the temp directory '%s'",
				       parent);
	}
	rc = tempdir_make(&plan->arena, real, &p->tmp, err);
	if (rc == BAILEY_OK) {
		rc = plan_add_tmp(plan, p->tmp.path, err);
	}
	for (size_t i = 0; i < COUNT_OF(temp_variables) && rc == BAILEY_OK; i++) {
		if (!plan_set_env(plan, temp_variables[i], p->tmp.path)) {
			rc = bailey_fail(err, BAILEY_E_NOMEM, "no memory for the run");
		}
	}
	return rc;
}

static int
prepare_argv(struct prepared *p, struct bailey_error *err)
{
	struct worker *worker = &p->worker;
	char *const *argv = p->run->argv;
	size_t count = 0;

	while (count < ARGS_MAX && argv[count] != NULL) {
		count++;
	}
	worker->argv = arena_array(&p->plan->arena, count + 1, sizeof(*argv));
	worker->script_argv = arena_array(&p->plan->arena, count + 2, sizeof(*argv));
	if (worker->argv == NULL || worker->script_argv == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the arguments");
	}
	memcpy(worker->argv, argv, count * sizeof(*argv));
	memcpy(worker->script_argv + 1, argv, count * sizeof(*argv));
	worker->script_argv[0] = arena_strdup(&p->plan->arena, "/bin/sh");
	worker->script_argv[1] = arena_strdup(&p->plan->arena, worker->program);
	return BAILEY_OK;
}

int
prepare_floor(struct prepared *p, struct bailey_error *err)
{
	int rc;

	if (!p->plan->sandboxed) {
		return BAILEY_OK;
	}
	rc = landlock_build(p->plan, &p->worker.ruleset, err);
	if (rc == BAILEY_OK && p->plan->broker.parts != 0) {
		rc = landlock_build_broker(p->plan, &p->worker.domain, err);
	}
	if (rc == BAILEY_OK && p->plan->filtered) {
		rc = filter_compile(&p->plan->filter, &p->plan->arena, &p->worker.filter, err);
	}
	return rc;
}

int
prepare_run(struct prepared *p, struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };
	const char *program = NULL;
	int rc = check_run(p->run, err);

	if (rc == BAILEY_OK) {
		rc = prepare_program(&arena, p->run, &program, err);
	}
	if (rc != BAILEY_OK) {
		p->exit_status = rc == BAILEY_E_NOT_FOUND ? BAILEY_EXIT_NOT_FOUND
				 : rc == BAILEY_E_REFUSED ? BAILEY_EXIT_CANNOT_RUN
							  : BAILEY_EXIT_FAILED;
		return rc;
	}
	rc = prepare_plan(p->run, program, &p->plan, err);
	if (rc == BAILEY_OK) {
		p->worker.plan = p->plan;
		p->worker.program = arena_strdup(&p->plan->arena, program);
		p->worker.cwd = p->run->cwd;
		p->worker.keep_fds = p->run->keep_fds;
		p->worker.keep_fd_count = p->run->keep_fd_count;
		rc = prepare_argv(p, err);
	}
	if (rc == BAILEY_OK) {
		rc = prepare_tmp(p, err);
	}
	if (rc == BAILEY_OK) {
		rc = prepare_env(p, err);
	}
	if (rc == BAILEY_OK) {
		rc = prepare_floor(p, err);
	}
	if (rc == BAILEY_OK) {
		prepare_tell_notes(p->run, p->plan);
	}
	return rc;
}

void
prepared_finish(struct prepared *p)
{
	close_fdp(&p->worker.ruleset);
	close_fdp(&p->worker.domain);
	tempdir_close(&p->tmp);
	plan_free(p->plan);
}
