/* The annotator's results for a link's packets at either side, compared with
 * the kernel's own report of the connection. */
#include <pthread.h>

#include "annotate.h"
#include "capture_link.h"
#include "on_link.h"
#include "tcp.h"

enum { LONG_BYTES = 1500000 };

struct watch {
	struct capture *capture;
	struct annotator *annotator;
};

struct transfer {
	struct link *link;
	struct watch watch[LINK_SIDES];
	struct tcp_account account;
	const char *name; /* of the congestion control */
	int ends[2];
};

static void watch_open(struct transfer *transfer, enum link_side side)
{
	const struct capture_ask ask = { .use = CAPTURE_FOR_LATENCY };
	struct watch *watch = &transfer->watch[side];
	struct error error = { 0 };

	watch->capture = capture_open_link(transfer->link, side, &ask, &error);
	if (!watch->capture || capture_wait(watch->capture, 20000, &error))
		fail_msg("%s", error.message);
	/* A live capture states its position. A position inferred from the legs
	 * of the handshake would be wrong whenever this machine is slow. */
	const struct annotator_options options = {
		.tap = side == LINK_NEAR ? TAP_CLIENT : TAP_SERVER,
	};
	watch->annotator = annotator_new(&options);
}

/* Processes available packets; with `all`, until the capture has ended. */
static void watch_take(struct watch *watch, bool all)
{
	struct packet_record record;
	struct error error = { 0 };
	enum capture_got got;

	while ((got = capture_next(watch->capture, &record, &error)) !=
		CAPTURE_OVER) {
		if (got == CAPTURE_GOT)
			annotator_add(watch->annotator, &record);
		else if (got == CAPTURE_BROKEN)
			fail_msg("%s", error.message);
		else if (!all)
			return;
		else
			readable(capture_descriptor(watch->capture), 1000);
	}
	assert_int_equal(capture_counts(watch->capture).dropped, 0);
}

static void *receive(void *context)
{
	const struct transfer *transfer = context;
	static char bytes[1 << 16];

	while (read(transfer->ends[1], bytes, sizeof bytes) > 0)
		;
	close(transfer->ends[1]);
	return NULL;
}

static void send_bytes(struct transfer *transfer, size_t bytes)
{
	static const char zeros[1 << 14];

	while (bytes) {
		size_t piece = bytes < sizeof zeros ? bytes : sizeof zeros;
		ssize_t wrote = write(transfer->ends[0], zeros, piece);

		assert_true(wrote > 0);
		bytes -= (size_t)wrote;
		for (int side = 0; side < LINK_SIDES; side++)
			watch_take(&transfer->watch[side], false);
	}
}

static void transfer_begin(struct transfer *transfer,
	const struct link_settings *settings, const char *congestion)
{
	char used[16];

	*transfer = (struct transfer){
		.link = opened(settings),
		.name = congestion,
	};
	for (int side = 0; side < LINK_SIDES; side++)
		watch_open(transfer, (enum link_side)side);
	connected(transfer->link, 5001, transfer->ends);
	assert_int_equal(tcp_congestion(transfer->ends[0], congestion, used),
		0);
}

static bool has_ended(const struct watch *watch)
{
	if (!annotator_count(watch->annotator))
		return false;
	const struct connection *connection =
		annotator_connection(watch->annotator, 0);
	return connection->teardown.leg[0].ack_number &&
		connection->teardown.leg[1].ack_number;
}

/* Waits until both FINs and their acknowledgements have passed both sides. */
static void await_end(struct transfer *transfer)
{
	int64_t until_ns = now_ns() + 20 * S;

	for (int side = 0; side < LINK_SIDES; side++)
		while (!has_ended(&transfer->watch[side]) &&
			now_ns() < until_ns) {
			const struct watch *watch = &transfer->watch[side];

			readable(capture_descriptor(watch->capture), 100);
			watch_take(&transfer->watch[side], false);
		}
}

static void transfer_run(struct transfer *transfer, size_t bytes)
{
	struct tcp_report report;
	pthread_t receiver;
	char end;

	assert_int_equal(pthread_create(&receiver, NULL, receive, transfer), 0);
	send_bytes(transfer, bytes);
	shutdown(transfer->ends[0], SHUT_WR);
	assert_int_equal(read(transfer->ends[0], &end, 1), 0);
	pthread_join(receiver, NULL);
	tcp_report(transfer->ends[0], &report);
	transfer->account = report.account;
	close(transfer->ends[0]);
	await_end(transfer);
	for (int side = 0; side < LINK_SIDES; side++) {
		capture_stop(transfer->watch[side].capture);
		watch_take(&transfer->watch[side], true);
	}
}

