/* SPDX-License-Identifier: MIT */
#include "sandbox/limits.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#define MIB UINT64_C(1048576)

/* Lowers a limit to `soft` and `hard`; what is lower already stays. 0 means no limit asked for. */
static int
lower(__rlimit_resource_t resource, uint64_t soft, uint64_t hard)
{
	struct rlimit now;

	if (hard == 0) {
		return 0;
	}
	if (getrlimit(resource, &now) != 0) {
		return -1;
	}
	now.rlim_max = hard < now.rlim_max ? hard : now.rlim_max;
	now.rlim_cur = soft < now.rlim_cur ? soft : now.rlim_cur;
	now.rlim_cur = now.rlim_cur < now.rlim_max ? now.rlim_cur : now.rlim_max;
	return setrlimit(resource, &now);
}

static uint64_t
bytes(uint64_t mib)
{
	return mib > RLIM_INFINITY / MIB ? RLIM_INFINITY : mib * MIB;
}

/*
 * No user has more tasks than the whole system, so this leaves `max_pids` of them free whatever
 * else the user runs now, and still stops a bomb long before it fills the machine.
 */
static int
backstop(uint64_t max_pids)
{
	struct sysinfo info;

	if (max_pids == 0 || sysinfo(&info) != 0) {
		return 0;
	}
	return lower(RLIMIT_NPROC, max_pids + info.procs, max_pids + info.procs);
}

int
limits_apply(const struct limits *limits)
{
	static const struct rlimit no_core = { 0, 0 };
	uint64_t cpu = limits->cpu_time_secs;

	if (setrlimit(RLIMIT_CORE, &no_core) != 0 || backstop(limits->max_pids) != 0) {
		return -1;
	}
	if (lower(RLIMIT_DATA, bytes(limits->max_memory_mb), bytes(limits->max_memory_mb)) != 0 ||
	    lower(RLIMIT_FSIZE, bytes(limits->max_disk_mb), bytes(limits->max_disk_mb)) != 0 ||
	    lower(RLIMIT_NOFILE, limits->max_open_files, limits->max_open_files) != 0) {
		return -1;
	}
	return lower(RLIMIT_CPU, cpu, cpu > 0 ? cpu + 1 : 0);
}
