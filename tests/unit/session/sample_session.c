/* A session that uses most features. */
#include "sample_session.h"

#include <inttypes.h>

static const char hostile[] =
	"quote \" slash \\ [31m \xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7";
static const char hostile_note[] = "quote \" slash \\ tab \t line \n \xc3\xa4";

uint64_t sample_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Copies all bytes, so that padding between members can be compared too. */
static void sample_machine(struct machine *m)
{
	static const struct machine machine = {
		.hostname = "host",
		.kernel = "6.1.0-18-amd64",
		.kernel_version = "#1 SMP PREEMPT_DYNAMIC Debian",
		.architecture = "x86_64",
		.cpu = "Some \"CPU\" @ 2.70GHz",
		.vendor = "GenuineIntel",
		.family = 6,
		.model = 143,
		.stepping = 8,
		.microcode = "0x2b000461",
		.cpus = 2,
		.allowed = 1,
		.cores = 3,
		.packages = 4,
		.nodes = 5,
		.threads_per_core = 7,
		.memory_bytes = 25251045376.0,
		.page_bytes = 4096,
		.caches = { { "L1d", 49152, 2, 64, 12, 1 },
			{ "L2", 2097152, 2, 64, 16, 3 } },
		.cache_count = 2,
		.device = "Some \"Maker\" Laptop 14",
		.firmware = "Some \"Maker\" 1.2.3, 01/31/2024",
		.system = "Some Linux 12",
		.libc = "glibc 2.36",
		.build_id = "ed29be8338bb4143",
		.base_hz = 2.7e9,
		.least_hz = 400000000.5,
		.most_hz = 3.1e9,
		.memory = { 2, 2, true, 64, 2400, "DDR4", 17179869184.0,
			38.4e9 },
		.buses = "1 PCI root, 5 PCI devices",
		.disks = { { "nvme0n1", "Fast \\ 1", "nvme", "8.0 GT/s PCIe x4",
				   "none", 128035676160.0, 131072, false },
			{ "sda", "", "", "", "", 0, 0, true } },
		.disk_count = 2,
		.networks = { { "eth0", "e1000e", "8086:15b8",
			"2.5 GT/s PCIe x1", true, true, 1e9, 1500, false, false,
			0 } },
		.network_count = 1,
		.hypervisor = "KVM",
		.clocksource = "kvm-clock",
		.governor = "powersave",
		.mitigations = "spectre_v2: Mitigation; retbleed: Not affected",
		.command_line = "quiet mitigations=auto",
		.compiler = "gcc 12.2.0",
		.flags = "-O2 -fno-plt",
		.build = "Release",
		.invariant_counter = true,
		.page_table_isolation = true,
		.kernel_tick_hz = 2699999000.5,
		.cpuid_tick_hz = 2700000000,
	};

	memcpy(m, &machine, sizeof machine);
}

static void sample_prediction(struct prediction *p, enum predictor by)
{
	*p = (struct prediction){
		.set = true,
		.by = by,
		.locked_at = "2025-03-01T12:00:00+0100",
		.post_hoc = true,
		.in_cycles = by == BY_MODEL,
		.hardware = { 20, 40.25 },
		.software = { .1, .3 },
		.why = "two switches of mode",
	};
	prediction_sum(p);
}

static void sample_head(struct results *r)
{
	static const struct clock_facts clock = {
		.source = TICK_COUNTER,
		.hz = 2.7e9,
		.hz_error_ppm = .4,
		.quantum = 2,
		.overhead = 38.5,
		.jitter = 4,
		.residual = 1.5,
		.core_hz = 3.1e9,
		.multiply_cycles = 3,
		.cycles_trusted = true,
		.cycles_assumed = true,
		.canary_multiplies = 200,
		.canary_cycles = 400,
		.canary_kind = CANARY_ADDS,
		.canary_alone = 1.0625,
		.timer_hz = 250,
		.kernel_hz = 2.6999e9,
	};
	static const struct sharing sharing = { 1.3125, 1.03125, 1.5 };
	static const struct place_facts place = { 1, 0, true, false,
		{ SIBLING_FOUND, 0 }, .0625, "the quietest" };

	r->title = xstrdup("System call");
	r->state = RUN_DONE;
	r->stopped.reason = STOP_PRECISION;
	snprintf(r->started, sizeof r->started, "2025-03-01T12:00:00+0100");
	r->took_s = 4.25;
	r->seed = UINT64_MAX;
	r->asked = xstrdup("run cpu.syscall call=getppid,getuid");
	memcpy(&r->clock, &clock, sizeof clock);
	memcpy(&r->place, &place, sizeof place);
	memcpy(&r->sharing, &sharing, sizeof sharing);
	r->plan.launches = PARAM_AUTO;
	r->plan.trials = PARAM_AUTO;
	r->plan.precision = .01;
	r->plan.budget_ns = 10000000001;
	r->plan.clones = 2;
	r->plan.traits =
		TRAIT_COLD | TRAIT_NOISY | TRAIT_CAPTURE | TRAIT_THREADS;
}

