/* Sets of parameters: names, points, words, and the experiments' presets. */
#include "common.h"
#include "counter.h"
#include "param_rows.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_unknown_names(void **state)
{
	static const struct param more[] = { { .name = "precision" }, { 0 } };
	struct param_set set;
	struct error error = { 0 };

	param_set_init(&set, rows);
	assert_int_equal(param_set_values(&set, "sise", "1", &error), -1);
	assert_string_equal(error.message,
		"no parameter 'sise': did you mean 'size'?");
	assert_int_equal(error.status, STATUS_USAGE);
	assert_int_equal(error.column, 1);
	assert_int_equal(param_unknown(rows, more, "precison", &error), -1);
	assert_string_equal(error.message,
		"no parameter 'precison': did you mean 'precision'?");
	param_unknown(more, rows, "zzzzzzzz", &error);
	assert_string_equal(error.message,
		"no parameter 'zzzzzzzz': expected one of precision, size, "
		"cpu, count, time, share, ratio, call, path, reach");
	param_unknown(more + 1, NULL, "x", &error);
	assert_string_equal(error.message, "no parameter 'x'");
	param_set_free(&set);
}

/* ---- sets ------------------------------------------------------------- */

static void assign(struct param_set *set, const char *name, const char *typed)
{
	struct error error = { 0 };

	if (param_set_values(set, name, typed, &error))
		fail_msg("%s", error.message);
}

static void test_rows(void **state)
{
	struct error error = { 0 };

	assert_ptr_equal(param_row(rows, "call"), &rows[CALL]);
	assert_null(param_row(rows, "cal"));
	assert_int_equal(param_check(&rows[SIZE], "1K..1G/4", &error), 0);
	assert_int_equal(error.status, STATUS_OK);
	assert_int_equal(param_check(&rows[SIZE], "1K..1G/4x", &error), -1);
	assert_int_equal(error.column, 8);
}

static void test_points(void **state)
{
	struct param_set set, copy;
	struct args args;

	param_set_init(&set, rows);
	assert_int_equal(param_set_points(&set), 1);
	param_set_args(&set, 0, &args);
	assert_int_equal(args.size, 8388608);
	assert_true(args.cpu == PARAM_AUTO);
	assert_true(args.share == 0.01);
	assert_int_equal(args.call, 0);
	assert_string_equal(args.path, "");

	assign(&set, "size", "4K..16K");
	assign(&set, "share", "auto");
	assign(&set, "call", "times,getpid");
	assign(&set, "path", "/a,/b");
	param_set_copy(&copy, &set);
	param_set_free(&set);
	assert_int_equal(param_set_points(&copy), 12);
	param_set_args(&copy, 0, &args);
	assert_int_equal(args.size, 4096);
	assert_true(args.share == (double)PARAM_AUTO);
	assert_int_equal(args.call, 2);
	assert_string_equal(args.path, "/a");
	param_set_args(&copy, 1, &args);
	assert_int_equal(args.call, 2);
	assert_string_equal(args.path, "/b");
	param_set_args(&copy, 11, &args);
	assert_int_equal(args.size, 16384);
	assert_int_equal(args.call, 1);
	assert_string_equal(args.path, "/b");
	param_set_free(&copy);
}

static void test_too_many_points(void **state)
{
	struct param_set set;
	struct error error = { 0 };

	param_set_init(&set, rows);
	assign(&set, "size", "1..64+1");
	assign(&set, "cpu", "1..64");
	assert_int_equal(param_set_points(&set), PARAM_POINTS_MAX);
	assert_int_equal(param_set_check_points(&set, &error), 0);
	assign(&set, "cpu", "1..65");
	assert_int_equal(param_set_check_points(&set, &error), -1);
	assert_string_equal(error.message,
		"too many points: expected at most 4096 in one run, not "
		"64 of 'size' x 65 of 'cpu'");
	assert_int_equal(error.status, STATUS_USAGE);
	param_set_free(&set);
}

static void test_points_do_not_wrap(void **state)
{
	struct param_values wide = { .count = PARAM_VALUES_MAX };
	struct param_values values[8];
	struct param_set set = { .values = values, .count = 8 };

	for (int i = 0; i < 8; i++)
		values[i] = wide;
	assert_true(param_set_points(&set) == SIZE_MAX);
}

