/*
 * Shared by the files of session.h: descriptions of the structs in a file, and
 * the reader.
 *
 * A table of fields has the members of an object in their order, and their
 * places in a struct. Writing and reading use the same table. Data that does
 * not fit a table (samples, figures, nested objects) is written and read by
 * separate functions.
 */
#ifndef BENCHTOP_SESSION_INTERNAL_H
#define BENCHTOP_SESSION_INTERNAL_H

#include "digest.h"
#include "json_internal.h"
#include "session.h"

enum {
	SESSION_POINTS_MAX = 4096,   /* per run */
	SESSION_LAUNCHES_MAX = 4096, /* per run */
	SESSION_PARAMETERS_MAX = 64,
	SESSION_SAMPLES_MAX = 4 << 20, /* per run, traces included: one tape */
	SESSION_UNKNOWN_MAX = 50,      /* maximum number of stored paths */
};

/* ---- fields ----------------------------------------------------------- */

struct field;

struct field_kind {
	void (*write)(const struct field *, const void *from, cJSON *object);
	void (*read)(const struct field *, void *into, struct json_reader *,
		const cJSON *object);
};

struct field {
	const char *name; /* NULL ends a table */
	const struct field_kind *kind;
	size_t offset;
	size_t size;              /* of kind_chars */
	const char *const *words; /* NULL-terminated */
};

/* The address of a field in a struct. */
static inline const void *field_at(const struct field *field, const void *from)
{
	return (const char *)from + field->offset;
}

static inline void *field_into(const struct field *field, void *base)
{
	return (char *)base + field->offset;
}

extern const struct field_kind kind_chars;    /* char [size] */
extern const struct field_kind kind_string;   /* char *, owned */
extern const struct field_kind kind_prose;    /* the same with line breaks */
extern const struct field_kind kind_optional; /* char *, owned; NULL is null */
extern const struct field_kind kind_number;   /* double; NaN is null */
extern const struct field_kind kind_unsigned; /* unsigned */
extern const struct field_kind kind_cpu;      /* int; -1 is null */
/* struct sibling; absent if unknown, null if there is none */
extern const struct field_kind kind_sibling;
extern const struct field_kind kind_auto;     /* int64_t; PARAM_AUTO is null */
extern const struct field_kind kind_seconds;  /* int64_t of nanoseconds */
extern const struct field_kind kind_seed;     /* uint64_t, always a string */
extern const struct field_kind kind_bool;     /* bool, or one of two words */
extern const struct field_kind kind_mark;     /* bool; absent if false */
extern const struct field_kind kind_known;    /* double; absent if 0 */
extern const struct field_kind kind_counted;  /* unsigned; absent if 0 */
extern const struct field_kind kind_filled;   /* like kind_chars; absent if
					       * "" */
extern const struct field_kind kind_word;     /* an enum, as a word */
extern const struct field_kind kind_set;      /* unsigned, its bits as words */
extern const struct field_kind kind_unit;     /* enum unit */
extern const struct field_kind kind_range;    /* struct range, [low, high] */
extern const struct field_kind kind_stop;     /* struct stop */

/* Adds a text that the reader accepts: each control character, except those in
 * `allowed`, is replaced by '?'. */
void session_add_text(cJSON *object, const char *name, const char *chars,
	const char *allowed);
void fields_write(const struct field *, const void *from, cJSON *object);
void fields_read(const struct field *, void *into, struct json_reader *,
	const cJSON *object);

extern const struct field session_machine[], session_cache[], session_disk[],
	session_network[], session_check[], session_note[], session_run[],
	session_clock[], session_sharing[], session_place[], session_plan[],
	session_prediction[], session_finding[], session_finding_unit[],
	session_metric[], session_launch[], session_point[], session_visit[],
	session_published[];

/* null if it does not exist; an end that is not finite is null too. */
void session_write_range(cJSON *to, const char *name, bool exists, double low,
	double high);

