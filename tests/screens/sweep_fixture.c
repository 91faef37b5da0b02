/* A lab of constant sweeps. */
#include "sweep_fixture.h"

#include <math.h>

#include "memo.h"

static const char *const swept_orders[] = { "local", "random", NULL };

static const char *const swept_calls[] = { "getppid", "read", "stat",
	"open-close", NULL };
static const char *const swept_vias[] = { "raw", "libc", NULL };

#define SWEPT_SIZE                                                             \
	{                                                                      \
		.name = "size", .label = "array size", .help = "of the array", \
		.preset = "4K", WHOLE_FIELD(struct swept_args, size_bytes),    \
		.unit = UNIT_BYTES, .min = 1, .max = 1 << 30                   \
	}

const struct param latency_params[] = {
	SWEPT_SIZE,
	{ .name = "order",
		.label = "order",
		.help = "of the walk",
		.preset = "local",
		CHOICE_FIELD(struct swept_args, choice),
		.choices = swept_orders },
	{ .name = NULL },
};

static const struct param mountain_params[] = {
	SWEPT_SIZE,
	{ .name = "stride",
		.label = "stride",
		.help = "from one read to the next",
		.preset = "64",
		WHOLE_FIELD(struct swept_args, stride_bytes),
		.unit = UNIT_BYTES,
		.min = 8,
		.max = 4096 },
	{ .name = NULL },
};

static const struct param call_params[] = {
	{ .name = "call",
		.label = "call",
		.help = "what is asked",
		.preset = "getppid",
		CHOICE_FIELD(struct swept_args, choice),
		.choices = swept_calls },
	{ .name = "via",
		.label = "via",
		.help = "how it is asked",
		.preset = "raw",
		CHOICE_FIELD(struct swept_args, other),
		.choices = swept_vias },
	{ .name = NULL },
};

static const struct metric load_metrics[] = {
	{ .name = "load", .label = "time per load", .unit = UNIT_NS },
	{ .name = NULL },
};

static const struct metric fault_metrics[] = {
	{ .name = "fault", .label = "time per fault", .unit = UNIT_NS },
	{ .name = "each",
		.label = "each touch in order",
		.unit = UNIT_NS,
		.kind = METRIC_TRACE,
		.across = "touch",
		.across_unit = UNIT_COUNT },
	{ .name = NULL },
};

SWEPT_EXPERIMENT(swept_syscall, "cpu.syscall", "System call", call_params,
	load_metrics, .sensitive_to = SENSITIVE_KERNEL);

SWEPT_EXPERIMENT(swept_fault, "mem.fault", "Page fault", latency_params,
	fault_metrics, .sensitive_to = SENSITIVE_KERNEL);

static SWEPT_EXPERIMENT(swept_hierarchy, "mem.hierarchy", "Cache hierarchy",
	latency_params, load_metrics,
	PROVIDES({ QUANTITY_CACHE_SIZES, NULL, NULL }));

SWEPT_EXPERIMENT(swept_latency, "mem.latency", "Memory latency", latency_params,
	load_metrics, PROVIDES({ QUANTITY_LOCAL_LOAD, "load", "order=local" }));

SWEPT_EXPERIMENT(swept_mountain, "mem.mountain", "Memory mountain",
	mountain_params, load_metrics, .sensitive_to = SENSITIVE_MEMORY);

static const struct experiment *const swept_list[] = { &swept_syscall,
	&swept_fault, &swept_hierarchy, &swept_latency, &swept_mountain, NULL };

/* Of a hundred trials, `part` have a co-runner. SWEPT_SHARED: all have one;
 * SWEPT_EXCLUDED: all were preempted. */
enum { SWEPT_SHARED = 100, SWEPT_EXCLUDED };

static unsigned swept_flags(unsigned number, unsigned part)
{
	if (part == SWEPT_EXCLUDED)
		return FLAG_PREEMPTED;
	return fixture_noise(number + 31) % 100 < part ? FLAG_SHARED : 0;
}

void swept_fill(struct results *results, struct point *point, double ns,
	unsigned part)
{
	for (unsigned launch = 0; launch < SWEPT_LAUNCHES; launch++) {
		struct visit *visit = point_add_visit(results, point);
		struct series *series = &point->series[0];

		visit->launch = launch;
		visit->trials = SWEPT_TRIALS;
		fixture_canaries(point, visit);
		series->ops = SWEPT_OPS;
		for (unsigned i = 0; i < SWEPT_TRIALS; i++) {
			unsigned number = launch * SWEPT_TRIALS + i;
			double more = fixture_noise(number) / 25600. +
				fixture_noise(launch + 7) / 51200.;

			*(uint64_t *)column_add(&series->raw) = 40 +
				2 *
					(uint64_t)llround(
						ns * SWEPT_OPS * (1 + more));
			*(uint16_t *)column_add(&series->flags) =
				(uint16_t)swept_flags(number, part);
			series->slices[launch].count++;
		}
	}
}

struct results *swept_results(const struct experiment *experiment)
{
	static const char *const none[] = { NULL };
	struct results *results = fixture_results(experiment, none, 0);

	results->launch_count = SWEPT_LAUNCHES;
	results->prediction.set = false;
	return results;
}

struct point *swept_point(struct results *results, const char *first,
	const char *second)
{
	struct point *point = results_add_point(results);

	point->values[0] = xstrdup(first);
	point->values[1] = xstrdup(second);
	return point;
}

