/* What the text states of packets that stand twice or come late. */
#include <string.h>

#include "unit/lab/flat_text.h"

/* A packet that comes after the one that skipped it was overtaken only if the
 * receiver reported that: else the recorder may have been late. */
static void test_overtaken(void **state)
{
	for (int reported = 0; reported < 2; reported++) {
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .seq = 0, .length = 1000);
		SAY(&talk, .ms = 52, .seq = 2000, .length = 1000,
			.tsval = 100052);
		SAY(&talk, .ms = 52.1, .side = SERVER, .ack = 1000,
			.sacks = reported, .sack = { { 2000, 3000 } });
		SAY(&talk, .ms = 52.5, .seq = 1000, .length = 1000,
			.tsval = 100051);
		SAY(&talk, .ms = 52.6, .side = SERVER, .ack = 3000);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, "1 packet reordered"));
		const char *doubt =
			strstr(text.chars, "1 packet reordered or recorded");
		assert_int_equal(doubt == NULL, reported);
		text_free(&text);
		talk_end(&talk);
	}
}

/* Most packets come twice, 0.4 ms apart: perhaps from two points. One that does
 * was duplicated by the network. */
static void test_apart(void **state)
{
	for (int twice = 1; twice <= 8; twice += 7) {
		struct text text = { 0 };
		struct talk talk;

		talk_start(&talk);
		for (int i = 0; i < 8; i++)
			for (int copy = 0; copy < (i < twice ? 2 : 1); copy++)
				SAY(&talk, .ms = 50 + i + 0.4 * copy,
					.seq = i * 1000, .length = 1000,
					.ip_id = 70 + i, .tsval = 100050 + i);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, "captured twice"));
		assert_true(!strstr(text.chars, "up to 0.400 ms apart: if") ==
			(twice < 8));
		text_free(&text);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
