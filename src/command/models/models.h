/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_H
#define COMMAND_MODELS_H

/*
 * The tables of all programs, one array for each file of this directory, each ended by
 * PROGRAMS_END. model_index_gen.c makes the index of names from them when Bailey is built; a name
 * in two tables is an error then.
 */

#include "command/model.h"

extern const struct program models_files[];  /* coreutils on files: cp mv rm ln chmod dd */
extern const struct program models_text[];   /* coreutils and others on text: cat grep sort */
extern const struct program models_search[]; /* find fd rg ag locate xargs parallel */
extern const struct program models_archives[];
extern const struct program models_editors[];	   /* editors and pagers */
extern const struct program models_wrappers[];	   /* env nice timeout sudo ssh-less wrappers */
extern const struct program models_shells[];	   /* sh bash zsh, and builtins that run nothing */
extern const struct program models_interpreters[]; /* python perl node awk sed ... */
extern const struct program models_databases[];
extern const struct program models_git[];
extern const struct program models_forges[];   /* gh glab hub, other version control */
extern const struct program models_packages[]; /* npm pip apt ... */
extern const struct program models_build[];    /* make cmake cargo go gcc, tests, linters */
extern const struct program models_containers[];
extern const struct program models_clouds[];  /* kubectl helm terraform aws gcloud az ... */
extern const struct program models_network[]; /* curl wget ssh scp rsync nc socat dig ... */
extern const struct program models_system[];  /* ps id uname, services, power, kernel, users */
extern const struct program models_disks[];
extern const struct program models_processes[]; /* kill, at, cron, tmux, screen ... */
extern const struct program models_windows[];	/* powershell cmd and their programs */

#endif /* COMMAND_MODELS_H */
