/* Cache sizes: the kernel's, measured ones, and the finding for a level that is
 * smaller than assumed. */
#include <string.h>

#include "cache_sizes.h"
#include "check.h"
#include "facts.h"
#include "memory.h"
#include "text.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static const struct facts known = {
	.l1d_bytes = 48 * KIB,
	.l2_bytes = 2 * MIB,
	.llc_bytes = 480. * MIB,
};

static const struct experiment provider = {
	PROVIDES({ QUANTITY_CACHE_SIZES, NULL, NULL })
};

static struct results *new_finder(void)
{
	struct results *results = results_new("mem.finder");

	results->descriptor = &provider;
	return results;
}

static void assert_by(const struct cache_sizes *sizes, int level,
	const char *expected)
{
	struct text text = { 0 };

	cache_sizes_say(sizes, level, &text);
	assert_string_equal(text.chars, expected);
	text_free(&text);
}

static struct results *finder_of(double l3_bytes)
{
	struct results *results = new_finder();

	finding_value(&results->findings, "L1d", 49.9 * KIB, UNIT_BYTES, "x");
	finding_value(&results->findings, "L3", l3_bytes, UNIT_BYTES, "x");
	finding_value(&results->findings, "line", 64, UNIT_BYTES, "x");
	return results;
}

static void test_sizes_that_nobody_reports(void **state)
{
	struct results *finder = finder_of(38. * MIB);
	const struct results *earlier[] = { finder };
	struct facts facts = { .l1d_bytes = 0 };
	struct cache_sizes sizes;

	cache_sizes_of(&facts, &sizes);
	assert_int_equal(cache_sizes_level(&sizes, 16 * KIB), 0);
	assert_int_equal(cache_sizes_level(&sizes, 64 * MIB), CACHE_SIZES);
	assert_by(&sizes, 0, "assumed, the kernel reports none");
	facts.earlier = earlier;
	facts.earlier_count = 1;
	cache_sizes_of(&facts, &sizes);
	assert_near(sizes.bytes[2], 38. * MIB);
	assert_by(&sizes, 2, "by mem.finder, this session");
	assert_by(&sizes, 1, "assumed, the kernel reports none");
	/* A machine without a last level. */
	facts = (struct facts){ .l1d_bytes = 32 * KIB, .l2_bytes = MIB };
	cache_sizes_of(&facts, &sizes);
	assert_int_equal(cache_sizes_level(&sizes, 2 * MIB), CACHE_SIZES);
	assert_by(&sizes, 0, "by the kernel");
	results_free(finder);
}

static void test_sizes(void **state)
{
	struct results *finder = finder_of(38. * MIB);
	const struct results *earlier[] = { finder };
	struct facts facts = known;
	struct cache_sizes sizes;

	cache_sizes_of(&facts, &sizes);
	assert_near(sizes.bytes[2], 480. * MIB);
	assert_by(&sizes, 2, "by the kernel");
	facts.earlier = earlier;
	facts.earlier_count = 1;
	cache_sizes_of(&facts, &sizes);
	assert_near(sizes.bytes[0], 49.9 * KIB);
	assert_near(sizes.bytes[1], 2 * MIB);
	assert_near(sizes.bytes[2], 38. * MIB);
	assert_by(&sizes, 1, "by the kernel");
	assert_by(&sizes, 2, "by mem.finder, this session");
	assert_int_equal(cache_sizes_level(&sizes, 49 * KIB), 0);
	assert_int_equal(cache_sizes_level(&sizes, 38. * MIB), 2);
	assert_int_equal(cache_sizes_level(&sizes, 39. * MIB), CACHE_SIZES);
	results_free(finder);
}

static void assert_from(const struct facts *facts, double bytes,
	const char *from, double high_ns)
{
	struct cache_sizes sizes;

	cache_sizes_of(facts, &sizes);
	struct cache_load load = cache_sizes_load(facts, &sizes, bytes);
	assert_string_equal(load.from, from);
	assert_near(load.ns.high, high_ns);
}

