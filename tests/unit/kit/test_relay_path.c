/* One direction of the link, in virtual time: no clock, no device. */
#include "relay_path.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

struct fixture {
	struct relay_path path;
	struct link_counters counters;
};

static struct fixture *begin(const struct link_settings *settings)
{
	struct fixture *fixture = calloc(1, sizeof *fixture);

	assert_non_null(fixture);
	assert_int_equal(relay_path_init(&fixture->path, settings, LINK_NEAR,
				 &fixture->counters),
		0);
	return fixture;
}

static void end(struct fixture *fixture)
{
	relay_path_free(&fixture->path);
	free(fixture);
}

/* Adds an IPv4 packet that contains its number. */
static void arrive(struct fixture *fixture, unsigned number, size_t length,
	int64_t now_ns)
{
	unsigned char *bytes = relay_path_room(&fixture->path);

	memset(bytes, (int)number, length);
	bytes[0] = 0x45;
	bytes[16] = 10;
	memcpy(bytes + 4, &number, sizeof number);
	relay_path_arrive(&fixture->path, length, now_ns);
}

/* Takes the next due packet and checks all its bytes. Returns its number, or -1
 * if none is due. */
static long take(struct fixture *fixture, int64_t now_ns)
{
	size_t length;
	const unsigned char *bytes =
		relay_path_take(&fixture->path, now_ns, &length);
	unsigned number;

	if (!bytes)
		return -1;
	memcpy(&number, bytes + 4, sizeof number);
	for (size_t i = 20; i < length; i++)
		assert_int_equal(bytes[i], (unsigned char)number);
	return number;
}

/* ---- delay, rate ------------------------------------------------------ */

static void half_a_round_trip_later(void **state)
{
	struct link_settings settings = link_preset();
	struct fixture *fixture = begin(&settings);

	assert_int_equal(relay_path_due(&fixture->path), INT64_MAX);
	/* 1500 bytes at 20 Mbit/s are sent in 600 us. */
	arrive(fixture, 1, 1500, 5 * S);
	int64_t due_ns = 5 * S + 600000 + 20 * MS;
	assert_int_equal(relay_path_due(&fixture->path), due_ns);
	assert_int_equal(take(fixture, due_ns - 1), -1);
	assert_int_equal(take(fixture, due_ns), 1);
	assert_int_equal(take(fixture, due_ns), -1);
	assert_int_equal(relay_path_due(&fixture->path), INT64_MAX);
	assert_int_equal(fixture->counters.late_peak_ns, 0);
	end(fixture);
}

/* Packets that arrive together leave one after the other; a packet after a
 * pause leaves at once. */
static void one_behind_the_other(void **state)
{
	struct link_settings settings = link_preset();
	struct fixture *fixture = begin(&settings);

	for (unsigned i = 0; i < 10; i++)
		arrive(fixture, i, 1500, S);
	for (unsigned i = 0; i < 10; i++) {
		int64_t due_ns = S + 20 * MS + (i + 1) * 600000;

		assert_int_equal(relay_path_due(&fixture->path), due_ns);
		assert_int_equal(take(fixture, due_ns), i);
	}
	arrive(fixture, 10, 750, 2 * S);
	assert_int_equal(relay_path_due(&fixture->path),
		2 * S + 20 * MS + 300000);
	assert_int_equal(fixture->counters.busy_ns, 10 * 600000 + 300000);
	end(fixture);
}

/* No time is lost by rounding: a second's worth of packets of odd sizes at odd
 * rates takes a second, to the nanosecond. */
static void rate_to_the_nanosecond(void **state)
{
	static const int64_t rates[] = { 64000, 1000000, 7777777, 500000000,
		999999937 };
	uint64_t random = 1;

	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		struct link_settings settings = link_preset();
		int64_t bits = 0, due_ns = 0;

		settings.rate_bit_s = rates[i];
		settings.rtt_ns = 0;
		settings.queue = 100000 * UNIT_QUEUE_PACKETS;
		struct fixture *fixture = begin(&settings);
		for (unsigned k = 0; k < 80000 && bits < rates[i]; k++) {
			size_t length = 20 + random_below(&random, 1481);

			bits += (int64_t)length * 8;
			arrive(fixture, k, length, 0);
		}
		while (relay_path_due(&fixture->path) < INT64_MAX) {
			due_ns = relay_path_due(&fixture->path);
			assert_true(take(fixture, due_ns) >= 0);
		}
		assert_int_equal(fixture->counters.refused, 0);
		assert_int_equal(due_ns,
			(int64_t)((__int128)bits * S / rates[i]));
		end(fixture);
	}
}

