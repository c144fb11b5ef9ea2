/* SPDX-License-Identifier: MIT */

/*
 * Kubernetes: kubectl, oc, helm and their relatives.
 *
 * A cluster is another machine, so all that asks it is prompt. What a controller makes again (a
 * pod) may be deleted after a question; namespaces, storage and whole kinds are forbidden.
 */

#include "command/models/models.h"
#include "command/models/services.h"

RULE(asks, "cluster.network", PROMPT, NETWORK, "talks to a cluster");
RULE(changes, "cluster.change", PROMPT, SYSTEM, "changes a cluster");
RULE(deletes, "cluster.delete", PROMPT, DELETES, "deletes something in a cluster");
RULE(deletes_namespace, "kubectl.delete-namespace", FORBIDDEN, DELETES,
     "deletes a namespace and all that is in it");
RULE(deletes_storage, "kubectl.delete-storage", FORBIDDEN, DELETES,
     "deletes storage of a cluster with the data in it");
RULE(deletes_kind, "kubectl.delete-definition", FORBIDDEN, DELETES,
     "deletes a definition or node, and everything of that kind or on it");
RULE(deletes_all, "kubectl.delete-all", FORBIDDEN, DELETES,
     "deletes everything of a kind in a cluster");
RULE(shows_secret, "kubectl.secret", FORBIDDEN, DISCLOSURE, "prints secrets of a cluster");
RULE(shows_token, "kubectl.token", FORBIDDEN, DISCLOSURE, "prints a token for a cluster");
RULE(shows_keys, "kubectl.config-raw", FORBIDDEN, DISCLOSURE,
     "prints the keys and tokens for clusters");
RULE(admin, "kubectl.cluster-admin", FORBIDDEN, PRIVILEGE, "gives all rights on a cluster");
RULE(executes, "cluster.exec", PROMPT, EXECUTES, "runs a command in a cluster");
RULE(settings, "kubectl.config", PROMPT, WRITES, "changes which cluster is meant");
RULE(runs_plugin, "cluster.plugin", PROMPT, EXECUTES, "installs or runs a plugin");
RULE(copies, "cluster.copy", PROMPT, NETWORK, "copies files into or out of a cluster");

static const struct option_row kubectl_options[] = {
	ROW_HELP("h", "help"),
	ROW_TAKES("nsofkclLpu",
		  "namespace context cluster user server token as as-group as-uid "
		  "output filename kustomize container selector field-selector "
		  "label-columns sort-by template v tail since since-time "
		  "grace-period timeout request-timeout replicas image type patch "
		  "overrides cache-dir certificate-authority client-certificate "
		  "client-key clusterrole role serviceaccount group password username "
		  "from-literal"),
	ROW_PATH(NULL, "kubeconfig", DEED_CONFIG),
	ROW_PATH(NULL, "from-file from-env-file patch-file", DEED_SEND),
	ROW_FLAG("AiRtwx", "all all-namespaces force now wait watch recursive prune stdin tty "
			   "follow previous minify flatten ignore-daemonsets "
			   "delete-emptydir-data delete-local-data disable-eviction "
			   "show-labels ignore-not-found overwrite"),
	ROW_MAYBE(NULL, "client dry-run cascade short raw"),
	OPTIONS_END,
};

/* Is one of the kinds in `words` what "pod/web", "pods,svc" or "ns" names? */
static bool
names_kind(const struct field *operand, const char *words)
{
	char kind[64];
	size_t at = 0;

	while (at < operand->len) {
		size_t len = strcspn(operand->text + at, ",/");
		size_t name = strcspn(operand->text + at, ",/.");

		if (name < sizeof(kind)) {
			memcpy(kind, operand->text + at, name);
			kind[name] = '\0';
			if (service_word_in(kind, words)) {
				return true;
			}
		}
		at += len;
		if (operand->text[at] != ',') {
			return false;
		}
		at++;
	}
	return false;
}

static const struct rule *
deletion_rule(const struct match *match)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];

		if (i > 0 && memchr(operand->text, '/', operand->len) == NULL) {
			break;
		}
		if (names_kind(operand, "ns namespace namespaces project projects")) {
			return &deletes_namespace;
		}
		if (names_kind(operand,
			       "pvc pv persistentvolumeclaim persistentvolumeclaims "
			       "persistentvolume persistentvolumes volumesnapshot "
			       "volumesnapshots storageclass storageclasses sc etcdcluster")) {
			return &deletes_storage;
		}
		if (names_kind(operand, "crd crds customresourcedefinition "
					"customresourcedefinitions node nodes no cluster clusters "
					"apiservice apiservices")) {
			return &deletes_kind;
		}
	}
	if (service_has(match, 0, "all") || service_has(match, 'A', "all-namespaces") ||
	    service_many_operands(match)) {
		return &deletes_all;
	}
	return &deletes;
}

