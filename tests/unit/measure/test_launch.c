/* Workers execute the program again: they are small for any lab, and each has
 * addresses of its own. */
#include "facts.h"
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "digest.h"
#include "file.h"
#include "forbid.h"
#include "launch_parcel.h"
#include "parcel.h"
#include "run.h"
#include "tape_folder.h"

enum {
	PAGE_BYTES = 4096,
	BALLAST_BYTES = 64 << 20,
	BALLAST_PAGES = BALLAST_BYTES / PAGE_BYTES,
	FEW_PAGES = 128, /* tolerance between any two workers */
};

struct args {
	const char *where;
	int64_t size;
};

static const struct param params[] = {
	{ .name = "where",
		.label = "where",
		.help = "a text",
		.preset = "here",
		TEXT_FIELD(struct args, where) },
	{ .name = "size",
		.label = "size",
		.help = "a number",
		.preset = "1",
		WHOLE_FIELD(struct args, size),
		.max = 100 },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "pages",
		.label = "pages of its own",
		.unit = UNIT_NONE,
		.kind = METRIC_VALUE },
	{ .name = "address",
		.label = "address of the program, in pages",
		.unit = UNIT_NONE,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};
enum { PAGES, ADDRESS };

/* Resident anonymous pages. */
static long own_pages(void)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	long size, resident, shared;

	if (!statm ||
		fscanf(statm, "%ld %ld %ld", &size, &resident, &shared) != 3)
		return -1;
	fclose(statm);
	return resident - shared;
}

/* The size of this thread's processor set by the C library, which uses its
 * stored thread id. */
static int library_cpus(void)
{
	cpu_set_t set;

	if (pthread_getaffinity_np(pthread_self(), sizeof set, &set))
		return -1;
	return CPU_COUNT(&set);
}

/* The priority of a process for the out-of-memory killer. */
static long oom_adjustment(pid_t pid)
{
	char path[64], typed[16];

	snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)pid);
	assert_int_equal(file_peek(path, typed, sizeof typed), 0);
	return strtol(typed, NULL, 10);
}

/* The number of open descriptors. */
static int descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 100; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;

	probe_note(probe, "oom", "%ld", oom_adjustment(getpid()));

	probe_note(probe, "parent", "%d", (int)getppid());
	probe_note(probe, "cpus", "%d", library_cpus());
	probe_note(probe, "args", "%s %d", args->where, (int)args->size);
	probe_note(probe, "fds", "%d", descriptors());
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	(void)ops;
	probe_value(probe, PAGES, (double)own_pages());
	probe_value(probe, ADDRESS, (double)((uintptr_t)params / PAGE_BYTES));
}

static const struct experiment small = {
	.name = "test.small",
	.title = "Small",
	.question = "How much does a worker inherit?",
	.method = "Its pages are counted.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .trials = 5 },
	.trial = trial,
	.setup = setup,
};

static struct places places;
static struct clock_cache clocks;

/* A run of a few launches. */
static struct results *measured(bool executes)
{
	static struct facts facts;
	struct param_set set;
	struct error error = { 0 };
	struct common common = { .cpu = PARAM_AUTO,
		.launches = 6,
		.trials = PARAM_AUTO,
		.precision = .01,
		.budget_ns = 1000000000,
		.seed = 7 };
	struct run_request request = { .experiment = &small,
		.args = &set,
		.common = &common,
		.facts = &facts,
		.line = "run test.small",
		.places = &places,
		.clocks = &clocks,
		.executes = executes };

	param_set_init(&set, params);
	assert_int_equal(param_set_values(&set, "size", "3,5", &error), 0);
	struct run *run = run_start(&request, &error);
	param_set_free(&set);
	if (!run)
		fail_msg("%s", error.message);
	while (!run_over(run)) {
		struct pollfd ended = { run_descriptor(run), POLLIN, 0 };

		poll(&ended, 1, 100);
		run_step(run);
	}
	assert_int_equal(run_status(run), STATUS_OK);
	struct results *results = run_take(run);
	run_close(run, false);
	assert_int_equal(results->launch_count, 6);
	return results;
}

static double pages_of(bool executes)
{
	struct results *results = measured(executes);
	struct digest digest;

	assert_true(digest_of(results, &results->points[0], PAGES, &digest));
	results_free(results);
	return digest.median_all;
}