static void expect_line(struct param_set *set, const char *want)
{
	struct text line = { 0 };

	param_set_line(set, &line);
	assert_string_equal(text_chars(&line), want);
	text_free(&line);
}

static void test_line(void **state)
{
	struct param_set set;

	param_set_init(&set, rows);
	expect_line(&set, "");
	assign(&set, "size", "8192K");
	expect_line(&set, "");
	assign(&set, "size", "1K..1G/4");
	assign(&set, "call", "getpid");
	expect_line(&set, " size=1K..1G/4 call=getpid");
	assign(&set, "size", "8M");
	assign(&set, "call", "getppid");
	assign(&set, "path", "/a b\"\\");
	expect_line(&set, " path=\"/a b\\\"\\\\\"");
	assign(&set, "path", "/a-b_c.d");
	expect_line(&set, " path=/a-b_c.d");
	param_set_free(&set);
}

static void expect_accepts(int row, const char *want)
{
	struct text text = { 0 };

	param_accepts(&rows[row], true, &text);
	assert_string_equal(text_chars(&text), want);
	text_free(&text);
}

static void test_accepts(void **state)
{
	expect_accepts(SIZE, "0..1T bytes, a list or a range");
	expect_accepts(CPU, "auto or 1..1023, a list or a range");
	expect_accepts(SHARE, "auto or 0%..100%, a list or a range");
	expect_accepts(RATIO, "-10.., a list or a range");
	expect_accepts(CALL, "one of getppid, getpid, times");
	expect_accepts(PATH, "text, or a list");
	expect_accepts(REACH,
		"256..1T bytes, a list or a range up to auto");
}

static void test_bad_preset(void **state)
{
	static const struct param bad[] = {
		{ .name = "size",
			.preset = "4X",
			.unit = UNIT_BYTES,
			.max = 10,
			WHOLE_FIELD(struct args, size) },
		{ .name = NULL },
	};
	char said[200] = "";
	int ends[2], status;
	size_t length = 0;
	ssize_t got;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct param_set set;

		signal(SIGABRT, SIG_DFL);
		dup2(ends[1], STDERR_FILENO);
		param_set_init(&set, bad);
		_exit(0);
	}
	close(ends[1]);
	/* The C library may write the sentence in parts. */
	while ((got = read(ends[0], said + length,
			sizeof said - 1 - length)) > 0)
		length += (size_t)got;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	assert_string_equal(said,
		"benchtop: a preset is wrong: size: '4X' is not valid "
		"from character 2 on: expected bytes, such as 512, 4K or 1.5M\n");
}

/* ---- the experiments' presets ----------------------------------------- */

static const struct {
	const char *typed;
	enum unit unit;
	double min, max;
	size_t count;
} quantities[] = {
	{ "auto", UNIT_COUNT, 0, 1023, 1 },      /* cpu, seed, .. */
	{ "10s", UNIT_NS, 1e8, 8.64e13, 1 },     /* budget */
	{ "2", UNIT_COUNT, 2, 1000, 1 },         /* cpu.clock reads */
	{ "1s", UNIT_NS, 1e7, 1e10, 1 },         /* .frequency window */
	{ "20", UNIT_COUNT, 1, 1e5, 1 },         /* .frequency count */
	{ "0..8192*2", UNIT_COUNT, 0, 1e6, 15 }, /* .loop count */
	{ "0,1,2,4..8192*2", UNIT_COUNT, 0, 1e6, 15 },
	{ "0..7", UNIT_COUNT, 0, 7, 8 },   /* .call args */
	{ "0", UNIT_BYTES, 0, 0x1p30, 1 }, /* .process resident */
	{ "2", UNIT_COUNT, 2, 96, 1 },     /* .switch parties */
	{ "2..96", UNIT_COUNT, 2, 96, 95 },
	{ "0..1M", UNIT_BYTES, 0, 0x1p20, 22 }, /* .switch footprint */
	{ "1K..1G/4", UNIT_BYTES, 256, 0x1p40, 81 },
	{ "64", UNIT_BYTES, 4, 0x1p24, 1 },         /* mem.latency stride */
	{ "1,10,100", UNIT_COUNT, 1, 100, 3 },      /* .latency unroll */
	{ "1K..64M", UNIT_BYTES, 256, 0x1p40, 17 }, /* .mountain */
	{ "16..384+16", UNIT_BYTES, 4, 0x1p24, 24 },
	{ "64M", UNIT_BYTES, 4096, 0x1p40, 1 }, /* .fault size */
	{ "4K", UNIT_BYTES, 4096, 0x1p26, 1 },
	{ "40ms", UNIT_NS, 0, 1e10, 1 }, /* link rtt */
	{ "20ms,40ms", UNIT_NS, 0, 1e10, 2 },
	{ "20Mbit", UNIT_BITS_PER_S, 64e3, 1e9, 1 },
	{ "64Kbit..1Gbit", UNIT_BITS_PER_S, 64e3, 1e9, 14 },
	{ "80p", UNIT_QUEUE, 1, 0x1p60, 1 }, /* link queue */
	{ "10p..80p", UNIT_QUEUE, 1, 0x1p60, 4 },
	{ "56", UNIT_BYTES, 1, 65536, 1 }, /* net.rtt payload */
	{ "512..32M*4", UNIT_BYTES, 1, 0x1p30, 9 },
	{ "100", UNIT_COUNT, 1, 1e5, 1 },          /* net.connect count */
	{ "4M", UNIT_BYTES, 1, 0x1p40, 1 },        /* .slowstart bytes */
	{ "512M", UNIT_BYTES, 0x1p26, 0x1p50, 1 }, /* fs.cache limit */
	{ "4K..64M*4", UNIT_BYTES, 512, 0x1p40, 8 },
	{ "1..16", UNIT_COUNT, 1, 64, 16 }, /* fs.contention */
};

