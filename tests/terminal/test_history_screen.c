/* `history EXPERIMENT` at a terminal opens the plot, unless it prints. */
#include "cli/copies.h"
#include "cli/run.h"
#include "seat.h"

static void keep(void)
{
	copies_make(&(struct copies){ .folder = "state/benchtop/sessions",
		.count = 20,
		.at = 16,
		.times = 1.05,
		.name = "libc",
		.before = "glibc 2.98",
		.after = "glibc 2.99" });
}

static void test_opens(void **state)
{
	static const char *const words[] = { "history", "selftest.adds", NULL };
	struct seat seat;

	keep();
	seat_open(&seat,
		&(struct seat_options){ .program = SELFTEST, .words = words });
	seat_shows(&seat, "selftest.adds links=10");
	seat_shows(&seat, "20 runs, 1 change");
	seat_key(&seat, VTERM_KEY_ESCAPE);
	seat_shows(&seat, SEAT_LIST);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

static void prints(const char *const *words, int code, const char *sentence)
{
	assert_prints(
		&(struct seat_options){ .program = SELFTEST, .words = words },
		code, sentence);
}

static void test_prints(void **state)
{
	keep();
	prints((const char *[]){ "history", "selftest.adds", "--text", NULL },
		0, "The level rises by 5.1 % here");
	prints((const char *[]){ "history", "selftest.adds",
			"--fail-if-changed", NULL },
		1, "the time changed by +5.1 %");
	prints((const char *[]){ "history", "selftest.ads", NULL }, 2,
		"unknown experiment");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opens),
		cmocka_unit_test(test_prints),
	};

	return cmocka_run_group_tests(tests, copies_prepare, remove_folder);
}
