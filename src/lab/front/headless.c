/* The lab without a screen. */
#include "headless.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate.h"
#include "line.h"
#include "next.h"
#include "tick.h"
#include "wrap.h"

struct headless {
	struct loop *loop;
	/* Status of the first failure. A later failure replaces STATUS_AGAIN
	 * (undecided), and lost output what was not available here. */
	enum status status;
	bool progress_shown;
	bool plain;       /* no cursor movement: progress in sentences */
	bool spoken;      /* for a screen reader: no caret lines */
	bool person;      /* lines come from a terminal */
	uint64_t said_ns; /* time of the last progress sentence */
	size_t notes; /* notes of the present run already shown during it */
};

enum { BAR = 20, SENTENCE_S = 5 };

static void clear_progress(struct headless *headless)
{
	if (headless->progress_shown)
		fputs("\r\033[K", stderr);
	headless->progress_shown = false;
}

/* Shows the stage and the time left, or the time so far if the time left is
 * unknown. */
static void say_stage(const struct progress *progress, const char *gap)
{
	static const char *const stages[] = {
		[STAGE_CLOCK] = "clock",
		[STAGE_SIBLINGS] = "SMT siblings",
		[STAGE_QUIET] = "waiting for a quiet core",
		[STAGE_PILOT] = "pilot",
		[STAGE_LAUNCH] = "launch",
		[STAGE_OVER] = "figures",
	};

	if (progress->stopping) {
		fprintf(stderr, "stopping after this trial");
		return;
	}
	if (progress->launch)
		fprintf(stderr, "launch %u of %u%s", progress->launch,
			progress->launches, gap);
	else if (progress->sizing)
		fprintf(stderr, "sizing point %zu of %zu%s", progress->sizing,
			progress->points, gap);
	else
		fprintf(stderr, "%s%s", stages[progress->stage], gap);
	if (progress->foretold)
		fprintf(stderr, "%.0f s left", progress->left_s);
	else
		fprintf(stderr, "%.0f s so far", progress->elapsed_s);
}

/* Shows progress as a sentence every few seconds, for screen readers. */
static void say_progress(struct headless *headless, struct run *run,
	const struct progress *progress)
{
	uint64_t now_ns = tick_raw_ns();

	if (now_ns - headless->said_ns < SENTENCE_S * 1000000000ull)
		return;
	headless->said_ns = now_ns;
	fprintf(stderr, "%s: %.0f %%, ", run_results(run)->experiment,
		progress->share * 100);
	say_stage(progress, ", ");
	fputc('\n', stderr);
}

/* Wraps at blanks, so that the terminal does not break words. */
static void break_sentence(struct text *sentence)
{
	struct text lines = { 0 };

	wrap_on(&lines, sentence->chars, 2,
		text_layout_of(STDERR_FILENO).width);
	lines.chars[--lines.length] = '\0'; /* the last line's end */
	text_free(sentence);
	*sentence = lines;
}

/* Shows a run's notes while it runs. A note that the run exceeds its budget is
 * useless after the run. */
static void say_notes(struct headless *headless, const struct results *results)
{
	for (; headless->notes < results->warning_count; headless->notes++) {
		struct text note = { 0 };

		clear_progress(headless);
		text_add(&note, "%s: %s", results->experiment,
			results->warnings[headless->notes]);
		break_sentence(&note);
		fprintf(stderr, "%s\n", note.chars);
		text_free(&note);
	}
}

/* Shows how much of a capture has been read, which may be live. */
static void show_reading(struct headless *headless)
{
	enum { EVERY_MS = 100 };
	const struct capture_facts *facts =
		annotator_facts(headless->loop->lab->capture_file.annotator);
	uint64_t every_ns = headless->plain ? SENTENCE_S * 1000000000ull :
					      EVERY_MS * 1000000ull;
	uint64_t now_ns = tick_raw_ns();

	if (now_ns - headless->said_ns < every_ns)
		return;
	headless->said_ns = now_ns;
	fprintf(stderr, "%spackets: %llu, connections: %llu%s",
		headless->plain ? "" : "\r\033[K",
		(unsigned long long)facts->packets,
		(unsigned long long)facts->connections,
		headless->plain ? "\n" : "");
	headless->progress_shown = !headless->plain;
}

static void show_progress(struct headless *headless)
{
	const struct lab *lab = headless->loop->lab;
	struct run *run = lab->run;
	struct progress progress;
	char bar[BAR + 1];

	if (!run)
		headless->notes = 0;
	if (!isatty(STDERR_FILENO))
		return;
	if (lab->capture_file.reading)
		show_reading(headless);
	if (!run)
		return;
	say_notes(headless, run_results(run));
	run_progress(run, &progress);
	if (headless->plain) {
		say_progress(headless, run, &progress);
		return;
	}
	for (int i = 0; i < BAR; i++)
		bar[i] = i < progress.share * BAR ? '#' : '.';
	bar[BAR] = '\0';
	fprintf(stderr, "\r\033[K%s  [%s] %3.0f %%  ",
		run_results(run)->experiment, bar, progress.share * 100);
	say_stage(&progress, "  ");
	headless->progress_shown = true;
}