static void test_quantity_presets(void **state)
{
	for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) {
		const struct param table[] = {
			{ .name = "row",
				.preset = quantities[i].typed,
				.type = PARAM_WHOLE,
				.unit = quantities[i].unit,
				.min = quantities[i].min,
				.max = quantities[i].max,
				.automatic = true },
			{ .name = NULL },
		};
		struct param_set set;

		param_set_init(&set, table);
		if (param_set_points(&set) != quantities[i].count)
			fail_msg("%s: %zu points", quantities[i].typed,
				param_set_points(&set));
		param_set_free(&set);
	}
}

static void test_other_presets(void **state)
{
	static const char *const ops[] = { "read", "write", "copy", NULL };
	static const char *const patterns[] = { "sequential", "random",
		"sequential-mixed", "random-mixed", NULL };
	static const struct {
		struct param row;
		size_t count;
	} presets[] = {
		{ { .preset = "1%",
			  .type = PARAM_REAL,
			  .unit = UNIT_PERCENT,
			  .max = 1 },
			1 },
		{ { .preset = "0%,0.1%,1%",
			  .type = PARAM_REAL,
			  .unit = UNIT_PERCENT,
			  .max = 1 },
			3 },
		{ { .preset = "read,write,copy",
			  .type = PARAM_CHOICE,
			  .choices = ops },
			3 },
		{ { .preset = "sequential,random,sequential-mixed,"
			      "random-mixed",
			  .type = PARAM_CHOICE,
			  .choices = patterns },
			4 },
		{ { .preset = "loopback", .type = PARAM_TEXT }, 1 },
		{ { .preset = "link,box:7000,[::1]:7000", .type = PARAM_TEXT },
			3 },
		{ { .preset = "cubic,reno", .type = PARAM_TEXT }, 2 },
		{ { .preset = "nfs://server/export/", .type = PARAM_TEXT }, 1 },
	};

	for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
		struct param table[2] = { presets[i].row };
		struct param_set set;

		table[0].name = "row";
		param_set_init(&set, table);
		assert_int_equal(param_set_points(&set), presets[i].count);
		param_set_free(&set);
	}
}

/* ---- a default sweep chosen by the experiment ------------------------- */

struct chosen {
	int64_t limit, size;
};

/* Half of the limit, and the limit. */
static size_t halves(const void *context, int64_t *values, size_t most)
{
	const struct chosen *args = context;

	assert_true(most >= 2);
	values[0] = args->limit / 2;
	values[1] = args->limit;
	return 2;
}