/* If the relay is late, all packets are due, and the path is not slower. */
static void late_is_counted_not_added(void **state)
{
	struct link_settings settings = link_preset();
	struct fixture *fixture = begin(&settings);

	arrive(fixture, 0, 1500, 0);
	arrive(fixture, 1, 1500, 0);
	int64_t due_ns = 20 * MS + 600000;
	assert_int_equal(take(fixture, due_ns + 5 * MS), 0);
	assert_int_equal(take(fixture, due_ns + 5 * MS), 1);
	assert_int_equal(fixture->counters.late_peak_ns, 5 * MS);
	assert_int_equal(fixture->counters.late_ns, 2 * 5 * MS - 600000);
	arrive(fixture, 2, 1500, due_ns + 5 * MS);
	assert_int_equal(relay_path_due(&fixture->path),
		due_ns + 5 * MS + 600000 + 20 * MS);
	end(fixture);
}

/* ---- queue ------------------------------------------------------------ */

static void queue_of_packets(void **state)
{
	struct link_settings settings = link_preset();
	struct fixture *fixture = begin(&settings);

	/* One packet is being sent, 80 wait, and the others are dropped. */
	for (unsigned i = 0; i < 100; i++)
		arrive(fixture, i, 1500, 0);
	assert_int_equal(fixture->counters.refused, 19);
	assert_int_equal(fixture->counters.queue_peak, 80);
	assert_int_equal(fixture->counters.queue_peak_bytes, 80 * 1500);
	/* After 600 us the second is being sent, so one more may wait. */
	arrive(fixture, 100, 1500, 600000 - 1);
	assert_int_equal(fixture->counters.refused, 20);
	arrive(fixture, 101, 1500, 600000);
	arrive(fixture, 102, 1500, 600000);
	assert_int_equal(fixture->counters.refused, 21);
	for (long i = 0; i < 81; i++)
		assert_int_equal(take(fixture, 10 * S), i);
	assert_int_equal(take(fixture, 10 * S), 101);
	assert_int_equal(take(fixture, 10 * S), -1);
	end(fixture);
}

static void queue_of_bytes(void **state)
{
	struct link_settings settings = link_preset();

	settings.queue = 4000;
	struct fixture *fixture = begin(&settings);
	for (unsigned i = 0; i < 4; i++)
		arrive(fixture, i, 1500, 0);
	/* 3000 bytes wait: another 1500 do not fit, 1000 do, and then
	 * nothing. */
	assert_int_equal(fixture->counters.refused, 1);
	arrive(fixture, 4, 1000, 0);
	arrive(fixture, 5, 20, 0);
	assert_int_equal(fixture->counters.refused, 2);
	assert_int_equal(fixture->counters.queue_peak_bytes, 4000);
	assert_int_equal(fixture->counters.queue_peak, 3);
	end(fixture);
}

/* ---- loss and reordering ---------------------------------------------- */

/* The lost indices are those drawn, regardless of sizes, times and drops by the
 * queue. */
static void same_seed_same_indices(void **state)
{
	enum { MANY = 20000 };
	struct link_settings settings = link_preset();
	uint64_t random = 5;

	settings.loss = 0.01;
	settings.seed = 99;
	uint64_t key = relay_key(99, LINK_NEAR, RELAY_LOSS);
	for (int times = 0; times < 3; times++) {
		struct fixture *fixture = begin(&settings);
		int64_t now_ns = 0;

		for (unsigned i = 0; i < MANY; i++) {
			uint64_t lost = fixture->counters.lost;

			now_ns += (int64_t)random_below(&random, 1000000);
			arrive(fixture, i, 20 + random_below(&random, 1400),
				now_ns);
			assert_int_equal(fixture->counters.lost - lost,
				relay_draw(key, i, 0.01));
			while (take(fixture, now_ns) >= 0)
				continue;
		}
		assert_in_range(fixture->counters.lost, 130, 270);
		const uint64_t *index = fixture->counters.lost_index;
		for (int i = 0; i < LINK_DROPS_MAX; i++)
			assert_true(relay_draw(key, index[i], 0.01));
		end(fixture);
	}
}

