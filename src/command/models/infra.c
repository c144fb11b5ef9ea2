/* SPDX-License-Identifier: MIT */

/*
 * Infrastructure as code, configuration of machines, and stores of secrets and settings:
 * terraform, pulumi, ansible, salt, consul and so on.
 */

#include "command/models/models.h"
#include "command/models/services.h"

RULE(destroys, "infra.destroy", FORBIDDEN, DELETES,
     "destroys the infrastructure that is described");
RULE(forgets, "infra.state-delete", FORBIDDEN, DELETES,
     "deletes what is known of the infrastructure");
RULE(applies, "infra.apply", PROMPT, SYSTEM, "changes the infrastructure");
RULE(plans, "infra.plan", PROMPT, EXECUTES, "runs providers, which talk to their services");
RULE(unlocks, "infra.unlock", PROMPT, SYSTEM, "breaks the lock on the state of the infrastructure");
RULE(formats, "infra.format", PROMPT, WRITES, "rewrites files");
RULE(shows_secrets, "infra.show-secrets", FORBIDDEN, DISCLOSURE, "prints secrets");
RULE(settings, "infra.settings", PROMPT, WRITES, "changes settings or accounts");

#define DOES(names, options, rule)                                                                 \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV,        \
			FIND_NETWORK, rule, NULL                                                   \
	}
#define REFINED(names, options, refine)                                                            \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV,        \
			FIND_NETWORK, NULL, refine                                                 \
	}
#define LOCAL(names, options, refine)                                                              \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, NULL, refine      \
	}

/* ---- terraform and pulumi -------------------------------------------------------------------- */

static const struct option_row terraform_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW(NULL, "chdir", ARG_ONE, USE_DIR),
	OPTIONS_END,
};

static const struct option_row terraform_fmt_options[] = {
	ROW_FLAG(NULL, "check diff recursive no-color"),
	ROW_MAYBE(NULL, "list write"),
	OPTIONS_END,
};

static void
refine_fmt(const struct match *match, struct findings *found)
{
	const struct matched_option *write = match_option(match, 0, "write");

	if (!service_has(match, 0, "check") &&
	    (write == NULL || write->arg == NULL || !field_is(write->arg, "false"))) {
		find_rule(found, &formats, NULL);
	}
}

static const struct option_row apply_options[] = {
	ROW_MAYBE(NULL, "destroy force auto-approve"),
	ROW_TAKES(NULL, "var-file target replace parallelism state lock-timeout"),
	OPTIONS_END,
};

static bool
is_on(const struct match *match, const char *name)
{
	const struct matched_option *option = match_option(match, 0, name);

	return option != NULL && (option->arg == NULL || !field_is(option->arg, "false"));
}

static void
refine_apply(const struct match *match, struct findings *found)
{
	service_find(match, found, is_on(match, "destroy") ? &destroys : &applies);
}

static void
refine_workspace_delete(const struct match *match, struct findings *found)
{
	service_find(match, found, is_on(match, "force") ? &forgets : &applies);
}

static const struct program terraform_subs[] = {
	LOCAL("version|help", NULL, NULL),
	LOCAL("fmt", terraform_fmt_options, refine_fmt),
	DOES("destroy|destroy-all", NULL, &destroys),
	REFINED("apply|apply-all", apply_options, refine_apply),
	DOES("state rm|state push|state replace-provider", NULL, &forgets),
	REFINED("workspace delete", apply_options, refine_workspace_delete),
	DOES("force-unlock", NULL, &unlocks),
	DOES("taint|untaint|import|refresh|state mv|cloud|workspace new|workspace select|env", NULL,
	     &applies),
	DOES("login|logout|providers lock|providers mirror|get|modules", NULL, &settings),
	DOES("init|plan|plan-all|validate|show|output|graph|console|providers|state list|state show"
	     "|state pull|workspace list|workspace show|metadata|test|stacks|query",
	     NULL, &plans),
	PROGRAMS_END,
};

/* terragrunt hands on what it does not know, and runs it for many: "run-all destroy". */
static void
refine_terragrunt(const struct match *match, struct findings *found)
{
	bool destroy = is_on(match, "destroy");

	for (size_t i = 0; i < match->operand_count; i++) {
		destroy |= service_operand_is(match, i, "destroy destroy-all");
	}
	if (match->parent == NULL) {
		service_find(match, found, destroy ? &destroys : &applies);
	}
}

static const struct option_row pulumi_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_TAKES("sCe", "stack cwd color env config"),
	ROW_RULE(NULL, "show-secrets", ARG_NONE, &shows_secrets),
	ROW_FLAG("yfd", "yes force diff skip-preview non-interactive"),
	OPTIONS_END,
};

static void
refine_stack_rm(const struct match *match, struct findings *found)
{
	service_find(match, found, service_has(match, 'f', "force") ? &forgets : &applies);
}

#define PULUMI(names, rule, refine)                                                                \
	{                                                                                          \
		names, NULL, NULL, NULL, PARSE_LOOSE, FIND_NETWORK, rule, refine                   \
	}

