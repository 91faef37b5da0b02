/* Timing of the link: round trips at 40 and 200 ms, rates from 1 to 500 Mbit/s
 * by the relay's counters over five seconds, steady goodput of 20 Mbit/s. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "net/pace.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void use(struct link *link, const struct link_settings *settings)
{
	struct error error;

	if (link_configure(link, settings, &error))
		bench_fail(error.message);
}

static void round_trips(struct link *link, int64_t rtt_ns, int64_t within_ns)
{
	enum { PINGS = 50 };
	struct link_settings settings = link_preset();
	int64_t took_ns[PINGS];

	settings.rtt_ns = rtt_ns;
	use(link, &settings);
	pace_pings(link, took_ns, PINGS);
	qsort(took_ns, PINGS, sizeof *took_ns, compare);
	int64_t off_ns = took_ns[PINGS / 2] - rtt_ns;
	printf("round trip %3lld ms: median %.3f ms, least %.3f, p90 %.3f "
	       "(within %.1f ms: %s)\n",
		(long long)(rtt_ns / MS), (double)took_ns[PINGS / 2] / MS,
		(double)took_ns[0] / MS, (double)took_ns[PINGS * 9 / 10] / MS,
		(double)within_ns / MS,
		llabs(off_ns) <= within_ns ? "met" : "missed");
}

static void rate(struct link *link, int64_t rate_bit_s)
{
	struct link_settings settings = link_preset();

	settings.rate_bit_s = rate_bit_s;
	settings.queue = 2000 * UNIT_QUEUE_PACKETS;
	use(link, &settings);
	struct pace pace = pace_rate(link, &settings, 5 * S);
	double ratio = pace.bit_s / (double)rate_bit_s;
	printf("rate %3.0f Mbit/s: %.4f of it, the path busy %.4f of the time, "
	       "at most %.2f ms late (within 2 %%: %s)\n",
		(double)rate_bit_s / 1e6, ratio, pace.busy,
		(double)pace.late_peak_ns / MS,
		ratio > 0.98 && ratio < 1.02 ? "met" : "missed");
}

static void goodput(struct link *link, const char *congestion)
{
	const double expected = 20e6 * 1448 / 1500;
	struct link_settings settings = link_preset();

	use(link, &settings);
	struct pace pace = pace_goodput(link, congestion, 10 * S);
	double ratio = pace.bit_s / expected;
	printf("goodput of %s at 20 Mbit/s x 40 ms: %.3f Mbit/s, %.4f of "
	       "19.307 (within 1 %%: %s)\n",
		congestion, pace.bit_s / 1e6, ratio,
		ratio > 0.99 && ratio < 1.01 ? "met" : "missed");
}

int main(void)
{
	static const int64_t rates[] = { 1, 20, 100, 500 };
	struct link_settings settings = link_preset();
	struct link *link;
	struct error error;

	if (link_open(&settings, &link, &error)) {
		if (error.status != STATUS_PERMISSION) {
			fprintf(stderr, "%s\n", error.message);
			return 1;
		}
		printf("SKIP: not permitted here: %s\n", error.message);
		return 77;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	round_trips(link, 40 * MS, 300000);
	round_trips(link, 200 * MS, 2 * MS);
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		rate(link, rates[i] * 1000000);
	goodput(link, "reno");
	link_close(link);
	return 0;
}
