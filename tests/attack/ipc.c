/* SPDX-License-Identifier: MIT */

/* Objects that processes of a user share: memory, queues, semaphores, locks. */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>

#define I386_IPC_SHMGET 23

static int
open_outside(const struct scene *s, int flags)
{
	return open(path("%s/victim.txt", s->outside), flags | O_CLOEXEC);
}

/* ---- System V -------------------------------------------------------------------------------- */

static enum outcome
read_shared_memory(const struct scene *s)
{
	int id = shmget((key_t)s->ipc_key, 4096, 0);
	const char *memory = shmat(id, NULL, SHM_RDONLY);

	if (id < 0 || (intptr_t)memory == -1) {
		return blocked("shmget");
	}
	return show(memory, (ssize_t)strlen(memory));
}

static enum outcome
raise_semaphore(const struct scene *s)
{
	int id = semget((key_t)s->ipc_key, 1, 0);
	struct sembuf raise = { 0, 1, IPC_NOWAIT };

	return id < 0 ? blocked("semget") : tried(semop(id, &raise, 1), "semop");
}

static enum outcome
send_message(const struct scene *s)
{
	struct {
		long type;
		char text[8];
	} message = { 1, "x" };
	int id = msgget((key_t)s->ipc_key, 0);

	return id < 0 ? blocked("msgget")
		      : tried(msgsnd(id, &message, sizeof(message.text), IPC_NOWAIT), "msgsnd");
}

static enum outcome
make_shared_memory(const struct scene *s)
{
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);

	(void)s;
	if (id < 0) {
		return blocked("shmget");
	}
	(void)shmctl(id, IPC_RMID, NULL);
	return succeeded("shmget");
}

static enum outcome
find_by_int80(const struct scene *s)
{
	return tried(int80(I386_IPC, I386_IPC_SHMGET, s->ipc_key, 4096, 0), "int80 shmget");
}

/* ---- POSIX ----------------------------------------------------------------------------------- */

static enum outcome
send_to_queue(const struct scene *s)
{
	mqd_t queue = mq_open(s->queue, O_WRONLY | O_NONBLOCK);

	return queue == (mqd_t)-1 ? blocked("mq_open")
				  : tried(mq_send(queue, "x", 1, 0), "mq_send");
}

static enum outcome
read_shared_object(const struct scene *s)
{
	return show_file(shm_open(s->shared, O_RDONLY, 0));
}

static enum outcome
write_shared_object(const struct scene *s)
{
	return write_mark(shm_open(s->shared, O_RDWR, 0));
}

static enum outcome
remove_shared_object(const struct scene *s)
{
	return tried(shm_unlink(s->shared), "shm_unlink");
}

/* ---- locks and notices on files outside ------------------------------------------------------ */

static enum outcome
lock_outside(const struct scene *s)
{
	int fd = open_outside(s, O_RDONLY);

	return fd < 0 ? blocked("open") : tried(flock(fd, LOCK_EX | LOCK_NB), "flock");
}

/* A lease delays whoever opens the file. */
static enum outcome
lease_outside(const struct scene *s)
{
	int fd = open_outside(s, O_RDONLY);

	return fd < 0 ? blocked("open") : tried(fcntl(fd, F_SETLEASE, F_RDLCK), "F_SETLEASE");
}

static enum outcome
lease_for_writing(const struct scene *s)
{
	int fd = open_outside(s, O_RDONLY);

	return fd < 0 ? blocked("open") : tried(fcntl(fd, F_SETLEASE, F_WRLCK), "F_SETLEASE");
}

static enum outcome
notify_outside(const struct scene *s)
{
	int fd = open(s->outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? blocked("open") : tried(fcntl(fd, F_NOTIFY, DN_MODIFY), "F_NOTIFY");
}

/* ---- shared memory of others ----------------------------------------------------------------- */

static const char *
theirs(const struct scene *s)
{
	return path("/dev/shm%s", s->shared);
}

static const char *
ours(const struct scene *s)
{
	return path("/dev/shm/attack-%s-new", s->tag);
}

static enum outcome
remove_their_memory(const struct scene *s)
{
	return tried(unlink(theirs(s)), "unlink");
}

static enum outcome
chmod_their_memory(const struct scene *s)
{
	return tried(chmod(theirs(s), 0666), "chmod");
}

static enum outcome
truncate_their_memory(const struct scene *s)
{
	return tried(truncate(theirs(s), 1), "truncate");
}

static enum outcome
write_their_memory_by_link(const struct scene *s)
{
	if (link(theirs(s), ours(s)) != 0) {
		return blocked("link");
	}
	return write_mark(open(ours(s), O_WRONLY | O_APPEND | O_CLOEXEC));
}

static enum outcome
rename_over_their_memory(const struct scene *s)
{
	if (!put_text(ours(s), "mine")) {
		return blocked("make a name");
	}
	return tried(rename(ours(s), theirs(s)), "rename");
}

/* A name of one's own that leads elsewhere. */
static enum outcome
write_git_by_shm_symlink(const struct scene *s)
{
	if (symlink(path("%s/.git/config", s->workspace), ours(s)) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(ours(s), O_WRONLY | O_APPEND | O_CLOEXEC));
}

static enum outcome
make_shm_directory(const struct scene *s)
{
	return tried(mkdir(ours(s), 0755), "mkdir");
}

const struct attack ipc_attacks[] = {
	{ "shm", PROOF_SECRET, "reads a shared memory segment", read_shared_memory },
	{ "sem", PROOF_CALL, "raises a semaphore", raise_semaphore },
	{ "msg", PROOF_CALL, "sends to a message queue", send_message },
	{ "shm_new", PROOF_CALL, "makes a segment that outlives it", make_shared_memory },
	{ "shm_int80", PROOF_CALL, "finds a segment by the 32-bit table", find_by_int80 },
	{ "mq", PROOF_CALL, "sends to a POSIX message queue", send_to_queue },
	{ "posix_shm_read", PROOF_SECRET, "reads a POSIX shared memory object",
	  read_shared_object },
	{ "posix_shm_write", PROOF_FILES, "writes to it", write_shared_object },
	{ "posix_shm_unlink", PROOF_FILES, "removes it", remove_shared_object },
	{ "flock", PROOF_CALL, "locks a file outside", lock_outside },
	{ "lease", PROOF_CALL, "takes a lease on a file outside", lease_outside },
	{ "lease_write", PROOF_CALL, "takes a lease against readers", lease_for_writing },
	{ "dnotify", PROOF_CALL, "asks for notices about a directory outside", notify_outside },
	{ "dev_shm_unlink", PROOF_FILES, "removes others' shared memory", remove_their_memory },
	{ "dev_shm_chmod", PROOF_FILES, "changes its mode", chmod_their_memory },
	{ "dev_shm_truncate", PROOF_FILES, "truncates it", truncate_their_memory },
	{ "dev_shm_link", PROOF_FILES, "links it to a name of one's own",
	  write_their_memory_by_link },
	{ "dev_shm_rename", PROOF_FILES, "renames over it", rename_over_their_memory },
	{ "dev_shm_symlink", PROOF_FILES, "writes .git/config by a symlink there",
	  write_git_by_shm_symlink },
	{ "dev_shm_mkdir", PROOF_FILES, "makes a directory there", make_shm_directory },
	{ 0 },
};
