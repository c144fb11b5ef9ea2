/* SPDX-License-Identifier: MIT */

/*
 * Writing rules of the Seatbelt profile language. A path comes from a person or from the file
 * system and may hold anything; it appears in string literals only, never in a regex or a comment.
 */

#include "export/seatbelt.h"

#include "base/text.h"

#include <string.h>

int
sbpl_string(struct strbuf *out, const char *text, struct bailey_error *err)
{
	static const char special[] = "\"\\\n\t\r";
	static const char escaped[] = "\"\\ntr";
	char shown[TEXT_SHOWN_MAX];

	strbuf_putc(out, '"');
	for (const char *p = text; *p != '\0'; p++) {
		const char *at = strchr(special, *p);
		unsigned char byte = (unsigned char)*p;

		if (at != NULL) {
			strbuf_putc(out, '\\');
			strbuf_putc(out, escaped[at - special]);
		} else if (byte < 0x20 || byte == 0x7f) {
			return bailey_fail(err, BAILEY_E_UNSUPPORTED,
					   "'%s' has a control character, which a Seatbelt "
					   "profile cannot name",
					   text_shown(shown, text, strlen(text)));
		} else {
			strbuf_putc(out, *p);
		}
	}
	strbuf_putc(out, '"');
	return BAILEY_OK;
}

static int
write_filter(struct strbuf *out, const char *filter, const char *path, struct bailey_error *err)
{
	const char *mark = strchr(filter, '%');
	int rc;

	strbuf_puts(out, "\n  ");
	strbuf_add(out, filter, (size_t)(mark - filter));
	rc = sbpl_string(out, path, err);
	strbuf_puts(out, mark + 1);
	return rc;
}

int
sbpl_rule(struct strbuf *out, const char *head, const char *const filters[],
	  const struct strings *paths, struct bailey_error *err)
{
	if (paths->count == 0) {
		return BAILEY_OK;
	}
	strbuf_printf(out, "(%s", head);
	for (size_t i = 0; i < paths->count; i++) {
		for (size_t k = 0; filters[k] != NULL; k++) {
			int rc = write_filter(out, filters[k], paths->items[i], err);

			if (rc != BAILEY_OK) {
				return rc;
			}
		}
	}
	strbuf_puts(out, ")\n");
	return BAILEY_OK;
}

/* ---- other spellings of a name ----------------------------------------------------------- */

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char
other_case(char c)
{
	return (char)(c ^ 0x20);
}

static bool
is_plain(const char *name)
{
	bool letters = false;

	for (const char *p = name; *p != '\0'; p++) {
		if (!is_letter(*p) && strchr("0123456789._-", *p) == NULL) {
			return false;
		}
		letters = letters || is_letter(*p);
	}
	return letters;
}

/* The name in which the letter at `odd` has the other case and the other letters have any. */
static void
write_spelling(struct strbuf *out, const char *name, size_t odd)
{
	for (size_t i = 0; name[i] != '\0'; i++) {
		if (i == odd) {
			strbuf_putc(out, other_case(name[i]));
		} else if (is_letter(name[i])) {
			strbuf_printf(out, "[%c%c]", name[i], other_case(name[i]));
		} else {
			strbuf_printf(out, "%s%c", name[i] == '.' ? "\\" : "", name[i]);
		}
	}
}

void
sbpl_other_case(struct strbuf *out, const char *head, const char *name)
{
	const char *between = "";

	if (!is_plain(name)) {
		return;
	}
	strbuf_printf(out, "(%s (regex #\"/(", head);
	for (size_t i = 0; name[i] != '\0'; i++) {
		if (is_letter(name[i])) {
			strbuf_puts(out, between);
			write_spelling(out, name, i);
			between = "|";
		}
	}
	strbuf_puts(out, ")(/|$)\"))\n");
}
