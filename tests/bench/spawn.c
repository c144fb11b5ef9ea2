/* SPDX-License-Identifier: MIT */

/*
 * Times whole commands, one after the other in turns, so that all of them meet the same machine:
 *
 *     spawn ROUNDS FILE
 *
 * FILE has a command a line, its words separated by tabs. Each round starts every command once
 * with posix_spawn(3) and waits for it. Prints a line for each: index, minimum, median and 90th
 * percentile in microseconds, and how many ended with another status than 0.
 */

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define COMMANDS_MAX 16
#define WORDS_MAX 64
#define ROUNDS_MAX 2000
#define LINE_MAX_BYTES 8192

struct command {
	char line[LINE_MAX_BYTES];
	char *argv[WORDS_MAX + 1];
	double took[ROUNDS_MAX];
	int bad;
};

static double
now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int
ascending(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static void
split(struct command *command)
{
	size_t count = 0;
	char *save = NULL;

	command->line[strcspn(command->line, "\n")] = '\0';
	for (char *word = strtok_r(command->line, "\t", &save); word != NULL && count < WORDS_MAX;
	     word = strtok_r(NULL, "\t", &save)) {
		command->argv[count++] = word;
	}
}

static size_t
read_commands(const char *path, struct command *commands)
{
	FILE *file = fopen(path, "re");
	size_t count = 0;

	while (file != NULL && count < COMMANDS_MAX &&
	       fgets(commands[count].line, LINE_MAX_BYTES, file) != NULL) {
		split(&commands[count]);
		if (commands[count].argv[0] == NULL) {
			break;
		}
		count++;
	}
	if (file != NULL) {
		(void)fclose(file);
	}
	return count;
}

static void
run_once(struct command *command, size_t round, const posix_spawn_file_actions_t *actions)
{
	double begin = now_us();
	int status = 0;
	pid_t pid;

	if (posix_spawnp(&pid, command->argv[0], actions, NULL, command->argv, environ) != 0) {
		command->bad++;
		return;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	command->took[round] = now_us() - begin;
	command->bad += status != 0 ? 1 : 0;
}

int
main(int argc, char **argv)
{
	static struct command commands[COMMANDS_MAX];
	posix_spawn_file_actions_t actions;
	size_t rounds = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	size_t count;

	if (rounds == 0 || rounds > ROUNDS_MAX) {
		(void)fprintf(stderr, "usage: spawn ROUNDS FILE\n");
		return 2;
	}
	count = read_commands(argv[2], commands);
	if (count == 0 || posix_spawn_file_actions_init(&actions) != 0) {
		return 1;
	}
	for (int fd = 0; fd <= 2; fd++) {
		(void)posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	}
	for (size_t i = 0; i < count; i++) {
		run_once(&commands[i], 0, &actions); /* warms the caches; overwritten below */
		commands[i].bad = 0;
	}
	for (size_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < count; i++) {
			run_once(&commands[i], round, &actions);
		}
	}
	for (size_t i = 0; i < count; i++) {
		double *took = commands[i].took;

		qsort(took, rounds, sizeof(*took), ascending);
		(void)printf("%zu %.0f %.0f %.0f %d\n", i, took[0], took[rounds / 2],
			     took[rounds * 9 / 10], commands[i].bad);
	}
	return 0;
}
