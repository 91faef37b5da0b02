/* How long a session of a million trials takes to save and to load, and what
 * it costs in memory: bench_session [FOLDER]. */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	LAUNCHES = 10,
	TRIALS = 100000, /* of a launch */
	CANARY_EVERY = 2,
	FLAGGED_EVERY = 20,
};

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void fail(const struct error *error)
{
	fprintf(stderr, "bench_session: %s\n", error->message);
	exit(1);
}

static uint64_t random_below(uint64_t limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % limit;
}

static void add_trial(struct point *point, size_t v, unsigned i)
{
	struct series *series = &point->series[0];

	if (i % CANARY_EVERY == 0) {
		struct canary *canary = column_add(&point->canary);

		canary->latency = (uint32_t)(1200 + random_below(8));
		point->visits[v].canary_count++;
	}
	*(uint64_t *)column_add(&series->raw) = 13000 + random_below(500);
	*(uint16_t *)column_add(&series->flags) =
		i % FLAGGED_EVERY ? 0 : FLAG_PREEMPTED;
	series->slices[v].count++;
}

static struct session *make_session(void)
{
	struct session *session = session_new();
	struct results *results = results_new("bench.session");

	results_add_metric(results, "time", "time", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results->clock.hz = 2.7e9;
	results->clock.core_hz = 3e9;
	results->clock.canary_cycles = 1200;
	results->clock.cycles_trusted = true;
	struct point *point = results_add_point(results);
	point->series[0].ops = 50;
	for (unsigned l = 0; l < LAUNCHES; l++) {
		results_add_launch(results)->overhead = 38;
		struct visit *visit = point_add_visit(results, point);
		visit->launch = l;
		visit->trials = TRIALS;
		visit->canary_every = CANARY_EVERY;
		for (unsigned i = 0; i < TRIALS; i++)
			add_trial(point, l, i);
	}
	session_add_run(session, results);
	return session;
}

static double peak_mib(void)
{
	char line[200];
	double kib = 0;
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof line, status))
		if (!strncmp(line, "VmHWM:", 6))
			kib = strtod(line + 6, NULL);
	if (status)
		fclose(status);
	return kib / 1024;
}

/* Runs in a fresh process, so that the peak is that of the load. */
static int load(const char *path)
{
	struct error error;
	double before_mib = peak_mib(), start = seconds_now();
	struct session *session = session_load(path, &error);

	if (!session)
		fail(&error);
	double took = seconds_now() - start, mib = peak_mib();
	printf("load   %.3f s, peak %.1f MiB, %.0f bytes a trial\n", took, mib,
		(mib - before_mib) * 1048576 / LAUNCHES / TRIALS);
	session_free(session);
	return 0;
}

static void run_load(const char *self, const char *path)
{
	fflush(stdout);
	pid_t child = fork();

	if (child == 0) {
		execl("/proc/self/exe", self, "load", path, (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	struct error error;
	struct text path = { 0 }, text = { 0 };
	struct stat is;

	if (argc == 3 && !strcmp(argv[1], "load"))
		return load(argv[2]);
	text_add(&path, "%s/bench-session-%d.json",
		argc == 2 ? argv[1] : "/tmp", (int)getpid());
	struct session *session = make_session();
	double start = seconds_now();
	session_write(session, &text);
	printf("write  %.3f s, in memory\n", seconds_now() - start);
	text_free(&text);
	start = seconds_now();
	if (session_save(session, path.chars, false, &error))
		fail(&error);
	printf("save   %.3f s, synced\n", seconds_now() - start);
	session_free(session);
	stat(path.chars, &is);
	printf("file   %.1f MiB, %.2f bytes a trial\n",
		(double)is.st_size / 1048576,
		(double)is.st_size / LAUNCHES / TRIALS);
	run_load(argv[0], path.chars);
	size_t checked = 0;
	start = seconds_now();
	if (session_verify(path.chars, &checked, &error))
		fail(&error);
	printf("verify %.3f s, %zu numbers\n", seconds_now() - start, checked);
	unlink(path.chars);
	text_free(&path);
	return 0;
}
