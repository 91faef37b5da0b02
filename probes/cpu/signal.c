/* What does a signal cost? */
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "basis.h"
#include "channel.h"
#include "digest.h"
#include "party.h"
#include "probe.h"
#include "results.h"

enum how { SELF, THREAD, PROCESS, SEGV, INSTALL };
static const char *const hows[] = { "self", "thread", "process", "segv",
	"install", NULL };

struct args {
	int how, placement;
};

static const struct param params[] = {
	{ .name = "how",
		.label = "how",
		.help = "to the sender itself; to another thread or process "
			"and back; by a store to a read-only page; install: "
			"the handler only",
		.preset = "self,thread,process,segv,install",
		CHOICE_FIELD(struct args, how),
		.choices = hows },
	{ .name = "placement",
		.label = "placement",
		.help = "processor of the other thread or process",
		.preset = "same-cpu",
		CHOICE_FIELD(struct args, placement),
		.choices = placement_choices },
	{ .name = NULL },
};

enum { TIME, CAUGHT, SEND, HANDLER, FAULT };

static bool caught_without_send(const void *context, double *weight)
{
	const struct args *args = context;

	weight[args->how == SELF ? TIME : CAUGHT] = 1;
	weight[SEND] = -1;
	return args->how == SELF || args->how == SEGV;
}

static bool time_without_handler(const void *context, double *weight)
{
	const struct args *args = context;

	weight[TIME] = 1;
	weight[CAUGHT] = -1;
	weight[SEND] = 1;
	return args->how == SEGV;
}

static const struct metric metrics[] = {
	{ .name = "time",
		.label = "time per signal, or round trip of two",
		.unit = UNIT_NS },
	{ .name = "caught",
		.label = "a signal to the sender itself",
		.unit = UNIT_NS },
	{ .name = "send",
		.label = "the call that sends, without a signal",
		.unit = UNIT_NS },
	{ .name = "handler",
		.label = "a signal to itself, without that call",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = caught_without_send },
	{ .name = "fault",
		.label = "the fault, without the handler",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = time_without_handler },
	{ .name = NULL },
};

/* ---- handlers --------------------------------------------------------- */

/* Handlers have no context. Each thread has its own counts. */
static _Thread_local volatile sig_atomic_t arrived;
static _Thread_local volatile uint64_t handled;

static void handle(int number)
{
	(void)number;
	arrived = 1;
	handled++;
}

/* The faults of a trial. The store is repeated when the handler returns, and
 * faults again. The first fault begins the time in its handler and the last
 * ends it there, so that each of `ops` operations is a return from the handler,
 * a fault and a delivery. */
static struct faults {
	struct probe *probe;
	uint64_t ops, end;
	sigjmp_buf out;
	struct sigaction usual;
} faults;

/* Without SA_SIGINFO, like the handler whose time is subtracted: the kernel
 * would copy the siginfo too. */
static void handle_fault(int number)
{
	(void)number;
	if (handled++ == 0)
		probe_start(faults.probe);
	if (handled <= faults.ops)
		return;
	faults.end = probe_end(faults.probe);
	siglongjmp(faults.out, 1);
}

/* ---- the other task --------------------------------------------------- */

/* Shared by both tasks. */
struct shared {
	pid_t process, thread; /* of the other task */
	uint32_t quit;
	uint64_t handled, switches;
};

struct state {
	pid_t process, thread; /* of the measured task */
	sigset_t closed, open; /* without and with the signal */
	struct channel ready;
	struct party other;
	struct shared *shared;
	char *page; /* read-only */
	uint64_t rounds, switches;
};

static void send_signal(pid_t process, pid_t thread, int number)
{
	syscall(SYS_tgkill, process, thread, number);
}

static void await_signal(const struct state *s)
{
	while (!arrived)
		sigsuspend(&s->open);
	arrived = 0;
}

static void *other_body(void *context)
{
	struct state *s = context;
	struct shared *shared = s->shared;
	uint64_t before = party_switches();

	shared->process = getpid();
	shared->thread = gettid();
	arrived = 0;
	handled = 0;
	channel_send(&s->ready);
	for (;;) {
		await_signal(s);
		if (__atomic_load_n(&shared->quit, __ATOMIC_RELAXED))
			break;
		send_signal(s->process, s->thread, SIGUSR1);
	}
	shared->handled = handled;
	shared->switches = party_switches() - before;
	return NULL;
}

