/* The packets of a run, as helpers append them and readers follow. */
#include "packets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture_wire.h"
#include "check.h"

static int file;

static int make(void **state)
{
	file = memfd_create("packets", MFD_CLOEXEC);
	return file < 0;
}

static int drop(void **state)
{
	return close(file);
}

static void put(struct capture_header header, const void *bytes)
{
	char record[64 + CAPTURE_BYTES_MOST] = { 0 };
	size_t length = sizeof header + capture_padded(header.byte_count);

	memcpy(record, &header, sizeof header);
	if (header.byte_count)
		memcpy(record + sizeof header, bytes, header.byte_count);
	assert_int_equal(write(file, record, length), length);
}

static void put_word(enum capture_kind kind, int64_t received, uint32_t dropped)
{
	put(
		(struct capture_header){
			.kind = (uint8_t)kind,
			.t_ns = received,
			.captured_bytes = dropped,
		},
		NULL);
}

static void put_packet(int64_t t_ns, uint16_t link_type, const char *bytes,
	uint16_t length)
{
	put(
		(struct capture_header){
			.kind = CAPTURE_PACKET,
			.t_ns = t_ns,
			.captured_bytes = length,
			.wire_bytes = length + 1000u,
			.link_type = link_type,
			.byte_count = length,
		},
		bytes);
}

static void test_follows(void **state)
{
	struct packets *packets = packets_follow(file);
	struct packet_record record;

	assert_false(packets_next(packets, &record));
	assert_int_equal(packets_state(packets)->begun, 0);
	put_word(CAPTURE_READY, 0, 144);
	put_packet(7, LINK_RAW, "abc", 3);
	assert_true(packets_next(packets, &record));
	assert_int_equal(record.t_ns, 7);
	assert_int_equal(record.captured_bytes, 3);
	assert_int_equal(record.wire_bytes, 1003);
	assert_memory_equal(record.bytes, "abc", 3);
	assert_false(packets_next(packets, &record));
	assert_int_equal(packets_state(packets)->begun, 1);
	assert_int_equal(packets_state(packets)->snap_bytes, 144);
	put_packet(8, LINK_RAW, "defgh", 5);
	assert_true(packets_next(packets, &record));
	assert_memory_equal(record.bytes, "defgh", 5);

	/* A late reader receives only packets that are added after it. */
	struct packets *late = packets_follow_new(file);
	assert_false(packets_next(late, &record));
	put_packet(9, LINK_RAW, "i", 1);
	assert_true(packets_next(late, &record));
	assert_int_equal(record.t_ns, 9);
	packets_unfollow(late);
	packets_unfollow(packets);
}

/* A record is not returned before it is complete. */
static void test_torn(void **state)
{
	struct packets *packets = packets_follow(file);
	struct packet_record record;
	char whole[4096];

	put_packet(7, LINK_RAW, "abcdefghij", 10);
	off_t length = lseek(file, 0, SEEK_END);
	assert_int_equal(pread(file, whole, sizeof whole, 0), length);
	for (off_t part = 0; part < length; part++) {
		assert_int_equal(ftruncate(file, part), 0);
		assert_int_equal(pwrite(file, whole, (size_t)part, 0), part);
		assert_false(packets_next(packets, &record));
	}
	assert_int_equal(pwrite(file, whole, (size_t)length, 0), length);
	assert_true(packets_next(packets, &record));
	assert_memory_equal(record.bytes, "abcdefghij", 10);
	packets_unfollow(packets);
}

static void test_damaged(void **state)
{
	struct packets *packets = packets_follow(file);
	struct packet_record record;

	put_packet(7, LINK_RAW, "abc", 3);
	put((struct capture_header){ .kind = 77 }, NULL);
	put_packet(8, LINK_RAW, "abc", 3);
	assert_true(packets_next(packets, &record));
	assert_false(packets_next(packets, &record));
	assert_true(packets_state(packets)->damaged);
	assert_false(packets_next(packets, &record));
	packets_unfollow(packets);
}

/* The empty Ethernet header of loopback is removed; one with addresses is
 * kept. */
static void test_loopback(void **state)
{
	static const char empty[20] = { [12] = 8, [14] = 'x' };
	static const char full[20] = { 1, [12] = 8, [14] = 'x' };
	struct packets *packets = packets_follow(file);
	struct packet_record record;

	put_packet(1, LINK_ETHERNET, empty, 20);
	put_packet(2, LINK_ETHERNET, full, 20);
	put_packet(3, LINK_RAW_BSD, full, 20);
	assert_true(packets_next(packets, &record));
	assert_int_equal(record.link_type, LINK_RAW);
	assert_int_equal(record.captured_bytes, 6);
	assert_int_equal(record.wire_bytes, 1006);
	assert_int_equal(record.bytes[0], 'x');
	assert_true(packets_next(packets, &record));
	assert_int_equal(record.link_type, LINK_ETHERNET);
	assert_int_equal(record.captured_bytes, 20);
	assert_true(packets_next(packets, &record));
	assert_int_equal(record.link_type, LINK_RAW);
	packets_unfollow(packets);
}

