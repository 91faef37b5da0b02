/* Caches as the kernel reports them, and which of them a chain fits. */
#include "caches.h"

#include "fake_root.h"

static void write_file(const char *folder, const char *name,
	const char *content)
{
	char path[128], line[64];

	snprintf(path, sizeof path, "/sys/devices/system/cpu%s/%s", folder,
		name);
	snprintf(line, sizeof line, "%s\n", content);
	fake_file(path, line);
}

static void write_cache(int cpu, int index, const char *level, const char *type,
	const char *size, const char *ways, const char *shared)
{
	char folder[64];

	snprintf(folder, sizeof folder, "/cpu%d/cache/index%d", cpu, index);
	write_file(folder, "level", level);
	write_file(folder, "type", type);
	write_file(folder, "size", size);
	write_file(folder, "ways_of_associativity", ways);
	write_file(folder, "coherency_line_size", "64");
	write_file(folder, "shared_cpu_list", shared);
}

/* Four processors, two share an L3. */
static int make_root(void **state)
{
	if (fake_open(state))
		return -1;
	write_file("", "online", "0-1,2,3");
	for (int cpu = 0; cpu < 4; cpu++) {
		char own[8];

		snprintf(own, sizeof own, "%d", cpu);
		write_cache(cpu, 0, "1", "Data", "48K", "12", own);
		write_cache(cpu, 1, "1", "Instruction", "32K", "8", own);
		write_cache(cpu, 2, "2", "Unified", "2048K", "16", own);
		write_cache(cpu, 3, "3", "Unified", "32768K", "16",
			cpu < 2 ? "0-1" : "2-3");
	}
	return 0;
}

static void reads_what_holds_data(void **state)
{
	struct caches caches;

	caches_read(&caches, fake_root, 2);
	assert_int_equal(caches.count, 3);
	assert_int_equal(caches.list[0].level, LEVEL_L1);
	assert_int_equal(caches.list[0].size_bytes, 48 << 10);
	assert_int_equal(caches.list[0].ways, 12);
	assert_int_equal(caches.list[0].line_bytes, 64);
	assert_int_equal(caches.list[2].level, LEVEL_L3);
	assert_int_equal(caches.list[2].size_bytes, 32 << 20);
	caches_read(&caches, fake_root, 9);
	assert_int_equal(caches.count, 0);
}

static void counts_each_last_cache_once(void **state)
{
	assert_int_equal(caches_last_total(fake_root), 64 << 20);
	assert_int_equal(caches_last_total("/nowhere"), 0);
}

static void assert_serves(uint64_t nodes, uint64_t stride, const char *level)
{
	struct caches caches;
	struct text text = { 0 };

	caches_read(&caches, fake_root, 0);
	const struct serving serving = caches_serving(&caches, nodes, stride);
	serving_write(&serving, &text);
	assert_string_equal(text_chars(&text), level);
	text_free(&text);
}

static void names_the_level_that_serves(void **state)
{
	assert_serves(16, 64, "L1d");
	assert_serves((32 << 10) / 64, 64, "L1d");
	assert_serves((48 << 10) / 64, 64, "L1d and L2");
	assert_serves((64 << 10) / 64, 64, "L2");
	assert_serves((1 << 20) / 64, 64, "L2");
	assert_serves((8 << 20) / 64, 64, "L3");
	assert_serves((32 << 20) / 64, 64, "L3 and memory");
	assert_serves((64 << 20) / 64, 64, "memory");
}

static void short_strides_share_lines(void **state)
{
	assert_serves((32 << 10) / 8, 8, "L1d");
	assert_serves((1 << 20) / 4, 4, "L2");
}

static void sets_left_out_make_a_cache_smaller(void **state)
{
	/* All lines are in one set of twelve ways. */
	assert_serves(8, 4096, "L1d");
	assert_serves(12, 4096, "L1d and L2");
	assert_serves(16, 4096, "L2");
	/* At a distance of three lines, every set is used in the end. */
	assert_serves(512, 192, "L1d");
	assert_serves(1024, 192, "L2");
	/* At most all ways of one set, at any larger distance. */
	assert_serves(16, 16 << 20, "L2 and L3");
	assert_serves(64, 16 << 20, "memory");
}

static void unknown_caches_serve_nothing(void **state)
{
	struct caches caches = { .count = 0 };

	assert_int_equal(caches_serving(&caches, 16, 64).level, LEVEL_UNKNOWN);
}

static void ways_go_into_a_note_and_back(void **state)
{
	struct caches caches;
	struct text text = { 0 };
	unsigned ways[CACHES_MAX];

	caches_read(&caches, fake_root, 0);
	caches_write_ways(&caches, &text);
	assert_string_equal(text_chars(&text), "12 16 16");
	assert_int_equal(caches_read_ways(text_chars(&text), ways), 3);
	assert_int_equal(ways[0], 12);
	assert_int_equal(ways[2], 16);
	assert_int_equal(caches_read_ways(NULL, ways), 0);
	assert_int_equal(caches_read_ways("8 x", ways), 1);
	assert_int_equal(caches_read_ways("1 2 3 4 5 6", ways), CACHES_MAX);
	text_free(&text);
}

static void a_sweep_reaches_as_far_each_time(void **state)
{
	int64_t reach = caches_reach_bytes();

	assert_in_range(reach, 1, 1 << 30);
	assert_true(caches_reach(4, 0) >= reach);
	assert_true(caches_reach(2, 0) <= caches_reach(4, 0));
	assert_true(caches_reach(2, (uint64_t)1 << 40) >= reach);
	assert_int_equal(caches_reach_bytes(), reach);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_holds_data),
		cmocka_unit_test(counts_each_last_cache_once),
		cmocka_unit_test(names_the_level_that_serves),
		cmocka_unit_test(short_strides_share_lines),
		cmocka_unit_test(sets_left_out_make_a_cache_smaller),
		cmocka_unit_test(unknown_caches_serve_nothing),
		cmocka_unit_test(ways_go_into_a_note_and_back),
		cmocka_unit_test(a_sweep_reaches_as_far_each_time),
	};

	return cmocka_run_group_tests(tests, make_root, fake_close);
}
