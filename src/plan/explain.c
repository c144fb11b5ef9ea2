/* SPDX-License-Identifier: MIT */

/* A plan in words, and as JSON. Both show the same plan; neither decides anything. */

#include "base/attr.h"
#include "base/strbuf.h"
#include "plan/plan.h"
#include "plan/rights.h"

#include <jansson.h>
#include <string.h>

static const char *const reason_names[WHY_COUNT] = {
	[WHY_SYSTEM] = "system",       [WHY_READ_ROOT] = "read root",
	[WHY_EXEC_ROOT] = "exec root", [WHY_WRITE_ROOT] = "write root",
	[WHY_TMP] = "temp directory",  [WHY_CACHE] = "cache",
	[WHY_DEVICE] = "device",       [WHY_SENSITIVE] = "sensitive",
	[WHY_DENY] = "denied",	       [WHY_PROTECTED] = "protected name",
	[WHY_ANCESTOR] = "names only",
};

static const char *const enforcer_names[] = {
	[BY_LANDLOCK] = "landlock", [BY_SECCOMP] = "seccomp", [BY_WATCHER] = "launcher",
	[BY_BROKER] = "broker",	    [BY_NOTHING] = "nothing",
};

static const char *const part_names[] = {
	"files",	"reads",    "metadata",	     "processes",
	"unix_sockets", "loopback", "shared_memory", "tasks",
};

static const char *const env_names[] = {
	[ENV_FILTER] = "filter",
	[ENV_SANITIZE] = "sanitize",
	[ENV_KEEP] = "keep",
	[ENV_CLEAR] = "clear",
};

const char *
plan_reason_name(enum plan_reason why)
{
	return (unsigned int)why < WHY_COUNT ? reason_names[why] : "unknown";
}

const char *
plan_enforcer_name(enum plan_enforcer by)
{
	return (size_t)by < COUNT_OF(enforcer_names) ? enforcer_names[by] : "unknown";
}

const char *
plan_fs_right_name(unsigned int bit)
{
	const struct right_table *table = plan_right_table(RIGHTS_FS);

	for (size_t i = 0; i < table->count; i++) {
		if (bit < 64 && table->rights[i].bit == BIT(bit)) {
			return table->rights[i].name;
		}
	}
	return NULL;
}

/*
 * Names come from directories that anybody may have made, so they are shown, never printed: a
 * name must not command the terminal that the plan is read on.
 */

/* ---- for people --------------------------------------------------------------------------- */

/* "rwx" in the manner of ls: what can be done with what lies there. */
static void
letters(uint64_t access, char out[5])
{
	out[0] = (access & LL_READ_FILE) != 0 ? 'r' : '-';
	out[1] = (access & LL_WRITE_FILE) != 0 ? 'w' : '-';
	out[2] = (access & LL_EXECUTE) != 0 ? 'x' : '-';
	out[3] = (access & LL_READ_DIR) != 0 ? 'l' : '-';
	out[4] = '\0';
}

/* Rules that say the same of siblings are many: one line for each run of them. */
static void
print_rules(const struct plan *plan, struct strbuf *out)
{
	strbuf_printf(out, "rules (%zu; r read, w write, x execute, l list names):\n",
		      plan->rule_count);
	for (size_t i = 0; i < plan->rule_count; i++) {
		const struct plan_rule *rule = &plan->rules[i];
		char what[5];

		letters(rule->access, what);
		strbuf_printf(out, "  %s  ", what);
		strbuf_shown(out, rule->path);
		strbuf_printf(out, "%s  (%s)\n",
			      rule->directory && strcmp(rule->path, "/") != 0 ? "/" : "",
			      plan_reason_name(rule->why));
	}
}

static void
print_carve_outs(const struct plan *plan, struct strbuf *out)
{
	strbuf_puts(out, "kept out:\n");
	for (size_t i = 0; i < plan->carve_out_count; i++) {
		const struct carve_out *carve = &plan->carve_outs[i];

		if (carve->why == WHY_DEVICE) {
			continue; /* /dev, but for the devices among the rules */
		}
		strbuf_printf(out, "  %s%s  ", carve->block_read ? "no read" : "",
			      carve->block_write ? (carve->block_read ? ", no write" : "no write")
						 : "");
		strbuf_shown(out, carve->path);
		strbuf_printf(out, "  (%s%s)\n", plan_reason_name(carve->why),
			      carve->exists ? "" : "; does not exist");
	}
}

static void
print_paths(struct strbuf *out, const char *what, const struct strings *paths)
{
	if (paths->count == 0) {
		return;
	}
	strbuf_printf(out, "  %s:", what);
	for (size_t i = 0; i < paths->count; i++) {
		strbuf_putc(out, ' ');
		strbuf_shown(out, paths->items[i]);
	}
	strbuf_putc(out, '\n');
}

