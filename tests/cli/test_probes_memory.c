/* The memory experiments: refusals, notes, and no change of the machine. */
#include "run.h"

#define QUICK "budget=2s", "launches=6", "trials=5"

/* Checks for a finding, unless there are not enough data for it. On a shared
 * machine this may apply to all findings. */
static void assert_found(const struct ran *ran, const char *sentence)
{
	if (contains(&ran->out, "not enough data") ||
		contains(&ran->out, "shared core") ||
		contains(&ran->out, "all trials excluded"))
		return;
	assert_contains(ran->out, sentence);
}

static void latency_notes_what_it_measured(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "mem.latency", "size=4K,300K",
		"stride=64,24", "order=forward,random", QUICK, "--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "\"level\":");
	assert_contains(ran.out, "\"pages\":\"4K\"");
	assert_contains(ran.out, "\"chain\":\"one cycle of 64 nodes\"");
	assert_contains(ran.out, "\"chain\":\"one cycle of 12800 nodes\"");
	assert_false(contains(&ran.out, "\"state\":\"invalid\""));
	ran_free(&ran);
}

/* Every order, stride and way of walking has a figure. */
static void latency_walks_in_every_order(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "mem.latency", "size=64K",
		"stride=4,8,200,4K",
		"order=local,random,page-local,jitter,forward,backward",
		"unroll=1,10,100", QUICK, "-v");

	assert_status(ran, 0);
	assert_false(contains(&ran.out, "unavailable"));
	assert_false(contains(&ran.out, "invalid"));
	assert_int_equal(lines_beginning(&ran.out, "  stride="), 72);
	ran_free(&ran);
}

static void what_does_not_fit_is_refused_in_words(void **state)
{
	static const struct {
		const char *experiment, *size, *needs;
	} runs[] = { { "mem.latency", "size=1T",
			     "needs 1.000 TiB of memory, " },
		{ "mem.mountain", "size=1T", "needs 1.000 TiB of memory, " },
		{ "mem.hierarchy", "max=64G", "needs 64.00 GiB of memory, " },
		{ "mem.bandwidth", "size=1T", "needs 1.000 TiB of memory, " } };

	double gibibytes = (double)sysconf(_SC_PHYS_PAGES) *
		(double)sysconf(_SC_PAGESIZE) / (1 << 30);

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		/* The row's limit is 64 GiB, which some machines have. */
		if (!strncmp(runs[i].size, "max", 3) && gibibytes >= 64)
			continue;
		struct ran ran = RUN(PROGRAM, "run", runs[i].experiment,
			runs[i].size, QUICK, "-v");

		assert_status(ran, 4);
		assert_contains(ran.out, runs[i].needs);
		assert_contains(ran.out, " available");
		assert_contains(ran.out, "after 0 launches");
		ran_free(&ran);
	}
}

static void a_stride_without_a_second_node_is_no_point(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "mem.latency", "size=4K,16K",
		"stride=4K", "order=random", QUICK, "-v");

	assert_status(ran, 0);
	assert_contains(ran.out,
		"size=4K  unavailable: an array of 4096 bytes has no two "
		"nodes 4096 bytes apart");
	/* Some guests report no caches. Then the level is unknown. */
	if (access("/sys/devices/system/cpu/cpu0/cache", F_OK))
		assert_false(contains(&ran.out, "serves a load"));
	else
		assert_found(&ran, "L1d serves a load");
	ran_free(&ran);
}

static void a_sweep_may_end_in_auto(void **state)
{
	struct ran ran = RUN(PROGRAM, "show", "mem.latency");

	assert_status(ran, 0);
	assert_contains(ran.out, "auto");
	ran_free(&ran);
	/* Each point has its own reasons; page walks are not among the reasons
	 * of a point of one page. */
	ran = RUN(PROGRAM, "show", "mem.latency", "size=4K,256M",
		"order=random");
	assert_status(ran, 0);
	assert_contains(ran.out, "because, for size=256M: from ");
	assert_contains(ran.out, "page walks up to ");
	ran_free(&ran);
	ran = RUN(PROGRAM, "show", "mem.latency", "size=4K", "order=random");
	assert_status(ran, 0);
	assert_contains(ran.out, "because: from ");
	assert_false(contains(&ran.out, "page walks up to"));
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "mem.latency", "size=auto..1M");
	assert_status(ran, 2);
	assert_contains(ran.err, "'auto' cannot be an end of a range");
	ran_free(&ran);
}