/* Each helper counts from 0; the counts of the run are the sum. */
static void test_counts(void **state)
{
	struct packets *packets = packets_follow(file);
	struct packet_record record;

	put_word(CAPTURE_READY, 0, 144);
	put_word(CAPTURE_STATISTICS, 10, 1);
	put_word(CAPTURE_STATISTICS, 20, 2);
	put_word(CAPTURE_END, 0, 0);
	put_word(CAPTURE_READY, 0, 144);
	put_word(CAPTURE_STATISTICS, 5, 0);
	assert_false(packets_next(packets, &record));
	assert_int_equal(packets_state(packets)->counts.received, 25);
	assert_int_equal(packets_state(packets)->counts.dropped, 2);
	put_word(CAPTURE_STATISTICS, 6, 4);
	assert_false(packets_next(packets, &record));
	assert_int_equal(packets_state(packets)->counts.received, 26);
	assert_int_equal(packets_state(packets)->counts.dropped, 6);
	assert_int_equal(packets_state(packets)->begun, 2);
	assert_int_equal(packets_state(packets)->ended, 1);
	packets_unfollow(packets);
}

static void test_denied(void **state)
{
	static const char why[] = "cannot capture on lo: needs CAP_NET_RAW";
	struct packets *packets = packets_follow(file);
	struct packet_record record;

	put(
		(struct capture_header){
			.kind = CAPTURE_DENIED,
			.byte_count = sizeof why - 1,
		},
		why);
	assert_false(packets_next(packets, &record));
	assert_true(packets_state(packets)->denied);
	assert_string_equal(packets_state(packets)->why, why);
	packets_unfollow(packets);
}

/* More packets than fit the buffer; the saved file has all of them. */
static void test_saved(void **state)
{
	enum { MANY = 5000, HEADER = 24, RECORD = 16, LENGTH = 100 };
	char bytes[LENGTH], path[] = "/tmp/benchtop-packets-XXXXXX";
	struct packets *packets = packets_follow(file);
	struct packet_record record;
	struct error error = { 0 };
	int saved = mkstemp(path);

	for (int i = 0; i < MANY; i++) {
		memset(bytes, i & 127, sizeof bytes);
		put_packet(i * INT64_C(1000000007), LINK_RAW, bytes, LENGTH);
	}
	for (int i = 0; i < MANY; i++) {
		assert_true(packets_next(packets, &record));
		assert_int_equal(record.t_ns, i * INT64_C(1000000007));
		assert_int_equal(record.bytes[LENGTH - 1], i & 127);
	}
	assert_false(packets_next(packets, &record));
	packets_unfollow(packets);
	assert_int_equal(packets_save(file, path, &error), 0);
	assert_int_equal(lseek(saved, 0, SEEK_END),
		HEADER + MANY * (RECORD + LENGTH));
	uint32_t words[10];
	assert_int_equal(pread(saved, words, sizeof words,
				 HEADER + 3 * (RECORD + LENGTH)),
		sizeof words);
	assert_int_equal(words[0], 3);
	assert_int_equal(words[1], 21);
	assert_int_equal(words[2], LENGTH);
	assert_int_equal(words[3], LENGTH + 1000);
	assert_int_equal(words[4], 0x03030303);
	close(saved);
	unlink(path);
}

static void test_not_saved(void **state)
{
	struct error error = { 0 };
	char path[] = "/tmp/benchtop-packets-XXXXXX";
	int saved = mkstemp(path);

	assert_int_equal(packets_save(file, path, &error), -1);
	assert_string_equal(error.message, "the run has no packets");
	put_packet(1, LINK_RAW, "a", 1);
	put_packet(2, LINK_LINUX_SLL, "a", 1);
	assert_int_equal(packets_save(file, path, &error), -1);
	assert_non_null(strstr(error.message, "link types 101 and 113"));
	close(saved);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_follows, make, drop),
		cmocka_unit_test_setup_teardown(test_torn, make, drop),
		cmocka_unit_test_setup_teardown(test_damaged, make, drop),
		cmocka_unit_test_setup_teardown(test_loopback, make, drop),
		cmocka_unit_test_setup_teardown(test_counts, make, drop),
		cmocka_unit_test_setup_teardown(test_denied, make, drop),
		cmocka_unit_test_setup_teardown(test_saved, make, drop),
		cmocka_unit_test_setup_teardown(test_not_saved, make, drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
