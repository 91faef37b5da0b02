/* How late does a thread run after a timer or a wake-up? */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "basis.h"
#include "channel.h"
#include "digest.h"
#include "file.h"
#include "party.h"
#include "probe.h"
#include "quantile.h"
#include "results.h"

/* glibc does not have this name of timer_create(2). */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The first three are timers, the others wake-ups by a thread on another
 * processor. */
enum how { NANOSLEEP, TIMERFD, SIGNAL, FUTEX, EVENTFD };
enum load { NO_LOAD, BUSY };

static const char *const hows[] = { "nanosleep", "timerfd", "signal", "futex",
	"eventfd", NULL };
static const char *const loads[] = { "none", "busy", NULL };

struct args {
	int how, load;
	int64_t interval_ns, slack_ns;
};

static const struct param params[] = {
	{ .name = "how",
		.label = "woken by",
		.help = "a timer (nanosleep, timerfd, signal), or a thread on "
			"another processor (futex, eventfd)",
		.preset = "nanosleep,timerfd,signal,futex,eventfd",
		CHOICE_FIELD(struct args, how),
		.choices = hows },
	{ .name = "interval",
		.label = "interval",
		.help = "time between two intended wake-ups",
		.preset = "1ms",
		WHOLE_FIELD(struct args, interval_ns),
		.unit = UNIT_NS,
		.min = 100000,
		.max = 10000000 },
	{ .name = "load",
		.label = "load",
		.help = "none: the processor may become idle; busy: another "
			"thread computes on it, of normal priority",
		.preset = "none",
		CHOICE_FIELD(struct args, load),
		.choices = loads },
	{ .name = "slack",
		.label = "timer slack",
		.help = "delay that the kernel may add to a sleep (how="
			"nanosleep) to combine it with others; 50us in an "
			"ordinary program, none at a real-time priority, nor "
			"of timerfd and signal",
		.preset = "50us",
		WHOLE_FIELD(struct args, slack_ns),
		.unit = UNIT_NS,
		.min = 1,
		.max = 1000000000 },
	{ .name = NULL },
};

enum { LATE };

static const struct metric metrics[] = {
	{ .name = "late", .label = "delay of the wake-up", .unit = UNIT_NS },
	{ .name = NULL },
};

struct state {
	const struct args *args;
	struct party load, waker;
	struct channel channel; /* from the waker */
	int timerfd;
	timer_t timer;
	uint64_t next_ns;  /* intended wake-up, CLOCK_MONOTONIC */
	uint64_t ended_ns; /* end of the last trial */
	uint64_t sleeps;   /* that had to be awaited */
	uint64_t switches; /* of this thread, at first */
	_Atomic bool over;
	/* What the waker is asked for, and when it woke. */
	_Alignas(256) _Atomic uint64_t asked_ns;
	_Alignas(256) _Atomic uint64_t woke_ns;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000u),
		(long)(ns % 1000000000u) };
}

static void sleep_until(uint64_t ns)
{
	struct timespec until = time_of(ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
		EINTR)
		;
}

/* ---- the threads beside the measured one ------------------------------ */

/* With a real-time priority, which it inherits, this thread would never leave
 * the processor. */
static void *compute(void *context)
{
	const struct sched_param none = { 0 };
	struct state *s = context;

	sched_setscheduler(0, SCHED_OTHER, &none);
	while (!atomic_load_explicit(&s->over, memory_order_relaxed))
		;
	return NULL;
}

enum { NAP_NS = 20000, SPIN_NS = 100000 };

/* Wakes the measured thread at the times it asks for. Spins before each, so
 * that its own wake-up is not measured. */
static void *wake(void *context)
{
	struct state *s = context;
	uint64_t seen = 0;

	prctl(PR_SET_TIMERSLACK, 1);
	while (!atomic_load(&s->over)) {
		uint64_t asked = atomic_load(&s->asked_ns), now;

		if (asked == seen) {
			sleep_until(now_ns() + NAP_NS);
			continue;
		}
		seen = asked;
		sleep_until(asked - SPIN_NS);
		while ((now = now_ns()) < asked)
			;
		atomic_store(&s->woke_ns, now);
		channel_send(&s->channel);
	}
	return NULL;
}

/* ---- one wake-up ------------------------------------------------------ */

