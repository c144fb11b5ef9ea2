/* SPDX-License-Identifier: MIT */
/* Dates and times of TOML: the forms of RFC 3339, and of each of its halves alone. */
#include "base/toml_impl.h"

#include <stdio.h>
#include <string.h>

struct cursor {
	const char *at;
	const char *end;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
matches(const char *token, size_t len, const char *form)
{
	size_t i = 0;

	for (; form[i] != '\0'; i++) {
		if (i == len || (form[i] == '0' ? !is_digit(token[i]) : token[i] != form[i])) {
			return false;
		}
	}
	return true;
}

bool
toml_is_time(const char *token, size_t len)
{
	return matches(token, len, "0000-") || matches(token, len, "00:");
}

/* Exactly `digits` digits, with a value from `low` to `high`. */
static bool
take_number(struct cursor *cursor, size_t digits, unsigned int low, unsigned int high,
	    unsigned int *out)
{
	unsigned int value = 0;

	if ((size_t)(cursor->end - cursor->at) < digits) {
		return false;
	}
	for (size_t i = 0; i < digits; i++) {
		if (!is_digit(cursor->at[i])) {
			return false;
		}
		value = value * 10 + (unsigned int)(cursor->at[i] - '0');
	}
	cursor->at += digits;
	*out = value;
	return value >= low && value <= high;
}

static bool
take(struct cursor *cursor, const char *one_of, char *found)
{
	for (; cursor->at < cursor->end && *one_of != '\0'; one_of++) {
		if (*cursor->at == *one_of) {
			*found = *cursor->at++;
			return true;
		}
	}
	return false;
}

static unsigned int
days_of(unsigned int year, unsigned int month)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (leap && month == 2 ? 1U : 0U);
}

static bool
take_date(struct cursor *cursor, struct toml_time *time)
{
	unsigned int year;
	unsigned int month;
	unsigned int day;
	char c;

	if (!take_number(cursor, 4, 0, 9999, &year) || !take(cursor, "-", &c) ||
	    !take_number(cursor, 2, 1, 12, &month) || !take(cursor, "-", &c) ||
	    !take_number(cursor, 2, 1, days_of(year, month), &day)) {
		return false;
	}
	time->year = (uint16_t)year;
	time->month = (uint8_t)month;
	time->day = (uint8_t)day;
	return true;
}

static bool
take_fraction(struct cursor *cursor, struct toml_time *time)
{
	uint32_t scale = 100000000;
	const char *start = cursor->at;

	for (; cursor->at < cursor->end && is_digit(*cursor->at); cursor->at++) {
		time->nanosecond += (uint32_t)(*cursor->at - '0') * scale;
		scale /= 10;
	}
	return cursor->at > start;
}

static bool
take_time(struct cursor *cursor, struct toml_time *time)
{
	unsigned int hour;
	unsigned int minute;
	unsigned int second;
	char c;

	if (!take_number(cursor, 2, 0, 23, &hour) || !take(cursor, ":", &c) ||
	    !take_number(cursor, 2, 0, 59, &minute) || !take(cursor, ":", &c) ||
	    !take_number(cursor, 2, 0, 60, &second)) {
		return false;
	}
	time->hour = (uint8_t)hour;
	time->minute = (uint8_t)minute;
	time->second = (uint8_t)second;
	return !take(cursor, ".", &c) || take_fraction(cursor, time);
}

static bool
take_offset(struct cursor *cursor, struct toml_time *time)
{
	unsigned int hours = 0;
	unsigned int minutes = 0;
	char sign;
	char c;

	if (take(cursor, "Zz", &c)) {
		return true;
	}
	if (!take(cursor, "+-", &sign) || !take_number(cursor, 2, 0, 23, &hours) ||
	    !take(cursor, ":", &c) || !take_number(cursor, 2, 0, 59, &minutes)) {
		return false;
	}
	minutes += hours * 60;
	time->offset = (int16_t)(sign == '-' ? -(int)minutes : (int)minutes);
	return true;
}

static bool
take_all(struct cursor *cursor, struct toml_value *out)
{
	bool only_time = matches(cursor->at, (size_t)(cursor->end - cursor->at), "00:");
	char c;

	if (only_time) {
		out->type = TOML_LOCAL_TIME;
		return take_time(cursor, &out->time);
	}
	out->type = TOML_LOCAL_DATE;
	if (!take_date(cursor, &out->time)) {
		return false;
	}
	if (cursor->at == cursor->end) {
		return true;
	}
	out->type = TOML_LOCAL_DATETIME;
	if (!take(cursor, "Tt ", &c) || !take_time(cursor, &out->time)) {
		return false;
	}
	if (cursor->at == cursor->end) {
		return true;
	}
	out->type = TOML_OFFSET_DATETIME;
	return take_offset(cursor, &out->time);
}

bool
toml_read_time(const char *token, size_t len, struct toml_value *out)
{
	struct cursor cursor = { .at = token, .end = token + len };

	out->time = (struct toml_time){ 0 };
	return take_all(&cursor, out) && cursor.at == cursor.end;
}

static void
print_clock(char out[24], const struct toml_time *time)
{
	size_t len;

	(void)snprintf(out, 24, "%02u:%02u:%02u.%09u", time->hour % 100U, time->minute % 100U,
		       time->second % 100U, time->nanosecond % 1000000000U);
	len = strlen(out);
	while (out[len - 1] == '0' && len > sizeof("00:00:00")) {
		len--;
	}
	out[out[len - 1] == '.' ? len - 1 : len] = '\0';
}

static void
print_zone(char out[8], int offset)
{
	unsigned int minutes = (unsigned int)(offset < 0 ? -offset : offset);

	if (minutes == 0) {
		(void)snprintf(out, 8, "Z");
		return;
	}
	(void)snprintf(out, 8, "%c%02u:%02u", offset < 0 ? '-' : '+', minutes / 60 % 100U,
		       minutes % 60);
}

const char *
toml_time_text(const struct toml_value *value, char buf[TOML_TIME_TEXT_MAX])
{
	const struct toml_time *time = &value->time;
	bool both = value->type == TOML_OFFSET_DATETIME || value->type == TOML_LOCAL_DATETIME;
	char date[16] = "";
	char clock[24] = "";
	char zone[8] = "";

	if (both || value->type == TOML_LOCAL_DATE) {
		(void)snprintf(date, sizeof(date), "%04u-%02u-%02u", time->year % 10000U,
			       time->month % 100U, time->day % 100U);
	}
	if (both || value->type == TOML_LOCAL_TIME) {
		print_clock(clock, time);
	}
	if (value->type == TOML_OFFSET_DATETIME) {
		print_zone(zone, time->offset);
	}
	(void)snprintf(buf, TOML_TIME_TEXT_MAX, "%s%s%s%s", date, both ? "T" : "", clock, zone);
	return buf;
}
