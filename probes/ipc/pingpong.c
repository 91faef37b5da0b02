/* How long does a message take to another process and back? */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basis.h"
#include "channel.h"
#include "digest.h"
#include "party.h"
#include "probe.h"
#include "results.h"

static const char *const throughs[] = { "pipe", "fifo", "unix-stream",
	"unix-dgram", "eventfd", "futex", "posix-mq", "sysv-sem", "fcntl",
	"flock", NULL };
static const enum channel_kind kinds[] = { CHANNEL_PIPE, CHANNEL_FIFO,
	CHANNEL_SOCKETPAIR, CHANNEL_DATAGRAM, CHANNEL_EVENTFD, CHANNEL_FUTEX,
	CHANNEL_QUEUE, CHANNEL_SEMAPHORE, CHANNEL_RECORD_LOCK,
	CHANNEL_FILE_LOCK };

struct args {
	int through, placement;
	int64_t payload_bytes;
};

static const struct param params[] = {
	{ .name = "through",
		.label = "through",
		.help = "carrier of the message; fcntl and flock: locks",
		.preset = "pipe,unix-stream,eventfd,futex,posix-mq,sysv-sem,"
			"flock",
		CHOICE_FIELD(struct args, through),
		.choices = throughs },
	{ .name = "payload",
		.label = "payload",
		.help = "size of the message; eventfd, futex, sysv-sem, fcntl "
			"and flock carry only a token, payload=1",
		.preset = "1",
		WHOLE_FIELD(struct args, payload_bytes),
		.unit = UNIT_BYTES,
		.min = 1,
		.max = 64 << 10 },
	{ .name = "placement",
		.label = "placement",
		.help = "processor of the other process; other than same-cpu "
			"includes waking that processor",
		.preset = "same-cpu",
		CHOICE_FIELD(struct args, placement),
		.choices = placement_choices },
	{ .name = NULL },
};

enum { TIME };
static const struct metric metrics[] = {
	{ .name = "time", .label = "time per round trip", .unit = UNIT_NS },
	{ .name = NULL },
};

/* ---- the other process ------------------------------------------------ */

/* Shared by both processes. */
struct shared {
	uint32_t quit;
	int failed;        /* 0, or -errno of entering the channels */
	uint64_t answered; /* messages; stored at the end */
	uint64_t wrong;    /* those with an unexpected mark */
	uint64_t switches;
};

struct state {
	struct channel there, back, ready;
	struct party other;
	struct shared *shared;
	bool carries;
	uint64_t rounds;
	uint64_t wrong;
	uint64_t switches; /* by the measured process, in its trials */
};

/* Each message is marked by its number. */
static bool marked(const struct channel *channel, size_t size, uint64_t number)
{
	return channel->message[0] == (unsigned char)number &&
		channel->message[size - 1] == (unsigned char)number;
}

static void mark(struct channel *channel, size_t size, uint64_t number)
{
	channel->message[0] = (unsigned char)number;
	channel->message[size - 1] = (unsigned char)number;
}

static int enter(struct state *s, bool measured)
{
	int failed = channel_enter(&s->there, measured);

	return failed ? failed : channel_enter(&s->back, !measured);
}

static void *other_body(void *context)
{
	struct state *s = context;
	struct shared *shared = s->shared;
	size_t size = s->there.size_bytes;
	uint64_t number = 0, wrong = 0;

	shared->failed = enter(s, false);
	channel_send(&s->ready);
	uint64_t before = party_switches();
	while (!shared->failed && channel_receive(&s->there)) {
		wrong += s->carries && !marked(&s->there, size, number);
		mark(&s->back, size, number++);
		bool quit = __atomic_load_n(&shared->quit, __ATOMIC_RELAXED);
		if (quit) {
			shared->answered = number;
			shared->wrong = wrong;
			shared->switches = party_switches() - before;
		}
		if (!channel_send(&s->back) || quit)
			break;
	}
	return NULL;
}

/* ---- set-up ----------------------------------------------------------- */

/* Reports why a channel cannot be opened here. */
static int refuse(struct probe *probe, int failed)
{
	const struct args *args = probe->args;
	bool queue = kinds[args->through] == CHANNEL_QUEUE;

	if (queue && failed == -EINVAL)
		return probe_unavailable(probe,
			"a message is larger than the kernel allows: `sysctl "
			"fs.mqueue.msgsize_max=65536` raises the limit");
	if (queue && failed == -EMFILE)
		return probe_unavailable(probe,
			"the memory for message queues is limited: `ulimit -q` "
			"raises the limit");
	return probe_unavailable(probe, "cannot open through=%s: %s",
		throughs[args->through], strerror(-failed));
}

