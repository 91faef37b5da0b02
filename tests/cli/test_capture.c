/* Live capture on loopback: the annotator's results during the capture equal
 * those of `annotate` for the saved file. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>

#include "annotate.h"
#include "annotated.h"
#include "capture.h"
#include "capture_save.h"
#include "connections.h"

enum { CONNECTIONS = 40, BYTES = 3000, WAIT_MS = 20000 };

struct listener {
	int socket;
	struct sockaddr_in address;
};

static struct listener listen_here(void)
{
	struct listener listener = {
		.socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
		.address = { .sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK) },
	};
	socklen_t size = sizeof listener.address;
	struct sockaddr *address = (struct sockaddr *)&listener.address;

	assert_int_equal(bind(listener.socket, address, size), 0);
	assert_int_equal(listen(listener.socket, 8), 0);
	assert_int_equal(getsockname(listener.socket, address, &size), 0);
	return listener;
}

/* Connects, sends, closes: the client first. */
static void talk_once(const struct listener *listener)
{
	static const char bytes[BYTES];
	char got[BYTES];
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(client,
				 (const struct sockaddr *)&listener->address,
				 sizeof listener->address),
		0);
	int server = accept(listener->socket, NULL, NULL);
	assert_true(server >= 0);
	assert_int_equal(write(client, bytes, BYTES), BYTES);
	assert_int_equal(recv(server, got, BYTES, MSG_WAITALL), BYTES);
	shutdown(client, SHUT_WR);
	assert_int_equal(read(server, got, 1), 0);
	close(server);
	assert_int_equal(read(client, got, 1), 0);
	close(client);
}

struct live {
	struct capture *capture;
	struct annotator *annotator;
	struct capture_save *save;
};

/* Each packet goes to the annotator and into the file. */
static enum capture_got take(struct live *live)
{
	struct packet_record record;
	struct error error = { 0 };
	enum capture_got got;

	while ((got = capture_next(live->capture, &record, &error)) ==
		CAPTURE_GOT) {
		if (!live->save)
			live->save = capture_save_open(in_folder("live.pcap"),
				record.link_type,
				capture_snap_bytes(live->capture), &error);
		assert_non_null(live->save);
		annotator_add(live->annotator, &record);
		capture_save_add(live->save, &record);
	}
	if (got == CAPTURE_BROKEN)
		fail_msg("%s", error.message);
	return got;
}

static void await(struct live *live)
{
	struct pollfd polled = { .fd = capture_descriptor(live->capture),
		.events = POLLIN };

	assert_true(poll(&polled, 1, WAIT_MS) > 0);
}

static size_t ended(const struct annotator *annotator)
{
	size_t count = 0;

	for (size_t i = 0; i < annotator_count(annotator); i++) {
		const struct connection *connection =
			annotator_connection(annotator, i);

		count += connection->teardown.leg[0].ack_number &&
			connection->teardown.leg[1].ack_number;
	}
	return count;
}

static void assert_connections(const struct annotator *annotator)
{
	assert_int_equal(annotator_count(annotator), CONNECTIONS);
	for (size_t i = 0; i < CONNECTIONS; i++) {
		const struct connection *connection =
			annotator_connection(annotator, i);

		assert_true(connection->handshake.complete);
		assert_int_equal(connection->handshake.a.state, LEG_KNOWN);
		assert_int_equal(connection->handshake.b.state, LEG_KNOWN);
		assert_int_equal(connection->tap, TAP_LOOPBACK);
		assert_int_equal(
			connection->side[connection->client].payload_bytes,
			BYTES);
		assert_int_equal(connection_close(connection), CLOSE_ORDERLY);
		assert_int_equal(connection->teardown.first,
			connection->client);
	}
}

/* Checks that the connections of the capture equal those of the saved file, in
 * the same order. */
