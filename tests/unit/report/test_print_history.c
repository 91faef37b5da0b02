/* A history as plain text, in every width. */
#include "print_history.h"

#include <math.h>

#include "check.h"
#include "digest.h"
#include "golden_text.h"

static char setting[] = "call=getppid via=raw";

#define RUN_OF(when, ns, half, share, version, how) \
	{ .started = (when), .setting = setting, .kernel = (version), \
		.unit = UNIT_NS, .median = (ns), .has_interval = true, \
		.interval = { (ns) * (1 - (half)), (ns) * (1 + (half)) }, \
		.alone = (share), .quality = (how) }

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	print_history(what, layout, text);
}

static void test_days(void **state)
{
	static const struct kept_point list[] = {
		RUN_OF("2025-11-20T09:15:00+0100", 89.5, .003, .65,
			"6.18.44-fc-v669", QUALITY_GOOD),
		RUN_OF("2025-11-21T09:15:00+0100", 89.3, .002, .22,
			"6.18.44-fc-v669", QUALITY_GOOD),
		RUN_OF("2025-11-22T09:15:00+0100", 117, .12, .02,
			"6.18.44-fc-v669", QUALITY_SHARED_CORE),
		RUN_OF("2025-11-23T09:15:00+0100", 94, .031, NAN,
			"6.19.1-fc-v670", QUALITY_ROUGH),
	};
	const struct history history = { "cpu.syscall", list, 4 };

	golden_text("history", print, &history);
}

/* Several runs per day, in two years, with kernels that differ only in the
 * distribution's suffix. */
static void test_times(void **state)
{
	static const struct kept_point list[] = {
		RUN_OF("2024-11-20T09:15:00+0100", 89.5, .003, .65,
			"6.1.0-28-amd64", QUALITY_GOOD),
		RUN_OF("2025-11-20T09:15:00+0100", 2100, .5, 0, "6.1.0-31-amd64",
			QUALITY_NOT_ENOUGH),
		RUN_OF("2025-11-20T19:15:00+0100", 60, .12, .02,
			"6.1.0-31-amd64", QUALITY_SHARED_CORE),
		RUN_OF("no time", 60, .12, .02, "", QUALITY_SHARED_CORE),
	};
	const struct history history = { "cpu.syscall", list, 4 };

	golden_text("history-times", print, &history);
}

/* Without a run that counts, there is no axis. */
static void test_none_counts(void **state)
{
	static const struct kept_point list[] = {
		RUN_OF("2025-11-20T09:15:00+0100", 89.5, .003, 0, "6.1",
			QUALITY_SHARED_CORE),
	};
	const struct history history = { "cpu.syscall", list, 1 };
	struct text text = { 0 };

	print_history(&history, &text_layout_plain, &text);
	assert_string_equal(text.chars,
		"  cpu.syscall call=getppid via=raw\n"
		"  day       median     95 %  alone  kernel\n"
		"  Nov 20  89.50 ns  +-0.3 %    0 %  6.1"
		"     shared, not counted\n");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_none_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
