/* A history as plain text, in every width. */
#include "print_history.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "digest.h"
#include "golden_text.h"

static char setting[] = "call=getppid via=raw";

static char kernels[][20] = { "6.18.44-fc-v669", "6.19.1-fc-v670",
	"6.1.0-28-amd64", "6.1.0-31-amd64" };
#define WITH(kernel) { .value = { [SURROUNDING_KERNEL] = (kernel) } }
static struct surroundings fc669 = WITH(kernels[0]), fc670 = WITH(kernels[1]);
static struct surroundings amd28 = WITH(kernels[2]), amd31 = WITH(kernels[3]);
static struct surroundings unknown;

#define RUN_OF(when, ns, half, share, where, how) \
	{ .started = (when), .setting = setting, .surroundings = &(where), \
		.metric = "time", .unit = UNIT_NS, .regime = REGIME_ALONE, \
		.headline = { (ns), true, \
			{ (ns) * (1 - (half)), (ns) * (1 + (half)) } }, \
		.shared = { .median = NAN }, .alone = (share), \
		.others = NAN, \
		.quality = (how), .canary_ns = NAN, .ruler_ns = NAN }

struct printed {
	const struct kept_point *list;
	size_t count;
};

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	const struct printed *printed = what;
	struct history history;

	history_make("cpu.syscall", printed->list, printed->count, &history);
	print_history(&history, layout, text);
	history_free(&history);
}

static void test_days(void **state)
{
	static const struct kept_point list[] = {
		RUN_OF("2025-11-20T09:15:00+0100", 89.5, .003, .65,
			fc669, QUALITY_GOOD),
		RUN_OF("2025-11-21T09:15:00+0100", 89.3, .002, .22,
			fc669, QUALITY_GOOD),
		RUN_OF("2025-11-22T09:15:00+0100", 117, .12, .02,
			fc669, QUALITY_SHARED_CORE),
		RUN_OF("2025-11-23T09:15:00+0100", 94, .031, NAN,
			fc670, QUALITY_ROUGH),
	};
	const struct printed printed = { list, 4 };

	golden_text("history", print, &printed);
}

/* Several runs per day, in two years, with kernels that differ only in the
 * distribution's suffix. */
static void test_times(void **state)
{
	static const struct kept_point list[] = {
		RUN_OF("2024-11-20T09:15:00+0100", 89.5, .003, .65,
			amd28, QUALITY_GOOD),
		RUN_OF("2025-11-20T09:15:00+0100", 2100, .5, 0, amd31,
			QUALITY_NOT_ENOUGH),
		RUN_OF("2025-11-20T19:15:00+0100", 60, .12, .02,
			amd31, QUALITY_SHARED_CORE),
		RUN_OF("no time", 60, .12, .02, unknown, QUALITY_SHARED_CORE),
	};
	const struct printed printed = { list, 4 };

	golden_text("history-times", print, &printed);
}

/* Without a run that counts, there is no axis. A core is called shared only if
 * it was: here other tasks used a quarter of the processors. */
static void test_none_counts(void **state)
{
	struct kept_point list[] = {
		RUN_OF("2025-11-20T09:15:00+0100", 89.5, .003, 0, fc669,
			QUALITY_SHARED_CORE),
		RUN_OF("2025-11-21T09:15:00+0100", 89.5, .003, 1, fc669,
			QUALITY_SHARED_CORE),
	};
	const struct printed printed = { list, 2 };
	struct text text = { 0 };

	list[1].others = .25;
	print(&printed, &text_layout_plain, &text);
	assert_string_equal(text.chars,
		"  cpu.syscall call=getppid via=raw\n"
		"  day       median     95 %  alone  kernel\n"
		"  Nov 20  89.50 ns  +-0.3 %    0 %  6.18.44"
		"  shared core, not counted\n"
		"  Nov 21  89.50 ns  +-0.3 %  100 %  6.18.44"
		"  other tasks, not counted\n"
		"  Changes are searched from 10 counted runs on.\n");
	text_free(&text);
}

/* As more runs have a figure beside a co-runner, the figure alone of the first
 * run is no longer printed. The heading and a sentence state it. */
static void test_shared(void **state)
{
	struct kept_point list[] = {
		RUN_OF("2025-11-20T09:15:00+0100", 126.5, .003, .65,
			fc669, QUALITY_GOOD),
		RUN_OF("2025-11-21T09:15:00+0100", 145, .002, .22,
			fc669, QUALITY_SHARED_CORE),
		RUN_OF("2025-11-22T09:15:00+0100", 145, .12, .02,
			fc669, QUALITY_SHARED_CORE),
	};
	const struct printed first = { list, 1 }, printed = { list, 3 };
	struct text text = { 0 };

	for (size_t i = 0; i < 3; i++)
		list[i].shared = (struct kept_figure){ 144.6, true,
			{ 144, 145 } };
	list[0].shared.has_interval = false;
	print(&first, &text_layout_plain, &text);
	assert_non_null(strstr(text.chars, "via=raw, median alone\n"));
	assert_non_null(strstr(text.chars, "126.5 ns"));
	assert_null(strstr(text.chars, "co-runner"));
	text_free(&text);
	list[0].shared.has_interval = true;
	golden_text("history-shared", print, &printed);
}

