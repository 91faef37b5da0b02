/* The Net screen follows the packets of a run during the capture, and shows the
 * same as for a file with these packets. */
#include <sys/mman.h>
#include <unistd.h>

#include "capture_wire.h"
#include "net_fixture.h"
#include "packets.h"

#include "seated.h"

static int open_lab(void **state)
{
	fixture_open(&lab, &screen);
	lab.packets_fd = memfd_create("packets", MFD_CLOEXEC);
	lab.packets_serial++;
	screen_execute(&screen, "view net; focus rounds");
	return lab.packets_fd < 0;
}

static const char *drawn(void)
{
	return drawn_at(80, 24);
}

static void put(const struct capture_header *header, const void *bytes)
{
	char record[sizeof *header + CAPTURE_BYTES_MOST] = { 0 };
	size_t length = sizeof *header + capture_padded(header->byte_count);

	memcpy(record, header, sizeof *header);
	if (header->byte_count)
		memcpy(record + sizeof *header, bytes, header->byte_count);
	assert_int_equal(write(lab.packets_fd, record, length), length);
}

static void put_word(enum capture_kind kind)
{
	const struct capture_header header = { .kind = (uint8_t)kind,
		.wire_bytes = kind == CAPTURE_READY ? CAPTURE_VERSION : 0,
		.captured_bytes = 144,
		.link_type = LINK_RAW };

	put(&header, NULL);
}

/* Adds one segment: in the helper's format, or to the annotator of a file. */
static void add(struct flow *flow, struct segment segment,
	struct annotator *file)
{
	struct made made = segment_make(flow, segment);
	int64_t t_ns = segment_ns(flow, &segment);
	struct packet_record record = made_record(&made, LINK_RAW, t_ns);
	const struct capture_header header = { .kind = CAPTURE_PACKET,
		.t_ns = t_ns,
		.captured_bytes = made.captured,
		.wire_bytes = made.wire,
		.link_type = LINK_RAW,
		.byte_count = (uint16_t)made.captured };

	if (file)
		annotator_add(file, &record);
	else
		put(&header, made.bytes);
}

static void open_connection(struct flow *flow, struct annotator *file)
{
	const struct segment segments[] = {
		{ .flags = TCP_SYN, .seq = -1, .mss = 1460, .wscale = 8 },
		{ .ms = 30,
			.side = SERVER,
			.flags = TCP_SYN | TCP_ACK,
			.seq = -1,
			.mss = 1460,
			.wscale = 8 },
		{ .ms = 30.1 },
	};

	for (size_t i = 0; i < sizeof segments / sizeof *segments; i++)
		add(flow, segments[i], file);
}

static void send_rounds(struct flow *flow, int rounds, struct annotator *file)
{
	int64_t at = 0, acked = 0;
	double ms = 31;

	for (int round = 0; round < rounds; round++, ms += 30) {
		int64_t from = at;

		for (int i = 0; i < 10 << round; i++, at += 1448)
			add(flow,
				(struct segment){ .ms = ms,
					.seq = at,
					.length = 1448 },
				file);
		for (acked = from + 2896; acked <= at; acked += 2896)
			add(flow,
				(struct segment){ .ms = ms + 29.5,
					.side = SERVER,
					.ack = acked },
				file);
	}
}

static void test_follows(void **state)
{
	struct flow flow = flow_new(), again = flow_new();

	assert_non_null(strstr(drawn(), "`annotate FILE` opens"));
	put_word(CAPTURE_READY);
	open_connection(&flow, NULL);
	assert_non_null(strstr(drawn(), "RTT 30 ms"));
	assert_non_null(strstr(drawn(), "3 packets"));
	send_rounds(&flow, 3, NULL);
	put_word(CAPTURE_END);
	assert_non_null(strstr(drawn(), "first data  10 segments, 14 480 B"));
	assert_non_null(strstr(drawn(), "2.00x"));
	assert_null(strstr(drawn(), "live"));
	/* A file with the same packets gives the same screen, except for the
	 * title row. */
	char *run = xstrdup(strchr(drawn(), '\n'));
	struct annotator *file = net_capture(&lab, "/tmp/same.pcap");
	open_connection(&again, file);
	send_rounds(&again, 3, file);
	screen_execute(&screen, "net other");
	if (!strstr(drawn(), "same.pcap"))
		screen_execute(&screen, "net other");
	screen_execute(&screen, "net follow");
	assert_non_null(strstr(drawn(), "same.pcap"));
	screen.message_read = true;
	char *same = xstrdup(strchr(drawn(), '\n'));
	/* The status row with the last message is also excluded. */
	char *status = strstr(run, "\n No packets");
	assert_non_null(status);
	*status = '\0';
	assert_true(strlen(same) > strlen(run));
	same[strlen(run)] = '\0';
	assert_string_equal(run, same);
	free(run);
	free(same);
}

