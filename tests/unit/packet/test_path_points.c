/* Connections that were captured at two points of their path, in one file. */
#include <stdlib.h>
#include <string.h>

#include "talk.h"

enum { APART_MS = 20, SEGMENTS = 30, LOST = 12, MSS = 1448, RECORDS_MAX = 400,
	MIDDLE = 2, MIDDLE_MS = 5 };

/* How the points differ. */
enum differ { BY_INTERFACE, BY_HOPS, BY_ORDER, DIFFERS };

/* A record of the merged file. */
struct record_made {
	struct made made;
	int64_t t_ns;
	int side, point; /* 0: beside the client */
};

struct merged {
	struct flow flow;
	enum differ differ;
	bool no_ids;
	double skew_ms; /* of the clock beside the server */
	double route_ms; /* the route changes; 0: never */
	double apart_ms; /* 0: APART_MS */
	bool three;     /* a third point, 5 ms from the client */
	struct record_made at[RECORDS_MAX];
	int count;
};

static void put(struct merged *merged, const struct segment *segment, int point,
	double later_ms)
{
	struct flow flow = merged->flow;
	struct segment copy = *segment;
	struct record_made *record = &merged->at[merged->count++];

	if (merged->differ == BY_HOPS && point != segment->side)
		copy.ttl = point == MIDDLE ? 62 :
			merged->route_ms > 0 && segment->ms > merged->route_ms ?
						 57 :
						 59;
	record->made = segment_make(&flow, copy);
	if (merged->no_ids && !flow.six)
		put16(record->made.bytes + 4, 0);
	record->side = segment->side;
	record->point = point;
	record->t_ns = segment_ns(&flow, segment) +
		(int64_t)((later_ms + (point == 1 ? merged->skew_ms : 0)) *
			1e6);
}

/* A packet passes the point beside its sender, and the other one later, unless
 * it is lost. */
static void pass(struct merged *merged, struct segment segment, bool lost)
{
	put(merged, &segment, segment.side, 0);
	if (!lost && merged->three)
		put(merged, &segment, MIDDLE,
			segment.side ? APART_MS - MIDDLE_MS : MIDDLE_MS);
	if (!lost)
		put(merged, &segment, !segment.side,
			merged->apart_ms > 0 ? merged->apart_ms : APART_MS);
	segment_make(&merged->flow, segment);
}

#define PASS(merged, lost, ...) \
	pass((merged), (struct segment){ __VA_ARGS__ }, (lost))

/* One flight, of which a segment is lost and sent again. */
static void make(struct merged *merged)
{
	PASS(merged, false, .flags = TCP_SYN, .seq = -1, .mss = 1460);
	PASS(merged, false, .ms = 20.1, .side = SERVER, .seq = -1,
		.flags = TCP_SYN | TCP_ACK, .mss = 1460);
	PASS(merged, false, .ms = 40.2);
	for (int i = 0; i < SEGMENTS; i++)
		PASS(merged, i == LOST, .ms = 41 + 0.01 * i, .seq = i * MSS,
			.length = MSS);
	for (int i = 0; i < SEGMENTS; i++)
		if (i != LOST)
			PASS(merged, false, .ms = 62 + 0.01 * i,
				.side = SERVER,
				.ack = (i < LOST ? i + 1 : LOST) * MSS,
				.sacks = i > LOST,
				.sack = { { (LOST + 1) * MSS,
					(i + 1) * MSS } });
	PASS(merged, false, .ms = 83, .seq = LOST * MSS, .length = MSS);
	PASS(merged, false, .ms = 103.1, .side = SERVER,
		.ack = SEGMENTS * MSS);
}

static int by_time(const void *a, const void *b)
{
	const struct record_made *one = a, *other = b;

	return (one->t_ns > other->t_ns) - (one->t_ns < other->t_ns);
}

static void feed(struct talk *talk, const struct merged *merged, int point)
{
	for (int i = 0; i < merged->count; i++) {
		const struct record_made *made = &merged->at[i];
		struct packet_record record =
			made_record(&made->made, LINK_RAW, made->t_ns);

		if (merged->differ == BY_INTERFACE)
			record.interface = (uint16_t)made->point;
		if (point < 0 || made->point == point)
			annotator_add(talk->annotator, &record);
	}
}

