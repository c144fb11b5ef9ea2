/* SPDX-License-Identifier: MIT */
#ifndef BROKER_SHM_H
#define BROKER_SHM_H

/*
 * Shared memory of one's own: files in /dev/shm that the command made. The broker makes, opens,
 * links and removes them for the command and refuses every other name there. What was made is
 * recorded in memory that the launcher and the guard share, so that whoever ends the run removes
 * what is left, also when the broker was killed.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SHM_NAMES_MAX 1024U

struct shm_name {
	char name[256]; /* "": free */
	uint64_t device;
	uint64_t inode;
};

struct shm_record {
	uint32_t count;
	struct shm_name names[SHM_NAMES_MAX];
};

/* Memory that children share; NULL and errno. */
struct shm_record *shm_record_new(void);
void shm_record_free(struct shm_record *record);

/* Removes what is recorded and still the same file. NULL: nothing is. */
void shm_clear(const struct shm_record *record);

#endif /* BROKER_SHM_H */
