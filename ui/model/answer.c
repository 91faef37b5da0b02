/* Shows answers to lines, and results of runs, of the doctor and of
 * captures. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>

#include "form_sync.h"
#include "memory.h"
#include "script.h"
#include "status_text.h"
#include "tour.h"

#define DOCTOR "doctor: conditions that may distort measurements"

/* ---- a line ----------------------------------------------------------- */

static bool is_page(const char *chars)
{
	const char *newline = strchr(chars, '\n');

	return newline && newline[1];
}

/* Shows a reply of one line as a message, a longer one as a page. */
static void show_reply(struct screen *screen, const char *title,
	const struct text *text)
{
	const char *chars = text_chars(text);

	if (!*chars)
		return;
	if (is_page(chars))
		screen_open_page(screen, title, chars);
	else
		screen_say(screen, ROLE_TEXT, "%.*s",
			(int)strcspn(chars, "\n"), chars);
}

/* Executes a statement; returns whether the following statements are executed.
 * The error of the first failed gate goes to `failed`. */
static bool execute_words(struct screen *screen, const struct words *words,
	struct text *failed)
{
	struct before before = status_before(screen);
	bool help = command_asks_help(words);
	struct reply reply = { 0 };
	bool going = true;

	switch (command_exec(screen->lab, words, &reply)) {
	case OUTCOME_DONE:
		if (help || !status_tells(words))
			show_reply(screen, words->word[0], &reply.text);
		if (!help)
			status_after(screen, words, &before, &reply.text);
		break;
	case OUTCOME_WAIT:
		text_clear(&screen->message);
		form_sync_from_run(screen, words);
		break;
	case OUTCOME_FAILED:
		screen_say(screen, ROLE_BAD, "%s", reply.error.message);
		going = script_goes_on(reply.error.status);
		if (going && !failed->length)
			text_add(failed, "%s", reply.error.message);
		break;
	}
	reply_free(&reply);
	return going;
}

static bool has_flag(const struct screen *screen, const struct words *words,
	enum command_flag flag)
{
	const struct command *command =
		command_find(screen->lab, words->word[0]);

	return command && command->flags & flag;
}

/* Before a statement measures, checks the statements after it: a typing error
 * is reported before the run, not after. Verbs of the screen are not checked:
 * they depend on what it shows later. */
static int check_rest(const struct screen *screen, struct reader reader,
	struct error *error)
{
	int failed = 0;

	while (*reader.at && !failed) {
		struct words words;

		if (words_read(&words, &reader, error))
			return -1;
		if (words.count && !has_flag(screen, &words, COMMAND_SCREEN))
			failed = command_check(screen->lab, &words, error);
		words_free(&words);
	}
	return failed;
}

static void keep_rest(struct screen *screen, const char *line,
	struct rest *rest)
{
	struct rest *kept = &screen->rest;

	text_add(&kept->line, "%s%s", kept->line.length ? "\n" : "", line);
	if (!kept->failed.length)
		text_add(&kept->failed, "%s", text_chars(&rest->failed));
	text_clear(&rest->failed);
}

/* Executes one statement of a line; the reader is behind it. Returns whether
 * the following statements are executed. */
static bool execute_statement(struct screen *screen, const struct words *words,
	struct reader reader, struct rest *rest)
{
	bool measures = has_flag(screen, words, COMMAND_MEASURES);
	struct error error;

	if (measures && rest->stopped)
		return true;
	if (measures && check_rest(screen, reader, &error)) {
		screen_say(screen, ROLE_BAD, "%s", error.message);
		return false;
	}
	return execute_words(screen, words, &rest->failed);
}

/* Whether the statement waits until an activity of the line ends. */
static bool must_wait(const struct screen *screen, const struct words *words)
{
	return lab_busy(screen->lab) &&
		!has_flag(screen, words, COMMAND_MEASURES) &&
		!has_flag(screen, words, COMMAND_SCREEN);
}

static void execute_statements(struct screen *screen, const char *line,
	struct rest *rest)
{
	struct reader reader = reader_of(line);
	bool idle = !lab_busy(screen->lab), going = true, began = false;

	while (*reader.at && going) {
		const char *at = reader.at;
		struct words words;
		struct error error;

		if (words_read(&words, &reader, &error)) {
			screen_say(screen, ROLE_BAD, "%s", error.message);
			return;
		}
		if (words.count && began && must_wait(screen, &words)) {
			keep_rest(screen, at, rest);
			words_free(&words);
			return;
		}
		if (words.count) {
			going = execute_statement(screen, &words, reader, rest);
			began |= has_flag(screen, &words, COMMAND_MEASURES) ||
				(idle && lab_busy(screen->lab));
		}
		words_free(&words);
	}
	/* Messages of later statements must not hide the failed gate. */
	if (going && rest->failed.length)
		screen_say(screen, ROLE_BAD, "%s", rest->failed.chars);
}

/* If the session was replaced, discards everything computed from the old
 * one. */
static void notice_session(struct screen *screen)
{
	if (screen->session == screen->lab->session)
		return;
	screen->session = screen->lab->session;
	figures_free(&screen->figures);
	for (int i = 0; i < VIEWS; i++)
		if (views[i].forget)
			views[i].forget(screen);
	for (size_t i = 0; i < screen->lab->registry.count; i++)
		screen->forms[i].point = POINT_FOLLOWS;
	form_sync_from_session(screen);
	tour_forget(screen);
}

/* Opens the place of the screen for a fleet or a history that was read. */
static void take_many(struct screen *screen)
{
	const char *news = screen->lab->many.news;
	int place;

	if (!news)
		return;
	screen->lab->many.news = NULL;
	screen_close_page(screen);
	enum view_name view = view_with_place(news, &place);
	screen_view(screen, view, place);
}

