/* Runs the program from outside: words in, text and exit code out. Each test
 * program has folders of its own for state, configuration and tapes. */
#ifndef BENCHTOP_CLI_RUN_H
#define BENCHTOP_CLI_RUN_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "text.h"

extern char folder[];

struct ran {
	int status; /* exit code, or 128 + signal */
	struct text out, err;
};

const char *in_folder(const char *name);
/* A fresh folder for everything the program keeps. */
int make_folder(void **state);
int remove_folder(void **state);
void write_file(const char *path, const char *content);
char *read_whole(const char *path);
/* How many files and folders are in a folder, but for mkfs's own. */
size_t entries_in(const char *path);
void ran_free(struct ran *ran);
/* Starts `program` with words; its output goes to the two descriptors. */
pid_t start(const char *program, const char *const *words, int out, int err);
void collect(int out, int err, struct ran *ran);
struct ran run_words(const char *program, const char *const *words);

#define RUN(program, ...) \
	run_words((program), (const char *const[]){ __VA_ARGS__, NULL })

bool contains(const struct text *text, const char *piece);
/* Lines that begin with `start`. Not by strstr(): that of a sanitizer measures
 * the whole text at each call. */
size_t lines_beginning(const struct text *text, const char *start);

#define assert_contains(text, piece) \
	do { \
		if (!contains(&(text), (piece))) { \
			print_error("no '%s' in:\n%s\n", (piece), \
				text_chars(&(text))); \
			fail(); \
		} \
	} while (0)
#define assert_status(ran, wanted) \
	do { \
		if ((ran).status != (wanted)) { \
			print_error("exit code %d, expected %d\n%s\n%s\n", \
				(ran).status, (wanted), \
				text_chars(&(ran).out), \
				text_chars(&(ran).err)); \
			fail(); \
		} \
	} while (0)

/* A file of a process, the bytes between its strings replaced; "" where it has
 * ended or is somebody else's. */
char *read_process(const char *pid, const char *name, char between);
/* How many processes of this test run a program, by its path; zombies do not
 * count. Others may run the same one: those of this test, and all that these
 * started, know its folder from their environment, also when whoever started
 * them has ended. */
int processes_of(const char *program);

#endif