/* ---- memory ----------------------------------------------------------- */

static const struct {
	const char *name;
	double bytes, ns;
} swept_levels[] = { { "L1d", 32 << 10, .95 }, { "L2", 1 << 20, 2.7 },
	{ "L3", 32 << 20, 11.8 }, { "memory", INFINITY, 92 } };

double swept_ns(double bytes, bool random)
{
	double ns = swept_levels[0].ns;

	for (int i = 0; i < 3; i++) {
		double over = log2(bytes / swept_levels[i].bytes);
		double share = fmin(fmax(over * 2 + .5, 0), 1);
		double most =
			swept_levels[i + 1].ns * (random && i == 2 ? 1.6 : 1);

		ns += share * (most - swept_levels[i].ns);
	}
	return ns;
}

static const char *swept_level(double bytes)
{
	int i = 0;

	while (bytes > swept_levels[i].bytes)
		i++;
	return swept_levels[i].name;
}

struct results *swept_latencies(size_t measured)
{
	struct results *results = swept_results(&swept_latency);
	size_t count = 0;

	for (int half = 0; half <= 36; half++)
		for (int order = 0; order < 2; order++) {
			double bytes = rint(1024 * exp2(half / 2.));
			struct text size = { 0 };

			unit_write(&size, UNIT_BYTES, bytes);
			struct point *point = swept_point(results, size.chars,
				swept_orders[order]);
			text_free(&size);
			if (count++ >= measured)
				continue;
			point_add_note(point, "level", swept_level(bytes));
			swept_fill(results, point, swept_ns(bytes, order == 1),
				half == 20                  ? SWEPT_EXCLUDED :
					half == 30 && order ? SWEPT_SHARED :
							      4);
		}
	return results;
}

struct results *swept_finder(void)
{
	struct results *results = swept_results(&swept_hierarchy);
	static const double found[] = { 31.2e3, 1.02e6, 31.9e6 };

	swept_fill(results, swept_point(results, "4K", "local"), 1, 0);
	for (int i = 0; i < 3; i++)
		finding_interval(finding_value(&results->findings,
					 swept_levels[i].name, found[i],
					 UNIT_BYTES, "%s holds so much",
					 swept_levels[i].name),
			.9 * found[i], 1.1 * found[i]);
	return results;
}

struct results *swept_ranges(void)
{
	struct results *results = swept_results(&swept_mountain);

	for (int power = 11; power <= 26; power++)
		for (int stride = 16; stride <= 320; stride += 16) {
			char size[16], between[16];
			double lines = fmin(stride / 64., 1);
			struct text text = { 0 };

			unit_write(&text, UNIT_BYTES, exp2(power));
			snprintf(size, sizeof size, "%s", text.chars);
			text_free(&text);
			snprintf(between, sizeof between, "%d", stride);
			swept_fill(results, swept_point(results, size, between),
				.3 + lines * swept_ns(exp2(power), false) / 6,
				4);
		}
	return results;
}

struct results *swept_touches(void)
{
	struct results *results = swept_results(&swept_fault);
	struct point *point = swept_point(results, "16M", "local");

	swept_fill(results, point, 1800, 4);
	for (unsigned i = 0; i < 4096; i++)
		*(struct trace_point *)column_add(
			&point->series[1].trace) = (struct trace_point){ .x = i,
			.y = i == 2400         ? 210e3 :
				i % 512 == 511 ? 20e3 + 2 * i :
						 1500 + 2 * fixture_noise(i) };
	return results;
}

struct results *swept_choices(int calls, int vias)
{
	struct results *results = swept_results(&swept_syscall);

	for (int call = 0; call < calls; call++)
		for (int via = 0; via < vias; via++)
			swept_fill(results,
				swept_point(results, swept_calls[call],
					swept_vias[via]),
				90 + 140. * call * call + 12. * via,
				call == 2 && via ? SWEPT_EXCLUDED : 4);
	return results;
}

/* ---- the lab ---------------------------------------------------------- */

void swept_open_list(struct lab *lab, struct screen *screen,
	const struct experiment *const *list)
{
	fixture_open_list(lab, screen, list);
	struct machine *machine = &lab->session->machine;
	snprintf(machine->hostname, sizeof machine->hostname, "zen4");
	snprintf(machine->kernel, sizeof machine->kernel, "6.1.0");
}

void swept_caches(struct lab *lab)
{
	struct machine *machine = &lab->session->machine;

	for (int i = 0; i < 3; i++) {
		struct machine_cache *cache =
			&machine->caches[machine->cache_count++];

		snprintf(cache->name, sizeof cache->name, "%s",
			swept_levels[i].name);
		cache->size_bytes = swept_levels[i].bytes;
	}
}

void swept_open(struct lab *lab, struct screen *screen)
{
	swept_open_list(lab, screen, swept_list);
	swept_caches(lab);
}

void swept_measure(struct lab *lab)
{
	session_add_run(lab->session, swept_choices(4, 2));
	session_add_run(lab->session, swept_touches());
	session_add_run(lab->session, swept_finder());
	session_add_run(lab->session, swept_latencies(SIZE_MAX));
	session_add_run(lab->session, swept_ranges());
	/* As the lab does for a session that it loads. */
	for (size_t i = 0; i < lab->session->run_count; i++)
		memo_begin(lab->session->runs[i]);
}
