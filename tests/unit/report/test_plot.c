/* Pictures: well-formed, within their frame, and as high as their contents. */
#include "bins.h"
#include "plot.h"

#include "unit/report/made_results.h"
#include "unit/report/markup.h"

static const char *const one[] = { "size" };
static const char *const two[] = { "size", "stride" };
static const char hostile[] = "a<b>&\"c\" </svg><script>";

static const struct param rows[] = {
	{ .name = "size",
		.label = hostile,
		.unit = UNIT_BYTES,
		.type = PARAM_WHOLE },
	{ .name = "stride",
		.label = "stride",
		.unit = UNIT_BYTES,
		.type = PARAM_WHOLE },
	{ .name = NULL },
};
static const struct experiment experiment = { .name = "group.name",
	.params = rows };

static bool ours(const char *element, const char *attribute)
{
	static const char *const elements[] = { "svg", "title", "rect", "path",
		"circle", "text" };
	bool known = false;

	for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
		known |= !strcmp(element, elements[i]);
	return known &&
		(!attribute ||
			(strncmp(attribute, "on", 2) != 0 &&
				strcmp(attribute, "href") != 0));
}

/* The values of an attribute, one for each element with this beginning. */
static size_t numbers_of(const char *svg, const char *element,
	const char *attribute, const char *with, double *values, size_t most)
{
	size_t count = 0;

	for (const char *at = strstr(svg, element); at;
		at = strstr(at + 1, element)) {
		const char *end = strchr(at, '>');
		const char *found = strstr(at, attribute);
		const char *is = strstr(at, with);

		if (found && found < end && is && is < end && count < most)
			values[count++] =
				strtod(found + strlen(attribute), NULL);
	}
	return count;
}

static void assert_within_picture(const char *svg)
{
	double width = strtod(strstr(svg, "viewBox=\"0 0 ") + 13, NULL);
	double x[512];
	size_t count = numbers_of(svg, "<text", "x=\"", "", x, 512);

	assert_near(width, 720);
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++)
		assert_true(x[i] >= 0 && x[i] <= width);
}

/* 60 % of the trials at 100 ns, 30 % at 120, and 10 % excluded at 120. The
 * heights of the blue and amber bars agree. */
static void test_histogram(void **state)
{
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };
	double blue[64], amber[64];
	const char *values[] = { "4K" };

	made_point(results, values);
	made_trials(results, 0, 60, 100, 0);
	made_trials(results, 0, 30, 120, 0);
	made_trials(results, 0, 10, 120, FLAG_PREEMPTED);
	assert_true(plot_histogram(results, results->points, 0, &svg));
	markup_check(svg.chars, false, ours);
	assert_within_picture(svg.chars);
	size_t bars = numbers_of(svg.chars, "<rect", "height=\"", "#5f87d7",
		blue, 64);
	size_t flagged = numbers_of(svg.chars, "<rect", "height=\"", "#b8860b",
		amber, 64);
	assert_int_equal(bars, 2);
	assert_int_equal(flagged, 1);
	assert_within(blue[0] / blue[1], 2, .01);
	assert_within(blue[0] / amber[0], 6, .01);
	assert_non_null(strstr(svg.chars, ">60 excluded<"));
	assert_null(strstr(svg.chars, "co-runner"));
	assert_null(strstr(svg.chars, "predicted"));
	text_free(&svg);
	results->points[0].model = (struct prediction){
		.set = true,
		.total = { 90, 110 },
	};
	assert_true(plot_histogram(results, results->points, 0, &svg));
	assert_non_null(strstr(svg.chars, ">predicted<"));
	text_free(&svg);
	results->points[0].model.total = (struct range){ 200, 300 };
	assert_true(plot_histogram(results, results->points, 0, &svg));
	assert_non_null(strstr(svg.chars, ">predicted: above<"));
	text_free(&svg);
	results_free(results);
}

/* In each launch 91 trials of 100 ns, and nine of 120 ns under the other
 * condition, with canaries. */
static void add_regimes(struct results *results, unsigned flags)
{
	for (size_t i = 0; i < MADE_LAUNCHES; i++) {
		new_visit(results, 0, 0)->launch = (unsigned)i;
		new_canary(results, 0, 340);
		for (int k = 0; k < 91; k++)
			new_trial(results, 0, 0, 140, flags);
		for (int k = 0; k < 9; k++)
			new_trial(results, 0, 0, 160, flags ^ FLAG_SHARED);
	}
}

