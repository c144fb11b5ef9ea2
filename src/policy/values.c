/* SPDX-License-Identifier: MIT */
/*
 * What single values of a policy must look like, whoever brings them: the reader of documents adds
 * their place, the setters the name of the setting.
 */
#include "policy/parts.h"

#include "base/attr.h"

#include <limits.h>
#include <string.h>

#define SYSCALL_NAME_MAX 64

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static const char *
path_problem(const char *path)
{
	return strlen(path) >= PATH_MAX ? "is longer than a path can be" : NULL;
}

/* Relative roots would mean another place for every command. */
static const char *
root_problem(const char *path)
{
	bool home = path[0] == '~' && (path[1] == '/' || path[1] == '\0');

	if (path[0] != '/' && !home) {
		return "is relative; expected an absolute path, or one that begins with '~/'";
	}
	return path_problem(path);
}

static const char *
name_problem(const char *name)
{
	if (strchr(name, '/') != NULL || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		return "is not a single file name";
	}
	return strlen(name) > NAME_MAX ? "is longer than a file name can be" : NULL;
}

static const char *
syscall_problem(const char *name)
{
	size_t len = 0;

	while (is_name_char(name[len])) {
		len++;
	}
	if (name[len] != '\0' || len > SYSCALL_NAME_MAX) {
		return "is not the name of a system call";
	}
	return NULL;
}

/* The groups that the plan knows. */
static const char *
device_problem(const char *name)
{
	for (size_t i = 0; i < policy_device_group_count; i++) {
		if (strcmp(policy_device_groups[i].name, name) == 0) {
			return NULL;
		}
	}
	return "is not a known group of devices; expected 'gpu', 'kvm', 'fuse' or 'pty'";
}

const char *
value_problem(enum value_form form, const char *text)
{
	if (text[0] == '\0') {
		return "is empty";
	}
	switch (form) {
	case VALUE_ROOT:
		return root_problem(text);
	case VALUE_PATH:
		return path_problem(text);
	case VALUE_SOCKET:
		return strcmp(text, "*") == 0 ? NULL : root_problem(text);
	case VALUE_NAME:
		return name_problem(text);
	case VALUE_SYSCALL:
		return syscall_problem(text);
	case VALUE_DEVICE:
		return device_problem(text);
	}
	return NULL;
}
