/* Plain text about an interval that is wider than its trials. */
#include "print.h"
#include "unit/report/made_results.h"

/* A quarter of the jitter is the uncertainty of the overhead; ticks are ns. */
static char *printed(double jitter)
{
	struct results *results = made_results(NULL, 0);
	struct text text = { 0 };

	made_point(results, NULL);
	made_trials(results, 0, 20, 100, 0);
	for (size_t i = 0; i < results->launch_count; i++)
		results->launches[i].jitter = jitter;
	print_figures(results, &text);
	results_free(results);
	return text_take(&text);
}

/* All trials are 100 ns, the interval is 98 to 102: the text explains why. */
static void an_interval_beyond_the_trials_is_explained(void **state)
{
	static const char line[] = "the interval includes +-2.000 ns for the "
				   "clock's overhead; min and max do not\n";
	char *text = printed(8);

	assert_non_null(strstr(text, "[98.0"));
	assert_non_null(strstr(text, line));
	free(text);
	text = printed(0);
	assert_null(strstr(text, "the interval includes"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_beyond_the_trials_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
