/* The Net screen reads a file again for the packets of the connection shown,
 * if the packets of all connections are too many. */
#include <stdlib.h>
#include <unistd.h>

#include "net_fixture.h"
#include "read_again.h"
#include "read_capture.h"
#include "run_queue.h"

#include "seated.h"

enum { ROUNDS = PACKET_LOG_MAX / 3, SICK = 3 + 2 * ((ROUNDS + 19) / 20) };

static char path[] = "/tmp/benchtop-again-XXXXXX";
static struct text reading;
/* Of a file in nanoseconds. */
static const uint32_t file_header[6] = { 0xa1b23c4d, 2 | 4 << 16, 0, 0, 65535,
	LINK_RAW };

static void put(FILE *file, struct flow *flow, struct segment segment)
{
	struct made made = segment_make(flow, segment);
	int64_t t_ns = segment_ns(flow, &segment);
	const uint32_t header[4] = { (uint32_t)(t_ns / 1000000000),
		(uint32_t)(t_ns % 1000000000), made.captured, made.wire };

	fwrite(header, sizeof header, 1, file);
	fwrite(made.bytes, made.captured, 1, file);
}

static void put_open(FILE *file, struct flow *flow, double ms)
{
	put(file, flow,
		(struct segment){ .ms = ms, .flags = TCP_SYN, .seq = -1,
			.mss = 1460 });
	put(file, flow,
		(struct segment){ .ms = ms + 5, .side = 1, .seq = -1,
			.flags = TCP_SYN | TCP_ACK, .mss = 1460 });
	put(file, flow, (struct segment){ .ms = ms + 5.1 });
}

/* A long transfer of four packets a millisecond, and one that sends a packet
 * every 20 ms, which is lost and sent again. */
static void write_file(FILE *file)
{
	struct flow bulk = flow_new(), sick = flow_new();

	sick.port[0]++;
	fwrite(file_header, sizeof file_header, 1, file);
	put_open(file, &bulk, 0);
	put_open(file, &sick, 6);
	for (int i = 0; i < ROUNDS; i++) {
		double ms = 20 + i;

		for (int k = 0; k < 4; k++)
			put(file, &bulk,
				(struct segment){ .ms = ms,
					.seq = 4000 * i + 1000 * k,
					.length = 1000 });
		for (int k = 0; k < 2 && i % 20 == 0; k++)
			put(file, &sick,
				(struct segment){ .ms = ms + 0.5 * k,
					.seq = 50 * i,
					.length = 1000 });
	}
}

static int make_file(void **state)
{
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	if (!file)
		return -1;
	write_file(file);
	text_add(&reading, "annotate %s", path);
	return fclose(file);
}

static int remove_file(void **state)
{
	text_free(&reading);
	return unlink(path);
}

static int open_lab(void **state)
{
	fixture_open(&lab, &screen);
	screen_execute(&screen, reading.chars);
	while (lab_busy(&lab))
		lab_step(&lab);
	screen_take_ended(&screen);
	assert_int_equal(screen.view, VIEW_NET);
	return 0;
}

/* Reads as the loop does. Returns the number of steps. */
static int step_all(void)
{
	int steps = 0;

	for (; read_again_is_due(&lab); steps++)
		lab_step(&lab);
	return steps;
}

/* The packets of the sick connection are not thinned by those of others. */
static void test_all_packets(void **state)
{
	screen_execute(&screen, "connection to 2; focus packets");
	struct net_scene at = net_shown(&screen);
	assert_true(at.packets < SICK);
	assert_true(drawn_has(80, 24, "reading its packets: 0 %"));
	/* Rows with packets between them do not look like neighbours. */
	screen_execute(&screen, "packet 99999");
	assert_true(drawn_has(80, 24, " 1 packet not kept "));
	assert_true(drawn_has(80, 24, "reading its packets: 0 %"));
	screen_execute(&screen, "packet -99999");
	lab_step(&lab);
	lab_step(&lab);
	/* Meanwhile lines are executed, and the screen shows the progress. */
	assert_false(lab_busy(&lab));
	screen_execute(&screen, "packet 100");
	uint64_t number = net_shown_packet(&screen);
	assert_true(step_all() > 0);
	at = net_shown(&screen);
	assert_int_equal(at.packets, SICK);
	assert_int_equal(net_shown_packet(&screen), number);
	assert_false(drawn_has(80, 24, "reading its packets"));
	assert_false(drawn_has(80, 24, "kept"));
	screen_execute(&screen, "focus sequence");
	assert_true(drawn_has(80, 24, "x retransmitted"));
	/* Nothing is read twice. */
	assert_int_equal(step_all(), 0);
}

/* Of a connection that is itself too long, the list is complete around the
 * selected packet. */