static void sample_tables(struct results *r)
{
	static const char *const names[] = { "call", "via" };

	for (int i = 0; i < 2; i++) {
		ARRAY_GROW(r->param_names, r->param_count);
		r->param_names[r->param_count++] = xstrdup(names[i]);
	}
	results_add_metric(r, "time", "time a call", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results_add_metric(r, "pass", "second pass", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results_add_metric(r, "gain", "difference", UNIT_NS, NEITHER_IS_BETTER,
		METRIC_DERIVED, false);
	results_add_metric(r, "rate", "calls a second", UNIT_HZ, MORE_IS_BETTER,
		METRIC_DERIVED, true);
	results_add_metric(r, "depth", "", UNIT_NONE, MORE_IS_BETTER,
		METRIC_VALUE, false);
	r->metrics[4].steady = r->metrics[4].user_only = true;
	results_add_metric(r, "odd-name", "a trace", UNIT_BYTES,
		NEITHER_IS_BETTER, METRIC_TRACE, false);
}

enum { CANARY_EVERY = 2, CO_RUNNER_FROM = 8 }; /* the ninth canary */

static uint16_t sample_flags(unsigned i)
{
	unsigned canary = i / CANARY_EVERY;

	if (i < 2)
		return FLAG_WARMUP;
	if (i == 6)
		return FLAG_PREEMPTED | FLAG_FREQUENCY;
	if (canary + 1 == CO_RUNNER_FROM)
		return FLAG_MIXED;
	return canary < CO_RUNNER_FROM ? 0 : FLAG_SHARED;
}

static void sample_visit(struct results *r, struct point *point,
	unsigned launch, unsigned clone, unsigned trials, uint64_t *random)
{
	struct visit *visit = point_add_visit(r, point);
	size_t v = point->visit_count - 1;

	*visit = (struct visit){
		.launch = launch,
		.clone = clone,
		.canary_every = CANARY_EVERY,
		.canary_first = visit->canary_first,
		.trials = trials,
		.warmup = trials < 2 ? trials : 2,
		.unsteady = launch == 3,
	};
	for (unsigned i = 0; i < trials; i++) {
		for (unsigned m = 0; m < 2; m++) {
			struct series *series = &point->series[m];

			*(uint64_t *)column_add(&series->raw) =
				280 + sample_random(random) % 40;
			*(uint16_t *)column_add(&series->flags) =
				sample_flags(i);
			series->slices[v].count++;
		}
		if (i % CANARY_EVERY == 0) {
			*(struct canary *)column_add(&point->canary) =
				(struct canary){ .latency = 436 + i % 3,
					.throughput = i / CANARY_EVERY <
							CO_RUNNER_FROM ?
						450 + i :
						640 };
			visit->canary_count++;
		}
	}
	for (unsigned i = 0; i < 3; i++) {
		*(double *)column_add(&point->series[4].raw) =
			(double)sample_random(random) / 3e5;
		column_add(&point->series[4].flags);
		point->series[4].slices[v].count++;
		*(struct trace_point *)column_add(&point->series[5].trace) =
			(struct trace_point){ i, -1.5 * i, (uint32_t)v };
	}
}

static struct point *sample_point(struct results *r, const char *call)
{
	struct point *point = results_add_point(r);

	point->values[0] = xstrdup(call);
	point->values[1] = xstrdup("raw");
	point->series[0].ops = 50;
	point->series[1].ops = (uint64_t)1 << 60;
	point->series[2].derived = true;
	point->series[2].weight[0] = 1;
	point->series[2].weight[1] = -.1;
	point->series[3].derived = true;
	point->series[3].weight[0] = 1;
	return point;
}

struct results *sample_run(void)
{
	struct results *r = results_new("cpu.syscall");
	uint64_t random = 1;

	sample_head(r);
	sample_tables(r);
	results_warn(r, "%s", hostile);
	results_warn(r, "the lab shared the processor");
	finding_add(&r->findings, "plain", "nothing to see");
	finding_interval(finding_value(&r->findings, "per-argument", .37,
				 UNIT_CYCLES, "0.37 cycles an argument"),
		.3, .5);
	sample_prediction(&r->prediction, BY_USER);
	for (unsigned i = 0; i < 7; i++) {
		struct launch *launch = results_add_launch(r);

		*launch = (struct launch){ i + 1, UINT64_MAX - i, i * .7,
			38.5 + i / 8.0, 4, 400.25, i != 6 };
	}
	struct point *point = sample_point(r, "getppid");
	point->trial_ns = 5210.5;
	sample_prediction(&point->model, BY_MODEL);
	point_add_note(point, "vdso", "no");
	point_add_note(point, hostile, hostile);
	for (unsigned l = 0; l < 7; l++)
		for (unsigned clone = 0; clone < 2; clone++)
			sample_visit(r, point, l, clone, 24 - clone, &random);
	uint64_t *ticks = point->series[0].raw.data;
	uint16_t *flags = point->series[0].flags.data;
	ticks[5] = (uint64_t)-7;
	flags[5] = FLAG_BACKWARDS;
	point = sample_point(r, "statx");
	point->state = POINT_UNAVAILABLE;
	point->why = xstrdup("statx: not in this kernel");
	point->series[3].derived = false;
	point->series[3].weight[0] = 0;
	point = sample_point(r, "getuid");
	point->state = POINT_INVALID;
	point->why = xstrdup("returned 7");
	sample_visit(r, point, 2, 0, 1, &random);
	finding_interval(finding_cell(&r->findings, r, point, "added", 4.5,
				 UNIT_HZ),
		4, 5);
	sharing_rejudge(r);
	return r;
}

void sample_possible(struct results *r)
{
	snprintf(r->started, sizeof r->started, "2025-03-01T12:00:00+0100");
	r->plan.launches = PARAM_AUTO;
	r->plan.trials = PARAM_AUTO;
	r->clock.hz = 1e9;
	r->clock.quantum = 1;
}

static struct results *sample_failed_run(void)
{
	struct results *r = results_new("mem.latency");

	r->state = RUN_FAILED;
	snprintf(r->started, sizeof r->started, "2025-03-01T12:01:00-0330");
	r->error = xstrdup(hostile);
	r->recovered = true;
	r->clock.source = TICK_MONOTONIC_RAW;
	snprintf(r->clock.why, sizeof r->clock.why, "the counter stops");
	r->plan.launches = 10;
	r->plan.trials = 200;
	r->plan.fifo = true;
	return r;
}

struct session *sample_session(void)
{
	static struct doctor_row rows[] = {
		{ .check = "frequency",
			.verdict = DOCTOR_BAD,
			.found = "powersave" },
		{ .check = "load", .verdict = DOCTOR_OK, .found = "" },
	};
	struct doctor doctor = { rows, 2 };
	struct session *session = session_new();

	sample_machine(&session->machine);
	session_set_checks(session, &doctor);
	session_add_note(session, hostile_note);
	session_add_note(session, "");
	for (size_t i = 0; i < session->note_count; i++) {
		free(session->notes[i].at);
		session->notes[i].at = xstrdup("2025-03-01T12:34:56+0100");
	}
	session_add_run(session, sample_run());
	session_add_run(session, sample_failed_run());
	return session;
}

struct text written(const struct session *session)
{
	struct text text = { 0 };

	session_write(session, &text);
	return text;
}

struct session *read_text(const struct text *text)
{
	struct error error = { .message = "" };
	struct session *session =
		session_read(text->chars, text->length, "x.json", &error);

	assert_string_equal(error.message, "");
	assert_non_null(session);
	return session;
}
