/* The members of each object of a session, in the order of the file. */
#include "session_internal.h"

/* Macros for the columns of a row after its name. */
#define CHARS(type, member)                          \
	&kind_chars, FIELD_OF(type, member, char *), \
		sizeof(((type *)0)->member), NULL
#define FILLED(type, member)                          \
	&kind_filled, FIELD_OF(type, member, char *), \
		sizeof(((type *)0)->member), NULL
#define FIELD(kind, type, member, ctype) \
	&kind_##kind, FIELD_OF(type, member, ctype), 0, NULL
#define WORDS(kind, type, member, ctype, list) \
	&kind_##kind, FIELD_OF(type, member, ctype), 0, list
#define END                            \
	{                              \
		NULL, NULL, 0, 0, NULL \
	}

#define NUMBER(type, member) FIELD(number, type, member, double)
#define COUNT(type, member)  FIELD(unsigned, type, member, unsigned)
#define BOOL(type, member)   FIELD(bool, type, member, bool)
#define TEXT(type, member)   FIELD(string, type, member, char *)
/* Not written if unknown: members added in a later minor version. */
#define KNOWN(type, member)   FIELD(known, type, member, double)
#define COUNTED(type, member) FIELD(counted, type, member, unsigned)
#define MARK(type, member)    FIELD(mark, type, member, bool)

const char *const session_quantiles[] = { "p1", "p5", "p25", "p50", "p75",
	"p90", "p95", "p99", "p99.9", NULL };

static const char *const sources[] = {
	[TICK_COUNTER] = "counter",
	[TICK_MONOTONIC_RAW] = "monotonic-raw",
	NULL,
};
static const char *const run_states[] = {
	[RUN_GOING] = "going",
	[RUN_DONE] = "done",
	[RUN_STOPPED] = "stopped",
	[RUN_FAILED] = "failed",
	NULL,
};
static const char *const point_states[] = {
	[POINT_OK] = "ok",
	[POINT_UNAVAILABLE] = "unavailable",
	[POINT_INVALID] = "invalid",
	NULL,
};
static const char *const directions[] = {
	[LESS_IS_BETTER] = "less",
	[MORE_IS_BETTER] = "more",
	[NEITHER_IS_BETTER] = "neither",
	NULL,
};
static const char *const kinds[] = {
	[METRIC_TIMED] = "timed",
	[METRIC_VALUE] = "value",
	[METRIC_DERIVED] = "derived",
	[METRIC_TRACE] = "trace",
	NULL,
};
static const char *const figures[] = { "mean", "median", "min", "max", "value",
	NULL };
static const char *const canaries[] = {
	[CANARY_LOOP] = "loop",
	[CANARY_ADDS] = "adds",
	[CANARY_NOPS] = "nops",
	NULL,
};
static const char *const priorities[] = { "normal", "fifo", NULL };
/* In the order of the bits. */
static const char *const traits[] = { "cold", "blocks", "faults", "parties",
	"noisy", "peer", "capture", "threads", NULL };