/* The names of quantiles, in the order of summary_quantile. */
extern const char *const session_quantiles[];

/* Forgets the unknown members, which are then lost on saving. */
void session_forget_unknown(struct session *);

/* ---- writing ---------------------------------------------------------- */

void session_write_prediction(const struct prediction *, cJSON *to,
	const char *name);
/* Without `samples`: only the figures, without the trials to recompute them. */
void session_write_point(const struct results *, const struct point *,
	bool samples, cJSON *points);
/* Adds the figures, from the median to the cycles. */
void session_write_figures(const struct results *, const struct point *,
	unsigned metric, cJSON *object);

/* ---- figures without trials ------------------------------------------- */

/* Writes what remains of the visits of a point: its launches, and of each the
 * usual latency half of a canary and the median reading of the memory ruler. */
void session_write_launches(const struct point *, cJSON *object);
/* Rounds figures to five digits. A rounded figure does not change again. */
double session_round(double);
void session_round_digest(struct digest *);

/* ---- reading ---------------------------------------------------------- */

struct session_reader {
	struct json_reader json;
	struct session *session; /* being read */
	size_t samples;          /* of the run so far */
	bool other_schema;       /* a session of another schema than 1.x */
	const cJSON **unknown;   /* every unknown member */
	size_t unknown_count;
};

/* Stores the members of an object that occur neither in the table nor in the
 * list; both may be NULL. */
void session_known(struct session_reader *, const cJSON *object,
	const struct field *, const char *const *names);
/* Counts samples; fails beyond the maximum. */
void session_count(struct session_reader *, size_t more);
/* Fails if a text contains characters, except those in `allowed`, that control
 * a terminal or change the order of the shown text. The path already leads to
 * the text. */
void session_check_text(struct json_reader *, const char *chars,
	const char *allowed);
/* A member that is a single line of text; "" after a failure. */
const char *session_get_text(struct json_reader *, const cJSON *object,
	const char *name);
/* The same for a member that was already found. */
const char *session_get_item(struct json_reader *, const cJSON *member);
/* Fails with the path of a member of the object. */
void session_fail_at(struct json_reader *, const char *name,
	const char *sentence);
/* Reads [low, high]; an end that is null becomes NaN. */
void session_read_range(struct json_reader *, const cJSON *object,
	const char *name, struct range *);
/* Calls `read` with each object of a list. */
void session_read_list(struct session_reader *, const cJSON *object,
	const char *name,
	void (*read)(struct session_reader *, const cJSON *item, void *into),
	void *into);
/* Reads an object that has only the fields of a table. */
void session_read_object(struct session_reader *, const cJSON *object,
	const char *name, const struct field *, void *into);
void session_read_prediction(struct session_reader *, const cJSON *object,
	const char *name, struct prediction *);
void session_read_run(struct session_reader *, const cJSON *run,
	struct results *);
void session_read_point(struct session_reader *, const cJSON *json,
	struct results *);
/* Reads the metrics and traces of a point whose visits have been read. */
void session_read_series(struct session_reader *, const cJSON *json,
	const struct results *, struct point *);

/* Reads the launches of a point without trials, as visits without trials. */
void session_read_launches(struct session_reader *, const cJSON *json,
	struct results *, struct point *);
/* Reads the figures of a metric without trials; the visits have been read. */
void session_read_stored(struct session_reader *, const cJSON *figures,
	const struct results *, struct point *, unsigned metric);

/* Parses JSON. Returns NULL with an error that it is not a session file. The
 * error has a position only in a text that begins like an object. */
cJSON *session_parse(const char *chars, size_t length, const char *name,
	struct error *);
/* Converts a tree to reader->session. Returns 0, or -1 with an error if it is
 * not a session. The reader must be released in both cases. */
int session_read_tree(struct session_reader *, const cJSON *tree,
	const char *name, struct error *);
void session_reader_release(struct session_reader *);

#endif