static int start_other(struct probe *probe, struct state *s, int cpu)
{
	const struct args *args = probe->args;
	sigset_t before;
	int failed = channel_open(&s->ready, CHANNEL_FUTEX, 1);

	/* The other task inherits the mask. */
	pthread_sigmask(SIG_SETMASK, &s->closed, &before);
	if (!failed)
		failed = party_start(&s->other, args->how == THREAD, cpu,
			other_body, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed)
		return probe_fail(probe, "cannot start the other task: %s",
			strerror(-failed));
	channel_receive(&s->ready);
	return 0;
}

static bool has_other(const struct args *args)
{
	return args->how == THREAD || args->how == PROCESS;
}

static void make_masks(struct state *s)
{
	sigprocmask(SIG_BLOCK, NULL, &s->open);
	sigdelset(&s->open, SIGUSR1);
	s->closed = s->open;
	sigaddset(&s->closed, SIGUSR1);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	const struct sigaction action = { .sa_handler = handle };
	int cpu = probe_placed(probe, args->placement);

	if (cpu < 0)
		return -1;
	if (!has_other(args) && args->placement != PLACEMENT_SAME_CPU)
		return probe_unavailable(probe,
			"how=%s has no other task: expected placement=same-cpu",
			hows[args->how]);
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return probe_fail(probe, "no memory for the tasks");
	probe->state = s;
	s->process = getpid();
	s->thread = gettid();
	s->shared = party_memory(sizeof *s->shared);
	s->page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (!s->shared || s->page == MAP_FAILED)
		return probe_fail(probe, "no memory for the tasks");
	make_masks(s);
	sigaction(SIGUSR1, &action, NULL);
	return has_other(args) ? start_other(probe, s, cpu) : 0;
}

/* ---- trials ----------------------------------------------------------- */

/* A signal clears the mark by which probe_stop() knows of an interruption, so
 * the kernel's count of switches is used. */
static void stop(struct probe *probe, unsigned metric, uint64_t ops,
	uint64_t end, uint64_t switches_before)
{
	probe_stop_judged(probe, metric, ops, end,
		party_switches() != switches_before);
}

/* Signal 0 is checked and not sent (kill(2)). */
static void signal_self(struct probe *probe, unsigned metric, struct state *s,
	int number, uint64_t ops)
{
	uint64_t before = party_switches();

	probe_start(probe);
	for (uint64_t i = 0; i < ops; i++)
		send_signal(s->process, s->thread, number);
	stop(probe, metric, ops, probe_end(probe), before);
}

static void install(struct probe *probe, uint64_t ops)
{
	const struct sigaction action = { .sa_handler = handle };
	uint64_t before = party_switches();
	struct sigaction usual;

	probe_start(probe);
	for (uint64_t i = 0; i < ops; i++)
		sigaction(SIGUSR2, &action, &usual);
	stop(probe, TIME, ops, probe_end(probe), before);
}

static void fault(struct probe *probe, struct state *s, uint64_t ops)
{
	const struct sigaction action = { .sa_handler = handle_fault };
	uint64_t before = party_switches();

	faults.probe = probe;
	faults.ops = ops;
	sigaction(SIGSEGV, &action, &faults.usual);
	if (!sigsetjmp(faults.out, 1))
		*(volatile char *)s->page = 1;
	sigaction(SIGSEGV, &faults.usual, NULL);
	handled--; /* the first one is not timed */
	stop(probe, TIME, ops, faults.end, before);
}

static void round_trips(struct state *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		send_signal(s->shared->process, s->shared->thread, SIGUSR1);
		await_signal(s);
	}
	s->rounds += count;
}

static void to_other(struct probe *probe, struct state *s, uint64_t ops)
{
	uint64_t before = party_switches();
	sigset_t usual;

	pthread_sigmask(SIG_SETMASK, &s->closed, &usual);
	/* Untimed: the first round trip after other work takes longer. */
	round_trips(s, 1);
	probe_start(probe);
	round_trips(s, ops);
	probe_stop_slept(probe, TIME, ops);
	pthread_sigmask(SIG_SETMASK, &usual, NULL);
	s->switches += party_switches() - before;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	struct state *s = probe->state;
	uint64_t expected = ops + has_other(args);

	handled = 0;
	arrived = 0;
	switch ((enum how)args->how) {
	case SELF:
		signal_self(probe, TIME, s, SIGUSR1, ops);
		signal_self(probe, SEND, s, 0, ops);
		break;
	case SEGV:
		fault(probe, s, ops);
		signal_self(probe, CAUGHT, s, SIGUSR1, ops);
		signal_self(probe, SEND, s, 0, ops);
		expected += ops;
		break;
	case INSTALL:
		install(probe, ops);
		break;
	case THREAD:
	case PROCESS:
		to_other(probe, s, ops);
		break;
	}
	if (args->how != INSTALL && handled != expected)
		probe_invalid(probe,
			"%" PRIu64 " signals were handled, expected %" PRIu64,
			handled, expected);
}

