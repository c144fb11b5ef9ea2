/* SPDX-License-Identifier: MIT */

/*
 * The world outside of the sandbox: listeners that answer with a secret, somebody who keeps
 * connecting to a port on which nobody listens, and objects that processes share.
 *
 *     outside DIRECTORY NONCE TAG
 *
 * It prints where all of that is, as key=value lines and then "READY", and writes what it receives
 * to DIRECTORY/received.log. It ends, and takes away what it made, on SIGTERM.
 */

#include "base/attr.h"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <termios.h>

#define CLIENTS_MAX 32
#define TICK_MS 100

static volatile sig_atomic_t stopped;

static void
on_stop(int number)
{
	(void)number;
	stopped = 1;
}

/* ---- listeners ------------------------------------------------------------------------------- */

enum { TCP4, TCP6, UDP, DNS, UNIX_STREAM, UNIX_DATAGRAM, ABSTRACT, ABSTRACT_DATAGRAM, LISTENERS };

static const char *const listener_names[LISTENERS] = { "tcp4",	      "tcp6",
						       "udp",	      "dns",
						       "unix_stream", "unix_datagram",
						       "abstract",    "abstract_datagram" };

struct world {
	const char *directory;
	const char *tag;
	char answer[200];
	FILE *log;
	int terminal; /* a person types secrets there */
	int listeners[LISTENERS];
	int clients[CLIENTS_MAX];
	int client_count;
	int prober_port;
};

static bool
is_stream(int listener)
{
	return listener == TCP4 || listener == TCP6 || listener == UNIX_STREAM ||
	       listener == ABSTRACT;
}

/* -1 where the machine has no such family. */
static int
open_listener(int family, int type, const void *address, socklen_t len)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		return -1;
	}
	if (bind(fd, address, len) != 0 || (type == SOCK_STREAM && listen(fd, 50) != 0)) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

static int
listen_on_loopback(int type)
{
	struct sockaddr_in address = { .sin_family = AF_INET };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return open_listener(AF_INET, type, &address, sizeof(address));
}

static int
listen_on_loopback6(void)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6,
					.sin6_addr = IN6ADDR_LOOPBACK_INIT };

	return open_listener(AF_INET6, SOCK_STREAM, &address, sizeof(address));
}

static void
local_name(const struct world *world, const char *name, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	(void)snprintf(address->sun_path, sizeof(address->sun_path), "%s/%s", world->directory,
		       name);
}

static int
listen_at_path(const struct world *world, const char *name, int type)
{
	struct sockaddr_un address;

	local_name(world, name, &address);
	(void)unlink(address.sun_path);
	return open_listener(AF_UNIX, type, &address, sizeof(address));
}

static int
listen_at_abstract_name(const struct world *world, const char *suffix, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "attack-%s%s",
			   world->tag, suffix);

	return open_listener(AF_UNIX, type, &address,
			     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len));
}

static int
port_of(int fd)
{
	struct sockaddr_in address;
	socklen_t len = sizeof(address);

	/* The port lies at the same place in an IPv6 address. */
	if (fd < 0 || getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
		return 0;
	}
	return ntohs(address.sin_port);
}

static void
open_listeners(struct world *world)
{
	int prober = listen_on_loopback(SOCK_STREAM);
	int *listeners = world->listeners;

	world->prober_port = port_of(prober);
	(void)close(prober); /* it stays free, most likely */
	listeners[TCP4] = listen_on_loopback(SOCK_STREAM);
	listeners[TCP6] = listen_on_loopback6();
	listeners[UDP] = listen_on_loopback(SOCK_DGRAM);
	listeners[DNS] = listen_on_loopback(SOCK_DGRAM);
	listeners[UNIX_STREAM] = listen_at_path(world, "stream.sock", SOCK_STREAM);
	listeners[UNIX_DATAGRAM] = listen_at_path(world, "datagram.sock", SOCK_DGRAM);
	listeners[ABSTRACT] = listen_at_abstract_name(world, "", SOCK_STREAM);
	listeners[ABSTRACT_DATAGRAM] = listen_at_abstract_name(world, "d", SOCK_DGRAM);
}

static void
show_listeners(const struct world *world)
{
	const int *listeners = world->listeners;

	(void)printf("tcp4=%d\ntcp6=%d\nudp=%d\ndns=%d\nprober=%d\n", port_of(listeners[TCP4]),
		     port_of(listeners[TCP6]), port_of(listeners[UDP]), port_of(listeners[DNS]),
		     world->prober_port);
	(void)printf("unix_stream=%s/stream.sock\nunix_datagram=%s/datagram.sock\n",
		     world->directory, world->directory);
	(void)printf("abstract=attack-%s\n", world->tag);
}

