/* cpu.noise: what it refuses, and figures that agree with each other. */
#include "check.h"
#include "run.h"

static double median_of_metric(const struct text *out, const char *name)
{
	char start[60];
	double value = NAN;

	snprintf(start, sizeof start, "\"%s\":{\"unit\"", name);
	const char *at = strstr(text_chars(out), start);
	if (at)
		at = strstr(at, "\"median\":");
	if (!at || sscanf(at, "\"median\":%lf", &value) != 1)
		fail_msg("no median of %s", name);
	return value;
}

/* The least and the largest of the launches. */
struct spread {
	double low, high;
};

static struct spread of_launches(const struct text *out, const char *metric)
{
	struct spread spread = { INFINITY, -INFINITY };
	char name[60];
	double value;
	int used;

	snprintf(name, sizeof name, "\"%s\":{\"unit\"", metric);
	const char *at = strstr(text_chars(out), name);
	at = at ? strstr(at, "\"launch_medians\":[") : NULL;
	assert_non_null(at);
	for (at = strchr(at, '[') + 1; sscanf(at, "%lf%n", &value, &used) == 1;
		at += used + 1) {
		spread.low = fmin(spread.low, value);
		spread.high = fmax(spread.high, value);
	}
	return spread;
}

/* A cell of the table; 0: none. */
static double cell(const struct text *out, const char *row, const char *column)
{
	char name[60];
	double value = 0;

	snprintf(name, sizeof name, "\"%s:%s\"", row, column);
	const char *at = strstr(text_chars(out), name);
	at = at ? strstr(at, "\"value\":") : NULL;
	if (at)
		assert_int_equal(sscanf(at, "\"value\":%lf", &value), 1);
	return value;
}

/* The table by cause is of all launches together: its share is between those of
 * the launches, also if most of a cause's time is in gaps of other tasks. */
static double assert_table_agrees(const struct text *out, const char *row)
{
	struct spread launches = of_launches(out, row);
	double overall = cell(out, row, "overall");

	if (!(overall >= launches.low - 1e-9 &&
		    overall <= launches.high + 1e-9))
		fail_msg("%s: %g of all launches, but %g .. %g of a launch",
			row, overall, launches.low, launches.high);
	double longest = cell(out, row, "longest");
	double of_any = of_launches(out, "longest").high;
	if (longest > of_any * (1 + 1e-9))
		fail_msg("%s: a gap of %g ns, but at most %g ns in a launch:\n%s",
			row, longest, of_any, text_chars(out));
	return overall;
}

static void test_shares_add_up(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.noise", "trials=1",
		"launches=6", "--json");

	assert_status(ran, 0);
	if (contains(&ran.out, "\"state\":\"invalid\""))
		fail_msg("%.400s", strstr(text_chars(&ran.out), "\"state\""));
	double lost = median_of_metric(&ran.out, "lost");
	double timer = median_of_metric(&ran.out, "timer");
	assert_true(lost >= 0 && lost < 1);
	assert_true(timer >= 0 && timer <= lost);
	assert_true(median_of_metric(&ran.out, "watched") > .5e9);
	assert_contains(ran.out, "\"name\":\"gaps\"");
	double sum = assert_table_agrees(&ran.out, "task") +
		assert_table_agrees(&ran.out, "timer") +
		assert_table_agrees(&ran.out, "interrupt") +
		assert_table_agrees(&ran.out, "host");
	assert_within(assert_table_agrees(&ran.out, "lost"), sum, 1e-6);
	assert_within(cell(&ran.out, "lost", "longest"),
		of_launches(&ran.out, "longest").high, 1e-6);
	ran_free(&ran);
}

/* The budget limits neither the six launches nor the pilot. */
static void test_long_launches_are_expected(void **state)
{
	struct ran ran = RUN(PROGRAM, "show", "cpu.noise", "duration=60s",
		"budget=20s");

	assert_status(ran, 0);
	assert_contains(ran.out, "takes about 420 s;");
	ran_free(&ran);
	ran = RUN(PROGRAM, "show", "cpu.noise");
	assert_contains(ran.out, "takes about 10 s;");
	ran_free(&ran);
}

static void test_refusals(void **state)
{
	static const char *const words[] = { "duration=10ms", "duration=2min",
		"threshold=1ns", "threshold=10ms" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct ran ran = RUN(PROGRAM, "run", "cpu.noise", words[i]);

		assert_status(ran, 2);
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares_add_up),
		cmocka_unit_test(test_long_launches_are_expected),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
