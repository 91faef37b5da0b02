/* What does entering the kernel cost? */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "basis.h"
#include "digest.h"
#include "highlight.h"
#include "probe.h"
#include "results.h"

enum call {
	GETPPID,
	GETPID,
	TIMES,
	GETCWD,
	TIME,
	CLOCK_GETTIME,
	GETTIMEOFDAY,
	ENOSYS_CALL,
	READ,
	WRITE,
	STAT,
	FSTAT,
	OPEN_CLOSE,
	CALLS,
};
enum via { RAW, LIBC };

static const char *const calls[] = {
	[GETPPID] = "getppid",
	[GETPID] = "getpid",
	[TIMES] = "times",
	[GETCWD] = "getcwd",
	[TIME] = "time",
	[CLOCK_GETTIME] = "clock-gettime",
	[GETTIMEOFDAY] = "gettimeofday",
	[ENOSYS_CALL] = "enosys",
	[READ] = "read",
	[WRITE] = "write",
	[STAT] = "stat",
	[FSTAT] = "fstat",
	[OPEN_CLOSE] = "open-close",
	[CALLS] = NULL,
};
static const char *const vias[] = { "raw", "libc", NULL };

struct args {
	int call;
	int via;
};

static const struct param params[] = {
	{ .name = "call",
		.label = "system call",
		.help = "enosys is a number that no kernel implements",
		.preset = "getppid",
		CHOICE_FIELD(struct args, call),
		.choices = calls },
	{ .name = "via",
		.label = "entered via",
		.help = "the bare instruction, or the C library, which may use "
			"the vDSO instead",
		.preset = "raw",
		CHOICE_FIELD(struct args, via),
		.choices = vias },
	{ .name = NULL },
};

enum { TIME_PER_CALL };
static const struct metric metrics[] = {
	{ .name = "time", .label = "time per call", .unit = UNIT_NS },
	{ .name = NULL },
};

/* Everything that a call needs, so that the loop contains only the call. */
struct state {
	void (*loop)(struct state *, uint64_t ops);
	int zero, null;
	char path[PATH_MAX];
	struct stat is;
	struct timespec now;
	struct timeval tv;
	struct tms tms;
	char byte;
};

#if defined(__x86_64__)

static inline long raw(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

static inline long raw(long number, long a, long b, long c)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2)
			 : "memory");
	return x0;
}

#endif

/* A loop for each call and way, so that no switch statement is timed. */
#define LOOP(name, call)                                  \
	static void name(struct state *s, uint64_t ops)   \
	{                                                 \
		(void)s;                                  \
		for (; ops; ops--) {                      \
			__typeof__(call) result = (call); \
			probe_opaque(result);             \
		}                                         \
	}

#define ADDRESS(object) ((long)(object))

LOOP(raw_getppid, raw(SYS_getppid, 0, 0, 0))
LOOP(raw_getpid, raw(SYS_getpid, 0, 0, 0))
LOOP(raw_times, raw(SYS_times, ADDRESS(&s->tms), 0, 0))
LOOP(raw_getcwd, raw(SYS_getcwd, ADDRESS(s->path), sizeof s->path, 0))
LOOP(raw_clock_gettime,
	raw(SYS_clock_gettime, CLOCK_MONOTONIC, ADDRESS(&s->now), 0))
LOOP(raw_gettimeofday, raw(SYS_gettimeofday, ADDRESS(&s->tv), 0, 0))
LOOP(raw_enosys, raw(0x7fff, 0, 0, 0))
LOOP(raw_read, raw(SYS_read, s->zero, ADDRESS(&s->byte), 1))
LOOP(raw_write, raw(SYS_write, s->null, ADDRESS(&s->byte), 1))
LOOP(raw_fstat, raw(SYS_fstat, s->null, ADDRESS(&s->is), 0))
#ifdef SYS_time
LOOP(raw_time, raw(SYS_time, 0, 0, 0))
#endif
#ifdef SYS_stat
LOOP(raw_stat, raw(SYS_stat, ADDRESS("/"), ADDRESS(&s->is), 0))
#endif

static inline long raw_open_close_once(void)
{
	/* Three arguments suffice: the fourth is only for O_CREAT. */
	long fd = raw(SYS_openat, AT_FDCWD, ADDRESS("/dev/null"), O_RDONLY);

	return raw(SYS_close, fd, 0, 0);
}

