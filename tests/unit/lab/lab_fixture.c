/* A constant lab. */
#include "lab_fixture.h"

#include "memo.h"

struct fixture_args {
	int call;
	int64_t size_bytes;
};

const char *const fixture_calls[] = { "getppid", "getpid", "read",
	NULL };

static const struct param fixture_params[] = {
	{ .name = "call",
		.label = "call",
		.help = "what is asked of the kernel",
		.preset = "getppid",
		CHOICE_FIELD(struct fixture_args, call),
		.choices = fixture_calls },
	{ .name = "size",
		.label = "size",
		.help = "of the buffer",
		.preset = "4K",
		WHOLE_FIELD(struct fixture_args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 1,
		.max = 1 << 20 },
	{ .name = NULL },
};

static const struct metric fixture_metrics[] = {
	{ .name = "time", .label = "time per call", .unit = UNIT_NS },
	{ .name = NULL },
};

void fixture_trial(struct probe *probe, uint64_t ops)
{
	probe_start(probe);
	for (uint64_t i = 0; i < ops; i++)
		__asm__ volatile("" : : "r"(i) : "memory");
	probe_stop(probe, 0, ops);
}

#define FIXTURE_EXPERIMENT(ID, NAME, TITLE) \
	const struct experiment ID = { \
		.name = NAME, \
		.title = TITLE, \
		.question = "What does it cost?", \
		.method = "It is done many times in a loop of nothing else, " \
			  "and timed as a whole.", \
		.params = fixture_params, \
		.args_size = sizeof(struct fixture_args), \
		.metrics = fixture_metrics, \
		.trial = fixture_trial, \
	}

static FIXTURE_EXPERIMENT(fixture_call, "cpu.call", "Procedure call");
FIXTURE_EXPERIMENT(fixture_syscall, "cpu.syscall", "System call");
FIXTURE_EXPERIMENT(fixture_latency, "mem.latency", "Memory latency");

const struct experiment *const fixture_list[] = { &fixture_call,
	&fixture_syscall, &fixture_latency, NULL };

unsigned fixture_noise(unsigned i)
{
	return (i * 2654435761u) >> 16 & 0xff;
}

void fixture_canaries(struct point *point, struct visit *visit)
{
	visit->canary_every = visit->trials;
	visit->canary_first = point->canary.count;
	visit->canary_count = 2;
	for (int i = 0; i < 2; i++)
		*(struct canary *)column_add(&point->canary) =
			(struct canary){ .latency = 440, .throughput = 440 };
}

/* Flags of a trial: some have a co-runner, and a few were preempted; `more` is
 * the additional ticks. */
static unsigned fixture_flags(unsigned noise, unsigned *more)
{
	*more = 0;
	if (noise <= 220)
		return 0;
	*more = noise > 252 ? 900 : 80;
	return noise > 252 ? FLAG_PREEMPTED : FLAG_SHARED;
}

/* Ten launches of sixty trials around `ticks`, most of them on an unshared
 * core. */
static void fixture_fill(struct results *results, struct point *point,
	unsigned ticks)
{
	for (unsigned launch = 0; launch < 10; launch++) {
		struct visit *visit = point_add_visit(results, point);
		struct series *series = &point->series[0];
		struct slice *slice = &series->slices[launch];

		visit->launch = launch;
		visit->trials = 60;
		fixture_canaries(point, visit);
		series->ops = 10;
		for (unsigned i = 0; i < 60; i++) {
			unsigned noise = fixture_noise(launch * 60 + i), more;
			unsigned flags = fixture_flags(noise, &more);

			*(uint64_t *)column_add(&series->raw) = ticks +
				noise % 64 + noise % 32 +
				fixture_noise(launch) % 16 * 2 + more;
			*(uint16_t *)column_add(&series->flags) =
				(uint16_t)flags;
			slice->count++;
		}
	}
}

struct results *fixture_results(const struct experiment *experiment,
	const char *const *calls, size_t count)
{
	struct results *results = results_new(experiment->name);

	results_describe(results, experiment);
	results->state = RUN_DONE;
	results->took_s = 1.25;
	results->place.cpu = 3;
	results->clock.hz = 2e9;
	results->clock.quantum = 2;
	results->clock.canary_alone = 1;
	results->sharing = (struct sharing){ 1.26, 1, 1.6 };
	results->stopped.reason = STOP_PRECISION;
	snprintf(results->started, sizeof results->started,
		"2026-11-20T10:00:00+0100");
	results->plan.launches = PARAM_AUTO;
	results->plan.trials = PARAM_AUTO;
	results->plan.precision = .01;
	results->plan.budget_ns = 10000000000;
	results->plan.clones = 1;
	for (unsigned i = 0; i < 10; i++)
		*results_add_launch(results) = (struct launch){
			.number = i + 1,
			.at_s = 0.05 + 0.12 * i,
			.overhead = 40,
			.complete = true,
		};
	for (size_t i = 0; i < count; i++) {
		struct point *point = results_add_point(results);

		point->values[0] = xstrdup(calls[i]);
		point->values[1] = xstrdup("4K");
		fixture_fill(results, point, 1800 + 900 * (unsigned)i);
	}
	results->prediction.hardware = (struct range){ 30, 60 };
	results->prediction.software = (struct range){ 40, 90 };
	prediction_sum(&results->prediction);
	results->prediction.by = BY_USER;
	return results;
}

void fixture_processors(struct lab *lab)
{
	CPU_ZERO(&lab->places.allowed);
	for (int cpu = 0; cpu < 8; cpu++)
		CPU_SET(cpu, &lab->places.allowed);
}

void fixture_measure(struct lab *lab)
{
	static const char *const one[] = { "getppid" };
	static const char *const three[] = { "getppid", "getpid", "read" };

	session_add_run(lab->session,
		fixture_results(&fixture_syscall, one, 1));
	session_add_run(lab->session,
		fixture_results(&fixture_latency, three, 3));
	/* As the lab does for a session that it loads. */
	for (size_t i = 0; i < lab->session->run_count; i++)
		memo_begin(lab->session->runs[i]);
}