/* clang-format off */
const struct field session_machine[] = {
	{ "hostname", CHARS(struct machine, hostname) },
	{ "kernel", CHARS(struct machine, kernel) },
	{ "kernel_version", CHARS(struct machine, kernel_version) },
	{ "architecture", CHARS(struct machine, architecture) },
	{ "cpu", CHARS(struct machine, cpu) },
	{ "vendor", CHARS(struct machine, vendor) },
	{ "family", COUNT(struct machine, family) },
	{ "model", COUNT(struct machine, model) },
	{ "stepping", COUNT(struct machine, stepping) },
	{ "microcode", CHARS(struct machine, microcode) },
	{ "cpus", COUNT(struct machine, cpus) },
	{ "allowed", COUNT(struct machine, allowed) },
	{ "cores", COUNT(struct machine, cores) },
	{ "packages", COUNT(struct machine, packages) },
	{ "nodes", COUNT(struct machine, nodes) },
	{ "threads_per_core", COUNT(struct machine, threads_per_core) },
	{ "memory_bytes", NUMBER(struct machine, memory_bytes) },
	{ "page_bytes", NUMBER(struct machine, page_bytes) },
	{ "memory_peak", KNOWN(struct machine, memory.peak_bytes_per_s) },
	{ "memory_type", FILLED(struct machine, memory.type) },
	{ "memory_modules", COUNTED(struct machine, memory.modules) },
	{ "memory_channels", COUNTED(struct machine, memory.channels) },
	{ "memory_channels_told", MARK(struct machine,
		memory.channels_told) },
	{ "memory_width_bits", COUNTED(struct machine, memory.width_bits) },
	{ "memory_speed_mts", COUNTED(struct machine, memory.speed_mts) },
	{ "memory_modules_bytes", KNOWN(struct machine, memory.size_bytes) },
	{ "device", FILLED(struct machine, device) },
	{ "firmware", FILLED(struct machine, firmware) },
	{ "system", FILLED(struct machine, system) },
	{ "libc", FILLED(struct machine, libc) },
	{ "base_hz", KNOWN(struct machine, base_hz) },
	{ "least_hz", KNOWN(struct machine, least_hz) },
	{ "most_hz", KNOWN(struct machine, most_hz) },
	{ "buses", FILLED(struct machine, buses) },
	{ "smt_siblings", FILLED(struct machine, siblings) },
	{ "hypervisor", CHARS(struct machine, hypervisor) },
	{ "clocksource", CHARS(struct machine, clocksource) },
	{ "governor", CHARS(struct machine, governor) },
	{ "mitigations", CHARS(struct machine, mitigations) },
	{ "command_line", CHARS(struct machine, command_line) },
	{ "compiler", CHARS(struct machine, compiler) },
	{ "flags", CHARS(struct machine, flags) },
	{ "build", CHARS(struct machine, build) },
	{ "build_id", FILLED(struct machine, build_id) },
	{ "invariant_counter", BOOL(struct machine, invariant_counter) },
	{ "page_table_isolation", BOOL(struct machine, page_table_isolation) },
	{ "kernel_tick_hz", NUMBER(struct machine, kernel_tick_hz) },
	{ "cpuid_tick_hz", NUMBER(struct machine, cpuid_tick_hz) },
	END,
};

const struct field session_cache[] = {
	{ "name", CHARS(struct machine_cache, name) },
	{ "size_bytes", NUMBER(struct machine_cache, size_bytes) },
	{ "count", COUNT(struct machine_cache, count) },
	{ "line_bytes", COUNT(struct machine_cache, line_bytes) },
	{ "ways", COUNT(struct machine_cache, ways) },
	{ "shared_by", COUNT(struct machine_cache, shared_by) },
	END,
};

const struct field session_disk[] = {
	{ "name", CHARS(struct machine_disk, name) },
	{ "model", FILLED(struct machine_disk, model) },
	{ "bus", FILLED(struct machine_disk, bus) },
	{ "link", FILLED(struct machine_disk, link) },
	{ "scheduler", FILLED(struct machine_disk, scheduler) },
	{ "size_bytes", KNOWN(struct machine_disk, size_bytes) },
	{ "ahead_bytes", KNOWN(struct machine_disk, ahead_bytes) },
	{ "rotational", BOOL(struct machine_disk, rotational) },
	END,
};

const struct field session_network[] = {
	{ "name", CHARS(struct machine_network, name) },
	{ "driver", FILLED(struct machine_network, driver) },
	{ "device", FILLED(struct machine_network, device) },
	{ "link", FILLED(struct machine_network, link) },
	{ "wireless", BOOL(struct machine_network, wireless) },
	{ "up", BOOL(struct machine_network, up) },
	{ "speed_bit_s", KNOWN(struct machine_network, speed_bit_s) },
	{ "mtu", COUNTED(struct machine_network, mtu) },
	{ "coalescing_told", MARK(struct machine_network, coalescing_told) },
	{ "coalesces_us", COUNTED(struct machine_network, coalesces_us) },
	{ "coalesces_adaptively", MARK(struct machine_network,
		coalesces_adaptively) },
	END,
};