/* At 1 GHz. Of the host's L3 a guest has a part. */
static void test_loads(void **state)
{
	struct results *finder = finder_of(300. * MIB);
	const struct results *earlier[] = { finder };
	struct facts facts = known;

	facts.core_hz = 1e9;
	assert_from(&facts, 16 * KIB, "L1d", 5);
	assert_from(&facts, MIB, "L2", 17);
	assert_from(&facts, 256. * MIB, "L3", 110);
	assert_from(&facts, 512. * MIB, "memory", 160);
	facts.hypervisor = true;
	assert_from(&facts, 4. * MIB, "L3", 110);
	assert_from(&facts, 256. * MIB, "L3 or memory", 160);
	/* A measured size is that of the part. */
	facts.earlier = earlier;
	facts.earlier_count = 1;
	assert_from(&facts, 256. * MIB, "L3", 110);
	results_free(finder);
}

/* An uncertain finding is not used as a fact, and does not hide an earlier
 * certain one. */
static void test_uncertain(void **state)
{
	struct results *finder = new_finder();
	struct results *before = finder_of(38. * MIB);
	const struct results *earlier[] = { finder, before, finder };
	struct facts facts = known;
	struct cache_sizes sizes;

	finding_value(&finder->findings, "L2", 1 * MIB, UNIT_BYTES,
		"L2 holds 1 MiB [1 MiB, 1 MiB]: uncertain, the kernel has 2")
		->uncertain = true;
	finding_value(&finder->findings, "L3", 9.5 * MIB, UNIT_BYTES,
		"L3 holds at least 9.5 MiB, uncertain: the curve ends")
		->uncertain = true;
	facts.earlier = earlier;
	facts.earlier_count = 1;
	cache_sizes_of(&facts, &sizes);
	assert_near(sizes.bytes[1], 2. * MIB);
	assert_near(sizes.bytes[2], 480. * MIB);
	assert_false(sizes.found[1] || sizes.found[2]);
	facts.earlier_count = 3;
	cache_sizes_of(&facts, &sizes);
	assert_near(sizes.bytes[2], 38. * MIB);
	assert_string_equal(sizes.found[2], "mem.finder");
	results_free(finder);
	results_free(before);
}

static const char *const names[] = { "size", "stride" };

static void add_point(struct results *results, const char *size,
	const char *stride, const char *level)
{
	struct point *point = results_add_point(results);

	point->values[0] = xstrdup(size);
	point->values[1] = xstrdup(stride);
	point_add_note(point, "level", level);
}

/* The sentence about a point with this size, stride and level, given the
 * finder's L3; NULL: none. */
static const char *told(double l3_bytes, const char *size, const char *stride,
	const char *level)
{
	static char sentence[512];
	struct results *finder = finder_of(l3_bytes);
	struct results *results = results_new("mem.latency");
	const struct results *earlier[] = { finder };
	struct facts facts = known;
	struct findings findings = { 0 };

	results->param_names = xcalloc(2, sizeof *results->param_names);
	for (size_t i = 0; i < 2; i++)
		results->param_names[i] = xstrdup(names[i]);
	results->param_count = 2;
	add_point(results, size, stride, level);
	facts.earlier = earlier;
	facts.earlier_count = 1;
	cache_sizes_tell(results, &facts, &findings);
	assert_true(findings.count < 2);
	snprintf(sentence, sizeof sentence, "%s",
		findings.count ? findings.list[0].sentence : "");
	size_t count = findings.count;
	findings_free(&findings);
	results_free(finder);
	results_free(results);
	return count ? sentence : NULL;
}

static void test_misnamed(void **state)
{
	const char *says = told(38. * MIB, "64M", "64", "L3");

	assert_non_null(says);
	assert_non_null(strstr(says, "found 38.00 MiB of L3"));
	assert_non_null(strstr(says, "not the kernel's 480.0 MiB"));
	assert_non_null(
		told(38. * MIB, "64M", "64", "fits the last-level cache"));
}

static void test_well_named(void **state)
{
	/* The size fits the measured cache; the level is memory; the level is
	 * another cache. */
	assert_null(told(38. * MIB, "32M", "64", "L3"));
	assert_null(told(38. * MIB, "64M", "64", "memory"));
	assert_null(told(38. * MIB, "64K", "64", "L2"));
	/* With a wide stride only a part of the array is used. */
	assert_null(told(38. * MIB, "64M", "384", "L3"));
	/* The measured size agrees with the kernel's. */
	assert_null(told(470. * MIB, "600M", "64", "L3 and memory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_sizes_that_nobody_reports),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_uncertain),
		cmocka_unit_test(test_misnamed),
		cmocka_unit_test(test_well_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