static bool
is_dry(const struct match *match)
{
	const struct matched_option *dry = match_option(match, 0, "dry-run");

	return dry != NULL &&
	       (dry->arg == NULL || service_word_in(dry->arg->text, "client server true"));
}

static void
refine_delete(const struct match *match, struct findings *found)
{
	service_find(match, found, is_dry(match) ? &asks : deletion_rule(match));
}

/* "get secret NAME -o yaml": a list of names alone shows nothing. */
static void
refine_get(const struct match *match, struct findings *found)
{
	const struct matched_option *output = match_option(match, 'o', "output");
	bool shows = service_has(match, 0, "template") ||
		     (output != NULL && output->arg != NULL &&
		      !service_word_in(output->arg->text, "wide name"));

	service_find(match, found, &asks);
	for (size_t i = 0; i < match->operand_count && shows; i++) {
		if (names_kind(&match->operands[i], "secret secrets sealedsecret")) {
			service_find(match, found, &shows_secret);
			return;
		}
	}
}

static void
refine_config_view(const struct match *match, struct findings *found)
{
	const struct matched_option *raw = match_option(match, 0, "raw");

	if (raw != NULL && (raw->arg == NULL || !field_is(raw->arg, "false"))) {
		service_find(match, found, &shows_keys);
	}
}

static void
refine_version(const struct match *match, struct findings *found)
{
	const struct matched_option *client = match_option(match, 0, "client");

	if (client == NULL || (client->arg != NULL && !field_is(client->arg, "true"))) {
		found->flags |= FIND_NETWORK;
		find_rule(found, &asks, NULL);
	}
}

/* "exec POD -c NAME -- CMD", and the older form without the dashes. */
static void
refine_exec(const struct match *match, struct findings *found)
{
	size_t at = 1;

	service_find(match, found, &executes);
	for (size_t i = 0; i < match->operand_count; i++) {
		if (field_is(&match->operands[i], "--")) {
			at = i + 1;
			break;
		}
	}
	service_inner(match, found, at, INNER_REMOTE | INNER_PROMPT, "kubectl exec");
}

static void
refine_create(const struct match *match, struct findings *found)
{
	const struct matched_option *role = match_option(match, 0, "clusterrole");

	service_find(match, found, &changes);
	if (service_operand_is(match, 0, "token")) {
		service_find(match, found, &shows_token);
	}
	if (role != NULL && role->arg != NULL && field_is(role->arg, "cluster-admin")) {
		find_rule(found, &admin, role->arg);
	}
}

static void
refine_copy(const struct match *match, struct findings *found)
{
	service_find(match, found, &copies);
	for (size_t i = 0; i < match->operand_count && i < 2; i++) {
		const struct field *path = &match->operands[i];

		if (memchr(path->text, ':', path->len) == NULL) {
			find_deed(found, i == 0 ? DEED_SEND : service_copy_deed(path), path);
		}
	}
}

#define LOCAL(names, options, refine)                                                              \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_NO_ABBREV, 0, NULL, refine                       \
	}

static const struct program kubectl_subs[] = {
	LOCAL("version", NULL, refine_version),
	LOCAL("completion|help|options|config current-context|config get-contexts"
	      "|config get-clusters|config get-users|plugin list",
	      NULL, NULL),
	LOCAL("config view", NULL, refine_config_view),
	SUB_DOES("config|ctx|ns", &settings),
	SUB_TALKS("get", NULL, refine_get),
	SUB_TALKS("delete", NULL, refine_delete),
	{ "exec|rsh", NULL, NULL, NULL, PARSE_LOOSE | PARSE_POSIX, FIND_NETWORK, NULL,
	  refine_exec },
	{ "run|debug", NULL, NULL, NULL, PARSE_LOOSE | PARSE_POSIX, FIND_NETWORK, NULL,
	  refine_exec },
	SUB_TALKS("create", NULL, refine_create),
	SUB_TALKS("cp|rsync", NULL, refine_copy),
	SUB_TALKS("whoami|login|logout", &settings, NULL),
	SUB_TALKS("describe|logs|top|explain|api-resources|api-versions|cluster-info|events|auth|"
		  "diff|"
		  "wait"
		  "|port-forward|proxy|attach|kustomize|projects|status|adm top",
		  &asks, NULL),
	SUB_TALKS(
		"apply|replace|patch|edit|label|annotate|set|scale|autoscale|rollout|expose|drain|"
		"cordon"
		"|uncordon|taint|certificate|alpha|adm|new-project|new-app|process|import-image"
		"|start-build|policy|project|tag|idle|rollback|cancel-build|extract|registry",
		&changes, NULL),
	SUB_DOES("krew|plugin", &runs_plugin),
	PROGRAMS_END,
};

