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

/* The table by cause is of all launches together: its share is between those of
 * the launches, also if most of a cause's time is in gaps of other tasks. */
static void assert_table_agrees(const struct text *out, const char *cause)
{
	double low = INFINITY, high = -INFINITY, overall = 0, value;
	char name[60];
	int used;

	snprintf(name, sizeof name, "\"%s\":{\"unit\"", cause);
	const char *at = strstr(text_chars(out), name);
	at = at ? strstr(at, "\"launch_medians\":[") : NULL;
	assert_non_null(at);
	for (at = strchr(at, '[') + 1; sscanf(at, "%lf%n", &value, &used) == 1;
		at += used + 1) {
		low = fmin(low, value);
		high = fmax(high, value);
	}
	snprintf(name, sizeof name, "\"%s:overall\"", cause);
	at = strstr(text_chars(out), name);
	at = at ? strstr(at, "\"value\":") : NULL;
	if (at)
		assert_int_equal(sscanf(at, "\"value\":%lf", &overall), 1);
	if (!(overall >= low - 1e-9 && overall <= high + 1e-9))
		fail_msg("%s: %g of all launches, but %g .. %g of a launch",
			cause, overall, low, high);
}

static void test_shares_add_up(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.noise", "trials=1",
		"launches=6", "--json");

	assert_status(ran, 0);
	assert_false(contains(&ran.out, "\"state\":\"invalid\""));
	double lost = median_of_metric(&ran.out, "lost");
	double timer = median_of_metric(&ran.out, "timer");
	assert_true(lost >= 0 && lost < 1);
	assert_true(timer >= 0 && timer <= lost);
	assert_true(median_of_metric(&ran.out, "watched") > .5e9);
	assert_contains(ran.out, "\"name\":\"gaps\"");
	assert_table_agrees(&ran.out, "task");
	assert_table_agrees(&ran.out, "timer");
	assert_table_agrees(&ran.out, "interrupt");
	assert_table_agrees(&ran.out, "host");
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
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
