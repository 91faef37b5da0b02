/* From a worker to the figures: a writer publishes trials and canaries as fast
 * as it can, and this process feeds them to the results and summarises them, as
 * in a run. Every sample written must arrive. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "digest.h"
#include "feed.h"
#include "tape.h"

enum {
	LAUNCHES = 20,
	TRIALS = 100000, /* of a launch */
	CANARY_EVERY = 2,
	CANARIES = TRIALS / CANARY_EVERY,
	/* Begin, visit, two overheads, end. */
	AROUND = 5,
	SAMPLES = LAUNCHES * (TRIALS + CANARIES + AROUND),
	OPS = 50,
	OVERHEAD = 38,
	POLL_NS = 1000000,
};

static struct rounds put_rate = {
	.what = "writer alone",
	.unit = "samples/s",
};
static struct rounds feed_rate = {
	.what = "to the results",
	.unit = "samples/s",
};
static struct rounds digest_rate = {
	.what = "to the statistics",
	.unit = "samples/s",
};
static struct rounds memory = {
	.what = "results in memory",
	.unit = "B/sample",
};

static uint64_t ticks_of(unsigned launch, unsigned trial)
{
	return 13000 + (trial * 2654435761u + launch) % 500;
}

static void put_overhead(struct tape *tape, uint32_t after)
{
	struct sample sample = {
		.kind = SAMPLE_OVERHEAD,
		.n = after,
		.value = OVERHEAD,
	};

	tape_put(tape, &sample);
}

static void put_canary(struct tape *tape, unsigned i)
{
	struct sample sample = {
		.kind = SAMPLE_CANARY,
		.ticks = 1200 + i % 8,
		.extra = 1200,
	};

	tape_put(tape, &sample);
}

static void put_trial(struct tape *tape, unsigned launch, unsigned i)
{
	struct sample sample = {
		.kind = SAMPLE_TRIAL,
		.n = OPS,
		.at = i,
		.ticks = ticks_of(launch, i),
	};

	tape_put(tape, &sample);
}

static void put_launch(struct tape *tape, unsigned launch)
{
	struct sample begin = { .kind = SAMPLE_LAUNCH, .n = launch + 1 };
	struct sample visit = { .kind = SAMPLE_VISIT, .extra = CANARY_EVERY };
	struct sample end = { .kind = SAMPLE_END, .n = launch + 1 };

	tape_put(tape, &begin);
	put_overhead(tape, 0);
	tape_put(tape, &visit);
	for (unsigned i = 0; i < TRIALS; i++) {
		if (i % CANARY_EVERY == 0)
			put_canary(tape, i);
		put_trial(tape, launch, i);
	}
	put_overhead(tape, 1);
	tape_put(tape, &end);
}

static void write_all(struct tape *tape)
{
	for (unsigned launch = 0; launch < LAUNCHES; launch++)
		put_launch(tape, launch);
}

static void open_tape(struct tape *tape)
{
	struct error error;

	if (tape_create(tape, SAMPLES, &error))
		bench_fail(error.message);
}

static struct results *empty_results(void)
{
	struct results *results = results_new("bench.tape");

	results_add_metric(results, "time", "time", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results->clock.hz = 2.7e9;
	results->clock.core_hz = 3e9;
	results->clock.canary_cycles = 1200;
	results->clock.canary_alone = 1;
	results->clock.cycles_trusted = true;
	results_add_point(results);
	return results;
}

/* Like run_step(): feeds new samples, then sleeps. */
static void read_all(struct tape *tape, struct feed *feed, pid_t writer)
{
	static const struct timespec rest = { .tv_nsec = POLL_NS };
	uint64_t fed = 0;
	bool over = false;

	while (!over) {
		over = waitpid(writer, NULL, WNOHANG) == writer;
		uint64_t length = tape_length(tape);

		feed_samples(feed, tape->samples + fed, length - fed);
		if (length == fed && !over)
			nanosleep(&rest, NULL);
		fed = length;
	}
	feed_end(feed);
}

static void check(const struct tape *tape, const struct results *results,
	const struct digest *digest)
{
	const struct point *point = &results->points[0];
	const uint64_t *ticks = point->series[0].raw.data;

	if (tape_length(tape) != SAMPLES || tape->header->full)
		bench_fail("the tape is not as long as what was written");
	if (results->error)
		bench_fail(results->error);
	if (results->launch_count != LAUNCHES ||
		point->series[0].raw.count != LAUNCHES * TRIALS ||
		point->canary.count != LAUNCHES * CANARIES ||
		digest->trials != LAUNCHES * TRIALS)
		bench_fail("samples were lost");
	for (unsigned l = 0; l < LAUNCHES; l++)
		for (unsigned i = 0; i < TRIALS; i++)
			if (*ticks++ != ticks_of(l, i))
				bench_fail("a sample is not what was written");
}

static void write_alone(void)
{
	struct tape tape;

	open_tape(&tape);
	double start = bench_seconds();
	write_all(&tape);
	rounds_add(&put_rate, SAMPLES / (bench_seconds() - start));
	tape_close(&tape, false);
}

static void write_and_read(void)
{
	struct tape tape;
	struct feed feed;
	struct digest digest;

	open_tape(&tape);
	struct results *results = empty_results();
	feed_init(&feed, results);
	double before_mb = bench_memory_mb("RssAnon");
	double start = bench_seconds();
	pid_t writer = fork();
	if (writer < 0)
		bench_fail("cannot fork");
	if (writer == 0) {
		write_all(&tape);
		_exit(0);
	}
	read_all(&tape, &feed, writer);
	rounds_add(&feed_rate, SAMPLES / (bench_seconds() - start));
	double held_mb = bench_memory_mb("RssAnon") - before_mb;
	rounds_add(&memory, held_mb * 1e6 / SAMPLES);
	if (!digest_of(results, &results->points[0], 0, &digest))
		bench_fail("there is nothing to sum up");
	rounds_add(&digest_rate, SAMPLES / (bench_seconds() - start));
	check(&tape, results, &digest);
	feed_release(&feed);
	results_free(results);
	tape_close(&tape, false);
}

int main(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		write_alone();
		write_and_read();
	}
	printf("%d samples (%d trials, %d canaries, %d launches): every one "
	       "arrived, in %d rounds\n",
		SAMPLES, LAUNCHES * TRIALS, LAUNCHES * CANARIES, LAUNCHES,
		ROUNDS);
	printf("%-26s %9zu %s\n", "a sample on the tape", sizeof(struct sample),
		"B");
	rounds_print(&memory, NO_TARGET, 0);
	rounds_print(&put_rate, NO_TARGET, 0);
	rounds_print(&feed_rate, NO_TARGET, 0);
	rounds_print(&digest_rate, AT_LEAST, 1e6);
	return 0;
}
