/* The same flow in every capture format gives the same connections, byte for
 * byte. */
#include "capture_files.h"
#include "run.h"

/* Handshake, a flight with a loss and its cure, and the end. */
static const struct segment talk[] = {
	{ .flags = TCP_SYN,
		.seq = -1,
		.mss = 1460,
		.wscale = 8,
		.sack_permitted = true },
	{ .ms = 20,
		.side = 1,
		.flags = TCP_SYN | TCP_ACK,
		.seq = -1,
		.mss = 1460,
		.wscale = 8,
		.sack_permitted = true },
	{ .ms = 20.05 },
	{ .ms = 21, .flags = TCP_ACK | TCP_PSH, .length = 120 },
	{ .ms = 41.2, .side = 1, .ack = 120 },
	{ .ms = 42, .side = 1, .ack = 120, .length = 1448 },
	{ .ms = 42.02, .side = 1, .seq = 2896, .ack = 120, .length = 1448 },
	{ .ms = 42.04, .side = 1, .seq = 4344, .ack = 120, .length = 1448 },
	{ .ms = 42.06, .side = 1, .seq = 5792, .ack = 120, .length = 700 },
	{ .ms = 42.1, .seq = 120, .ack = 1448 },
	{ .ms = 42.12,
		.seq = 120,
		.ack = 1448,
		.sacks = 1,
		.sack = { { 2896, 4344 } } },
	{ .ms = 42.14,
		.seq = 120,
		.ack = 1448,
		.sacks = 1,
		.sack = { { 2896, 5792 } } },
	{ .ms = 42.16,
		.seq = 120,
		.ack = 1448,
		.sacks = 1,
		.sack = { { 2896, 6492 } } },
	{ .ms = 63, .side = 1, .seq = 1448, .ack = 120, .length = 1448 },
	{ .ms = 63.1, .seq = 120, .ack = 6492 },
	{ .ms = 70, .flags = TCP_FIN | TCP_ACK, .seq = 120, .ack = 6492 },
	{ .ms = 90,
		.side = 1,
		.flags = TCP_FIN | TCP_ACK,
		.seq = 6492,
		.ack = 121 },
	{ .ms = 90.1, .seq = 121, .ack = 6493 },
};

static void write_talk(struct capture_file *file, const char *name,
	enum encapsulation on, bool six)
{
	struct flow flow = flow_new();

	flow.six = six;
	capture_file_open(file, in_folder(name), encapsulation_link(on, six));
	for (size_t i = 0; i < sizeof talk / sizeof *talk; i++) {
		struct made ip = segment_make(&flow, talk[i]);
		struct made made = made_on(&ip, on, six);

		capture_file_add(file, &made, segment_ns(&flow, &talk[i]));
	}
	capture_file_close(file);
}

enum { FORMATS = 8 };
#define REPLY       "{\"schema\":"
#define CONNECTIONS ",\n\"connections\":["

/* The replies of one process about the talk in every format. */
static struct ran annotate_formats(enum encapsulation on, bool six)
{
	struct text line = { 0 };

	for (int format = 0; format < FORMATS; format++) {
		struct capture_file file = {
			.swapped = format & 1,
			.nano = format & 2,
			.ng = format & 4,
		};
		char name[16];

		snprintf(name, sizeof name, "talk%d.pcap", format);
		write_talk(&file, name, on, six);
		text_add(&line, "annotate %s --json; ", in_folder(name));
	}
	struct ran ran = RUN(PROGRAM, "-c", text_chars(&line));
	assert_status(ran, 0);
	text_free(&line);
	return ran;
}

/* From "connections":[ to the end of the reply. */
static char *connections_of(const char **reply)
{
	const char *begin = strstr(*reply, CONNECTIONS);

	assert_non_null(begin);
	const char *end = strstr(begin, "\n" REPLY);
	if (!end)
		end = begin + strlen(begin) - 1;
	assert_int_equal(*end, '\n');
	*reply = end + 1;
	return strndup(begin, (size_t)(end - begin));
}

static void test_matrix(void **state)
{
	for (int six = 0; six < 2; six++) {
		char *first = NULL;

		for (int on = 0; on < ENCAPSULATIONS; on++) {
			struct ran ran =
				annotate_formats((enum encapsulation)on, six);
			const char *reply = text_chars(&ran.out);

			for (int format = 0; format < FORMATS; format++) {
				char *said = connections_of(&reply);

				if (!first)
					first = strdup(said);
				if (strcmp(first, said))
					fail_msg("link %d, format %d:\n%s\n%s",
						on, format, first, said);
				free(said);
			}
			assert_int_equal(*reply, '\0');
			ran_free(&ran);
		}
		assert_non_null(strstr(first, "\"retransmissions\":1,"));
		assert_non_null(strstr(first, "\"kind\":\"orderly\""));
		free(first);
	}
}

