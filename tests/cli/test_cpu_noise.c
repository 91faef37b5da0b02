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
