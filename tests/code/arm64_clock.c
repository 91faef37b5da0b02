/* Runs the arm64 pair of clock reads: it only advances, at the rate that the
 * processor states, and the rulers work. */
#include <math.h>
#include <stdio.h>

#include "ruler.h"

static uint64_t stated_hz(void)
{
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}

static int fails(const char *what)
{
	printf("wrong: %s\n", what);
	return 1;
}

int main(void)
{
	uint64_t last = tick_now(TICK_COUNTER);

	for (int i = 0; i < 100000; i++) {
		uint64_t now = tick_now(TICK_COUNTER);

		if (now < last)
			return fails("the counter stepped back");
		last = now;
	}
	struct moment first = moment_now(TICK_COUNTER);
	while (tick_raw_ns() - first.raw_ns < 200000000)
		ruler_adds(100);
	struct moment then = moment_now(TICK_COUNTER);
	double hz = (then.ticks - first.ticks) * 1e9 /
		(double)(then.raw_ns - first.raw_ns);
	printf("%.2f MHz counted, %.2f MHz stated\n", hz * 1e-6,
		(double)stated_hz() * 1e-6);
	if (fabs(hz / (double)stated_hz() - 1) > .02)
		return fails("the counter's rate is not what is stated");
	/* On an emulator of any speed more work takes longer, unless the
	 * shorter one was interrupted: one of ten tries suffices. */
	for (int i = 0; i < 10; i++) {
		uint64_t begin = tick_now(TICK_COUNTER);
		ruler_multiplies(10);
		uint64_t middle = tick_now(TICK_COUNTER);
		ruler_multiplies(20000);
		uint64_t end = tick_now(TICK_COUNTER);
		if (end - middle > middle - begin)
			return 0;
	}
	return fails("longer chains take no longer");
}
