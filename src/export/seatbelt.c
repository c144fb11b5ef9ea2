/* SPDX-License-Identifier: MIT */

/*
 * The text of a Seatbelt profile: "deny default", what is let in, and at the end what is kept out,
 * since the last rule that matches decides.
 *
 * What is let in without being asked for is what ordinary programs do not start or work without.
 * Names of operations, filters and services are Apple's, as macOS's own profiles, Chromium's and
 * Codex's use them.
 */

#include "export/seatbelt.h"

#include "base/attr.h"

#include <bailey/version.h>

#include <string.h>

struct writer {
	struct strbuf *out;
	const struct bailey_policy *policy;
	const struct seatbelt_places *places;
	struct bailey_error *err;
	int rc; /* the first failure; nothing is written after it */
};

static const char *const subpath[] = { "(subpath %)", NULL };
/* A rule for a directory also has to hold for a plain file of that name, and for none at all. */
static const char *const whole[] = { "(literal %)", "(subpath %)", NULL };
static const char *const exact[] = { "(literal %)", NULL };
static const char *const socket_there[] = { "(remote unix-socket (subpath %))", NULL };
static const char *const socket_here[] = { "(local unix-socket (subpath %))", NULL };

static const char no_memory[] = "no memory for a Seatbelt profile";

/* ---- what programs need ------------------------------------------------------------------ */

static const char basics[] =
	"(deny default)\n"
	"\n"
	"; processes\n"
	"(allow process-fork)\n"
	"(allow signal (target same-sandbox))\n"
	"(allow process-info* (target same-sandbox))\n"
	"(allow file-map-executable)\n"
	"\n"
	"; facts about the system, but not other processes' arguments and environment\n"
	"(allow sysctl-read)\n"
	"(deny sysctl-read (sysctl-name-prefix \"kern.procargs\"))\n"
	"\n"
	"; preferences, and the memory that they are shared through\n"
	"(allow user-preference-read)\n"
	"(allow ipc-posix-shm-read* (ipc-posix-name-prefix \"apple.cfprefs.\"))\n"
	"(allow ipc-posix-sem)\n"
	"\n"
	"; services that only inform; none starts programs, holds keys or sees the screen\n"
	"(allow mach-lookup\n"
	"  (global-name \"com.apple.cfprefsd.agent\")\n"
	"  (global-name \"com.apple.cfprefsd.daemon\")\n"
	"  (local-name \"com.apple.cfprefsd.agent\")\n"
	"  (global-name \"com.apple.bsd.dirhelper\")\n"
	"  (global-name \"com.apple.diagnosticd\")\n"
	"  (global-name \"com.apple.FSEvents\")\n"
	"  (global-name \"com.apple.logd\")\n"
	"  (global-name \"com.apple.PowerManagement.control\")\n"
	"  (global-name \"com.apple.system.logger\")\n"
	"  (global-name \"com.apple.system.notification_center\")\n"
	"  (global-name \"com.apple.system.opendirectoryd.libinfo\")\n"
	"  (global-name \"com.apple.system.opendirectoryd.membership\"))\n"
	"\n"
	"; devices; a terminal only when this sandbox made it, since input can be put into others\n"
	"(allow file-write-data\n"
	"  (literal \"/dev/null\")\n"
	"  (literal \"/dev/zero\")\n"
	"  (literal \"/dev/tty\"))\n"
	"(allow pseudo-tty)\n"
	"(allow file-read* file-write-data file-ioctl (literal \"/dev/ptmx\"))\n"
	"(allow file-read* file-write-data file-ioctl\n"
	"  (require-all (regex #\"^/dev/ttys[0-9]+$\") (extension \"com.apple.sandbox.pty\")))\n";

/* What a program reads to start, when not everything may be read. */
static const char system_reads[] = "(allow file-read-metadata)\n"
				   "(allow file-read*\n"
				   "  (literal \"/\")\n"
				   "  (subpath \"/System\")\n"
				   "  (subpath \"/Library\")\n"
				   "  (subpath \"/usr\")\n"
				   "  (subpath \"/bin\")\n"
				   "  (subpath \"/sbin\")\n"
				   "  (subpath \"/dev\")\n"
				   "  (subpath \"/private/etc\")\n"
				   "  (subpath \"/private/var/db/dyld\")\n"
				   "  (subpath \"/private/var/db/timezone\")\n"
				   "  (subpath \"/private/var/select\"))\n";