static void *take_ballast(void)
{
	char *ballast = mmap(NULL, BALLAST_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(ballast != MAP_FAILED);
	madvise(ballast, BALLAST_BYTES, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < BALLAST_BYTES; i += PAGE_BYTES)
		ballast[i] = 1;
	return ballast;
}

static void what_the_lab_holds_is_not_inherited(void **state)
{
	double before = pages_of(true);
	void *ballast = take_ballast();
	double behind = pages_of(true);
	/* A child that executes nothing would have inherited the memory. */
	double without = pages_of(false);

	munmap(ballast, BALLAST_BYTES);
	assert_true(before > 0);
	assert_true(fabs(behind - before) < FEW_PAGES);
	assert_true(without - before > BALLAST_PAGES - FEW_PAGES);
}

/* The number of addresses that the program had in the launches of a run. */
static int layouts(bool executes)
{
	struct results *results = measured(executes);
	const struct series *series = &results->points[0].series[ADDRESS];
	const double *addresses = series->raw.data;
	int count = 0;

	for (size_t i = 0; i < series->raw.count; i++) {
		size_t before = 0;

		while (addresses[before] != addresses[i])
			before++;
		count += before == i;
	}
	results_free(results);
	return count;
}

static void every_launch_has_addresses_of_its_own(void **state)
{
	char random[8] = "";

	assert_int_equal(layouts(false), 1);
	file_peek("/proc/sys/kernel/randomize_va_space", random,
		sizeof random);
	/* Of 2^28 addresses, two launches may have one. */
	if (random[0] == '2')
		assert_true(layouts(true) >= 5);
}

static void a_worker_is_the_labs_child(void **state)
{
	struct results *results = measured(true);
	const struct point *point = &results->points[0];

	assert_int_equal(strtol(point_note(point, "parent"), NULL, 10),
		getpid());
	/* The worker is pinned, and the C library knows its thread id. */
	assert_string_equal(point_note(point, "cpus"), "1");
	/* The worker has neither the tape nor the job open. */
	assert_string_equal(point_note(point, "fds"), "3");
	results_free(results);
}

static void only_workers_are_taken_before_the_lab(void **state)
{
	struct results *results = measured(true);

	assert_string_equal(point_note(&results->points[0], "oom"), "1000");
	assert_true(oom_adjustment(getpid()) < 1000);
	results_free(results);
}

static void every_point_has_its_arguments(void **state)
{
	struct results *results = measured(true);

	assert_string_equal(point_note(&results->points[0], "args"), "here 3");
	assert_string_equal(point_note(&results->points[1], "args"), "here 5");
	results_free(results);
}

/* In a child, which stays without the system call. */
static int run_forbidden(void)
{
	if (forbid(SYS_execveat, EPERM))
		return 2;
	struct results *results = measured(true);
	int warnings = 0;

	for (size_t i = 0; i < results->warning_count; i++)
		warnings += strstr(results->warnings[i],
				    "cannot be executed again: Operation not "
				    "permitted") != NULL;
	return results->state == RUN_DONE && warnings == 1 ? 0 : 1;
}

static void a_run_works_where_nothing_is_executed(void **state)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(run_forbidden());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* A second argument of the name, as of a user, does nothing. */
static void other_words_make_no_launch(void **state)
{
	char name[] = "benchtop-worker", number[] = "99", own[] = "benchtop";
	char *words[] = { name, number, NULL };
	char *typed[] = { own, name, number, NULL };

	launch_if_worker(1, words);
	launch_if_worker(2, words);
	launch_if_worker(3, typed);
}

/* Any number of points, texts of any length, and no text. */
static void a_job_is_the_same_after_its_way(void **state)
{
	static char longer[100000];
	struct args first = { NULL, 1 }, second = { longer, 2 };
	void *args[] = { &first, &second };
	struct sizing sizings[] = { { .ops = 11 }, { .ops = 12, .trials = 7 } };
	struct schedule schedule = { .points = sizings,
		.count = 2,
		.clones = 3 };
	struct place place = { .cpu = 4 };
	struct clock_facts clock = { .hz = 5 };
	struct tape tape = { .mapped_bytes = 6 };
	struct launch_job job = { .number = 8,
		.seed = 9,
		.experiment = &small,
		.schedule = &schedule,
		.args = args,
		.place = &place,
		.clock = &clock,
		.tape = &tape,
		.packets_fd = -1 };
	struct text block = { 0 };
	struct tape *empty;
	size_t tape_bytes;

	memset(longer, 'x', sizeof longer - 1);
	launch_pack(&job, &block);
	struct parcel parcel = { block.chars, block.chars + block.length };
	struct launch_job *again = launch_unpack(&parcel, &empty, &tape_bytes);
	assert_int_equal(tape_bytes, 6);
	assert_ptr_equal(again->tape, empty);
	assert_int_equal(again->number, 8);
	assert_ptr_equal(again->experiment, &small);
	assert_int_equal(again->schedule->clones, 3);
	assert_memory_equal(again->schedule->points, sizings, sizeof sizings);
	assert_int_equal(again->place->cpu, 4);
	assert_near(again->clock->hz, 5);
	assert_null(((struct args *)again->args[0])->where);
	assert_string_equal(((struct args *)again->args[1])->where, longer);
	assert_ptr_not_equal(((struct args *)again->args[1])->where, longer);
	assert_int_equal(((struct args *)again->args[1])->size, 2);
	text_free(&block);
}

static int open_all(void **state)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	places_read(&places);
	return make_tape_folder(state);
}

static int close_all(void **state)
{
	return remove_tape_folder(state);
}

int main(int count, char **words)
{
	launch_if_worker(count, words);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_lab_holds_is_not_inherited),
		cmocka_unit_test(every_launch_has_addresses_of_its_own),
		cmocka_unit_test(a_worker_is_the_labs_child),
		cmocka_unit_test(only_workers_are_taken_before_the_lab),
		cmocka_unit_test(every_point_has_its_arguments),
		cmocka_unit_test(a_run_works_where_nothing_is_executed),
		cmocka_unit_test(other_words_make_no_launch),
		cmocka_unit_test(a_job_is_the_same_after_its_way),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
