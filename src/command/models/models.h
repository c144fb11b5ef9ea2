/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_H
#define COMMAND_MODELS_H

/*
 * The tables of all programs, one array for each file of this directory, each ended by
 * PROGRAMS_END. A new array is one line of MODELS_TABLES. model_index_gen.c makes the index of
 * names from them when Bailey is built; a name in two tables is an error then.
 */

#include "command/model.h"

/* clang-format off */
#define MODELS_TABLES(X) \
	X(files) /* rm mkdir touch tee split: they make and remove */ \
	X(copying) /* cp mv ln install dd */ \
	X(perms) /* chmod chown setfacl setcap */ \
	X(listing) /* ls stat du diff md5sum: they only look */ \
	X(text) /* coreutils and others on text: cat grep sort */ \
	X(filters) /* grep iconv xmllint, object files */ \
	X(tools) /* smaller ones that print or compute */ \
	X(search) /* find fd rg ag locate xargs parallel */ \
	X(archives) /* gzip zip 7z ar */ \
	X(archives_tar) /* tar cpio pax */ \
	X(archives_backup) \
	X(editors) /* editors and pagers */ \
	X(wrappers) /* env nice timeout sudo ssh-less wrappers */ \
	X(shells) /* sh bash zsh, and builtins that run nothing */ \
	X(interpreters) /* python perl ruby node php ... */ \
	X(scripts) /* awk sed jq bc: their programs are read whole */ \
	X(databases) \
	X(frameworks) /* rails prisma alembic ... */ \
	X(git) \
	X(forges) /* gh glab hub, other version control */ \
	X(packages) /* npm pip apt ... */ \
	X(installers) /* apt rpm brew ... */ \
	X(build) /* make cmake cargo go gcc, tests, linters */ \
	X(containers) \
	X(clouds) /* aws gcloud az, and hosts of applications */ \
	X(clusters) /* kubectl helm oc ... */ \
	X(infra) /* terraform pulumi ansible vault consul ... */ \
	X(stores) /* rclone s3cmd gsutil: files in clouds */ \
	X(agents) /* claude codex gemini ... */ \
	X(network) /* dig ping nmap mail ... */ \
	X(transfers) /* curl wget aria2c http lynx ftp ... */ \
	X(remotes) /* ssh scp rsync nc socat ... */ \
	X(system) /* uname id date printenv ... */ \
	X(system_services) /* services, logs, power, kernel */ \
	X(system_net) /* ip ss iptables ... */ \
	X(system_users) /* accounts, settings */ \
	X(secrets) /* gpg openssl ssh-keygen pass ... */ \
	X(disks) /* mount fdisk mkfs ... */ \
	X(disks_volumes) /* lvm zfs cryptsetup ... */ \
	X(processes) /* ps kill at cron ... */ \
	X(processes_terminals) /* tmux screen */ \
	X(windows) /* powershell cmd and their programs */
/* clang-format on */

#define MODELS_DECLARE(name) extern const struct program models_##name[];
MODELS_TABLES(MODELS_DECLARE)
#undef MODELS_DECLARE

/* What a project's own program does (bin/rails, ./manage.py, vendor/bin/drush) when it is called
 * by a path: only the commands that delete are looked for; it stays unknown. */
void framework_program(const struct field *program, const struct field *words, size_t count,
		       struct findings *found);

#endif /* COMMAND_MODELS_H */
