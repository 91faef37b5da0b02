/* Generated flows and real captures, corrupted in a thousand ways, the same in
 * every run: nothing crashes, and the invariants hold. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "annotate_input.h"
#include "check.h"
#include "make_packets.h"
#include "random.h"

enum { INPUT_MAX = 1 << 17, RECORDS_MAX = 400 };

struct input {
	uint8_t bytes[INPUT_MAX];
	size_t size;
	size_t begin[RECORDS_MAX]; /* of each record */
	size_t count;
};

static void add_record(struct input *input, int link, const uint8_t *bytes,
	uint32_t captured, uint32_t wire, uint32_t after_us)
{
	uint32_t more = wire - captured > 65535 ? 65535 : wire - captured;

	if (input->count == RECORDS_MAX ||
		input->size + INPUT_HEADER + captured > INPUT_MAX)
		return;
	uint8_t *at = input->bytes + input->size;
	input->begin[input->count++] = input->size;
	at[0] = (uint8_t)link;
	at[1] = 0;
	at[2] = (uint8_t)captured;
	at[3] = (uint8_t)(captured >> 8);
	at[4] = (uint8_t)more;
	at[5] = (uint8_t)(more >> 8);
	at[6] = (uint8_t)after_us;
	at[7] = (uint8_t)(after_us >> 8);
	memcpy(at + INPUT_HEADER, bytes, captured);
	input->size += INPUT_HEADER + captured;
}

static int link_index(uint32_t link_type)
{
	for (int i = 0; i < INPUT_LINKS; i++)
		if (input_links[i] == link_type)
			return i;
	return -1;
}

/* A segment with any combination of fields that a TCP might send. */
static struct segment any_segment(uint64_t *seed, int i)
{
	static const unsigned flags[] = { TCP_ACK, TCP_ACK, TCP_ACK,
		TCP_ACK | TCP_PSH, TCP_ACK | TCP_FIN, TCP_RST, TCP_SYN,
		TCP_SYN | TCP_ACK, TCP_ACK | TCP_ECE | TCP_CWR, TCP_FIN };
	struct segment segment = {
		.side = (int)random_below(seed, 2),
		.flags = i < 3 ?
			(i ? (i == 1 ? TCP_SYN | TCP_ACK : TCP_ACK) : TCP_SYN) :
			flags[random_below(seed, 10)],
		.seq = (int64_t)random_below(seed, 40) * 1448 - 1448,
		.ack = (int64_t)random_below(seed, 40) * 1448 - 1448,
		.length = random_below(seed, 3) ? 1448 : 0,
		.window = (int)random_below(seed, 4) - 1,
		.sacks = (unsigned)random_below(seed, 3),
		.mss = random_below(seed, 2) ? 1460 : 0,
		.wscale = (int)random_below(seed, 3) * 100,
	};

	if (random_below(seed, 20) == 0)
		segment.seq += INT64_C(1) << random_below(seed, 33);
	for (unsigned k = 0; k < segment.sacks; k++) {
		segment.sack[k][0] = (int64_t)random_below(seed, 40) * 1448;
		segment.sack[k][1] = segment.sack[k][0] +
			(int64_t)random_below(seed, 5) * 1448;
	}
	return segment;
}

static void make_flow(struct input *input, uint64_t *seed)
{
	struct flow flow = flow_new();
	enum encapsulation on =
		(enum encapsulation)random_below(seed, ENCAPSULATIONS);

	flow.six = random_below(seed, 2);
	flow.self = !random_below(seed, 10);
	flow.isn[0] = (uint32_t)next_random(seed);
	flow.isn[1] = (uint32_t)next_random(seed);
	input->size = input->count = 0;
	for (int i = 0; i < 80; i++) {
		struct made ip = segment_make(&flow, any_segment(seed, i));
		struct made made = made_on(&ip, on, flow.six);

		add_record(input, link_index(encapsulation_link(on, flow.six)),
			made.bytes, made.captured, made.wire,
			(uint32_t)random_below(seed, 1 << 16));
	}
}

