/* Verifies that the figures of a file follow from its trials. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "published.h"
#include "session_internal.h"
#include "sharing.h"

/* The path from the root, made to text only for a difference. */
struct step {
	const struct step *up;
	const char *name; /* of a member; NULL: an array element */
	size_t index;
};

struct comparison {
	const char *name;              /* of the file */
	struct session_reader *reader; /* knows the unknown members */
	bool old; /* figures were made by other rules */
	size_t numbers;
	struct error *error;
};

static void add_path(struct text *path, const struct step *step)
{
	if (!step)
		return;
	add_path(path, step->up);
	if (step->name)
		json_path_member(path, step->name);
	else
		json_path_element(path, step->index);
}

static void add_value(struct text *text, const cJSON *item)
{
	if (!item)
		text_add(text, "nothing");
	else if (cJSON_IsString(item))
		unit_quote(text, item->valuestring, strlen(item->valuestring));
	else if (cJSON_IsNumber(item))
		json_number(text, item->valuedouble);
	else if (cJSON_IsBool(item))
		text_add(text, cJSON_IsTrue(item) ? "true" : "false");
	else if (cJSON_IsArray(item))
		text_add(text, "an array of %d", cJSON_GetArraySize(item));
	else
		text_add(text, cJSON_IsNull(item) ? "null" : "an object");
}

static int differs(struct comparison *comparison, const struct step *step,
	const cJSON *file, const cJSON *again)
{
	struct text path = { 0 }, values = { 0 };

	add_path(&path, step);
	text_add(&values, "the file has ");
	add_value(&values, file);
	text_add(&values, ", its trials give ");
	add_value(&values, again);
	error_set(comparison->error, STATUS_INPUT, "%s: %s: %s",
		json_name_shown(comparison->name), text_chars(&path),
		text_chars(&values));
	text_free(&path);
	text_free(&values);
	return -1;
}

static int compare(struct comparison *, const struct step *, const cJSON *file,
	const cJSON *again);

static int compare_arrays(struct comparison *comparison,
	const struct step *step, const cJSON *file, const cJSON *again)
{
	const cJSON *a = file->child, *b = again->child;
	struct step inner = { .up = step };

	for (; a && b; a = a->next, b = b->next, inner.index++)
		if (compare(comparison, &inner, a, b))
			return -1;
	return a || b ? differs(comparison, step, file, again) : 0;
}

static int compare_pointers(const void *a, const void *b)
{
	const cJSON *x = *(const cJSON *const *)a;
	const cJSON *y = *(const cJSON *const *)b;

	return x < y ? -1 : x > y;
}

static bool is_unknown(const struct comparison *comparison, const cJSON *member)
{
	const struct session_reader *reader = comparison->reader;

	return reader->unknown_count &&
		bsearch(&member, reader->unknown, reader->unknown_count,
			sizeof *reader->unknown, compare_pointers);
}

/* These members describe the program that wrote the file, not a measurement. */
static bool is_about_the_writer(const struct step *step, const char *name)
{
	return !step && (!strcmp(name, "tool") || !strcmp(name, "schema"));
}

/* Versions below 7 had another cut between alone and shared, and figures alone
 * of launches whose co-runner came and went. So the figures of such files are
 * not compared. */
static bool is_old_figure(const struct comparison *comparison,
	const struct step *step, const char *name)
{
	static const char *const samples[] = { "ticks", "values", "flags",
		"ops", "derived", "unit", "published", NULL };
	bool of_metric = step && step->up && step->up->name &&
		!strcmp(step->up->name, "metrics");

	if (!comparison->old || !of_metric)
		return false;
	for (size_t i = 0; samples[i]; i++)
		if (!strcmp(name, samples[i]))
			return false;
	return true;
}

static int compare_objects(struct comparison *comparison,
	const struct step *step, const cJSON *file, const cJSON *again)
{
	const cJSON *next = file->child;

	for (const cJSON *b = again->child; b; b = b->next) {
		struct step inner = { .up = step, .name = b->string };
		const cJSON *a = next && !strcmp(next->string, b->string) ?
			next :
			json_find(file, b->string);

		next = a ? a->next : next;
		if (is_about_the_writer(step, b->string) ||
			is_old_figure(comparison, step, b->string))
			continue;
		if (compare(comparison, &inner, a, b))
			return -1;
	}
	for (const cJSON *a = file->child; a; a = a->next) {
		struct step inner = { .up = step, .name = a->string };

		if (!comparison->old && !is_unknown(comparison, a) &&
			!json_find(again, a->string))
			return differs(comparison, &inner, a, NULL);
	}
	return 0;
}

static bool same_scalar(const cJSON *file, const cJSON *again)
{
	if (cJSON_IsNumber(again))
		return file->valuedouble == again->valuedouble;
	if (cJSON_IsString(again))
		return !strcmp(file->valuestring, again->valuestring);
	return true;
}

static int compare(struct comparison *comparison, const struct step *step,
	const cJSON *file, const cJSON *again)
{
	if (!file || file->type != again->type)
		return differs(comparison, step, file, again);
	if (cJSON_IsArray(again))
		return compare_arrays(comparison, step, file, again);
	if (cJSON_IsObject(again))
		return compare_objects(comparison, step, file, again);
	comparison->numbers += cJSON_IsNumber(again);
	return same_scalar(file, again) ?
		0 :
		differs(comparison, step, file, again);
}

/* Reads the tree to a session, writes that session again, and compares both. */
static int verify_tree(const cJSON *file, struct session_reader *reader,
	struct comparison *comparison)
{
	struct text text = { 0 };

	if (session_read_tree(reader, file, comparison->name,
		    comparison->error))
		return -1;
	if (reader->unknown_count)
		qsort(reader->unknown, reader->unknown_count,
			sizeof *reader->unknown, compare_pointers);
	comparison->old = reader->session->minor < SESSION_MINOR_RULES;
	for (size_t i = 0; i < reader->session->run_count; i++)
		if (!reader->session->runs[i]->figures_only)
			sharing_rejudge(reader->session->runs[i]);
	session_write(reader->session, &text);
	cJSON *again = json_parse(text_chars(&text), text.length,
		comparison->name, comparison->error);
	text_free(&text);
	int failed = again ? compare(comparison, NULL, file, again) : -1;
	cJSON_Delete(again);
	return failed;
}

int session_verify(const char *path, size_t *checked, struct error *error)
{
	struct text text = { 0 };
	struct session_reader reader = { 0 };
	struct comparison comparison = {
		.name = path,
		.reader = &reader,
		.error = error,
	};
	cJSON *tree = NULL;

	if (!session_file_read(path, &text, error))
		tree = session_parse(text_chars(&text), text.length, path,
			error);
	text_free(&text);
	if (!tree)
		return -1;
	int failed = verify_tree(tree, &reader, &comparison);
	session_reader_release(&reader);
	cJSON_Delete(tree);
	*checked = comparison.numbers;
	return failed;
}
