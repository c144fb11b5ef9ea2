/* SPDX-License-Identifier: MIT */

/*
 * The big clouds (aws, gcloud, az and the like) and hosts of applications. All of it is prompt at
 * least, but for versions and help; the verbs are in clouds_refine.c.
 */

#include "command/models/clouds_impl.h"
#include "command/models/models.h"

/* Options are loose, and one that is not listed may take the next word: so those without an
 * argument that stand in front of what counts are listed. */
static const struct option_row aws_options[] = {
	ROW_ALONE(NULL, "version"),
	ROW_FLAG(NULL,
		 "recursive force delete dryrun dry-run quiet debug no-verify-ssl no-paginate "
		 "no-sign-request with-decryption skip-final-snapshot no-progress only-show-errors "
		 "exact-timestamps size-only no-cli-pager human-readable summarize "
		 "delete-automated-backups force-delete-without-recovery yes no-dry-run "
		 "follow-symlinks no-follow-symlinks no-cli-auto-prompt include-all-instances"),
	ROW_TAKES(NULL,
		  "profile region output endpoint-url query acl exclude include storage-class "
		  "role-arn policy-arn user-name instance-ids parameters name names"),
	OPTIONS_END,
};

static const struct option_row gcloud_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW_FLAG("qrm", "quiet recursive async all force no-async log-http verbose "
			"delete-disks keep-disks tunnel-through-iap no-user-output-enabled"),
	ROW_TAKES(NULL, "project region zone format filter command account configuration "
			"impersonate-service-account member role location"),
	OPTIONS_END,
};

static const struct option_row az_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_FLAG("y", "yes no-wait only-show-errors verbose debug force"),
	ROW_TAKES("gnlsouet", "resource-group name location subscription output query scripts "
			      "command-id assignee role scope"),
	OPTIONS_END,
};

static const struct option_row host_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_FLAG("yf",
		 "yes force json quiet auto-confirm skip-confirmation force-shared local linked "
		 "all production preview no-verify"),
	ROW_TAKES("artps", "app remote team project project-ref site org scope token access-token "
			   "confirm environment service config format output context region"),
	ROW_TAKES("C", "command"),
	OPTIONS_END,
};

static const struct option_row doctl_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", NULL),
	ROW_FLAG("fvyq", "force verbose yes trace quiet"),
	ROW_TAKES("to",
		  "access-token output context format api-url config profile region compartment-id "
		  "instance-id"),
	OPTIONS_END,
};

#define CLOUD_STYLE (PARSE_LOOSE | PARSE_OPTIONAL_NEXT)

#define CLOUD(names, options, refine)                                                              \
	{                                                                                          \
		names, ".*", options, NULL, CLOUD_STYLE, 0, NULL, refine                           \
	}

const struct program models_clouds[] = {
	CLOUD("aws aws2 awslocal aws-shell", aws_options, clouds_refine_aws),
	CLOUD("gcloud", gcloud_options, clouds_refine_gcloud),
	CLOUD("az", az_options, clouds_refine_az),
	CLOUD("doctl linode-cli linode hcloud scw vultr-cli civo exo oci ibmcloud ovhcloud upctl "
	      "bx tccli aliyun yc openstack nova cinder glance neutron metal packet tencentcloud "
	      "hetzner stackit ionosctl cloudscale",
	      doctl_options, clouds_refine_host),
	CLOUD("heroku fly flyctl vercel vc now netlify ntl wrangler firebase supabase railway "
	      "render "
	      "dokku-cli cf gigalixir platform upsun clever scalingo koyeb northflank deployctl "
	      "surge "
	      "eas neonctl neon pscale planetscale turso convex appwrite nhost hasura xata "
	      "cloudflare "
	      "shopify stripe twilio sentry-cli algolia contentful sanity netlify-cli porter "
	      "zeabur "
	      "nsc temporal confluent ccloud atlas mongocli elastic ecctl newrelic datadog-ci "
	      "launchdarkly auth0 okta firebase-tools expo-cli stripe-cli",
	      host_options, clouds_refine_host),
	PROGRAMS_END,
};