/* ---- shared objects -------------------------------------------------------------------------- */

struct shared {
	int memory;
	int semaphore;
	int messages;
	mqd_t queue;
	long key; /* in the user's keyring */
	char name[100];
};

static void
fill_shared_memory(int id, const char *secret)
{
	char *memory = shmat(id, NULL, 0);

	if ((intptr_t)memory != -1) {
		(void)snprintf(memory, 4096, "%s", secret);
	}
}

static void
make_shared_object(const char *name, const char *secret)
{
	int fd = shm_open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, secret, strlen(secret)) < 0) {
		perror("outside: shm_open");
	}
	(void)close(fd);
}

static void
make_shared(struct shared *shared, const struct world *world)
{
	key_t ipc_key = 0x41540000 ^ getpid();
	const char *secret = world->answer;

	(void)snprintf(shared->name, sizeof(shared->name), "/attack-%s", world->tag);
	shared->memory = shmget(ipc_key, 4096, IPC_CREAT | 0600);
	shared->semaphore = semget(ipc_key, 1, IPC_CREAT | 0600);
	shared->messages = msgget(ipc_key, IPC_CREAT | 0600);
	shared->queue = mq_open(shared->name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, NULL);
	shared->key = syscall(SYS_add_key, "user", shared->name + 1, secret, strlen(secret),
			      KEY_SPEC_USER_KEYRING);
	if (shared->key < 0) {
		perror("outside: add_key");
	}
	fill_shared_memory(shared->memory, secret);
	make_shared_object(shared->name, secret);
	(void)printf("ipc_key=%d\nqueue=%s\nshared=%s\n", ipc_key, shared->name, shared->name);
}

static void
remove_shared(const struct shared *shared)
{
	(void)shmctl(shared->memory, IPC_RMID, NULL);
	(void)semctl(shared->semaphore, 0, IPC_RMID);
	(void)msgctl(shared->messages, IPC_RMID, NULL);
	(void)mq_unlink(shared->name);
	(void)shm_unlink(shared->name);
	(void)syscall(SYS_keyctl, KEYCTL_UNLINK, shared->key, KEY_SPEC_USER_KEYRING);
}

/* ---- talking --------------------------------------------------------------------------------- */

static void
accept_client(struct world *world, int listener)
{
	int fd = accept4(world->listeners[listener], NULL, NULL, SOCK_CLOEXEC);

	(void)fprintf(world->log, "%s accepted\n", listener_names[listener]);
	if (fd < 0) {
		return;
	}
	if (world->client_count == CLIENTS_MAX) {
		(void)close(fd);
		return;
	}
	world->clients[world->client_count++] = fd;
}

/* The answer of the resolver is the query with a flag set and the secret behind. */
static size_t
make_dns_answer(const struct world *world, char *data, size_t len, size_t size)
{
	const size_t header = 12;
	size_t more = strlen(world->answer);

	if (len < header || len + more > size) {
		return 0;
	}
	data[2] = (char)(data[2] | 0x80);
	memcpy(data + len, world->answer, more);
	return len + more;
}

static void
receive_datagram(const struct world *world, int listener)
{
	int fd = world->listeners[listener];
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from);
	char data[1024];
	ssize_t n = recvfrom(fd, data, 500, 0, (struct sockaddr *)&from, &from_len);
	size_t len = n > 0 ? (size_t)n : 0;

	if (n < 0) {
		return;
	}
	(void)fprintf(world->log, "%s received %.*s\n", listener_names[listener], (int)n, data);
	if (listener == UDP) {
		(void)sendto(fd, world->answer, strlen(world->answer), 0, (struct sockaddr *)&from,
			     from_len);
	} else if (listener == DNS) {
		len = make_dns_answer(world, data, len, sizeof(data));
		(void)sendto(fd, data, len, 0, (struct sockaddr *)&from, from_len);
	}
}

/* Answers a client. False when it has gone. */
static bool
answer_client(const struct world *world, int fd)
{
	char data[300];

	if (recv(fd, data, sizeof(data), MSG_DONTWAIT) <= 0) {
		return false;
	}
	(void)send(fd, world->answer, strlen(world->answer), MSG_NOSIGNAL);
	return true;
}