/* A regime with few trials is drawn; trials outside the plot are counted. */
static void test_histogram_holds_each_regime(void **state)
{
	const char *values[] = { "4K" };
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };
	struct histogram histogram;
	double high[64];

	made_point(results, values);
	for (size_t i = 0; i < MADE_LAUNCHES; i++) {
		new_visit(results, 0, 0)->launch = (unsigned)i;
		new_canary(results, 0, 340);
		for (int k = 0; k < 164; k++)
			new_trial(results, 0, 0, 140 + (unsigned)k % 10, 0);
		for (int k = 0; k < 3; k++)
			new_trial(results, 0, 0, 300 + 50 * (unsigned)k,
				FLAG_SHARED);
		new_trial(results, 0, 0, 4040, FLAG_PREEMPTED);
	}
	bins_of(results, results->points, 0, 60, &histogram);
	assert_int_equal(histogram_below(&histogram), 0);
	assert_int_equal(histogram.above[0] + histogram.above[1], 0);
	assert_int_equal(histogram.above[2], MADE_LAUNCHES);
	histogram_free(&histogram);
	assert_true(plot_histogram(results, results->points, 0, &svg));
	assert_within_picture(svg.chars);
	assert_non_null(strstr(svg.chars,
		": 6 trials, 0.6 % (6 excluded), up to "));
	/* Bins as wide as the tail requires would hide the shape of most
	 * trials. */
	assert_non_null(strstr(svg.chars, ">with the tail<"));
	assert_true(numbers_of(svg.chars, "<rect", "height=\"", "#5f87d7",
			    high, 64) > 4);
	text_free(&svg);
	results_free(results);
}

/* Trials of the regime that is not the headline's are teal. */
static void test_histogram_of_regimes(void **state)
{
	static const unsigned flags[] = { 0, FLAG_SHARED };
	static const char *const keys[] = { "54 beside a co-runner<",
		"54 alone<" };
	const char *values[] = { "4K" };

	for (size_t i = 0; i < 2; i++) {
		struct results *results = made_results(one, 1);
		struct text svg = { 0 };
		double blue[64], teal[64];

		made_point(results, values);
		add_regimes(results, flags[i]);
		assert_true(plot_histogram(results, results->points, 0, &svg));
		markup_check(svg.chars, false, ours);
		assert_int_equal(numbers_of(svg.chars, "<rect", "height=\"",
					 "#5f87d7", blue, 64),
			1);
		assert_int_equal(numbers_of(svg.chars, "<rect", "height=\"",
					 "#2a9d8f", teal, 64),
			1);
		assert_within(blue[0] / teal[0], 91 / 9., .02);
		assert_non_null(strstr(svg.chars, keys[i]));
		assert_null(strstr(svg.chars, "excluded"));
		text_free(&svg);
		results_free(results);
	}
}

static void test_histogram_of_nothing(void **state)
{
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };
	const char *values[] = { "4K" };

	made_point(results, values);
	assert_false(plot_histogram(results, results->points, 0, &svg));
	made_trials(results, 0, 5, 100, FLAG_PREEMPTED);
	/* Excluded trials alone do not determine bins. */
	assert_false(plot_histogram(results, results->points, 0, &svg));
	text_free(&svg);
	results_free(results);
}

static void add_level(struct results *results, size_t at, const char *level)
{
	point_add_note(&results->points[at], "level", level);
}

static void test_lines_and_levels(void **state)
{
	static const char *const sizes[] = { "1K", "32K", "1M", "64M" };
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };
	double y[16];

	for (size_t i = 0; i < 4; i++) {
		made_point(results, &sizes[i]);
		made_trials(results, i, 8, 100 * (double)(i + 1), 0);
		add_level(results, i, i < 2 ? "L1d" : hostile);
	}
	assert_true(plot_sweep(&experiment, results, &svg));
	markup_check(svg.chars, false, ours);
	assert_within_picture(svg.chars);
	assert_int_equal(count_of(svg.chars, "<circle"), 4);
	assert_int_equal(numbers_of(svg.chars, "<circle", "cy=\"", "", y, 16),
		4);
	for (size_t i = 1; i < 4; i++)
		assert_true(y[i] < y[i - 1]);
	/* The name of each level once, and a line between them. */
	assert_int_equal(count_of(svg.chars, ">L1d<"), 1);
	assert_int_equal(count_of(svg.chars, "stroke-dasharray=\"3 4\""), 1);
	text_free(&svg);
	results_free(results);
}

