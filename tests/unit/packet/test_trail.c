/* What the kernel said of connections is found by port and time. */
#include "trail.h"

#include <string.h>

#include "check.h"

enum { SECOND = 1000000000 };

static struct connection made(uint16_t near, int64_t from_ns, int64_t to_ns)
{
	struct connection connection;

	memset(&connection, 0, sizeof connection);
	connection.end[0].port = near;
	connection.end[1].port = 7000;
	connection.first_ns = from_ns;
	connection.last_ns = to_ns;
	return connection;
}

static void put(struct trail *trail, uint16_t port, int64_t t_ns,
	int64_t window)
{
	trail_add_sample(trail,
		&(struct trail_sample){ .port = port,
			.t_ns = t_ns,
			.window_bytes = window });
}

static void test_port_and_time(void **state)
{
	struct connection first = made(40000, SECOND, 2 * (int64_t)SECOND);
	/* The same port again, a minute later. */
	struct connection again =
		made(40000, 61 * (int64_t)SECOND, 62 * (int64_t)SECOND);
	struct trail trail;
	size_t i = 0;

	(void)state;
	trail_init(&trail);
	put(&trail, 40000, SECOND + 1, 10);
	put(&trail, 40001, SECOND + 2, 11);
	put(&trail, 40000, SECOND + 3, 12);
	put(&trail, 40000, 61 * (int64_t)SECOND, 13);
	assert_int_equal(trail_next(&trail, &first, &i)->window_bytes, 10);
	assert_int_equal(trail_next(&trail, &first, &i)->window_bytes, 12);
	assert_null(trail_next(&trail, &first, &i));
	i = 0;
	assert_int_equal(trail_next(&trail, &again, &i)->window_bytes, 13);
	assert_null(trail_next(&trail, &again, &i));
	/* Which end is the client may have been guessed wrong. */
	first.client = 1;
	i = 0;
	assert_int_equal(trail_next(&trail, &first, &i)->window_bytes, 10);
	trail_release(&trail);
}

static void test_path(void **state)
{
	struct connection connection = made(40000, SECOND, 2 * (int64_t)SECOND);
	struct trail_path path = { .port = 40000,
		.t_ns = SECOND - 1000,
		.rate_bit_s = 7 };
	struct trail trail;

	(void)state;
	trail_init(&trail);
	assert_null(trail_path_of(&trail, &connection));
	trail_add_path(&trail, &path);
	path.t_ns = 9 * (int64_t)SECOND;
	path.rate_bit_s = 8;
	trail_add_path(&trail, &path);
	path.port = 40001;
	path.t_ns = SECOND;
	trail_add_path(&trail, &path);
	assert_int_equal(trail_path_of(&trail, &connection)->rate_bit_s, 7);
	trail_release(&trail);
}

/* What does not fit is counted. */
static void test_room(void **state)
{
	struct trail_path path = { .port = 1 };
	struct trail trail;

	(void)state;
	trail_init(&trail);
	for (int i = 0; i < TRAIL_SAMPLES_MAX + 3; i++)
		put(&trail, 40000, i, i);
	for (int i = 0; i < TRAIL_PATHS_MAX + 2; i++)
		trail_add_path(&trail, &path);
	assert_int_equal(trail.samples.count, TRAIL_SAMPLES_MAX);
	assert_int_equal(trail.paths.count, TRAIL_PATHS_MAX);
	assert_int_equal(trail.left_out, 5);
	trail_release(&trail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_port_and_time),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
