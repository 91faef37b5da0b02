/* The cost of the Net screen with a hundred thousand packets: until they are
 * read and drawn, and for each key in each of its panes, with the plots zoomed
 * in and complete. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "cli/run.h"
#include "pcap_files.h"
#include "quantile.h"
#include "terminal/seat.h"

enum { PACKETS = 100000, KEYS = 60 };
#define ANSWERED_MS 50.0

static char *path_of_file(void)
{
	struct text path = { 0 };

	text_add(&path, "%s/long.pcap", folder);
	FILE *file = fopen(path.chars, "we");
	if (!file)
		bench_fail("the capture file cannot be written");
	begin_file(file);
	write_long(file, PACKETS);
	if (fclose(file))
		bench_fail("the capture file cannot be written");
	return text_take(&path);
}

/* Two keys in turn: from the key to the frame that counts it. */
static void print_keys(struct seat *seat, const char *what, const char *one,
	const char *other)
{
	double ms[KEYS];
	double before_s = bench_used_s(seat->program);

	for (int i = 0; i < KEYS; i++) {
		uint64_t began_ns = seat_now_ns();

		seat_type(seat, i % 2 ? other : one);
		ms[i] = (double)(seat->mark.at_ns - began_ns) * 1e-6;
	}
	double each_ms = (bench_used_s(seat->program) - before_s) * 1e3 / KEYS;
	values_sort(ms, KEYS);
	double p99 = quantile_sorted(ms, KEYS, .99);
	printf("%-30s %8.3g %8.3g .. %-8.3g %8.3g  at most %g: %s\n", what, p99,
		ms[0], ms[KEYS - 1], each_ms, ANSWERED_MS,
		p99 <= ANSWERED_MS ? "met" : "missed");
}

static void bench_panes(struct seat *seat)
{
	static const char *const panes[] = { "handshake", "rounds", "sequence",
		"window", "packets", "path", "connections" };

	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		char line[64];

		snprintf(line, sizeof line, ":focus %s\r", panes[i]);
		seat_type(seat, line);
		snprintf(line, sizeof line, "l h in %s", panes[i]);
		print_keys(seat, line, "l", "h");
	}
	seat_type(seat, ":focus packets\r");
	print_keys(seat, "j k in packets", "j", "k");
	print_keys(seat, "g, the end in packets", "g", ":packet 99999\r");
	seat_type(seat, ":focus sequence\r");
	print_keys(seat, "+ - in sequence", "+", "-");
	seat_type(seat, "z");
	print_keys(seat, "j k in sequence, zoomed", "j", "k");
	seat_type(seat, "z++++++");
	print_keys(seat, "l h in sequence, 64 times", "l", "h");
	seat_type(seat, "0");
	seat_type(seat, ":focus packets\r");
	seat_type(seat, "m");
	print_keys(seat, "j k in packets, marked", "j", "k");
}

static void test_all(void **state)
{
	char *path = path_of_file();
	struct text line = { 0 };
	struct seat seat;

	printf("%-30s %8s %8s .. %-8s %8s\n", "a key, ms", "p99", "least",
		"most", "processor");
	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	text_add(&line, ":annotate %s\r", path);
	uint64_t began_ns = seat_now_ns();
	seat_type(&seat, line.chars);
	seat_shows(&seat, "100002 packets");
	seat_shows(&seat, "goodput");
	printf("%-30s %8.4g ms\n", "100 000 packets, read and drawn",
		(double)(seat_now_ns() - began_ns) * 1e-6);
	seat_type(&seat, "3");
	bench_panes(&seat);
	seat_type(&seat, "q");
	seat_close(&seat);
	text_free(&line);
	free(path);
}

int main(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests(all, make_folder, remove_folder);
}
