/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "base/attr.h"
#include "base/strbuf.h"

#include <string.h>

#define HELP_COLUMN 26

int
cli_error(const struct bailey_error *err, int status)
{
	char text[BAILEY_ERROR_MESSAGE_MAX + BAILEY_ERROR_SOURCE_MAX + 32];

	AUTO_STRBUF shown = STRBUF_INIT;

	strbuf_shown(&shown, bailey_error_format(err, text, sizeof(text)));
	(void)fprintf(stderr, "bailey: %s\n", shown.text);
	return status;
}

void
cli_tell(void *data, const char *line)
{
	(void)data;
	(void)fprintf(stderr, "bailey: %s\n", line);
}

int
cli_usage_error(const struct cli *cli, const struct bailey_error *err)
{
	(void)cli_error(err, BAILEY_EXIT_USAGE);
	(void)fprintf(stderr, "bailey: `bailey %s --help` lists the options\n", cli->command);
	return BAILEY_EXIT_USAGE;
}

static void
print_option(const struct cli_option *option)
{
	bool may_lack = option->arg != NULL && option->arg[0] == '[';
	char left[80];
	int n = snprintf(left, sizeof(left), "  %c%c%s--%s", option->letter != 0 ? '-' : ' ',
			 option->letter != 0 ? option->letter : ' ',
			 option->letter != 0 ? ", " : "  ", option->name);

	if (may_lack) {
		n += snprintf(left + n, sizeof(left) - (size_t)n, "[=%s", option->arg + 1);
	} else if (option->arg != NULL) {
		n += snprintf(left + n, sizeof(left) - (size_t)n, " %s", option->arg);
	}
	if (n >= HELP_COLUMN + 2) {
		(void)printf("%s\n%*s%s\n", left, HELP_COLUMN + 2, "", option->help);
	} else {
		(void)printf("%-*s%s\n", HELP_COLUMN + 2, left, option->help);
	}
}

void
cli_help(const char *synopsis, const char *summary, const struct cli_option *options,
	 const char *closing)
{
	(void)printf("Usage: %s\n\n%s\n", synopsis, summary);
	if (options != NULL) {
		(void)printf("\nOptions:\n");
	}
	for (; options != NULL && options->name != NULL; options++) {
		if (options->help != NULL) {
			print_option(options);
		}
	}
	if (closing != NULL) {
		(void)printf("\n%s\n", closing);
	}
}
