/* The lab's session and its autosave file. */
#include "lab_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "kept.h"
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

/* Names the file by a time such as 20251120-091500, and by this process. */
static void name_autosave(struct lab *lab, const char *stamp)
{
	char *folder = folder_state();
	struct text path = { 0 };

	lab->autosave_claimed = false;
	if (!folder) {
		say_no_folder(lab, errno);
		return;
	}
	text_add(&path, "%s/sessions", folder);
	mkdir(path.chars, 0700);
	text_add(&path, "/%s-%d", stamp, (int)getpid());
	if (lab->autosaves++)
		text_add(&path, "-%u", lab->autosaves);
	text_add(&path, ".json");
	lab->autosave = text_take(&path);
	free(folder);
}

void lab_choose_autosave(struct lab *lab)
{
	time_t now = time(NULL);
	struct tm local;
	char stamp[32];

	localtime_r(&now, &local);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
	name_autosave(lab, stamp);
}

void lab_date_autosave(struct lab *lab, const char *started)
{
	char stamp[] = "YYYYMMDD-HHMMSS";
	size_t length = 0;

	if (lab->autosave_claimed || !session_is_time(started))
		return;
	for (; stamp[length]; started++)
		if (*started == 'T')
			stamp[length++] = '-';
		else if (*started != '-' && *started != ':')
			stamp[length++] = *started;
	free(lab->autosave);
	lab->autosave = NULL;
	name_autosave(lab, stamp);
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

/* Creates the file exclusively. A lab in another container, or on another
 * machine with the same home, may have chosen the same time and process id. */
void lab_claim_autosave(struct lab *lab)
{
	while (lab->autosave && !lab->autosave_claimed) {
		int fd = open(lab->autosave,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

		if (fd < 0 && errno != EEXIST)
			return; /* saving will say why */
		if (fd >= 0) {
			close(fd);
			lab->autosave_claimed = true;
			kept_sweep();
			return;
		}
		free(lab->autosave);
		lab->autosave = NULL;
		lab_choose_autosave(lab);
	}
}

/* Removes a claimed file that is still empty because saving failed. */
static void give_up_claim(struct lab *lab)
{
	struct stat is;

	if (lab->autosave_claimed && !stat(lab->autosave, &is) && !is.st_size)
		lab->autosave_claimed = unlink(lab->autosave) != 0;
}

void lab_autosave(struct lab *lab)
{
	struct error error;

	if (!is_worth_keeping(lab->session)) {
		give_up_claim(lab);
		return;
	}
	lab_claim_autosave(lab);
	if (!lab->autosave)
		return;
	lab_machine(lab);
	/* An autosave must not mark the session as saved by the user. */
	int failed = session_save_copy(lab->session, lab->autosave, &error);
	if (failed)
		give_up_claim(lab);
	memory_trim();
	free(lab->autosave_why);
	lab->autosave_why = failed ? xstrdup(error.message) : NULL;
}

enum status lab_say_kept(const struct lab *lab, struct text *text)
{
	const struct session *session = lab->session;
	size_t count = session->run_count;

	if (lab->aside.length)
		text_add_chars(text, lab->aside.chars, lab->aside.length - 1);
	if (!count || !session->changed || !is_worth_keeping(session))
		return STATUS_OK;
	if (lab->aside.length)
		text_add_char(text, '\n');
	text_add(text,
		lab->autosave_why ? "benchtop: %zu run%s not kept: " :
				    "%zu run%s kept in ",
		count, count == 1 ? "" : "s");
	const char *rest =
		lab->autosave_why ? lab->autosave_why : lab->autosave;
	text_add_safe(text, rest, strlen(rest));
	return lab->autosave_why ? STATUS_OUTPUT : STATUS_OK;
}