static void test_map(void **state)
{
	struct results *results = made_results(two, 2);
	struct text svg = { 0 };
	double opacity[64];

	for (size_t i = 0; i < 25; i++) {
		char size[8], stride[8];
		const char *values[] = { size, stride };

		snprintf(size, sizeof size, "%dK", 1 << i / 5);
		snprintf(stride, sizeof stride, "%d", 16 << i % 5);
		made_point(results, values);
		made_trials(results, i, 4, 100 + 10 * (double)i, 0);
	}
	assert_true(plot_sweep(&experiment, results, &svg));
	markup_check(svg.chars, false, ours);
	assert_within_picture(svg.chars);
	/* One cell for each point, and the key; the smallest value is
	 * palest. */
	size_t cells = numbers_of(svg.chars, "<rect", "fill-opacity=\"", "",
		opacity, 64);
	assert_int_equal(cells, 25 + 5);
	for (size_t i = 1; i < 25; i++)
		assert_true(opacity[i] > opacity[i - 1]);
	text_free(&svg);
	results_free(results);
}

static void test_bars(void **state)
{
	static const char *const calls[] = { hostile, "getpid",
		"a name that is longer than any picture is wide, and then some "
		"more of it" };
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };
	double width[8];

	for (size_t i = 0; i < 3; i++) {
		made_point(results, &calls[i]);
		if (i < 2)
			made_trials(results, i, 8, 100 * (double)(i + 1), 0);
	}
	results->points[2].state = POINT_UNAVAILABLE;
	results->points[2].why = strdup(hostile);
	assert_true(plot_sweep(NULL, results, &svg));
	markup_check(svg.chars, false, ours);
	assert_within_picture(svg.chars);
	assert_int_equal(numbers_of(svg.chars, "<rect", "width=\"", "", width,
				 8),
		2);
	assert_within(width[1] / width[0], 2, .01);
	assert_non_null(strstr(svg.chars, ">a&lt;b&gt;&amp;&quot;c&quot;"));
	text_free(&svg);
	results_free(results);
}

/* Values that only a hostile file contains. */
static void test_extremes(void **state)
{
	static const double values[] = { 0, -1e300, 1e300, 1e-300, -5, 1e308,
		-1e308 };
	static const char *const sizes[] = { "0", "1", "2", "1T", "16E", "4",
		"9999999999999999" };
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };

	results_add_metric(results, "value", hostile, UNIT_BYTES,
		NEITHER_IS_BETTER, METRIC_VALUE, false);
	results->metrics[0].kind = METRIC_VALUE;
	for (size_t i = 0; i < 7; i++) {
		struct point *point = made_point(results, &sizes[i]);

		new_visit(results, i, 0);
		new_value(results, i, 0, values[i]);
		for (size_t k = 0; k < 7; k++)
			new_value(results, i, 1, values[k]);
		if (plot_histogram(results, point, 1, &svg))
			markup_check(svg.chars, false, ours);
		text_clear(&svg);
	}
	if (plot_sweep(&experiment, results, &svg))
		markup_check(svg.chars, false, ours);
	text_clear(&svg);
	if (plot_sweep(NULL, results, &svg))
		markup_check(svg.chars, false, ours);
	text_free(&svg);
	results_free(results);
}