static void scripted_drops(void **state)
{
	struct link_settings settings = link_preset();

	settings.drops[LINK_NEAR] = 3;
	settings.drop[LINK_NEAR][0] = 0;
	settings.drop[LINK_NEAR][1] = 5;
	settings.drop[LINK_NEAR][2] = 6;
	settings.drops[LINK_FAR] = 1; /* of the other direction */
	settings.drop[LINK_FAR][0] = 2;
	struct fixture *fixture = begin(&settings);
	static const long arriving[] = { 1, 2, 3, 4, 7, 8, 9, -1 };
	for (unsigned i = 0; i < 10; i++)
		arrive(fixture, i, 100, 0);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(take(fixture, S), arriving[i]);
	assert_int_equal(fixture->counters.lost, 3);
	assert_int_equal(fixture->counters.lost_index[1], 5);
	end(fixture);
}

/* Three later packets leave first, however late the relay is. */
static void overtaken_by_three(void **state)
{
	enum { MANY = 5000 };
	struct link_settings settings = link_preset();

	settings.reorder = 0.01;
	settings.queue = MANY * UNIT_QUEUE_PACKETS;
	uint64_t key = relay_key(settings.seed, LINK_NEAR, RELAY_REORDER);
	struct fixture *fixture = begin(&settings);
	unsigned expected = 0;
	long came[MANY];
	for (unsigned i = 0; i < MANY; i++) {
		arrive(fixture, i, 100, 0);
		expected += relay_draw(key, i, 0.01);
	}
	for (int i = 0; i < MANY; i++)
		came[i] = take(fixture, 100 * S);
	assert_int_equal(take(fixture, 100 * S), -1);
	assert_int_equal(fixture->counters.reordered, expected);
	for (int i = 0, at = 0; i < MANY; i++) {
		for (at = 0; came[at] != i;)
			at++;
		int behind = 0;
		for (int k = 0; k < at; k++)
			behind += came[k] > i;
		bool drawn = relay_draw(key, (uint64_t)i, 0.01);
		assert_int_equal(behind, drawn ? RELAY_OVERTAKEN_BY : 0);
	}
	end(fixture);
}

/* Without later packets, a reordered packet leaves a quarter of a round trip
 * later. */
static void held_no_longer_than(void **state)
{
	struct link_settings settings = link_preset();

	settings.reorder = 0.5;
	struct fixture *fixture = begin(&settings);
	uint64_t key = relay_key(settings.seed, LINK_NEAR, RELAY_REORDER);
	unsigned i = 0;
	int64_t now_ns = 0;
	for (; !relay_draw(key, i, 0.5); i++, now_ns += S) {
		arrive(fixture, i, 1500, now_ns);
		assert_int_equal(take(fixture, now_ns + 30 * MS), i);
	}
	arrive(fixture, i, 1500, now_ns);
	int64_t due_ns = now_ns + 600000 + 20 * MS;
	assert_int_equal(relay_path_due(&fixture->path), due_ns);
	assert_int_equal(take(fixture, due_ns), -1);
	assert_int_equal(relay_path_due(&fixture->path), due_ns + 10 * MS);
	assert_int_equal(take(fixture, due_ns + 10 * MS), i);
	assert_int_equal(fixture->counters.reordered, 0);
	end(fixture);
}

/* ---- packets that are not forwarded ----------------------------------- */

static void multicast_is_ignored(void **state)
{
	struct link_settings settings = link_preset();
	struct fixture *fixture = begin(&settings);
	unsigned char *bytes = relay_path_room(&fixture->path);

	memset(bytes, 0, 100);
	bytes[0] = 0x60; /* IPv6 to ff02::2 */
	bytes[24] = 0xff;
	relay_path_arrive(&fixture->path, 100, 0);
	bytes[0] = 0x45; /* IPv4 to 224.0.0.22 */
	bytes[16] = 224;
	relay_path_arrive(&fixture->path, 100, 0);
	relay_path_arrive(&fixture->path, 0, 0);
	relay_path_arrive(&fixture->path, 19, 0);
	bytes[0] = 0x10;
	relay_path_arrive(&fixture->path, 100, 0);
	assert_int_equal(fixture->counters.ignored, 5);
	assert_int_equal(fixture->counters.packets, 0);
	assert_int_equal(relay_path_due(&fixture->path), INT64_MAX);
	end(fixture);
}

