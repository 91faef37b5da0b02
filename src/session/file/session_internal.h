/*
 * What the files of session.h share: a description of each struct that is
 * read as it was written, and the reader.
 *
 * A table of fields names the members of an object in their order and where
 * they live in a struct; writing and reading go by the same table. What does
 * not fit a table (samples, figures, nesting) is written and read by hand.
 */
#ifndef BENCHTOP_SESSION_INTERNAL_H
#define BENCHTOP_SESSION_INTERNAL_H

#include "json_internal.h"
#include "session.h"

enum {
	SESSION_POINTS_MAX = 4096,   /* of a run */
	SESSION_LAUNCHES_MAX = 4096, /* of a run */
	SESSION_PARAMETERS_MAX = 64,
	SESSION_SAMPLES_MAX = 4 << 20, /* of a run, traces included: a tape */
	SESSION_UNKNOWN_MAX = 50,      /* paths that are kept */
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

/* Where a field lives. */
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
/* struct sibling; absent where unknown, null where there is none */
extern const struct field_kind kind_sibling;
extern const struct field_kind kind_auto;     /* int64_t; PARAM_AUTO is null */
extern const struct field_kind kind_seconds;  /* int64_t of nanoseconds */
extern const struct field_kind kind_seed;     /* uint64_t, a string always */
extern const struct field_kind kind_bool;     /* bool, or one of two words */
extern const struct field_kind kind_mark;     /* bool; absent where false */
extern const struct field_kind kind_known;    /* double; absent where 0 */
extern const struct field_kind kind_counted;  /* unsigned; absent where 0 */
extern const struct field_kind kind_filled;   /* as chars; absent where "" */
extern const struct field_kind kind_word;     /* an enum as one of the words */
extern const struct field_kind kind_set;      /* unsigned of bits as words */
extern const struct field_kind kind_unit;     /* enum unit */
extern const struct field_kind kind_range;    /* struct range, [low, high] */
extern const struct field_kind kind_stop;     /* struct stop */

/* A text that a reader takes again: '?' for each character that a terminal
 * would obey, other than those `allowed`. */
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

/* null where it does not exist, and for an end that is not finite. */
void session_write_range(cJSON *to, const char *name, bool exists, double low,
	double high);

/* The names of quantiles, in the order of summary_quantile. */
extern const char *const session_quantiles[];

/* The members that were not understood are lost from now on. */
void session_forget_unknown(struct session *);

/* ---- writing ---------------------------------------------------------- */

void session_write_prediction(const struct prediction *, cJSON *to,
	const char *name);
/* Without `samples`: the figures, and nothing to recompute them from. */
void session_write_point(const struct results *, const struct point *,
	bool samples, cJSON *points);
/* From its median to its cycles. */
void session_write_figures(const struct results *, const struct point *,
	unsigned metric, cJSON *object);

/* ---- reading ---------------------------------------------------------- */

struct session_reader {
	struct json_reader json;
	struct session *session; /* what is being made */
	size_t samples;          /* of the run so far */
	const cJSON **unknown;   /* every member that was not understood */
	size_t unknown_count;
};

/* Notes the members of an object that neither the table (or NULL) nor the
 * list (or NULL) names. */
void session_known(struct session_reader *, const cJSON *object,
	const struct field *, const char *const *names);
/* Counts samples, and fails beyond the most. */
void session_count(struct session_reader *, size_t more);
/* Fails where a text of a file has characters that a terminal would obey or
 * that reorder what it shows, other than those `allowed`. The path already
 * leads to the text. */
void session_check_text(struct json_reader *, const char *chars,
	const char *allowed);
/* A member that is a text of one line; "" after a failure. */
const char *session_get_text(struct json_reader *, const cJSON *object,
	const char *name);
/* The same of a member that is at hand already. */
const char *session_get_item(struct json_reader *, const cJSON *member);
/* Fails at a member of the object. */
void session_fail_at(struct json_reader *, const char *name,
	const char *sentence);
/* [low, high]; an end that is null becomes NaN. */
void session_read_range(struct json_reader *, const cJSON *object,
	const char *name, struct range *);
/* Calls `read` with each object of a list. */
void session_read_list(struct session_reader *, const cJSON *object,
	const char *name,
	void (*read)(struct session_reader *, const cJSON *item, void *into),
	void *into);
/* An object of the fields of a table and nothing else. */
void session_read_object(struct session_reader *, const cJSON *object,
	const char *name, const struct field *, void *into);
void session_read_prediction(struct session_reader *, const cJSON *object,
	const char *name, struct prediction *);
void session_read_run(struct session_reader *, const cJSON *run,
	struct results *);
void session_read_point(struct session_reader *, const cJSON *json,
	struct results *);
/* The metrics and traces of a point whose visits have been read. */
void session_read_series(struct session_reader *, const cJSON *json,
	const struct results *, struct point *);

/* Reads a tree into reader->session; -1 and *error where it is none. The
 * reader has to be released. */
int session_read_tree(struct session_reader *, const cJSON *tree,
	const char *name, struct error *);
void session_reader_release(struct session_reader *);

#endif
