/* Runs the program from outside: words in, text and exit code out. Each test
 * program has folders of its own for state, configuration and tapes. */
#ifndef BENCHTOP_CLI_RUN_H
#define BENCHTOP_CLI_RUN_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "text.h"

static char folder[] = "/dev/shm/benchtop-test-XXXXXX";

struct ran {
	int status; /* exit code, or 128 + signal */
	struct text out, err;
};

static inline const char *in_folder(const char *name)
{
	static char paths[8][256];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

/* A fresh folder for everything the program keeps. */
static inline int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	setenv("XDG_STATE_HOME", in_folder("state"), 1);
	setenv("XDG_CONFIG_HOME", in_folder("config"), 1);
	setenv("XDG_RUNTIME_DIR", in_folder("run"), 1);
	setenv("HOME", folder, 1);
	return mkdir(in_folder("run"), 0700);
}

static inline int remove_folder(void **state)
{
	struct text command = { 0 };

	(void)state;
	text_add(&command, "rm -rf %s", folder);
	int failed = system(command.chars);
	text_free(&command);
	return failed;
}

static inline void write_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
}

static inline char *read_whole(const char *path)
{
	FILE *file = fopen(path, "re");
	struct text content = { 0 };
	int c;

	assert_non_null(file);
	while ((c = fgetc(file)) != EOF)
		text_add_char(&content, (char)c);
	fclose(file);
	return text_take(&content);
}

static inline void ran_free(struct ran *ran)
{
	text_free(&ran->out);
	text_free(&ran->err);
}

/* Starts `program` with words; its output goes to the two descriptors. */
static inline pid_t start(const char *program, const char *const *words,
	int out, int err)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	/* A test that fails leaves nothing behind, stopped or not. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	char *copy[64] = { (char *)program };
	for (size_t i = 0; words[i] && i < 62; i++)
		copy[i + 1] = (char *)words[i];
	execv(program, copy);
	_exit(127);
}

static inline void collect(int out, int err, struct ran *ran)
{
	struct pollfd ends[2] = { { out, POLLIN, 0 }, { err, POLLIN, 0 } };
	struct text *texts[2] = { &ran->out, &ran->err };
	char piece[65536];

	for (int open = 2; open;) {
		assert_true(poll(ends, 2, 120000) > 0);
		for (int i = 0; i < 2; i++) {
			if (!ends[i].revents)
				continue;
			ssize_t got = read(ends[i].fd, piece, sizeof piece);
			if (got > 0) {
				text_add_chars(texts[i], piece, (size_t)got);
			} else {
				ends[i].fd = -1;
				open--;
			}
		}
	}
}

static inline struct ran run_words(const char *program,
	const char *const *words)
{
	struct ran ran = { 0 };
	int out[2], err[2];

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid_t pid = start(program, words, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	collect(out[0], err[0], &ran);
	close(out[0]);
	close(err[0]);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	ran.status = WIFEXITED(status) ? WEXITSTATUS(status) :
					 128 + WTERMSIG(status);
	return ran;
}

#define RUN(program, ...) \
	run_words((program), (const char *const[]){ __VA_ARGS__, NULL })

/* Does it begin with the piece, whose blanks may be line breaks with an
 * indentation here: long sentences are broken? */
static inline bool begins(const char *chars, const char *piece)
{
	for (; *piece; piece++) {
		bool broken = *piece == ' ' && *chars == '\n';

		if (broken)
			chars += 1 + strspn(chars + 1, " ");
		else if (*chars++ != *piece)
			return false;
	}
	return true;
}

static inline bool contains(const struct text *text, const char *piece)
{
	for (const char *at = text_chars(text); *at; at++)
		if (*at == *piece && begins(at, piece))
			return true;
	return !*piece;
}

/* Lines that begin with `start`. Not by strstr(): that of a sanitizer measures
 * the whole text at each call. */
static inline size_t lines_beginning(const struct text *text, const char *start)
{
	size_t length = strlen(start), count = 0;
	const char *end = text_chars(text) + text->length;

	for (const char *at = text_chars(text); at && at < end;) {
		count += (size_t)(end - at) >= length &&
			!memcmp(at, start, length);
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	return count;
}

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
static inline char *read_process(const char *pid, const char *name,
	char between)
{
	struct text path = { 0 }, content = { 0 };
	int c;

	text_add(&path, "/proc/%s/%s", pid, name);
	FILE *file = fopen(text_chars(&path), "re");
	text_free(&path);
	while (file && (c = fgetc(file)) != EOF)
		text_add_char(&content, c ? (char)c : between);
	if (file)
		fclose(file);
	return text_take(&content);
}

/* How many processes of this test run a program, by its path; zombies do not
 * count. Others may run the same one: those of this test, and all that these
 * started, know its folder from their environment, also when whoever started
 * them has ended. */
static inline int processes_of(const char *program)
{
	DIR *processes = opendir("/proc");
	int count = 0;

	assert_non_null(processes);
	for (struct dirent *entry; (entry = readdir(processes));) {
		if (!strchr("123456789", entry->d_name[0]))
			continue;
		/* That of a zombie is empty. */
		char *words = read_process(entry->d_name, "cmdline", ' ');
		char *knows = read_process(entry->d_name, "environ", '\n');

		count += strstr(words, program) && strstr(knows, folder);
		free(words);
		free(knows);
	}
	closedir(processes);
	return count;
}

#endif
