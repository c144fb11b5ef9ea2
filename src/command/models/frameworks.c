/* SPDX-License-Identifier: MIT */
/*
 * Tools that keep the tables of a project's database: migrations, consoles of web frameworks. They
 * run a project's code, and some of their commands delete what the database holds.
 */

#include "command/models/interpreters_impl.h"
#include "command/models/models.h"

#include "base/path.h"

#include <string.h>

RULE(deletes, "database.reset", FORBIDDEN, DELETES, "deletes what the project's database holds");
RULE(project, "project.code", PROMPT, EXECUTES, "runs the project's own code");

/* ---- commands of frameworks behind a script ------------------------------------------------ */

/* Commands of one word that delete: of Laravel, Symfony, Rails, Django, Drupal, WordPress. Where
 * `django` is set, the words are too common to mean anything elsewhere. */
static const struct {
	const char *words;
	bool django;
} commands[] = {
	{ "migrate:fresh migrate:refresh migrate:reset db:wipe queue:flush", false },
	{ "doctrine:schema:drop doctrine:database:drop doctrine:mongodb:schema:drop", false },
	{ "orm:schema-tool:drop dbal:database:drop", false },
	{ "db:drop db:reset db:schema:load db:structure:load db:truncate_all db:purge "
	  "db:migrate:reset db:drop:all db:setup:reset db:seed:replant db:mongoid:drop "
	  "db:mongoid:purge db:drop:_unsafe db:environment:reset",
	  false },
	{ "flush reset_db sqlflush reset_schema", true },
	{ "sql:drop sql-drop site:install site-install", false },
	{ "db:migrate:undo:all db:seed:undo:all migration:revert:all", false },
	{ "ecto.drop ecto.reset", false },
	{ "doctrine:fixtures:load", false },
};

void
framework_words(const struct field *words, size_t count, bool django, struct findings *found)
{
	for (size_t i = 0; i < count && i < 6; i++) {
		if (!field_is_literal(&words[i])) {
			continue;
		}
		for (size_t row = 0; row < sizeof commands / sizeof commands[0]; row++) {
			if ((django || !commands[row].django) &&
			    service_word_in(words[i].text, commands[row].words)) {
				find_rule(found, &deletes, &words[i]);
			}
		}
	}
	/* manage.py migrate APP zero */
	if (django && count > 2 && field_is(&words[1], "migrate") &&
	    field_is(&words[count - 1], "zero")) {
		find_rule(found, &deletes, &words[1]);
	}
}

void
framework_program(const struct field *program, const struct field *words, size_t count,
		  struct findings *found)
{
	const char *name = path_base(program->text);

	if (service_word_in(name, "rails rake manage.py artisan console drush")) {
		framework_words(words, count, strcmp(name, "manage.py") == 0, found);
	}
}

static void
framework_refine(const struct match *match, struct findings *found)
{
	if (match->argc == 2 && match->option_count == 1) {
		return;
	}
	find_rule(found, &project, NULL);
	framework_words(match->operands, match->operand_count, true, found);
	find_unknown(found, "a project's own code", match->argv);
}

/* rails runner "code", rails dbconsole. */
static void
rails_refine(const struct match *match, struct findings *found)
{
	framework_refine(match, found);
	if (service_operand_is(match, 0, "runner r") && match->operand_count > 1) {
		find_code(found, LANG_RUBY, &match->operands[1], 0, "rails runner");
	}
}

/* ---- tools with subcommands ---------------------------------------------------------------- */

/* A command that deletes: words in front, and an option that must be there, or NULL. */
struct destroys {
	const char *program;
	const char *first;
	const char *second; /* NULL: any, or none */
	const char *option; /* a long option, or NULL */
};

