/* `fleet FILE ..` at a terminal opens the heat map, unless it prints. */
#include "cli/copies.h"
#include "cli/run.h"
#include "seat.h"

static void make(void)
{
	copies_make(&(struct copies){ .folder = "nodes",
		.count = 6,
		.at = 5,
		.times = 2,
		.name = "kernel",
		.before = "6.1",
		.after = "6.2",
		.hosts = "node" });
}

static void test_opens(void **state)
{
	static const char *const words[] = { "fleet", "nodes", NULL };
	struct seat seat;

	make();
	seat_open(&seat,
		&(struct seat_options){ .program = SELFTEST, .words = words });
	seat_shows(&seat, "Machines and experiments");
	seat_shows(&seat, "1 of 6 machines differs");
	seat_shows(&seat, "selftest.adds links=10");
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
	make();
	prints((const char *[]){ "fleet", "nodes", "--text", NULL }, 0,
		"1 of 6 machines differs from the others");
	prints((const char *[]){ "fleet", "none.json", NULL }, 3,
		"none.json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opens),
		cmocka_unit_test(test_prints),
	};

	return cmocka_run_group_tests(tests, copies_prepare, remove_folder);
}