static void note_status(struct headless *headless, enum status status)
{
	bool replaces = headless->status == STATUS_AGAIN ||
		(headless->status == STATUS_PERMISSION &&
			status == STATUS_OUTPUT);

	if (!headless->status || (replaces && status))
		headless->status = status;
}

void headless_say_error(const struct script *script, const struct error *error,
	bool caret)
{
	struct text line = { 0 };

	text_add(&line, "benchtop: ");
	script_say(script, error, &line);
	if (isatty(STDERR_FILENO))
		break_sentence(&line);
	if (caret)
		script_point(script, error, &line);
	fprintf(stderr, "%s\n", text_chars(&line));
	text_free(&line);
}

static void say_error(struct headless *headless, const struct script *script,
	const struct error *error)
{
	clear_progress(headless);
	/* A caret line is useless to a screen reader. */
	headless_say_error(script, error, !headless->spoken);
	note_status(headless, error->status);
}

static void put_text(struct headless *headless, const struct text *text)
{
	clear_progress(headless);
	/* If the text is longer than the stream's buffer, fwrite() itself can
	 * fail. A later fflush() then has nothing to write and succeeds. */
	bool failed = fwrite(text_chars(text), 1, text->length, stdout) <
		text->length;
	if ((fflush(stdout) || failed) && !headless->status) {
		fprintf(stderr, "benchtop: cannot write the results: %s\n",
			strerror(errno));
		note_status(headless, STATUS_OUTPUT);
	}
}

static void take_interrupt(struct headless *headless)
{
	struct loop *loop = headless->loop;

	if (!loop->interrupts)
		return;
	loop->lab->interrupted = true;
	note_status(headless, (enum status)(STATUS_SIGNAL + loop->signal));
	if (loop->interrupts > 1)
		loop->lab->quit = true;
}

/* Waits until everything that a statement began is over, and shows each
 * result. */
static void wait_for_runs(struct headless *headless,
	const struct script *script, const struct words *statement)
{
	struct lab *lab = headless->loop->lab;
	struct reply reply = { 0 };

	headless->said_ns = tick_raw_ns();
	/* A closed terminal ends the run, since its user is gone. The end of a
	 * pipe only means that no more lines come. */
	if (headless->person)
		headless->loop->watched = STDIN_FILENO;
	headless->loop->only_end = true;
	while ((lab_busy(lab) || lab->has_ended) && !lab->quit) {
		if (lab_busy(lab) && !lab->has_ended)
			loop_turn(headless->loop, -1);
		if (headless->loop->hung_up)
			lab_cut(lab);
		take_interrupt(headless);
		show_progress(headless);
		if (!lab_ended(lab, &reply))
			continue;
		headless->notes = 0;
		put_text(headless, &reply.text);
		words_point(statement, 0, 0, &reply.error);
		if (reply.error.status == STATUS_INTERRUPTED)
			note_status(headless, STATUS_INTERRUPTED);
		else if (reply.error.status && !*reply.error.message)
			/* The exit code of a `link` program, which has shown
			 * its own error. */
			note_status(headless, reply.error.status);
		else if (reply.error.status)
			say_error(headless, script, &reply.error);
	}
	headless->loop->watched = -1;
	headless->loop->only_end = false;
	clear_progress(headless);
	reply_free(&reply);
}

static bool skipped(const struct lab *lab, const struct words *statement)
{
	const struct command *command =
		command_find(lab, statement->word[0]);

	return lab->interrupted && (command->flags & COMMAND_MEASURES);
}

static void run_statements(struct headless *headless,
	const struct script *script)
{
	struct lab *lab = headless->loop->lab;
	struct reply reply = { 0 };
	bool going = true;

	for (size_t i = 0; i < script->count && going && !lab->quit; i++) {
		const struct words *statement = &script->list[i];

		take_interrupt(headless);
		if (skipped(lab, statement))
			continue;
		enum outcome outcome = command_exec(lab, statement, &reply);
		fputs(text_chars(&reply.remark), stderr);
		put_text(headless, &reply.text);
		if (outcome == OUTCOME_WAIT)
			wait_for_runs(headless, script, statement);
		if (outcome == OUTCOME_FAILED) {
			say_error(headless, script, &reply.error);
			going = script_goes_on(reply.error.status);
		}
	}
	reply_free(&reply);
}

enum status headless_say_kept(const struct lab *lab)
{
	struct text line = { 0 };
	enum status status = lab_say_kept(lab, &line);

	if (line.length && (status || isatty(STDERR_FILENO)))
		fprintf(stderr, "%s\n", text_chars(&line));
	text_free(&line);
	return status;
}

/* Is the terminal unable to erase its output? */
static bool is_dumb(void)
{
	const char *type = getenv("TERM");

	return !type || !*type || !strcmp(type, "dumb");
}

