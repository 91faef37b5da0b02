/* `annotate` of more connections than an annotator keeps, of which the first is
 * the one with losses. */
#include "annotated.h"
#include "capture_files.h"

enum { MANY = 4200 };

static void write_many(struct capture_file *file)
{
	capture_file_open(file, in_folder("many.pcap"), LINK_RAW);
	for (int i = 0; i < MANY; i++) {
		struct flow flow = flow_new();
		int syns = i ? 1 : 3;

		flow.address[0] = i ? 1 : 9;
		flow.port[0] = (uint16_t)(20000 + i);
		for (int k = 0; k < syns; k++) {
			const struct segment syn = { .ms = i * 10.0 + k,
				.flags = TCP_SYN,
				.seq = -1 };
			struct made made = segment_make(&flow, syn);

			capture_file_add(file, &made, segment_ns(&flow, &syn));
		}
	}
	capture_file_close(file);
}

static void test_list(void **state)
{
	struct capture_file file = { 0 };
	struct ran ran;

	write_many(&file);
	ran = RUN(PROGRAM, "annotate", in_folder("many.pcap"), "--summary",
		"--sort=retx");
	assert_status(ran, 0);
	assert_contains(ran.out, "4200 connections, 4096 of them explained");
	const char *sick = strstr(ran.out.chars, ".0.9:20000");
	const char *other = strstr(ran.out.chars, ".0.1:20001");
	assert_true(sick && other && sick < other);
	assert_contains(ran.out, " 2+- ");
	assert_contains(ran.out, ".0.1:24199");
	ran_free(&ran);
}

static void test_filter(void **state)
{
	struct capture_file file = { 0 };
	struct ran ran;

	write_many(&file);
	ran = RUN(PROGRAM, "annotate", in_folder("many.pcap"), "host=10.0.0.9");
	assert_status(ran, 0);
	assert_contains(ran.out, "10.0.0.9:20000 -> 10.0.0.2:80");
	ran_free(&ran);
	/* Both words mean one end. */
	ran = RUN(PROGRAM, "annotate", in_folder("many.pcap"), "host=10.0.0.9",
		"port=80");
	assert_status(ran, 2);
	assert_contains(ran.err, "an end with host=10.0.0.9 port=80");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_filter),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