static void
print_broker(const struct plan *plan, struct strbuf *out)
{
	const struct plan_broker *broker = &plan->broker;

	strbuf_puts(out, "asked of the broker:");
	for (unsigned int i = 0; i < COUNT_OF(part_names); i++) {
		if ((broker->parts >> i & 1U) != 0) {
			strbuf_printf(out, " %s", part_names[i]);
		}
	}
	strbuf_puts(out, broker->parts == 0 ? " nothing\n" : "\n");
	print_paths(out, "served roots", &broker->roots);
	print_paths(out, broker->git_hooks ? "protected (of .git what runs code)" : "protected",
		    &broker->protected);
	print_paths(out, "unix sockets", &broker->unix_paths);
}

static void
print_notes(const struct plan *plan, struct strbuf *out, bool gaps)
{
	for (size_t i = 0; i < plan->note_count; i++) {
		const struct plan_note *note = &plan->notes[i];

		if (note->gap != gaps) {
			continue;
		}
		strbuf_printf(out, "  %s: ", note->id);
		strbuf_shown(out, note->text);
		if (!gaps) {
			strbuf_printf(out, " [%s]", plan_enforcer_name(note->by));
		}
		if (note->option != NULL) {
			strbuf_printf(out, " (%s changes that)", note->option);
		}
		strbuf_putc(out, '\n');
	}
}

static bool
has_gaps(const struct plan *plan)
{
	for (size_t i = 0; i < plan->note_count; i++) {
		if (plan->notes[i].gap) {
			return true;
		}
	}
	return false;
}

void
plan_print(const struct plan *plan, struct strbuf *out)
{
	strbuf_printf(out, "policy: %s\nworking directory: ", plan->policy_name);
	strbuf_shown(out, plan->cwd);
	strbuf_putc(out, '\n');
	if (!plan->sandboxed) {
		strbuf_puts(out, "nothing is enforced: this policy leaves the command as it is\n");
		return;
	}
	strbuf_puts(out, "writable:");
	for (size_t i = 0; i < plan->write_roots.count; i++) {
		strbuf_putc(out, ' ');
		strbuf_shown(out, plan->write_roots.items[i]);
	}
	strbuf_printf(out, "%s%s\nenvironment: %s\n",
		      plan->private_tmp ? " and a private temp directory" : "",
		      plan->write_roots.count == 0 && !plan->private_tmp ? " nothing" : "",
		      env_names[plan->env.mode]);
	print_rules(plan, out);
	print_carve_outs(plan, out);
	print_broker(plan, out);
	strbuf_puts(out, "held:\n");
	print_notes(plan, out, false);
	strbuf_puts(out, "not held in this run:\n");
	print_notes(plan, out, true);
	if (!has_gaps(plan)) {
		strbuf_puts(out, "  nothing\n");
	}
}

/* ---- for programs ------------------------------------------------------------------------- */

static json_t *
json_rights(uint64_t mask, enum right_kind kind)
{
	const struct right_table *table = plan_right_table(kind);
	json_t *names = json_array();

	for (size_t i = 0; i < table->count; i++) {
		if ((mask & table->rights[i].bit) != 0) {
			(void)json_array_append_new(names, json_string(table->rights[i].name));
		}
	}
	return names;
}

/* A path may hold any bytes; JSON only UTF-8. What is not becomes "\xNN". */
static json_t *
json_path(const char *path)
{
	json_t *text = json_string(path);
	AUTO_STRBUF escaped = STRBUF_INIT;

	if (text != NULL) {
		return text;
	}
	for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++) {
		strbuf_printf(&escaped, *p < 0x80 ? "%c" : "\\x%02x", *p);
	}
	return json_string(escaped.text);
}

static json_t *
json_strings(const struct strings *strings)
{
	json_t *array = json_array();

	for (size_t i = 0; i < strings->count; i++) {
		(void)json_array_append_new(array, json_path(strings->items[i]));
	}
	return array;
}

static json_t *
json_rules(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->rule_count; i++) {
		const struct plan_rule *rule = &plan->rules[i];

		(void)json_array_append_new(array, json_pack("{s:o, s:o, s:s}", "path",
							     json_path(rule->path), "access",
							     json_rights(rule->access, RIGHTS_FS),
							     "why", plan_reason_name(rule->why)));
	}
	return array;
}