/* Reports of the kernel are interleaved with the packets, and drawn beside
 * them. */
static void test_told(void **state)
{
	const struct link_args link = { .rtt_ns = 30000000,
		.rate_bit_s = 40000000,
		.queue = 100 * UNIT_QUEUE_PACKETS };
	struct tcp_report report;
	struct flow flow = flow_new();
	int64_t began_ns = segment_ns(&flow, &(struct segment){ .ms = 0 });

	memset(&report, 0, sizeof report);
	report.length = sizeof report.account;
	report.account.send_mss = 1448;
	report.account.send_ssthresh = INT32_MAX;
	put_word(CAPTURE_READY);
	open_connection(&flow, NULL);
	packets_tell_path(lab.packets_fd, flow.port[0], began_ns, "cubic",
		&link);
	send_rounds(&flow, 2, NULL);
	for (int ms = 31; ms < 90; ms++) {
		report.account.congestion_window = ms < 61 ? 10 : 23;
		packets_tell_sample(lab.packets_fd, flow.port[0],
			began_ns + ms * INT64_C(1000000), &report);
	}
	put_word(CAPTURE_END);
	/* The first acknowledgement came at 60.5 ms; a sample later: */
	screen_execute(&screen, "focus handshake; net zoom");
	assert_non_null(strstr(drawn(), "cwnd 23"));
	screen_execute(&screen, "focus path");
	assert_non_null(strstr(drawn(), "cubic"));
	assert_non_null(strstr(drawn(), "100 + 100 segments"));
	screen_execute(&screen, "focus window");
	assert_non_null(strstr(drawn(), "window: TCP_INFO, cubic"));
	assert_null(strstr(drawn(), "ssthresh"));
	/* Reports are not counted or listed as packets. */
	struct net_scene scene;
	net_open(&scene, &screen);
	assert_int_equal(scene.packets, 3 + 30 + 15);
}

/* Without permission to capture, only the kernel's reports are drawn. */
static void test_untold(void **state)
{
	struct tcp_report report;

	memset(&report, 0, sizeof report);
	report.length = sizeof report.account;
	report.account.send_mss = 1448;
	report.account.send_ssthresh = INT32_MAX;
	fixture_measure(&lab);
	struct results *last = lab.session->runs[lab.session->run_count - 1];
	point_add_note(&last->points[0], "capture",
		"off: cannot capture on eth0: needs CAP_NET_RAW");
	put_word(CAPTURE_DENIED);
	assert_non_null(strstr(drawn(), "was measured without packets"));
	assert_null(strstr(drawn(), "TCP_INFO"));
	for (int ms = 0; ms < 90; ms++) {
		report.account.congestion_window = 10 + (uint32_t)ms;
		packets_tell_sample(lab.packets_fd, 40000,
			ms * INT64_C(1000000), &report);
	}
	assert_non_null(strstr(drawn(), "needs CAP_NET_RAW"));
	assert_non_null(strstr(drawn(), "(TCP_INFO)"));
	assert_non_null(strstr(drawn(), "window"));
}

/* The packets of the next run replace those of the previous run. */
static void test_next_run(void **state)
{
	struct flow flow = flow_new();

	put_word(CAPTURE_READY);
	open_connection(&flow, NULL);
	assert_non_null(strstr(drawn(), ":40000"));
	close(lab.packets_fd);
	lab.packets_fd = memfd_create("packets", MFD_CLOEXEC);
	lab.packets_serial++;
	assert_null(strstr(drawn(), ":40000"));
	flow = flow_new();
	flow.port[0] = 41111;
	put_word(CAPTURE_READY);
	open_connection(&flow, NULL);
	assert_non_null(strstr(drawn(), ":41111"));
	assert_null(strstr(drawn(), ":40000"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_follows),
		IN_LAB(test_told),
		IN_LAB(test_untold),
		IN_LAB(test_next_run),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