/* A message about another experiment must not stay below this one. */
static void drop_stale_message(struct screen *screen, size_t experiment,
	unsigned said)
{
	if (screen_experiment(screen) != experiment && screen->said == said)
		text_clear(&screen->message);
}

void screen_execute(struct screen *screen, const char *line)
{
	struct rest rest = { 0 };
	size_t experiment = screen_experiment(screen);
	unsigned said = screen->said;

	execute_statements(screen, line, &rest);
	text_free(&rest.failed);
	notice_session(screen);
	take_many(screen);
	drop_stale_message(screen, experiment, said);
}

/* Executes the statements that waited for a line's runs. */
static void execute_rest(struct screen *screen)
{
	const struct lab *lab = screen->lab;
	struct rest rest = screen->rest;

	if (!rest.line.length || lab_busy(lab) || lab->has_ended || lab->quit)
		return;
	screen->rest = (struct rest){ 0 };
	execute_statements(screen, rest.line.chars, &rest);
	text_free(&rest.line);
	text_free(&rest.failed);
	notice_session(screen);
}

/* ---- ended activities ------------------------------------------------- */

void screen_say_outcome(struct screen *screen, const struct results *results)
{
	struct text line = { 0 };

	size_t core = status_of_run(results, &line);
	screen_say(screen, ROLE_TEXT, "%s", text_chars(&line));
	screen->message_core = core;
	/* The panes show what does not fit in the row, so nothing may cover
	 * them. */
	screen->message_read = true;
	text_free(&line);
}

void screen_leave_page(struct screen *screen)
{
	char *examined = screen->examined;

	screen->examined = NULL;
	screen_close_page(screen);
	if (examined)
		screen_open_page(screen, DOCTOR, examined);
	free(examined);
}

/* Packets of the Net screen could not be read again. */
static void take_failed_reading(struct screen *screen)
{
	struct error *why = &screen->lab->capture_file.why;

	if (!why->status)
		return;
	screen_say(screen, ROLE_BAD, "%s", why->message);
	why->status = STATUS_OK;
}

static void take_reply(struct screen *screen)
{
	struct lab *lab = screen->lab;
	struct reply reply = { 0 };

	if (!lab_ended(lab, &reply))
		return;
	/* A capture file was opened: show its view, together with a message
	 * about its errors. */
	bool opened = lab->capture_file.news;
	lab->capture_file.news = false;
	if (opened)
		screen_view(screen, VIEW_NET, -1);
	const struct results *last = lab->session->run_count ?
		lab->session->runs[lab->session->run_count - 1] :
		NULL;
	screen->rest.stopped |= screen->rest.line.length &&
		reply.error.status == STATUS_INTERRUPTED;
	if (reply.error.status && reply.error.status != STATUS_INTERRUPTED) {
		screen_say(screen, ROLE_BAD, "%s", reply.error.message);
	} else if (lab->ended_run && last) {
		/* While other runs are queued, the row shows their progress. */
		if (lab_busy(lab))
			text_clear(&screen->message);
		else
			screen_say_outcome(screen, last);
	} else if (screen->page.text && is_page(text_chars(&reply.text))) {
		/* The user reads another page. */
		free(screen->examined);
		screen->examined = xstrdup(text_chars(&reply.text));
		screen_say(screen, ROLE_TEXT,
			"the checks are done: Esc leaves this page and shows "
			"the findings");
	} else {
		show_reply(screen, DOCTOR, &reply.text);
	}
	reply_free(&reply);
}

/* Selects the next of several runs, unless the user looks at an experiment
 * other than the previous run. */
static void follow(struct screen *screen)
{
	const struct lab *lab = screen->lab;
	const struct session *session = lab->session;
	size_t number = session->run_count + 1;

	if (!lab->run || screen->followed == number)
		return;
	const char *name = run_results(lab->run)->experiment;
	const char *shown = screen_descriptor(screen)->name;
	bool along = !screen->followed || screen_on_group(screen) ||
		(session->run_count &&
			!strcmp(session->runs[number - 2]->experiment, shown));
	screen->followed = number;
	for (size_t i = 0; along && i < lab->registry.count; i++)
		if (!strcmp(lab->registry.list[i]->name, name)) {
			screen->forms[i].point = POINT_FOLLOWS;
			screen_select(screen, i, false);
		}
}

/* Removes the mark of the running experiment. If queued runs were cancelled,
 * their marks stay and a message reports them. */
static void settle_marks(struct screen *screen)
{
	const struct lab *lab = screen->lab;
	const char *name = lab->run ? run_results(lab->run)->experiment : "";
	bool over = !lab_busy(lab);
	size_t left = 0;

	for (size_t i = 0; i < lab->registry.count; i++) {
		struct form *form = &screen->forms[i];

		if (!form->waits)
			continue;
		if (!strcmp(lab->registry.list[i]->name, name))
			form->marked = form->waits = false;
		else if (over)
			form->waits = false;
		left += over && form->marked;
	}
	if (left)
		screen_say(screen, ROLE_WARN,
			"%zu marked experiments did not run and stay%s marked: "
			"R runs %s",
			left, left == 1 ? "s" : "", left == 1 ? "it" : "them");
}

void screen_take_ended(struct screen *screen)
{
	notice_session(screen);
	take_many(screen);
	follow(screen);
	take_reply(screen);
	take_failed_reading(screen);
	settle_marks(screen);
	if (!lab_busy(screen->lab))
		screen->followed = 0;
	execute_rest(screen);
	tour_advance(screen);
}