static const struct program pulumi_subs[] = {
	{ "version|help", NULL, NULL, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	PULUMI("destroy|down", &destroys, NULL),
	PULUMI("state delete", &forgets, NULL),
	PULUMI("stack rm", NULL, refine_stack_rm),
	PULUMI("up|update|refresh|import|cancel|watch|state|new|stack|config|policy|package|plugin"
	       "|login|logout|env|org",
	       &applies, NULL),
	PULUMI("about|preview|logs|whoami|console|convert|schema", &plans, NULL),
	PROGRAMS_END,
};

/* cdk destroy, sam delete, serverless remove and the like */
static const struct program deploy_subs[] = {
	{ "version|help|--list", NULL, NULL, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	PULUMI("destroy|delete|remove|terminate|app delete|env delete|svc delete", &destroys, NULL),
	PROGRAMS_END,
};

static void
refine_deploy(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &applies);
	}
}

/* ---- ansible, salt, puppet, chef ------------------------------------------------------------- */

RULE(plays, "ansible.run", PROMPT, SYSTEM, "runs tasks on machines");
RULE(vault_shows, "ansible.vault", PROMPT, DISCLOSURE, "shows, writes or changes sealed secrets");
RULE(remote_code, "remote.run", PROMPT, EXECUTES, "runs commands on many machines");

static const struct option_row ansible_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_TAKES("maiuetlfMPBc", "module-name args inventory user extra-vars tags limit forks "
				  "module-path connection skip-tags start-at-task become-user "
				  "become-method private-key key-file timeout vault-id"),
	ROW_PATH(NULL, "vault-password-file become-password-file connection-password-file",
		 DEED_EXECUTE),
	ROW_FLAG("bkKvCDosx", "become ask-pass ask-become-pass verbose check diff list-hosts "
			      "list-tasks syntax-check one-line"),
	OPTIONS_END,
};

/* "ansible HOSTS -m shell -a TEXT"; the module is "command" when none is named. */
static void
refine_ansible(const struct match *match, struct findings *found)
{
	const struct matched_option *module = match_option(match, 'm', "module-name");
	const struct matched_option *args = match_option(match, 'a', "args");

	if (args == NULL || args->arg == NULL) {
		return;
	}
	if (module == NULL || module->arg == NULL ||
	    service_word_in(module->arg->text,
			    "shell command raw script win_shell win_command ansible.builtin.shell "
			    "ansible.builtin.command ansible.builtin.raw")) {
		find_code(found, LANG_SH, args->arg, INNER_REMOTE | INNER_PROMPT, "ansible");
	}
}

static const struct option_row puppet_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	ROW_CODE("e", "execute exec", LANG_RUBY),
	OPTIONS_END,
};

static const struct option_row salt_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version versions-report"),
	ROW_TAKES("CLEGNStlc", "batch-size timeout out log-level config-dir"),
	OPTIONS_END,
};

/* "salt '*' cmd.run TEXT" */
static void
refine_salt(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i + 1 < match->operand_count; i++) {
		if (service_operand_is(match, i,
				       "cmd.run cmd.shell cmd.run_all cmd.run_stdout "
				       "cmd.script cmd.exec_code")) {
			find_code(found, LANG_SH, &match->operands[i + 1],
				  INNER_REMOTE | INNER_PROMPT, "salt");
		}
	}
}

static const struct option_row pdsh_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	ROW_TAKES("wxgRluftHpP", "hosts user timeout"),
	OPTIONS_END,
};

/* "pdsh -w HOSTS TEXT" */
static void
refine_pdsh(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		find_code(found, LANG_SH, &match->operands[i], INNER_REMOTE | INNER_PROMPT, "pdsh");
	}
}

/* ---- consul, nomad, etcd --------------------------------------------------------------------- */

RULE(store_asks, "store.network", PROMPT, NETWORK, "talks to the store of settings");
RULE(store_deletes, "store.delete", PROMPT, DELETES, "deletes a setting or a job");
RULE(store_deletes_tree, "store.delete-tree", FORBIDDEN, DELETES,
     "deletes everything below a name in the store");

#define TALKS(names, options, rule, refine)                                                        \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV,        \
			FIND_NETWORK | FIND_OUT_NETWORK, rule, refine                              \
	}

static const struct option_row store_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_FLAG("r", "recurse prefix from-key purge yes detach recursive cas"),
	ROW_TAKES(NULL,
		  "http-addr token datacenter endpoints cacert cert key user address namespace "
		  "region limit sort-by order write-out w"),
	OPTIONS_END,
};

static void
refine_store_delete(const struct match *match, struct findings *found)
{
	bool tree = service_has(match, 'r', "recurse") || service_has(match, 0, "prefix") ||
		    service_has(match, 0, "from-key") || service_has(match, 0, "purge") ||
		    service_has(match, 0, "recursive");

	service_find(match, found, tree ? &store_deletes_tree : &store_deletes);
}