static void transfer_end(struct transfer *transfer)
{
	for (int side = 0; side < LINK_SIDES; side++) {
		capture_close(transfer->watch[side].capture);
		annotator_free(transfer->watch[side].annotator);
	}
	link_close(transfer->link);
}

static const struct connection *connection_at(const struct transfer *transfer,
	enum link_side side)
{
	const struct annotator *annotator = transfer->watch[side].annotator;

	assert_int_equal(annotator_count(annotator), 1);
	return annotator_connection(annotator, 0);
}

static const struct side *sender_at(const struct transfer *transfer,
	enum link_side side)
{
	const struct connection *connection = connection_at(transfer, side);

	return &connection->side[connection->client];
}

static void assert_kernel_agrees(const struct transfer *transfer)
{
	const struct side *near = sender_at(transfer, LINK_NEAR);
	const struct side *far = sender_at(transfer, LINK_FAR);

	assert_int_equal(near->retransmitted_segments,
		transfer->account.total_retrans);
	assert_int_equal(near->reordered, 0);
	/* A retransmission that is lost never arrives. A loss at the front of
	 * the data leaves no hole. */
	assert_true(
		far->retransmitted_segments <= transfer->account.total_retrans);
	assert_int_equal(far->reordered, 0);
	assert_int_equal(near->gaps, 0);
	assert_int_equal(far->gaps_open, 0);
}

static bool ended_by_loss(const struct transfer *transfer)
{
	return sender_at(transfer, LINK_NEAR)->rounds.exit.reason ==
		EXIT_LOSS &&
		sender_at(transfer, LINK_FAR)->rounds.exit.reason == EXIT_LOSS;
}

/* On a busy machine the sender may pause, and acknowledgements of two rounds
 * may echo the same millisecond. Then the transfer is repeated. */
static void transfer_made(struct transfer *transfer,
	const struct link_settings *settings, const char *congestion,
	size_t bytes, bool (*good)(const struct transfer *))
{
	enum { ATTEMPTS = 3 };

	for (int attempt = 1;; attempt++) {
		transfer_begin(transfer, settings, congestion);
		transfer_run(transfer, bytes);
		if (attempt == ATTEMPTS || good(transfer))
			return;
		transfer_end(transfer);
	}
}

static void test_one_drop(void **state)
{
	struct link_settings settings = link_preset();
	struct transfer transfer;

	settings.drops[LINK_NEAR] = 1;
	settings.drop[LINK_NEAR][0] = 100;
	settings.rate_bit_s = 100000000;
	settings.queue = 1000 * UNIT_QUEUE_PACKETS;
	transfer_made(&transfer, &settings, "reno", 1000000, ended_by_loss);
	assert_kernel_agrees(&transfer);
	assert_int_equal(transfer.account.total_retrans, 1);
	assert_int_equal(sender_at(&transfer, LINK_FAR)->retransmitted_segments,
		1);
	assert_true(ended_by_loss(&transfer));
	transfer_end(&transfer);
}

/* The last five data packets are lost: first tail probes are sent, then the
 * timer expires. */
static void test_tail(void **state)
{
	struct link_settings settings = link_preset();
	struct transfer transfer;

	settings.drops[LINK_NEAR] = 5;
	for (unsigned i = 0; i < 5; i++)
		settings.drop[LINK_NEAR][i] = 27 + i;
	settings.rate_bit_s = 100000000;
	transfer_begin(&transfer, &settings, "reno");
	transfer_run(&transfer, 30 * 1448);
	assert_kernel_agrees(&transfer);
	assert_true(transfer.account.total_retrans > 0);
	const struct side *sender = sender_at(&transfer, LINK_NEAR);
	assert_true(sender->retransmissions[RETRANSMIT_TAIL_PROBE] > 0);
	transfer_end(&transfer);
}

/* The number of rounds before slow start ended, at most six. The far tap cannot
 * see the segments at the end of a flight that the full queue dropped. */
static uint32_t rounds_compared(const struct rounds *near)
{
	uint32_t ended = near->exit.reason ? near->exit.round : 7;

	return ended < 7 ? ended - 1 : 6;
}

