/* The lab's session and its autosave file. */
#include "lab_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"

void lab_choose_autosave(struct lab *lab)
{
	char *folder = folder_state();
	struct text path = { 0 };
	time_t now = time(NULL);
	struct tm local;
	char stamp[32];

	lab->autosave_claimed = false;
	if (!folder) {
		free(lab->autosave_why);
		lab->autosave_why =
			xstrdup("no folder for sessions: set HOME or "
				"XDG_STATE_HOME");
		return;
	}
	text_add(&path, "%s/sessions", folder);
	mkdir(path.chars, 0700);
	localtime_r(&now, &local);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
	text_add(&path, "/%s-%d", stamp, (int)getpid());
	if (lab->autosaves++)
		text_add(&path, "-%u", lab->autosaves);
	text_add(&path, ".json");
	lab->autosave = text_take(&path);
	free(folder);
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

	if (!session->changed || (!runs && !session->note_count))
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

	lab_claim_autosave(lab);
	if (!lab->autosave)
		return;
	lab_machine(lab);
	/* An autosave must not mark the session as saved by the user. */
	int failed = session_save_copy(lab->session, lab->autosave, &error);
	if (failed)
		give_up_claim(lab);
	malloc_trim(0);
	free(lab->autosave_why);
	lab->autosave_why = failed ? xstrdup(error.message) : NULL;
}

enum status lab_say_kept(const struct lab *lab, struct text *text)
{
	const struct session *session = lab->session;
	size_t count = session->run_count;

	if (lab->aside.length)
		text_add_chars(text, lab->aside.chars, lab->aside.length - 1);
	if (!count || !session->changed)
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