/* Names and certificates for a program that may use the network. */
static const char network_services[] =
	"(allow mach-lookup\n"
	"  (global-name \"com.apple.SystemConfiguration.configd\")\n"
	"  (global-name \"com.apple.SystemConfiguration.DNSConfiguration\")\n"
	"  (global-name \"com.apple.dnssd.service\")\n"
	"  (global-name \"com.apple.networkd\")\n"
	"  (global-name \"com.apple.ocspd\")\n"
	"  (global-name \"com.apple.trustd.agent\"))\n"
	"(allow system-socket)\n"
	"(allow network*)\n"
	"(deny network-outbound (remote unix-socket))\n"
	"(allow network-outbound\n"
	"  (remote unix-socket (subpath \"/private/var/run/mDNSResponder\")))\n";

/* With protect_git "hooks": the same parts as at the top, of submodules and worktrees. */
static const char git_modules[] =
	"(deny file-write*\n"
	"  (regex #\"/\\.git/(modules|worktrees)/.*/"
	"(hooks|config|config\\.worktree|commondir|info/attributes)(/|$)\"))\n";

/* ---- what can be said at all ------------------------------------------------------------- */

static int
unsupported(struct bailey_error *err, const char *what, const char *instead)
{
	return bailey_fail(err, BAILEY_E_UNSUPPORTED, "a Seatbelt profile cannot express %s; %s",
			   what, instead);
}

static int
check(const struct bailey_policy *policy, const struct bailey_scene *scene,
      struct bailey_error *err)
{
	if (policy->type != BAILEY_POLICY_READ_ONLY &&
	    policy->type != BAILEY_POLICY_WORKSPACE_WRITE) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "the policy '%s' asks for no sandbox of Bailey's, so it has no "
				   "Seatbelt profile",
				   bailey_policy_type_name(policy->type));
	}
	if (scene->cwd == NULL || scene->cwd[0] != '/') {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "the working directory must be an absolute path");
	}
	if (policy->allowlist_count > 0) {
		return unsupported(err, "a list of allowed hosts",
				   "allow the whole network or none of it");
	}
	if (policy->resolve_count > 0) {
		return unsupported(err, "addresses for names", "leave 'resolve' out");
	}
	if (policy->devices.count > 0) {
		return unsupported(err, "device groups", "leave 'devices' out");
	}
	return BAILEY_OK;
}

/* ---- sections ---------------------------------------------------------------------------- */

static void
section(struct writer *w, const char *title)
{
	strbuf_printf(w->out, "\n; %s\n", title);
}

static void
rule(struct writer *w, const char *head, const char *const filters[], const struct strings *paths)
{
	if (w->rc == BAILEY_OK) {
		w->rc = sbpl_rule(w->out, head, filters, paths, w->err);
	}
}

/* Only constant text: a comment must not hold anything that somebody else has chosen. */
static void
write_head(struct writer *w)
{
	static const struct limits none = { 0 };
	struct limits limits = policy_limits(w->policy);

	strbuf_printf(w->out, "(version 1)\n; A '%s' policy, written by Bailey %s.\n",
		      bailey_policy_type_name(w->policy->type), BAILEY_VERSION);
	if (memcmp(&limits, &none, sizeof(limits)) != 0) {
		strbuf_puts(w->out,
			    "; The policy has resource limits. Seatbelt does not hold them: "
			    "whoever starts the program has to.\n");
	}
	strbuf_puts(w->out, basics);
}

static void
write_programs(struct writer *w)
{
	section(w, "programs");
	if (w->places->exec_roots.count == 0) {
		strbuf_puts(w->out, "(allow process-exec)\n");
	}
	rule(w, "allow process-exec", subpath, &w->places->exec_roots);
	if (w->policy->ipc) {
		strbuf_puts(w->out, "(allow ipc-posix*)\n(allow ipc-sysv*)\n");
	}
}

static void
write_reads(struct writer *w)
{
	const struct seatbelt_places *places = w->places;

	section(w, "reading");
	if (places->read_roots.count == 0) {
		strbuf_puts(w->out, "(allow file-read*)\n");
		return;
	}
	strbuf_puts(w->out, system_reads);
	rule(w, "allow file-read*", subpath, &places->read_roots);
	rule(w, "allow file-read*", subpath, &places->exec_roots);
	rule(w, "allow file-read*", subpath, &places->roots);
	rule(w, "allow file-read*", subpath, &places->temps);
}

static void
write_writes(struct writer *w)
{
	if (w->places->roots.count + w->places->temps.count == 0) {
		return;
	}
	section(w, "writing");
	rule(w, "allow file-write*", subpath, &w->places->roots);
	rule(w, "allow file-write*", subpath, &w->places->temps);
}

