/* The doctor's findings as plain text, in every width. */
#include "doctor_text.h"

#include <string.h>

#include "check.h"
#include "golden_text.h"

static struct doctor_row rows[] = {
	{ "clock", DOCTOR_OK, "counter at 2596.131888 MHz", "all timing", "",
		"" },
	{ "frequency", DOCTOR_NOTE,
		"no governor: the host sets the frequency", "all timing",
		"times in ns may follow the frequency, cycles do not", "" },
	{ "load", DOCTOR_BAD,
		"load 10.50, tasks waited 98.1 % of 10 s: ld (pid 13881) 40 % "
		"on cpu 1, cc1 (pid 13894) 40 % on cpu 0",
		"all timing",
		"other tasks take the processor, its caches and its "
		"frequency: `top` lists them",
		"" },
	{ "isolation", DOCTOR_NOTE, "cpu 3 is not isolated from other work",
		"all timing",
		"other tasks and kernel work interrupt trials; interrupted "
		"trials are excluded",
		"echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX' "
		"isolcpus=managed_irq,domain,3 nohz_full=3 rcu_nocbs=3 "
		"'irqaffinity=0\"' | sudo tee /etc/default/grub.d/benchtop.cfg "
		"&& sudo update-grub" },
	{ "gaps", DOCTOR_BAD, "lost 61.70 % of 1.0 s, longest 16.1 ms",
		"all timing",
		"other work runs on this processor: choose another with cpu=, "
		"or use priority=fifo",
		"" },
	{ "watchdog", DOCTOR_BAD, "on", "all timing",
		"its interrupts disturb trials",
		"sudo sysctl kernel.nmi_watchdog=0" },
	{ "aslr", DOCTOR_OK, "on", "cpu.call", "", "" },
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct gap_facts gaps = { .decade = { 28, 448, 79, 0, 91, 12 } };

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	doctor_text(what, &gaps, layout, text);
}

static void test_brief(void **state)
{
	const struct doctor doctor = { rows, ROWS };

	golden_text("doctor", print, &doctor);
}

/* All checks in the same order. */
static void test_verbose(void **state)
{
	const struct doctor doctor = { rows, ROWS };
	const struct text_layout layout = { .width = 80, .verbose = true };
	struct text text = { 0 };

	doctor_text(&doctor, &gaps, &layout, &text);
	assert_memory_equal(text.chars, "bad   load ", 11);
	assert_true(strstr(text.chars, "note  isolation") <
		strstr(text.chars, "ok    aslr"));
	assert_fits("verbose", &text, &layout);
	assert_non_null(strstr(text.chars, " 10 to 100 us      79 ####\n"));
	assert_non_null(strstr(text.chars, "\n  3 bad, 2 notes, 2 ok\n"));
	text_free(&text);
}

static void test_all_well(void **state)
{
	const struct doctor doctor = { rows, 1 };
	struct text text = { 0 };

	doctor_text(&doctor, &gaps, &text_layout_plain, &text);
	assert_string_equal(text.chars, "  1 ok; -v lists them\n");
	text_free(&text);
}

/* Commands too long for a line are continued, as a shell reads them. */
static void test_long_command(void **state)
{
	const struct doctor doctor = { rows, ROWS };
	struct text text = { 0 };

	doctor_text_fixes(&doctor, 80, &text);
	assert_non_null(strstr(text.chars,
		"\necho 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX' "
		"isolcpus=managed_irq,domain,3 \\\n"
		"  nohz_full=3 rcu_nocbs=3 'irqaffinity=0\"' | sudo tee \\\n"
		"  /etc/default/grub.d/benchtop.cfg && sudo update-grub\n"));
	text_free(&text);
}

/* In the order of the table: bad first. */
static void test_fixes(void **state)
{
	const struct doctor doctor = { rows, ROWS }, well = { rows, 1 };
	struct text text = { 0 };

	doctor_text_fixes(&doctor, 80, &text);
	assert_memory_equal(text.chars,
		"# watchdog: on\nsudo sysctl kernel.nmi_watchdog=0\n"
		"# isolation: cpu 3 is not isolated from other work\necho 'GRUB",
		100);
	text_clear(&text);
	doctor_text_fixes(&well, 80, &text);
	assert_string_equal(text.chars, "# nothing to fix\n");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brief),
		cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_all_well),
		cmocka_unit_test(test_long_command),
		cmocka_unit_test(test_fixes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