const struct field session_check[] = {
	{ "check", TEXT(struct session_check, check) },
	{ "verdict", TEXT(struct session_check, verdict) },
	{ "found", TEXT(struct session_check, found) },
	END,
};

const struct field session_note[] = {
	{ "at", TEXT(struct session_note, at) },
	{ "text", FIELD(prose, struct session_note, text, char *) },
	END,
};

const struct field session_run[] = {
	{ "experiment", TEXT(struct results, experiment) },
	{ "title", FIELD(optional, struct results, title, char *) },
	{ "command", FIELD(optional, struct results, asked, char *) },
	{ "started", CHARS(struct results, started) },
	{ "took_s", NUMBER(struct results, took_s) },
	{ "state", WORDS(word, struct results, state, enum run_state,
		run_states) },
	{ "stopped", FIELD(stop, struct results, stopped, struct stop) },
	{ "error", FIELD(optional, struct results, error, char *) },
	{ "seed", FIELD(seed, struct results, seed, uint64_t) },
	{ "recovered", BOOL(struct results, recovered) },
	{ "figures_only", MARK(struct results, figures_only) },
	END,
};

const struct field session_clock[] = {
	{ "source", WORDS(word, struct clock_facts, source, enum tick_source,
		sources) },
	{ "why", CHARS(struct clock_facts, why) },
	{ "hz", NUMBER(struct clock_facts, hz) },
	{ "hz_error_ppm", NUMBER(struct clock_facts, hz_error_ppm) },
	{ "quantum", NUMBER(struct clock_facts, quantum) },
	{ "overhead", NUMBER(struct clock_facts, overhead) },
	{ "jitter", NUMBER(struct clock_facts, jitter) },
	{ "residual", NUMBER(struct clock_facts, residual) },
	{ "core_hz", NUMBER(struct clock_facts, core_hz) },
	{ "multiply_cycles", NUMBER(struct clock_facts, multiply_cycles) },
	{ "cycles_trusted", BOOL(struct clock_facts, cycles_trusted) },
	{ "canary_multiplies", COUNT(struct clock_facts, canary_multiplies) },
	{ "canary_cycles", NUMBER(struct clock_facts, canary_cycles) },
	{ "cycles_assumed", MARK(struct clock_facts, cycles_assumed) },
	{ "timer_hz", NUMBER(struct clock_facts, timer_hz) },
	{ "kernel_hz", NUMBER(struct clock_facts, kernel_hz) },
	END,
};

const struct field session_sharing[] = {
	{ "canary", WORDS(word, struct results, clock.canary_kind,
		enum canary_kind, canaries) },
	{ "known_alone", NUMBER(struct results, clock.canary_alone) },
	{ "cut", NUMBER(struct results, sharing.cut) },
	{ "alone", NUMBER(struct results, sharing.alone) },
	{ "shared", NUMBER(struct results, sharing.shared) },
	END,
};

const struct field session_place[] = {
	{ "cpu", FIELD(cpu, struct place_facts, cpu, int) },
	{ "second", FIELD(cpu, struct place_facts, second, int) },
	{ "lab_shares", BOOL(struct place_facts, lab_shares) },
	{ "lab_beside", MARK(struct place_facts, lab_beside) },
	{ "sibling", FIELD(sibling, struct place_facts, sibling,
		struct sibling) },
	{ "others", KNOWN(struct place_facts, others) },
	{ "why", CHARS(struct place_facts, why) },
	END,
};