static const struct destroys destroys[] = {
	{ "prisma", "migrate", "reset", NULL },
	{ "prisma", "db", "push", "force-reset" },
	{ "prisma", "db", "push", "accept-data-loss" },
	{ "prisma", "db", "execute", "drop" },
	{ "alembic", "downgrade", "base", NULL },
	{ "flask", "db", "downgrade", NULL },
	{ "flyway", "clean", NULL, NULL },
	{ "liquibase", "drop-all dropAll", NULL, NULL },
	{ "liquibase", "rollback-count rollbackCount", NULL, NULL },
	{ "wp", "db", "reset drop clean", NULL },
	{ "wp", "site", "empty delete", NULL },
	{ "sequelize", "db:drop db:migrate:undo:all db:seed:undo:all", NULL, NULL },
	{ "sequelize-cli", "db:drop db:migrate:undo:all db:seed:undo:all", NULL, NULL },
	{ "knex", "migrate:rollback", NULL, "all" },
	{ "typeorm", "schema:drop", NULL, NULL },
	{ "typeorm-ts-node-commonjs", "schema:drop", NULL, NULL },
	{ "mikro-orm", "schema:drop schema:fresh database:drop", NULL, NULL },
	{ "drizzle-kit", "drop", NULL, NULL },
	{ "drizzle-kit", "push", NULL, "force" },
	{ "migrate", "drop", NULL, NULL },
	{ "dbmate", "drop", NULL, NULL },
	{ "sqlx", "database", "drop reset", NULL },
	{ "diesel", "database", "reset drop", NULL },
	{ "edgedb", "database", "wipe drop", NULL },
	{ "gel", "database", "wipe drop", NULL },
	{ "dotnet-ef", "database", "drop", NULL },
	{ "phinx", "rollback", "-t", NULL },
};

static bool
row_fits(const struct destroys *row, const struct match *match)
{
	const char *base = strrchr(match->argv[0].text, '/');

	base = base != NULL ? base + 1 : match->argv[0].text;
	return strcmp(base, row->program) == 0 && match->operand_count > 0 &&
	       field_is_literal(&match->operands[0]) &&
	       service_word_in(match->operands[0].text, row->first) &&
	       (row->second == NULL || service_operand_is(match, 1, row->second)) &&
	       (row->option == NULL || service_has(match, 0, row->option));
}

static void
tool_refine(const struct match *match, struct findings *found)
{
	find_unknown(found, "a project's own code", match->argv);
	if (!field_is_literal(&match->argv[0])) {
		return;
	}
	for (size_t i = 0; i < sizeof destroys / sizeof destroys[0]; i++) {
		if (row_fits(&destroys[i], match)) {
			find_rule(found, &deletes, &match->operands[0]);
			return;
		}
	}
}

static const struct option_row tool_options[] = {
	ROW_HELP(NULL, "help version"),
	ROW_FLAG("f", "force-reset accept-data-loss force all yes skip-seed drop dry-run verbose"),
	ROW_TAKES("cun", "schema config url env database path dir name source database-url stdin"),
	OPTIONS_END,
};

/* Not every one of them stops at --version: only alone. */
static const struct option_row framework_options[] = {
	ROW_FLAG("V", "version"),
	ROW_HELP(NULL, "help"),
	OPTIONS_END,
};

#define TOOL(names_, refine_)                                                                      \
	{                                                                                          \
		.names = (names_), .operands = ".*", .options = tool_options,                      \
		.style = PARSE_LOOSE | PARSE_NO_ABBREV, .rule = &project, .refine = (refine_)      \
	}

const struct program models_frameworks[] = {
	TOOL("prisma alembic flyway liquibase wp sequelize sequelize-cli knex typeorm "
	     "typeorm-ts-node-commonjs mikro-orm drizzle-kit migrate dbmate sqlx diesel edgedb "
	     "gel dotnet-ef phinx flask",
	     tool_refine),
	{ .names = "rails rake",
	  .operands = ".*",
	  .options = framework_options,
	  .style = PARSE_LOOSE | PARSE_NO_ABBREV,
	  .refine = rails_refine },
	{ .names = "artisan drush drupal django-admin manage.py doctrine yii occ cake "
		   "magento bin/console sail craft typo3 adonis",
	  .operands = ".*",
	  .options = framework_options,
	  .style = PARSE_LOOSE | PARSE_NO_ABBREV,
	  .refine = framework_refine },
	PROGRAMS_END,
};
