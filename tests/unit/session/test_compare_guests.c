/* Comparison of sessions of guests. */
#include "compare_sessions.h"

#include <stdlib.h>

#include "made_runs.h"
#include "memory.h"

static void put_ruler(struct session *session, uint32_t ticks)
{
	struct point *point = &session->runs[0]->points[0];

	for (size_t v = 0; v < point->visit_count; v++) {
		point->visits[v].ruler_first = point->ruler.count;
		point->visits[v].ruler_count = 1;
		((struct ruler_reading *)column_add(&point->ruler))->ticks =
			ticks;
	}
}

/* Sessions of a guest differ by more than their launches show. Figures of
 * memory differ most, in proportion to the change of the memory ruler. */
static void test_guests(void **state)
{
	static const struct {
		double times;
		const char *hypervisor;
		uint32_t ruler; /* of the second session; 0: none in both */
		enum verdict verdict;
		double delta;
	} cases[] = {
		{ 1.03, "", 0, VERDICT_SLOWER, .01 },
		{ 1.07, "KVM", 0, VERDICT_EQUIVALENT, .1 },
		{ 1.13, "KVM", 0, VERDICT_SLOWER, .1 },
		{ .87, "KVM", 0, VERDICT_FASTER, .1 },
		{ 1.08, "KVM", 1000, VERDICT_EQUIVALENT, .2 },
		{ 1.25, "KVM", 1000, VERDICT_INCONCLUSIVE, .2 },
		{ 1.25, "KVM", 1300, VERDICT_EQUIVALENT, .462 },
		{ 1.25, "KVM", 770, VERDICT_EQUIVALENT, .461 },
		{ 1.25, "", 1300, VERDICT_SLOWER, .01 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
		struct session *b = simple("4K", 100 * cases[i].times, 300,
			LESS_IS_BETTER);
		struct compare_pair pair;

		snprintf(b->machine.hypervisor, sizeof b->machine.hypervisor,
			"%s", cases[i].hypervisor);
		if (cases[i].ruler) {
			put_ruler(a, 1000);
			put_ruler(b, cases[i].ruler);
		}
		compare_sessions(a, b, &pair);
		assert_int_equal(pair.row_count, 1);
		assert_within(pair.rows[0].delta, cases[i].delta, .002);
		assert_int_equal(pair.rows[0].verdict, cases[i].verdict);
		compare_pair_free(&pair);
		session_free(a);
		session_free(b);
	}
}

static const struct {
	const char *experiment;
	unsigned traits;
	double times;
	bool cycles, steady;
	enum verdict verdict;
} shared[] = {
	{ "cpu.made", 0, 1.5, true, false, VERDICT_SLOWER },
	{ "cpu.made", TRAIT_BLOCKS, 1.15, true, false,
		VERDICT_EQUIVALENT },
	{ "cpu.made", TRAIT_PARTIES, 1.15, true, false,
		VERDICT_EQUIVALENT },
	{ "cpu.made", TRAIT_BLOCKS, 1.5, true, false, VERDICT_SLOWER },
	{ "cpu.made", TRAIT_THREADS, 1.5, true, false,
		VERDICT_INCONCLUSIVE },
	{ "cpu.made", TRAIT_THREADS, .5, true, false,
		VERDICT_INCONCLUSIVE },
	{ "cpu.made", TRAIT_THREADS, 1.5, true, true, VERDICT_SLOWER },
	{ "cpu.made", 0, 1.5, false, false, VERDICT_INCONCLUSIVE },
	{ "mem.made", 0, 1.5, true, false, VERDICT_SLOWER },
	{ "mem.made", TRAIT_FAULTS, 1.5, true, false,
		VERDICT_INCONCLUSIVE },
	{ "fs.made", 0, 5, true, false, VERDICT_INCONCLUSIVE },
	{ "net.made", 0, 1.5, true, false, VERDICT_INCONCLUSIVE },
	{ "fs.made", 0, 1.05, true, false, VERDICT_EQUIVALENT },
};

/* What guests share besides the core may change without a sign: no two of their
 * sessions prove a change of it. */
static void test_what_guests_share(void **state)
{
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
		struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
		struct session *b = simple("4K", 100 * shared[i].times, 300,
			LESS_IS_BETTER);
		struct session *both[] = { a, b };
		struct compare_pair pair;
		bool doubted = shared[i].verdict == VERDICT_INCONCLUSIVE;
		bool slower = shared[i].times > 1;

		for (int k = 0; k < 2; k++) {
			struct results *run = both[k]->runs[0];

			free(run->experiment);
			run->experiment = xstrdup(shared[i].experiment);
			run->plan.traits = shared[i].traits;
			run->clock.cycles_trusted = shared[i].cycles;
			run->metrics[0].steady = shared[i].steady;
		}
		snprintf(b->machine.hypervisor, sizeof b->machine.hypervisor,
			"KVM");
		compare_sessions(a, b, &pair);
		assert_int_equal(pair.rows[0].verdict, shared[i].verdict);
		assert_int_equal(pair.rows[0].by_host, doubted);
		/* A gate does not pass it, and does not fail. */
		assert_int_equal(compare_row_may_fail(&pair.rows[0], .1),
			doubted && slower);
		assert_int_equal(compare_row_fails(&pair.rows[0], .1),
			shared[i].verdict == VERDICT_SLOWER);
		compare_pair_free(&pair);
		session_free(a);
		session_free(b);
	}
}

/* The core of the second session is slower by a half, which the host decides.
 * The work is longer by 8 %, less than two sessions of a guest differ by. */
static void test_slower_in_cycles_too(void **state)
{
	struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
	struct session *b = simple("4K", 162.5, 450, LESS_IS_BETTER);
	struct compare_pair pair;

	compare_sessions(a, b, &pair);
	assert_int_equal(pair.rows[0].verdict, VERDICT_SLOWER);
	compare_pair_free(&pair);
	snprintf(b->machine.hypervisor, sizeof b->machine.hypervisor, "KVM");
	compare_sessions(a, b, &pair);
	assert_true(pair.rows[0].time.ratio_low > 1 + pair.rows[0].delta);
	assert_int_equal(pair.rows[0].cycles_verdict, VERDICT_EQUIVALENT);
	assert_int_equal(pair.rows[0].verdict, VERDICT_SMALL);
	compare_pair_free(&pair);
	/* The other way round: in cycles alone. */
	session_free(b);
	b = simple("4K", 100, 200, LESS_IS_BETTER);
	snprintf(b->machine.hypervisor, sizeof b->machine.hypervisor, "KVM");
	compare_sessions(a, b, &pair);
	assert_int_equal(pair.rows[0].verdict, VERDICT_EQUIVALENT);
	assert_true(pair.rows[0].cycles.ratio_low > 1.4);
	assert_int_equal(pair.rows[0].cycles_verdict, VERDICT_INCONCLUSIVE);
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guests),
		cmocka_unit_test(test_what_guests_share),
		cmocka_unit_test(test_slower_in_cycles_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
