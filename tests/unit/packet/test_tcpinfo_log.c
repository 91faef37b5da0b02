/* Reports of the kernel about connections are found by port and time. */
#include "tcpinfo_log.h"

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

static void put(struct tcpinfo_log *tcpinfo, uint16_t port, int64_t t_ns,
	int64_t window)
{
	tcpinfo_add_sample(tcpinfo,
		&(struct tcpinfo_sample){ .port = port,
			.t_ns = t_ns,
			.window_bytes = window });
}

static void test_port_and_time(void **state)
{
	struct connection first = made(40000, SECOND, 2 * (int64_t)SECOND);
	/* The same port again, a minute later. */
	struct connection again =
		made(40000, 61 * (int64_t)SECOND, 62 * (int64_t)SECOND);
	struct tcpinfo_log tcpinfo;
	size_t i = 0;

	tcpinfo_init(&tcpinfo);
	put(&tcpinfo, 40000, SECOND + 1, 10);
	put(&tcpinfo, 40001, SECOND + 2, 11);
	put(&tcpinfo, 40000, SECOND + 3, 12);
	put(&tcpinfo, 40000, 61 * (int64_t)SECOND, 13);
	assert_int_equal(tcpinfo_next(&tcpinfo, &first, &i)->window_bytes, 10);
	assert_int_equal(tcpinfo_next(&tcpinfo, &first, &i)->window_bytes, 12);
	assert_null(tcpinfo_next(&tcpinfo, &first, &i));
	i = 0;
	assert_int_equal(tcpinfo_next(&tcpinfo, &again, &i)->window_bytes, 13);
	assert_null(tcpinfo_next(&tcpinfo, &again, &i));
	/* The client's end may have been guessed wrong. */
	first.client = 1;
	i = 0;
	assert_int_equal(tcpinfo_next(&tcpinfo, &first, &i)->window_bytes, 10);
	tcpinfo_release(&tcpinfo);
}

static void test_path(void **state)
{
	struct connection connection = made(40000, SECOND, 2 * (int64_t)SECOND);
	struct tcpinfo_path path = { .port = 40000,
		.t_ns = SECOND - 1000,
		.rate_bit_s = 7 };
	struct tcpinfo_log tcpinfo;

	tcpinfo_init(&tcpinfo);
	assert_null(tcpinfo_path_of(&tcpinfo, &connection));
	tcpinfo_add_path(&tcpinfo, &path);
	path.t_ns = 9 * (int64_t)SECOND;
	path.rate_bit_s = 8;
	tcpinfo_add_path(&tcpinfo, &path);
	path.port = 40001;
	path.t_ns = SECOND;
	tcpinfo_add_path(&tcpinfo, &path);
	assert_int_equal(tcpinfo_path_of(&tcpinfo, &connection)->rate_bit_s, 7);
	tcpinfo_release(&tcpinfo);
}

/* Reports that do not fit are counted. */
static void test_room(void **state)
{
	struct tcpinfo_path path = { .port = 1 };
	struct tcpinfo_log tcpinfo;

	tcpinfo_init(&tcpinfo);
	for (int i = 0; i < TCPINFO_SAMPLES_MAX + 3; i++)
		put(&tcpinfo, 40000, i, i);
	for (int i = 0; i < TCPINFO_PATHS_MAX + 2; i++)
		tcpinfo_add_path(&tcpinfo, &path);
	assert_int_equal(tcpinfo.samples.count, TCPINFO_SAMPLES_MAX);
	assert_int_equal(tcpinfo.paths.count, TCPINFO_PATHS_MAX);
	assert_int_equal(tcpinfo.left_out, 5);
	tcpinfo_release(&tcpinfo);
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