static void
refine_kubectl(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &runs_plugin);
	}
}

/* "oc whoami -t" */
static void
refine_oc(const struct match *match, struct findings *found)
{
	refine_kubectl(match, found);
	for (size_t i = 1; i + 1 < match->argc; i++) {
		if (field_is(&match->argv[i], "whoami") &&
		    (service_has(match, 't', "show-token") ||
		     field_is(&match->argv[i + 1], "--show-token"))) {
			find_rule(found, &shows_token, &match->argv[i]);
		}
	}
}

/* ---- helm -------------------------------------------------------------------------------- */

static const struct option_row helm_options[] = {
	ROW_HELP("h", "help"),
	ROW_TAKES("nfo", "namespace kube-context kube-apiserver kube-token values set set-string "
			 "set-json version repo timeout output username password description"),
	ROW_PATH(NULL, "kubeconfig", DEED_CONFIG),
	ROW_PATH(NULL, "set-file", DEED_SEND),
	ROW_PROGRAM(NULL, "post-renderer"),
	ROW_FLAG("aAq", "all all-namespaces short wait atomic install force dry-run debug client"),
	OPTIONS_END,
};

RULE(helm_uninstalls, "helm.uninstall", PROMPT, DELETES, "removes a release from a cluster");

static const struct program helm_subs[] = {
	LOCAL("version|env|help|completion|plugin list|repo list|lint", NULL, NULL),
	SUB_TALKS("uninstall|delete|del|un", &helm_uninstalls, NULL),
	SUB_TALKS("install|upgrade|rollback|test|push", &changes, NULL),
	SUB_TALKS("list|ls|status|history|hist|get|search|show|inspect|pull|fetch|repo|registry|"
		  "template"
		  "|dependency|dep|verify|package|create",
		  &asks, NULL),
	SUB_DOES("plugin", &runs_plugin),
	PROGRAMS_END,
};

static const struct option_row kustomize_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", NULL),
	OPTIONS_END,
};

/* ---- tools that make and end clusters -------------------------------------------------------- */

RULE(deletes_cluster, "cluster.delete-cluster", FORBIDDEN, DELETES,
     "deletes a cluster and all that is in it");
RULE(resets_node, "cluster.reset", FORBIDDEN, DELETES, "takes a node out of its cluster");

static const struct program maker_subs[] = {
	LOCAL("version|help|completion|info", NULL, NULL),
	SUB_TALKS("delete|delete cluster|delete nodegroup|delete ig|delete instancegroup|destroy "
		  "cluster"
		  "|rm",
		  &deletes_cluster, NULL),
	SUB_TALKS("reset", &resets_node, NULL),
	PROGRAMS_END,
};

#define CLUSTER(names, options, subs, refine)                                                      \
	{                                                                                          \
		names, ".*", options, subs, PARSE_LOOSE, 0, NULL, refine                           \
	}

static void
refine_maker(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &changes);
	}
}

const struct program models_clusters[] = {
	CLUSTER("kubectl kubecolor", kubectl_options, kubectl_subs, refine_kubectl),
	CLUSTER("oc", kubectl_options, kubectl_subs, refine_oc),
	CLUSTER("helm helm3 helmfile", helm_options, helm_subs, refine_maker),
	CLUSTER("eksctl kops kubeadm rke rke2 k0s k0sctl talosctl clusterctl openshift-install "
		"kubespray "
		"microk8s.kubectl gardenctl",
		kustomize_options, maker_subs, refine_maker),
	{ "kustomize k9s stern kubectx kubens skaffold tilt argocd flux istioctl linkerd cilium "
	  "velero kubeseal kubeval kubeconform popeye werf garden okteto telepresence kn tkn "
	  "crossplane "
	  "kompose conftest calicoctl kubetail kail",
	  ".*", kustomize_options, NULL, PARSE_LOOSE, FIND_NETWORK | FIND_OUT_NETWORK, &asks,
	  NULL },
	PROGRAMS_END,
};
