/*
 * The simplest measurement of a line's way from core to core and back, for
 * comparison with cpu.cores: it contains no code of benchtop.
 *     plain_cas CPU CPU
 * Two threads change one word in turn by compare and exchange. Prints the
 * median of 300 samples of 1000 round trips, in ns. Each thirtieth begins with
 * a new pair of threads and a new page.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { PAIRS = 30, SAMPLES = 10, TRIPS = 1000, PAGE = 4096 };
enum { PING, PONG };

static _Atomic int *word;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set)) {
		perror("plain_cas: cannot pin");
		exit(1);
	}
}

static void pass(_Atomic int *shared, int from, int to)
{
	int seen = from;

	while (!atomic_compare_exchange_strong(shared, &seen, to))
		seen = from;
}

static void *answer(void *cpu)
{
	_Atomic int *mine = word;

	pin(*(int *)cpu);
	/* One more trip, untimed, at the beginning of each sample. */
	for (int i = 0; i < SAMPLES * (TRIPS + 1); i++)
		pass(mine, PONG, PING);
	return NULL;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(double *samples, int *other)
{
	pthread_t thread;

	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (word == MAP_FAILED ||
		pthread_create(&thread, NULL, answer, other)) {
		perror("plain_cas");
		exit(1);
	}
	_Atomic int *mine = word;
	for (int i = 0; i < SAMPLES; i++) {
		pass(mine, PING, PONG);
		double begin = now_ns();
		for (int trip = 0; trip < TRIPS; trip++)
			pass(mine, PING, PONG);
		samples[i] = (now_ns() - begin) / TRIPS;
	}
	pthread_join(thread, NULL);
	munmap(word, PAGE);
}

int main(int count, char **words)
{
	static double samples[PAIRS * SAMPLES];

	if (count != 3) {
		fprintf(stderr, "usage: plain_cas CPU CPU\n");
		return 2;
	}
	int other = (int)strtol(words[2], NULL, 10);
	pin((int)strtol(words[1], NULL, 10));
	for (int i = 0; i < PAIRS; i++)
		measure(samples + i * SAMPLES, &other);
	qsort(samples, PAIRS * SAMPLES, sizeof *samples, by_value);
	printf("%.3f\n", samples[PAIRS * SAMPLES / 2]);
	return 0;
}
