/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_MANAGER_H
#define SANDBOX_MANAGER_H

/* The manager with the system that it works for as an argument, for tests. */

#include <bailey/manager.h>

struct manager_host {
	bool landlock; /* this kernel has it */
	bool seatbelt; /* this is macOS */
	const char *seatbelt_program;
};

struct manager_request {
	const struct bailey_command_spec *spec;
	const struct bailey_policy *policy;
	const char *policy_cwd;
	enum bailey_sandbox_type type;
	const char *helper;
	const struct manager_host *host;
};

int manager_transform(const struct manager_request *request, struct bailey_exec_env **out,
		      struct bailey_error *err);

#endif /* SANDBOX_MANAGER_H */
