/*
 * A session: the machine, its environment, notes and runs, in one JSON file.
 *
 * The file is described by assets/session.schema.json. It contains every trial,
 * and every figure that was printed. Figures are recomputed when the file is
 * written, so session_verify() proves that they follow from the trials. A
 * published figure may have no trials; it names its source instead and cannot
 * be recomputed. Rules for lossless JSON: integers above 2^53 are decimal
 * strings, every other number reads back as the same double, a figure that does
 * not exist is null, samples are plain arrays.
 *
 * A file of a newer minor version can be loaded. Members that this version does
 * not know are listed and would be lost, so such a session is not saved over
 * its file unless forced. A newer major version is an error. A file that is not
 * a session, or incomplete, is an error with line and column or the path of the
 * member, and nothing is loaded.
 */
#ifndef BENCHTOP_SESSION_H
#define BENCHTOP_SESSION_H

#include "doctor.h"
#include "error.h"
#include "file_mark.h"
#include "machine.h"
#include "results.h"
#include "text.h"

enum { SESSION_MAJOR = 1, SESSION_MINOR = 8 };
/* Since these versions, figures are by regime, and made by the present
 * rules. */
enum { SESSION_MINOR_REGIMES = 3, SESSION_MINOR_RULES = 8 };

struct session_note {
	char *at; /* ISO 8601 */
	char *text;
};

/* Results of the doctor when the session began, with their texts. */
struct session_check {
	char *check, *verdict, *found;
};

struct session {
	char *path;     /* from which it was loaded, or to which it was saved */
	struct file_mark mark; /* of that file then */
	bool changed;   /* since the last load or save */
	unsigned minor; /* of the file that was read; SESSION_MINOR */
	bool newer;     /* of a newer minor version: see `unknown` */
	char **unknown; /* paths of unknown members */
	size_t unknown_count;
	char *tool_version; /* of the benchtop that measured; NULL: this one */
	struct machine machine;
	struct session_check *checks;
	size_t check_count;
	struct session_note *notes;
	size_t note_count;
	struct results **runs; /* owned, oldest first */
	size_t run_count;
};

struct session *session_new(void);
void session_free(struct session *);
/* Takes ownership of the results. */
void session_add_run(struct session *, struct results *);
void session_add_note(struct session *, const char *text);
/* Changes the text of note `i` and keeps its time; deletes note `i`. */
void session_change_note(struct session *, size_t i, const char *text);
void session_delete_note(struct session *, size_t i);
void session_set_checks(struct session *, const struct doctor *);
/* True without runs and notes, if the doctor found nothing. */
bool session_is_empty(const struct session *);
/* The number of runs whose trials are not in the session. */
size_t session_stored(const struct session *);
/* The latest run of an experiment, or NULL. */
struct results *session_last(const struct session *, const char *experiment);
/* The latest run that provides a quantity, or NULL. */
const struct results *session_last_providing(const struct session *,
	enum quantity);

/* Adds the whole file as text. The same session always gives the same bytes. */
void session_write(const struct session *, struct text *);
/* Adds one run, or the machine, as a separate object: figures without samples,
 * for `run --json`. */
void session_write_run(const struct results *, struct text *);
void session_write_machine(const struct machine *, struct text *);
/* Parses a text; `name` is used in messages. Returns NULL with an error. */
struct session *session_read(const char *chars, size_t length, const char *name,
	struct error *);

/* True for a time in the format of sessions: 2025-03-01T12:00:00+0100. */
bool session_is_time(const char *);
/* Checks a run for values that no lab can have measured: a clock rate of 0, a
 * plan out of range. Returns NULL, or what is expected of which member. *object
 * is NULL if the member belongs to the run itself. */
const char *session_impossible(const struct results *, const char **object,
	const char **member);

/* Saves atomically (file.h). Without `force` it refuses to overwrite a session
 * of a newer version, or a file that is not a session. Stores the path and
 * clears `changed`. */
int session_save(struct session *, const char *path, bool force,
	struct error *);
/* Saves a copy to another path. The session keeps its own path, its state, and
 * the list of unknown members. */
int session_save_copy(const struct session *, const char *path, struct error *);
struct session *session_load(const char *path, struct error *);

/* Recomputes every figure of a file from its trials, and the flags that follow
 * from canaries. Returns 0 if all agree, with the number of compared values in
 * *checked; or -1 with the first difference: its path and both values. Figures
 * of minor versions below 3 follow other rules and are not compared. */
int session_verify(const char *path, size_t *checked, struct error *);

#endif
