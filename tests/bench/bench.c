/* Time, memory and rounds of the benchmarks. */
#include "bench.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "quantile.h"

double bench_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_memory_mb(const char *field)
{
	FILE *status = fopen("/proc/self/status", "r");
	size_t length = strlen(field);
	char line[200];
	double kib = 0;

	while (status && fgets(line, sizeof line, status))
		if (!strncmp(line, field, length) && line[length] == ':')
			kib = strtod(line + length + 1, NULL);
	if (status)
		fclose(status);
	return kib * 1024 / 1e6;
}

double bench_used_s(pid_t process)
{
	struct timespec used = { 0 };
	clockid_t clock;

	if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &used))
		bench_fail("the program's processor time cannot be read");
	return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

void bench_fail(const char *sentence)
{
	fflush(stdout);
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence);
	exit(1);
}

void rounds_add(struct rounds *rounds, double value)
{
	assert(rounds->count < ROUNDS);
	rounds->value[rounds->count++] = value;
}

double rounds_median(const struct rounds *rounds)
{
	double values[ROUNDS];

	memcpy(values, rounds->value, sizeof values);
	return median_of(values, rounds->count);
}

void rounds_print(const struct rounds *rounds, enum target target, double limit)
{
	double sorted[ROUNDS], median = rounds_median(rounds);

	memcpy(sorted, rounds->value, sizeof sorted);
	values_sort(sorted, rounds->count);
	printf("%-26s %9.4g %-10s %9.4g .. %-9.4g", rounds->what, median,
		rounds->unit, sorted[0], sorted[rounds->count - 1]);
	if (target != NO_TARGET)
		printf(" at %s %g: %s", target == AT_MOST ? "most" : "least",
			limit,
			(target == AT_MOST ? median <= limit :
					     median >= limit) ?
				"met" :
				"missed");
	printf("\n");
}
