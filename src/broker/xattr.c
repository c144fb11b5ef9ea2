/* SPDX-License-Identifier: MIT */

/*
 * Extended attributes, access control lists among them, and the flags of inodes. Whether a name or
 * a flag may be set at all is the kernel's business: what is privileged needs a capability, and the
 * broker has none.
 */

#include "broker/metadata.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/xattr.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#define AT_FLAGS ((unsigned int)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
#define STRUCT_MAX 4096U /* a page: no structure of a call is longer */

/* ---- extended attributes ------------------------------------------------------------------ */

struct attribute {
	char name[XATTR_NAME_MAX + 1];
	void *value; /* NULL when it is empty */
	size_t size;
	int flags;
};

static void
free_attribute(struct attribute *a)
{
	free(a->value);
}

#define AUTO_ATTRIBUTE __attribute__((cleanup(free_attribute))) struct attribute

static long
set_attribute(const struct object *object, const void *how)
{
	const struct attribute *a = how;

	return object->descriptor ? fsetxattr(object->fd, a->name, a->value, a->size, a->flags)
				  : setxattr(object->link, a->name, a->value, a->size, a->flags);
}

static long
remove_attribute(const struct object *object, const void *how)
{
	const struct attribute *a = how;

	return object->descriptor ? fremovexattr(object->fd, a->name)
				  : removexattr(object->link, a->name);
}

/* 0 or an errno. */
static int
copy_name(const struct request *r, uint64_t address, struct attribute *out)
{
	int error = caller_string(r, address, out->name, sizeof(out->name));

	if (error == ENAMETOOLONG || (error == 0 && out->name[0] == '\0')) {
		return ERANGE;
	}
	return error;
}

/* The flags, the name and the value, in the kernel's order. 0 or an errno. */
static int
copy_attribute(const struct request *r, uint64_t name, uint64_t value, struct attribute *out)
{
	int error;

	if ((out->flags & ~(XATTR_CREATE | XATTR_REPLACE)) != 0) {
		return EINVAL;
	}
	error = copy_name(r, name, out);
	if (error != 0 || out->size == 0) {
		return error;
	}
	if (out->size > XATTR_SIZE_MAX) {
		return E2BIG;
	}
	out->value = malloc(out->size);
	return out->value == NULL ? ENOMEM : caller_read(r, value, out->value, out->size);
}

/* By path, by descriptor; to the link itself. */
static struct answer
change_by_variant(struct request *r, change_fn change, const struct attribute *attribute)
{
	int variant = r->row->variant;

	if ((variant & OF_FD) != 0) {
		return change_descriptor(r, arg_int(r, 0), change, attribute);
	}
	return change_path(r, AT_FDCWD, r->args[0],
			   (variant & OF_LINK) != 0 ? AT_SYMLINK_NOFOLLOW : 0, change, attribute);
}

static struct answer
set_xattr(struct request *r)
{
	AUTO_ATTRIBUTE attribute = { .size = r->args[3], .flags = arg_int(r, 4) };
	int error = copy_attribute(r, r->args[1], r->args[2], &attribute);

	return error != 0 ? answer_error(error) : change_by_variant(r, set_attribute, &attribute);
}

static struct answer
remove_xattr(struct request *r)
{
	AUTO_ATTRIBUTE attribute = { .value = NULL };
	int error = copy_name(r, r->args[1], &attribute);

	return error != 0 ? answer_error(error)
			  : change_by_variant(r, remove_attribute, &attribute);
}

struct answer
change_xattr(struct request *r)
{
	return (r->row->variant & REMOVES) != 0 ? remove_xattr(r) : set_xattr(r);
}

/* ---- setxattrat and removexattrat --------------------------------------------------------- */

/* struct xattr_args of Linux 6.13. */
struct value_arguments {
	uint64_t value;
	uint32_t size;
	uint32_t flags;
};

/* A structure of the caller that may be longer than the one known here, when the rest is 0
 * (copy_struct_from_user in the kernel). 0 or an errno. */
static int
copy_value_arguments(const struct request *r, struct value_arguments *out)
{
	static const unsigned char nothing[STRUCT_MAX];
	unsigned char bytes[STRUCT_MAX];
	uint64_t size = r->args[5];
	int error;

	if (size < sizeof(*out)) {
		return EINVAL;
	}
	if (size > sizeof(bytes)) {
		return E2BIG;
	}
	error = caller_read(r, r->args[4], bytes, size);
	if (error != 0) {
		return error;
	}
	memcpy(out, bytes, sizeof(*out));
	return memcmp(bytes + sizeof(*out), nothing, size - sizeof(*out)) != 0 ? E2BIG : 0;
}

