/* Runs the program as a user does. */
#include "run.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/prctl.h>
#include <time.h>

char folder[] = "/dev/shm/benchtop-test-XXXXXX";

const char *in_folder(const char *name)
{
	static char paths[8][256];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

int make_folder(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	setenv("XDG_STATE_HOME", in_folder("state"), 1);
	setenv("XDG_CONFIG_HOME", in_folder("config"), 1);
	setenv("XDG_RUNTIME_DIR", in_folder("run"), 1);
	setenv("HOME", folder, 1);
	return mkdir(in_folder("run"), 0700);
}

int remove_folder(void **state)
{
	struct text command = { 0 };

	text_add(&command, "rm -rf %s", folder);
	int failed = system(command.chars);
	text_free(&command);
	return failed;
}

void write_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
}

char *read_whole(const char *path)
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

size_t entries_in(const char *path)
{
	DIR *entries = opendir(path);
	size_t count = 0;

	for (struct dirent *entry; entries && (entry = readdir(entries));)
		count += strcmp(entry->d_name, ".") &&
			strcmp(entry->d_name, "..") &&
			strcmp(entry->d_name, "lost+found");
	if (entries)
		closedir(entries);
	return count;
}

void ran_free(struct ran *ran)
{
	text_free(&ran->out);
	text_free(&ran->err);
}

static pid_t start_after(int (*enter)(const void *), const void *context,
	const char *program, const char *const *words, int out, int err)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	/* The program must not outlive a test that fails, even if the program
	 * is stopped. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	if (enter && enter(context))
		_exit(NOT_ENTERED);
	char *copy[64] = { (char *)program };
	for (size_t i = 0; words[i] && i < 62; i++)
		copy[i + 1] = (char *)words[i];
	execv(program, copy);
	_exit(127);
}

pid_t start(const char *program, const char *const *words, int out, int err)
{
	return start_after(NULL, NULL, program, words, out, err);
}

void collect(int out, int err, struct ran *ran)
{
	struct pollfd ends[2] = { { out, POLLIN, 0 }, { err, POLLIN, 0 } };
	struct text *texts[2] = { &ran->out, &ran->err };
	char piece[65536];

	for (int open = 2; open;) {
		assert_true(poll(ends, 2, 600000) > 0);
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

struct ran run_after(int (*enter)(const void *), const void *context,
	const char *program, const char *const *words)
{
	struct ran ran = { 0 };
	int out[2], err[2];

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid_t pid =
		start_after(enter, context, program, words, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	collect(out[0], err[0], &ran);
	close(out[0]);
	close(err[0]);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	ran.status = WIFEXITED(status) ? WEXITSTATUS(status) :
					 128 + WTERMSIG(status);
	if (enter && ran.status == NOT_ENTERED)
		ran.status = -1;
	return ran;
}

struct ran run_words(const char *program, const char *const *words)
{
	return run_after(NULL, NULL, program, words);
}

int make_folder_for_links(void)
{
	if (make_folder(NULL))
		return 1;
	struct ran ran = RUN(PROGRAM, "link", "--", "true");
	bool refused = ran.status == 4;
	if (refused) {
		printf("SKIP: not permitted here: %s", text_chars(&ran.err));
		remove_folder(NULL);
	}
	ran_free(&ran);
	return refused ? 77 : 0;
}

/* Does the text begin with the piece? A blank of the piece may be a line break
 * with an indentation in the text, because long sentences are wrapped. */
static bool begins(const char *chars, const char *piece)
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

bool contains(const struct text *text, const char *piece)
{
	for (const char *at = text_chars(text); *at; at++)
		if (*at == *piece && begins(at, piece))
			return true;
	return !*piece;
}

size_t lines_beginning(const struct text *text, const char *start)
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

int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void skip_if_instrumented(void)
{
	if (*BENCHTOP_SANITIZE)
		skip_because("sanitizers time nothing");
}

char *read_process(const char *pid, const char *name, char between)
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

/* A worker is named differently, but executes the same file. */
static bool executes(const char *pid, const char *program)
{
	char *words = read_process(pid, "cmdline", ' ');
	char link[64], file[PATH_MAX] = "";

	snprintf(link, sizeof link, "/proc/%s/exe", pid);
	bool found = strstr(words, program) ||
		(readlink(link, file, sizeof file - 1) > 0 &&
			!strcmp(file, program));
	free(words);
	return found;
}

int processes_of(const char *program)
{
	DIR *processes = opendir("/proc");
	int count = 0;

	assert_non_null(processes);
	for (struct dirent *entry; (entry = readdir(processes));) {
		if (!strchr("123456789", entry->d_name[0]))
			continue;
		/* That of a zombie is empty. */
		char *knows = read_process(entry->d_name, "environ", '\n');

		count += strstr(knows, folder) &&
			executes(entry->d_name, program);
		free(knows);
	}
	closedir(processes);
	return count;
}

double median_after(const char **from, const char *metric)
{
	char start[60];
	double median = 0;

	snprintf(start, sizeof start, "\"%s\":{\"unit\"", metric);
	*from = strstr(*from, start);
	if (!*from)
		fail_msg("no figure of %s", metric);
	const char *at = strstr(*from, "\"median_all\":");
	assert_non_null(at);
	assert_int_equal(sscanf(at, "\"median_all\":%lf", &median), 1);
	return median;
}
