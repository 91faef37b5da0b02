/* The doctor's visit. */
#include "examine.h"

#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "doctor.h"
#include "examine_noise.h"
#include "file.h"
#include "json.h"
#include "lab.h"
#include "run.h"
#include "show.h"
#include "tick.h"

enum { GAP_WATCH_S = 1, INDENT = 23 };

static int start_gaps(struct lab *lab, struct error *error)
{
	struct examination *visit = &lab->examination;

	visit->stage = EXAMINE_GAPS;
	return gap_start(&visit->job, visit->cpu,
		&lab->clocks->facts[visit->cpu], GAP_WATCH_S, error);
}

/* True where there is something to look for. */
static bool start_siblings(struct lab *lab)
{
	struct examination *visit = &lab->examination;
	bool guest = *lab_machine(lab)->hypervisor;
	struct error ignored;
	cpu_set_t cpus, others;

	if (!siblings_plan(&lab->places, visit->cpu, guest, &cpus, &others))
		return false;
	visit->stage = EXAMINE_SIBLINGS;
	return !siblings_start(&visit->job, &cpus, &others,
		&lab->clocks->facts[visit->cpu], &ignored);
}

/* There is no visit any more. */
static void leave(struct lab *lab)
{
	lab->examination.stage = EXAMINE_NOTHING;
	place_restore(&lab->places);
}

static int start(struct lab *lab, const struct examination *wanted,
	struct error *error)
{
	struct examination *visit = &lab->examination;
	struct common common;
	struct place place;

	common_values(&lab->common, &common);
	if (place_plan(&lab->places, common.cpu, 0, &place, error))
		return -1;
	place_apply(&place);
	*visit = *wanted;
	visit->stage = EXAMINE_CLOCK;
	visit->cpu = place.cpu;
	int failed = clock_start(&visit->job, visit->cpu, -1, error);
	if (failed)
		leave(lab);
	return failed;
}

int examine_start(struct lab *lab, bool json, bool fixes, struct error *error)
{
	const struct examination wanted = { .json = json, .fixes = fixes };

	return start(lab, &wanted, error);
}

int examine_machine(struct lab *lab, bool json, struct error *error)
{
	const struct examination wanted = { .json = json, .machine = true };

	return start(lab, &wanted, error);
}

void examine_say_machine(struct lab *lab, bool json, struct text *text)
{
	const struct machine *machine = lab_machine(lab);

	if (json)
		session_write_machine(machine, text);
	else
		show_machine(machine, text);
}

int examine_quietly(struct lab *lab, struct error *error)
{
	int failed = examine_start(lab, false, false, error);

	lab->examination.quiet = true;
	return failed;
}

int examine_descriptor(const struct lab *lab)
{
	const struct examination *visit = &lab->examination;

	if (visit->stage == EXAMINE_NOTHING)
		return -1;
	if (visit->stage == EXAMINE_NOISE)
		return visit->run ? run_descriptor(visit->run) : -1;
	return visit->job.child.pidfd;
}

/* The gap probe's histogram: its decades, in the order of gap_facts. */
static const char *const decades[] = { "under 1 us", "1 to 10 us",
	"10 to 100 us", "0.1 to 1 ms", "1 to 10 ms", "over 10 ms" };
enum { DECADES = sizeof decades / sizeof *decades };

static void add_histogram_json(const struct gap_facts *gaps, cJSON *object)
{
	cJSON *list = cJSON_AddArrayToObject(object, "histogram");

	for (size_t i = 0; i < DECADES; i++) {
		cJSON *bin = cJSON_CreateObject();

		json_add_text(bin, "gap", decades[i]);
		json_add_number(bin, "count", (double)gaps->decade[i]);
		cJSON_AddItemToArray(list, bin);
	}
}

/* Bars by the logarithm: one long gap is as much to be seen as a thousand
 * short ones. */
