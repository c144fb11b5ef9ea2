/* SPDX-License-Identifier: MIT */

/*
 * Verbs of the clouds. Their command lines are "SERVICE OPERATION" (aws), "GROUP ... VERB" (gcloud,
 * az, doctl) or "group:verb" (heroku): what counts is the verb, and of a few the noun.
 *
 * Invariants:
 *   - everything is prompt at least, since it talks to the cloud
 *   - a verb that deletes is forbidden unless what it deletes is listed as small: an object, a
 *     message, a tag
 */

#include "command/models/clouds_impl.h"

#include <assert.h>

RULE(asks, "cloud.network", PROMPT, NETWORK, "talks to a cloud");
RULE(deletes, "cloud.delete", FORBIDDEN, DELETES, "deletes something in a cloud for good");
RULE(deletes_small, "cloud.delete-item", PROMPT, DELETES, "deletes a single thing in a cloud");
RULE(deletes_bucket, "cloud.delete-bucket", FORBIDDEN, DELETES,
     "deletes a bucket, or everything below a name in it");
RULE(syncs, "cloud.sync-delete", FORBIDDEN, DELETES,
     "makes a bucket like another place, and deletes what is not there");
RULE(takes_secret, "cloud.secret", FORBIDDEN, DISCLOSURE, "prints keys, tokens or secrets");
RULE(grants_admin, "cloud.grant-admin", FORBIDDEN, PRIVILEGE, "gives full rights in a cloud");
RULE(grants, "cloud.grant", PROMPT, PRIVILEGE, "changes rights in a cloud");
RULE(blinds, "cloud.protection-off", FORBIDDEN, SYSTEM,
     "switches off what records or protects a cloud");
RULE(remote_code, "cloud.run", PROMPT, EXECUTES, "runs commands on machines in a cloud");

static void
find_asks(const struct match *match, struct findings *found)
{
	found->flags |= FIND_NETWORK | FIND_OUT_NETWORK;
	service_find(match, found, &asks);
}

static bool
has_word(const struct match *match, const char *word)
{
	for (size_t i = 1; i < match->argc; i++) {
		if (field_is(&match->argv[i], word)) {
			return true;
		}
	}
	return false;
}

static bool
any_contains(const struct match *match, const char *part)
{
	for (size_t i = 1; i < match->argc; i++) {
		if (strstr(match->argv[i].text, part) != NULL) {
			return true;
		}
	}
	return false;
}

/* ---- aws --------------------------------------------------------------------------------- */

struct verb_row {
	const char *service; /* NULL: any */
	const char *operations;
	const struct rule *rule;
};

static const struct verb_row aws_verbs[] = {
	{ "secretsmanager", "get-secret-value batch-get-secret-value", &takes_secret },
	{ "sts", "assume-role assume-role-with-saml get-session-token get-federation-token",
	  &takes_secret },
	{ "iam", "create-access-key create-login-profile update-login-profile", &takes_secret },
	{ "sso", "get-role-credentials", &takes_secret },
	{ "configure", "export-credentials", &takes_secret },
	{ "ec2", "get-password-data", &takes_secret },
	{ "cloudtrail", "delete-trail stop-logging", &blinds },
	{ "guardduty", "delete-detector", &blinds },
	{ "securityhub", "disable-security-hub", &blinds },
	{ "configservice", "stop-configuration-recorder delete-configuration-recorder", &blinds },
	{ "ec2", "delete-flow-logs", &blinds },
	{ "kms", "schedule-key-deletion disable-key", &deletes },
	{ "sqs", "purge-queue", &deletes },
	{ "s3api", "delete-objects", &deletes_bucket },
	{ "ecr", "batch-delete-image", &deletes },
	{ "organizations", "close-account leave-organization", &deletes },
	{ "glacier", "delete-archive", &deletes },
	{ "sqs", "delete-message delete-message-batch", &deletes_small },
	{ "dynamodb", "delete-item", &deletes_small },
	{ "s3api", "delete-object delete-object-tagging delete-bucket-tagging", &deletes_small },
	{ "ssm", "delete-parameter send-command", &deletes_small },
	{ NULL, "delete-tags delete-tag delete-alarms delete-log-stream delete-rule delete-alias",
	  &deletes_small },
};

static const struct rule *
aws_verb(const struct match *match)
{
	const struct field *service = service_operand(match, 0);
	const struct field *operation = service_operand(match, 1);

	if (service == NULL || operation == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < sizeof(aws_verbs) / sizeof(aws_verbs[0]); i++) {
		if ((aws_verbs[i].service == NULL || field_is(service, aws_verbs[i].service)) &&
		    service_word_in(operation->text, aws_verbs[i].operations)) {
			return aws_verbs[i].rule;
		}
	}
	if (service_starts(operation, "delete-") || service_starts(operation, "terminate-") ||
	    service_starts(operation, "purge-")) {
		return &deletes;
	}
	if (service_starts(operation, "attach-") || service_starts(operation, "put-role-policy") ||
	    service_starts(operation, "put-user-policy") ||
	    service_starts(operation, "add-user-to-group") ||
	    service_starts(operation, "create-policy")) {
		return &grants;
	}
	return NULL;
}

