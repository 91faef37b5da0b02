/* pcapng files with several sections and interfaces, and damaged files. */
#include "capture_talk.h"

static const struct made_interface interfaces[] = {
	{ LINK_RAW, 100, 0, 0 },
	{ LINK_ETHERNET, 65535, 12, 1700000000 },
	{ LINK_LINUX_SLL2, 0, 0x80 | 33, 1699999000 },
	{ LINK_NULL, 262144, 0x80 | 20, 0 },
};

enum { INTERFACES = sizeof interfaces / sizeof *interfaces };

static struct made made_for(const struct made *ip, uint32_t link_type)
{
	for (int on = 0; on < ENCAPSULATIONS; on++)
		if (encapsulation_link((enum encapsulation)on, false) ==
			link_type)
			return made_on(ip, (enum encapsulation)on, false);
	fail();
	return *ip;
}

static uint64_t stamp_on(const struct made_interface *interface, int64_t t_ns)
{
	unsigned exponent = interface->resolution & 0x7f;
	unsigned __int128 stamp =
		(unsigned __int128)(t_ns - interface->offset_s * 1000000000);

	if (interface->resolution & 0x80)
		return (uint64_t)((stamp << exponent) / 1000000000);
	for (unsigned i = interface->resolution ? exponent : 6; i; i--)
		stamp *= 10;
	return (uint64_t)(stamp / 1000000000);
}

/* Packets alternate between interfaces and kinds of blocks; after half of them
 * another section begins, in the other byte order, with the interfaces in the
 * other order. */
static void write_interfaces(void)
{
	static const uint32_t kinds[] = { PACKET_ENHANCED, PACKET_OLD };
	struct capture_file file = { .swapped = false };
	struct flow flow = flow_new();

	capture_file_create(&file, in_folder("ng"));
	for (uint32_t i = 0; i < TALK_PACKETS; i++) {
		uint32_t which = i % INTERFACES;
		bool second = i >= TALK_PACKETS / 2;

		if (i % (TALK_PACKETS / 2) == 0) {
			file.swapped = second;
			capture_file_section(&file);
			for (int k = 0; k < INTERFACES; k++)
				capture_file_interface(&file,
					&interfaces[second ?
						INTERFACES - 1 - k :
						k]);
		}
		const struct made_interface *interface = &interfaces[which];
		struct made ip = segment_make(&flow, talk[i]);
		struct made made = made_for(&ip, interface->link_type);
		capture_file_packet(&file, kinds[i / 2 % 2],
			second ? INTERFACES - 1 - which : which, &made,
			stamp_on(interface, segment_ns(&flow, &talk[i])));
	}
	capture_file_close(&file);
}

static void test_interfaces(void **state)
{
	static struct bytes whole;

	write_talk(false, &whole);
	write_interfaces();
	char *plain = connections_of(in_folder("talk.pcap"));
	char *found = connections_of(in_folder("ng"));
	assert_string_equal(found, plain);
	free(found);
	free(plain);
}

/* Blocks without a time: the packets are explained, and the time is unknown. */
static void test_simple(void **state)
{
	struct capture_file file = { .ng = true };
	struct flow flow = flow_new();

	capture_file_open(&file, in_folder("simple"), LINK_RAW);
	for (size_t i = 0; i < TALK_PACKETS; i++) {
		struct made made = segment_make(&flow, talk[i]);

		capture_file_packet(&file, PACKET_SIMPLE, 0, &made, 0);
	}
	capture_file_close(&file);
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("simple"));
	assert_status(ran, 0);
	assert_contains(ran.out, "10 without a valid timestamp");
	assert_contains(ran.out, "120 bytes");
	ran_free(&ran);
}

/* Every sentence on a damaged pcapng file names the damage. */
static void test_refused(void **state)
{
	static const struct {
		size_t at;
		uint8_t byte;
		const char *sentence;
	} changes[] = {
		{ 0, 0x0b, "expected pcap or pcapng, plain or compressed" },
		{ 8, 0, "a pcapng section has no byte order" },
		{ 12, 2, "its pcapng version is 2.0, expected 1.0" },
		{ 4, 29, "states a length of 29 bytes" },
		{ 24, 32, "states the lengths 28 and 32" },
		{ 48, 0x14, "time resolution of 10^-20 s" },
		{ 68, 1, "packet 1 is of interface 1, but the section has 1" },
		{ 81, 1, "too short for its packet" },
	};
	static struct bytes whole;
	struct capture_file file = { .swapped = false };
	struct flow flow = flow_new();
	struct made made = segment_make(&flow, talk[0]);

	capture_file_create(&file, in_folder("ng"));
	capture_file_section(&file);
	capture_file_interface(&file,
		&(struct made_interface){ LINK_RAW, 65535, 6, 0 });
	capture_file_packet(&file, PACKET_ENHANCED, 0, &made, 0);
	capture_file_close(&file);
	read_bytes(in_folder("ng"), &whole);
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		uint8_t was = whole.at[changes[i].at];

		whole.at[changes[i].at] = changes[i].byte;
		write_bytes(in_folder("ng"), whole.at, whole.count);
		whole.at[changes[i].at] = was;
		struct ran ran = RUN(PROGRAM, "annotate", in_folder("ng"));
		assert_status(ran, 3);
		assert_contains(ran.err, changes[i].sentence);
		ran_free(&ran);
	}
}

static void test_damaged(void **state)
{
	static struct bytes file;

	write_talk(false, &file);
	assert_survives(&file, 150);
	write_interfaces();
	read_bytes(in_folder("ng"), &file);
	assert_survives(&file, 250);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interfaces),
		cmocka_unit_test(test_simple),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