static int refuse_locks(struct probe *probe, int failed)
{
	const struct args *args = probe->args;

	return probe_unavailable(probe,
		"cannot open the files of through=%s again: %s: expected /proc",
		throughs[args->through], strerror(-failed));
}

static int open_channels(struct probe *probe, struct state *s)
{
	const struct args *args = probe->args;
	enum channel_kind kind = kinds[args->through];
	size_t size = (size_t)args->payload_bytes;
	int failed = channel_open(&s->there, kind, size);

	if (!failed)
		failed = channel_open_back(&s->back, &s->there);
	if (!failed)
		failed = channel_open(&s->ready, CHANNEL_FUTEX, 1);
	return failed ? refuse(probe, failed) : 0;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	bool carries = channel_carries(kinds[args->through]);
	int cpu = probe_placed(probe, args->placement);

	if (cpu < 0)
		return -1;
	if (!carries && args->payload_bytes > 1)
		return probe_unavailable(probe,
			"through=%s carries a token without bytes: expected "
			"payload=1",
			throughs[args->through]);
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return probe_fail(probe, "no memory for the processes");
	*s = (struct state){ .carries = carries,
		.shared = party_memory(sizeof *s->shared) };
	probe->state = s;
	if (!s->shared)
		return probe_fail(probe, "no memory for the processes");
	if (open_channels(probe, s))
		return -1;
	/* Holds its first lock before the other process waits for it. */
	int failed = enter(s, true);
	if (failed)
		return refuse_locks(probe, failed);
	failed = party_start(&s->other, false, cpu, other_body, s);
	if (failed)
		return probe_fail(probe, "cannot start the other process: %s",
			strerror(-failed));
	channel_receive(&s->ready);
	return s->shared->failed ? refuse_locks(probe, s->shared->failed) : 0;
}

/* ---- trials ----------------------------------------------------------- */

static bool round_trips(struct state *s, uint64_t count)
{
	size_t size = s->there.size_bytes;

	for (uint64_t i = 0; i < count; i++) {
		mark(&s->there, size, s->rounds);
		if (!channel_send(&s->there) || !channel_receive(&s->back))
			return false;
		s->wrong += s->carries && !marked(&s->back, size, s->rounds);
		s->rounds++;
	}
	return true;
}

static void trial(struct probe *probe, uint64_t ops)
{
	struct state *s = probe->state;
	uint64_t before = party_switches();
	/* Untimed: the first round after other work takes longer. */
	bool alive = round_trips(s, 1);

	probe_start(probe);
	alive = alive && round_trips(s, ops);
	probe_stop_slept(probe, TIME, ops);
	s->switches += party_switches() - before;
	if (!alive)
		probe_fail(probe, "the other process ended early: %s",
			strerror(errno));
}

static void verify(struct probe *probe)
{
	const struct args *args = probe->args;
	const struct state *s = probe->state;
	uint64_t switches = s->switches + s->shared->switches;

	if (s->shared->answered != s->rounds || s->wrong || s->shared->wrong)
		probe_invalid(probe,
			"%" PRIu64 " messages were sent, %" PRIu64
			" answered, %" PRIu64 " with another's mark",
			s->rounds, s->shared->answered,
			s->wrong + s->shared->wrong);
	/* More are possible: a reader can be woken by the first of several
	 * pieces. */
	if (args->placement == PLACEMENT_SAME_CPU)
		party_verify_switches(probe, s->rounds, switches,
			"some messages caused no switch");
	probe_note(probe, "switches", "%.1f per round trip, counted by the "
		"kernel", (double)switches / (double)s->rounds);
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	__atomic_store_n(&s->shared->quit, 1, __ATOMIC_RELAXED);
	bool alive = round_trips(s, 1);
	if (party_join(&s->other) || !alive)
		probe_invalid(probe, "the other process ended with an error");
	else
		verify(probe);
	channel_close(&s->there);
	channel_close(&s->back);
	channel_close(&s->ready);
	party_memory_free(s->shared, sizeof *s->shared);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

static bool alike(const struct args *a, const struct args *b)
{
	return a->payload_bytes == b->payload_bytes &&
		a->placement == b->placement;
}

/* Compares the carriers at the first point's payload and placement. */
static void find_carriers(const struct results *results,
	struct findings *findings)
{
	const struct point *fastest = NULL, *slowest = NULL;
	double least = INFINITY, most = 0, median;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];

		if (!alike(point->args, results->points[0].args) ||
			!results_median(results, point, TIME, &median))
			continue;
		if (median < least) {
			least = median;
			fastest = point;
		}
		if (median > most) {
			most = median;
			slowest = point;
		}
	}
	if (fastest && slowest != fastest && least > 0)
		finding_value(findings, "slowest-over-fastest", most / least,
			UNIT_NONE,
			"a round trip through %s takes %.2f times as long as "
			"through %s, the fastest",
			point_value(results, slowest, "through"), most / least,
			point_value(results, fastest, "through"));
}

