/* CSV and JSON Lines: every figure reads back as the same double, and any text
 * stays in its cell. */
#include "export.h"

#include <string.h>

#include "digest.h"
#include "json.h"
#include "quality.h"
#include "sample_session.h"

enum { CELLS_MAX = 64 };

/* One record by RFC 4180, read from *at on; the caller frees its cells. */
static size_t read_record(const char **at, char *cells[CELLS_MAX])
{
	size_t count = 0;
	bool more = true;

	while (more) {
		struct text cell = { 0 };

		if (**at == '"') {
			for ((*at)++; **at != '"' || (*at)[1] == '"'; (*at)++) {
				*at += **at == '"';
				assert_int_not_equal(**at, '\0');
				text_add_char(&cell, **at);
			}
			(*at)++;
		} else {
			size_t length = strcspn(*at, ",\"\r\n");

			text_add_chars(&cell, *at, length);
			*at += length;
		}
		assert_true(count < CELLS_MAX);
		cells[count++] = text_take(&cell);
		more = **at == ',';
		*at += more;
	}
	assert_memory_equal(*at, "\r\n", 2);
	*at += 2;
	return count;
}

static void free_cells(char *cells[CELLS_MAX], size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(cells[i]);
}

static struct text exported(const struct session *session,
	enum export_format format, bool trials)
{
	struct text text = { 0 };

	assert_int_equal(session_export(session, format, trials, &text, NULL),
		0);
	return text;
}

static size_t column_of(char *const *head, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(head[i], name))
			return i;
	fail_msg("no column %s", name);
	return 0;
}

/* The cell has exactly this double, or is empty if there is none. */
static void assert_cell(char *const *head, char *const *cells, size_t count,
	const char *name, double value)
{
	const char *cell = cells[column_of(head, count, name)];
	char *end;

	if (!isfinite(value)) {
		assert_string_equal(cell, "");
		return;
	}
	assert_true(strtod(cell, &end) == value);
	assert_true(*cell && !*end);
}

static void check_figures(char *const *head, char *const *cells, size_t count,
	const struct digest *digest)
{
	const struct summary *clean = &digest->summary;
	bool has = clean->has_interval;

	assert_cell(head, cells, count, "median", clean->median);
	assert_cell(head, cells, count, "ci_low",
		has ? clean->interval.low : NAN);
	assert_cell(head, cells, count, "ci_high",
		has ? clean->interval.high : NAN);
	assert_cell(head, cells, count, "min", clean->min);
	assert_cell(head, cells, count, "mean", clean->mean);
	assert_cell(head, cells, count, "max", clean->max);
	assert_cell(head, cells, count, "sd_within", clean->sd_within);
	assert_cell(head, cells, count, "sd_between", clean->sd_between);
	assert_cell(head, cells, count, "max_deviation", clean->max_deviation);
	assert_cell(head, cells, count, "p50", clean->quantile[3]);
	assert_cell(head, cells, count, "p99.9", clean->quantile[8]);
	assert_cell(head, cells, count, "shared", digest->shared);
	assert_cell(head, cells, count, "excluded", digest->excluded);
	assert_cell(head, cells, count, "median_alone",
		digest->by_regime[REGIME_ALONE].median);
	assert_cell(head, cells, count, "median_shared",
		digest->by_regime[REGIME_SHARED].median);
	assert_cell(head, cells, count, "median_all", digest->median_all);
	assert_string_equal(cells[column_of(head, count, "quality")],
		quality_word(digest->quality));
	assert_string_equal(cells[column_of(head, count, "regime")],
		regime_name(digest->regime));
	assert_cell(head, cells, count, "trials", (double)clean->trials);
	assert_cell(head, cells, count, "launches", (double)clean->launches);
}

static void check_origin(char *const *head, char *const *cells, size_t count,
	const struct session *session, size_t p)
{
	const struct results *r = session->runs[0];

	for (size_t i = 0; i < r->param_count; i++) {
		char name[64];

		snprintf(name, sizeof name, "param_%s", r->param_names[i]);
		assert_string_equal(cells[column_of(head, count, name)],
			r->points[p].values[i]);
	}
	assert_string_equal(cells[column_of(head, count, "session")], "monday");
	assert_string_equal(cells[column_of(head, count, "host")],
		session->machine.hostname);
	assert_memory_equal(cells[column_of(head, count, "date")], r->started,
		10);
}

/* A row per run, point and metric that has trials, in their order. */
static void test_csv_figures(void **state)
{
	struct session *session = sample_session();

	free(session->path);
	session->path = strdup("/somewhere/monday.json");
	struct text text = exported(session, EXPORT_CSV, false);
	const struct results *r = session->runs[0];
	const char *at = text.chars;
	char *head[CELLS_MAX], *cells[CELLS_MAX];
	size_t columns = read_record(&at, head);
	size_t rows = 0, parted = 0;

	for (size_t p = 0; p < r->point_count; p++)
		for (unsigned m = 0; m < r->metric_count; m++) {
			struct digest digest;

			if (!digest_of(r, &r->points[p], m, &digest))
				continue;
			parted += digest.trials > digest.summary.trials;
			assert_int_equal(read_record(&at, cells), columns);
			assert_string_equal(cells[0], "cpu.syscall");
			assert_string_equal(
				cells[column_of(head, columns, "metric")],
				r->metrics[m].name);
			check_figures(head, cells, columns, &digest);
			check_origin(head, cells, columns, session, p);
			free_cells(cells, columns);
			rows++;
		}
	assert_true(rows > 5);
	assert_true(parted > 0);
	assert_int_equal(*at, '\0');
	free_cells(head, columns);
	text_free(&text);
	session_free(session);
}