/* The figures of a point of the merged file are those of its own file. */
static void assert_same(const struct connection *found,
	const struct connection *alone)
{
	assert_int_equal(found->tap, alone->tap);
	assert_int_equal(found->packets, alone->packets);
	assert_int_equal(found->duplicates, 0);
	assert_int_equal(found->handshake.path_ns, alone->handshake.path_ns);
	assert_int_equal(found->handshake.a.state, LEG_KNOWN);
	assert_int_equal(found->handshake.b.state, LEG_KNOWN);
	assert_int_equal(found->event_count, alone->event_count);
	for (int i = 0; i < 2; i++) {
		const struct side *side = &found->side[i];
		const struct side *other = &alone->side[i];

		assert_int_equal(side->retransmitted_segments, i ? 0 : 1);
		assert_int_equal(side->retransmitted_bytes,
			other->retransmitted_bytes);
		assert_int_equal(side->payload_bytes, other->payload_bytes);
		assert_int_equal(side->rtt.least_ns, other->rtt.least_ns);
		assert_int_equal(side->idle_ns, other->idle_ns);
		assert_int_equal(side->rounds.count, other->rounds.count);
		assert_int_equal(side->rounds.exit.reason,
			other->rounds.exit.reason);
	}
}

static void check_route(enum differ differ, bool six, bool no_ids,
	double skew_ms, double route_ms)
{
	static const enum tap_points points[] = { POINTS_INTERFACES,
		POINTS_HOPS, POINTS_ORDER };
	static struct merged merged;
	struct talk both;

	merged = (struct merged){ .flow = flow_new(),
		.differ = differ,
		.no_ids = no_ids,
		.skew_ms = skew_ms,
		.route_ms = route_ms };
	merged.flow.six = six;
	make(&merged);
	qsort(merged.at, merged.count, sizeof *merged.at, by_time);
	talk_begin(&both, TAP_UNKNOWN);
	feed(&both, &merged, -1);
	assert_int_equal(annotator_count(both.annotator), 2);
	for (int i = 0; i < 2; i++) {
		const struct connection *found =
			annotator_connection(both.annotator, (size_t)i);
		/* The first record is one of the earlier clock. */
		int point = skew_ms < -APART_MS ? !i : i;
		struct talk alone;

		talk_begin(&alone, TAP_UNKNOWN);
		feed(&alone, &merged, point);
		assert_int_equal(found->points, points[differ]);
		assert_false(found->mixed);
		assert_int_equal(talk_connection(&alone)->tap,
			point ? TAP_SERVER : TAP_CLIENT);
		assert_same(found, talk_connection(&alone));
		talk_end(&alone);
	}
	talk_end(&both);
}

static void check(enum differ differ, bool six, bool no_ids, double skew_ms)
{
	check_route(differ, six, no_ids, skew_ms, 0);
}

/* The route between the points becomes two hops longer, before the SYN/ACK,
 * within a flight or within its acknowledgements. */
static void test_route(void **state)
{
	static const double times[] = { 10, 41.155, 62.155 };

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		for (int six = 0; six < 2; six++)
			for (int no_ids = 0; no_ids < 2; no_ids++)
				check_route(BY_HOPS, six, no_ids, 0, times[i]);
}

static void test_points(void **state)
{
	for (int differ = 0; differ < DIFFERS; differ++)
		for (int six = 0; six < 2; six++)
			for (int no_ids = 0; no_ids < 2; no_ids++)
				check((enum differ)differ, six, no_ids, 0);
}

/* The points are not told apart: no claim rests on times. */
static void check_mixed(enum differ differ, double skew_ms, int first)
{
	static struct merged merged;
	struct talk talk;

	merged = (struct merged){ .flow = flow_new(),
		.differ = differ,
		.skew_ms = skew_ms };
	make(&merged);
	qsort(merged.at, merged.count, sizeof *merged.at, by_time);
	memmove(merged.at, merged.at + first,
		(size_t)(merged.count - first) * sizeof *merged.at);
	merged.count -= first;
	talk_begin(&talk, TAP_UNKNOWN);
	feed(&talk, &merged, -1);
	assert_int_equal(annotator_count(talk.annotator), 1);
	assert_true(talk_connection(&talk)->mixed);
	assert_int_equal(talk_connection(&talk)->tap, TAP_UNKNOWN);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	assert_int_equal(talk_side(&talk, CLIENT)->rtt.samples, 0);
	assert_int_equal(talk_side(&talk, CLIENT)->rounds.exit.reason,
		EXIT_NONE);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_SYN_AGAIN),
		0);
	talk_end(&talk);
}

/* The clocks of both hosts differ by more than the way between them. */
static void test_skew(void **state)
{
	for (int ahead = 0; ahead < 2; ahead++) {
		check(BY_INTERFACE, false, false, ahead ? 25 : -25);
		check(BY_HOPS, false, false, ahead ? 25 : -25);
		check_mixed(BY_ORDER, ahead ? 25 : -25, 0);
		check(BY_INTERFACE, false, false, ahead ? 5000 : -5000);
		check(BY_HOPS, true, false, ahead ? 5000 : -5000);
		check_mixed(BY_ORDER, ahead ? 5000 : -5000, 0);
	}
}

/* The beginning was not captured. */
static void test_mid_stream(void **state)
{
	for (int differ = 0; differ < DIFFERS; differ++)
		check_mixed((enum differ)differ, 0, 6);
}

/* Points of a short path: if nothing but the time between the records shows
 * them, that time is reported. */
