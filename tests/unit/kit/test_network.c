/* Which earlier round trip was to the host of the present run. */
#include <stdlib.h>

#include "check.h"
#include "facts.h"
#include "memory.h"
#include "network.h"
#include "results.h"

static const char *const names[] = { "proto", "host", "rtt", "rate" };
enum { NAMES = sizeof names / sizeof *names };

static const struct experiment provider = {
	PROVIDES({ QUANTITY_TCP_ROUND_TRIP, "rtt", "proto=tcp" })
};

static struct results *round_trips(void)
{
	struct results *results = results_new("net.trip");

	results->descriptor = &provider;
	results->clock.hz = 1e9;
	results->param_names = xcalloc(NAMES, sizeof *results->param_names);
	for (size_t i = 0; i < NAMES; i++)
		results->param_names[i] = xstrdup(names[i]);
	results->param_count = NAMES;
	results_add_metric(results, "rtt", "round trip", UNIT_NS,
		LESS_IS_BETTER, METRIC_TIMED, false);
	results_add_launch(results);
	return results;
}

/* Adds a point with one trial of `ns`; a tick is a nanosecond. */
static void add_point(struct results *results, const char *host,
	const char *rtt, uint64_t ns)
{
	const char *const values[NAMES] = { "tcp", host, rtt, "20Mbit" };
	struct point *point = results_add_point(results);

	for (size_t i = 0; i < NAMES; i++)
		point->values[i] = xstrdup(values[i]);
	point_add_visit(results, point)->trials = 1;
	*(uint64_t *)column_add(&point->series[0].raw) = ns;
	column_add(&point->series[0].flags);
	point->series[0].slices[0].count = 1;
	point->series[0].ops = 1;
}

static double found(const struct results *results, const char *host,
	int64_t rtt_ns)
{
	const struct results *earlier[] = { results };
	struct facts facts = { .earlier = earlier, .earlier_count = 1 };
	struct network network = { .host = host,
		.link = { .rtt_ns = rtt_ns, .rate_bit_s = 20000000 } };
	struct range range;

	return network_round_trip(&facts, &network, &range) ? range.low : 0;
}

static void a_link_is_as_long_as_it_is_set(void **state)
{
	struct results *results = round_trips();

	add_point(results, "link", "40ms", 40200000);
	assert_near(found(results, "link", 40000000), 40200000);
	assert_near(found(results, "link", 200000000), 0);
	assert_near(found(results, "loopback", 40000000), 0);
	add_point(results, "loopback", "40ms", 20000);
	add_point(results, "link", "200ms", 200300000);
	assert_near(found(results, "link", 200000000), 200300000);
	assert_near(found(results, "loopback", 40000000), 20000);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_is_as_long_as_it_is_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
