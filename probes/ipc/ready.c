/* What does it cost to wait for one of many descriptors? */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <unistd.h>

#include "basis.h"
#include "channel.h"
#include "digest.h"
#include "party.h"
#include "probe.h"
#include "results.h"

enum with { SELECT, POLL, EPOLL, WITHS };
static const char *const withs[] = { "select", "poll", "epoll", NULL };
enum { DESCRIPTORS_MOST = 4096 };

struct args {
	int with, placement;
	int64_t descriptors, active;
};

static const struct param params[] = {
	{ .name = "with",
		.label = "with",
		.help = "system call that waits",
		.preset = "select,poll,epoll",
		CHOICE_FIELD(struct args, with),
		.choices = withs },
	{ .name = "descriptors",
		.label = "descriptors",
		.help = "number of descriptors on which the call waits",
		.preset = "1,8,64,512",
		WHOLE_FIELD(struct args, descriptors),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = DESCRIPTORS_MOST },
	{ .name = "active",
		.label = "active",
		.help = "number of descriptors that are ready in each scan",
		.preset = "1",
		WHOLE_FIELD(struct args, active),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = DESCRIPTORS_MOST },
	{ .name = "placement",
		.label = "placement",
		.help = "processor of the process that makes a descriptor "
			"ready",
		.preset = "same-cpu",
		CHOICE_FIELD(struct args, placement),
		.choices = placement_choices },
	{ .name = NULL },
};

enum { SCAN, WAIT, READ, ADDED };

static bool wait_without_read(const void *context, double *weight)
{
	(void)context;
	weight[WAIT] = 1;
	weight[READ] = -1;
	return true;
}

static const struct metric metrics[] = {
	{ .name = "scan",
		.label = "time per call, without waiting",
		.unit = UNIT_NS },
	{ .name = "wait",
		.label = "round trip, waiting for any descriptor",
		.unit = UNIT_NS },
	{ .name = "read",
		.label = "round trip, waiting in read()",
		.unit = UNIT_NS },
	{ .name = "added",
		.label = "their difference",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = wait_without_read },
	{ .name = NULL },
};

/* ---- the descriptors -------------------------------------------------- */

/* Shared by both processes. */
struct shared {
	uint32_t quit;
	uint32_t target; /* index of the descriptor to make ready */
	/* Numbers of round trips, from 1: the last one that is announced, and
	 * the one that waits, or is about to. */
	uint64_t announced, asked;
};

struct state {
	enum with with;
	bool near; /* both processes are on one processor */
	size_t count, active;
	int fd[DESCRIPTORS_MOST];
	fd_set set, selected;
	struct pollfd polled[DESCRIPTORS_MOST];
	int epoll;
	struct epoll_event events[DESCRIPTORS_MOST];
	struct channel ask;
	struct party other;
	struct shared *shared;
	uint64_t rounds;
	uint64_t sleeps; /* of the measured process, in them */
	uint64_t found, expected;
};

static int watch(struct state *s, size_t i)
{
	struct epoll_event event = { .events = EPOLLIN,
		.data.u32 = (uint32_t)i };

	s->polled[i] = (struct pollfd){ .fd = s->fd[i], .events = POLLIN };
	if (s->with == SELECT)
		FD_SET(s->fd[i], &s->set);
	return s->with == EPOLL ?
		epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->fd[i], &event) :
		0;
}

static int open_all(struct probe *probe, struct state *s)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	for (size_t i = 0; i < s->count; i++) {
		s->fd[i] = eventfd(0, EFD_CLOEXEC);
		if (s->fd[i] < 0)
			return probe_unavailable(probe,
				"%zu of %zu descriptors can be opened: %s; "
				"`ulimit -n` raises the limit",
				i, s->count, strerror(errno));
		if (s->with == SELECT && s->fd[i] >= FD_SETSIZE)
			return probe_unavailable(probe,
				"select cannot wait for descriptors from %d "
				"on (FD_SETSIZE), and %zu are below: expected "
				"fewer, or with=poll",
				FD_SETSIZE, i);
		if (watch(s, i))
			return probe_fail(probe, "cannot watch: %s",
				strerror(errno));
	}
	return 0;
}

static void close_all(struct state *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->fd[i] >= 0)
			close(s->fd[i]);
	close(s->epoll);
	party_memory_free(s->shared, sizeof *s->shared);
	free(s);
}

