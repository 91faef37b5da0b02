/* Verbs of the Machine screen. */
#include <string.h>

#include "commands_internal.h"
#include "doctor_run.h"
#include "tick.h"
#include "view_machine.h"

static const struct doctor_row *selected_row(struct screen *screen)
{
	return inspection_row(&screen->lab->doctor,
		inspection_of(screen)->selected);
}

static void say_selected(struct screen *screen)
{
	const struct doctor_row *row = selected_row(screen);

	if (!row)
		screen_say(screen, ROLE_TEXT,
			"R starts the checks when no run is in progress.");
	else if (row->verdict == DOCTOR_OK)
		screen_say(screen, ROLE_TEXT, "%s: %s", row->check, row->found);
	else
		screen_say(screen, ROLE_TEXT, "%s: %s", row->check,
			row->effect);
	/* The pane shows the whole text. */
	screen->message_read = true;
}

/* Samples frequency and load. Reading a processor's frequency may interrupt it,
 * so nothing is sampled during a run. A run also discards the last sample,
 * because it is outdated. */
static void look_at_processors(const struct lab *lab,
	struct inspection *inspection)
{
	enum { LEAST_NS = 1000000000 };
	uint64_t now_ns = tick_raw_ns();

	if (lab->run)
		cpu_now_forget(&inspection->now);
	if (lab_busy(lab) ||
		(inspection->looked_ns &&
			now_ns - inspection->looked_ns < LEAST_NS))
		return;
	if (!inspection->looked_ns)
		inspection->now.times = lab->places.since;
	inspection->looked_ns = now_ns;
	cpu_now_look("", &inspection->now);
}

/* Must the quick checks be repeated? They become stale because the load
 * changes. Checks that have measured are kept. */
static bool must_glance(const struct lab *lab)
{
	enum { STALE_S = 10 };
	bool stale = lab->doctor_at && !(lab->gaps.watched_s > 0) &&
		time(NULL) - lab->doctor_at >= STALE_S;

	return !lab_busy(lab) && (!lab->doctor.count || stale);
}

/* Writes the age of the checks, and the key that repeats them. */
static void say_checked(struct screen *screen)
{
	const struct lab *lab = screen->lab;
	struct text at = { 0 };

	if (lab->doctor_at) {
		text_add(&at, " at ");
		machine_say_checked(lab, &at);
	}
	if (lab->gaps.watched_s > 0)
		screen_say(screen, ROLE_TEXT, "Checked%s; R checks again.",
			text_chars(&at));
	else
		screen_say(screen, ROLE_TEXT,
			"Quick checks%s; R also measures clock, gaps and "
			"noise, for some seconds.",
			lab->doctor_at ? at.chars : " only");
	text_free(&at);
}

void machine_enter(struct screen *screen)
{
	struct lab *lab = screen->lab;
	struct inspection *inspection = inspection_of(screen);

	lab_machine(lab);
	if (!inspection->map.cores)
		cpu_map_read("", &inspection->map);
	look_at_processors(lab, inspection);
	if (must_glance(lab))
		doctor_glance(lab);
	if (lab->doctor.count)
		say_checked(screen);
	else
		say_selected(screen);
	screen->message_read = true;
}

void machine_move(struct screen *screen, int steps)
{
	struct inspection *inspection = inspection_of(screen);
	const struct pane nowhere = { 0 };
	size_t shown;

	if (screen->focus[VIEW_MACHINE] == MACHINE_FACTS) {
		inspection->scroll = moved(inspection->scroll, steps,
			(int)machine_facts(screen, inspection, &nowhere,
				&shown));
		return;
	}
	inspection->selected = (size_t)moved((int)inspection->selected, steps,
		(int)screen->lab->doctor.count);
	say_selected(screen);
}

/* ---- verbs of the doctor ---------------------------------------------- */

static const char *const words[] = { "explain", "fixes", "again", NULL };

static enum outcome look_again(struct screen *screen, struct reply *reply)
{
	const struct doctor_request request = { .reply = DOCTOR_SUMMARY };

	if (lab_busy(screen->lab))
		return reply_fail(reply, STATUS_USAGE,
			"the doctor cannot check during a run: stop the run "
			"first");
	look_at_processors(screen->lab, inspection_of(screen));
	if (doctor_run(screen->lab, &request, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
}

static void open_explanation(struct screen *screen,
	const struct doctor_row *row)
{
	struct text text = { 0 };

	inspection_explain(screen->lab, row, &text);
	screen_open_page(screen, row->check, text.chars);
	text_free(&text);
}

/* Opens a page with the fix for the selected check, then all other fixes. */
static void open_fixes(struct screen *screen)
{
	const struct doctor *doctor = &screen->lab->doctor;
	const struct doctor_row *chosen = selected_row(screen);
	struct text text = { 0 };

	if (*chosen->fix)
		text_add(&text, "%s: %s\n  %s\n\n", chosen->check,
			chosen->found, chosen->fix);
	else
		text_add(&text, "%s: no command helps\n\n", chosen->check);
	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = inspection_row(doctor, i);

		if (row == chosen || row->verdict == DOCTOR_OK || !*row->fix)
			continue;
		text_add(&text, "%s: %s\n  %s\n", row->check, row->found,
			row->fix);
	}
	text_add(&text,
		"\nbenchtop changes nothing by itself; `doctor fixes` prints "
		"these for a shell.\n");
	screen_open_page(screen, "fixes", text.chars);
	text_free(&text);
}

static enum outcome exec_checkup(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const struct doctor_row *row = selected_row(screen);

	if (!strcmp(call->arg[0], "again"))
		return look_again(screen, reply);
	if (!row)
		return reply_fail(reply, STATUS_USAGE,
			"no checks yet: `checkup again` starts them");
	if (!strcmp(call->arg[0], "explain"))
		open_explanation(screen, row);
	else
		open_fixes(screen);
	return OUTCOME_DONE;
}

const struct command checkup_commands[] = {
	{ "checkup", "explain|fixes|again",
		"explain the selected check of the Machine screen, show the "
		"fixes, or check again",
		"checkup again", 1, 1, ARGUMENT_WORD, words, NULL,
		COMMAND_SCREEN, check_word, exec_checkup },
	{ .name = NULL },
};
