/* serve under a flood: one address opens 1 600 connections a second, and a
 * client at another address greets 55 times. Each greeting should succeed
 * within a second. Prints the size of the log, too; ten minutes of abuse may
 * write 1 MB. */
#include <stdio.h>

#include "bench.h"
#include "net/flood.h"
#include "net/serving.h"
#include "quantile.h"

static void test_flood(void **state)
{
	double began = bench_seconds();
	struct flood tried;

	flood(&tried);
	double lasted_s = bench_seconds() - began;
	char *log = read_log();
	printf("flood of %.0f connections/s for %.1f s: %d of %d greetings "
	       "within 1 s, %d refused, median %.3g ms, slowest %.3g ms; log "
	       "%.3g kB\n",
		tried.rate_per_s, lasted_s, flood_fast(&tried), FLOOD_GREETINGS,
		tried.refused,
		quantile_sorted(tried.ms, FLOOD_GREETINGS, .5),
		tried.ms[FLOOD_GREETINGS - 1], (double)strlen(log) / 1e3);
	free(log);
}

int main(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_flood) };

	signal(SIGPIPE, SIG_IGN);
	flood_permit();
	return cmocka_run_group_tests(all, serving_begin, serving_end);
}