/* Returns when the thread was meant to run. */
static uint64_t await(struct state *s)
{
	struct itimerspec at = { .it_value = time_of(s->next_ns) };
	uint64_t count;
	sigset_t set;

	switch ((enum how)s->args->how) {
	case NANOSLEEP:
		sleep_until(s->next_ns);
		break;
	case TIMERFD:
		timerfd_settime(s->timerfd, TFD_TIMER_ABSTIME, &at, NULL);
		if (read(s->timerfd, &count, sizeof count) < 0)
			return UINT64_MAX;
		break;
	case SIGNAL:
		sigemptyset(&set);
		sigaddset(&set, SIGRTMIN);
		timer_settime(s->timer, TIMER_ABSTIME, &at, NULL);
		if (sigwaitinfo(&set, NULL) < 0)
			return UINT64_MAX;
		break;
	case FUTEX:
	case EVENTFD:
		atomic_store(&s->asked_ns, s->next_ns);
		channel_receive(&s->channel);
		return atomic_load(&s->woke_ns);
	}
	return s->next_ns;
}

enum { SOON_NS = 20000, PREEMPTED = 4 };

/* Each wake-up is intended an interval after the last intended one. A late one
 * does not move those that follow, so its lateness is not hidden. Only the time
 * that the engine spends between two trials moves them. */
static void trial(struct probe *probe, uint64_t ops)
{
	struct state *s = probe->state;
	uint64_t begin_ns = now_ns();

	s->next_ns += (uint64_t)s->args->interval_ns + begin_ns - s->ended_ns;
	s->sleeps += s->next_ns > begin_ns + SOON_NS;
	probe_start(probe);
	uint64_t intended_ns = await(s);
	s->ended_ns = now_ns();
	if (s->ended_ns < intended_ns) {
		probe_invalid(probe,
			"a timer failed, or a wake-up came before its time");
		return;
	}
	probe_took(probe, LATE, ops,
		(uint64_t)((double)(s->ended_ns - intended_ns) *
			probe->tick_hz / 1e9));
}

/* ---- one visit -------------------------------------------------------- */

#define IDLE "/sys/devices/system/cpu/cpuidle/"

/* Who chooses the idle states. The governor haltpoll polls before a guest goes
 * idle, so that a wake-up within that time is fast. */
static void note_governor(struct probe *probe)
{
	char driver[40], governor[40], poll[24];

	if (file_peek(IDLE "current_driver", driver, sizeof driver) ||
		(file_peek(IDLE "current_governor_ro", governor,
			 sizeof governor) &&
			file_peek(IDLE "current_governor", governor,
				sizeof governor)))
		return;
	probe_note(probe, "idle-driver", "%s, governor %s", driver, governor);
	if (!strcmp(governor, "haltpoll") &&
		!file_peek("/sys/module/haltpoll/parameters/guest_halt_poll_ns",
			poll, sizeof poll))
		probe_note(probe, "halt-polling", "up to %s ns", poll);
}

/* The idle states of the processor: leaving one is a part of the delay. */
static void note_idle(struct probe *probe)
{
	char names[120] = "", path[100], name[24];
	size_t used = 0;

	for (int i = 0; used < sizeof names - sizeof name - 1; i++) {
		snprintf(path, sizeof path,
			"/sys/devices/system/cpu/cpu%d/cpuidle/state%d/name",
			probe->cpu, i);
		FILE *file = fopen(path, "re");
		if (!file)
			break;
		if (fscanf(file, "%23[^\n]", name) == 1)
			used += (size_t)snprintf(names + used,
				sizeof names - used, "%s%s", i ? ", " : "",
				name);
		fclose(file);
	}
	probe_note(probe, "idle", "%s", used ? names : "states unknown");
	note_governor(probe);
}

static int open_timer(struct probe *probe, struct state *s)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGRTMIN };
	sigset_t set;

	event.sigev_notify_thread_id = gettid();
	if (s->args->how == TIMERFD)
		s->timerfd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (s->args->how == TIMERFD && s->timerfd < 0)
		return probe_fail(probe, "cannot create a timer: %s",
			strerror(errno));
	if (s->args->how != SIGNAL)
		return 0;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &s->timer))
		return probe_fail(probe, "cannot create a timer: %s",
			strerror(errno));
	return 0;
}

static int start_waker(struct probe *probe, struct state *s)
{
	if (s->args->how != FUTEX && s->args->how != EVENTFD)
		return 0;
	if (probe->row_count < 2)
		return probe_unavailable(probe,
			"how=%s needs a second processor for the thread that "
			"wakes",
			hows[s->args->how]);
	int failed = channel_open(&s->channel,
		s->args->how == FUTEX ? CHANNEL_FUTEX : CHANNEL_EVENTFD, 1);
	if (!failed)
		failed = party_start(&s->waker, true, probe->row[1], wake, s);
	return failed ? probe_fail(probe, "cannot start a thread: %s",
				strerror(-failed)) :
			0;
}