enum status headless_run(struct loop *loop, const struct script *script)
{
	struct headless headless = { .loop = loop, .plain = is_dumb() };

	struct text next = { 0 };

	run_statements(&headless, script);
	take_interrupt(&headless);
	say_next(loop->lab, &next);
	put_text(&headless, &next);
	if (!next.length || loop->lab->aside.length)
		note_status(&headless, headless_say_kept(loop->lab));
	text_free(&next);
	return headless.status;
}

bool headless_shows(const struct lab *lab, const struct script *script)
{
	const struct words *words = script->list;
	const struct command *command =
		script->count == 1 ? command_find(lab, words->word[0]) : NULL;

	if (!command || !(command->flags & COMMAND_SHOWS) || is_dumb() ||
		!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	for (size_t i = 1; i < words->count; i++)
		if (words->word[i][0] == '-')
			return false;
	return true;
}

enum status headless_prepare(struct loop *loop, const struct script *script)
{
	struct headless headless = { .loop = loop };
	struct lab *lab = loop->lab;
	struct reply reply = { 0 };

	lab->screen_follows = true;
	enum outcome outcome = command_exec(lab, script->list, &reply);
	while (lab_busy(lab) && !lab->has_ended)
		loop_turn(loop, -1);
	lab->screen_follows = false;
	take_interrupt(&headless);
	/* A file without a readable packet was closed. */
	if (outcome == OUTCOME_WAIT && !lab->capture_file.annotator)
		lab_ended(lab, &reply);
	if (reply.error.status)
		say_error(&headless, script, &reply.error);
	reply_free(&reply);
	return headless.status;
}

/* The exit status of a prompt. It is a signal's, as in any program, or else
 * success: the user has seen every error. */
static enum status prompt_status(const struct headless *headless)
{
	const struct loop *loop = headless->loop;

	if (headless->person && loop->hung_up)
		return STATUS_HUNG_UP;
	if (!loop->interrupts)
		return STATUS_OK;
	return (enum status)(STATUS_SIGNAL + loop->signal);
}

static bool is_interrupt(const struct headless *headless)
{
	const struct loop *loop = headless->loop;

	return loop->interrupts && loop->signal == SIGINT && !loop->hung_up;
}

/* Ctrl-C at the prompt discards the typed line, and a second Ctrl-C in a row
 * leaves. Without a terminal the first one leaves. */
static bool gives_up_line(struct headless *headless, struct line_input *input)
{
	if (!headless->person || !is_interrupt(headless))
		return false;
	line_free(input);
	*input = (struct line_input){ 0 };
	headless->loop->interrupts = 0;
	fputs("\nNothing is running. `quit` or another Ctrl-C leaves the "
		"lab.\n",
		stdout);
	return true;
}

/* Verbs that do not poll for signals leave one pending. It belongs to the line
 * just executed, not to the next prompt. */
static void say_interrupted(struct headless *headless)
{
	if (!headless->loop->interrupts)
		loop_turn(headless->loop, 0);
	if (headless->person && is_interrupt(headless))
		fputs("\nbenchtop: interrupted\n", stderr);
}

static void greet(void)
{
	struct text line = { 0 };

	wrap_on(&line,
		"`list` shows the experiments, `run cpu.syscall` runs one, "
		"`help` shows all commands, `quit` leaves.",
		0, text_layout_of(STDOUT_FILENO).width);
	fputs(line.chars, stdout);
	text_free(&line);
}

enum status headless_prompt(struct loop *loop)
{
	struct headless headless = {
		.loop = loop,
		.plain = true,
		.spoken = true,
		.person = isatty(STDIN_FILENO),
	};
	struct lab *lab = loop->lab;
	struct line_input input = { 0 };
	struct text line = { 0 };

	bool warned = false;

	/* A screen reader reads bars of characters as noise. A dumb terminal
	 * shows escape sequences as text. */
	lab->layout.bars = lab->layout.colour = false;
	if (headless.person)
		greet();
	while (!lab->quit) {
		struct script script;
		struct error error;

		fputs("benchtop> ", stdout);
		fflush(stdout);
		if (!line_next(&input, loop, &line)) {
			if (warned || !gives_up_line(&headless, &input))
				break;
			warned = true;
			continue;
		}
		warned = false;
		lab->interrupted = false;
		if (script_parse(lab, "", text_chars(&line), line.length,
			    &script, &error))
			say_error(&headless, &script, &error);
		else
			run_statements(&headless, &script);
		script_free(&script);
		say_interrupted(&headless);
		/* An interrupt ends only the run. Any other signal also ends
		 * the prompt. */
		if (loop->hung_up ||
			(loop->interrupts && loop->signal != SIGINT))
			break;
		loop->interrupts = 0;
	}
	/* End the prompt's line before further output. */
	if (!lab->quit && !loop->hung_up)
		fputc('\n', stdout);
	enum status status = prompt_status(&headless);
	line_free(&input);
	text_free(&line);
	enum status kept = headless_say_kept(lab);
	return status ? status : kept;
}
