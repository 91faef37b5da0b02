/* The lab's session and its autosave file. */
#include "lab_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "kept.h"
#include "leftover.h"
#include "memory.h"

static void say_no_folder(struct lab *lab, int failed)
{
	char *path = folder_state_path();
	struct text why = { 0 };

	if (path)
		text_add(&why, "cannot write to folder '%s': %s", path,
			strerror(failed));
	else
		text_add(&why,
			"no folder for sessions: set HOME or XDG_STATE_HOME");
	free(path);
	free(lab->autosave_why);
	lab->autosave_why = text_take(&why);
}

static void keep_canary_in(struct lab *lab, const char *folder)
{
	struct text path = { 0 };

	text_add(&path, "%s/canary", folder);
	free(lab->clocks->canary_path);
	lab->clocks->canary_path = text_take(&path);
}

/* A hidden path, which the next lab removes if this one is killed. */
void lab_choose_autosave(struct lab *lab)
{
	char *folder = folder_state();
	struct text path = { 0 };

	lab->autosave_named = false;
	if (!folder) {
		say_no_folder(lab, errno);
		return;
	}
	text_add(&path, "%s/sessions", folder);
	mkdir(path.chars, 0700);
	text_add_char(&path, '/');
	/* Saving numbers its temporary files from 0. */
	leftover_name(&path, UINT_MAX);
	lab->autosave = text_take(&path);
	keep_canary_in(lab, folder);
	free(folder);
}

/* A failed run without a single trial is not worth a file. */
static bool is_worth_keeping(const struct session *session)
{
	size_t trials = 0;

	for (size_t i = 0; i < session->run_count; i++)
		trials += results_trials(session->runs[i]) +
			results_published(session->runs[i]) +
			results_stored(session->runs[i]);
	return trials || session->note_count;
}

static void add_quoted(struct text *text, const char *chars)
{
	text_add_char(text, '\'');
	text_add_safe(text, chars, strlen(chars));
	text_add_char(text, '\'');
}

/* Gives the lab a new autosave file when its session is replaced. The old file
 * keeps the unsaved runs, and lab->aside names it. */
static int set_aside(struct lab *lab, struct error *error)
{
	const struct session *session = lab->session;
	size_t runs = session->run_count;

	if (!session->changed || !is_worth_keeping(session))
		return 0;
	if (!lab->autosave || lab->autosave_why)
		return error_set(error, STATUS_OUTPUT,
			"this session is not saved (%s): save it first",
			lab->autosave_why);
	if (runs)
		text_add(&lab->aside, "%zu run%s", runs, runs == 1 ? "" : "s");
	else
		text_add(&lab->aside, "notes");
	text_add(&lab->aside, " not saved by name, kept in ");
	add_quoted(&lab->aside, lab->autosave);
	text_add_char(&lab->aside, '\n');
	free(lab->autosave);
	lab->autosave = NULL;
	lab_choose_autosave(lab);
	return 0;
}

int lab_use_session(struct lab *lab, struct session *session,
	struct error *error)
{
	if (set_aside(lab, error)) {
		session_free(session);
		return -1;
	}
	session_free(lab->session);
	lab_drop_packets(lab);
	lab->session = session;
	for (size_t i = 0; i < session->run_count; i++)
		lab_attach(lab, session->runs[i]);
	lab->version++;
	return 0;
}

/* Names the folder instead of the hidden file. */
static char *autosave_failure(const struct lab *lab, const struct error *error)
{
	const char *at = strstr(error->message, lab->autosave);
	const char *slash = strrchr(lab->autosave, '/');
	struct text why = { 0 };

	if (lab->autosave_named || !at)
		return xstrdup(error->message);
	size_t before = (size_t)(at - error->message);
	text_add_chars(&why, error->message,
		before + (size_t)(slash - lab->autosave));
	text_add(&why, "%s", at + strlen(lab->autosave));
	return text_take(&why);
}

void lab_autosave_unnamed(struct lab *lab)
{
	struct error error;

	if (!lab->autosave || !is_worth_keeping(lab->session))
		return;
	lab_machine(lab);
	/* An autosave must not mark the session as saved by the user. */
	int failed = session_save_copy(lab->session, lab->autosave, &error);
	memory_trim();
	free(lab->autosave_why);
	lab->autosave_why = failed ? autosave_failure(lab, &error) : NULL;
}

static void name_autosave(struct lab *lab)
{
	struct error error;
	char *entered;

	/* A file is there only if it is complete. Then it is named, even if
	 * its folder could not be synced. */
	if (!lab->autosave || lab->autosave_named ||
		!is_worth_keeping(lab->session) || access(lab->autosave, F_OK))
		return;
	int failed = kept_enter(lab->autosave, &entered, &error);
	free(lab->autosave_why);
	lab->autosave_why = failed ? xstrdup(error.message) : NULL;
	if (!entered) {
		unlink(lab->autosave);
		return;
	}
	free(lab->autosave);
	lab->autosave = entered;
	lab->autosave_named = true;
}

void lab_autosave_name(struct lab *lab)
{
	name_autosave(lab);
	if (lab->autosave_named && !lab->autosave_why)
		file_mark_take(&lab->autosave_mark, lab->autosave);
}

void lab_autosave_yield(struct lab *lab)
{
	struct file_mark now;

	if (!lab->autosave_named)
		return;
	file_mark_take(&now, lab->autosave);
	/* A removed file is written again. */
	if (!file_mark_any(&now) || file_mark_same(&now, &lab->autosave_mark))
		return;
	add_quoted(&lab->aside, lab->autosave);
	text_add(&lab->aside, " was changed by another process, so this "
		"session is kept in another file\n");
	free(lab->autosave);
	lab->autosave = NULL;
	lab_choose_autosave(lab);
}

void lab_autosave_end(struct lab *lab, int waited_s)
{
	struct text why = { 0 };

	text_add(&why, "the folder of the sessions did not answer for %d s",
		waited_s);
	free(lab->autosave);
	lab->autosave = NULL;
	lab->autosave_named = false;
	free(lab->autosave_why);
	lab->autosave_why = text_take(&why);
}

void lab_autosave(struct lab *lab)
{
	lab_autosave_yield(lab);
	lab_autosave_unnamed(lab);
	lab_autosave_name(lab);
}

/* "2 runs kept in ..", "1 run not kept: ..", "notes not kept: ..". */
static void say_kept(const struct lab *lab, struct text *text)
{
	size_t count = lab->session->run_count;
	const char *why = lab->autosave_why;

	if (why)
		text_add(text, "benchtop: ");
	if (count)
		text_add(text, "%zu run%s", count, count == 1 ? "" : "s");
	else
		text_add(text, "notes");
	text_add(text, why ? " not kept: " : " kept in ");
	const char *rest = why ? why : lab->autosave;
	text_add_safe(text, rest, strlen(rest));
	if (why && lab->left_tapes)
		text_add(text, "; `recover` restores the trials from memory");
}

enum status lab_say_kept(const struct lab *lab, struct text *text)
{
	const struct session *session = lab->session;

	if (lab->aside.length)
		text_add_chars(text, lab->aside.chars, lab->aside.length - 1);
	if (!session->changed || !is_worth_keeping(session) ||
		!(session->run_count || lab->autosave_why))
		return STATUS_OK;
	if (lab->aside.length)
		text_add_char(text, '\n');
	say_kept(lab, text);
	return lab->autosave_why ? STATUS_OUTPUT : STATUS_OK;
}