static void test_short_path(void **state)
{
	for (int differ = 0; differ < DIFFERS; differ++) {
		static struct merged merged;
		struct talk talk;

		merged = (struct merged){ .flow = flow_new(),
			.differ = (enum differ)differ,
			.apart_ms = 0.4 };
		make(&merged);
		qsort(merged.at, merged.count, sizeof *merged.at, by_time);
		talk_begin(&talk, TAP_UNKNOWN);
		feed(&talk, &merged, -1);
		assert_int_equal(annotator_count(talk.annotator),
			differ == BY_ORDER ? 1 : 2);
		for (int i = 0; i < 2 && differ != BY_ORDER; i++) {
			const struct connection *found = annotator_connection(
				talk.annotator, (size_t)i);

			assert_int_equal(found->packets, i ? 63 : 64);
			assert_int_equal(found->duplicates, 0);
		}
		assert_int_equal(talk_connection(&talk)->copies_apart_ns,
			differ == BY_ORDER ? 400000 : 0);
		talk_end(&talk);
	}
}

/* Each of three points has the packets and repeats of its own file. Order does
 * not show which two directions were recorded at one of three. */
static void test_three(void **state)
{
	for (int differ = 0; differ < DIFFERS; differ++) {
		static struct merged merged;
		struct talk talk;

		merged = (struct merged){ .flow = flow_new(),
			.differ = (enum differ)differ,
			.three = true };
		make(&merged);
		qsort(merged.at, merged.count, sizeof *merged.at, by_time);
		talk_begin(&talk, TAP_UNKNOWN);
		feed(&talk, &merged, -1);
		size_t count = annotator_count(talk.annotator);
		assert_int_equal(count, differ == BY_ORDER ? 2 : 3);
		for (size_t i = 0; i < count; i++) {
			const struct connection *found =
				annotator_connection(talk.annotator, i);

			assert_int_equal(found->mixed, differ == BY_ORDER);
			assert_int_equal(found->side[0].payload_bytes,
				SEGMENTS * MSS);
			assert_int_equal(found->side[0].retransmitted_segments,
				1);
			assert_int_equal(found->side[1].retransmitted_segments,
				0);
			assert_int_equal(found->handshake.b.state,
				differ == BY_ORDER ? LEG_UNSEEN : LEG_KNOWN);
		}
		talk_end(&talk);
	}
}

/* One of the points lacks records that the other shows it must have: a segment,
 * or all of one direction. */
static void check_lacking(int side, int first, int last)
{
	static struct merged merged;
	struct talk talk;
	int kept = 0, seen = 0;

	merged = (struct merged){ .flow = flow_new(), .differ = BY_ORDER };
	make(&merged);
	qsort(merged.at, merged.count, sizeof *merged.at, by_time);
	for (int i = 0; i < merged.count; i++) {
		const struct record_made made = merged.at[i];
		bool lacks = made.point == !side && made.side == side &&
			++seen > first && seen <= last;

		if (!lacks)
			merged.at[kept++] = made;
	}
	merged.count = kept;
	talk_begin(&talk, TAP_UNKNOWN);
	feed(&talk, &merged, -1);
	assert_true(annotator_count(talk.annotator) > 0);
	for (size_t i = 0; i < annotator_count(talk.annotator); i++) {
		const struct connection *found =
			annotator_connection(talk.annotator, i);

		assert_true(found->mixed);
		assert_int_equal(found->tap, TAP_UNKNOWN);
		assert_int_equal(found->side[0].rtt.samples, 0);
	}
	talk_end(&talk);
}

static void test_lacking(void **state)
{
	check_lacking(CLIENT, 5, 6);
	check_lacking(SERVER, 0, RECORDS_MAX);
}

/* One of the points records each packet twice. */
static void test_mirrored(void **state)
{
	static struct merged merged;
	struct talk talk;

	merged = (struct merged){ .flow = flow_new(), .differ = BY_ORDER };
	make(&merged);
	for (int i = 0, count = merged.count; i < count; i++)
		if (merged.at[i].point) {
			merged.at[merged.count] = merged.at[i];
			merged.at[merged.count++].t_ns += 2000;
		}
	qsort(merged.at, merged.count, sizeof *merged.at, by_time);
	talk_begin(&talk, TAP_UNKNOWN);
	feed(&talk, &merged, -1);
	const struct capture_facts *facts = annotator_facts(talk.annotator);
	assert_int_equal(annotator_count(talk.annotator), 2);
	assert_in_range(facts->copies, SEGMENTS, merged.count / 3);
	assert_int_equal(facts->repeats - facts->bare, facts->copies);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three),
		cmocka_unit_test(test_lacking),
		cmocka_unit_test(test_mirrored),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_route),
		cmocka_unit_test(test_skew),
		cmocka_unit_test(test_short_path),
		cmocka_unit_test(test_mid_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
