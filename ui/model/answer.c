/* Answers to lines, and what runs, the doctor and captures end with. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>

#include "form_sync.h"
#include "judgement.h"
#include "memory.h"
#include "script.h"
#include "status_text.h"

#define DOCTOR "doctor: conditions that may distort measurements"

/* ---- a line ----------------------------------------------------------- */

/* A reply of one line is a message, more of it is a page. */
static void show_reply(struct screen *screen, const char *title,
	const struct text *text)
{
	const char *chars = text_chars(text);
	const char *newline = strchr(chars, '\n');

	if (!*chars)
		return;
	if (newline && newline[1])
		screen_open_page(screen, title, chars);
	else
		screen_say(screen, ROLE_TEXT, "%.*s",
			(int)(newline ? newline - chars : (long)text->length),
			chars);
}

/* Is what follows executed? The first gate that does not hold goes to
 * `failed`. */
static bool execute_words(struct screen *screen, const struct words *words,
	struct text *failed)
{
	struct before before = status_before(screen);
	struct reply reply = { 0 };
	bool going = true;

	switch (command_exec(screen->lab, words, &reply)) {
	case OUTCOME_DONE:
		show_reply(screen, words->word[0], &reply.text);
		status_after(screen, words, &before);
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

/* What follows a statement that measures is checked before it begins: nobody
 * waits for a run to learn of a slip. The screen's own verbs are about what it
 * shows by then. */
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

/* One statement of a line, with the reader behind it. Is what follows
 * executed? */
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

/* What the line has begun goes on: does this statement wait for the end? */
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
	/* What came after it must not cover it. */
	if (going && rest->failed.length)
		screen_say(screen, ROLE_BAD, "%s", rest->failed.chars);
}

/* Another session: nothing that was computed holds. */
static void notice_session(struct screen *screen)
{
	if (screen->session == screen->lab->session)
		return;
	screen->session = screen->lab->session;
	figures_forget(&screen->figures);
	for (int i = 0; i < VIEWS; i++)
		if (views[i].forget)
			views[i].forget(screen);
	for (size_t i = 0; i < screen->lab->registry.count; i++) {
		screen->forms[i].last = NULL;
		screen->forms[i].point = POINT_FOLLOWS;
	}
	form_sync_from_session(screen);
}

void screen_execute(struct screen *screen, const char *line)
{
	struct rest rest = { 0 };

	execute_statements(screen, line, &rest);
	text_free(&rest.failed);
	notice_session(screen);
}

/* What a line's runs held up, once they have ended. */
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

/* ---- what has ended --------------------------------------------------- */

/* The status sentence after a run: at 80 columns the figure and whether it was
 * foreseen, else how it ended. Gives the bytes that matter most; 0: all. */
static size_t say_outcome(const struct results *results, struct text *text)
{
	struct digest digest;
	const struct point *point = &results->points[0];

	if (results->point_count != 1 || results->state == RUN_FAILED ||
		!digest_of(results, point, 0, &digest) || digest.published) {
		text_add(text, "%s ", results->experiment);
		say_ending(results, text);
		say_points_held(results, text);
		return 0;
	}
	text_add(text, "%s ", results->experiment);
	unit_show(text, results->metrics[0].unit, digest.summary.median);
	say_place_in_prediction(&results->prediction, digest.summary.median,
		results->metrics[0].unit, text);
	size_t core = text->length;
	text_add(text, "; %zu launches, ", results->launch_count);
	unit_show(text, UNIT_NS, results->took_s * 1e9);
	return core;
}

void screen_say_outcome(struct screen *screen, const struct results *results)
{
	struct text line = { 0 };

	size_t core = say_outcome(results, &line);
	screen_say(screen, ROLE_TEXT, "%s", text_chars(&line));
	screen->message_core = core;
	/* What does not fit the row stands in the panes: nothing must lie on
	 * top of them. */
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

static void take_reply(struct screen *screen)
{
	struct lab *lab = screen->lab;
	struct reply reply = { 0 };

	if (!lab_ended(lab, &reply))
		return;
	/* A capture file was opened: it comes into view, and beside it what is
	 * wrong with it. */
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
		/* While others follow the row says how far they are. */
		if (lab_busy(lab))
			text_clear(&screen->message);
		else
			screen_say_outcome(screen, last);
	} else if (screen->page.text && strchr(text_chars(&reply.text), '\n')) {
		/* Somebody reads another one. */
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

/* The next of several runs comes into view, unless the user looks at something
 * else than what ran before. */
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

/* The mark of what runs goes; marks whose runs were forgotten, because one was
 * stopped, stay and are said. */
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
	follow(screen);
	take_reply(screen);
	settle_marks(screen);
	if (!lab_busy(screen->lab))
		screen->followed = 0;
	execute_rest(screen);
}