static void
write_sockets(struct writer *w, const struct strings *paths)
{
	rule(w, "allow network-bind network-inbound", socket_here, paths);
	rule(w, "allow network-outbound", socket_there, paths);
}

static void
write_network(struct writer *w)
{
	const struct bailey_policy *policy = w->policy;

	section(w, "network");
	strbuf_puts(w->out, policy->network_access
				    ? network_services
				    : "(allow system-socket (socket-domain AF_UNIX))\n");
	for (size_t i = 0; !policy->network_access && i < policy->bind_port_count; i++) {
		unsigned int port = policy->bind_ports[i];

		strbuf_printf(w->out,
			      "(allow network-bind network-inbound (local ip \"localhost:%u\"))\n"
			      "(allow network-outbound (remote ip \"localhost:%u\"))\n",
			      port, port);
	}
	write_sockets(w, &w->places->roots);
	write_sockets(w, &w->places->temps);
	rule(w, "allow network-outbound", socket_there, &w->places->sockets);
	if (w->places->any_socket) {
		strbuf_puts(w->out, "(allow network-outbound (remote unix-socket))\n");
	}
}

/* ---- denials ----------------------------------------------------------------------------- */

static void
deny_all(struct writer *w, struct arena *arena, bool read)
{
	const struct seatbelt_places *places = w->places;
	struct strings paths = { 0 };

	paths.items = arena_array(arena, places->denial_count, sizeof(*paths.items));
	if (paths.items == NULL) {
		w->rc = bailey_fail(w->err, BAILEY_E_NOMEM, "%s", no_memory);
		return;
	}
	for (size_t i = 0; i < places->denial_count; i++) {
		if (places->denials[i].read == read) {
			paths.items[paths.count++] = places->denials[i].path;
		}
	}
	if (paths.count == 0) {
		return;
	}
	section(w, read ? "sensitive: neither read nor written" : "protected: read, not written");
	rule(w, read ? "deny file-read* file-write* process-exec" : "deny file-write*", whole,
	     &paths);
	rule(w, "deny network-bind", socket_here, &paths);
	if (read) {
		rule(w, "deny network-outbound", socket_there, &paths);
	}
}

static void
write_denials(struct writer *w, struct arena *arena)
{
	const struct seatbelt_places *places = w->places;
	const char *name;

	deny_all(w, arena, false);
	deny_all(w, arena, true);
	rule(w, "deny file-read-data", exact, &places->hidden);
	if (places->roots.count + places->temps.count == 0) {
		return;
	}
	section(w, "what holds the denials in place");
	for (size_t i = 0; (name = seatbelt_protected_name(w->policy, i)) != NULL; i++) {
		sbpl_other_case(w->out, "deny file-write*", name);
	}
	rule(w, "deny file-write-create file-write-unlink", exact, &places->fixed);
	if (places->fixed.count > 0) {
		strbuf_puts(w->out, git_modules);
	}
	rule(w, "deny file-write-unlink", exact, &places->anchors);
	strbuf_puts(w->out, "(deny file-write-setugid)\n");
}

/* ---- the whole --------------------------------------------------------------------------- */

int
seatbelt_write(const struct seatbelt_request *request, char **text, struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };
	AUTO_STRBUF out = STRBUF_INIT;
	struct seatbelt_places places = { 0 };
	struct writer w = { &out, request->policy, &places, err, BAILEY_OK };
	int rc = check(request->policy, request->scene, err);

	if (rc == BAILEY_OK) {
		rc = seatbelt_find_places(&arena, request, &places, err);
	}
	if (rc != BAILEY_OK) {
		return rc;
	}
	write_head(&w);
	write_programs(&w);
	write_reads(&w);
	write_writes(&w);
	write_network(&w);
	write_denials(&w, &arena);
	if (w.rc != BAILEY_OK) {
		return w.rc;
	}
	*text = strbuf_take(&out);
	return *text != NULL ? BAILEY_OK : bailey_fail(err, BAILEY_E_NOMEM, "%s", no_memory);
}

int
bailey_export_seatbelt(const struct bailey_policy *policy, const struct bailey_scene *scene,
		       char **text, struct bailey_error *err)
{
	const struct seatbelt_request request = {
		.policy = policy,
		.scene = scene,
		.fs = scene->lexical ? NULL : &plan_real_fs,
	};

	return seatbelt_write(&request, text, err);
}
