/* Comparison of sessions of guests. */
#include "compare_sessions.h"
#include "made_runs.h"

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
		{ 1.25, "KVM", 1000, VERDICT_SLOWER, .2 },
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
	session_free(a);
	session_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guests),
		cmocka_unit_test(test_slower_in_cycles_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
