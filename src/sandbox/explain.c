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

int
bailey_reach_path(const struct bailey_run *run, const char *path, struct bailey_reach *out,
		  struct bailey_error *err)
{
	AUTO_PLAN *plan = NULL;
	int rc = prepare_plan(run, NULL, &plan, err);
	enum fs_type type;
	uint64_t have;
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
	type = plan_real_fs.type(NULL, real);
	have = plan->sandboxed ? plan_granted(plan, real) : UINT64_MAX;
	*out = (struct bailey_reach){
		.read = (have & LL_READ_FILE) != 0,
		.write = (have & LL_WRITE_FILE) != 0,
		.execute = (have & LL_EXECUTE) != 0,
		.exists = type != FS_MISSING,
	};
	if (plan->sandboxed && type != FS_DIR) {
		have = plan_granted(plan, path_parent(&plan->arena, real));
	}
	out->create = (have & LL_MAKE_REG) != 0;
	out->write = type == FS_MISSING ? out->create : out->write;
	return BAILEY_OK;
}