static void test_unknown_link(void **state)
{
	struct capture_file file = { .swapped = false };
	struct flow flow = flow_new();
	struct made made = segment_make(&flow, talk[0]);

	capture_file_open(&file, in_folder("talk.pcap"), 189);
	capture_file_add(&file, &made, segment_ns(&flow, &talk[0]));
	capture_file_close(&file);
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("talk.pcap"));
	assert_status(ran, 3);
	assert_contains(ran.err, "link type USB_LINUX (189) is not read, expected Ethernet");
	ran_free(&ran);
}

/* A file that was truncated while it was written. Its packets are annotated,
 * and the end of the file is not reported as the end of the connection. */
static void test_cut_file(void **state)
{
	struct capture_file file = { .nano = true };

	write_talk(&file, "talk.pcap", ON_ETHERNET, false);
	assert_int_equal(truncate(in_folder("talk.pcap"), 700), 0);
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("talk.pcap"));
	assert_status(ran, 3);
	assert_contains(ran.err, "as a capture file");
	assert_contains(ran.out, "handshake");
	ran_free(&ran);
}

/* Segments seconds after the SYN, with times to the nanosecond. The second
 * flight is sent twice, so that there is an event. */
static void write_late(struct capture_file *file)
{
	const struct segment late[] = {
		{ .flags = TCP_SYN, .seq = -1, .mss = 1460 },
		{ .ms = 12040.123456,
			.side = 1,
			.flags = TCP_SYN | TCP_ACK,
			.seq = -1,
			.mss = 1460 },
		{ .ms = 12040.223456 },
		{ .ms = 12345.678901, .length = 1448 },
		{ .ms = 12345.688901, .seq = 1448, .length = 1448 },
		{ .ms = 17345.678901, .side = 1, .ack = 2896 },
		{ .ms = 17345.778901, .seq = 2896, .length = 1448 },
		{ .ms = 99345.778901, .seq = 2896, .length = 1448 },
		{ .ms = 99385.123456, .side = 1, .ack = 4344 },
	};
	struct flow flow = flow_new();

	capture_file_open(file, in_folder("late.pcap"),
		encapsulation_link(ON_ETHERNET, false));
	for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
		struct made ip = segment_make(&flow, late[i]);
		struct made made = made_on(&ip, ON_ETHERNET, false);

		/* Segments are made to the microsecond. */
		capture_file_add(file, &made,
			segment_ns(&flow, &late[i]) + (int64_t)i * 101);
	}
	capture_file_close(file);
}

/* The part of the line with `has` up to the end of `until`, as columns. */
static int columns(const char *text, const char *has, const char *until)
{
	const char *at = strstr(text, has);

	while (at && at > text && at[-1] != '\n')
		at--;
	const char *end = at ? strstr(at, until) : NULL;
	if (!end || end > strchr(at, '\n'))
		fail_msg("no %s with %s in\n%s", until, has, text);
	return (int)(end - at) + (int)strlen(until);
}

static void assert_narrow(const char *text)
{
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (length > 80)
			fail_msg("%zu columns: %s", length, text);
	}
}

/* Columns remain separate and aligned with their headings, even for large
 * times. */
static void test_late_nanoseconds(void **state)
{
	struct capture_file file = { .nano = true };

	write_late(&file);
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("late.pcap"));
	const char *text = text_chars(&ran.out);
	assert_status(ran, 0);
	assert_contains(ran.out, "timestamps in nanoseconds");
	assert_narrow(text);
	int packet = columns(text, "  handshake ", " packet");
	assert_int_equal(columns(text, "| 12040.123101 ms", "  2"), packet);
	assert_contains(ran.out, "\n 12040.123101 ms      2  |<-");
	int start = columns(text, "  round  ", "start");
	assert_int_equal(columns(text, " 1 12345.678 ms ", " ms"), start);
	int trip = columns(text, "  round  ", "round trip");
	assert_int_equal(columns(text, " 2896 4999.990 ms full", "990 ms"),
		trip);
	assert_contains(ran.out, "\n  12345.678 ms      4  client: ");
	assert_contains(ran.out,
		"\n  99345.779 ms      8  client: retransmitted");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matrix),
		cmocka_unit_test(test_unknown_link),
		cmocka_unit_test(test_cut_file),
		cmocka_unit_test(test_late_nanoseconds),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