/* Returns the number of ready descriptors, at once or when there is one. */
static int ready(struct state *s, bool wait)
{
	struct timeval now = { 0, 0 };
	int timeout_ms = wait ? -1 : 0;

	if (s->with == SELECT) {
		s->selected = s->set;
		return select(s->fd[s->count - 1] + 1, &s->selected, NULL, NULL,
			wait ? NULL : &now);
	}
	return s->with == POLL ? poll(s->polled, s->count, timeout_ms) :
				 epoll_wait(s->epoll, s->events, (int)s->count,
					 timeout_ms);
}

/* The index of a ready descriptor, found as any program has to. */
static size_t first_ready(const struct state *s)
{
	size_t i = 0;

	if (s->with == EPOLL)
		return s->events[0].data.u32;
	while (i < s->count - 1 &&
		!(s->with == SELECT ? FD_ISSET(s->fd[i], &s->selected) :
				      s->polled[i].revents))
		i++;
	return i;
}

static bool make_ready(const struct state *s, size_t i)
{
	const uint64_t one = 1;

	return write(s->fd[i], &one, sizeof one) == sizeof one;
}

static bool make_idle(const struct state *s, size_t i)
{
	uint64_t count;

	return read(s->fd[i], &count, sizeof count) == sizeof count;
}

/* ---- the other process ------------------------------------------------ */

/* On one processor a task that is woken usually runs at once. If the measured
 * process woke the other one in each round trip, the descriptor would be ready
 * before the call, which would not wait. So it wakes the other process once for
 * several round trips. Then that one yields until the measured process waits.
 */
static void await_ask(const struct shared *shared, uint64_t number)
{
	while (__atomic_load_n(&shared->asked, __ATOMIC_ACQUIRE) < number)
		sched_yield();
}

static void *other_body(void *context)
{
	struct state *s = context;
	uint64_t announced = 0;

	for (uint64_t number = 1;; number++) {
		if (number > announced) {
			channel_receive(&s->ask);
			announced = s->shared->announced;
		}
		if (s->shared->quit)
			break;
		await_ask(s->shared, number);
		if (!make_ready(s, s->shared->target))
			break;
	}
	return NULL;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	int cpu = probe_placed(probe, args->placement);

	if (cpu < 0)
		return -1;
	if (args->active > args->descriptors)
		return probe_unavailable(probe,
			"active=%" PRId64 " exceeds descriptors=%" PRId64,
			args->active, args->descriptors);
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return probe_fail(probe, "no memory for the descriptors");
	probe->state = s;
	s->with = (enum with)args->with;
	s->near = args->placement == PLACEMENT_SAME_CPU;
	s->count = (size_t)args->descriptors;
	s->active = (size_t)args->active;
	s->shared = party_memory(sizeof *s->shared);
	if (!s->shared)
		return probe_fail(probe, "no memory for the descriptors");
	memset(s->fd, -1, sizeof s->fd);
	if (open_all(probe, s)) {
		close_all(s);
		return -1;
	}
	int failed = channel_open(&s->ask, CHANNEL_EVENTFD, 1);
	if (!failed) {
		failed = party_start(&s->other, false, cpu, other_body, s);
		if (!failed)
			return 0;
		channel_close(&s->ask);
	}
	close_all(s);
	return probe_unavailable(probe,
		"cannot start the other process: %s; `ulimit -a` shows limits",
		strerror(-failed));
}

/* ---- trials ----------------------------------------------------------- */

/* The active descriptors are spread evenly over all. */
static size_t active_at(const struct state *s, size_t i)
{
	return i * s->count / s->active;
}

static void scan(struct probe *probe, struct state *s, uint64_t calls)
{
	uint64_t found = 0;

	for (size_t i = 0; i < s->active; i++)
		make_ready(s, active_at(s, i));
	probe_start(probe);
	for (uint64_t i = 0; i < calls; i++)
		found += (uint64_t)ready(s, false);
	probe_stop(probe, SCAN, calls);
	for (size_t i = 0; i < s->active; i++)
		make_idle(s, active_at(s, i));
	s->found += found;
	s->expected += calls * s->active;
}

static void announce(struct state *s, uint64_t count)
{
	s->shared->announced = s->rounds + count;
	channel_send(&s->ask);
}

/* The other process makes one descriptor ready when it is asked to. */
static void round_trips(struct state *s, uint64_t count, bool wait)
{
	size_t at = s->shared->target;

	for (uint64_t i = 0; i < count; i++) {
		__atomic_store_n(&s->shared->asked, ++s->rounds,
			__ATOMIC_RELEASE);
		if (!s->near)
			announce(s, 0);
		if (wait) {
			s->found += (uint64_t)ready(s, true);
			at = first_ready(s);
		}
		make_idle(s, at);
	}
	s->expected += wait ? count : 0;
}