static const struct param choosing[] = {
	{ .name = "limit",
		.preset = "8",
		.min = 2,
		.max = 1000,
		.automatic = true,
		.word = "none",
		WHOLE_FIELD(struct chosen, limit) },
	{ .name = "size",
		.preset = "auto",
		.min = 1,
		.max = 1000,
		.automatic = true,
		.stands_for = halves,
		WHOLE_FIELD(struct chosen, size) },
	{ .name = NULL },
};

static void chooses(const char *limit, const char *size, const char *wanted)
{
	struct param_set set;
	struct text list = { 0 };

	param_set_init(&set, choosing);
	assign(&set, "limit", limit);
	assign(&set, "size", size);
	assert_int_equal(set.values[1].count, 1);
	param_set_expand(&set, sizeof(struct chosen));
	for (size_t i = 0; i < set.values[1].count; i++)
		text_add(&list, "%s%d", i ? " " : "",
			(int)set.values[1].list[i].whole);
	assert_string_equal(text_chars(&list), wanted);
	/* The typed text repeats the same sweep. */
	assert_string_equal(set.values[1].typed, size);
	text_free(&list);
	param_set_free(&set);
}

static void test_chosen_sweeps(void **state)
{
	chooses("8", "auto", "4 8");
	/* For several limits: the union of their values, each once. */
	chooses("16,8,4", "auto", "2 4 8 16");
	chooses("8", "5", "5");
}

static void test_another_word(void **state)
{
	struct param_set set;
	struct error error = { 0 };
	struct text text = { 0 };

	param_set_init(&set, choosing);
	assign(&set, "limit", "none,8");
	assert_true(set.values[0].list[0].whole == PARAM_AUTO);
	param_set_text(&set, 0, 0, &text);
	assert_string_equal(text_chars(&text), "none");
	text_clear(&text);
	param_accepts(&choosing[0], true, &text);
	assert_non_null(strstr(text_chars(&text), "none or 2..1000"));
	assert_int_equal(param_set_values(&set, "limit", "auto", &error), -1);
	assert_non_null(strstr(error.message, ", or none"));
	text_free(&text);
	param_set_free(&set);
}

/* A list of counters is one value, in any order. */
static void test_combined_choices(void **state)
{
	static const struct {
		const char *typed, *said;
		int column;
	} wrong[] = {
		{ "none,cycles", "'cycles' cannot be combined with none", 6 },
		{ "cycles,auto", "'auto' cannot be combined with cycles", 8 },
		{ "cycles,cycles", "repeats the value 'cycles'", 8 },
		{ "cycles,", "'' is not a choice", 7 },
		{ "cycels", "did you mean 'cycles'?", 1 },
	};
	const struct param *row = param_row(common_params, "counters");
	struct param_set set, copy;
	struct common common;
	struct text text = { 0 };
	struct error error;

	param_set_init(&set, common_params);
	common_values(&set, &common);
	assert_int_equal(common.counters, 1 << COUNT_NONE);
	param_set_line(&set, &text);
	assert_int_equal(text.length, 0);
	assign(&set, "counters", "page-faults,cycles");
	assert_int_equal(param_set_points(&set), 1);
	param_set_copy(&copy, &set);
	common_values(&copy, &common);
	assert_int_equal(common.counters,
		(1 << COUNTER_CYCLES | 1 << COUNTER_PAGE_FAULTS)
			<< COUNT_NAMED);
	param_set_line(&copy, &text);
	assert_string_equal(text.chars, " counters=page-faults,cycles");
	text_clear(&text);
	param_set_text(&copy, 0, (size_t)(row - common_params), &text);
	assert_string_equal(text.chars, "cycles,page-faults");
	text_clear(&text);
	param_accepts(row, false, &text);
	assert_non_null(strstr(text.chars,
		"none, auto or a list of instructions, cycles, cache-"));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_int_equal(param_check(row, wrong[i].typed, &error), -1);
		assert_non_null(strstr(error.message, wrong[i].said));
		assert_int_equal(error.column, wrong[i].column);
	}
	text_free(&text);
	param_set_free(&copy);
	param_set_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_names),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_too_many_points),
		cmocka_unit_test(test_points_do_not_wrap),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_accepts),
		cmocka_unit_test(test_bad_preset),
		cmocka_unit_test(test_quantity_presets),
		cmocka_unit_test(test_other_presets),
		cmocka_unit_test(test_chosen_sweeps),
		cmocka_unit_test(test_another_word),
		cmocka_unit_test(test_combined_choices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