/* One mutation, in place. */
static void mutate(struct input *input, uint64_t *seed)
{
	size_t record = random_below(seed, input->count);
	uint8_t *at = input->bytes + input->begin[record];
	size_t captured = at[2] | (size_t)at[3] << 8;
	uint8_t *byte = at + INPUT_HEADER +
		(captured ? random_below(seed, captured) : 0);

	if (!captured)
		return;
	switch (random_below(seed, 7)) {
	case 0:
		*byte ^= (uint8_t)(1u << random_below(seed, 8));
		break;
	case 1:
		*byte = (uint8_t)next_random(seed);
		break;
	case 2:
		*byte = random_below(seed, 2) ? 0xff : 0;
		break;
	case 3: /* another link type */
		at[0] = (uint8_t)random_below(seed, INPUT_LINKS);
		break;
	case 4: /* longer or shorter on the wire */
		at[4] = (uint8_t)next_random(seed);
		at[5] = (uint8_t)random_below(seed, 2);
		break;
	case 5: /* another time for this and all later records */
		at[1] = (uint8_t)next_random(seed);
		break;
	default: /* later records begin at a wrong byte */
		at[2] = (uint8_t)(at[2] - random_below(seed, 4));
	}
}

static void test_flows(void **state)
{
	static struct input input;
	uint64_t seed = 20;

	for (int i = 0; i < 1500; i++) {
		make_flow(&input, &seed);
		uint64_t changes = i % 3 ? random_below(&seed, 20) : 0;
		while (changes--)
			mutate(&input, &seed);
		annotate_input(input.bytes, input.size);
	}
}

static uint32_t number_at(const uint8_t *at, bool swapped)
{
	uint32_t value;

	memcpy(&value, at, sizeof value);
	return swapped ? __builtin_bswap32(value) : value;
}

/* The packets of a pcap file; 0 records if it is not a pcap file. */
static void read_capture(const char *path, struct input *input)
{
	FILE *file = fopen(path, "re");
	uint8_t header[24], record[16], bytes[2048];

	assert_non_null(file);
	input->size = input->count = 0;
	if (fread(header, sizeof header, 1, file) != 1) {
		fclose(file);
		return;
	}
	bool swapped = header[0] == 0xa1;
	int link = link_index(number_at(header + 20, swapped));
	while (link >= 0 && fread(record, sizeof record, 1, file) == 1) {
		uint32_t captured = number_at(record + 8, swapped);

		if (captured > sizeof bytes ||
			fread(bytes, 1, captured, file) != captured)
			break;
		add_record(input, link, bytes, captured < 200 ? captured : 200,
			number_at(record + 12, swapped), 300);
	}
	fclose(file);
}

static void test_captures(void **state)
{
	static const char folder[] = SOURCE_FOLDER "/../shared/captures";
	static struct input whole, input;
	DIR *dir = opendir(folder);
	uint64_t seed = 21;

	if (!dir) {
		print_message("SKIP: no public captures here\n");
		return;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		char path[512];

		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (!strstr(entry->d_name, ".pcap"))
			continue;
		read_capture(path, &whole);
		for (int i = 0; i < 40 && whole.count; i++) {
			input = whole;
			for (uint64_t k = random_below(&seed, 30); k; k--)
				mutate(&input, &seed);
			annotate_input(input.bytes, input.size);
		}
	}
	closedir(dir);
}

/* Random bytes, and no bytes. */
static void test_noise(void **state)
{
	static struct input input;
	uint64_t seed = 22;

	annotate_input(NULL, 0);
	for (int i = 0; i < 300; i++) {
		input.size = random_below(&seed, 4000);
		for (size_t k = 0; k < input.size; k++)
			input.bytes[k] = (uint8_t)next_random(&seed);
		annotate_input(input.bytes, input.size);
	}
}

/* More connections than the annotator keeps, and more than the store can
 * hold. */
static void test_floods(void **state)
{
	struct annotator *annotator = annotator_new(NULL);
	uint64_t seed = 23;

	for (int i = 0; i < 60000; i++) {
		struct flow flow = flow_new();
		struct segment segment = any_segment(&seed, i % 7);

		flow.port[0] = (uint16_t)random_below(&seed, 60000);
		struct made made = segment_make(&flow, segment);
		struct packet_record record =
			made_record(&made, LINK_RAW, flow.start_ns + i * 1000);
		annotator_add(annotator, &record);
	}
	const struct capture_facts *facts = annotator_facts(annotator);
	assert_int_equal(annotator_count(annotator), CONNECTIONS_MAX);
	assert_int_equal(facts->connections,
		facts->forgotten + CONNECTIONS_MAX);
	for (size_t i = 0; i < annotator_count(annotator); i++)
		check_connection(annotator_connection(annotator, i));
	annotator_free(annotator);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flows),
		cmocka_unit_test(test_captures),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_floods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
