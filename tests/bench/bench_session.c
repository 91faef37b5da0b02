/* A session of a million trials: time to save, load, verify and summarise it,
 * and the memory used by loading. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "many_trials.h"
#include "digest.h"
#include "session.h"

enum { LAUNCHES = 10, TRIALS = 100000 /* of a launch */ };

static struct rounds digest_took = { .what = "digest, once", .unit = "s" };
static struct rounds write_took = { .what = "write, in memory", .unit = "s" };
static struct rounds save_took = { .what = "save, synced", .unit = "s" };
static struct rounds load_took = { .what = "load", .unit = "s" };
static struct rounds load_peak = { .what = "load, peak memory", .unit = "MB" };
static struct rounds verify_took = { .what = "verify", .unit = "s" };

static void save(struct session *session, const char *path)
{
	struct text text = { 0 };
	struct error error;
	double start = bench_seconds();

	session_write(session, &text);
	rounds_add(&write_took, bench_seconds() - start);
	text_free(&text);
	start = bench_seconds();
	if (session_save(session, path, false, &error))
		bench_fail(error.message);
	rounds_add(&save_took, bench_seconds() - start);
}

static void sum_up(const struct session *session)
{
	const struct results *results = session->runs[0];
	struct digest digest;
	double start = bench_seconds();

	if (!digest_of(results, &results->points[0], 0, &digest) ||
		digest.trials != LAUNCHES * TRIALS)
		bench_fail("the digest lost trials");
	rounds_add(&digest_took, bench_seconds() - start);
}

struct loaded {
	double took_s, peak_mb;
};

/* In the child: loads the session and reports the cost. */
static void load_and_tell(const char *path)
{
	struct error error;
	double start = bench_seconds();
	struct session *session = session_load(path, &error);

	if (!session)
		bench_fail(error.message);
	struct loaded loaded = {
		.took_s = bench_seconds() - start,
		.peak_mb = bench_memory_mb("VmHWM"),
	};
	session_free(session);
	if (write(STDOUT_FILENO, &loaded, sizeof loaded) != sizeof loaded)
		bench_fail("cannot tell what the load cost");
}

/* Executes a new program, so that the peak is that of loading alone. A forked
 * child would begin with the memory of its parent. */
static void load(const char *path)
{
	struct loaded loaded;
	int pipe_fds[2];

	if (pipe(pipe_fds))
		bench_fail("cannot make a pipe");
	pid_t child = fork();
	if (child == 0) {
		dup2(pipe_fds[1], STDOUT_FILENO);
		execl("/proc/self/exe", "bench_session", "load", path,
			(char *)NULL);
		_exit(1);
	}
	close(pipe_fds[1]);
	ssize_t got = read(pipe_fds[0], &loaded, sizeof loaded);
	close(pipe_fds[0]);
	waitpid(child, NULL, 0);
	if (got != sizeof loaded)
		bench_fail("the load failed");
	rounds_add(&load_took, loaded.took_s);
	rounds_add(&load_peak, loaded.peak_mb);
}

static size_t verify(const char *path)
{
	struct error error;
	size_t checked = 0;
	double start = bench_seconds();

	if (session_verify(path, &checked, &error))
		bench_fail(error.message);
	rounds_add(&verify_took, bench_seconds() - start);
	return checked;
}

static void print(const char *path, size_t checked)
{
	struct stat is;
	double bytes = stat(path, &is) ? 0 : (double)is.st_size;

	printf("a session of %d trials in %d launches, %.2f MB, %.2f bytes "
	       "a trial; verify compares %zu numbers\n",
		LAUNCHES * TRIALS, LAUNCHES, bytes / 1e6,
		bytes / LAUNCHES / TRIALS, checked);
	rounds_print(&digest_took, NO_TARGET, 0);
	rounds_print(&write_took, NO_TARGET, 0);
	rounds_print(&save_took, AT_MOST, 1);
	rounds_print(&load_took, AT_MOST, 2);
	rounds_print(&load_peak, AT_MOST, 200);
	rounds_print(&verify_took, NO_TARGET, 0);
}

int main(int argc, char **argv)
{
	const char *folder = getenv("TMPDIR");
	struct text path = { 0 };
	size_t checked = 0;

	if (argc == 3 && !strcmp(argv[1], "load")) {
		load_and_tell(argv[2]);
		return 0;
	}
	text_add(&path, "%s/bench-session-%d.json", folder ? folder : "/tmp",
		(int)getpid());
	struct session *session = session_new();
	session_add_run(session, bench_run(LAUNCHES, TRIALS));
	for (int i = 0; i < ROUNDS; i++) {
		sum_up(session);
		save(session, path.chars);
		load(path.chars);
		checked = verify(path.chars);
	}
	print(path.chars, checked);
	unlink(path.chars);
	session_free(session);
	text_free(&path);
	return 0;
}