/* A run without enough data is not one alone: as many rows are alone as the
 * sentence states. */
static void test_shared_and_too_few(void **state)
{
	struct kept_point list[] = {
		RUN_OF("2025-11-20T09:15:00+0100", 126.5, .003, .65,
			fc669, QUALITY_GOOD),
		RUN_OF("2025-11-21T09:15:00+0100", 145, .002, 0,
			fc669, QUALITY_SHARED_CORE),
		RUN_OF("2025-11-22T09:15:00+0100", 145, .12, 0,
			fc669, QUALITY_SHARED_CORE),
		RUN_OF("2025-11-23T09:15:00+0100", 146, .12, 0,
			fc669, QUALITY_SHARED_CORE),
		RUN_OF("2025-11-24T09:15:00+0100", 147, .12, 0,
			fc669, QUALITY_NOT_ENOUGH),
	};
	const struct printed printed = { list, 5 };

	for (size_t i = 1; i < 3; i++)
		list[i].shared = (struct kept_figure){ 144.6, true,
			{ 144, 145 } };
	golden_text("history-shared-few", print, &printed);
}

/* Ten runs with figures alone end a history of shared figures. */
static void test_alone_again(void **state)
{
	enum { RUNS = 3 + CHANGES_LEAST };
	struct kept_point list[RUNS];
	struct history history;
	struct text text = { 0 };

	for (int i = 0; i < RUNS; i++) {
		list[i] = (struct kept_point)RUN_OF("2025-11-20T09:15:00+0100",
			126.5, .003, .65, fc669,
			i < 3 ? QUALITY_SHARED_CORE : QUALITY_GOOD);
		list[i].shared = (struct kept_figure){ 144.6, i < 11,
			{ 144, 145 } };
	}
	list[RUNS - 1].started[9] = '3';
	history_make("cpu.syscall", list, RUNS - 1, &history);
	history_say_regime(&history, &text);
	assert_string_equal(text.chars, "These medians are of trials beside a "
		"co-runner: 11 runs have such a median, 9 have a median alone.");
	assert_int_equal(history_regime_since(&history), 0);
	history_free(&history);
	text_clear(&text);
	history_make("cpu.syscall", list, RUNS, &history);
	history_say_regime(&history, &text);
	assert_string_equal(text.chars, "These medians are of trials alone on "
		"the core: 10 runs have such a median. Before run 13 "
		"(2025-11-23) this history had medians beside a co-runner.");
	assert_int_equal(history_regime_since(&history), 12);
	history_free(&history);
	text_free(&text);
}

/* ---- changes ---------------------------------------------------------- */

enum { DAYS = 48, NEW_KERNEL = 20, SLOW_MACHINE = 44 };

/* 5 % slower with the kernel, and again when the canary became 20 % slower. */
static void make_days(struct kept_point list[DAYS])
{
	for (size_t i = 0; i < DAYS; i++) {
		bool slow = i >= SLOW_MACHINE, newer = i >= NEW_KERNEL;
		double ns = 100 + (double)(i * 7 % 5) / 10 + 5 * newer +
			20 * slow;

		list[i] = (struct kept_point)RUN_OF("", ns, .003, .65,
			*(newer ? &fc670 : &fc669), QUALITY_GOOD);
		list[i].canary_ns = (.8 + (double)(i % 3) / 1000) *
			(slow ? 1.2 : 1);
		snprintf(list[i].started, sizeof list[i].started,
			"2025-%02zu-%02zuT09:15:00+0100", 1 + i / 28,
			1 + i % 28);
	}
}

static void test_changes(void **state)
{
	struct kept_point list[DAYS];
	const struct printed printed = { list, DAYS };

	make_days(list);
	golden_text("history-changes", print, &printed);
}

/* -v prints every run. */
static void test_verbose(void **state)
{
	struct text_layout layout = text_layout_plain;
	struct kept_point list[DAYS];
	const struct printed printed = { list, DAYS };
	struct text text = { 0 };

	make_days(list);
	print(&printed, &layout, &text);
	assert_null(strstr(text.chars, "Jan 05"));
	text_clear(&text);
	layout.verbose = true;
	print(&printed, &layout, &text);
	assert_non_null(strstr(text.chars, "Jan 05"));
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_none_counts),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_shared_and_too_few),
		cmocka_unit_test(test_alone_again),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_verbose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