void examine_say_gaps(const struct gap_facts *gaps, int indent,
	struct text *text)
{
	for (size_t i = 0; i < DECADES; i++) {
		text_add(text, "%*s%-12s %7zu ", indent, "", decades[i],
			gaps->decade[i]);
		for (size_t n = gaps->decade[i]; n; n /= 4)
			text_add(text, "#");
		while (text->chars[text->length - 1] == ' ')
			text->chars[--text->length] = '\0';
		text_add_char(text, '\n');
	}
}

static void add_json(const struct doctor *doctor, const struct gap_facts *gaps,
	struct text *text)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = &doctor->rows[i];
		cJSON *object = cJSON_CreateObject();

		json_add_text(object, "check", row->check);
		json_add_text(object, "verdict",
			doctor_verdict_word(row->verdict));
		json_add_text(object, "found", row->found);
		json_add_text(object, "touches", row->touches);
		json_add_text(object, "effect", row->effect);
		json_add_text(object, "fix", row->fix);
		if (!strcmp(row->check, "gaps"))
			add_histogram_json(gaps, object);
		cJSON_AddItemToArray(array, object);
	}
	json_print(array, text);
	cJSON_Delete(array);
}

/* A line of the table, broken where it is too wide. */
static void add_wrapped(struct text *text, const char *chars)
{
	wrap(text, chars, INDENT, WRAP_PLAIN);
}

static void add_text(const struct doctor *doctor, const struct gap_facts *gaps,
	struct text *text)
{
	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = &doctor->rows[i];
		struct text effect = { 0 };

		text_add(text, "%-5s %-16s ", doctor_verdict_word(row->verdict),
			row->check);
		add_wrapped(text, row->found);
		if (!strcmp(row->check, "gaps"))
			examine_say_gaps(gaps, INDENT, text);
		if (*row->effect) {
			text_add(&effect, "%s%s%s%s", row->effect,
				*row->touches ? " (" : "", row->touches,
				*row->touches ? ")" : "");
			add_wrapped(text, effect.chars);
			text_free(&effect);
		}
		/* To be copied: never broken. */
		if (*row->fix)
			text_add(text, "%23s$ %s\n", "", row->fix);
	}
}

static void add_fixes(const struct doctor *doctor, struct text *text)
{
	size_t count = 0;

	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = &doctor->rows[i];

		if (row->verdict == DOCTOR_OK || !*row->fix)
			continue;
		text_add(text, "# %s: %s\n%s\n", row->check, row->found,
			row->fix);
		count++;
	}
	if (!count)
		text_add(text, "# nothing to fix\n");
}

/* Looks, with all that has been measured, and keeps what was found. */
static void look(struct lab *lab, struct doctor_input *input)
{
	char *helper = capture_program(), *folder = folder_state();

	input->machine = lab_machine(lab);
	input->capture_helper = helper;
	input->folder = folder;
	doctor_free(&lab->doctor);
	doctor_examine(input, &lab->doctor);
	lab->version++;
	free(helper);
	free(folder);
}

void examine_glance(struct lab *lab)
{
	int cpu = lab->places.chosen;
	struct doctor_input input = { .cpu = cpu };

	if (cpu >= 0 && lab->clocks->measured_ns[cpu])
		input.clock = &lab->clocks->facts[cpu];
	look(lab, &input);
}

static void say_counts(const struct doctor *doctor, struct text *text)
{
	size_t counts[DOCTOR_BAD + 1] = { 0 };

	for (size_t i = 0; i < doctor->count; i++)
		counts[doctor->rows[i].verdict]++;
	text_add(text,
		"The doctor has looked: %zu bad, %zu to note, %zu in order.\n",
		counts[DOCTOR_BAD], counts[DOCTOR_NOTE], counts[DOCTOR_OK]);
}

/* Only with what was measured on this machine, and in the file that a session
 * with anything in it is kept in. */
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