static void test_trace(void **state)
{
	static const struct metric metrics[] = {
		{ .name = "time" },
		{ .name = "touches",
			.kind = METRIC_TRACE,
			.across = hostile,
			.across_unit = UNIT_BYTES },
		{ .name = NULL },
	};
	static const struct experiment traced = { .name = "group.name",
		.metrics = metrics };
	static const char *const sizes[] = { "4K" };
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };

	results_add_metric(results, "touches", "cost of each touch", UNIT_NS,
		LESS_IS_BETTER, METRIC_TRACE, false);
	struct point *point = made_point(results, sizes);
	assert_false(plot_trace(&traced, results, point, 1, &svg));
	for (unsigned i = 0; i < 20; i++) {
		struct trace_point *at = column_add(&point->series[1].trace);

		/* The second visit is not drawn. */
		*at = (struct trace_point){ 1 << i % 10, 100 + i, i / 10 };
	}
	assert_true(plot_trace(&traced, results, point, 1, &svg));
	markup_check(svg.chars, false, ours);
	assert_int_equal(count_of(svg.chars, "<circle"), 10);
	assert_non_null(strstr(svg.chars, "a&lt;b&gt;"));
	text_free(&svg);
	assert_true(plot_trace(NULL, results, point, 1, &svg));
	assert_non_null(strstr(svg.chars, "in recorded order"));
	text_free(&svg);
	results_free(results);
}

/* A bar for each round, whose height is the data sent, and its growth. */
static void test_rounds(void **state)
{
	const char *values[] = { "4K" };
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };
	double high[16];

	made_point(results, values);
	assert_false(plot_rounds(results, &svg));
	point_add_note(results->points, "rounds", "not observable: too short");
	assert_false(plot_rounds(results, &svg));
	made_point(results, values);
	point_add_note(&results->points[1], "rounds", "10,20,60,3,..");
	point_add_note(&results->points[1], "ended", hostile);
	assert_true(plot_rounds(results, &svg));
	markup_check(svg.chars, false, ours);
	assert_within_picture(svg.chars);
	assert_int_equal(numbers_of(svg.chars, "<rect", "height=\"", "#5f87d7",
				 high, 16),
		4);
	assert_within(high[1] / high[0], 2, .03);
	assert_within(high[2] / high[0], 6, .1);
	assert_non_null(strstr(svg.chars, ">60</text>"));
	assert_non_null(strstr(svg.chars, ">x3.0</text>"));
	assert_non_null(strstr(svg.chars, ">more follow</text>"));
	assert_int_equal(count_of(svg.chars, ">round trip</text>"), 1);
	text_free(&svg);
	results_free(results);
}

/* A point is placed by the bandwidth it left; one without is not drawn. */
static void test_drawn_as_a_metric(void **state)
{
	static const struct param drawn[] = {
		{ .name = "size",
			.label = "size",
			.unit = UNIT_BYTES,
			.type = PARAM_WHOLE,
			.drawn_as = "bandwidth" },
		{ .name = NULL },
	};
	static const struct experiment loaded = { .name = "group.name",
		.params = drawn };
	static const char *const values[] = { "1K", "2K", "idle", "4K" };
	struct results *results = made_results(one, 1);
	struct text svg = { 0 };
	double x[16];

	results_add_metric(results, "bandwidth", "bytes moved",
		UNIT_BYTES_PER_S, MORE_IS_BETTER, METRIC_VALUE, false);
	for (size_t i = 0; i < 4; i++) {
		made_point(results, &values[i]);
		made_trials(results, i, 8, 100, 0);
		if (i < 3)
			new_value(results, i, 1, 4e9 * (double)(2 - i));
	}
	finding_value(&results->findings, "knee", 4e9, UNIT_BYTES_PER_S, "it");
	assert_true(plot_sweep(&loaded, results, &svg));
	markup_check(svg.chars, false, ours);
	assert_within_picture(svg.chars);
	assert_int_equal(count_of(svg.chars, ">bytes moved, GB/s<"), 1);
	assert_int_equal(numbers_of(svg.chars, "<circle", "cx=\"", "", x, 16),
		3);
	assert_true(x[0] < x[1] && x[1] < x[2]);
	/* The knee is marked at the second point. */
	assert_int_equal(count_of(svg.chars, ">knee<"), 1);
	assert_int_equal(numbers_of(svg.chars, "<path", "d=\"M",
				 "dasharray=\"3 4\"", x + 3, 1),
		1);
	assert_near(x[3], x[1]);
	text_free(&svg);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_histogram_of_regimes),
		cmocka_unit_test(test_histogram_holds_each_regime),
		cmocka_unit_test(test_histogram_of_nothing),
		cmocka_unit_test(test_lines_and_levels),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_drawn_as_a_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