/* ---- everything at once ----------------------------------------------- */

static void add_up(const struct fixture *fixture, uint64_t sent)
{
	const struct link_counters *counters = &fixture->counters;

	assert_int_equal(counters->packets, sent);
	assert_int_equal(counters->delivered,
		sent - counters->lost - counters->refused);
}

/* Random bursts, sizes and pauses, many times through the ring: every packet
 * comes out once and complete, or is counted as dropped. */
static void storm(int64_t rate_bit_s, int64_t rtt_ns, int64_t queue,
	uint64_t *random)
{
	enum { MANY = 60000 };
	struct link_settings settings = link_preset();
	unsigned char *came = calloc(MANY, 1);
	int64_t now_ns = 0;
	long number;

	settings.rate_bit_s = rate_bit_s;
	settings.rtt_ns = rtt_ns;
	settings.queue = queue;
	settings.loss = settings.reorder = 0.02;
	struct fixture *fixture = begin(&settings);
	int64_t mean_ns = 6000 * S / rate_bit_s;
	for (unsigned i = 0; i < MANY; i++) {
		if (!random_below(random, 30))
			now_ns += (int64_t)random_below(random,
				60 * (uint64_t)mean_ns);
		arrive(fixture, i, 20 + random_below(random, 1481), now_ns);
		while ((number = take(fixture, now_ns)) >= 0)
			assert_int_equal(came[number]++, 0);
	}
	while ((number = take(fixture, now_ns + 1000 * S)) >= 0)
		assert_int_equal(came[number]++, 0);
	assert_int_equal(relay_path_due(&fixture->path), INT64_MAX);
	add_up(fixture, MANY);
	assert_true(fixture->counters.refused > 0);
	assert_true(fixture->counters.reordered > 0);
	free(came);
	end(fixture);
}

static void through_the_ring(void **state)
{
	uint64_t random = 11;

	storm(20000000, 40 * MS, 80 * UNIT_QUEUE_PACKETS, &random);
	storm(1000000000, 200 * MS, 100 * UNIT_QUEUE_PACKETS, &random);
	storm(500000000, 0, 20000, &random);
	storm(64000, S, UNIT_QUEUE_PACKETS, &random);
}

/* There is memory for the smallest packets, as many as path and queue hold. */
static void small_packets_fit(void **state)
{
	struct link_settings settings = link_preset();
	unsigned i = 0;

	settings.rate_bit_s = 1000000000;
	settings.rtt_ns = 20 * MS;
	settings.queue = 1 << 20;
	struct fixture *fixture = begin(&settings);
	int64_t now_ns = 0;
	/* A packet of 20 bytes takes 160 ns, and none is due for 10 ms. */
	for (; now_ns < 10 * MS; now_ns += 160)
		arrive(fixture, i++, 20, now_ns);
	for (int k = 0; k < settings.queue / 20; k++)
		arrive(fixture, i++, 20, now_ns);
	assert_int_equal(fixture->counters.refused, 0);
	arrive(fixture, i, 20, now_ns);
	arrive(fixture, i, 20, now_ns);
	assert_in_range(fixture->counters.refused, 1, 2);
	for (unsigned k = 0; k < i; k++)
		assert_int_equal(take(fixture, S), k);
	end(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_round_trip_later),
		cmocka_unit_test(one_behind_the_other),
		cmocka_unit_test(rate_to_the_nanosecond),
		cmocka_unit_test(late_is_counted_not_added),
		cmocka_unit_test(queue_of_packets),
		cmocka_unit_test(queue_of_bytes),
		cmocka_unit_test(same_seed_same_indices),
		cmocka_unit_test(scripted_drops),
		cmocka_unit_test(overtaken_by_three),
		cmocka_unit_test(held_no_longer_than),
		cmocka_unit_test(multicast_is_ignored),
		cmocka_unit_test(through_the_ring),
		cmocka_unit_test(small_packets_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
