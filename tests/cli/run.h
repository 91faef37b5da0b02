/* Runs the program as a user does: arguments in, text and exit code out. Each
 * test program has its own folders for state, configuration and tapes. */
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
/* A new folder for everything that the program stores. */
int make_folder(void **state);
/* The same for main(), which returns the value unless it is 0: 77 with a
 * message if this machine permits no emulated link. */
int make_folder_for_links(void);
int remove_folder(void **state);
void write_file(const char *path, const char *content);
char *read_whole(const char *path);
/* The number of files and folders in a folder, without those of mkfs. */
size_t entries_in(const char *path);
void ran_free(struct ran *ran);
/* Starts `program` with arguments; its output goes to the two descriptors. */
pid_t start(const char *program, const char *const *words, int out, int err);
void collect(int out, int err, struct ran *ran);
struct ran run_words(const char *program, const char *const *words);
/* The same in a process that first calls enter(context). If that does not
 * return 0, the process ends with NOT_ENTERED, and the status is -1. */
enum { NOT_ENTERED = 99 };
struct ran run_after(int (*enter)(const void *context), const void *context,
	const char *program, const char *const *words);

#define RUN(program, ...) \
	run_words((program), (const char *const[]){ __VA_ARGS__, NULL })

bool contains(const struct text *text, const char *piece);
/* The number of lines that begin with `start`. strstr() of a sanitizer would
 * measure the whole text at each call. */
size_t lines_beginning(const struct text *text, const char *start);

#define assert_contains(text, piece) \
	do { \
		if (!contains(&(text), (piece))) { \
			print_error("no '%s' in:\n%s\n", (piece), \
				text_chars(&(text))); \
			fail(); \
		} \
	} while (0)
#define assert_lacks(text, piece) \
	do { \
		if (contains(&(text), (piece))) { \
			print_error("'%s' in:\n%s\n", (piece), \
				text_chars(&(text))); \
			fail(); \
		} \
	} while (0)
/* No visit of a run failed its verification. A point becomes invalid only if a
 * quarter of its visits did; a single one is flagged as unverified. */
#define assert_verified(ran) \
	do { \
		assert_lacks((ran).out, "invalid"); \
		assert_lacks((ran).out, "unverified"); \
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

/* The median of all trials of a metric in JSON, the first one after `from`;
 * moves `from` there. */
double median_after(const char **from, const char *metric);

int64_t now_ms(void);

/* Skips the test in a build with sanitizers: their shadow memory takes time and
 * faults of its own. */
void skip_if_instrumented(void);

/* The content of a file of a process, with the bytes between its strings
 * replaced; "" if the process has ended or belongs to another user. */
char *read_process(const char *pid, const char *name, char between);
/* The number of processes of this test that run a program, given by its path;
 * without zombies. Other users may run the same program. Processes of this
 * test, and all their descendants, have its folder in their environment, even
 * if their parent has ended. */
int processes_of(const char *program);

#endif
