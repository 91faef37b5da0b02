/* cpu.arithmetic: every chain computes what it should, and a division takes
 * longer than an addition. */
#include "run.h"

#define LONG "launches=6", "budget=300s"

enum { OPERATIONS = 18, FUSED = 2 };

/* The first value of a finding; 0: none. */
static double finding(const struct ran *ran, const char *name)
{
	struct text sought = { 0 };
	double value = 0;

	text_add(&sought, "\"name\":\"%s\"", name);
	const char *at = strstr(text_chars(&ran->out), text_chars(&sought));
	text_free(&sought);
	at = at ? strstr(at, "\"value\":") : NULL;
	if (at)
		sscanf(at, "\"value\":%lf", &value);
	return value;
}

/* A fused multiply-add needs a recent processor. */
static void test_all_are_verified(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.arithmetic",
		"op=int32-xor,int32-add,int32-multiply,int32-divide,"
		"int32-remainder,int64-xor,int64-add,int64-multiply,"
		"int64-divide,int64-remainder,float-add,float-multiply,"
		"float-divide,float-fma,double-add,double-multiply,"
		"double-divide,double-fma",
		"trials=1", LONG, "--json");
	const char *at = text_chars(&ran.out);
	size_t seen = 0;

	assert_status(ran, 0);
	assert_verified(ran);
	for (; (at = strstr(at, "\"state\":\"ok\"")); at++)
		seen++;
	if (seen == OPERATIONS - FUSED)
		assert_contains(ran.out,
			"this processor has no fused multiply-add");
	else
		assert_int_equal(seen, OPERATIONS);
	ran_free(&ran);
}

/* Medians of the same trials, so a slow core slows both. An addition is its own
 * ruler; no processor divides in less than three. The addition of a link of
 * divisions is not in its latency. */
static void test_ratio_to_additions(void **state)
{
	struct ran add = RUN(PROGRAM, "run", "cpu.arithmetic", "op=int64-add",
		"trials=20", LONG, "--json");
	struct ran divide = RUN(PROGRAM, "run", "cpu.arithmetic",
		"op=int64-divide", "trials=20", LONG, "--json");

	assert_status(add, 0);
	assert_status(divide, 0);
	assert_true(finding(&add, "over-add") > .8);
	assert_true(finding(&add, "over-add") < 1.25);
	assert_true(finding(&add, "overlap") > 1.5);
	assert_true(finding(&divide, "over-add") > 3);
	ran_free(&add);
	ran_free(&divide);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_verified),
		cmocka_unit_test(test_ratio_to_additions),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
