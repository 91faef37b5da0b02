/* The gate of tests that need a quiet machine. */
#include "quiet.h"

#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cpu_times.h"

void wrong(struct attempt *attempt, const char *format, ...)
{
	va_list list;

	if (*attempt->wrong)
		return;
	va_start(list, format);
	vsnprintf(attempt->wrong, sizeof attempt->wrong, format, list);
	va_end(list);
}

void noise(struct attempt *attempt, const char *format, ...)
{
	va_list list;

	if (*attempt->noise)
		return;
	va_start(list, format);
	vsnprintf(attempt->noise, sizeof attempt->noise, format, list);
	va_end(list);
}

struct places places;
struct place place;
struct clock_facts ruler;

static void nap(double s)
{
	const struct timespec time = { (time_t)s,
		(long)((s - floor(s)) * 1e9) };

	nanosleep(&time, NULL);
}

void move_in(cpu_set_t *home)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof *home, home);
	CPU_ZERO(&set);
	CPU_SET((size_t)place.cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

void move_out(const cpu_set_t *home)
{
	sched_setaffinity(0, sizeof *home, home);
}

/* The cut for canaries without a run that could show a valley: the ratio from
 * the clock's calibration, times the least step above it. */
static struct results known_sharing(void)
{
	return (struct results){
		.clock = ruler,
		.sharing = { .cut = ruler.canary_alone * SHARING_STEP },
	};
}

/* Share of canaries that did not have the core to themselves, or that
 * something interrupted. */
static double ask_canaries(void)
{
	struct probe probe = { .source = ruler.source };
	struct results known = known_sharing();
	cpu_set_t home;
	size_t bad = 0;

	move_in(&home);
	for (int i = 0; i < CANARIES; i++) {
		struct canary canary = canary_run(&probe, ruler.canary_kind,
			ruler.canary_multiplies);

		bad += canary_state(&known,
			       canary_ratio(&canary, ruler.overhead)) !=
			CANARY_ALONE;
	}
	move_out(&home);
	return (double)bad / CANARIES;
}

const double loud_most = .1;
static const double others_most = .2;

/* Processor time of the whole machine, and of this process and its children. */
struct load {
	struct cpu_times times;
	double own_s;
	struct timespec at;
};

static double used_s(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void load_read(struct load *load)
{
	cpu_times_read("/proc/stat", &load->times);
	load->own_s = used_s(RUSAGE_SELF) + used_s(RUSAGE_CHILDREN);
	clock_gettime(CLOCK_MONOTONIC, &load->at);
}

/* The number of processors that others kept busy since then. */
static double load_of_others(const struct load *since)
{
	struct load now;
	double busy_s = 0;

	load_read(&now);
	for (size_t cpu = 0; cpu < CPUS_MAX; cpu++)
		busy_s += now.times.busy_s[cpu] - since->times.busy_s[cpu];
	return (busy_s - (now.own_s - since->own_s)) /
		((double)(now.at.tv_sec - since->at.tv_sec) +
			(double)(now.at.tv_nsec - since->at.tv_nsec) / 1e9);
}

static bool is_quiet(struct attempt *attempt, const struct load *since,
	const char *when)
{
	double others = load_of_others(since);
	double bad = ask_canaries();

	if (others > others_most)
		noise(attempt, "others used %.1f processors %s", others, when);
	if (bad > loud_most)
		noise(attempt, "%.0f %% of the canaries not alone %s",
			bad * 100, when);
	return !*attempt->noise;
}

/* All checks of a program together wait WAIT_S. */
static void wait_for_quiet(struct attempt *attempt)
{
	static int naps = WAIT_S * 4;
	struct load load;

	do {
		*attempt = (struct attempt){ .wrong = "" };
		load_read(&load);
		nap(.25);
	} while (!is_quiet(attempt, &load, "before") && naps-- > 0);
}

static int gated(const struct check *check)
{
	struct attempt attempt;
	struct load load;
	char reason[sizeof attempt.noise] = "wrong once while it was quiet";
	int wrong_count = 0;

	for (int i = 0; i < ATTEMPTS && wrong_count < WRONG_FAILS; i++) {
		wait_for_quiet(&attempt);
		/* On a noisy machine an attempt proves nothing. */
		if (*attempt.noise) {
			memcpy(reason, attempt.noise, sizeof reason);
			continue;
		}
		load_read(&load);
		check->body(&attempt);
		if (!*attempt.wrong) {
			printf("passed: %s\n", check->name);
			return PASSED;
		}
		is_quiet(&attempt, &load, "meanwhile");
		printf("attempt %d of %s: %s (%s)\n", i + 1, check->name,
			attempt.wrong,
			*attempt.noise ? attempt.noise : "quiet");
		wrong_count += !*attempt.noise;
		if (*attempt.noise)
			memcpy(reason, attempt.noise, sizeof reason);
	}
	if (wrong_count == WRONG_FAILS) {
		printf("FAILED: %s\n", check->name);
		return FAILED;
	}
	printf("SKIP: not quiet in three attempts: %s (%s)\n", reason,
		check->name);
	return SKIPPED;
}

int start_quiet(void)
{
	struct error error = { 0 };

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (*BENCHTOP_SANITIZE) {
		puts("SKIP: sanitizers time nothing");
		return SKIPPED;
	}
	places_read(&places);
	if (place_plan(&places, PARAM_AUTO, 0, &place, &error) ||
		clock_measure(place.cpu, &ruler, &error)) {
		printf("FAILED: %s\n", error.message);
		return FAILED;
	}
	return PASSED;
}

int run_checks(const struct check *checks, size_t count)
{
	int worst = start_quiet();

	if (worst != PASSED)
		return worst;
	for (size_t i = 0; i < count; i++) {
		int one = gated(&checks[i]);

		if (one == FAILED || worst == PASSED)
			worst = one;
	}
	return worst;
}
