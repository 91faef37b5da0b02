/* Counts of interrupts are added over the named processors only. */
#include "interrupts.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char root[] = "/tmp/benchtop-interrupts-XXXXXX";

static void write_interrupts(const char *content)
{
	char path[100];

	snprintf(path, sizeof path, "%s/proc/interrupts", root);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fputs(content, file);
	fclose(file);
}

static int make_root(void **state)
{
	char path[100];

	if (!mkdtemp(root))
		return -1;
	snprintf(path, sizeof path, "%s/proc", root);
	return mkdir(path, 0700);
}

static int remove_root(void **state)
{
	char path[100];

	snprintf(path, sizeof path, "%s/proc/interrupts", root);
	unlink(path);
	snprintf(path, sizeof path, "%s/proc", root);
	rmdir(path);
	return rmdir(root);
}

/* Processor 1 is offline. */
static void test_counts(void **state)
{
	const int all[] = { 2, 0 }, offline[] = { 0, 1 };
	struct interrupts counts;

	write_interrupts("           CPU0       CPU2\n"
			 "  1:         10        200  IO-APIC  1-edge  i8042\n"
			 "LOC:       1000       3000  Local timer interrupts\n"
			 "TLB:          5         40  TLB shootdowns\n"
			 "ERR:          7\n");
	assert_true(interrupts_read(&counts, root, all, 1));
	assert_int_equal(counts.timer, 3000);
	assert_int_equal(counts.tlb, 40);
	assert_int_equal(counts.all, 3240);
	assert_true(interrupts_read(&counts, root, all, 2));
	assert_int_equal(counts.timer, 4000);
	assert_int_equal(counts.tlb, 45);
	assert_true(counts.has_tlb);
	assert_int_equal(counts.all, 4255);
	assert_false(interrupts_read(&counts, root, offline, 2));
	assert_false(interrupts_read(&counts, "/nowhere", all, 1));
}

/* Not every architecture counts shootdowns; a name that ends alike is another
 * row. */
static void test_no_shootdowns(void **state)
{
	const int cpu = 0;
	struct interrupts counts;

	write_interrupts("           CPU0\n"
			 " XTLB:         9  not this row\n"
			 " 11:         100  GICv3  27 Level     arch_timer\n");
	assert_true(interrupts_read(&counts, root, &cpu, 1));
	assert_false(counts.has_tlb);
	assert_int_equal(counts.tlb, 0);
	assert_int_equal(counts.timer, 100);
	assert_int_equal(counts.all, 109);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_no_shootdowns),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
