/* Plain text with -v: the core's frequency, and all metrics of a sweep. */
#include "made_results.h"
#include "print.h"
#include "sharing.h"

enum { POINTS = 3 };

/* Two canaries around all trials of each launch, with this number of cycles per
 * tick. */
static void add_canaries(struct results *results, size_t at, double cycles)
{
	struct point *point = &results->points[at];

	for (size_t v = 0; v < point->visit_count; v++) {
		struct visit *visit = &point->visits[v];

		visit->canary_every = visit->trials;
		visit->canary_first = point->canary.count;
		visit->canary_count = 2;
		for (int i = 0; i < 2; i++) {
			struct canary *canary = column_add(&point->canary);

			canary->latency = 40 + (uint32_t)lround(600 / cycles);
			canary->throughput = canary->latency;
		}
	}
	sharing_recall(results);
}

/* 100 ns at the clock's 2 GHz, at 1.99 GHz and at 1.5 GHz. */
static struct results *made(bool rate)
{
	static const char *const names[] = { "kernel" };
	static const char *const kernels[POINTS] = { "sse", "avx", "avx512" };
	static const double cycles[POINTS] = { 2, 600 / 302., 1.5 };
	struct results *results = made_results(names, 1);

	for (size_t i = 0; i < POINTS; i++) {
		made_point(results, &kernels[i]);
		made_trials(results, i, 20, 100, 0);
		add_canaries(results, i, cycles[i]);
	}
	results->metrics[0].rate = rate;
	return results;
}

static char *printed(const struct results *results)
{
	struct text text = { 0 };

	print_figures(results, &text);
	return text_take(&text);
}

/* A copy of the line with this beginning. */
static char *line_of(const char *text, const char *start)
{
	const char *at = strstr(text, start);

	assert_non_null(at);
	return xstrndup(at, strcspn(at, "\n"));
}

static void assert_line(const char *text, const char *start, const char *piece,
	bool there)
{
	char *line = line_of(text, start);

	assert_true((strstr(line, piece) != NULL) == there);
	free(line);
}

static void a_row_names_another_frequency(void **state)
{
	for (int rate = 0; rate < 2; rate++) {
		struct results *results = made(rate);
		char *text = printed(results);

		assert_line(text, "  kernel=sse ", " at ", false);
		assert_line(text, "  kernel=avx ", " at ", false);
		assert_line(text, "  kernel=avx512 ", " at 1.500 GHz", true);
		assert_line(text, "  kernel=avx512 ", "150.0 cyc ", !rate);
		assert_line(text, "  at: ", "2 % off the calibration's 2.000 GHz", true);
		free(text);
		results_free(results);
	}
}

static void nothing_is_said_where_none_differs(void **state)
{
	struct results *results = made(false);
	char *text;

	results->points[2].canary.count = 0;
	add_canaries(results, 2, 2);
	text = printed(results);
	assert_null(strstr(text, " at "));
	assert_null(strstr(text, "at:"));
	free(text);
	results_free(results);
}

static void a_figure_says_it_beside_its_cycles(void **state)
{
	static const char *const says[] = { "   150.0 cyc at 1.500 GHz",
		"   at 1.500 GHz" };
	for (int rate = 0; rate < 2; rate++) {
		struct results *results = made(rate);
		struct point last = results->points[2];

		results->points[2] = results->points[0];
		results->points[0] = last;
		results->point_count = 1;
		char *all = printed(results);
		char *line = line_of(all, "  time ");
		size_t length = strlen(line), end = strlen(says[rate]);

		assert_true(length > end);
		assert_string_equal(line + length - end, says[rate]);
		free(line);
		free(all);
		results->point_count = POINTS;
		results_free(results);
	}
}

/* -v has every metric of a sweep, at the points that have it. */
static void a_sweep_has_all_metrics(void **state)
{
	static const char *const names[] = { "size" };
	static const char *const sizes[] = { "1K", "2K" };
	struct results *results = made_results(names, 1);

	results_add_metric(results, "bandwidth", "bytes moved",
		UNIT_BYTES_PER_S, MORE_IS_BETTER, METRIC_VALUE, false);
	for (size_t i = 0; i < 2; i++) {
		made_point(results, &sizes[i]);
		made_trials(results, i, 20, 100, 0);
	}
	new_value(results, 1, 1, 4e9);
	char *text = printed(results);
	char *also = strstr(text, "bytes moved\n");
	assert_non_null(also);
	assert_null(strstr(also, "size=1K"));
	assert_line(also, "  size=2K ", " 4.000 GB/s ", true);
	free(text);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_names_another_frequency),
		cmocka_unit_test(nothing_is_said_where_none_differs),
		cmocka_unit_test(a_figure_says_it_beside_its_cycles),
		cmocka_unit_test(a_sweep_has_all_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