static void verify(struct probe *probe)
{
	const struct args *args = probe->args;
	const struct state *s = probe->state;

	/* The last signal ended the other task. */
	if (s->shared->handled != s->rounds + 1)
		probe_invalid(probe,
			"the other task handled %" PRIu64
			" signals, expected %" PRIu64,
			s->shared->handled, s->rounds + 1);
	if (args->placement == PLACEMENT_SAME_CPU)
		party_verify_switches(probe, s->rounds,
			s->switches + s->shared->switches,
			"some round trips did not wait");
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	if (has_other(probe->args)) {
		__atomic_store_n(&s->shared->quit, 1, __ATOMIC_RELAXED);
		send_signal(s->shared->process, s->shared->thread, SIGUSR1);
		if (party_join(&s->other))
			probe_invalid(probe,
				"the other task ended with an error");
		else
			verify(probe);
		channel_close(&s->ready);
	}
	munmap(s->page, (size_t)sysconf(_SC_PAGESIZE));
	party_memory_free(s->shared, sizeof *s->shared);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

static bool median_of(const struct results *results, const char *where,
	double *median)
{
	return results_median(results, results_where(results, where), TIME,
		median);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	double self, thread, process, segv;

	(void)facts;
	if (!median_of(results, "how=self", &self) || !(self > 0))
		return;
	if (median_of(results, "how=thread placement=same-cpu", &thread))
		finding_value(findings, "thread-over-self", thread / self,
			UNIT_NONE,
			"a signal to another thread and one back take %.2f "
			"times as long as one to the sender itself",
			thread / self);
	if (median_of(results, "how=process placement=same-cpu", &process))
		finding_value(findings, "process-over-self", process / self,
			UNIT_NONE,
			"a signal to another process and one back take %.2f "
			"times as long as one to the sender itself",
			process / self);
	if (median_of(results, "how=segv", &segv))
		finding_value(findings, "fault-over-self", segv / self,
			UNIT_NONE,
			"a fault that is handled by a signal takes %.2f times "
			"as long as a signal to the sender itself",
			segv / self);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);
	const char *words = "entry and return of the kernel twice, a frame for "
		"the handler with all registers";

	prediction->hardware = (struct range){ 2 * call.low, 2 * call.high };
	prediction->software = (struct range){ 200, 2000 };
	if (args->how == INSTALL) {
		words = "a system call, a structure copied in";
		prediction->hardware = call;
		prediction->software = (struct range){ 5, 200 };
	} else if (has_other(args)) {
		struct range change = basis_switch_ns(&basis);

		words = "six system calls, two switches, two frames for the "
			"handlers with all registers";
		prediction->hardware = (struct range){ 6 * call.low,
			6 * call.high };
		prediction->software = (struct range){ 400 + 2 * change.low,
			4000 + 3 * change.high };
		if (args->placement != PLACEMENT_SAME_CPU)
			prediction->hardware.high += 2 * facts_wake_ns(facts);
	}
	prediction_sum(prediction);
	basis_say(&basis, prediction, "%s", words);
}

const struct experiment probe_cpu_signal = {
	.name = "cpu.signal",
	.title = "Signal",
	.question = "What does a signal cost?",
	.method =
		"Self: a thread sends a signal to itself; the call returns "
		"after its handler. Thread and process: two tasks that wait in "
		"sigsuspend() send a signal to and fro. The time is that of "
		"the full round trip of two signals and two handlers, never "
		"half of it. The first round trip of a trial is not timed. "
		"Segv: a store to a read-only page faults again each time when "
		"its handler returns. The time begins in the handler of the "
		"first fault and ends in that of the last, so each operation "
		"is one return, one fault and one delivery. Install: "
		"sigaction(), which also returns the old handler. With self "
		"and segv each trial also times the call with signal 0, which "
		"sends nothing, and with segv a signal to itself. The handler "
		"is the signal without the call, and the fault is the time "
		"without the handler. Every handler counts: a count that "
		"differs from the number of signals makes the figure invalid, "
		"as do round trips on one processor without two switches. "
		"lat_sig catch of lmbench prints the handler, and lat_sig prot "
		"the fault without the handler.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops_least = 8 },
	.traits = TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_FAULTS | TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS |
		SENSITIVE_SCHEDULER | SENSITIVE_IDLE,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
