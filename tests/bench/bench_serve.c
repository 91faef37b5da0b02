/* serve under a flood: one address opens 1 600 connections a second, and a
 * client at another address greets 55 times. Each greeting should succeed
 * within a second. Prints the size of the log, too; ten minutes of abuse may
 * write 1 MB. */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/resource.h>

#include "bench.h"
#include "net/serving.h"
#include "quantile.h"

enum { FLOOD_PER_S = 1600, HELD = 1000, GREETINGS = 55, PAUSE_US = 200000 };
#define FLOODER "127.0.0.2"

static int stop[2];

/* Opens connections at the rate until `stop` is closed, holds the last ones
 * open, and reports how many it opened. */
static _Noreturn void flood(int report)
{
	static int held[HELD];
	double began = bench_seconds();
	uint64_t opened = 0;
	struct pollfd ended = { .fd = stop[0], .events = POLLIN };

	while (poll(&ended, 1, 1) == 0) {
		double due = (bench_seconds() - began) * FLOOD_PER_S;

		while ((double)opened < due) {
			int *place = &held[opened++ % HELD];

			if (*place)
				close(*place);
			*place = connect_from(FLOODER, SOCK_STREAM,
				test_port());
		}
	}
	double rate = (double)opened / (bench_seconds() - began);
	_exit(write(report, &rate, sizeof rate) != sizeof rate);
}

/* Returns the time of a greeting in ms; INFINITY: it failed. */
static double greet_ms(void)
{
	double began = bench_seconds();
	enum wire_refusal refusal;
	struct far far = { 0 };
	char why[512];

	wire_init(&far.wire, connect_to(SOCK_STREAM, test_port()));
	int failed = far_greet(&far, &refusal, why, sizeof why);
	if (failed)
		printf("refused: %s\n", why);
	close(far.wire.fd);
	return failed ? INFINITY : (bench_seconds() - began) * 1e3;
}

static void test_flood(void **state)
{
	double ms[GREETINGS], began = bench_seconds(), rate;
	int report[2], good = 0;

	assert_int_equal(pipe(stop) || pipe(report), 0);
	pid_t flooder = fork();
	if (!flooder) {
		close(stop[1]);
		flood(report[1]);
	}
	await_log("too many are waiting");
	for (int i = 0; i < GREETINGS; i++) {
		usleep(PAUSE_US);
		ms[i] = greet_ms();
		good += ms[i] < 1000;
	}
	double lasted_s = bench_seconds() - began;
	close(stop[1]);
	if (read(report[0], &rate, sizeof rate) != sizeof rate)
		bench_fail("the flood failed");
	waitpid(flooder, NULL, 0);
	char *log = read_log();
	values_sort(ms, GREETINGS);
	printf("flood of %.0f connections/s for %.1f s: %d of %d greetings "
	       "within 1 s, median %.3g ms, slowest %.3g ms; log %.3g kB\n",
		rate, lasted_s, good, GREETINGS,
		quantile_sorted(ms, GREETINGS, .5), ms[GREETINGS - 1],
		(double)strlen(log) / 1e3);
	free(log);
	close(report[0]);
}

int main(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_flood) };
	struct rlimit files;

	signal(SIGPIPE, SIG_IGN);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	return cmocka_run_group_tests(all, serving_begin, serving_end);
}