static const struct program store_subs[] = {
	LOCAL("version|help", NULL, NULL),
	TALKS("kv delete|del|rm|rmdir|delete|deleteall|rmr|job stop|stop|job purge", store_options,
	      NULL, refine_store_delete),
	TALKS("namespace delete|acl bootstrap|snapshot restore|operator raft remove-peer|volume "
	      "delete"
	      "|node purge|member remove|job eval-delete",
	      store_options, &store_deletes_tree, NULL),
	TALKS("alloc exec|exec", store_options, &remote_code, NULL),
	PROGRAMS_END,
};

static void
refine_store(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &store_asks);
	}
}

/* ---- password managers, and what runs a command with secrets --------------------------------- */

RULE(manager_asks, "secrets.manager", PROMPT, DISCLOSURE, "uses a manager of passwords");
RULE(manager_prints, "secrets.print", FORBIDDEN, DISCLOSURE,
     "prints secrets from a manager of passwords");
RULE(with_secrets, "secrets.run", PROMPT, DISCLOSURE,
     "runs a command with secrets in its environment");

static const struct option_row manager_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	ROW_TAKES("pce", "project config env env-file account vault format session"),
	OPTIONS_END,
};

#define PRINTS(names)                                                                              \
	{                                                                                          \
		names, NULL, NULL, NULL, PARSE_LOOSE, FIND_OUT_SECRET, &manager_prints, NULL       \
	}

static const struct program manager_subs[] = {
	{ "version|help|completion", NULL, NULL, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "run|exec", NULL, NULL, NULL, PARSE_POSIX | PARSE_LOOSE, 0, &with_secrets, NULL },
	PRINTS("read|get|show|item get|get password|get item|list items|document get|export|inject"
	       "|secrets|secrets get|secrets download|get secret|reveal|decrypt|otp|password"
	       "|configs tokens create|env|lookup|search --show|find-generic-password|dump"),
	PROGRAMS_END,
};

/* "doppler run -- CMD", "op run -- CMD", "aws-vault exec PROFILE -- CMD" */
static void
refine_manager(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &manager_asks);
	}
	service_after_dashes(match, found, INNER_PROMPT, "secrets");
}

#define INFRA(names, options, subs, style, refine)                                                 \
	{                                                                                          \
		names, ".*", options, subs, (style) | PARSE_LOOSE, 0, NULL, refine                 \
	}
#define ONE_DASH (PARSE_LONG_ONE | PARSE_NO_ABBREV)

const struct program models_infra[] = {
	INFRA("terraform tofu", terraform_options, terraform_subs, ONE_DASH, refine_terragrunt),
	INFRA("terragrunt terramate atmos", terraform_options, terraform_subs, ONE_DASH,
	      refine_terragrunt),
	INFRA("pulumi", pulumi_options, pulumi_subs, 0, refine_deploy),
	INFRA("cdk cdktf sam serverless sls amplify chalice zappa up apex claudia arc sst "
	      "cloudformation nitric eb",
	      terraform_options, deploy_subs, 0, refine_deploy),
	{ "packer", ".*", terraform_options, NULL, PARSE_LOOSE | ONE_DASH, FIND_NETWORK, &plans,
	  NULL },
	{ "infracost driftctl terraform-docs terraformer bicep", ".*", terraform_options, NULL,
	  PARSE_LOOSE, FIND_NETWORK, &plans, NULL },
	{ "ansible", ".*", ansible_options, NULL, PARSE_LOOSE, FIND_NETWORK, &plays,
	  refine_ansible },
	{ "ansible-playbook ansible-pull ansible-galaxy ansible-inventory ansible-console "
	  "ansible-config "
	  "ansible-navigator ansible-runner molecule",
	  ".*", ansible_options, NULL, PARSE_LOOSE, FIND_NETWORK, &plays, NULL },
	{ "ansible-vault age rage git-crypt transcrypt blackbox_cat chamber teller", ".*",
	  ansible_options, NULL, PARSE_LOOSE, 0, &vault_shows, NULL },
	{ "puppet facter bolt chef chef-client chef-solo chef-apply knife inspec cfengine cf-agent "
	  "capistrano cap mina dokku kamal nixops colmena morph",
	  ".*", puppet_options, NULL, PARSE_LOOSE, FIND_NETWORK, &plays, NULL },
	{ "salt salt-call salt-ssh salt-run", ".*", salt_options, NULL, PARSE_LOOSE, FIND_NETWORK,
	  &remote_code, refine_salt },
	{ "pdsh pssh parallel-ssh clush dsh cssh mussh", ".*", pdsh_options, NULL,
	  PARSE_POSIX | PARSE_LOOSE, FIND_NETWORK, &remote_code, refine_pdsh },
	INFRA("consul nomad etcdctl zkCli.sh serf boundary waypoint", store_options, store_subs,
	      ONE_DASH, refine_store),
	INFRA("doppler infisical dashlane aws-vault saml2aws aws-okta "
	      "granted "
	      "envchain akeyless conjur keybase secretspec summon berglas",
	      manager_options, manager_subs, PARSE_POSIX, refine_manager),
	PROGRAMS_END,
};