static void test_around(void **state)
{
	enum { AT = 90000 };

	screen_execute(&screen, "connection to 1; focus packets");
	drawn_at(80, 24);
	step_all();
	struct net_scene at = net_shown(&screen);
	assert_in_range(at.packets, 1000, PACKET_LOG_MAX);
	assert_true(drawn_has(80, 24, "of 174763 packets kept"));
	screen_execute(&screen, "packet 70");
	assert_true(drawn_has(80, 24, " packets not kept "));
	for (size_t i = 0; i + 1 < at.packets; i++)
		if (net_packet(&at, i)->ordinal <= AT)
			at.packet = i;
	struct text line = { 0 };
	text_add(&line, "packet to %llu",
		(unsigned long long)net_packet(&at, at.packet)->packet.number);
	screen_execute(&screen, line.chars);
	text_free(&line);
	uint64_t number = net_shown_packet(&screen);
	assert_true(drawn_has(80, 24, "reading its packets"));
	step_all();
	at = net_shown(&screen);
	assert_int_equal(net_shown_packet(&screen), number);
	for (size_t i = 0; i < 5000; i++)
		assert_int_equal(net_packet(&at, at.packet + i)->ordinal,
			net_packet(&at, at.packet)->ordinal + i);
}

/* `packet to` names a packet by its number in the file, however many are
 * kept. */
static void test_numbered(void **state)
{
	struct text line = { 0 };

	screen_execute(&screen, "connection to 2; focus packets");
	struct net_scene at = net_shown(&screen);
	size_t kept = at.packets;
	uint64_t number = net_packet(&at, kept / 2)->packet.number;
	text_add(&line, "packet to %llu", (unsigned long long)number);
	screen_execute(&screen, line.chars);
	assert_int_equal(net_shown_packet(&screen), number);
	text_clear(&line);
	text_add(&line, "packet to %llu", (unsigned long long)number - 1);
	screen_execute(&screen, line.chars);
	assert_int_equal(net_shown_packet(&screen), number);
	assert_non_null(strstr(screen.message.chars, "is the nearest kept"));
	step_all();
	assert_true(net_shown(&screen).packets > kept);
	assert_int_equal(net_shown_packet(&screen), number);
	screen_execute(&screen, "packet last");
	at = net_shown(&screen);
	assert_int_equal(at.packet, at.packets - 1);
	screen_execute(&screen, "packet first");
	assert_int_equal(net_shown(&screen).packet, 0);
	screen_execute(&screen, "packet back");
	assert_non_null(strstr(screen.message.chars, "not a whole number"));
	text_clear(&line);
	text_add(&line, "packet to %llu", (unsigned long long)number);
	screen_execute(&screen, line.chars);
	/* Now it is known that a packet is of the other connection. */
	screen_execute(&screen, "packet to 3");
	assert_int_equal(net_shown_packet(&screen), number);
	assert_non_null(strstr(screen.message.chars,
		"packet 3 is not of this connection, whose packets are within "
		"4 .. "));
	text_free(&line);
}

/* A file that has changed has other packets: those of the first reading stay
 * on the screen. */
static void test_changed(void **state)
{
	struct net_scene at;

	screen_execute(&screen, "connection to 2");
	size_t before = net_shown(&screen).packets;
	assert_int_equal(truncate(path, 100000), 0);
	step_all();
	at = net_shown(&screen);
	assert_int_equal(at.packets, before);
	assert_false(read_again_is_due(&lab));
	screen_take_ended(&screen);
	assert_non_null(strstr(screen.message.chars,
		"the missing packets cannot be read again: "));
	assert_int_equal(lab.capture_file.why.status, STATUS_OK);
	screen_execute(&screen, "focus packets");
	assert_true(drawn_has(80, 24, "packets kept, reading again failed"));
}

/* A file that is gone. */
static void test_gone(void **state)
{
	struct text away = { 0 };

	text_add(&away, "%s.away", path);
	assert_int_equal(rename(path, away.chars), 0);
	screen_execute(&screen, "connection to 2; focus packets");
	net_shown(&screen);
	step_all();
	assert_int_equal(rename(away.chars, path), 0);
	text_free(&away);
	screen_take_ended(&screen);
	assert_non_null(strstr(screen.message.chars,
		"the missing packets cannot be read again: "));
	assert_non_null(strstr(screen.message.chars, "No such file"));
	assert_true(drawn_has(80, 24, "packets kept, reading again failed"));
}

/* A file that has its SYN/ACK behind the third packet. */
static void test_sorted(void **state)
{
	char other[] = "/tmp/benchtop-sorted-XXXXXX";
	FILE *file = fdopen(mkstemp(other), "w");
	struct flow flow = flow_new();
	struct text line = { 0 };

	assert_non_null(file);
	fwrite(file_header, sizeof file_header, 1, file);
	put(file, &flow,
		(struct segment){ .flags = TCP_SYN, .seq = -1, .mss = 1460 });
	put(file, &flow, (struct segment){ .ms = 5.1 });
	put(file, &flow,
		(struct segment){ .ms = 5, .side = 1, .seq = -1,
			.flags = TCP_SYN | TCP_ACK, .mss = 1460 });
	assert_int_equal(fclose(file), 0);
	text_add(&line, "annotate %s", other);
	screen_execute(&screen, "focus packets");
	assert_false(drawn_has(80, 24, "numbered by time"));
	screen_execute(&screen, line.chars);
	while (lab_busy(&lab))
		lab_step(&lab);
	screen_take_ended(&screen);
	screen_execute(&screen, "focus packets");
	assert_true(drawn_has(80, 24, "packets, numbered by time"));
	text_free(&line);
	unlink(other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_lab, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_all_packets),
		TEST(test_around),
		TEST(test_numbered),
		TEST(test_gone),
		TEST(test_sorted),
		TEST(test_changed),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
