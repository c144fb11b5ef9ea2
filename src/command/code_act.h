/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_ACT_H
#define COMMAND_CODE_ACT_H

/* Between what calls run (code_act.c) and what they do to files (code_act_files.c). */

#include "command/code_calls.h"

#include <string.h>

#define ARGV_MAX 128

static inline const struct value *
act_argument(const struct call *call, size_t index)
{
	static const struct value none = { 0 };

	return index < call->args.count ? &call->args.items[index] : &none;
}

static inline bool
act_has_text(const struct value *value)
{
	return value->kind == VALUE_TEXT || value->kind == VALUE_FILE;
}

static inline bool
act_starts(const struct value *value, const char *with)
{
	size_t len = strlen(with);

	return value->kind == VALUE_TEXT && value->len >= len &&
	       memcmp(value->text, with, len) == 0;
}

static inline bool
act_is_url(const struct value *value)
{
	return act_starts(value, "http://") || act_starts(value, "https://") ||
	       act_starts(value, "ftp://");
}

/* A path as a field. Home is ~, marked as such. */
const struct field *act_path_field(struct machine *machine, const struct value *value);
/* A text for a shell, where home is $HOME. NULL: memory is out. */
const struct field *act_shell_field(struct machine *machine, const struct value *value);

/* Room for the ARGV_MAX words of one call: nothing keeps them. */
struct value *act_scratch(struct machine *machine);
/* The words that `value` stands for, lists taken apart. */
size_t act_spread(struct machine *machine, const struct value *value, struct value *out,
		  size_t max);
/* Arguments from `first` on as words; those with keywords are none. */
size_t act_words_of(struct machine *machine, const struct call *call, size_t first,
		    struct value *out);

void act_run_text(struct machine *machine, const struct value *value);
void act_run_argv(struct machine *machine, const struct value *words, size_t count);

/* What a call does to files. */
void act_on_file(struct machine *machine, const struct call *call);
void act_fetch_call(struct machine *machine, const struct call *call);

#endif /* COMMAND_CODE_ACT_H */