static void test_csv_trials(void **state)
{
	struct session *session = sample_session();
	struct text text = exported(session, EXPORT_CSV, true);
	const struct results *r = session->runs[0];
	const struct point *point = &r->points[0];
	const char *at = text.chars;
	char *head[CELLS_MAX], *cells[CELLS_MAX];
	size_t columns = read_record(&at, head);

	/* The first metric of the first point comes first. */
	for (size_t v = 0; v < point->visit_count; v++) {
		double value;
		unsigned flags;

		for (size_t i = 0; results_trial(r, point, 0, v, i, SCALE_UNIT,
			     &value, &flags);
			i++) {
			assert_int_equal(read_record(&at, cells), columns);
			assert_cell(head, cells, columns, "value", value);
			assert_cell(head, cells, columns, "flags", flags);
			assert_cell(head, cells, columns, "launch",
				point->visits[v].launch + 1);
			assert_cell(head, cells, columns, "trial", (double)i);
			free_cells(cells, columns);
		}
	}
	free_cells(head, columns);
	text_free(&text);
	session_free(session);
}

/* Text that is hostile to CSV or to a spreadsheet. */
static void test_quoting(void **state)
{
	static const struct {
		const char *value, *cell;
	} rows[] = {
		{ "plain", "call=plain via=raw" },
		{ "a,b", "call=a,b via=raw" },
		{ "say \"no\"", "call=say \"no\" via=raw" },
		{ "two\r\nlines", "call=two\\x0d\\x0alines via=raw" },
		{ "\xc3\xa4", "call=\xc3\xa4 via=raw" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct session *session = sample_session();
		struct point *point = &session->runs[0]->points[0];
		char *head[CELLS_MAX], *cells[CELLS_MAX];

		free(point->values[0]);
		point->values[0] = xstrdup(rows[i].value);
		struct text text = exported(session, EXPORT_CSV, false);
		const char *at = text.chars;
		size_t columns = read_record(&at, head);
		assert_int_equal(read_record(&at, cells), columns);
		assert_string_equal(
			cells[column_of(head, columns, "parameters")],
			rows[i].cell);
		free_cells(head, columns);
		free_cells(cells, columns);
		text_free(&text);
		session_free(session);
	}
}

/* A cell that a spreadsheet would evaluate is marked as text. */
static void test_formula(void **state)
{
	static const char *const names[] = { "=1+1", "+1", "-1", "@x", "\tx" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct session *session = sample_session();
		struct results *r = session->runs[0];
		struct text wanted = { 0 };

		free(r->experiment);
		r->experiment = xstrdup(names[i]);
		struct text text = exported(session, EXPORT_CSV, false);
		text_add(&wanted, "\r\n\"'%s\",", names[i]);
		assert_non_null(strstr(text.chars, wanted.chars));
		text_free(&wanted);
		text_free(&text);
		session_free(session);
	}
}

/* Every line is one object with the members of the CSV head. */
static void check_lines(bool trials)
{
	struct session *session = sample_session();
	struct text csv = exported(session, EXPORT_CSV, trials);
	struct text text = exported(session, EXPORT_JSONL, trials);
	const char *at = csv.chars;
	char *head[CELLS_MAX], *cells[CELLS_MAX], *save = NULL;
	size_t columns = read_record(&at, head);

	for (char *line = strtok_r(text.chars, "\n", &save); line;
		line = strtok_r(NULL, "\n", &save)) {
		const char *end;
		cJSON *object = cJSON_ParseWithOpts(line, &end, true);

		assert_true(cJSON_IsObject(object));
		assert_int_equal(cJSON_GetArraySize(object), columns);
		read_record(&at, cells);
		for (size_t i = 0; i < columns; i++) {
			cJSON *item = cJSON_GetObjectItemCaseSensitive(object,
				head[i]);

			assert_non_null(item);
			if (cJSON_IsNumber(item))
				assert_true(item->valuedouble ==
					strtod(cells[i], NULL));
			else if (cJSON_IsNull(item))
				assert_string_equal(cells[i], "");
			else
				assert_string_equal(item->valuestring,
					cells[i]);
		}
		free_cells(cells, columns);
		cJSON_Delete(object);
	}
	assert_int_equal(*at, '\0');
	free_cells(head, columns);
	text_free(&csv);
	text_free(&text);
	session_free(session);
}

static void test_jsonl(void **state)
{
	check_lines(false);
	check_lines(true);
}

static void test_empty(void **state)
{
	struct session *session = session_new();
	struct text csv = exported(session, EXPORT_CSV, false);
	struct text lines = exported(session, EXPORT_JSONL, false);

	assert_int_equal(strcspn(csv.chars, "\r"), csv.length - 2);
	assert_int_equal(lines.length, 0);
	text_free(&csv);
	text_free(&lines);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv_figures),
		cmocka_unit_test(test_csv_trials),
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_formula),
		cmocka_unit_test(test_jsonl),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
