/* `annotate` on files of three million packets: packets per second and peak
 * memory; as text and as JSON, for one long connection, for many short ones,
 * and for invalid packets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "pcap_files.h"

enum { PACKETS = 3000000 };

/* Each of many connections begins and ends, and each invalid packet is an
 * event. JSON is in memory until it is complete: 72 MB of the third. */
struct packets_kind {
	const char *what;
	void (*write)(FILE *);
	double least_per_s;
	int most_mb;
};

static char path[] = "/tmp/bench-annotate-XXXXXX";

static uint64_t random_below(uint64_t limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % limit;
}

static void write_one(FILE *file)
{
	write_long(file, PACKETS);
}

/* Handshake, a request, an answer, the end: ten packets each. */
static void write_short(FILE *file)
{
	static const struct segment all[] = {
		{ .flags = TCP_SYN, .seq = -1, .mss = 1460 },
		{ .ms = 1,
			.side = 1,
			.flags = TCP_SYN | TCP_ACK,
			.seq = -1,
			.mss = 1460 },
		{ .ms = 1.1 },
		{ .ms = 1.2, .length = 300 },
		{ .ms = 2.2, .side = 1, .ack = 300 },
		{ .ms = 2.3, .side = 1, .ack = 300, .length = 1448 },
		{ .ms = 3.4, .seq = 300, .ack = 1448 },
		{ .ms = 3.5,
			.flags = TCP_FIN | TCP_ACK,
			.seq = 300,
			.ack = 1448 },
		{ .ms = 4.5,
			.side = 1,
			.flags = TCP_FIN | TCP_ACK,
			.seq = 1448,
			.ack = 301 },
		{ .ms = 4.6, .seq = 301, .ack = 1449 },
	};

	for (int i = 0; i < PACKETS / 10; i++) {
		struct flow flow = flow_new();

		flow.port[0] = (uint16_t)(1024 + i % 60000);
		flow.isn[0] = (uint32_t)i * 7919;
		flow.start_ns += i * INT64_C(10000000);
		for (size_t k = 0; k < sizeof all / sizeof *all; k++)
			add_packet(file, &flow, all[k]);
	}
}

static void write_nonsense(FILE *file)
{
	struct flow flow = flow_new();

	for (int i = 0; i < PACKETS; i++) {
		struct segment segment = {
			.ms = i * 0.01,
			.side = (int)random_below(2),
			.flags = (unsigned)random_below(64),
			.seq = (int64_t)random_below(1 << 30),
			.ack = (int64_t)random_below(1 << 30),
			.length = (uint32_t)random_below(3000),
			.sacks = (unsigned)random_below(3),
		};

		flow.port[0] = (uint16_t)random_below(5000);
		for (unsigned k = 0; k < segment.sacks; k++) {
			segment.sack[k][0] = (int64_t)random_below(1 << 30);
			segment.sack[k][1] = segment.sack[k][0] + 3000;
		}
		add_packet(file, &flow, segment);
	}
}

/* Runs it once: seconds, and MB at most. */
static double annotate(bool json, double *peak_mb)
{
	double began = bench_seconds();
	fflush(NULL);
	pid_t pid = fork();
	struct rusage used;
	int status;

	if (!pid) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(126);
		execl(PROGRAM, PROGRAM, "annotate", path,
			json ? "--json" : NULL, NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid || status)
		bench_fail("annotate failed");
	*peak_mb = (double)used.ru_maxrss * 1024 / 1e6;
	return bench_seconds() - began;
}

static void measure(const struct packets_kind *kind, FILE *file)
{
	struct rounds text = { .what = "text", .unit = "packets/s" };
	struct rounds json = { .what = "JSON", .unit = "packets/s" };
	struct rounds memory = { .what = "peak memory", .unit = "MB" };

	begin_file(file);
	kind->write(file);
	fflush(file);
	if (ftruncate(fileno(file), ftello(file)))
		bench_fail("cannot write the file");
	printf("%s\n", kind->what);
	for (int i = 0; i < ROUNDS; i++) {
		double text_mb, json_mb;

		rounds_add(&text, PACKETS / annotate(false, &text_mb));
		rounds_add(&json, PACKETS / annotate(true, &json_mb));
		rounds_add(&memory, text_mb > json_mb ? text_mb : json_mb);
	}
	rounds_print(&text, AT_LEAST, kind->least_per_s);
	rounds_print(&json, AT_LEAST, kind->least_per_s);
	rounds_print(&memory, AT_MOST, kind->most_mb);
}

int main(void)
{
	static const struct packets_kind kinds[] = {
		{ "one long connection", write_one, 1.3e6, 64 },
		{ "300 000 short ones", write_short, 8e5, 64 },
		{ "nonsense", write_nonsense, 2e5, 170 },
	};
	int fd = mkstemp(path);
	FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;

	if (!file)
		bench_fail("cannot make a file in /tmp");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		measure(&kinds[i], file);
	fclose(file);
	unlink(path);
	return 0;
}
