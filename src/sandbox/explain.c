/* SPDX-License-Identifier: MIT */

/* Questions about a run that is not started: its plan, and what it lets a command reach. */

#include <bailey/sandbox.h>

#include "base/attr.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "plan/rights.h"
#include "sandbox/prepare.h"

int
bailey_explain(const struct bailey_run *run, bool json, char **text, struct bailey_error *err)
{
	AUTO_STRBUF out = STRBUF_INIT;
	AUTO_ARENA arena = { 0 };
	AUTO_PLAN *plan = NULL;
	const char *program = NULL;
	int rc = BAILEY_OK;

	if (run->argv != NULL && run->argv[0] != NULL) {
		rc = prepare_program(&arena, run, &program, err);
	}
	if (rc == BAILEY_OK) {
		rc = prepare_plan(run, program, &plan, err);
	}
	if (rc != BAILEY_OK) {
		return rc;
	}
	if (json) {
		plan_print_json(plan, &out);
	} else {
		plan_print(plan, &out);
	}
	*text = strbuf_take(&out);
	return *text != NULL ? BAILEY_OK
			     : bailey_fail(err, BAILEY_E_NOMEM, "no memory for the plan");
}

/* Any name that nobody protects. */
#define NEW_ENTRY "new entry"

/* May entries be made in `dir`: by Landlock's rules, or by the broker? */
static bool
may_make(struct plan *plan, const char *dir)
{
	const char *entry = dir != NULL ? path_join(&plan->arena, dir, NEW_ENTRY) : NULL;

	return entry != NULL &&
	       ((plan_granted(plan, dir) & LL_MAKE_REG) != 0 || plan_serves(plan, entry));
}

static void
reach(struct plan *plan, const char *real, struct bailey_reach *out)
{
	enum fs_type type = plan_real_fs.type(NULL, real);
	const char *parent = path_parent(&plan->arena, real);
	uint64_t have = plan_granted(plan, real);
	bool served = plan_serves(plan, real);

	out->exists = type != FS_MISSING;
	out->read = (have & LL_READ_FILE) != 0 || plan_serves_reading(plan, real);
	out->execute = (have & LL_EXECUTE) != 0;
	out->create = may_make(plan, type == FS_DIR ? real : parent);
	out->write = served || (have & LL_WRITE_FILE) != 0;
	if (!out->exists) {
		out->write = served ||
			     (parent != NULL && (plan_granted(plan, parent) & LL_MAKE_REG) != 0);
	}
}

int
bailey_reach_path(const struct bailey_run *run, const char *path, struct bailey_reach *out,
		  struct bailey_error *err)
{
	AUTO_PLAN *plan = NULL;
	int rc = prepare_plan(run, NULL, &plan, err);
	char *whole;
	char *real;

	if (rc != BAILEY_OK) {
		return rc;
	}
	whole = path_expand(&plan->arena, run->home, run->cwd, path);
	real = whole != NULL ? plan_real_fs.resolve(NULL, &plan->arena, whole) : NULL;
	if (real == NULL) {
		return bailey_fail_sys(err, errno, "cannot resolve '%s'", path);
	}
	*out = (struct bailey_reach){ true, true, true, true, true };
	if (plan->sandboxed) {
		reach(plan, real, out);
	} else {
		out->exists = plan_real_fs.type(NULL, real) != FS_MISSING;
	}
	return BAILEY_OK;
}
