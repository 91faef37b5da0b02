/* The doctor's measurements. */
#include "doctor_run.h"

#include <stdlib.h>

#include "capture.h"
#include "clock.h"
#include "doctor_text.h"
#include "file.h"
#include "host_check.h"
#include "machine_text.h"
#include "memory.h"
#include "noise_floor.h"
#include "siblings.h"
#include "tick.h"

enum { GAP_WATCH_S = 1 };

/* One stage at a time, in this order. */
struct examination {
	enum stage { CLOCK, SIBLINGS, GAPS, NOISE, HOSTS } stage;
	struct doctor_request request;
	int cpu;        /* the processor that is measured */
	struct job job; /* of the stages before NOISE */
	struct noise_floor noise;
	struct host_check hosts;
	struct host_facts answers[HOSTS_ASKED];
};

static struct clock_facts *clock_of(const struct lab *lab)
{
	const struct examination *visit = lab->doing;

	return &lab->clocks->facts[visit->cpu];
}

/* ---- findings --------------------------------------------------------- */

/* Checks the machine with everything measured so far, and keeps the findings in
 * the lab. */
static void check(struct lab *lab, struct doctor_input *input)
{
	char *helper = capture_program(), *folder = folder_state();

	input->experiments = lab->registry.list;
	input->machine = lab_machine(lab);
	input->capture_helper = helper;
	input->folder = folder;
	doctor_free(&lab->doctor);
	doctor_examine(input, &lab->doctor);
	lab->doctor_at = time(NULL);
	lab->version++;
	free(helper);
	free(folder);
}

void doctor_glance(struct lab *lab)
{
	struct common common;
	struct place place;
	struct error ignored;
	struct doctor_input input = { .cpu = -1 };

	/* Some corrections name the processor on which runs measure. */
	common_values(&lab->common, &common);
	if (!place_plan(&lab->places, common.cpu, 0, &place, &ignored))
		input.cpu = place.cpu;
	if (input.cpu >= 0 && lab->clocks->measured_ns[input.cpu])
		input.clock = &lab->clocks->facts[input.cpu];
	if (input.cpu >= 0 && lab->places.siblings_ns[input.cpu])
		input.sibling = &lab->places.siblings[input.cpu];
	check(lab, &input);
}

/* Keeps the findings in the session if the session is from this machine. Saves
 * the session unless it is empty. */
static void keep_checks(struct lab *lab)
{
	struct session *session = lab->session;
	struct error of_another;

	if (lab_check_machine(lab, &of_another))
		return;
	session_set_checks(session, &lab->doctor);
	if (session->run_count || session->note_count)
		lab_autosave(lab);
}

static void write_findings(struct lab *lab, struct reply *reply)
{
	const struct examination *visit = lab->doing;
	const struct doctor *doctor = &lab->doctor;
	struct text_layout layout = lab->layout;

	layout.verbose |= visit->request.verbose;
	if (visit->request.reply == DOCTOR_SUMMARY)
		doctor_text_counts(doctor, &reply->text);
	else if (visit->request.reply == DOCTOR_FIXES)
		doctor_text_fixes(doctor, layout.width, &reply->text);
	else if (visit->request.json)
		doctor_text_json(doctor, &lab->gaps, &reply->text);
	else
		doctor_text(doctor, &lab->gaps, &layout, &reply->text);
}

static void conclude(struct lab *lab, struct reply *reply)
{
	const struct examination *visit = lab->doing;
	struct doctor_input input = {
		.clock = clock_of(lab),
		.gaps = &lab->gaps,
		.noise = visit->noise.facts,
		.noise_count = visit->noise.count,
		.hosts = visit->answers,
		.host_count = visit->hosts.count,
		.cpu = visit->cpu,
		.sibling = &lab->places.siblings[visit->cpu],
	};

	/* Restore the lab's usual processors, so that the doctor checks
	 * those. */
	place_restore(&lab->places);
	check(lab, &input);
	keep_checks(lab);
	write_findings(lab, reply);
}

/* ---- stages: each begins the next; true when all are over -------------- */

static bool after_siblings(struct lab *lab, struct reply *reply)
{
	struct examination *visit = lab->doing;

	if (visit->request.reply != DOCTOR_MACHINE) {
		visit->stage = GAPS;
		return gap_start(&visit->job, visit->cpu, clock_of(lab),
			       GAP_WATCH_S, &reply->error) != 0;
	}
	place_restore(&lab->places);
	machine_text(lab_machine(lab), visit->request.json, &reply->text);
	return true;
}