const struct field session_plan[] = {
	{ "launches", FIELD(auto, struct results, plan.launches, int64_t) },
	{ "trials", FIELD(auto, struct results, plan.trials, int64_t) },
	{ "precision", NUMBER(struct results, plan.precision) },
	{ "budget_s", FIELD(seconds, struct results, plan.budget_ns, int64_t) },
	{ "priority", WORDS(bool, struct results, plan.fifo, bool,
		priorities) },
	{ "clones", COUNT(struct results, plan.clones) },
	{ "traits", WORDS(set, struct results, plan.traits, unsigned,
		traits) },
	{ "abba", FIELD(mark, struct results, plan.abba, bool) },
	{ "paired", FIELD(mark, struct results, plan.paired, bool) },
	END,
};

const struct field session_prediction[] = {
	{ "by", WORDS(word, struct prediction, by, enum predictor,
		predictor_names) },
	{ "locked_at", CHARS(struct prediction, locked_at) },
	{ "post_hoc", BOOL(struct prediction, post_hoc) },
	{ "in_cycles", MARK(struct prediction, in_cycles) },
	{ "hardware", FIELD(range, struct prediction, hardware, struct range) },
	{ "software", FIELD(range, struct prediction, software, struct range) },
	{ "total", FIELD(range, struct prediction, total, struct range) },
	{ "why", CHARS(struct prediction, why) },
	END,
};

const struct field session_finding[] = {
	{ "name", TEXT(struct finding, name) },
	{ "sentence", TEXT(struct finding, sentence) },
	END,
};

/* Written after the finding's value and interval, which may be missing. */
const struct field session_finding_unit[] = {
	{ "unit", FIELD(unit, struct finding, unit, enum unit) },
	{ "uncertain", MARK(struct finding, uncertain) },
	END,
};

const struct field session_metric[] = {
	{ "name", TEXT(struct metric_info, name) },
	{ "label", TEXT(struct metric_info, label) },
	{ "unit", FIELD(unit, struct metric_info, unit, enum unit) },
	{ "better", WORDS(word, struct metric_info, better, enum direction,
		directions) },
	{ "kind", WORDS(word, struct metric_info, kind, enum metric_kind,
		kinds) },
	{ "rate", BOOL(struct metric_info, rate) },
	{ "steady", MARK(struct metric_info, steady) },
	{ "user_only", MARK(struct metric_info, user_only) },
	END,
};

const struct field session_launch[] = {
	{ "number", COUNT(struct launch, number) },
	{ "seed", FIELD(seed, struct launch, seed, uint64_t) },
	{ "at_s", NUMBER(struct launch, at_s) },
	{ "overhead", NUMBER(struct launch, overhead) },
	{ "jitter", NUMBER(struct launch, jitter) },
	{ "canary", NUMBER(struct launch, canary) },
	{ "complete", BOOL(struct launch, complete) },
	END,
};

const struct field session_point[] = {
	{ "state", WORDS(word, struct point, state, enum point_state,
		point_states) },
	{ "why", FIELD(optional, struct point, why, char *) },
	{ "trial_ns", NUMBER(struct point, trial_ns) },
	END,
};

const struct field session_published[] = {
	{ "figure", WORDS(word, struct published, figure,
		enum published_figure, figures) },
	{ "value", NUMBER(struct published, value) },
	{ "sd_within", NUMBER(struct published, sd_within) },
	{ "sd_between", NUMBER(struct published, sd_between) },
	{ "min", NUMBER(struct published, min) },
	{ "max", NUMBER(struct published, max) },
	{ "max_deviation", NUMBER(struct published, max_deviation) },
	{ "printed", TEXT(struct published, printed) },
	{ "source", TEXT(struct published, source) },
	END,
};

const struct field session_visit[] = {
	{ "launch", COUNT(struct visit, launch) },
	{ "clone", COUNT(struct visit, clone) },
	{ "trials", COUNT(struct visit, trials) },
	{ "warmup", COUNT(struct visit, warmup) },
	{ "unsteady", BOOL(struct visit, unsteady) },
	{ "canary_every", COUNT(struct visit, canary_every) },
	END,
};
/* clang-format on */
