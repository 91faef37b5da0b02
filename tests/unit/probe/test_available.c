/* Available memory, on machines made of files. */
#include "available.h"

#include "fake_root.h"

static void assert_mib(double mib)
{
	/* An eighth is left for other programs. */
	assert_near((double)memory_available(fake_root), mib * 1048576 * 7 / 8);
}

static void nothing_known_is_no_limit(void **state)
{
	assert_true(memory_available(fake_root) == UINT64_MAX);
}

static void the_kernel_says_what_is_available(void **state)
{
	fake_file("/proc/meminfo",
		"MemTotal:  16384000 kB\nMemFree: 1024 kB\n"
		"MemAvailable:    8192000 kB\nBuffers: 4 kB\n");
	assert_mib(8000);
}

static void the_narrowest_group_counts(void **state)
{
	fake_file("/proc/meminfo", "MemAvailable:    8192000 kB\n");
	fake_file("/proc/self/cgroup", "0::/user/lab\n");
	fake_file("/sys/fs/cgroup/user/lab/memory.max", "max\n");
	fake_file("/sys/fs/cgroup/user/lab/memory.current", "4096\n");
	assert_mib(8000);
	fake_file("/sys/fs/cgroup/user/memory.max", "1073741824\n");
	fake_file("/sys/fs/cgroup/user/memory.current", "268435456\n");
	assert_mib(768);
	fake_file("/sys/fs/cgroup/user/lab/memory.max", "104861696\n");
	assert_mib(100);
	/* In a container the root of its own cgroup tree has the limit. */
	fake_file("/proc/self/cgroup", "0::/\n");
	fake_file("/sys/fs/cgroup/memory.max", "52428800\n");
	fake_file("/sys/fs/cgroup/memory.current", "0\n");
	assert_mib(50);
}

static void inactive_file_pages_are_available(void **state)
{
	fake_file("/proc/self/cgroup", "4:memory:/lab\n0::/lab\n");
	fake_file("/sys/fs/cgroup/lab/memory.max", "104857600\n");
	fake_file("/sys/fs/cgroup/lab/memory.current", "104857600\n");
	fake_file("/sys/fs/cgroup/lab/memory.stat",
		"anon 4096\nactive_file 1048576\ninactive_file 83886080\n");
	assert_mib(80);
	fake_file("/sys/fs/cgroup/memory/lab/memory.limit_in_bytes",
		"104857600\n");
	fake_file("/sys/fs/cgroup/memory/lab/memory.usage_in_bytes",
		"104857600\n");
	fake_file("/sys/fs/cgroup/memory/lab/memory.stat",
		"inactive_file 4096\ntotal_inactive_file 73400320\n");
	assert_mib(70);
}

static void a_full_group_leaves_nothing(void **state)
{
	fake_file("/proc/self/cgroup", "0::/full\n");
	fake_file("/sys/fs/cgroup/full/memory.max", "1000\n");
	fake_file("/sys/fs/cgroup/full/memory.current", "2000\n");
	assert_int_equal(memory_available(fake_root), 0);
}

static void the_first_version_of_groups_is_read(void **state)
{
	fake_file("/proc/meminfo", "MemAvailable:    8192000 kB\n");
	fake_file("/proc/self/cgroup",
		"8:cpu,cpuacct:/a\n4:hugetlb,memory:/lab\n0::/\n");
	fake_file("/sys/fs/cgroup/memory/lab/memory.limit_in_bytes",
		"209715200\n");
	fake_file("/sys/fs/cgroup/memory/lab/memory.usage_in_bytes", "0\n");
	assert_mib(200);
	fake_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "104857600\n");
	fake_file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
	assert_mib(100);
}

#define IN_ROOT(test) \
	cmocka_unit_test_setup_teardown(test, fake_open, fake_close)

/* The quarter does not depend on memory allocated in between. */
static void a_quarter_stays_what_it_was(void **state)
{
	enum { TAKEN = 256 << 20 };
	uint64_t quarter = memory_quarter();
	char *taken = malloc(TAKEN);

	assert_true(quarter >= 4 << 20);
	assert_non_null(taken);
	for (size_t i = 0; i < TAKEN; i += 4096)
		((volatile char *)taken)[i] = 1;
	assert_int_equal(memory_quarter(), quarter);
	free(taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_ROOT(nothing_known_is_no_limit),
		IN_ROOT(the_kernel_says_what_is_available),
		IN_ROOT(the_narrowest_group_counts),
		IN_ROOT(inactive_file_pages_are_available),
		IN_ROOT(a_full_group_leaves_nothing),
		IN_ROOT(the_first_version_of_groups_is_read),
		cmocka_unit_test(a_quarter_stays_what_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