static void assert_same(const struct annotator *annotator, const char *path)
{
	cJSON *saved = annotated(path);
	const cJSON *list = member(saved, "connections");

	assert_int_equal(cJSON_GetArraySize(list), annotator_count(annotator));
	for (int i = 0; i < cJSON_GetArraySize(list); i++) {
		cJSON *mine = connection_json(
			annotator_connection(annotator, (size_t)i));
		char *one = cJSON_PrintUnformatted(mine);
		char *other =
			cJSON_PrintUnformatted(cJSON_GetArrayItem(list, i));

		/* Numbers that are printed, parsed and printed again give the
		 * same text. */
		cJSON *again = cJSON_Parse(one);
		char *reread = cJSON_PrintUnformatted(again);
		assert_string_equal(reread, other);
		free(one);
		free(other);
		free(reread);
		cJSON_Delete(again);
		cJSON_Delete(mine);
	}
	assert_number(saved, "capture.ts_resolution_ns", 1);
	cJSON_Delete(saved);
}

static void watch(enum capture_use use)
{
	struct listener listener = listen_here();
	const struct capture_ask ask = {
		.interface = "lo",
		.use = use,
		.inbound = true,
		.port = ntohs(listener.address.sin_port),
	};
	struct error error = { 0 };
	struct live live = { .annotator = annotator_new(NULL) };

	live.capture = capture_open(&ask, &error);
	if (!live.capture || capture_wait(live.capture, WAIT_MS, &error))
		fail_msg("%s", error.message);
	for (int i = 0; i < CONNECTIONS; i++)
		talk_once(&listener);
	for (time_t until = time(NULL) + 60;
		ended(live.annotator) < CONNECTIONS;) {
		assert_true(time(NULL) < until);
		await(&live);
		take(&live);
	}
	capture_stop(live.capture);
	while (take(&live) != CAPTURE_OVER)
		await(&live);
	assert_int_equal(capture_counts(live.capture).dropped, 0);
	assert_true(capture_counts(live.capture).received > 0);
	assert_int_equal(capture_save_close(live.save, &error), 0);
	assert_connections(live.annotator);
	assert_same(live.annotator, in_folder("live.pcap"));
	capture_close(live.capture);
	annotator_free(live.annotator);
	close(listener.socket);
}

static void test_latency(void **state)
{
	watch(CAPTURE_FOR_LATENCY);
}

static void test_bandwidth(void **state)
{
	watch(CAPTURE_FOR_BANDWIDTH);
}

/* A missing interface is an error. A capture on a silent interface ends when it
 * is stopped. */
static void test_nothing(void **state)
{
	struct capture_ask ask = { .interface = "no-such0" };
	struct error error = { 0 };
	struct packet_record record;
	struct pollfd polled = { .events = POLLIN };

	struct capture *capture = capture_open(&ask, &error);
	assert_non_null(capture);
	assert_int_equal(capture_wait(capture, WAIT_MS, &error), -1);
	assert_non_null(strstr(error.message, "no-such0"));
	capture_close(capture);
	ask.interface = "lo";
	ask.port = 1;
	capture = capture_open(&ask, &error);
	assert_non_null(capture);
	assert_int_equal(capture_wait(capture, WAIT_MS, &error), 0);
	assert_int_equal(capture_next(capture, &record, &error), CAPTURE_AGAIN);
	capture_stop(capture);
	enum capture_got got;
	polled.fd = capture_descriptor(capture);
	while ((got = capture_next(capture, &record, &error)) == CAPTURE_AGAIN)
		assert_true(poll(&polled, 1, WAIT_MS) > 0);
	assert_int_equal(got, CAPTURE_OVER);
	capture_close(capture);
}

/* May this user capture on loopback? */
static bool permitted(struct error *error)
{
	const struct capture_ask ask = { .interface = "lo" };
	struct capture *capture = capture_open(&ask, error);
	bool may = capture && !capture_wait(capture, WAIT_MS, error);

	capture_close(capture);
	return may || error->status != STATUS_PERMISSION;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_bandwidth),
		cmocka_unit_test(test_nothing),
	};
	struct error error = { 0 };

	if (!permitted(&error)) {
		/* The sentence contains the command that would permit the
		 * capture. */
		if (!strstr(error.message, "setcap cap_net_raw+ep"))
			return 1;
		printf("SKIP: not permitted here: %s\n", error.message);
		return 77;
	}
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