static json_t *
json_carve_outs(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->carve_out_count; i++) {
		const struct carve_out *carve = &plan->carve_outs[i];

		(void)json_array_append_new(
			array, json_pack("{s:o, s:b, s:b, s:s, s:b}", "path",
					 json_path(carve->path), "block_read", carve->block_read,
					 "block_write", carve->block_write, "why",
					 plan_reason_name(carve->why), "exists", carve->exists));
	}
	return array;
}

static json_t *
json_notes(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->note_count; i++) {
		const struct plan_note *note = &plan->notes[i];

		(void)json_array_append_new(
			array, json_pack("{s:s, s:o, s:s?, s:s, s:b}", "id", note->id, "text",
					 json_path(note->text), "option", note->option, "by",
					 plan_enforcer_name(note->by), "gap", note->gap));
	}
	return array;
}

static json_t *
json_parts(unsigned int parts)
{
	json_t *names = json_array();

	for (unsigned int i = 0; i < COUNT_OF(part_names); i++) {
		if ((parts >> i & 1U) != 0) {
			(void)json_array_append_new(names, json_string(part_names[i]));
		}
	}
	return names;
}

static json_t *
json_broker(const struct plan_broker *broker)
{
	return json_pack("{s:o, s:o, s:o, s:b, s:b, s:o}", "parts", json_parts(broker->parts),
			 "roots", json_strings(&broker->roots), "protected",
			 json_strings(&broker->protected), "git_hooks", broker->git_hooks,
			 "any_unix", broker->any_unix, "unix_paths",
			 json_strings(&broker->unix_paths));
}

static json_t *
json_filter(const struct plan_filter *filter)
{
	return json_pack("{s:s, s:b, s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:o}",
			 "mode", filter->mode == SECCOMP_DENYLIST ? "denylist" : "allowlist",
			 "strict", filter->strict, "blocked", json_strings(&filter->blocked),
			 "additional_blocked", json_strings(&filter->additional), "allowed",
			 json_strings(&filter->allowed), "namespaces", filter->namespaces, "inet",
			 filter->inet, "unix_sockets", filter->unix_sockets, "metadata",
			 filter->metadata, "ipc", filter->ipc, "log_only", filter->log_only,
			 "loopback", filter->loopback, "asked", json_parts(filter->notify));
}

static json_t *
json_limits(const struct limits *limits)
{
	return json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I}", "max_memory_mb",
		(json_int_t)limits->max_memory_mb, "max_pids", (json_int_t)limits->max_pids,
		"max_disk_mb", (json_int_t)limits->max_disk_mb, "cpu_time_secs",
		(json_int_t)limits->cpu_time_secs, "timeout_secs", (json_int_t)limits->timeout_secs,
		"max_open_files", (json_int_t)limits->max_open_files);
}

static json_t *
json_env(const struct plan_env *env)
{
	json_t *set = json_object();

	for (size_t i = 0; i < env->set_count; i++) {
		(void)json_object_set_new(set, env->set[i].name, json_path(env->set[i].value));
	}
	return json_pack("{s:s, s:o}", "mode", env_names[env->mode], "set", set);
}

void
plan_print_json(const struct plan *plan, struct strbuf *out)
{
	json_t *root = json_pack("{s:s, s:o, s:b}", "policy", plan->policy_name, "cwd",
				 json_path(plan->cwd), "sandboxed", plan->sandboxed);
	char *text;

	if (plan->sandboxed) {
		json_t *landlock = json_pack(
			"{s:o, s:o, s:o, s:o}", "handled_fs",
			json_rights(plan->handled_fs, RIGHTS_FS), "handled_net",
			json_rights(plan->handled_net, RIGHTS_NET), "scoped",
			json_rights(plan->scoped, RIGHTS_SCOPE), "rules", json_rules(plan));

		(void)json_object_set_new(root, "writable", json_strings(&plan->write_roots));
		(void)json_object_set_new(root, "private_tmp", json_boolean(plan->private_tmp));
		(void)json_object_set_new(root, "network", json_boolean(plan->network));
		(void)json_object_set_new(root, "landlock", landlock);
		(void)json_object_set_new(root, "kept_out", json_carve_outs(plan));
		(void)json_object_set_new(root, "seccomp", json_filter(&plan->filter));
		(void)json_object_set_new(root, "broker", json_broker(&plan->broker));
		(void)json_object_set_new(root, "limits", json_limits(&plan->limits));
		(void)json_object_set_new(root, "environment", json_env(&plan->env));
		(void)json_object_set_new(root, "notes", json_notes(plan));
	}
	text = root != NULL ? json_dumps(root, JSON_INDENT(2)) : NULL;
	if (text == NULL) {
		out->failed = true;
	} else {
		strbuf_puts(out, text);
		strbuf_putc(out, '\n');
	}
	free(text);
	json_decref(root);
}
