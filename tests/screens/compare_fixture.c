/* Two constant sessions. */
#include "compare_fixture.h"

/* A canary before and after the trials; the trials take whole ticks of both
 * clocks. */
static void made_canaries(const struct results *run, struct point *point,
	struct visit *visit)
{
	visit->canary_every = MADE_TRIALS;
	visit->canary_first = point->canary.count;
	visit->canary_count = 2;
	for (int i = 0; i < 2; i++)
		((struct canary *)column_add(&point->canary))->latency = 40 +
			(uint32_t)lround(run->clock.canary_cycles /
				run->clock.core_hz * run->clock.hz);
}

void made_fill(struct results *run, struct point *point, double ns,
	double spread)
{
	struct series *series = &point->series[0];

	series->ops = SWEPT_OPS;
	for (unsigned launch = 0; launch < MADE_LAUNCHES; launch++) {
		double here = 1 +
			spread * (fixture_noise(launch * 37 + 5) / 255. - .5);
		struct visit *visit = point_add_visit(run, point);

		visit->launch = launch;
		visit->trials = MADE_TRIALS;
		if (run->clock.cycles_trusted)
			made_canaries(run, point, visit);
		for (unsigned i = 0; i < MADE_TRIALS; i++) {
			unsigned number = launch * MADE_TRIALS + i;
			int noise = (int)fixture_noise(number) +
				(int)fixture_noise(number + 911) - 255;

			*(uint64_t *)column_add(&series->raw) = 40 +
				(uint64_t)llround(2 * ns * SWEPT_OPS * here *
					(1 + noise / 25500.));
			column_add(&series->flags);
			series->slices[launch].count++;
		}
	}
}

struct results *made_results(const struct experiment *experiment,
	double core_hz)
{
	struct results *run = swept_results(experiment);

	run->launch_count = MADE_LAUNCHES;
	run->clock.core_hz = core_hz;
	run->clock.canary_cycles = 21730;
	run->clock.canary_multiplies = 7243;
	run->clock.cycles_trusted = core_hz > 0;
	return run;
}

static void made_machine(struct session *session, const char *kernel,
	const char *governor)
{
	struct machine *machine = &session->machine;

	snprintf(machine->hostname, sizeof machine->hostname, "zen4");
	snprintf(machine->cpu, sizeof machine->cpu, "AMD Ryzen 7 7700");
	snprintf(machine->kernel, sizeof machine->kernel, "%s", kernel);
	snprintf(machine->governor, sizeof machine->governor, "%s", governor);
}

/* Calls have a fixed time and the clock a fixed rate. The second session has an
 * additional run, and a run with other parameters. */
static void made_runs(struct session *session, bool second)
{
	double hz = second ? 5.3e9 : 4.1e9;
	struct results *calls = made_results(&swept_syscall, hz);
	struct results *loads = made_results(&swept_latency, hz);
	struct results *faults = made_results(&swept_fault, 0);

	made_fill(calls, swept_point(calls, "getppid", "raw"),
		second ? 92.1 * 4.1 / 5.3 : 92.1, .004);
	made_fill(calls, swept_point(calls, "read", "raw"), second ? 161 : 188,
		.02);
	made_fill(calls, swept_point(calls, "stat", "raw"),
		second ? 194.2 : 192, .08);
	made_fill(loads, swept_point(loads, "32K", "random"),
		second ? .951 : .95, .002);
	made_fill(loads, swept_point(loads, "8M", "random"),
		second ? 11.88 : 11.79, .002);
	made_fill(loads, swept_point(loads, "1G", "random"),
		second ? 104.9 : 96.2, .01);
	made_fill(faults, swept_point(faults, "16M", "local"),
		second ? 1810 : 700, .01);
	snprintf(calls->started, sizeof calls->started, "2025-11-%s+0100",
		second ? "20T09:41:00" : "18T14:02:00");
	session_add_run(session, calls);
	session_add_run(session, loads);
	session_add_run(session, faults);
	if (second)
		session_add_run(session, swept_finder());
}

struct session *made_before(void)
{
	struct session *session = session_new();

	made_machine(session, "6.1.0-28", "powersave");
	made_runs(session, false);
	return session;
}

void made_open(struct lab *lab, struct screen *screen)
{
	swept_open(lab, screen);
	made_machine(lab->session, "6.1.0-31", "performance");
	made_runs(lab->session, true);
	struct compare_model *model = model_of(screen);
	model->sides[0] = (struct model_side){ .kind = SIDE_FILE,
		.name = xstrdup("/tmp/before.json"),
		.session = made_before() };
}
