/* A constant fleet and a constant history. */
#include "many_fixture.h"

#include "memory.h"

enum { LAUNCHES = 8, SETTINGS = 3 };

static const char *const experiments[] = { "cpu.call", "cpu.switch",
	"cpu.syscall", "cpu.thread", "fs.read", "ipc.pipe", "ipc.queue",
	"mem.bandwidth", "mem.fault", "mem.latency", "net.connect",
	"net.rtt" };
static const char *const settings[SETTINGS] = { "size=4K", "size=1M",
	"size=64M" };

static struct surroundings *make_surroundings(struct kept_points *points,
	const char *host, const char *kernel)
{
	struct surroundings *made = xcalloc(1, sizeof *made);

	made->host = xstrdup(host);
	made->value[SURROUNDING_PROCESSOR] = xstrdup("AMD EPYC 9654");
	made->value[SURROUNDING_KERNEL] = xstrdup(kernel);
	ARRAY_GROW(points->sessions, points->session_count);
	points->sessions[points->session_count++] = made;
	return made;
}

/* -1 .. 1 */
static double noise(unsigned i)
{
	return fixture_noise(i * 7 + 3) / 127.5 - 1;
}

static struct kept_point *add_point(struct kept_points *points,
	const char *experiment, const char *setting, double value)
{
	ARRAY_GROW(points->list, points->count);
	struct kept_point *point = &points->list[points->count++];

	*point = (struct kept_point){
		.identity = points->count,
		.surroundings = points->sessions[points->session_count - 1],
		.setting = xstrdup(setting),
		.metric = "time",
		.unit = UNIT_NS,
		.headline = { value, true, { value * .99, value * 1.01 } },
		.shared = { .median = NAN },
		.regime = REGIME_ALONE,
		.quality = QUALITY_GOOD,
		.alone = 1,
		.canary_ns = NAN,
		.ruler_ns = NAN,
	};
	snprintf(point->experiment, sizeof point->experiment, "%s",
		experiment);
	return point;
}

/* ---- the fleet -------------------------------------------------------- */

static double times_of(unsigned machine, unsigned experiment, unsigned setting)
{
	return machine == 7 ? 1.2 :
		machine == 11 &&
			!strncmp(experiments[experiment], "mem.", 4) ?
			      1.3 :
		machine == 30 && experiment == 4 && setting == 1 ? .88 :
								   1;
}

static void add_machine(struct kept_points *points, unsigned machine)
{
	char host[8];

	snprintf(host, sizeof host, "n%02u", machine);
	make_surroundings(points, host,
		machine == 3 ? "6.1.0-21" : "6.1.0-18");
	for (unsigned i = 0; i < sizeof experiments / sizeof *experiments; i++)
		for (unsigned k = 0; k < SETTINGS; k++) {
			unsigned at = (machine * 20 + i) * SETTINGS + k;
			double value = 100 * (1 + .01 * noise(at)) *
				times_of(machine, i, k);
			struct kept_point *point = add_point(points,
				experiments[i], settings[k], value);
			double sd = machine == 19 ? .05 : .01;

			point->session = machine;
			point->launch_count = LAUNCHES;
			point->launches =
				xcalloc(LAUNCHES, sizeof *point->launches);
			for (unsigned l = 0; l < LAUNCHES; l++)
				point->launches[l] = value *
					(1 + sd * noise(at * LAUNCHES + l));
		}
}

struct fleet_sessions *many_fleet(void)
{
	struct fleet_sessions *sessions = xcalloc(1, sizeof *sessions);

	for (unsigned m = 0; m < MANY_MACHINES; m++)
		add_machine(&sessions->points, m);
	sessions->sessions = MANY_MACHINES;
	fleet_sessions_find(sessions);
	return sessions;
}

/* ---- the history ------------------------------------------------------ */

struct history *many_history(void)
{
	struct history *history = xcalloc(1, sizeof *history);
	struct kept_points points = { 0 };
	struct kept_point *list;

	for (unsigned i = 0; i < MANY_RUNS; i++) {
		if (!i || i == MANY_KERNEL)
			make_surroundings(&points, "here",
				i ? "6.1.0-21" : "6.1.0-18");
		double level = i < MANY_KERNEL ? 92 : i < 40 ? 96.6 : 106.3;
		struct kept_point *point = add_point(&points, "cpu.syscall",
			"call=getppid via=raw",
			level * (1 + .006 * noise(i)));
		/* At the second change the machine changed. */
		double slow = i < 40 ? 1 : 1.1;

		point->canary_ns = .96 * slow * (1 + .003 * noise(i + 7));
		point->ruler_ns = 81 * slow * (1 + .02 * noise(i + 13));
		snprintf(point->started, sizeof point->started,
			"2025-%02u-%02uT04:15:00+0100", 10 + i / 30,
			1 + i % 30);
		if (i == 9 || i == 31)
			point->quality = QUALITY_SHARED_CORE;
	}
	list = xcalloc(points.count, sizeof *list);
	memcpy(list, points.list, points.count * sizeof *list);
	history_make("cpu.syscall", list, points.count, history);
	history_own(history, list, &points);
	return history;
}
