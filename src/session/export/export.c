/* Sessions as CSV and JSON Lines. */
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "export_internal.h"
#include "json.h"
#include "memory.h"
#include "quality.h"

const char *const export_names[] = { "csv", "jsonl", "openmetrics", "markdown",
	"pcap", NULL };

/* Shared by all rows of an export. */
struct table {
	const struct session *session;
	enum export_format format;
	const char **params; /* of all runs, without duplicates; borrowed */
	size_t param_count;
	struct text *out;
	size_t rows;
};

static bool too_long(const struct table *table)
{
	return export_too_long(table->out, table->rows);
}

/* A row under construction, cell by cell. */
struct row {
	enum export_format format;
	struct text *out;
	bool first;
};

static void row_begin(struct row *row, enum export_format format,
	struct text *out)
{
	*row = (struct row){ format, out, true };
	if (format == EXPORT_JSONL)
		text_add_char(out, '{');
}

static void row_gap(struct row *row, const char *name)
{
	if (!row->first)
		text_add_char(row->out, ',');
	row->first = false;
	if (row->format == EXPORT_JSONL)
		text_add(row->out, "\"%s\":", name);
}

static void csv_text(struct text *out, const char *chars)
{
	bool formula = *chars && strchr("=+-@\t\r", *chars);

	if (!formula && !strpbrk(chars, ",\"\r\n")) {
		text_add(out, "%s", chars);
		return;
	}
	text_add_char(out, '"');
	if (formula)
		text_add_char(out, '\'');
	for (; *chars; chars++) {
		if (*chars == '"')
			text_add_char(out, '"');
		text_add_char(out, *chars);
	}
	text_add_char(out, '"');
}

static void row_text(struct row *row, const char *name, const char *chars)
{
	row_gap(row, name);
	if (row->format == EXPORT_CSV)
		csv_text(row->out, chars);
	else
		json_string(row->out, chars);
}

static void row_number(struct row *row, const char *name, double value)
{
	row_gap(row, name);
	if (row->format == EXPORT_CSV && !isfinite(value))
		return;
	json_number(row->out, value);
}

static void row_end(struct table *table, struct row *row)
{
	table->rows++;
	if (row->format == EXPORT_JSONL)
		text_add_char(row->out, '}');
	text_add(row->out, row->format == EXPORT_CSV ? "\r\n" : "\n");
}

static void row_point(struct row *row, const struct results *results,
	const struct point *point)
{
	struct text values = { 0 };

	point_describe(results, point, false, &values);
	row_text(row, "experiment", results->experiment);
	row_text(row, "started", results->started);
	row_text(row, "parameters", text_chars(&values));
	text_free(&values);
}

static const char *const point_states[] = { "ok", "unavailable", "invalid" };

static const char *param_of(const struct results *results,
	const struct point *point, const char *name)
{
	for (size_t i = 0; i < results->param_count; i++)
		if (!strcmp(results->param_names[i], name))
			return point->values[i];
	return NULL;
}

/* "20251120-091500-4711" from the name of an autosaved file; "" if the session
 * is not in a file. */
static void row_session(struct row *row, const struct session *session)
{
	const char *path = session->path ? session->path : "";
	const char *slash = strrchr(path, '/');
	struct text name = { 0 };

	path = slash ? slash + 1 : path;
	const char *dot = strrchr(path, '.');
	text_add_safe(&name, path, dot ? (size_t)(dot - path) : strlen(path));
	row_text(row, "session", text_chars(&name));
	text_free(&name);
}

static void row_origin(struct row *row, const struct table *table,
	const struct results *results, const struct point *point)
{
	struct text date = { 0 };

	row_session(row, table->session);
	row_text(row, "host", table->session->machine.hostname);
	text_add(&date, "%.10s", results->started);
	row_text(row, "date", text_chars(&date));
	text_free(&date);
	for (size_t i = 0; i < table->param_count; i++) {
		const char *value =
			param_of(results, point, table->params[i]);
		struct text name = { 0 };

		text_add(&name, "param_%s", table->params[i]);
		if (value)
			row_text(row, name.chars, value);
		else
			row_number(row, name.chars, NAN);
		text_free(&name);
	}
}