LOOP(raw_open_close, raw_open_close_once())
LOOP(libc_getppid, getppid())
LOOP(libc_getpid, getpid())
LOOP(libc_times, times(&s->tms))
LOOP(libc_getcwd, getcwd(s->path, sizeof s->path))
LOOP(libc_time, time(NULL))
LOOP(libc_clock_gettime, clock_gettime(CLOCK_MONOTONIC, &s->now))
LOOP(libc_gettimeofday, gettimeofday(&s->tv, NULL))
LOOP(libc_enosys, syscall(0x7fff))
LOOP(libc_read, read(s->zero, &s->byte, 1))
LOOP(libc_write, write(s->null, &s->byte, 1))
LOOP(libc_stat, stat("/", &s->is))
LOOP(libc_fstat, fstat(s->null, &s->is))
LOOP(libc_open_close, close(open("/dev/null", O_RDONLY)))

static void (*const loops[CALLS][2])(struct state *, uint64_t ops) = {
	[GETPPID] = { raw_getppid, libc_getppid },
	[GETPID] = { raw_getpid, libc_getpid },
	[TIMES] = { raw_times, libc_times },
	[GETCWD] = { raw_getcwd, libc_getcwd },
	[CLOCK_GETTIME] = { raw_clock_gettime, libc_clock_gettime },
	[GETTIMEOFDAY] = { raw_gettimeofday, libc_gettimeofday },
	[ENOSYS_CALL] = { raw_enosys, libc_enosys },
	[READ] = { raw_read, libc_read },
	[WRITE] = { raw_write, libc_write },
	[FSTAT] = { raw_fstat, libc_fstat },
	[OPEN_CLOSE] = { raw_open_close, libc_open_close },
#ifdef SYS_time
	[TIME] = { raw_time, libc_time },
#else
	[TIME] = { NULL, libc_time },
#endif
#ifdef SYS_stat
	[STAT] = { raw_stat, libc_stat },
#else
	[STAT] = { NULL, libc_stat },
#endif
};

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct state *state = calloc(1, sizeof *state);

	if (!state)
		return probe_fail(probe, "no memory");
	probe->state = state;
	state->loop = loops[args->call][args->via];
	if (!state->loop)
		return probe_unavailable(probe,
			"this architecture has no system call '%s'",
			calls[args->call]);
	state->zero = open("/dev/zero", O_RDONLY);
	state->null = open("/dev/null", O_RDWR);
	if (state->zero < 0 || state->null < 0)
		return probe_fail(probe, "cannot open /dev/zero, /dev/null: %s",
			strerror(errno));
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	struct state *state = probe->state;
	void (*loop)(struct state *, uint64_t) = state->loop;

	probe_start(probe);
	loop(state, ops);
	probe_stop(probe, TIME_PER_CALL, ops);
}

static void cleanup(struct probe *probe)
{
	struct state *state = probe->state;

	close(state->zero);
	close(state->null);
	free(state);
}

/* ---- findings --------------------------------------------------------- */

static bool median_ns(const struct results *results, const char *where,
	double *median)
{
	return results_median(results, results_where(results, where),
		TIME_PER_CALL, median);
}

/* Compares the same query with and without entry to the kernel. */
static void find_vdso(const struct results *results, struct findings *findings)
{
	static const char *const in_vdso[] = { "clock-gettime", "gettimeofday",
		"time" };
	double inside, outside;

	for (size_t i = 0; i < sizeof in_vdso / sizeof *in_vdso; i++) {
		struct text kernel = { 0 }, library = { 0 };

		text_add(&kernel, "call=%s via=raw", in_vdso[i]);
		text_add(&library, "call=%s via=libc", in_vdso[i]);
		if (median_ns(results, text_chars(&kernel), &inside) &&
			median_ns(results, text_chars(&library), &outside) &&
			outside > 0)
			finding_value(findings, "over-vdso", inside / outside,
				UNIT_NONE,
				"%s through the kernel takes %.1f times as "
				"long as through the vDSO",
				in_vdso[i], inside / outside);
		text_free(&kernel);
		text_free(&library);
	}
}

static void find_ratio_to_call(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	struct range call;
	double ns;

	if (!median_ns(results, NULL, &ns) ||
		!facts_measured(facts, QUANTITY_PROCEDURE_CALL, NULL, &call) ||
		call.low + call.high <= 0)
		return;
	double ratio = 2 * ns / (call.low + call.high);
	finding_value(findings, "over-call", ratio, UNIT_NONE,
		"one system call (%s) takes as long as %.0f procedure calls",
		results->points[0].values[0], ratio);
}

