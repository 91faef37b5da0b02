/* NAME=VALUE words: the row they set, and the place of errors. */
#include "assign.h"

#include "say.h"

static const struct refused rows[] = {
	{ "set budget", "1:5", "'budget' is not a setting: expected NAME=VA" },
	{ "set =3", "1:5", "'=3' is not a setting" },
	{ "set bugdet=3s", "1:5", "no parameter 'bugdet': did you mean 'budg" },
	{ "set call=getpid", "1:5", "no parameter 'call'" },
	{ "set budget=3s cpu=x", "1:19", "cpu: 'x'" },
	{ "set budget=", "1:12", "budget: ''" },
	{ "set budget=1s,2x", "1:15", "budget: '2x'" },
	{ "set budget=1s,2s", "1:12", "'1s,2s' is a sweep, expected one" },
	{ "set cpu=1023", "1:9", "cpu=1023: not available" },
	{ "run cpu.call cpu=1023", "1:18", "cpu=1023: not available" },
	{ "ab cpu.call call=getpid call=read call=getpid", "1:35",
		"a third value for 'call'" },
	{ "ab cpu.call call=getpid call=read cpu=1023", "1:39",
		"cpu=1023: not available" },
	{ "ab cpu.call size=8K", "1:4", "expected NAME=A,B or NAME=A NAME=B" },
	{ "ab cpu.call call=getpid,read size=1K,2K", "1:13",
		"size has 2 values (1K,2K), expected one, as in size=1K" },
	{ "ab cpu.call size=1K,2K,4K", "1:4", "compares two values of one" },
	{ "ab cpu.call size=1K,x", "1:21", "size: 'x'" },
	{ "run cpu.call seed=1..9", "1:19", "seed: '1..9' is a sweep" },
	{ "set precision=200%", "1:15", "precision: '200%' is outside" },
	{ "set trials=0", "1:12", "trials: '0' is outside 1..100000" },
	{ "set trials=2.5", "1:12", "trials: '2.5'" },
	{ "set launches=9999", "1:14", "launches: '9999' is outside" },
	{ "set priority=high", "1:14", "expected one of normal, fifo" },
	{ "set 'priority=high'", "1:15", "priority: 'high'" },
	{ "set seed=-1", "1:10", "seed: '-1' is outside" },
	{ "run cpu.call sise=4K", "1:14", "did you mean 'size'?" },
	{ "run cpu.call call=getpip", "1:19", "did you mean 'getpid'?" },
	{ "run cpu.call size=4K,x", "1:22", "size: 'x'" },
	{ "run cpu.call size=4K..", "1:22", "size:" },
	{ "run cpu.call size=4K,4K", "1:22", "repeats the value '4K'" },
	{ "run cpu.call size=2M", "1:19", "size: '2M' is outside 1..1M" },
	{ "run cpu.call size=1..1M+1", "1:19", "makes more than 512 values" },
	{ "run cpu.call size=4K\nrun cpu.call size=4Q", "2:19", "size: '4Q'" },
	{ "run cpu call=getpid", "1:9", "no parameter 'call'" },
	{ "run cpu.call 4K", "1:14", "unknown experiment '4K'" },
	{ "run cpu.call size=4K 4K", "1:22", "'4K' is not a setting" },
	{ "show cpu.call budget=0", "1:22", "budget: '0' is outside" },
	{ "run cpu.call budget=1s trials=9e99", "1:31", "trials:" },
	{ "run cpu.call \"size=4K,\xc3\xa4\"", "1:23", "size: '\xc3\xa4'" },
};

static void test_refused(void **state)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_refused(*state, &rows[i]);
}

/* `set` reaches the common table, and only when all of its words are right. */
static void test_set(void **state)
{
	struct lab *lab = *state;
	struct common common;

	free(said(lab, "set budget=2s launches=8"));
	common_values(&lab->common, &common);
	assert_true(common.budget_ns == 2000000000);
	assert_true(common.launches == 8);
	assert_true(lab->budget_set);
	free(checked(lab, "set budget=3s launches=x"));
	common_values(&lab->common, &common);
	assert_true(common.budget_ns == 2000000000);
	free(said(lab, "set launches=auto"));
	common_values(&lab->common, &common);
	assert_true(common.launches == PARAM_AUTO);
}

/* The two settings of `ab` may be one word or two words. */
static void test_ab(void **state)
{
	static const char *const lines[] = {
		"ab cpu.call call=getpid,read",
		"ab cpu.call call=getpid,read size=8K launches=7",
		"ab cpu.call size=1K,2K",
		"ab cpu.call call=getpid call=read",
		"ab cpu.call call=read call=read",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char *sentence = checked(*state, lines[i]);

		assert_string_equal(sentence, "");
		free(sentence);
	}
}

/* A value may contain an =; the first one separates it from the name. */
static void test_equals(void **state)
{
	static const struct refused row = { "run cpu.call call=a=b", "1:19",
		"call: 'a=b' is not a choice" };

	assert_refused(*state, &row);
	assert_true(is_assignment("a=b"));
	assert_true(is_assignment("=b"));
	assert_false(is_assignment("ab"));
}

/* Rows of the experiment and rows of every run in one line. */
static void test_both(void **state)
{
	char *shown = said(*state,
		"show cpu.call size=4K..16K call=getpid,read launches=7");

	assert_non_null(strstr(shown, "6 points"));
	assert_non_null(strstr(shown, "7 launches"));
	free(shown);
}

/* A row has at most 512 values; the points are their products. */
static void test_points(void **state)
{
	char *sentence = checked(*state,
		"run cpu.call call=getppid,getpid,read size=1..512+1");

	assert_string_equal(sentence, "");
	free(sentence);
	sentence = checked(*state,
		"run cpu.call call=getppid,getpid,read size=1..513+1");
	assert_non_null(strstr(sentence,
		"size: '1..513+1' makes more than 512 values, the limit"));
	free(sentence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LAB(test_refused),
		WITH_LAB(test_set),
		WITH_LAB(test_ab),
		WITH_LAB(test_equals),
		WITH_LAB(test_both),
		WITH_LAB(test_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
