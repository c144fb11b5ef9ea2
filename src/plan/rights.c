/* SPDX-License-Identifier: MIT */

/*
 * What each Landlock ABI knows, as a table. The kernel at hand is asked by creating rulesets, not
 * by its number alone (host_probe in the sandbox room); the table says what to try.
 */

#include "plan/rights.h"

#include "base/attr.h"
#include "plan/plan.h"

static const struct right fs_rights[] = {
	{ LL_EXECUTE, 1, "execute" },		{ LL_WRITE_FILE, 1, "write_file" },
	{ LL_READ_FILE, 1, "read_file" },	{ LL_READ_DIR, 1, "read_dir" },
	{ LL_REMOVE_DIR, 1, "remove_dir" },	{ LL_REMOVE_FILE, 1, "remove_file" },
	{ LL_MAKE_CHAR, 1, "make_char" },	{ LL_MAKE_DIR, 1, "make_dir" },
	{ LL_MAKE_REG, 1, "make_reg" },		{ LL_MAKE_SOCK, 1, "make_sock" },
	{ LL_MAKE_FIFO, 1, "make_fifo" },	{ LL_MAKE_BLOCK, 1, "make_block" },
	{ LL_MAKE_SYM, 1, "make_sym" },		{ LL_REFER, 2, "refer" },
	{ LL_TRUNCATE, 3, "truncate" },		{ LL_IOCTL_DEV, 5, "ioctl_dev" },
	{ LL_RESOLVE_UNIX, 9, "resolve_unix" },
};

static const struct right net_rights[] = {
	{ LL_NET_BIND_TCP, 4, "bind_tcp" },
	{ LL_NET_CONNECT_TCP, 4, "connect_tcp" },
	{ LL_NET_BIND_UDP, 10, "bind_udp" },
	{ LL_NET_CONNECT_UDP, 10, "connect_send_udp" },
};

static const struct right scopes[] = {
	{ LL_SCOPE_ABSTRACT_UNIX, 6, "abstract_unix_socket" },
	{ LL_SCOPE_SIGNAL, 6, "signal" },
};

static const struct right_table tables[] = {
	[RIGHTS_FS] = { fs_rights, COUNT_OF(fs_rights) },
	[RIGHTS_NET] = { net_rights, COUNT_OF(net_rights) },
	[RIGHTS_SCOPE] = { scopes, COUNT_OF(scopes) },
};

const struct right_table *
plan_right_table(enum right_kind kind)
{
	return &tables[kind];
}

static uint64_t
known_to(enum right_kind kind, int abi)
{
	const struct right_table *table = &tables[kind];
	uint64_t mask = 0;

	for (size_t i = 0; i < table->count; i++) {
		if (table->rights[i].abi <= abi) {
			mask |= table->rights[i].bit;
		}
	}
	return mask;
}

uint64_t
plan_fs_rights(int abi)
{
	return known_to(RIGHTS_FS, abi);
}

uint64_t
plan_net_rights(int abi)
{
	return known_to(RIGHTS_NET, abi);
}

uint64_t
plan_scopes(int abi)
{
	return known_to(RIGHTS_SCOPE, abi);
}
