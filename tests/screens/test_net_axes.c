/* The axes of the Net screen: units beside labels, and idle time left out. */
#include "net_fixture.h"

#include "seated.h"

static int open_lab(void **state)
{
	net_lossy_open(&lab, &screen, "throughput");
	return 0;
}

/* The vertical axis' unit has a blank behind it at every height, and each label
 * keeps all its digits. */
static void test_r15_unit_beside_labels(void **state)
{
	static const char *const places[] = { "sequence", "window", "rtt",
		"throughput" };
	static const char *const units[] = { "Kbit/s", "Mbit/s", "KiB", "B",
		"ms" };
	char words[24];
	int found = 0;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(words, sizeof words, "focus %s", places[i]);
		screen_execute(&screen, words);
		for (int rows = 16; rows < 60; rows++) {
			const char *text = drawn_at(100, rows);

			for (size_t k = 0; k < 5; k++) {
				snprintf(words, sizeof words, "\n|%s",
					units[k]);
				const char *at = strstr(text, words);
				if (!at)
					continue;
				found++;
				assert_int_equal(at[strlen(words)], ' ');
			}
		}
	}
	assert_true(found > 0);
}

/* The lanes name the idle time that they leave out, as the plots do, and draw
 * it after zooming out. */
static void test_lanes_idle(void **state)
{
	net_idle_end(&lab);
	press("c");
	assert_true(drawn_has(80, 24, "on one time axis"));
	assert_true(drawn_has(80, 24, " +60 s "));
	assert_true(drawn_has(120, 40, " +60 s "));
	press("-");
	assert_false(drawn_has(80, 24, "+60 s"));
	press("0");
	press("+");
	assert_false(drawn_has(80, 24, "+60 s"));
}

/* Lone retransmissions after a silence, few beside the other packets, are left
 * out as well: else the transfer would be one column. In a connection that has
 * little else they are the plot. */
static void test_receiver_gone(void **state)
{
	net_receiver_gone(&lab, 100);
	screen_execute(&screen, "focus sequence");
	assert_true(drawn_has(80, 24, "+5.94 s"));
	press("-");
	assert_false(drawn_has(80, 24, "+5.94 s"));
	net_receiver_gone(&lab, 10);
	screen_execute(&screen, "focus sequence");
	press("0");
	assert_false(drawn_has(80, 24, "+5.94 s"));
	assert_true(drawn_has(80, 24, " s 0"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_r15_unit_beside_labels),
		IN_LAB(test_lanes_idle),
		IN_LAB(test_receiver_gone),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