/* False if no other processor can be a sibling, or fork failed. */
static bool start_siblings(struct lab *lab)
{
	struct examination *visit = lab->doing;
	bool guest = *lab_machine(lab)->hypervisor;
	struct error ignored;
	cpu_set_t cpus, others;

	if (!siblings_plan(&lab->places, visit->cpu, guest, &cpus, &others))
		return false;
	visit->stage = SIBLINGS;
	return !siblings_start(&visit->job, &cpus, &others, clock_of(lab),
		&ignored);
}

static bool end_clock(struct lab *lab, int status, struct reply *reply)
{
	struct examination *visit = lab->doing;
	struct clock_facts facts;

	if (clock_finish(&visit->job, status, &facts, &reply->error))
		return true;
	clock_cache_keep(lab->clocks, visit->cpu, -1, &facts);
	return start_siblings(lab) ? false : after_siblings(lab, reply);
}

/* If the search fails, the siblings stay unknown. */
static bool end_siblings(struct lab *lab, int status, struct reply *reply)
{
	struct examination *visit = lab->doing;
	struct error ignored;

	siblings_finish(&visit->job, status, &lab->places, &ignored);
	return after_siblings(lab, reply);
}

static bool end_gaps(struct lab *lab, int status, struct reply *reply)
{
	struct examination *visit = lab->doing;

	if (gap_finish(&visit->job, status, &lab->gaps, &reply->error))
		return true;
	visit->stage = NOISE;
	/* Runs choose their processors themselves. */
	place_restore(&lab->places);
	return false;
}

static bool step_noise(struct lab *lab, struct reply *reply)
{
	struct examination *visit = lab->doing;

	if (!noise_floor_step(&visit->noise, lab))
		return false;
	visit->stage = HOSTS;
	if (host_check_start(&visit->hosts))
		return false;
	conclude(lab, reply);
	return true;
}

static bool step_hosts(struct lab *lab, struct reply *reply)
{
	struct examination *visit = lab->doing;

	if (!host_check_step(&visit->hosts, visit->answers))
		return false;
	conclude(lab, reply);
	return true;
}

static bool step(struct lab *lab, struct reply *reply)
{
	static bool (*const ends[])(struct lab *, int, struct reply *) = {
		[CLOCK] = end_clock,
		[SIBLINGS] = end_siblings,
		[GAPS] = end_gaps,
	};
	struct examination *visit = lab->doing;
	int status;

	if (visit->stage == NOISE)
		return step_noise(lab, reply);
	if (visit->stage == HOSTS)
		return step_hosts(lab, reply);
	return child_reap(&visit->job.child, &status) &&
		ends[visit->stage](lab, status, reply);
}

/* ---- the activity ----------------------------------------------------- */

static int descriptor(const struct lab *lab)
{
	const struct examination *visit = lab->doing;

	if (visit->stage == NOISE)
		return visit->noise.run ? run_descriptor(visit->noise.run) : -1;
	return visit->stage == HOSTS ? visit->hosts.job.child.pidfd :
				       visit->job.child.pidfd;
}

/* A screen starts DOCTOR_SUMMARY by itself, so a user's stop does not end
 * it. */
static void stop(struct lab *lab)
{
	const struct examination *visit = lab->doing;

	if (visit->request.reply != DOCTOR_SUMMARY)
		lab_stopped(lab,
			"stopped before all checks were done");
}

static void abandon(struct lab *lab)
{
	struct examination *visit = lab->doing;

	job_abandon(&visit->job);
	job_abandon(&visit->hosts.job);
	noise_floor_abandon(&visit->noise);
	place_restore(&lab->places);
	free(visit);
}

const struct activity doctor_activity = {
	.step = step,
	.descriptor = descriptor,
	.stop = stop,
	.abandon = abandon,
};

int doctor_run(struct lab *lab, const struct doctor_request *request,
	struct error *error)
{
	struct common common;
	struct place place;

	common_values(&lab->common, &common);
	if (place_plan(&lab->places, common.cpu, 0, &place, error))
		return -1;
	place_apply(&place);
	struct examination *visit = xcalloc(1, sizeof *visit);
	*visit = (struct examination){ .request = *request, .cpu = place.cpu };
	lab->gaps = (struct gap_facts){ 0 };
	if (clock_start(&visit->job, visit->cpu, -1, error)) {
		place_restore(&lab->places);
		free(visit);
		return -1;
	}
	lab_begin(lab, &doctor_activity, visit);
	return 0;
}