/* The cost of another processor, for each carrier. */
static void find_waking(const struct results *results,
	struct findings *findings)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *same = &results->points[i];
		const struct args *near = same->args;
		double here, there;

		if (near->placement != PLACEMENT_SAME_CPU ||
			!results_median(results, same, TIME, &here))
			continue;
		for (size_t k = 0; k < results->point_count; k++) {
			const struct point *apart = &results->points[k];
			const struct args *far = apart->args;

			if (far->placement == PLACEMENT_SAME_CPU ||
				far->through != near->through ||
				far->payload_bytes != near->payload_bytes ||
				!results_median(results, apart, TIME, &there))
				continue;
			finding_at(finding_value(findings, "waking",
					   there - here, UNIT_NS,
					   "waking another processor twice "
					   "makes a round trip %.2f times as "
					   "long (through=%s placement=%s)",
					   there / here,
					   throughs[far->through],
					   placement_choices[far->placement]),
				results, apart);
		}
	}
}

static double payload_kib(const void *context, const void *of_first)
{
	const struct args *args = context, *first = of_first;
	bool like_first = args->through == first->through &&
		args->placement == first->placement;

	return like_first ? (double)args->payload_bytes / 1024 : NAN;
}

static void find_payload(const struct results *results,
	struct findings *findings)
{
	struct slope line;

	if (!results_slope(results, TIME, payload_kib, &line))
		return;
	finding_interval(finding_value(findings, "payload", line.slope, UNIT_NS,
				 "each KiB of payload adds %.3g ns to a round "
				 "trip through %s [%.3g, %.3g]",
				 line.slope,
				 point_value(results, &results->points[0],
					 "through"),
				 line.low, line.high),
		line.low, line.high);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	find_carriers(results, findings);
	find_waking(results, findings);
	find_payload(results, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	bool same = args->placement == PLACEMENT_SAME_CPU;
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);
	struct range change = basis_switch_ns(&basis);
	/* Into the kernel and out of it, in both directions. */
	struct range copies =
		basis_copy_ns(&basis, 4 * (double)args->payload_bytes);

	/* Registers and translations of two switches, as in a switch alone. */
	prediction->hardware = (struct range){ 200, 800 };
	if (!same) {
		/* Two interrupts, and two exits from idle. */
		prediction->hardware.low += 1000;
		prediction->hardware.high += 2 * facts_wake_ns(facts);
	}
	prediction->software = (struct range){
		4 * call.low + (same ? 2 * change.low : 0) + copies.low,
		12 * call.high + 3 * change.high + 2 * copies.high,
	};
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"four system calls or more, two switches%s, four copies of the "
		"payload",
		same ? "" : ", two interrupts and wake-ups from idle");
}

const struct experiment probe_ipc_pingpong = {
	.name = "ipc.pingpong",
	.title = "Message round trip",
	.question = "How long does a message take to another process and back?",
	.method =
		"Two pinned processes send one message to and fro. The time is "
		"that of the full round trip, never half of it, and includes "
		"the calls that send and receive, two context switches and the "
		"copies of the payload. The first round trip of a trial is not "
		"timed, because it is slower after other work. Each message "
		"has a mark that its receiver checks. On one processor, the "
		"kernel must count two switches per round trip, or the figure "
		"is invalid. eventfd, futex, sysv-sem, fcntl and flock carry a "
		"token without bytes. With fcntl and flock the token is a "
		"lock: the sender locks its next lock and then releases its "
		"last, on which the receiver waits. A round trip then has "
		"eight calls instead of four. A pair of sockets carries both "
		"ways; of the others there is one for each way. Between two "
		"processors, the time includes the exit from idle of the "
		"processor that is woken. lat_pipe, lat_fifo and lat_unix of "
		"lmbench time the same round trip without pinning; its lat_sem "
		"and lat_fcntl print half of one.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	/* After a few round trips both processes find their code and data in
	 * the caches. */
	.plan = { .ops_least = 10 },
	.traits = TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS |
		SENSITIVE_SCHEDULER | SENSITIVE_IDLE,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.tidy = channel_sweep,
	.findings = findings_of,
	.predict = predict,
};
