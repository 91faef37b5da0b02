/* mem.fault: denominators, refusals, and nothing left behind. */
#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>

#include "run.h"

#define FAULT(...)                                                             \
	RUN(PROGRAM, "run", "mem.fault", "size=1M", "launches=6", "trials=10", \
		"budget=20s", __VA_ARGS__)

/* Under any load, the kernel's count is one page per fault. An additional fault
 * from elsewhere invalidates the visit, but not the point. */
static void test_one_page_a_fault(void **state)
{
	static const char *const kinds[] = { "kind=minor-anon",
		"kind=minor-zero", "kind=cow" };

	skip_if_instrumented();
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct ran ran = FAULT(kinds[i], "stride=4K,20K,256K");

		assert_status(ran, 0);
		assert_false(contains(&ran.out, "invalid"));
		assert_false(contains(&ran.out, "not measured"));
		ran_free(&ran);
		ran = FAULT(kinds[i], "order=random", "-v");
		assert_status(ran, 0);
		assert_contains(ran.out, "pages touched per fault");
		assert_contains(ran.out, "1.000");
		assert_false(contains(&ran.out, "invalid"));
		ran_free(&ran);
	}
	assert_int_equal(processes_of(PROGRAM), 0);
}

/* Checks the samples in the session file, not only the text. A count needs few
 * launches under any load; a time may need more than six. */
static void test_samples(void **state)
{
	static const char *const held[] = {
		"ok   mem.fault.pages-per-fault min 1.000 >= 1.000",
		"ok   mem.fault.pages-per-fault max 1.000 <= 1.000",
	};

	struct ran ran = RUN(PROGRAM, "-c",
		"run mem.fault size=2M kind=cow launches=6 trials=20; "
		"expect mem.fault.pages-per-fault min >= 1; "
		"expect mem.fault.pages-per-fault max <= 1; "
		"expect mem.fault.touch min > 50ns");

	assert_status(ran, contains(&ran.out, "?    mem.fault") ? 7 : 0);
	assert_false(contains(&ran.out, "FAIL"));
	for (size_t i = 0; i < 2; i++)
		assert_contains(ran.out, held[i]);
	ran_free(&ran);
}

static void refuses(const char *kind, const char *setting, const char *why)
{
	struct ran ran = FAULT(kind, setting);

	assert_contains(ran.out, why);
	assert_contains(ran.out, "unavailable");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

/* The folder of these tests is on tmpfs. */
static void test_refusals(void **state)
{
	refuses("kind=minor-anon", "touch=read", "kind=minor-zero");
	refuses("kind=cow", "touch=read", "kind=cow needs touch=write");
	refuses("kind=cow", "pages=thp", "pages=thp needs kind");
	refuses("kind=minor-file", "pages=thp", "pages=thp needs kind");
	refuses("kind=major-file", "order=fixed",
		"is on tmpfs, which is memory");
}

/* Runs major faults on a file below /var/tmp; skips if that is no disk. */
static struct ran major_faults(const char *advice, const char *size)
{
	char disk[] = "/var/tmp/benchtop-test-XXXXXX";
	struct text command = { 0 };

	if (!mkdtemp(disk))
		skip_because("no disk below /var/tmp here");
	setenv("XDG_STATE_HOME", disk, 1);
	struct ran ran = RUN(PROGRAM, "run", "mem.fault", "kind=major-file",
		advice, size, "launches=6", "trials=5", "--json");
	setenv("XDG_STATE_HOME", in_folder("state"), 1);
	text_add(&command, "rm -rf %s", disk);
	assert_int_equal(system(text_chars(&command)), 0);
	text_free(&command);
	assert_status(ran, 0);
	if (contains(&ran.out, "which is memory")) {
		ran_free(&ran);
		skip_because("no disk below /var/tmp here");
	}
	return ran;
}

/* The core sleeps until the disk has answered. A canary that runs after it
 * wakes does not show whether the core was shared. */
static void test_waiting_is_not_judged(void **state)
{
	struct ran ran = major_faults("advice=random", "size=1M");

	assert_contains(ran.out, "\"trials\":30");
	assert_contains(ran.out, "\"regime\":\"pooled\"");
	assert_false(contains(&ran.out, "\"regime\":\"shared\""));
	assert_false(contains(&ran.out, "\"mixed\":"));
	assert_false(contains(&ran.out, "\"frequency\":"));
	ran_free(&ran);
}

/* The kernel may count one major fault in a whole pass. The others, which wait
 * for pages that read-ahead is fetching, are faults too. A fault maps a large
 * page at most, of 512 small ones. */
static void test_faults_on_pages_under_way_count(void **state)
{
	struct ran ran = major_faults("advice=normal", "size=16M");
	static const char figure[] = "\"pages-per-fault\":{\"unit\":\"\",";
	const char *median = strstr(text_chars(&ran.out), figure);
	double pages = 0;

	assert_non_null(median);
	assert_int_equal(sscanf(median + strlen(figure), "\"median\":%lf",
				 &pages),
		1);
	assert_true(pages >= 1 && pages <= 512);
	ran_free(&ran);
}

/* A size that is refused is refused at once: the order of its touches, a GiB,
 * is not drawn. */
static void test_too_large(void **state)
{
	struct rusage used;

	struct ran ran = RUN(PROGRAM, "run", "mem.fault", "size=1T,1M",
		"kind=minor-anon,cow,minor-file", "launches=6", "trials=5");

	assert_status(ran, 0);
	assert_contains(ran.out, "needs 1.000 TiB of memory");
	assert_contains(ran.out, "needs 2.000 TiB of memory");
	assert_contains(ran.out, " are available: expected a smaller size");
	getrusage(RUSAGE_CHILDREN, &used);
	assert_true(used.ru_maxrss < 512 << 10);
	/* The other size is still measured. */
	assert_false(contains(&ran.out, "not measured"));
	ran_free(&ran);
}

static size_t files_but_sessions(const char *path)
{
	DIR *entries = opendir(path);
	size_t count = 0;

	for (struct dirent *entry; entries && (entry = readdir(entries));)
		count += entry->d_name[0] != '.' ?
			!strstr(entry->d_name, ".json") :
			strcmp(entry->d_name, ".") &&
				strcmp(entry->d_name, "..");
	if (entries)
		closedir(entries);
	return count;
}

static void test_nothing_is_left(void **state)
{
	struct ran ran = FAULT("kind=minor-anon", "touch=write");
	const char *path = in_folder("state/benchtop");
	size_t before = files_but_sessions(path);

	ran_free(&ran);
	ran = FAULT("kind=minor-file", "touch=read,write");
	assert_status(ran, 0);
	assert_contains(ran.out, "time per fault");
	assert_int_equal(files_but_sessions(path), before);
	ran_free(&ran);
}

/* Counted trials do not write the traces of the timed ones again, which would
 * fill the tape in the first launch. */
static void test_counted(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "mem.fault", "size=64M",
		"launches=6", "trials=8", "budget=20s", "counters=auto");

	assert_status(ran, 0);
	assert_contains(ran.out, "measured   6 launches");
	assert_contains(ran.out, ", 48 trials");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_one_page_a_fault),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_waiting_is_not_judged),
		cmocka_unit_test(test_faults_on_pages_under_way_count),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_nothing_is_left),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
