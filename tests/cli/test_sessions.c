/* Session files of all kinds of runs are valid by the schema, agree with their
 * trials, and are unchanged after loading and saving. */
#include "schema.h"
#include "watch.h"

#define OLDER SOURCE_FOLDER "/tests/unit/session/older"
#define SMALL " launches=6 trials=20 budget=2s; "

static void check_file(const char *name)
{
	char line[128], again[64];

	struct ran ran = RUN(SELFTEST, "verify", name);
	assert_status(ran, 0);
	assert_contains(ran.out, "every figure follows from the trials");
	ran_free(&ran);
	snprintf(again, sizeof again, "again-%s", name);
	snprintf(line, sizeof line, "load %s; save %s", name, again);
	ran = RUN(SELFTEST, "-c", line);
	assert_status(ran, 0);
	ran_free(&ran);
	char *first = read_whole(name), *second = read_whole(again);
	assert_string_equal(first, second);
	free(first);
	free(second);
}

static void test_runs(void **state)
{
	static const struct {
		const char *name, *line;
		int status;
	} rows[] = {
		{ "empty.json",
			"note x; save empty.json; note --delete=1; "
			"save empty.json",
			0 },
		{ "notes.json",
			"note 'a \"quote\", a \\, a\ttab\nand \xe2\x82\xac'; "
			"note -- --dashes; save notes.json",
			0 },
		{ "single.json", "run selftest.adds" SMALL "save single.json",
			0 },
		{ "sweep.json",
			"run selftest.adds links=0,10,100,1000" SMALL
			"note between; run selftest.adds links=10" SMALL
			"save sweep.json",
			0 },
		{ "predicted.json",
			"predict selftest.adds hw=10..50ns sw=0; "
			"run selftest.adds" SMALL "save predicted.json",
			0 },
		{ "failed.json",
			"run selftest.fault how=segv phase=trials launch=3 "
			"trials=20 launches=6 budget=2s; save failed.json",
			5 },
		{ "pilot.json",
			"run selftest.fault how=abort phase=setup launch=0 "
			"launches=6 budget=2s; save pilot.json",
			5 },
		{ "unavailable.json",
			"run selftest.fault how=unavailable,nothing "
			"phase=setup" SMALL "save unavailable.json",
			0 },
		{ "invalid.json",
			"run selftest.fault how=invalid phase=cleanup" SMALL
			"save invalid.json",
			0 },
		{ "doctor.json", "doctor; save doctor.json", 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ran ran = RUN(SELFTEST, "-c", rows[i].line);

		assert_status(ran, rows[i].status);
		ran_free(&ran);
		check_file(rows[i].name);
	}
}

/* One point of every real experiment. */
static void test_experiments(void **state)
{
	struct ran ran = RUN(PROGRAM, "-c",
		"run cpu.call args=1 launches=6 trials=20 budget=1s; "
		"run cpu.syscall launches=6 trials=20 budget=1s; "
		"run cpu.switch launches=6 trials=5 budget=1s; "
		"run cpu.process launches=6 trials=5 budget=1s; "
		/* A finding that depends on a text argument. */
		"run net.rtt proto=tcp launches=6 trials=20 budget=1s; "
		"run net.connect count=5 launches=6 trials=2 budget=1s; "
		"save real.json");

	assert_status(ran, 0);
	ran_free(&ran);
	check_file("real.json");
}

static const char *const long_run[] = { "-c",
	"run selftest.adds trials=10000 launches=30 budget=60s; "
	"save stopped.json",
	NULL };

static pid_t start_long_run(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pid_t pid = start(SELFTEST, long_run, null, null);

	close(null);
	assert_true(wait_for_trials(pid));
	return pid;
}

static void test_stopped(void **state)
{
	pid_t pid = start_long_run();

	kill(pid, SIGINT);
	assert_int_equal(wait_status(pid), 130);
	check_file("stopped.json");
}

static void test_recovered(void **state)
{
	pid_t pid = start_long_run();

	kill(pid, SIGKILL);
	wait_status(pid);
	/* The worker dies with its lab, but not in the same instant. */
	for (int i = 0; i < 2000 && processes_of(SELFTEST); i++)
		pause_ms(5);
	struct ran ran = RUN(SELFTEST, "-c", "recover; save recovered.json");
	assert_status(ran, 0);
	assert_contains(ran.out, "recovered selftest.adds");
	ran_free(&ran);
	check_file("recovered.json");
	char *content = read_whole("recovered.json");
	assert_non_null(strstr(content, "\"recovered\":true"));
	free(content);
}

/* One digit of one figure, or one trial, is changed: each change is found,
 * with its path. A changed canary is found by the first figure that depends on
 * it. */
static void tamper(const char *member, const char *at_path, const char *says)
{
	char *content = read_whole("sweep.json");
	char *at = strstr(content, member);

	assert_non_null(at);
	at += strcspn(at, "123456789");
	*at = *at == '9' ? '8' : (char)(*at + 1);
	write_file("tampered.json", content);
	free(content);
	struct ran ran = RUN(SELFTEST, "verify", "tampered.json");
	assert_status(ran, 3);
	assert_int_equal(ran.out.length, 0);
	assert_contains(ran.err, at_path);
	assert_contains(ran.err, says);
	ran_free(&ran);
}

static void test_tampered(void **state)
{
	static const char run[] = "tampered.json: runs[0].";
	static const char point[] = "tampered.json: runs[0].points[0].";

	tamper("\"median\":", point, ": the file has");
	tamper("\"mean\":", point, ": the file has");
	tamper("\"max\":", point, ": the file has");
	tamper("\"pooled\":{\"trials\":", point,
		".regimes.pooled.trials: the file has");
	tamper("\"ticks\":[", point, "");
	tamper("\"canary_throughput\":[", run, ": the file has");
	tamper("\"flags\":[", point, "");
}

/* A newer minor version loads, and its unknown members are reported. It is not
 * overwritten without an option, and neither are other programs' files. */
static void test_newer(void **state)
{
	static const char from[] = "\"schema\":[1,8]";
	char *content = read_whole("single.json");
	char *at = strstr(content, from);
	struct text text = { 0 };

	assert_non_null(at);
	text_add(&text, "%.*s\"schema\":[1,9],\"sky\":\"blue\"%s",
		(int)(at - content), content, at + strlen(from));
	write_file("newer.json", text.chars);
	free(content);
	struct ran ran = RUN(SELFTEST, "-c",
		"load newer.json; note more; save newer.json");
	assert_status(ran, 74);
	assert_contains(ran.out, "unknown members: sky");
	assert_contains(ran.err, "will not overwrite 'newer.json': sky");
	ran_free(&ran);
	content = read_whole("newer.json");
	assert_string_equal(content, text.chars);
	free(content);
	ran = RUN(SELFTEST, "-c", "note x; save newer.json");
	assert_status(ran, 74);
	assert_contains(ran.err, "a newer benchtop wrote it");
	ran_free(&ran);
	ran = RUN(SELFTEST, "-c", "load newer.json; save --force newer.json");
	assert_status(ran, 0);
	ran_free(&ran);
	check_file("newer.json");
	text_free(&text);
}

/* Their figures were made by older rules. */
static void test_older_verify(void **state)
{
	enum { MINORS = 8 };

	for (unsigned minor = 0; minor < MINORS; minor++) {
		char path[400], says[100];

		snprintf(path, sizeof path, OLDER "/1.%u.json", minor);
		snprintf(says, sizeof says,
			"The figures of schema 1.%u follow other rules", minor);
		struct ran ran = RUN(PROGRAM, "verify", path);
		assert_status(ran, 0);
		assert_contains(ran.out, says);
		ran_free(&ran);
	}
	assert_int_equal(assert_valid(OLDER), MINORS);
}

/* All files written above, and the autosaved sessions. */
static void test_valid(void **state)
{
	assert_true(assert_valid(".") >= 28);
	assert_true(assert_valid("state/benchtop/sessions") >= 8);
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_experiments),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_recovered),
		cmocka_unit_test(test_tampered),
		cmocka_unit_test(test_newer),
		cmocka_unit_test(test_older_verify),
		cmocka_unit_test(test_valid),
	};

	if (!has_jsonschema())
		return 77;
	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
