/* A flood of connections from one address of loopback. */
#include "flood.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#include "quantile.h"
#include "serving.h"

enum { HELD = 1000, PAUSE_US = 200000, FAST_MS = 1000 };

static double now_s(void)
{
	return (double)tick_raw_ns() * 1e-9;
}

/* Until `stop` is closed; then reports the rate. */
static _Noreturn void open_many(int stop, int report)
{
	static int held[HELD];
	double began_s = now_s();
	uint64_t opened = 0;
	struct pollfd ended = { .fd = stop, .events = POLLIN };

	while (poll(&ended, 1, 1) == 0) {
		double due = (now_s() - began_s) * FLOOD_PER_S;

		while ((double)opened < due) {
			int *place = &held[opened++ % HELD];

			if (*place)
				close(*place);
			*place = connect_from(FLOODER, SOCK_STREAM,
				test_port());
		}
	}
	double rate = (double)opened / (now_s() - began_s);
	_exit(write(report, &rate, sizeof rate) != sizeof rate);
}

static void begin(struct flood *flood)
{
	int stop[2], report[2];

	*flood = (struct flood){ .pid = 0 };
	assert_int_equal(pipe(stop) || pipe(report), 0);
	flood->pid = fork();
	assert_true(flood->pid >= 0);
	if (!flood->pid) {
		close(stop[1]);
		open_many(stop[0], report[1]);
	}
	close(stop[0]);
	close(report[1]);
	flood->stop = stop[1];
	flood->report = report[0];
}

static void end(struct flood *flood)
{
	close(flood->stop);
	assert_int_equal(read(flood->report, &flood->rate_per_s,
				 sizeof flood->rate_per_s),
		sizeof flood->rate_per_s);
	waitpid(flood->pid, NULL, 0);
	close(flood->report);
}

/* Returns the time of a greeting; INFINITY: it failed. */
static double greet_ms(struct flood *flood)
{
	double began_s = now_s();
	enum wire_refusal refusal;
	struct far far = { 0 };
	char why[512];

	wire_init(&far.wire, connect_to(SOCK_STREAM, test_port()));
	int failed = far_greet(&far, &refusal, why, sizeof why);
	if (failed) {
		print_error("refused: %s\n", why);
		flood->refused++;
	}
	close(far.wire.fd);
	return failed ? INFINITY : (now_s() - began_s) * 1e3;
}

void flood(struct flood *flood)
{
	begin(flood);
	await_log("too many are waiting");
	for (int i = 0; i < FLOOD_GREETINGS; i++) {
		usleep(PAUSE_US);
		flood->ms[i] = greet_ms(flood);
	}
	end(flood);
	values_sort(flood->ms, FLOOD_GREETINGS);
}

int flood_fast(const struct flood *flood)
{
	int fast = 0;

	for (int i = 0; i < FLOOD_GREETINGS; i++)
		fast += flood->ms[i] < FAST_MS;
	return fast;
}

void flood_permit(void)
{
	struct rlimit files;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}