/* Paths of "aws s3 cp|mv|sync": what does not begin with s3:// is on this machine. */
static void
aws_paths(const struct match *match, struct findings *found)
{
	bool moves = service_operand_is(match, 1, "mv");

	for (size_t i = 2; i < match->operand_count && i < 4; i++) {
		const struct field *path = &match->operands[i];

		assert(path != NULL); /* there are operands */
		if (service_starts(path, "s3://") || field_is(path, "-")) {
			continue;
		}
		if (i == 3) {
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
aws_s3(const struct match *match, struct findings *found)
{
	if (service_operand_is(match, 1, "rb")) {
		service_find(match, found, &deletes_bucket);
	} else if (service_operand_is(match, 1, "rm")) {
		service_find(match, found,
			     service_has(match, 0, "recursive") ? &deletes_bucket : &deletes_small);
	} else if (service_operand_is(match, 1, "sync") && service_has(match, 0, "delete")) {
		const struct field *target = service_operand(match, 3);

		if (target != NULL && !service_starts(target, "s3://")) {
			find_deed(found, DEED_SYNC, target)->other = &match->operands[2];
		} else {
			service_find(match, found, &syncs);
		}
	}
	if (service_operand_is(match, 1, "cp mv sync")) {
		aws_paths(match, found);
	}
}

void
clouds_refine_aws(const struct match *match, struct findings *found)
{
	const struct rule *rule;

	if (service_operand_is(match, 0, "help")) {
		return;
	}
	find_asks(match, found);
	if (match->operand_count == 0 || service_has(match, 0, "dryrun") ||
	    service_has(match, 0, "dry-run") ||
	    service_operand_is(match, match->operand_count - 1, "help")) {
		return;
	}
	if (service_operand_is(match, 0, "s3")) {
		aws_s3(match, found);
		return;
	}
	rule = aws_verb(match);
	if (rule == &grants &&
	    (any_contains(match, "AdministratorAccess") || any_contains(match, "IAMFullAccess") ||
	     any_contains(match, "PowerUserAccess"))) {
		rule = &grants_admin;
	}
	if (service_operand_is(match, 0, "ssm") && service_has(match, 0, "with-decryption")) {
		rule = &takes_secret;
	}
	if (service_operand_is(match, 0, "configure") && service_operand_is(match, 1, "get") &&
	    any_contains(match, "secret")) {
		rule = &takes_secret;
	}
	if (service_operand_is(match, 1, "get-login-password get-authorization-token")) {
		found->flags |= FIND_OUT_SECRET;
	}
	if (rule != NULL) {
		service_find(match, found, rule);
	}
}

/* ---- gcloud and az --------------------------------------------------------------------------- */

/* Words that delete, where a verb may stand. */
static const char delete_verbs[] = "delete destroy terminate purge remove rm reset nuke delete-all "
				   "delete-batch erase wipe down "
				   "drop force-delete rollback-all deprovision del";

/* Nouns of which one is no loss, in front of the verb. */
static const char small_nouns[] =
	"tag tags label labels blob object objects message messages record records record-set "
	"record-sets record-set-a entry env env-vars variable domain dns instances-tags add-tags "
	"queue-message lock alias event events rule file cache deployment deployments deploys "
	"job-executions executions operation operations";

/* The verb: the first of the leading words that deletes. -1 when there is none. */
static int
delete_verb(const struct match *match)
{
	for (size_t i = 0; i < match->operand_count && i < 6; i++) {
		const struct field *word = &match->operands[i];
		const char *verb = strrchr(word->text, ':');

		verb = verb != NULL ? verb + 1 : word->text;
		if (field_is_literal(word) && service_word_in(verb, delete_verbs)) {
			return (int)i;
		}
	}
	return -1;
}

static const struct rule *
deletion(const struct match *match)
{
	int at = delete_verb(match);

	if (at < 0) {
		return NULL;
	}
	if (at > 0 && service_operand_is(match, (size_t)at - 1, small_nouns)) {
		return &deletes_small;
	}
	return &deletes;
}

void
clouds_refine_gcloud(const struct match *match, struct findings *found)
{
	const struct rule *rule = deletion(match);
	const struct matched_option *command = match_option(match, 0, "command");

	if (service_operand_is(match, 0, "version help topic cheat-sheet") ||
	    (service_operand_is(match, 0, "config") &&
	     service_operand_is(match, 1, "list get get-value"))) {
		return;
	}
	find_asks(match, found);
	if (service_operand_is(match, 0, "auth") &&
	    (has_word(match, "print-access-token") || has_word(match, "print-identity-token") ||
	     has_word(match, "print-refresh-token"))) {
		rule = &takes_secret;
	} else if (service_operand_is(match, 0, "secrets") && has_word(match, "access")) {
		rule = &takes_secret;
	} else if (has_word(match, "keys") && has_word(match, "service-accounts") &&
		   has_word(match, "create")) {
		rule = &takes_secret;
	} else if (has_word(match, "add-iam-policy-binding")) {
		rule = any_contains(match, "roles/owner") || any_contains(match, "roles/editor") ||
				       any_contains(match, "allUsers")
			       ? &grants_admin
			       : &grants;
	} else if (service_operand_is(match, 0, "storage") && has_word(match, "rm")) {
		rule = service_has(match, 'r', "recursive") || any_contains(match, "**")
			       ? &deletes_bucket
			       : &deletes_small;
	} else if (service_operand_is(match, 0, "config components")) {
		rule = NULL;
	}
	if (rule != NULL) {
		service_find(match, found, rule);
	}
	if (has_word(match, "ssh") && command != NULL && command->arg != NULL) {
		service_find(match, found, &remote_code);
		find_code(found, LANG_SH, command->arg, INNER_REMOTE | INNER_PROMPT, "gcloud ssh");
	}
}

/* "keys list", "secret show": what az prints that others could use. */
static bool
az_takes_secret(const struct match *match)
{
	return (has_word(match, "get-access-token")) ||
	       (has_word(match, "keyvault") && has_word(match, "secret") &&
		(has_word(match, "show") || has_word(match, "download"))) ||
	       (has_word(match, "keys") && (has_word(match, "list") || has_word(match, "renew"))) ||
	       (has_word(match, "credential") && has_word(match, "show")) ||
	       has_word(match, "show-connection-string") || has_word(match, "list-keys") ||
	       has_word(match, "create-for-rbac") || has_word(match, "generate-sas") ||
	       has_word(match, "list-publishing-credentials");
}

void
clouds_refine_az(const struct match *match, struct findings *found)
{
	const struct rule *rule = deletion(match);
	const struct matched_option *scripts = match_option(match, 0, "scripts");

	if (service_operand_is(match, 0, "version help")) {
		return;
	}
	find_asks(match, found);
	if (az_takes_secret(match)) {
		rule = &takes_secret;
	} else if (has_word(match, "assignment") && has_word(match, "create")) {
		rule = any_contains(match, "Owner") || any_contains(match, "Contributor")
			       ? &grants_admin
			       : &grants;
	}
	if (rule != NULL) {
		service_find(match, found, rule);
	}
	if (has_word(match, "run-command") && scripts != NULL && scripts->arg != NULL) {
		service_find(match, found, &remote_code);
		find_code(found, LANG_SH, scripts->arg, INNER_REMOTE | INNER_PROMPT,
			  "az run-command");
	}
}

/* ---- hosts of applications ------------------------------------------------------------------- */

static bool
runs_command(const struct match *match)
{
	return service_operand_is(match, 0, "run run:detached ssh exec console");
}

/* "heroku run CMD", "fly ssh console -C CMD" */
static void
host_command(const struct match *match, struct findings *found)
{
	const struct matched_option *command = match_option(match, 'C', "command");

	if (runs_command(match)) {
		service_find(match, found, &remote_code);
		if (match->first_operand + 1 < match->argc) {
			find_argv(found, match->argv + match->first_operand + 1,
				  match->argc - match->first_operand - 1,
				  INNER_REMOTE | INNER_PROMPT, "remote");
		}
	}
	if (command != NULL && command->arg != NULL) {
		find_code(found, LANG_SH, command->arg, INNER_REMOTE | INNER_PROMPT, "remote");
	}
}

void
clouds_refine_host(const struct match *match, struct findings *found)
{
	const struct rule *rule = runs_command(match) ? NULL : deletion(match);

	if (service_operand_is(match, 0, "version help completion completions")) {
		return;
	}
	find_asks(match, found);
	if (service_operand_is(match, 0, "auth:token authorizations:create tokens") ||
	    (service_operand_is(match, 0, "auth") && service_operand_is(match, 1, "token print"))) {
		rule = &takes_secret;
	} else if (service_operand_is(match, 0,
				      "domains:remove env:unset config:unset config "
				      "config:remove ps:kill dyno:kill ps:stop cache "
				      "logout drains:remove labs keys:remove")) {
		rule = rule != NULL ? &deletes_small : NULL;
	}
	if (rule != NULL) {
		service_find(match, found, rule);
	}
	host_command(match, found);
}