static struct answer
set_xattr_at(struct request *r, unsigned int flags)
{
	struct value_arguments given;
	AUTO_ATTRIBUTE attribute = { .value = NULL };
	int error = copy_value_arguments(r, &given);

	if (error == 0 && (flags & ~AT_FLAGS) != 0) {
		error = EINVAL;
	}
	if (error == 0) {
		attribute.size = given.size;
		attribute.flags = (int)given.flags;
		error = copy_attribute(r, r->args[3], given.value, &attribute);
	}
	return error != 0 ? answer_error(error)
			  : change_path_or_descriptor(r, arg_int(r, 0), r->args[1], flags,
						      set_attribute, &attribute);
}

static struct answer
remove_xattr_at(struct request *r, unsigned int flags)
{
	AUTO_ATTRIBUTE attribute = { .value = NULL };
	int error = (flags & ~AT_FLAGS) != 0 ? EINVAL : copy_name(r, r->args[3], &attribute);

	return error != 0 ? answer_error(error)
			  : change_path_or_descriptor(r, arg_int(r, 0), r->args[1], flags,
						      remove_attribute, &attribute);
}

struct answer
change_xattr_at(struct request *r)
{
	unsigned int flags = (unsigned int)arg_int(r, 2);

	return (r->row->variant & REMOVES) != 0 ? remove_xattr_at(r, flags)
						: set_xattr_at(r, flags);
}

/* ---- flags of inodes ---------------------------------------------------------------------- */

/* What file_setattr takes, with the length that the caller gave; the kernel judges both. */
struct attributes {
	size_t size;
	unsigned char bytes[STRUCT_MAX];
};

static long
set_attributes(const struct object *object, const void *how)
{
	const struct attributes *a = how;

	return object->descriptor
		       ? syscall(NR_FILE_SETATTR, object->fd, "", a->bytes, a->size, AT_EMPTY_PATH)
		       : syscall(NR_FILE_SETATTR, AT_FDCWD, object->link, a->bytes, a->size, 0);
}

/* Whether the sizes are right, and whether there is such a call, is asked with a descriptor and a
 * structure that are none. 0 or an errno. */
static int
copy_attributes(const struct request *r, struct attributes *out)
{
	unsigned int flags = (unsigned int)arg_int(r, 4);
	int error;

	if (syscall(NR_FILE_SETATTR, -1, NULL, NULL, r->args[3], flags) >= 0 || errno != EFAULT) {
		return errno;
	}
	if (r->args[3] > sizeof(out->bytes)) {
		return E2BIG;
	}
	out->size = r->args[3];
	error = caller_read(r, r->args[2], out->bytes, out->size);
	return error;
}

struct answer
change_attributes(struct request *r)
{
	struct attributes attributes;
	int error = copy_attributes(r, &attributes);

	return error != 0 ? answer_error(error)
			  : change_path_or_descriptor(r, arg_int(r, 0), r->args[1],
						      (unsigned int)arg_int(r, 4), set_attributes,
						      &attributes);
}

struct flags {
	unsigned long request;
	unsigned char bytes[sizeof(struct fsxattr)]; /* the longest argument */
};

static const struct {
	unsigned long request;
	size_t size;
} flag_requests[] = {
	{ FS_IOC_SETFLAGS, sizeof(int) }, /* whatever its number says */
	{ FS_IOC32_SETFLAGS, sizeof(int) },
	{ FS_IOC_FSSETXATTR, sizeof(struct fsxattr) },
};

static long
set_flags(const struct object *object, const void *how)
{
	const struct flags *flags = how;
	unsigned char bytes[sizeof(flags->bytes)];

	memcpy(bytes, flags->bytes, sizeof(bytes));
	return ioctl(object->fd, flags->request, bytes);
}

struct answer
change_flags(struct request *r)
{
	struct flags flags = { .request = (uint32_t)r->args[1] };

	for (size_t i = 0; i < COUNT_OF(flag_requests); i++) {
		int error;

		if (flag_requests[i].request != flags.request) {
			continue;
		}
		error = caller_read(r, r->args[2], flags.bytes, flag_requests[i].size);
		return error != 0 ? answer_error(error)
				  : change_descriptor(r, arg_int(r, 0), set_flags, &flags);
	}
	return answer_error(EPERM); /* the filter asks about no other */
}