/* Extracts the names from "retbleed: Enhanced IBRS; mds: Vulnerable; ..": the
 * words before colons, of vulnerabilities that are mitigated or `open`. */
static void name_faults(const char *at, bool open, struct text *names)
{
	static const char spelling[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	static const char vulnerable[] = ": Vulnerable";

	while (at && *at) {
		size_t length = strspn(at, spelling);
		bool is_open = !strncmp(at + length, vulnerable,
			sizeof vulnerable - 1);

		if (length && at[length] == ':' && is_open == open)
			text_add(names, "%s%.*s", names->length ? ", " : "",
				(int)length, at);
		at += strcspn(at, ";");
		at += strspn(at, "; ");
	}
}

static void find_mitigations(const struct facts *facts,
	struct findings *findings)
{
	struct text round = { 0 }, open = { 0 };

	name_faults(facts->mitigations, false, &round);
	name_faults(facts->mitigations, true, &open);
	if (round.length)
		finding_add(findings, "mitigations",
			"the kernel mitigates these processor vulnerabilities, "
			"some at every entry: %s",
			round.chars);
	if (open.length)
		finding_add(findings, "open-faults",
			"the kernel does not mitigate: %s",
			open.chars);
	text_free(&round);
	text_free(&open);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_ratio_to_call(results, facts, findings);
	find_vdso(results, findings);
	find_mitigations(facts, findings);
}

/* Cycles of the kernel's own work, without entry and exit. The ranges are wide
 * on purpose, like a person's estimate. */
static const struct range work_cycles[CALLS] = {
	[GETPPID] = { 30, 200 },
	[GETPID] = { 30, 150 },
	[TIMES] = { 100, 400 },
	[GETCWD] = { 200, 1000 },
	[TIME] = { 30, 150 },
	[CLOCK_GETTIME] = { 80, 300 },
	[GETTIMEOFDAY] = { 80, 300 },
	[ENOSYS_CALL] = { 10, 150 },
	[READ] = { 150, 600 },
	[WRITE] = { 100, 500 },
	[STAT] = { 500, 2000 },
	[FSTAT] = { 150, 700 },
	[OPEN_CLOSE] = { 1500, 6000 },
};

static bool answered_outside(const struct args *args)
{
	return args->via == LIBC &&
		(args->call == TIME || args->call == CLOCK_GETTIME ||
			args->call == GETTIMEOFDAY);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct range work = work_cycles[args->call];
	struct range entry = { 70, 200 };
	struct basis basis = { .facts = facts };

	if (facts->page_table_isolation) {
		entry.low += 200;
		entry.high += 400;
	}
	if (answered_outside(args)) {
		entry = (struct range){ 10, 50 };
		work = (struct range){ 0, 80 };
	}
	prediction->in_cycles = true;
	prediction->hardware = entry;
	prediction->software = work;
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"entry and exit %.0f to %.0f cycles%s, kernel work %.0f to "
		"%.0f cycles",
		entry.low, entry.high,
		facts->page_table_isolation ? " (page tables isolated)" : "",
		work.low, work.high);
}

const struct experiment probe_cpu_syscall = {
	.name = "cpu.syscall",
	.title = "System call",
	.question = "What does entering the kernel cost?",
	.method =
		"A loop repeats the call alone; its length makes a trial of "
		"about five microseconds, which is timed as a whole. getppid "
		"does almost nothing in the kernel, so it shows the cost of "
		"entry and exit. enosys is refused right after the entry. The "
		"other calls show what common work adds. With via=raw the bare "
		"instruction is used. With via=libc the C library is used; it "
		"answers time, clock-gettime and gettimeofday from the vDSO, "
		"without entering the kernel. read reads one byte of "
		"/dev/zero, write writes one byte to /dev/null, stat queries "
		"'/', open-close opens and closes /dev/null.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.setup = setup,
	.traits = TRAIT_PAIRS | TRAIT_FIRST,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS,
	PROVIDES({ QUANTITY_SYSTEM_CALL, "time", "call=getppid" }),
	.noise = "call=getppid",
	HIGHLIGHTS({ "system call", "time", "call=getppid" }),
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
