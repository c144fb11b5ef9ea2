/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_PLACES_H
#define COMMAND_PLACES_H

/* The known paths that places.c looks in. An entry with `path` NULL ends a table. */

#include "command/verdict.h"

struct known_path {
	const char *path; /* relative to the table's base, normal */
	enum bailey_place place;
	bool critical;
};

extern const struct known_path places_of_home[];
extern const struct known_path places_of_workspace[];
extern const struct known_path places_of_root[];
extern const struct known_path places_by_name[];

#endif /* COMMAND_PLACES_H */