static void figures(struct table *table, const struct results *results,
	const struct point *point, unsigned metric)
{
	struct digest digest;
	struct row row;

	if (!digest_of(results, point, metric, &digest))
		return;
	const struct summary *summary = &digest.summary;
	double low = summary->has_interval ? summary->interval.low : NAN;
	double high = summary->has_interval ? summary->interval.high : NAN;
	row_begin(&row, table->format, table->out);
	row_point(&row, results, point);
	row_text(&row, "metric", results->metrics[metric].name);
	row_text(&row, "unit", unit_name(results->metrics[metric].unit));
	row_number(&row, "median", summary->median);
	row_number(&row, "ci_low", low);
	row_number(&row, "ci_high", high);
	row_number(&row, "min", summary->min);
	row_number(&row, "mean", summary->mean);
	row_number(&row, "max", summary->max);
	row_number(&row, "sd_within", summary->sd_within);
	row_number(&row, "sd_between", summary->sd_between);
	row_number(&row, "max_deviation", summary->max_deviation);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++) {
		struct text name = { 0 };

		text_add(&name, "p%g", summary_quantile[i] * 100);
		row_number(&row, text_chars(&name), summary->quantile[i]);
		text_free(&name);
	}
	row_number(&row, "cycles",
		digest.has_cycles ? digest.cycles.median : NAN);
	row_number(&row, "ops", (double)(digest.ops ? digest.ops : 1));
	row_number(&row, "trials", (double)summary->trials);
	row_number(&row, "launches", (double)summary->launches);
	row_text(&row, "quality",
		digest.published ? "" : quality_word(digest.quality));
	row_text(&row, "regime",
		digest.published ? "" : regime_name(digest.regime));
	row_number(&row, "shared", digest.shared);
	row_number(&row, "excluded", digest.excluded);
	row_number(&row, "median_alone", digest.by_regime[REGIME_ALONE].median);
	row_number(&row, "median_shared",
		digest.by_regime[REGIME_SHARED].median);
	row_number(&row, "median_all", digest.median_all);
	row_text(&row, "state", point_states[point->state]);
	row_text(&row, "stopped", stop_word(&results->stopped));
	row_text(&row, "published",
		digest.published ? digest.published->printed : "");
	row_text(&row, "source",
		digest.published ? digest.published->source : "");
	row_origin(&row, table, results, point);
	row_end(table, &row);
}

static void trials_of(struct table *table, const struct results *results,
	const struct point *point, unsigned metric)
{
	for (size_t v = 0; v < point->visit_count; v++) {
		double value;
		unsigned flags;

		for (size_t i = 0; results_trial(results, point, metric, v, i,
			     SCALE_UNIT, &value, &flags) &&
			!too_long(table);
			i++) {
			const struct visit *visit = &point->visits[v];
			struct row row;

			row_begin(&row, table->format, table->out);
			row_point(&row, results, point);
			row_text(&row, "metric", results->metrics[metric].name);
			row_text(&row, "unit",
				unit_name(results->metrics[metric].unit));
			row_number(&row, "launch", visit->launch + 1);
			row_number(&row, "clone", visit->clone);
			row_number(&row, "trial", (double)i);
			row_number(&row, "value", value);
			row_number(&row, "flags", flags);
			row_origin(&row, table, results, point);
			row_end(table, &row);
		}
	}
}

static void csv_head(const struct table *table, bool trials)
{
	struct text *out = table->out;

	text_add(out, "experiment,started,parameters,metric,unit,");
	if (trials) {
		text_add(out, "launch,clone,trial,value,flags");
	} else {
		text_add(out,
			"median,ci_low,ci_high,min,mean,max,sd_within,"
			"sd_between,max_deviation,");
		for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
			text_add(out, "p%g,", summary_quantile[i] * 100);
		text_add(out,
			"cycles,ops,trials,launches,quality,regime,shared,"
			"excluded,median_alone,median_shared,median_all,state,"
			"stopped,published,source");
	}
	text_add(out, ",session,host,date");
	for (size_t i = 0; i < table->param_count; i++)
		text_add(out, ",param_%s", table->params[i]);
	text_add(out, "\r\n");
}

/* Returns false if there are too many. */
static bool collect_params(struct table *table)
{
	const struct session *session = table->session;

	for (size_t r = 0; r < session->run_count; r++)
		for (size_t i = 0; i < session->runs[r]->param_count; i++) {
			const char *name = session->runs[r]->param_names[i];
			size_t at = 0;

			while (at < table->param_count &&
				strcmp(table->params[at], name) != 0)
				at++;
			if (at < table->param_count)
				continue;
			if (at == EXPORT_PARAMETERS_MAX)
				return false;
			ARRAY_GROW(table->params, table->param_count);
			table->params[table->param_count++] = name;
		}
	return true;
}

static void add_rows(struct table *table, bool trials)
{
	const struct session *session = table->session;

	for (size_t r = 0; r < session->run_count; r++) {
		const struct results *results = session->runs[r];

		for (size_t p = 0; p < results->point_count; p++)
			for (unsigned m = 0; m < results->metric_count &&
				!too_long(table); m++)
				(trials ? trials_of : figures)(table, results,
					&results->points[p], m);
	}
}

static int fail_long(struct error *error)
{
	return error_set(error, STATUS_INPUT,
		"the session's texts are too long for an export: expected rows "
		"of %d bytes or less on average",
		EXPORT_ROW_BYTES_MAX);
}

static int export_rows(struct table *table, bool trials, struct error *error)
{
	if (!collect_params(table))
		return error_set(error, STATUS_INPUT,
			"the session has more than %d different parameters: "
			"expected fewer for an export with a column for each",
			EXPORT_PARAMETERS_MAX);
	if (table->format == EXPORT_CSV)
		csv_head(table, trials);
	add_rows(table, trials);
	return too_long(table) ? fail_long(error) : 0;
}

int session_export(const struct session *session, enum export_format format,
	bool trials, struct text *out, struct error *error)
{
	struct table table = { session, format, NULL, 0, out, 0 };

	if (format == EXPORT_OPENMETRICS)
		return export_metrics(session, out) ? 0 : fail_long(error);
	if (format == EXPORT_MARKDOWN)
		return export_markdown(session, out) ? 0 : fail_long(error);
	int failed = export_rows(&table, trials, error);
	free(table.params);
	return failed;
}