static bool has_enough_rounds(const struct rounds *near,
	const struct rounds *far)
{
	return near->count >= 6 && far->count >= 6 &&
		rounds_compared(near) >= 3;
}

static void assert_same_rounds(const struct transfer *transfer)
{
	const struct rounds *near = &sender_at(transfer, LINK_NEAR)->rounds;
	const struct rounds *far = &sender_at(transfer, LINK_FAR)->rounds;

	assert_true(has_enough_rounds(near, far));
	for (uint32_t i = 0; i < rounds_compared(near); i++)
		if (near->at[i].segments != far->at[i].segments)
			fail_msg("%s round %u: %llu segments near, %llu far",
				transfer->name, i + 1,
				(unsigned long long)near->at[i].segments,
				(unsigned long long)far->at[i].segments);
	assert_int_equal(near->at[0].segments, 10);
	assert_int_equal(near->basis, ROUNDS_ECHO);
	assert_int_equal(side_initial_window(connection_at(transfer, LINK_FAR),
				 connection_at(transfer, LINK_FAR)->client)
				 .state,
		WINDOW_WHOLE);
}

static bool has_same_rounds(const struct transfer *transfer)
{
	const struct rounds *near = &sender_at(transfer, LINK_NEAR)->rounds;
	const struct rounds *far = &sender_at(transfer, LINK_FAR)->rounds;

	if (!has_enough_rounds(near, far))
		return false;
	for (uint32_t i = 0; i < rounds_compared(near); i++)
		if (near->at[i].segments != far->at[i].segments)
			return false;
	return true;
}

static bool is_offered(const char *name)
{
	char names[512] = "";
	FILE *file = fopen("/proc/sys/net/ipv4/"
			   "tcp_available_congestion_control",
		"re");

	if (file && !fgets(names, sizeof names, file))
		names[0] = '\0';
	if (file)
		fclose(file);
	return strstr(names, name) != NULL;
}

/* Reno overflows the queue of the preset, and cubic may leave by HyStart. In
 * both cases both sides report the same rounds. */
static void test_bottleneck(void **state)
{
	static const char *const names[] = { "reno", "cubic" };
	struct link_settings settings = link_preset();

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct transfer transfer;

		transfer_made(&transfer, &settings, names[i], LONG_BYTES,
			has_same_rounds);
		assert_same_rounds(&transfer);
		assert_kernel_agrees(&transfer);
		assert_int_not_equal(
			sender_at(&transfer, LINK_NEAR)->rounds.exit.reason,
			EXIT_NONE);
		/* A slow receiver may fill its window before the loss. */
		if (!i && !sender_at(&transfer, LINK_NEAR)->window_fulls)
			assert_int_equal(sender_at(&transfer, LINK_NEAR)
						 ->rounds.exit.reason,
				EXIT_LOSS);
		transfer_end(&transfer);
	}
}

/* A sender with pacing has no pause between rounds. */
static void test_paced(void **state)
{
	struct link_settings settings = link_preset();
	struct transfer transfer;

	if (!is_offered("bbr"))
		skip_because("not permitted here: no bbr");
	transfer_made(&transfer, &settings, "bbr", LONG_BYTES, has_same_rounds);
	assert_same_rounds(&transfer);
	assert_kernel_agrees(&transfer);
	transfer_end(&transfer);
}

/* The handshake shows the round trip at either end, and which leg is the short
 * one. */
static void test_path(void **state)
{
	struct link_settings settings = link_preset();
	struct transfer transfer;

	transfer_begin(&transfer, &settings, "reno");
	transfer_run(&transfer, 60000);
	for (int side = 0; side < LINK_SIDES; side++) {
		const struct connection *connection =
			connection_at(&transfer, (enum link_side)side);
		const struct handshake *handshake = &connection->handshake;

		assert_true(handshake->path_ns >= 40 * MS);
		assert_true((side == LINK_NEAR ? handshake->a : handshake->b)
				    .took_ns >= 40 * MS);
		assert_true((side == LINK_NEAR ? handshake->b : handshake->a)
				    .took_ns < 40 * MS);
		assert_int_equal(connection_close(connection), CLOSE_ORDERLY);
		assert_int_equal(
			connection->side[connection->client].payload_bytes,
			60000);
	}
	transfer_end(&transfer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_one_drop),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_bottleneck),
		cmocka_unit_test(test_paced),
	};

	need_link();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
