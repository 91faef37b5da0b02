/*
 * Clocks that lie, for LD_PRELOAD. BENCHTOP_CLOCK is
 *
 *     stands   always the same time
 *     fast     ten times as fast
 *     ahead    an hour ahead after every 1000 readings
 *     back     2 ms back every 10 ms
 *     once     an hour ahead for half a second after the start
 *
 * Clocks of processor time are true.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	EVERY = 1000,
	TIMES = 10,
	HOUR_S = 3600,
	HALF_NS = 500000000,
	STEP_NS = 10000000,
	BACK_NS = 2000000,
};

static atomic_llong readings;
static struct timespec start[CLOCK_TAI + 1];

__attribute__((constructor)) static void read_all(void)
{
	for (clockid_t id = 0; id <= CLOCK_TAI; id++)
		syscall(SYS_clock_gettime, id, &start[id]);
}

static void set(struct timespec *now, const struct timespec *began,
	long long since_ns)
{
	since_ns += began->tv_nsec;
	now->tv_sec = began->tv_sec + since_ns / 1000000000;
	now->tv_nsec = (long)(since_ns % 1000000000);
}

static void lie(const struct timespec *began, const char *manner,
	struct timespec *now)
{
	long long times = ++readings / EVERY;
	long long since_ns =
		((long long)now->tv_sec - began->tv_sec) * 1000000000 +
		now->tv_nsec - began->tv_nsec;

	if (!strcmp(manner, "stands"))
		*now = *began;
	else if (!strcmp(manner, "fast"))
		set(now, began, since_ns * TIMES);
	else if (!strcmp(manner, "ahead"))
		now->tv_sec += times * HOUR_S;
	else if (!strcmp(manner, "back"))
		set(now, began, since_ns - since_ns / STEP_NS * BACK_NS);
	else if (!strcmp(manner, "once") && since_ns < HALF_NS)
		now->tv_sec += HOUR_S;
}

int clock_gettime(clockid_t id, struct timespec *now)
{
	const char *manner = getenv("BENCHTOP_CLOCK");
	int failed = (int)syscall(SYS_clock_gettime, id, now);

	if (!failed && manner && id >= 0 && id <= CLOCK_TAI &&
		id != CLOCK_PROCESS_CPUTIME_ID && id != CLOCK_THREAD_CPUTIME_ID)
		lie(&start[id], manner, now);
	return failed;
}
