/* Processors and caches from sysfs. */
#include "cpu_map.h"
#include "fake_tree.h"

#define CPUS "/sys/devices/system/cpu"

static void cpu_file(int cpu, const char *name, const char *content)
{
	struct text path = { 0 };

	text_add(&path, CPUS "/cpu%d/%s", cpu, name);
	fake_file(path.chars, content);
	text_free(&path);
}

static void cache(int cpu, int index, const char *level, const char *type,
	const char *size, const char *shared)
{
	static const char *const names[] = { "level", "type", "size",
		"shared_cpu_list" };
	const char *const values[] = { level, type, size, shared };

	for (int i = 0; i < 4; i++) {
		struct text name = { 0 };

		text_add(&name, "cache/index%d/%s", index, names[i]);
		cpu_file(cpu, name.chars, values[i]);
		text_free(&name);
	}
}

/* Two cores of two threads with a shared cache, in the numbering of many
 * machines: the siblings come after all cores. */
static void test_siblings(void **state)
{
	struct cpu_map map;

	fake_file(CPUS "/online", "0-3\n");
	for (int cpu = 0; cpu < 4; cpu++) {
		const char *siblings = cpu % 2 ? "1,3\n" : "0,2\n";

		cpu_file(cpu, "topology/thread_siblings_list", siblings);
		cache(cpu, 0, "1\n", "Data\n", "48K\n", siblings);
		cache(cpu, 1, "1\n", "Instruction\n", "32K\n", siblings);
		cache(cpu, 2, "2\n", "Unified\n", "2048K\n", siblings);
		cache(cpu, 3, "3\n", "Unified\n", "36M\n", "0-3\n");
	}
	cpu_map_read(fake_root, &map);
	assert_int_equal(map.cores, 2);
	assert_int_equal(map.threads, 2);
	assert_int_equal(map.left_out, 0);
	assert_int_equal(map.core[0].cpu[1], 2);
	assert_int_equal(map.core[1].cpu[0], 1);
	assert_int_equal(map.core[1].cpu[1], 3);
	assert_int_equal(map.levels, 3);
	assert_string_equal(map.level[0].name, "L1d");
	assert_string_equal(map.level[1].name, "L2");
	assert_string_equal(map.level[2].name, "L3");
	assert_true(map.level[1].size_bytes == 2048 * 1024);
	assert_int_not_equal(map.level[1].share[0], map.level[1].share[1]);
	assert_int_equal(map.level[2].share[0], map.level[2].share[1]);
}

/* Processors with unknown topology are left out of the map, without an
 * error. */
static void test_untold(void **state)
{
	struct cpu_map map;

	cpu_map_read(fake_root, &map);
	assert_int_equal(map.cores, 0);
	fake_file(CPUS "/online", "0,4\n");
	cache(4, 0, "2\n", "Unified\n", "what\n", "4\n");
	cpu_map_read(fake_root, &map);
	assert_int_equal(map.cores, 2);
	assert_int_equal(map.threads, 1);
	assert_int_equal(map.core[1].cpu[0], 4);
	assert_int_equal(map.levels, 1);
	assert_int_equal(map.level[0].share[0], -1);
	assert_int_equal(map.level[0].share[1], 4);
	assert_true(map.level[0].size_bytes == 0);
	fake_file(CPUS "/online", "none\n");
	cpu_map_read(fake_root, &map);
	assert_int_equal(map.cores, 0);
}

/* Cores that do not fit the map are counted. */
static void test_too_many(void **state)
{
	static struct cpu_map map;

	fake_file(CPUS "/online", "0-299\n");
	cpu_map_read(fake_root, &map);
	assert_int_equal(map.cores, CPU_MAP_CORES);
	assert_int_equal(map.left_out, 300 - CPU_MAP_CORES);
}

int main(void)
{
#define IN_TREE(test) \
	cmocka_unit_test_setup_teardown(test, fake_open, fake_close)
	const struct CMUnitTest tests[] = {
		IN_TREE(test_siblings),
		IN_TREE(test_untold),
		IN_TREE(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
