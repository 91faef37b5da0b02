/* The steps of the tour. */
#include "tour.h"

#include <string.h>

#include "kept.h"

/* ---- the state of the screen ------------------------------------------ */

static bool is_selected(const struct screen *screen, const char *name)
{
	return !screen_on_group(screen) &&
		!strcmp(screen_descriptor(screen)->name, name);
}

static bool is_on_form(const struct screen *screen, const char *name)
{
	return is_selected(screen, name) &&
		screen->focus[VIEW_LAB] == FOCUS_FORM;
}

/* Whether a run of the experiment has ended since the tour began. */
static bool has_run(const struct screen *screen, const char *name)
{
	const struct session *session = screen->lab->session;

	for (size_t i = screen->tour.runs; i < session->run_count; i++)
		if (!strcmp(session->runs[i]->experiment, name))
			return true;
	return false;
}

static bool has_begun(const struct screen *screen, const char *name)
{
	struct run *run = screen->lab->run;

	return has_run(screen, name) ||
		(run && !strcmp(run_results(run)->experiment, name));
}

/* A run without a prediction makes the prediction unnecessary. */
static bool is_predicted(const struct screen *screen, const char *name)
{
	const struct experiment *experiment =
		registry_find(&screen->lab->registry, name);

	return has_begun(screen, name) ||
		(experiment && lab_prediction(screen->lab, experiment)->set);
}

static bool is_idle(const struct screen *screen, const char *name)
{
	(void)name;
	return !screen->lab->run;
}

static bool has_page(const struct screen *screen, const char *name)
{
	(void)name;
	return screen->page.text;
}

static bool has_no_page(const struct screen *screen, const char *name)
{
	return !has_page(screen, name);
}

static bool has_menu(const struct screen *screen, const char *name)
{
	(void)name;
	return screen->menu.kind != MENU_NONE;
}

static bool is_in_view(const struct screen *screen, const char *name)
{
	return screen->view == view_named(name) && !screen->page.text &&
		!screen->menu.kind;
}

/* ---- the steps -------------------------------------------------------- */

const struct tour_step tour_steps[] = {
	{ "Each experiment in the list asks one question about this machine. "
	  "Syscall asks what a call into the kernel costs.",
		"select syscall, then press Enter",
		"pick cpu.syscall; focus form", is_on_form },
	{ "Predict first: a wrong prediction shows what you did not know. "
	  "The run locks it and compares it with the result.",
		"press p, type 50..500ns, Enter",
		"predict cpu.syscall hw=50..500ns", is_predicted },
	{ "A run starts new processes on one core, the launches, and times "
	  "many trials in each. The histogram shows them as they arrive.",
		"press r, wait for the end", "run cpu.syscall", has_run },
	{ "The run has ended. The line below this one compares its median "
	  "with your prediction.",
		"press d for all figures", "details", has_page },
	{ "In brackets: the 95 % interval of the median, from trials alone on "
	  "the core. Trials beside a co-runner are listed apart, as shared.",
		"read the page, then press Esc", "scroll away", has_no_page },
	{ "A range of values is a sweep, here of array sizes. Every key "
	  "executes a command line; `:` takes any, and Tab completes it.",
		"type :run mem.latency order=local",
		"run mem.latency order=local", has_begun },
	{ "Screen 2 draws the sweep while it is measured: the time per load "
	  "from memory against the size of the array.",
		"press 2", "view sweep", is_in_view },
	{ "Each plateau is a level of memory: L1, L2, L3, then DRAM. A level "
	  "ends where the array no longer fits into it.",
		"wait half a minute for the end", NULL, is_idle },
	{ "The probe shows the figures of one size. Compare the ends of the "
	  "plateaus with the cache sizes that the kernel reports.",
		"press Left and Right, then 1", "view lab", is_in_view },
	{ "The third experiment is a switch between two processes. How many "
	  "system calls is it worth?",
		"press / and type switch, Enter", "pick cpu.switch",
		is_selected },
	{ "Predict it yourself, such as 1..3us, then run. A range that you "
	  "believe is better than a narrow one.",
		"press p, type your range; press r", "run cpu.switch",
		has_run },
	{ "Were you right? The list of exports has every figure as CSV or "
	  "JSON, and a report of the session as one HTML page.",
		"press E", "menu export", has_menu },
	{ "Screen 5 shows this machine, checks it for conditions that distort "
	  "figures, and names the commands that correct them.",
		"press Esc, then 5", "view machine", is_in_view },
	{ "The tour is over, and the session is kept. Next: `benchtop quick` "
	  "measures the machine in two minutes; then `benchtop help`.",
		"press > to leave the tour", "tour next", NULL },
	{ .text = NULL },
};

static bool is_done(const struct screen *screen, const struct tour_step *step)
{
	struct reader reader = reader_of(step->line ? step->line : "");
	struct words words;
	struct error error;

	if (!step->done || words_read(&words, &reader, &error))
		return false;
	bool done = step->done(screen, words.count > 1 ? words.word[1] : "");
	words_free(&words);
	return done;
}

size_t tour_length(void)
{
	size_t length = 0;

	while (tour_steps[length].text)
		length++;
	return length;
}

/* ---- the tour --------------------------------------------------------- */

static bool has_kept_sessions(void)
{
	struct kept_list list;

	kept_list_read(&list);
	bool any = list.count > 0;
	kept_list_free(&list);
	return any;
}

void tour_offer(struct screen *screen)
{
	const struct settings *settings = &screen->settings;

	screen->tour.offered = settings->path && !settings->there &&
		!screen->prompt.history_count && !has_kept_sessions();
}

bool tour_offered(const struct screen *screen)
{
	return screen->tour.offered && !screen->tour.step &&
		screen->view == VIEW_LAB;
}

void tour_begin(struct screen *screen)
{
	screen->tour = (struct tour){
		.step = 1,
		.runs = screen->lab->session->run_count,
	};
}

void tour_next(struct screen *screen)
{
	struct tour *tour = &screen->tour;

	if (!tour->step) {
		tour_begin(screen);
	} else if (tour->step == tour_length()) {
		tour_end(screen);
		screen_say(screen, ROLE_TEXT,
			"The tour has ended; > starts it again.");
	} else {
		tour->step++;
	}
}

bool tour_end(struct screen *screen)
{
	bool any = screen->tour.step || screen->tour.offered;

	screen->tour = (struct tour){ 0 };
	return any;
}

void tour_advance(struct screen *screen)
{
	struct tour *tour = &screen->tour;

	while (tour->step && is_done(screen, &tour_steps[tour->step - 1]))
		tour->step++;
}

void tour_forget(struct screen *screen)
{
	screen->tour.runs = screen->lab->session->run_count;
}
