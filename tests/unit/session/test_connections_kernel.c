/* Reports of the kernel about connections, to JSON and back. */
#include <stdlib.h>

#include "connections.h"
#include "connections_kernel.h"
#include "connections_read.h"
#include "json.h"
#include "unit/packet/talk.h"

enum { MANY = 5000 };

static void open_one(struct talk *talk, struct tcpinfo_log *tcpinfo)
{
	talk_begin(talk, TAP_CLIENT);
	talk_open(talk, 40);
	SAY(talk, .ms = 41, .length = 1448);
	SAY(talk, .ms = 900, .side = SERVER, .ack = 1448);
	tcpinfo_init(tcpinfo);
}

static void put(struct tcpinfo_log *tcpinfo,
	const struct connection *connection,
	int64_t since_ns, int64_t window)
{
	tcpinfo_add_sample(tcpinfo,
		&(struct tcpinfo_sample){
			.port = connection->end[connection->client].port,
			.t_ns = connection->first_ns + since_ns,
			.window_bytes = window,
			.threshold_bytes = window > 100 ? 50 : 0,
			.in_flight_bytes = window - 1,
			.rtt_ns = 40000001,
			.resent = 2 });
}

static char *write_all(const struct talk *talk,
	const struct tcpinfo_log *tcpinfo)
{
	const struct capture_origin origin = { .file = "made", .tcpinfo =
		tcpinfo };
	struct text json = { 0 };

	connections_write(talk->annotator, &origin, &json);
	return text_take(&json);
}

static void test_read_back(void **state)
{
	struct stored_connections stored;
	struct tcpinfo_log tcpinfo;
	struct talk talk;
	size_t i = 0;

	open_one(&talk, &tcpinfo);
	const struct connection *connection = talk_connection(&talk);
	tcpinfo_add_path(&tcpinfo,
		&(struct tcpinfo_path){
			.port = connection->end[connection->client].port,
			.t_ns = connection->first_ns - 1000,
			.rate_bit_s = 20000000,
			.queue_bytes = 120000,
			.congestion = "cubic" });
	put(&tcpinfo, connection, -500, 10);
	put(&tcpinfo, connection, 2000, 200);
	char *json = write_all(&talk, &tcpinfo);
	stored_connections_read(json, &stored);
	assert_int_equal(stored.count, 1);
	const struct tcpinfo_path *path =
		tcpinfo_path_of(&stored.tcpinfo, &stored.list[0]);
	assert_non_null(path);
	assert_string_equal(path->congestion, "cubic");
	assert_int_equal(path->rate_bit_s, 20000000);
	assert_int_equal(path->rtt_ns, 0);
	assert_int_equal(path->queue_bytes, 120000);
	const struct tcpinfo_sample *sample =
		tcpinfo_next(&stored.tcpinfo, &stored.list[0], &i);
	assert_int_equal(sample->t_ns, connection->first_ns - 500);
	assert_int_equal(sample->threshold_bytes, 0);
	sample = tcpinfo_next(&stored.tcpinfo, &stored.list[0], &i);
	assert_int_equal(sample->window_bytes, 200);
	assert_int_equal(sample->threshold_bytes, 50);
	assert_int_equal(sample->in_flight_bytes, 199);
	assert_int_equal(sample->rtt_ns, 40000001);
	assert_int_equal(sample->resent, 2);
	assert_null(tcpinfo_next(&stored.tcpinfo, &stored.list[0], &i));
	stored_connections_free(&stored);
	free(json);
	tcpinfo_release(&tcpinfo);
	talk_end(&talk);
}

/* Two retransmissions by the kernel's count, with and without the packets'
 * agreement. */
static void test_check(void **state)
{
	static const char *const says[] = { "\"retrans_capture\":1,"
					    "\"agree\":false",
		"\"retrans_capture\":2,\"agree\":true" };

	for (int again = 1; again <= 2; again++) {
		struct tcpinfo_log tcpinfo;
		struct talk talk;

		open_one(&talk, &tcpinfo);
		SAY(&talk, .ms = 950, .seq = 1448, .length = 1448);
		for (int i = 0; i < again; i++)
			SAY(&talk, .ms = 1300 + 600 * i, .seq = 1448,
				.length = 1448);
		put(&tcpinfo, talk_connection(&talk), 5000000, 200);
		char *json = write_all(&talk, &tcpinfo);
		assert_non_null(strstr(json, "\"retrans_kernel\":2,"));
		assert_non_null(strstr(json, says[again - 1]));
		free(json);
		tcpinfo_release(&tcpinfo);
		talk_end(&talk);
	}
}

/* Of many samples a few are stored, including the highest and the last. */
static void test_many(void **state)
{
	struct stored_connections stored;
	const struct tcpinfo_sample *sample;
	int64_t most = 0, last = 0;
	struct tcpinfo_log tcpinfo;
	struct talk talk;
	size_t count = 0;

	open_one(&talk, &tcpinfo);
	for (int i = 0; i < MANY; i++)
		put(&tcpinfo, talk_connection(&talk), i * INT64_C(100000),
			i == 1234 ? 99999 : 1000 + i);
	char *json = write_all(&talk, &tcpinfo);
	stored_connections_read(json, &stored);
	for (size_t i = 0;
		(sample = tcpinfo_next(&stored.tcpinfo, &stored.list[0],
			&i));) {
		count++;
		most = sample->window_bytes > most ? sample->window_bytes :
						     most;
		last = sample->window_bytes;
	}
	assert_true(count > 100 && count <= 257);
	assert_int_equal(most, 99999);
	assert_int_equal(last, 1000 + MANY - 1);
	stored_connections_free(&stored);
	free(json);
	tcpinfo_release(&tcpinfo);
	talk_end(&talk);
}

/* Packets alone: the member exists, and is empty. */
static void test_offline(void **state)
{
	struct tcpinfo_log tcpinfo;
	struct talk talk;

	open_one(&talk, &tcpinfo);
	char *json = write_all(&talk, NULL);
	assert_non_null(strstr(json, "\"kernel\":[]"));
	free(json);
	json = write_all(&talk, &tcpinfo);
	assert_non_null(strstr(json, "\"kernel\":[]"));
	free(json);
	tcpinfo_release(&tcpinfo);
	talk_end(&talk);
}

static void test_what_is_none(void **state)
{
	static const char *const lists[] = { "3", "[1,null,[]]",
		"[{\"connection\":9}]", "[{\"connection\":1,\"samples\":[]}]",
		"[{\"connection\":1,\"samples\":{\"window_bytes\":[1]}}]",
		"[{\"connection\":1,\"samples\":{\"t_ns\":3}}]" };

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct stored_connections stored;
		struct text json = { 0 };

		text_add(&json,
			"{\"connections\":[{\"number\":1}],\"kernel\":%s}",
			lists[i]);
		stored_connections_read(json.chars, &stored);
		assert_int_equal(stored.count, 1);
		assert_int_equal(stored.tcpinfo.samples.count, 0);
		stored_connections_free(&stored);
		text_free(&json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_back),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_offline),
		cmocka_unit_test(test_what_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
