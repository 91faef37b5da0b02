/* Runs whose file has figures, but no trials: the figures that come back, and
 * the size of the file. */
#include <math.h>
#include <stddef.h>
#include <sys/stat.h>

#include "digest.h"
#include "made_runs.h"
#include "sample_session.h"
#include "session_folder.h"

/* ---- figures ---------------------------------------------------------- */

#define AT(member) offsetof(struct digest, member)
#define RANGE(member) AT(member.low), AT(member.high)
#define REGIME(regime) \
	AT(by_regime[regime].median), RANGE(by_regime[regime].interval)
#define STEP(i) AT(steps[i].hz), AT(steps[i].share), AT(steps[i].median)
static const size_t numbers[] = { AT(headline), AT(summary.median),
	RANGE(summary.interval), AT(summary.min), AT(summary.mean),
	AT(summary.max), AT(summary.sd_within), AT(summary.sd_between),
	AT(summary.max_deviation), AT(summary.icc), AT(excluded), AT(shared),
	AT(frequency), REGIME(REGIME_POOLED), REGIME(REGIME_ALONE),
	REGIME(REGIME_SHARED), AT(slowdown.factor), RANGE(slowdown.interval),
	AT(median_all), AT(floor), AT(layout), AT(cycles.median),
	RANGE(cycles.interval), AT(cycles.min), AT(cycles.mean), STEP(0),
	STEP(1) };
#undef REGIME
#undef STEP

/* Equal to five digits: a unit of the fifth is at most 1e-4. */
static void assert_five_digits(double whole, double rounded)
{
	if (isnan(whole) ? !isnan(rounded) :
			   !(fabs(rounded - whole) <= 5.001e-5 * fabs(whole)))
		fail_msg("%.17g became %.17g", whole, rounded);
}

static double number_at(const struct digest *digest, size_t at)
{
	return *(const double *)((const char *)digest + at);
}

/* Ranges that do not exist may have any ends. */
static void clear_absent(struct digest *digest)
{
	const struct interval none = { .low = NAN, .high = NAN };

	if (!digest->summary.has_interval)
		digest->summary.interval = none;
	if (!digest->cycles.has_interval)
		digest->cycles.interval = none;
	if (!digest->slowdown.has_interval)
		digest->slowdown.interval = (struct range){ NAN, NAN };
	for (int r = 0; r < REGIMES; r++)
		if (!digest->by_regime[r].has_interval)
			digest->by_regime[r].interval = none;
	if (!digest->has_cycles)
		digest->cycles.median = digest->cycles.min =
			digest->cycles.mean = NAN;
}

static void assert_same_digest(struct digest *a, struct digest *b)
{
	clear_absent(a);
	clear_absent(b);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		assert_five_digits(number_at(a, numbers[i]),
			number_at(b, numbers[i]));
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		assert_five_digits(a->summary.quantile[i],
			b->summary.quantile[i]);
	assert_int_equal(a->trials, b->trials);
	assert_memory_equal(a->by_flag, b->by_flag, sizeof a->by_flag);
	assert_int_equal(a->summary.launches, b->summary.launches);
	assert_int_equal(a->summary.trials, b->summary.trials);
	for (int r = 0; r < REGIMES; r++) {
		assert_int_equal(a->by_regime[r].trials,
			b->by_regime[r].trials);
		assert_int_equal(a->by_regime[r].launches,
			b->by_regime[r].launches);
	}
	assert_int_equal(a->slowdown.launches, b->slowdown.launches);
	assert_int_equal(a->quality, b->quality);
	assert_int_equal(a->regime, b->regime);
	assert_int_equal(a->by_cycles, b->by_cycles);
	assert_int_equal(a->crowded, b->crowded);
	assert_int_equal(a->unsteady, b->unsteady);
	assert_int_equal(a->below_resolution, b->below_resolution);
	assert_int_equal(a->stepped, b->stepped);
	assert_int_equal(a->ops, b->ops);
}

static void assert_same_medians(const struct results *with,
	const struct results *without, size_t point, unsigned metric)
{
	double *a, *b;
	size_t n = results_launch_medians(with, &with->points[point], metric,
		SCALE_UNIT, &a, NULL);

	assert_int_equal(results_launch_medians(without,
				 &without->points[point], metric, SCALE_UNIT,
				 &b, NULL),
		n);
	for (size_t i = 0; i < n; i++)
		assert_five_digits(a[i], b[i]);
	free(a);
	free(b);
}

/* Returns the number of figures. */
static size_t assert_same_figures(const struct results *with,
	const struct results *without)
{
	size_t figures = 0;

	for (size_t p = 0; p < with->point_count; p++)
		for (unsigned m = 0; m < with->metric_count; m++) {
			struct digest a, b;
			bool exists = digest_of(with, &with->points[p], m, &a);

			if (with->metrics[m].kind == METRIC_TRACE)
				continue;
			assert_int_equal(exists,
				digest_of(without, &without->points[p], m,
					&b));
			if (!exists || a.published)
				continue;
			assert_same_digest(&a, &b);
			assert_same_medians(with, without, p, m);
			figures++;
		}
	return figures;
}