static void examine(struct lab *lab, struct reply *reply)
{
	/* The doctor shall see the lab as it usually is. */
	place_restore(&lab->places);
	const struct examination *visit = &lab->examination;
	const struct gap_facts *gaps = &visit->gaps;
	const struct doctor *doctor = &lab->doctor;
	struct doctor_input input = {
		.clock = &lab->clocks->facts[visit->cpu],
		.gaps = gaps,
		.noise = visit->noise,
		.noise_count = visit->noise_count,
		.reach = visit->reach,
		.reach_count = visit->reach_count,
		.cpu = visit->cpu,
		.sibling = &lab->places.siblings[visit->cpu],
	};

	look(lab, &input);
	keep_checks(lab);
	if (visit->quiet)
		say_counts(doctor, &reply->text);
	else if (visit->fixes)
		add_fixes(doctor, &reply->text);
	else if (visit->json)
		add_json(doctor, gaps, &reply->text);
	else
		add_text(doctor, gaps, &reply->text);
}

/* True once nothing is left to be measured. */
static bool after_siblings(struct lab *lab, struct reply *reply)
{
	struct examination *visit = &lab->examination;

	if (!visit->machine)
		return start_gaps(lab, &reply->error) != 0;
	place_restore(&lab->places);
	examine_say_machine(lab, visit->json, &reply->text);
	return true;
}

static bool after_clock(struct lab *lab, int status, struct reply *reply)
{
	struct examination *visit = &lab->examination;
	struct clock_facts facts;

	if (clock_finish(&visit->job, status, &facts, &reply->error))
		return true;
	lab->clocks->facts[visit->cpu] = facts;
	lab->clocks->measured_ns[visit->cpu] = tick_raw_ns();
	lab->clocks->second[visit->cpu] = 0;
	return start_siblings(lab) ? false : after_siblings(lab, reply);
}

/* True once nothing is left to be measured. */
static bool after_gaps(struct lab *lab, int status, struct reply *reply)
{
	struct examination *visit = &lab->examination;

	if (gap_finish(&visit->job, status, &visit->gaps, &reply->error))
		return true;
	visit->stage = EXAMINE_NOISE;
	/* Runs choose their places themselves. */
	place_restore(&lab->places);
	return false;
}

/* True where there is a machine to ask. */
static bool start_reach(struct examination *visit)
{
	visit->reach_count = reach_start(&visit->job);
	visit->reach_began_ns = tick_raw_ns();
	if (visit->reach_count)
		visit->stage = EXAMINE_REACH;
	return visit->reach_count > 0;
}

bool examine_step(struct lab *lab, struct reply *reply)
{
	struct examination *visit = &lab->examination;
	struct error ignored;
	bool over = false;
	int status;

	if (visit->stage == EXAMINE_CLOCK) {
		if (child_reap(&visit->job.child, &status))
			over = after_clock(lab, status, reply);
	} else if (visit->stage == EXAMINE_SIBLINGS) {
		/* Where it fails the siblings stay unknown. */
		if (child_reap(&visit->job.child, &status)) {
			siblings_finish(&visit->job, status, &lab->places,
				&ignored);
			over = after_siblings(lab, reply);
		}
	} else if (visit->stage == EXAMINE_GAPS) {
		if (child_reap(&visit->job.child, &status))
			over = after_gaps(lab, status, reply);
	} else if (visit->stage == EXAMINE_NOISE) {
		over = noise_step(lab) && !start_reach(visit);
		if (over)
			examine(lab, reply);
	} else if (reach_step(&visit->job, visit->reach_began_ns,
			   visit->reach)) {
		examine(lab, reply);
		over = true;
	}
	if (over)
		leave(lab);
	return over;
}

void examine_abandon(struct lab *lab)
{
	struct examination *visit = &lab->examination;

	job_abandon(&visit->job);
	run_close(visit->run, false);
	visit->run = NULL;
	visit->stage = EXAMINE_NOTHING;
}