static void wait_or_read(struct probe *probe, struct state *s, unsigned metric,
	uint64_t ops)
{
	if (s->near)
		announce(s, ops + 1);
	/* Untimed: the first round trip after other work takes longer. */
	round_trips(s, 1, metric == WAIT);
	probe_start(probe);
	round_trips(s, ops, metric == WAIT);
	probe_stop_slept(probe, metric, ops);
	/* The other process falls asleep. */
	if (s->near)
		sched_yield();
}

/* Few descriptors: more calls than round trips, which take longer. */
enum { FEW = 64, CALLS = 8 };

static void trial(struct probe *probe, uint64_t ops)
{
	struct state *s = probe->state;

	scan(probe, s, s->count <= FEW ? CALLS * ops : ops);
	s->shared->target = (uint32_t)probe_random_below(probe, s->count);
	uint64_t before = party_sleeps();
	wait_or_read(probe, s, WAIT, ops);
	wait_or_read(probe, s, READ, ops);
	s->sleeps += party_sleeps() - before;
}

static void verify(struct probe *probe)
{
	const struct state *s = probe->state;

	if (s->found != s->expected)
		probe_invalid(probe,
			"the calls found %" PRIu64
			" ready descriptors, expected %" PRIu64,
			s->found, s->expected);
	if (s->near && party_too_few((double)s->sleeps, (double)s->rounds))
		probe_invalid(probe,
			"the process slept %" PRIu64 " times in %" PRIu64
			" round trips: some calls did not wait",
			s->sleeps, s->rounds);
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	s->shared->quit = 1;
	channel_send(&s->ask);
	if (party_join(&s->other))
		probe_invalid(probe, "the other process ended with an error");
	else
		verify(probe);
	channel_close(&s->ask);
	close_all(s);
}

/* ---- findings --------------------------------------------------------- */

/* The points of one system call that are like the first of them. */
static double along(const struct args *args, const struct args *first,
	enum with with)
{
	bool included = args->with == (int)with &&
		args->active == first->active &&
		args->placement == first->placement;

	return included ? (double)args->descriptors : NAN;
}

static double along_select(const void *args, const void *first)
{
	return along(args, first, SELECT);
}

static double along_poll(const void *args, const void *first)
{
	return along(args, first, POLL);
}

static double along_epoll(const void *args, const void *first)
{
	return along(args, first, EPOLL);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	static double (*const across[])(const void *, const void *) = {
		along_select, along_poll, along_epoll };

	(void)facts;
	for (int i = 0; i < WITHS; i++) {
		struct slope line;
		char name[32];

		if (!results_slope(results, SCAN, across[i], &line))
			continue;
		snprintf(name, sizeof name, "per-descriptor-%s", withs[i]);
		finding_interval(finding_value(findings, name, line.slope,
					 UNIT_NS,
					 "each descriptor adds %.3g ns to a "
					 "call of %s [%.3g, %.3g]",
					 line.slope, withs[i], line.low,
					 line.high),
			line.low, line.high);
	}
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);
	/* epoll examines the descriptors that are ready, the others all. */
	double examined = (double)(args->with == EPOLL ? args->active :
							 args->descriptors);

	prediction->hardware = call;
	prediction->software = (struct range){
		20 + 8 * examined, 200 + call.high + 60 * examined };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"a system call, and 8 to 60 ns for each descriptor that is %s",
		args->with == EPOLL ? "ready" : "examined");
}

const struct experiment probe_ipc_ready = {
	.name = "ipc.ready",
	.title = "Waiting for descriptors",
	.question = "What does it cost to wait for one of many descriptors?",
	.method =
		"The descriptors are eventfds. The scan is a call that does "
		"not wait, with a timeout of zero, while some of them are "
		"ready. The wait is a round trip: the measured process blocks "
		"in the call, another process makes one descriptor ready, "
		"drawn for each trial, and the measured process finds the "
		"descriptor and reads it. The same round trip with a blocked "
		"read() is subtracted: the difference is the cost of waiting "
		"for many. On one processor the other process is runnable and "
		"yields until the measured one blocks. Otherwise each round "
		"trip begins with a call that wakes it. A call that finds a "
		"wrong number of ready descriptors makes the figure invalid, "
		"as does, on one processor, a round trip without a sleep of "
		"the measured process. select copies its set before each call. "
		"lat_select of lmbench measures a scan for writing, in which "
		"all descriptors are ready.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops_least = 4 },
	.traits = TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS |
		SENSITIVE_SCHEDULER | SENSITIVE_IDLE,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