/* Saves and reads each run; again, the bytes are the same. */
static void assert_round_trip(struct session *session)
{
	size_t figures = 0;

	for (size_t i = 0; i < session->run_count; i++)
		session->runs[i]->figures_only = true;
	struct text first = written(session);
	struct session *read = read_text(&first);
	struct text second = written(read);
	assert_string_equal(first.chars, second.chars);
	assert_int_equal(read->run_count, session->run_count);
	for (size_t i = 0; i < session->run_count; i++)
		figures += assert_same_figures(session->runs[i],
			read->runs[i]);
	assert_true(figures > 0);
	text_free(&first);
	text_free(&second);
	session_free(read);
	session_free(session);
}

/* ---- a run like that of mem.latency ----------------------------------- */

enum { POINTS = 146, LAUNCHES = 12, TRIALS = 60, MOST_BYTES = 50000 };

static double noise(uint64_t *random)
{
	return (double)(sample_random(random) % 100000) / 100000;
}

/* A launch beside a co-runner in one of four, and one core frequency of two. */
static void add_visit(struct results *run, struct point *point, unsigned launch,
	double time, uint64_t *random)
{
	bool shared = sample_random(random) % 4 == 0;
	double pace = sample_random(random) % 2 ? 1 : 1.07;
	struct series *series = &point->series[0];
	struct visit *visit = point_add_visit(run, point);

	*visit = (struct visit){ .launch = launch,
		.trials = TRIALS,
		.warmup = (unsigned)(sample_random(random) % 5),
		.canary_every = 1,
		.canary_first = point->canary.count,
		.ruler_first = point->ruler.count,
		.canary_count = TRIALS,
		.ruler_count = 1 };
	*(struct ruler_reading *)column_add(&point->ruler) =
		(struct ruler_reading){ 0,
			(uint32_t)(9000 * (1 + noise(random))) };
	for (unsigned i = 0; i < TRIALS; i++) {
		double ticks = time * pace * (shared ? 1.4 : 1) *
			(1 + noise(random) * noise(random));
		uint32_t latency =
			(uint32_t)(300 * pace * (1 + .01 * noise(random)));

		*(uint64_t *)column_add(&series->raw) = (uint64_t)ticks;
		*(uint16_t *)column_add(&series->flags) =
			i < visit->warmup                ? FLAG_WARMUP :
			sample_random(random) % 20 == 0 ? FLAG_PREEMPTED :
			shared                          ? FLAG_SHARED :
							  0;
		series->slices[point->visit_count - 1].count++;
		*(struct canary *)column_add(&point->canary) = (struct canary){
			latency, shared ? latency * 3 / 2 : latency };
	}
}

static struct session *made_noisy(void)
{
	struct results *run = made_run("mem.made", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);
	uint64_t random = 2;

	for (unsigned i = 0; i < LAUNCHES; i++)
		*results_add_launch(run) = (struct launch){ .number = i + 1,
			.seed = sample_random(&random),
			.at_s = noise(&random),
			.overhead = 38 + noise(&random),
			.jitter = 4 * noise(&random),
			.canary = 300,
			.complete = true };
	for (unsigned p = 0; p < POINTS; p++) {
		char size[20];

		snprintf(size, sizeof size, "%uK", p + 1);
		struct point *point = made_sized(run, size);
		point->series[0].ops = 100 + sample_random(&random) % 9000;
		double time = 2000 * (1 + 9 * noise(&random));
		for (unsigned i = 0; i < LAUNCHES; i++)
			add_visit(run, point, i, time, &random);
	}
	return made_session(run);
}

/* ---- tests ------------------------------------------------------------ */

static void test_figures_come_back(void **state)
{
	assert_round_trip(sample_session());
	assert_round_trip(made_noisy());
}

/* The reason of a verdict too: other tasks on the processors of threads. */
static void test_other_tasks_come_back(void **state)
{
	struct session *session = made_noisy();
	struct results *run = session->runs[0];
	size_t crowded = 0;

	run->place.others = .46;
	for (size_t p = 0; p < run->point_count; p++) {
		struct digest digest;

		assert_true(digest_of(run, &run->points[p], 0, &digest));
		crowded += digest.crowded;
	}
	assert_true(crowded > 0);
	assert_round_trip(session);
}

/* Of the default runs only mem.mountain has both more points and noise. */
static void test_compressed_size(void **state)
{
	struct session *session = made_noisy();
	struct text command = { 0 };
	struct error error;
	struct stat is;

	session->runs[0]->figures_only = true;
	const char *path = in_folder("noisy.json");
	assert_int_equal(session_save_copy(session, path, &error), 0);
	text_add(&command, "gzip '%s' && mv '%s.gz' '%s'", path, path, path);
	assert_int_equal(system(command.chars), 0);
	assert_int_equal(stat(path, &is), 0);
	print_message("%zu figures: %lld bytes\n", (size_t)POINTS,
		(long long)is.st_size);
	assert_in_range(is.st_size, 10000, MOST_BYTES);
	text_free(&command);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures_come_back),
		cmocka_unit_test(test_other_tasks_come_back),
		cmocka_unit_test(test_compressed_size),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
