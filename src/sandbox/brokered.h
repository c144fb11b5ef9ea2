/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_BROKERED_H
#define SANDBOX_BROKERED_H

/* The launcher's side of the broker: starts it, and reads what it tells. */

#include "broker/broker.h"
#include "sandbox/worker.h"

struct brokered {
	pid_t pid;  /* 0: there is none, or it has ended */
	int events; /* read end of its pipe; -1: none */
	bool alone; /* when the command ended, nothing else of the tree was alive */
};

#define BROKERED_INIT                                                                              \
	{                                                                                          \
		.events = -1                                                                       \
	}

/*
 * Forks the broker, which starts the worker in its domain (worker->domain). `alive` is the guard's
 * and not for the broker. The pid of the command; 0: the broker was killed before it could tell; or
 * -1: `worker` says which step failed, or if it does not, errno.
 */
pid_t brokered_start(struct brokered *b, struct worker *worker, int alive, struct shm_record *shm);

/* The next thing that it told, without waiting. False: nothing more at the moment. */
bool brokered_next(struct brokered *b, struct broker_event *event);

#endif /* SANDBOX_BROKERED_H */