/* Somebody connects to a port again and again, and tells whoever listens there a secret. */
static void
probe_port(const struct world *world)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	AUTO_FD fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)world->prober_port);
	/* On loopback this is refused at once where nobody listens. */
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		return;
	}
	(void)fprintf(world->log, "prober connected\n");
	(void)send(fd, world->answer, strlen(world->answer), MSG_NOSIGNAL);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static nfds_t
collect(const struct world *world, struct pollfd *waits)
{
	nfds_t count = 0;
	int i;

	for (i = 0; i < LISTENERS; i++) {
		waits[count++] = (struct pollfd){ .fd = world->listeners[i], .events = POLLIN };
	}
	for (i = 0; i < world->client_count; i++) {
		waits[count++] = (struct pollfd){ .fd = world->clients[i], .events = POLLIN };
	}
	return count;
}

static void
serve_clients(struct world *world, const struct pollfd *waits)
{
	int kept = 0;
	int i;

	for (i = 0; i < world->client_count; i++) {
		int fd = world->clients[i];

		if (waits[i].revents != 0 && !answer_client(world, fd)) {
			(void)close(fd);
			continue;
		}
		world->clients[kept++] = fd;
	}
	world->client_count = kept;
}

static void
serve_listeners(struct world *world, const struct pollfd *waits)
{
	int i;

	for (i = 0; i < LISTENERS; i++) {
		if ((waits[i].revents & POLLIN) == 0) {
			continue;
		}
		if (is_stream(i)) {
			accept_client(world, i);
		} else {
			receive_datagram(world, i);
		}
	}
}

/* ---- a terminal ------------------------------------------------------------------------------ */

/* Another terminal of the user, which stays open here. */
static void
make_terminal(struct world *world)
{
	int main_end = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	const char *name = main_end >= 0 && unlockpt(main_end) == 0 ? ptsname(main_end) : NULL;
	int fd = name != NULL ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	struct termios modes;

	if (fd < 0 || tcgetattr(fd, &modes) != 0) {
		perror("outside: terminal");
		return;
	}
	modes.c_lflag &= ~(tcflag_t)ECHO;
	(void)tcsetattr(fd, TCSANOW, &modes);
	world->terminal = main_end;
	(void)printf("terminal=%s\n", name);
}

/* What nobody has read yet is enough. */
static void
type_secret(const struct world *world)
{
	int fd = open(ptsname(world->terminal), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	int waiting = 0;

	if (fd >= 0 && ioctl(fd, FIONREAD, &waiting) == 0 && waiting == 0 &&
	    write(world->terminal, world->answer, strlen(world->answer)) < 0) {
		perror("outside: typing");
	}
	(void)close(fd);
}

static void
serve(struct world *world)
{
	struct pollfd waits[LISTENERS + CLIENTS_MAX];

	while (!stopped) {
		(void)poll(waits, collect(world, waits), TICK_MS);
		serve_clients(world, waits + LISTENERS);
		serve_listeners(world, waits);
		probe_port(world);
		type_secret(world);
	}
}

static FILE *
open_log(const char *directory)
{
	char name[4096];
	FILE *log;

	(void)snprintf(name, sizeof(name), "%s/received.log", directory);
	log = fopen(name, "ae");
	if (log != NULL) {
		(void)setvbuf(log, NULL, _IOLBF, 0);
	}
	return log;
}

int
main(int argc, char *argv[])
{
	struct world world = { 0 };
	struct shared shared = { 0 };

	if (argc != 4) {
		(void)fprintf(stderr, "usage: outside DIRECTORY NONCE TAG\n");
		return 2;
	}
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)signal(SIGTERM, on_stop);
	(void)signal(SIGPIPE, SIG_IGN);
	world.directory = argv[1];
	world.tag = argv[3];
	(void)snprintf(world.answer, sizeof(world.answer), "SECRET-%s-outside\n", argv[2]);
	memset(argv[2], 'x', strlen(argv[2])); /* /proc shows arguments to everybody */
	world.log = open_log(world.directory);
	if (world.log == NULL) {
		perror("outside: received.log");
		return 1;
	}
	open_listeners(&world);
	show_listeners(&world);
	make_shared(&shared, &world);
	make_terminal(&world);
	(void)printf("READY\n");
	(void)fclose(stdout);
	serve(&world);
	remove_shared(&shared);
	return 0;
}
