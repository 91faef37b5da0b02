/* Files whose packets are not in the order of their timestamps. */
#include "annotated.h"
#include "capture_talk.h"
#include "random.h"

enum { APART_NS = 100000 };

/* A talk of less than 1 ms, in another order or at other times. */
struct placed {
	int packet; /* of the talk */
	int64_t t_ns;
};

static void write_placed(const char *name, const struct placed *placed,
	bool ng)
{
	struct capture_file file = { .nano = true, .ng = ng };
	struct made made[TALK_PACKETS];
	struct flow flow = flow_new();

	capture_file_open(&file, in_folder(name), LINK_RAW);
	for (int i = 0; i < TALK_PACKETS; i++)
		made[i] = segment_make(&flow, talk[i]);
	for (int i = 0; i < TALK_PACKETS; i++)
		capture_file_add(&file, &made[placed[i].packet],
			flow.start_ns + placed[i].t_ns);
	capture_file_close(&file);
}

static void in_order(struct placed *placed)
{
	for (int i = 0; i < TALK_PACKETS; i++)
		placed[i] = (struct placed){ i, i * APART_NS };
}

/* Shuffled by Fisher and Yates. */
static void shuffle(struct placed *placed, uint64_t *seed)
{
	for (size_t i = TALK_PACKETS - 1; i; i--) {
		size_t other = random_below(seed, i + 1);
		struct placed moved = placed[i];

		placed[i] = placed[other];
		placed[other] = moved;
	}
}

/* What the file has behind a later packet. */
static int count_behind(const struct placed *placed)
{
	int64_t newest_ns = 0;
	int count = 0;

	for (int i = 0; i < TALK_PACKETS; i++) {
		count += placed[i].t_ns < newest_ns;
		if (placed[i].t_ns > newest_ns)
			newest_ns = placed[i].t_ns;
	}
	return count;
}

static void assert_order(const char *name, int sorted, int backwards)
{
	cJSON *tree = annotated(in_folder(name));

	assert_number(tree, "capture.ts_sorted", sorted);
	assert_number(tree, "capture.ts_backwards", backwards);
	cJSON_Delete(tree);
}

static void test_shuffled(void **state)
{
	struct placed placed[TALK_PACKETS];
	uint64_t seed = 1;

	in_order(placed);
	write_placed("plain", placed, false);
	assert_order("plain", 0, 0);
	char *plain = connections_of(in_folder("plain"));
	for (int i = 0; i < 60; i++) {
		in_order(placed);
		shuffle(placed, &seed);
		write_placed("shuffled", placed, i & 1);
		assert_order("shuffled", count_behind(placed), 0);
		char *found = connections_of(in_folder("shuffled"));
		assert_string_equal(found, plain);
		free(found);
	}
	free(plain);
}

static void test_said(void **state)
{
	struct placed placed[TALK_PACKETS];

	in_order(placed);
	placed[4] = (struct placed){ 5, 5 * APART_NS };
	placed[5] = (struct placed){ 4, 4 * APART_NS };
	write_placed("swapped", placed, false);
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("swapped"));
	assert_status(ran, 0);
	assert_contains(ran.out, "; 1 sorted by time, ");
	ran_free(&ran);
}

static void test_equal_times(void **state)
{
	struct placed placed[TALK_PACKETS];

	for (int i = 0; i < TALK_PACKETS; i++)
		placed[i] = (struct placed){ i, 0 };
	write_placed("equal", placed, false);
	assert_order("equal", 0, 0);
	cJSON *tree = annotated(in_folder("equal"));
	assert_word(tree, "connections.0.teardown.kind", "orderly");
	cJSON_Delete(tree);
}

/* The clock is set back within the talk: the order stays if it is more than
 * 2 ms. */
static void test_set_back(void **state)
{
	enum { WINDOW_NS = 2000000, FROM = 6 };
	struct placed placed[TALK_PACKETS];

	for (int more = 0; more < 2; more++) {
		in_order(placed);
		for (int i = 0; i < FROM; i++)
			placed[i].t_ns += WINDOW_NS + APART_NS + more;
		write_placed("back", placed, false);
		assert_order("back", more ? 0 : TALK_PACKETS - FROM,
			more ? 1 : 0);
	}
}

/* A record of a pcapng file: the kind of its block, a packet of the talk, and
 * its time. */
struct block {
	uint32_t kind;
	size_t packet;
	uint64_t us;
};

static cJSON *annotated_blocks(const char *name, const struct block *blocks,
	size_t count)
{
	struct capture_file file = { .ng = true };
	struct flow flow = flow_new();

	capture_file_create(&file, in_folder(name));
	capture_file_section(&file);
	capture_file_interface(&file,
		&(struct made_interface){ .link_type = LINK_RAW });
	for (size_t i = 0; i < count; i++) {
		struct made made = segment_make(&flow, talk[blocks[i].packet]);

		capture_file_packet(&file, blocks[i].kind, 0, &made,
			1000000000 + blocks[i].us);
	}
	capture_file_close(&file);
	return annotated(in_folder(name));
}

/* A packet without a time (a Simple Packet Block) follows its predecessor. */
static void test_untimed(void **state)
{
	struct block blocks[TALK_PACKETS];

	for (size_t i = 0; i < TALK_PACKETS; i++)
		blocks[i] = (struct block){
			i & 1 ? PACKET_SIMPLE : PACKET_ENHANCED, i, i * 100
		};
	cJSON *tree = annotated_blocks("simple", blocks, TALK_PACKETS);
	assert_number(tree, "capture.ts_sorted", 0);
	assert_number(tree, "capture.ts_invalid", TALK_PACKETS / 2);
	assert_word(tree, "connections.0.teardown.kind", "orderly");
	cJSON_Delete(tree);
}

/* Also one that was late: both are sorted before the packet between. */
static void test_untimed_behind_late(void **state)
{
	static const struct block blocks[] = {
		{ PACKET_ENHANCED, 0, 0 },
		{ PACKET_ENHANCED, 3, 1000 },
		{ PACKET_ENHANCED, 1, 200 },
		{ PACKET_SIMPLE, 2, 0 },
	};
	cJSON *tree = annotated_blocks("behind", blocks,
		sizeof blocks / sizeof *blocks);

	assert_number(tree, "capture.ts_sorted", 2);
	assert_number(tree, "connections.0.handshake.ack_packet", 3);
	cJSON_Delete(tree);
}

/* A SYN behind as many later packets as are held back, and behind one more. */
static void test_far_behind(void **state)
{
	enum { HELD = 4096 };

	for (int more = 0; more < 2; more++) {
		struct capture_file file = { .nano = true };
		struct flow flow = flow_new();
		struct made syn = segment_make(&flow, talk[0]);

		capture_file_open(&file, in_folder("far"), LINK_RAW);
		for (int i = 0; i < HELD - 1 + more; i++) {
			struct made made = segment_make(&flow,
				(struct segment){ .seq = i, .length = 1 });

			capture_file_add(&file, &made, flow.start_ns + i);
		}
		capture_file_add(&file, &syn, flow.start_ns - 1);
		capture_file_close(&file);
		assert_order("far", !more, more);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shuffled),
		cmocka_unit_test(test_said),
		cmocka_unit_test(test_equal_times),
		cmocka_unit_test(test_set_back),
		cmocka_unit_test(test_untimed),
		cmocka_unit_test(test_untimed_behind_late),
		cmocka_unit_test(test_far_behind),
	};

	return cmocka_run_group_tests_name("capture_order", tests,
		make_folder, remove_folder);
}