/* The words of a finding are those of this version; its value follows from the
 * trials. */
static void check_findings(const char *path)
{
	char *file = read_whole(path);
	char *sentence = strstr(file, "\"sentence\":\"L1d holds");

	assert_non_null(sentence);
	memcpy(strstr(sentence, "holds"), "keeps", 5);
	write_file(path, file);
	struct ran ran = RUN(PROGRAM, "verify", path);
	assert_status(ran, 0);
	ran_free(&ran);
	char *value = strstr(sentence, "\"value\":");
	assert_non_null(value);
	value += strcspn(value, "123456789");
	*value = *value == '9' ? '8' : (char)(*value + 1);
	write_file(path, file);
	ran = RUN(PROGRAM, "verify", path);
	assert_status(ran, 3);
	assert_contains(ran.err, "the file has L1d ");
	assert_contains(ran.err, ", its trials give L1d ");
	ran_free(&ran);
	free(file);
}

/* The sizes that are found depend on the machine. The test checks that all
 * curves are stored, and that the file gives the same findings. */
static void hierarchy_keeps_its_curves(void **state)
{
	struct text line = { 0 };
	const char *path = in_folder("hierarchy.json");

	text_add(&line,
		"run mem.hierarchy max=256K budget=4s launches=6; save %s",
		path);
	struct ran ran = RUN(PROGRAM, "-c", line.chars);
	assert_status(ran, 0);
	assert_found(&ran, "first level, per launch");
	assert_found(&ran, "L1d holds");
	ran_free(&ran);
	text_free(&line);
	ran = RUN(PROGRAM, "verify", path);
	assert_status(ran, 0);
	ran_free(&ran);
	char *file = read_whole(path);
	const char *traces = strstr(file, "\"traces\"");
	assert_non_null(traces);
	assert_non_null(strstr(traces, "\"capacity\""));
	assert_non_null(strstr(traces, "\"entries\""));
	assert_non_null(strstr(traces, "\"pairs\""));
	free(file);
	check_findings(path);
}

/* Chains of the same length in the first cache, from 1 to as many as there are
 * registers. */
static void parallel_walks_all_numbers_of_chains(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "mem.parallel", "chains=1..12",
		"size=4K,1M", "order=local,random", QUICK, "-v");

	assert_status(ran, 0);
	assert_false(contains(&ran.out, "unavailable"));
	assert_false(contains(&ran.out, "invalid"));
	assert_found(&ran, " chains: an array of size 4K serves ");
	assert_found(&ran, " chains: an array of size 1M serves ");
	ran_free(&ran);
}

static void mountain_has_a_summit_and_a_foot(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "mem.mountain", "size=1K,256K",
		"stride=16,64", QUICK);

	assert_status(ran, 0);
	assert_found(&ran, "the highest throughput is ");
	assert_found(&ran, "the lowest throughput is ");
	assert_found(&ran, "it uses whole lines");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency_notes_what_it_measured),
		cmocka_unit_test(latency_walks_in_every_order),
		cmocka_unit_test(what_does_not_fit_is_refused_in_words),
		cmocka_unit_test(a_stride_without_a_second_node_is_no_point),
		cmocka_unit_test(a_sweep_may_end_in_auto),
		cmocka_unit_test(hierarchy_keeps_its_curves),
		cmocka_unit_test(parallel_walks_all_numbers_of_chains),
		cmocka_unit_test(mountain_has_a_summit_and_a_foot),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