static int usual_slack;

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct state *s = aligned_alloc(_Alignof(struct state), sizeof *s);

	if (!s)
		return probe_fail(probe, "no memory");
	memset(s, 0, sizeof *s);
	s->args = args;
	s->timerfd = -1;
	if (open_timer(probe, s) || start_waker(probe, s)) {
		free(s);
		return -1;
	}
	if (args->load == BUSY &&
		party_start(&s->load, true, probe->cpu, compute, s))
		return probe_fail(probe, "cannot start a thread");
	usual_slack = prctl(PR_GET_TIMERSLACK);
	prctl(PR_SET_TIMERSLACK, (unsigned long)args->slack_ns);
	note_idle(probe);
	s->switches = party_sleeps();
	s->next_ns = s->ended_ns = now_ns();
	probe->state = s;
	return 0;
}

static void verify(struct probe *probe)
{
	const struct state *s = probe->state;
	uint64_t slept = party_sleeps() - s->switches;

	/* A few times another task ran until the time to wake had come. */
	if ((double)slept + PREEMPTED < .98 * (double)s->sleeps)
		probe_invalid(probe,
			"the thread slept %llu times, expected %llu: some "
			"wake-ups were not awaited",
			(unsigned long long)slept,
			(unsigned long long)s->sleeps);
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	verify(probe);
	prctl(PR_SET_TIMERSLACK, (unsigned long)usual_slack);
	atomic_store(&s->over, true);
	if (s->waker.id)
		party_join(&s->waker);
	if (s->args->load == BUSY)
		party_join(&s->load);
	if (s->args->how == SIGNAL)
		timer_delete(s->timer);
	if (s->timerfd >= 0)
		close(s->timerfd);
	if (s->waker.id)
		channel_close(&s->channel);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

/* A quantile needs ten values beyond it. */
static const struct {
	const char *name;
	double share;
	size_t least;
} tails[] = { { "p99", .99, 1000 }, { "p99.9", .999, 10000 },
	{ "p99.99", .9999, 100000 } };

static void find_tail(const struct results *results, const struct point *point,
	struct findings *findings)
{
	struct text latest = { 0 };
	double *values;
	size_t count = results_values(results, point, LATE, SCALE_UNIT, &values,
		NULL);

	values_sort(values, count);
	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
		if (count >= tails[i].least)
			finding_cell(findings, results, point, tails[i].name,
				quantile_sorted(values, count, tails[i].share),
				UNIT_NS);
	if (count) {
		const struct args *args = point->args;
		double most = values[count - 1];

		finding_at(finding_value(findings, "latest", most, UNIT_NS,
				   "%s: the latest of %zu wake-ups came %s "
				   "late",
				   hows[args->how], count,
				   unit_show(&latest, UNIT_NS, most)),
			results, point);
	}
	text_free(&latest);
	free(values);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++)
		find_tail(results, &results->points[i], findings);
}

/* ---- prediction ------------------------------------------------------- */

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);
	struct range change = basis_switch_ns(&basis);
	bool idle = args->load == NO_LOAD;
	bool slack = args->how == NANOSLEEP && !facts->realtime;

	/* The interrupt, and the exit from an idle state. */
	prediction->hardware = (struct range){ 300, 3000 };
	if (idle)
		prediction->hardware.high += facts->hypervisor ? 100000 : 60000;
	prediction->software = (struct range){ call.low + change.low,
		4 * call.high + 4 * change.high +
			(slack ? (double)args->slack_ns : 0) };
	prediction_sum(prediction);
	basis_say(&basis, prediction, "an interrupt%s; a switch%s",
		idle ? ", the exit from an idle state" : "",
		slack			    ? " and at most the timer slack" :
			args->how <= SIGNAL ? "" :
					      " and the call that wakes");
}

const struct experiment probe_cpu_wake = {
	.name = "cpu.wake",
	.title = "Wake-up",
	.question = "How late does a thread run after a timer or a wake-up?",
	.method =
		"A thread sleeps until an absolute time and reads the clock. "
		"The delay is that time minus the intended one. The next "
		"wake-up is intended one interval after the last intended one, "
		"even if that was late, so no delay is omitted. With futex and "
		"eventfd a thread on another processor spins until that time, "
		"reads the clock and wakes. The delay begins there. The "
		"kernel's count of voluntary switches must match the sleeps "
		"within 2 %, or the figure is invalid. The tail is shown with "
		"the number of wake-ups: p99 needs 1000, p99.9 needs 10 000. "
		"The preset's budget is too short for p99.9: set trials=1000 "
		"launches=10 budget=60s. Without load, leaving an idle state "
		"is a part of the delay. cyclictest prints the same delay, but "
		"without --default-system it forbids deep idle states.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1 },
	.traits = TRAIT_BLOCKS | TRAIT_FAULTS | TRAIT_TAIL,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_SCHEDULER |
		SENSITIVE_IDLE | SENSITIVE_TIMER_SLACK,
	.waits = waits_always,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
