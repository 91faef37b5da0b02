/* The --json reply of every verb is one JSON document, also for failed runs. */
#include "schema.h"

static void assert_reply(const char *program, const char *line, int status)
{
	struct ran ran = RUN(program, "-c", line);

	assert_status(ran, status);
	assert_true(ran.out.length > 0);
	assert_json(&ran.out, line);
	ran_free(&ran);
}

/* The replies to all lines, in one process: a document for each. */
static void assert_replies(const struct text *lines, size_t count)
{
	struct ran ran = RUN(PROGRAM, "-c", text_chars(lines));

	assert_status(ran, 0);
	assert_int_equal(count_json(&ran.out, text_chars(lines)), count);
	ran_free(&ran);
}

/* The verbs whose tables have --json, in each of their forms. */
static void test_verbs(void **state)
{
	static const char *const lines[] = {
		"list --json",
		"list cpu --json",
		"machine --json",
		"score --json",
		"show cpu.call --json",
		"show cpu.call args=0..7 budget=3s --json",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_reply(PROGRAM, lines[i], 0);
}

static void test_experiments(void **state)
{
	struct ran ran = RUN(PROGRAM, "complete", "show ");
	struct text lines = { 0 };
	size_t count = 0;

	for (char *name = strtok(ran.out.chars, "\n"); name;
		name = strtok(NULL, "\n"), count++)
		text_add(&lines, "%sshow %s --json", count ? "; " : "", name);
	assert_true(count > 20);
	assert_replies(&lines, count);
	text_free(&lines);
	ran_free(&ran);
}

/* At most 80 columns, except for commands, which are to be copied. */
static void test_doctor_width(void **state)
{
	struct ran ran = RUN(PROGRAM, "doctor", "-v");
	char *rest = NULL;
	size_t lines = 0;

	assert_status(ran, 0);
	/* Gaps by decade, and comparisons of a setting with itself. */
	assert_contains(ran.out, "\n                       10 to 100 us ");
	assert_contains(ran.out, "cpu.loop ");
	assert_contains(ran.out, "cpu.syscall ");
	for (char *line = strtok_r(ran.out.chars, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest), lines++) {
		if (line[strspn(line, " ")] == '$')
			continue;
		if (strlen(line) > 80)
			fail_msg("%zu columns: %s", strlen(line), line);
	}
	assert_true(lines > 10);
	ran_free(&ran);
}

/* The short form also has at most 80 columns, and no line for a check that is
 * ok. */
static void test_doctor_brief(void **state)
{
	struct ran ran = RUN(PROGRAM, "doctor");
	char *rest = NULL;

	assert_status(ran, 0);
	assert_contains(ran.out, " ok; -v lists them");
	for (char *line = strtok_r(ran.out.chars, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest)) {
		if (strlen(line) > 80)
			fail_msg("%zu columns: %s", strlen(line), line);
		assert_int_not_equal(strncmp(line, "  ok ", 5), 0);
	}
	ran_free(&ran);
}

static void test_doctor(void **state)
{
	assert_reply(PROGRAM, "doctor --json", 0);
}

static void test_runs(void **state)
{
	assert_reply(SELFTEST,
		"run selftest.adds launches=6 trials=20 budget=2s --json", 0);
	assert_reply(SELFTEST,
		"run selftest.adds links=0,10 launches=6 trials=20 budget=2s "
		"--json",
		0);
	assert_reply(SELFTEST,
		"run selftest.fault how=abort launch=2 launches=6 budget=2s "
		"--json",
		5);
	assert_reply(SELFTEST,
		"run selftest.fault how=unavailable phase=setup launches=6 "
		"budget=2s --json",
		4);
	assert_reply(SELFTEST,
		"run selftest.fault how=invalid phase=cleanup launches=6 "
		"budget=2s --json",
		0);
}

/* No other verb has the option; an unknown one is refused. */
static void test_others(void **state)
{
	static const char *const verbs[] = { "set", "note x", "save", "help",
		"verify x", "export csv", "quit" };

	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		char line[64];

		snprintf(line, sizeof line, "%s --json", verbs[i]);
		struct ran ran = RUN(PROGRAM, "-c", line);
		assert_status(ran, 2);
		assert_contains(ran.err, "has no option '--json'");
		ran_free(&ran);
	}
}

static void test_lines(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.adds links=0,10 launches=6 trials=20 budget=2s; "
		"save it.json; export jsonl lines.jsonl; export jsonl --trials "
		"trials.jsonl");

	assert_status(ran, 0);
	ran_free(&ran);
	static const char *const files[] = { "lines.jsonl", "trials.jsonl" };
	for (size_t f = 0; f < 2; f++) {
		struct text list = { 0 };
		char *content = read_whole(files[f]);
		size_t count = 0;

		for (char *line = strtok(content, "\n"); line;
			line = strtok(NULL, "\n"))
			text_add(&list, "%s%s", count++ ? "," : "[", line);
		text_add_char(&list, ']');
		assert_true(count >= 2);
		assert_json(&list, files[f]);
		text_free(&list);
		free(content);
	}
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verbs),
		cmocka_unit_test(test_experiments),
		cmocka_unit_test(test_doctor),
		cmocka_unit_test(test_doctor_width),
		cmocka_unit_test(test_doctor_brief),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
