/* SPDX-License-Identifier: MIT */

/*
 * Files in clouds: rclone, s3cmd, mc, gsutil, b2 and so on. What is there is deleted for good, so
 * whole buckets and trees are forbidden; one object is prompt. What lies on this machine is judged
 * by its place.
 */

#include "command/models/models.h"
#include "command/models/services.h"

RULE(asks, "store.network", PROMPT, NETWORK, "talks to a store of files");
RULE(deletes, "store.delete-object", PROMPT, DELETES, "deletes an object");
RULE(deletes_tree, "store.delete-bucket", FORBIDDEN, DELETES,
     "deletes a bucket, or everything below a name in it");
RULE(syncs, "store.sync-delete", FORBIDDEN, DELETES,
     "makes a bucket like another place, and deletes what is not there");
RULE(mirrors, "store.sync", PROMPT, DELETES,
     "makes a directory like another, and deletes what is not there");
RULE(opens, "store.public", PROMPT, PRIVILEGE, "changes who may read a bucket");
RULE(shows_config, "store.config", FORBIDDEN, DISCLOSURE, "prints the keys of the store");
RULE(serves, "store.serve", PROMPT, NETWORK, "serves or mounts files");

static void
find_copy(const struct match *match, struct findings *found, size_t from, bool moves)
{
	for (size_t i = from; i < match->operand_count; i++) {
		const struct field *path = &match->operands[i];
		bool last = i + 1 == match->operand_count && i > from;

		if (service_is_remote(path) || field_is(path, "-")) {
			continue;
		}
		if (last) {
			find_deed(found, service_copy_deed(path), path)->flags |=
				EFFECT_FROM_NETWORK;
			continue;
		}
		find_deed(found, DEED_SEND, path);
		if (moves) {
			find_deed(found, DEED_MOVE, path);
		}
	}
}

static void
refine_copy(const struct match *match, struct findings *found)
{
	service_find(match, found, &asks);
	find_copy(match, found, 0, false);
}

static void
refine_move(const struct match *match, struct findings *found)
{
	service_find(match, found, &asks);
	find_copy(match, found, 0, true);
}

/* ---- rclone ---------------------------------------------------------------------------------- */

static const struct option_row rclone_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_TAKES("", "include exclude filter max-age min-age max-size min-size transfers checkers "
		      "bwlimit log-level rc-addr user pass addr max-delete"),
	ROW_PATH(NULL, "config", DEED_CONFIG),
	ROW_PATH(NULL, "log-file", DEED_APPEND),
	ROW_PATH(NULL, "include-from exclude-from filter-from files-from", DEED_READ),
	ROW_RULE(NULL, "password-command", ARG_ONE, &serves),
	ROW_FLAG("n", "dry-run"),
	ROW_FLAG("vqPiLcu", "verbose quiet progress interactive copy-links checksum update"),
	OPTIONS_END,
};

static void
refine_purge(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_is_remote(&match->operands[i])) {
			find_rule(found, &deletes_tree, &match->operands[i]);
		} else {
			find_deed(found, DEED_DELETE_TREE, &match->operands[i]);
		}
	}
}

static void
refine_delete_file(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_is_remote(&match->operands[i])) {
			find_rule(found, &deletes, &match->operands[i]);
		} else {
			find_deed(found, DEED_DELETE, &match->operands[i]);
		}
	}
}

/* The top of a remote or bucket: "remote:", "remote:bucket". */
static bool
is_top(const struct field *path)
{
	const char *colon = memchr(path->text, ':', path->len);

	return colon != NULL && (colon[1] == '\0' || strchr(colon + 1, '/') == NULL);
}

static void
refine_sync(const struct match *match, struct findings *found)
{
	const struct field *target = service_operand(match, 1);

	service_find(match, found, &asks);
	if (target == NULL) {
		return;
	}
	if (!service_is_remote(target)) {
		find_deed(found, DEED_SYNC, target)->other = &match->operands[0];
	} else {
		find_rule(found, is_top(target) ? &syncs : &mirrors, target);
	}
	if (!service_is_remote(&match->operands[0])) {
		find_deed(found, DEED_SEND, &match->operands[0]);
	}
}

