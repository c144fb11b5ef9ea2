/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_SHELLS_IMPL_H
#define COMMAND_MODELS_SHELLS_IMPL_H

/* Shells and their builtins: what shells.c and shells_builtins.c share. */

#include "command/models/models.h"
#include "command/models/services.h"

struct shell_kind {
	const char *name;
	enum language language;
	bool long_names; /* --norc, --version */
	bool read;	 /* its text is read as it reads it */
};

/* What a shell with this command line runs. */
void shells_judge(const struct shell_kind *kind, const struct match *match, struct findings *found);

extern const struct option_row shells_zf_rm[];
extern const struct option_row shells_zf_plain[];
extern const struct option_row shells_printf[];
extern const struct option_row shells_pwd[];
extern const struct option_row shells_type[];
extern const struct option_row shells_which[];
extern const struct option_row shells_plain[];
extern const struct option_row shells_wait[];
extern const struct option_row shells_jobs[];

/* test -v and -R evaluate subscripts in their operand. */
void shells_refine_test(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_SHELLS_IMPL_H */
