/* SPDX-License-Identifier: MIT */
#include "broker/own.h"

#include "base/attr.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#define SLOTS (LISTENERS_MAX * 2)

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71 /* Linux 5.14; not in the headers of every system */
#endif

static uint64_t
cookie_option(int fd, int name)
{
	uint64_t cookie = 0;
	socklen_t size = sizeof(cookie);

	return getsockopt(fd, SOL_SOCKET, name, &cookie, &size) == 0 ? cookie : 0;
}

uint64_t
socket_cookie(int fd)
{
	return cookie_option(fd, SO_COOKIE);
}

bool
own_namespace(const struct sockets *s, int fd)
{
	return s->netns == 0 || s->netns == cookie_option(fd, SO_NETNS_COOKIE);
}

/* Each connection that waits is a descriptor here. The command has its own limit already. */
static void
raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

struct sockets *
own_new(void)
{
	struct sockets *s = calloc(1, sizeof(*s));

	if (s == NULL || !diag_open(&s->diag)) {
		free(s);
		return NULL;
	}
	s->netns = cookie_option(s->diag.fd, SO_NETNS_COOKIE);
	raise_file_limit();
	return s;
}

/* ---- TCP ----------------------------------------------------------------------------------- */

/* Where the cookie is, or where it would be put. The set is never more than half full. */
static size_t
slot_of(const struct sockets *s, uint64_t cookie)
{
	size_t slot = (size_t)(cookie * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SLOTS;

	while (s->own[slot] != 0 && s->own[slot] != cookie) {
		slot = (slot + 1) % SLOTS;
	}
	return slot;
}

bool
own_listener(const struct sockets *s, uint64_t cookie)
{
	return cookie != 0 && s->own[slot_of(s, cookie)] == cookie;
}

static void
keep_if_own(void *data, uint64_t cookie)
{
	struct sockets *s = data;

	if (s->count < LISTENERS_MAX && own_listener(s, cookie)) {
		s->kept[s->count++] = cookie;
	}
}

/* Forgets those that listen no more. */
static void
forget_closed(struct sockets *s)
{
	size_t before = s->count;

	s->count = 0;
	if (diag_listeners(&s->diag, keep_if_own, s) != 0) {
		s->count = before;
		return;
	}
	memset(s->own, 0, sizeof(s->own));
	for (size_t i = 0; i < s->count; i++) {
		s->own[slot_of(s, s->kept[i])] = s->kept[i];
	}
}

bool
own_add_listener(struct sockets *s, uint64_t cookie)
{
	if (cookie == 0) {
		return false;
	}
	if (own_listener(s, cookie)) {
		return true;
	}
	if (s->count == LISTENERS_MAX) {
		forget_closed(s);
	}
	if (s->count == LISTENERS_MAX) {
		return false;
	}
	s->own[slot_of(s, cookie)] = cookie;
	s->count++;
	return true;
}

/* ---- unix sockets -------------------------------------------------------------------------- */

static bool
is_file_of(const struct local_listener *l, const struct stat *file)
{
	return l->file.inode == (uint32_t)file->st_ino && l->file.major == major(file->st_dev) &&
	       l->file.minor == minor(file->st_dev);
}

/* As long as the socket is there, its file's inode number is nobody else's. */
static bool
is_alive(struct sockets *s, const struct local_listener *l)
{
	struct local_file file;

	return diag_local_file(&s->diag, l->number, l->cookie, &file) == 0;
}

static void
forget_dead(struct sockets *s)
{
	for (size_t i = s->local_count; i-- > 0;) {
		if (!is_alive(s, &s->local[i])) {
			s->local[i] = s->local[--s->local_count];
		}
	}
}

void
own_add_local(struct sockets *s, int fd)
{
	struct local_listener l = { .cookie = socket_cookie(fd) };
	struct stat st;

	if (l.cookie == 0 || fstat(fd, &st) != 0) {
		return;
	}
	for (size_t i = 0; i < s->local_count; i++) {
		if (s->local[i].cookie == l.cookie) {
			return;
		}
	}
	l.number = (uint32_t)st.st_ino;
	if (diag_local_file(&s->diag, l.number, l.cookie, &l.file) != 0) {
		return;
	}
	if (s->local_count == LOCAL_MAX) {
		forget_dead(s);
	}
	if (s->local_count < LOCAL_MAX) {
		s->local[s->local_count++] = l;
	}
}

bool
own_local(struct sockets *s, const struct stat *file)
{
	for (size_t i = 0; i < s->local_count; i++) {
		if (is_file_of(&s->local[i], file) && is_alive(s, &s->local[i])) {
			return true;
		}
	}
	return false;
}
