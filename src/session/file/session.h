/*
 * A session: the machine, its environment, notes and runs, in one JSON file.
 *
 * The file is described by assets/session.schema.json. It holds every trial,
 * and every figure that was printed; the figures are recomputed when it is
 * written again, so session_verify() is a proof that they follow from the
 * trials. A figure may also be there without trials, as somebody published it;
 * it then names its source, and there is nothing to recompute. Rules that make
 * JSON lossless: integers above 2^53 are decimal strings, every other number is
 * printed so that reading it back gives the same double, a figure that does not
 * exist is null, samples are plain arrays.
 *
 * A file of a newer minor version loads; the members this benchtop does not
 * know are named and would be lost, so such a session is not saved over its
 * file unless told to. A newer major version is refused. A file that is not a
 * session, or not whole, is refused with its line and column or the path of
 * the member, and nothing of it is loaded.
 */
#ifndef BENCHTOP_SESSION_H
#define BENCHTOP_SESSION_H

#include "doctor.h"
#include "error.h"
#include "machine.h"
#include "results.h"
#include "text.h"

enum { SESSION_MAJOR = 1, SESSION_MINOR = 3 };
enum { SESSION_MINOR_REGIMES = 3 }; /* from which on figures are by regime */

struct session_note {
	char *at; /* ISO 8601 */
	char *text;
};

/* What the doctor found when the session began: kept as it was said. */
struct session_check {
	char *check, *verdict, *found;
};

struct session {
	char *path;     /* where it was loaded from or saved to */
	bool changed;   /* since then */
	unsigned minor; /* of the file it was read from; SESSION_MINOR */
	bool newer;     /* of a newer minor version: see `unknown` */
	char **unknown; /* paths of members that were not understood */
	size_t unknown_count;
	char *tool_version; /* of the benchtop that measured; NULL: this */
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
/* Takes the results over. */
void session_add_run(struct session *, struct results *);
void session_add_note(struct session *, const char *text);
/* Note `i` says something else, its time stays; or goes. */
void session_change_note(struct session *, size_t i, const char *text);
void session_delete_note(struct session *, size_t i);
void session_set_checks(struct session *, const struct doctor *);
/* No runs, no notes, and the doctor found nothing. */
bool session_is_empty(const struct session *);
/* The latest run of an experiment, or NULL. */
struct results *session_last(const struct session *, const char *experiment);
/* The latest run that provides a quantity, or NULL. */
const struct results *session_last_providing(const struct session *,
	enum quantity);

/* The whole file as text. Deterministic: the same session, the same bytes. */
void session_write(const struct session *, struct text *);
/* One run, and the machine, as objects of their own: figures without samples
 * for `run --json`. */
void session_write_run(const struct results *, struct text *);
void session_write_machine(const struct machine *, struct text *);
/* Reads a text; `name` stands for it in sentences. NULL after an error. */
struct session *session_read(const char *chars, size_t length, const char *name,
	struct error *);

/* Is it a time as sessions have them: 2025-03-01T12:00:00+0100? */
bool session_is_time(const char *);
/* What in a run no lab could have measured: a clock that stands still, a plan
 * out of range. NULL: nothing; else what was expected, and of which member;
 * *object is NULL where it is one of the run itself. */
const char *session_impossible(const struct results *, const char **object,
	const char **member);

/* Saves atomically (file.h); refuses to overwrite a session of a newer version,
 * or a file that is no session, unless `force`. Remembers the path and clears
 * `changed`. */
int session_save(struct session *, const char *path, bool force,
	struct error *);
/* The same beside its file, which it goes on being of: nothing is remembered,
 * and what it did not understand of that file still is not lost there. */
int session_save_copy(const struct session *, const char *path, struct error *);
struct session *session_load(const char *path, struct error *);

/* Recomputes every figure of a file from its trials, and the flags that follow
 * from canaries. 0: all agree, *checked is how many numbers were compared. -1:
 * the first member that differs, with both values, by its path. Figures of
 * minor versions below 3 follow other rules, and are not compared. */
int session_verify(const char *path, size_t *checked, struct error *);

#endif