static const struct program rclone_subs[] = {
	{ "version|help|listremotes|config file|config paths|completion", NULL, NULL, NULL,
	  PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "config show|config dump|reveal", NULL, NULL, NULL, PARSE_LOOSE, FIND_OUT_SECRET,
	  &shows_config, NULL },
	SUB_TALKS("copy|copyto|copyurl", NULL, refine_copy),
	SUB_TALKS("move|moveto", NULL, refine_move),
	SUB_TALKS("sync|bisync", NULL, refine_sync),
	SUB_TALKS("purge|delete|rmdirs", NULL, refine_purge),
	SUB_TALKS("deletefile|rmdir", NULL, refine_delete_file),
	SUB_TALKS("cleanup|dedupe|rcat|touch|mkdir|settier|backend|check|cat|ls|lsd|lsf|lsl|lsjson|"
		  "size|tree"
		  "|about|md5sum|sha1sum|hashsum|cryptcheck|ncdu|link|obscure|config|authorize|rc|"
		  "test"
		  "|selfupdate|archive",
		  &asks, NULL),
	SUB_TALKS("mount|mount2|serve|nfsmount|rcd|gui", &serves, NULL),
	PROGRAMS_END,
};

/* ---- s3cmd, mc, gsutil, b2, s5cmd ------------------------------------------------------------ */

static const struct option_row store_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	ROW_TAKES(
		"",
		"endpoint-url profile region host host-bucket access_key secret_key storage-class "
		"exclude include older-than newer-than acl rexclude"),
	ROW_PATH("c", "config", DEED_CONFIG),
	ROW_FLAG("n", "dry-run fake simulate"),
	ROW_FLAG("rRdfqmaev", "recursive force delete-removed delete remove dangerous incomplete "
			      "overwrite quiet purge all-versions versions"),
	OPTIONS_END,
};

static bool
is_recursive(const struct match *match)
{
	return service_has(match, 'r', "recursive") || service_has(match, 'R', NULL) ||
	       service_has(match, 0, "all-versions") || service_has(match, 0, "versions") ||
	       service_has(match, 'a', NULL) || service_many_operands(match);
}

static void
refine_store_rm(const struct match *match, struct findings *found)
{
	bool tree = is_recursive(match);

	for (size_t i = 0; i < match->operand_count; i++) {
		tree |= strchr(match->operands[i].text, '*') != NULL;
	}
	service_find(match, found, tree ? &deletes_tree : &deletes);
}

static void
refine_store_sync(const struct match *match, struct findings *found)
{
	bool deletes_there = service_has(match, 0, "delete-removed") ||
			     service_has(match, 0, "delete") || service_has(match, 0, "remove") ||
			     service_has(match, 'd', NULL);
	const struct field *target = service_operand(match, 1);

	service_find(match, found, &asks);
	if (deletes_there && target != NULL && service_is_remote(target)) {
		find_rule(found, &syncs, target);
	} else if (deletes_there && target != NULL) {
		find_deed(found, DEED_SYNC, target)->other = &match->operands[0];
	}
	find_copy(match, found, 0, false);
}

static const struct program store_subs[] = {
	{ "version|help", NULL, NULL, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	SUB_TALKS("rb|delete-bucket|bucket delete|bucket remove", &deletes_tree, NULL),
	SUB_TALKS("rm|del|delete|remove|delete-file-version|expire", NULL, refine_store_rm),
	SUB_TALKS("sync|mirror|rsync", NULL, refine_store_sync),
	SUB_TALKS("put|get|cp|upload-file|download-file-by-name|file upload|file "
		  "download|upload|download",
		  NULL, refine_copy),
	SUB_TALKS("mv", NULL, refine_move),
	SUB_TALKS("acl|setacl|setpolicy|policy|anonymous|iam|defacl|cors|lifecycle|versioning|web|"
		  "admin"
		  "|update-bucket|setlifecycle|delpolicy",
		  &opens, NULL),
	PROGRAMS_END,
};

static void
refine_rest(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &asks);
	}
}

const struct program models_stores[] = {
	{ "rclone", ".*", rclone_options, rclone_subs, PARSE_LOOSE, 0, NULL, refine_rest },
	{ "s3cmd mc mcli gsutil b2 s5cmd s4cmd s3fs swift-client", ".*", store_options, store_subs,
	  PARSE_LOOSE, 0, NULL, refine_rest },
	{ "azcopy", ".*", store_options, store_subs, PARSE_LOOSE, 0, NULL, refine_rest },
	{ "duplicacy kopia rdiff-backup-client tarsnap dropbox onedrive "
	  "nextcloudcmd",
	  ".*", NULL, NULL, PARSE_LOOSE, FIND_NETWORK, &asks, NULL },
	PROGRAMS_END,
};
