/* Sessions as Markdown: a table of figures for each run. */
#include <math.h>
#include <string.h>

#include "digest.h"
#include "export_internal.h"
#include "finding_table.h"
#include "quality.h"

static void add_escaped_part(struct text *text, const char *chars,
	size_t length)
{
	struct text safe = { 0 };

	text_add_safe(&safe, chars, length);
	for (const char *at = text_chars(&safe); *at; at++) {
		if (strchr("|*_`<>[]\\#", *at))
			text_add_char(text, '\\');
		text_add_char(text, *at);
	}
	text_free(&safe);
}

static void add_escaped(struct text *text, const char *chars)
{
	add_escaped_part(text, chars, strlen(chars));
}

/* Line breaks of a note are kept; tabs are replaced. */
static void add_note(struct text *out, const char *chars)
{
	text_add_char(out, '\n');
	while (*chars) {
		size_t length = strcspn(chars, "\t\n");

		add_escaped_part(out, chars, length);
		chars += length;
		if (*chars)
			text_add(out, *chars++ == '\n' ? "  \n" : " ");
	}
	text_add_char(out, '\n');
}

static void add_fact(struct text *out, const char *name, const char *value)
{
	if (!*value)
		return;
	text_add(out, "| %s | ", name);
	add_escaped(out, value);
	text_add(out, " |\n");
}

static void add_machine(const struct machine *machine, struct text *out)
{
	struct text memory = { 0 };

	if (machine->memory_bytes > 0)
		unit_show(&memory, UNIT_BYTES, machine->memory_bytes);
	text_add(out, "| machine | |\n|---|---|\n");
	add_fact(out, "host", machine->hostname);
	add_fact(out, "processor", machine->cpu);
	add_fact(out, "memory", text_chars(&memory));
	add_fact(out, "kernel", machine->kernel);
	add_fact(out, "microcode", machine->microcode);
	add_fact(out, "governor", machine->governor);
	add_fact(out, "hypervisor", machine->hypervisor);
	add_fact(out, "mitigations", machine->mitigations);
	text_free(&memory);
}

static void add_cell(struct text *out, enum unit unit, double value,
	double like)
{
	text_add(out, " | ");
	if (isfinite(value))
		unit_show_like(out, unit, value, like);
}

static void add_counts(struct text *out, const struct point *point,
	const struct digest *digest)
{
	if (digest->published) {
		text_add(out, " | | | | ");
		add_escaped(out, digest->published->source);
	} else {
		text_add(out, " | %zu | %zu | ", digest->summary.launches,
			digest->summary.trials);
		unit_show(out, UNIT_PERCENT, digest->shared);
		text_add(out, " | ");
		if (point->state == POINT_INVALID)
			text_add(out, "invalid: ");
		if (point->why)
			add_escaped(out, point->why);
		else
			text_add(out, "%s", quality_word(digest->quality));
	}
	text_add(out, " |\n");
}

static void add_row(const struct results *run, const struct point *point,
	unsigned metric, struct text *out)
{
	enum unit unit = run->metrics[metric].unit;
	struct text name = { 0 };
	struct digest digest;

	if (!digest_of(run, point, metric, &digest))
		return;
	const struct summary *summary = &digest.summary;
	double like = digest.headline;
	point_describe(run, point, run->point_count > 1, &name);
	text_add(out, "| ");
	add_escaped(out, text_chars(&name));
	text_free(&name);
	text_add(out, " | ");
	add_escaped(out, run->metrics[metric].name);
	add_cell(out, unit, summary->median, like);
	text_add(out, " | ");
	if (summary->has_interval)
		unit_show_interval(out, unit, summary->interval.low,
			summary->interval.high, like);
	add_cell(out, unit, summary->mean, like);
	add_cell(out, unit, summary->sd_within, like);
	add_cell(out, unit, summary->sd_between, like);
	add_cell(out, unit, summary->min, like);
	add_cell(out, unit, summary->max, like);
	add_cell(out, unit, summary->max_deviation, like);
	add_counts(out, point, &digest);
}

/* Adds to the number of rows; stops if they have become too long. */
static void add_points(const struct results *run, size_t *rows,
	struct text *out)
{
	text_add(out,
		"| point | metric | median | 95 %% interval | mean | sd within "
		"| sd between | min | max | max deviation | launches | trials "
		"| shared | remarks |\n"
		"|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
		"---:|---|\n");
	for (size_t p = 0; p < run->point_count; p++) {
		const struct point *point = &run->points[p];

		if (export_too_long(out, *rows))
			return;
		*rows += 1 + run->metric_count;
		for (unsigned m = 0; m < run->metric_count; m++)
			if (run->metrics[m].kind != METRIC_TRACE)
				add_row(run, point, m, out);
		if (point->state != POINT_UNAVAILABLE)
			continue;
		text_add(out, "| ");
		struct text name = { 0 };
		point_describe(run, point, run->point_count > 1, &name);
		add_escaped(out, text_chars(&name));
		text_free(&name);
		text_add(out, " | | | | | | | | | | | | | unavailable: ");
		add_escaped(out, point->why ? point->why : "");
		text_add(out, " |\n");
	}
}

/* Findings per point. */
static void add_found(const struct results *run, struct text *out)
{
	struct finding_table found;

	if (finding_table_make(run, &found))
		text_add_char(out, '\n');
	for (size_t r = 0; found.cells && r <= found.rows; r++) {
		for (size_t c = 0; c < found.columns; c++) {
			text_add(out, "| ");
			add_escaped(out, finding_table_cell(&found, r, c));
			text_add_char(out, ' ');
		}
		text_add(out, "|\n");
		for (size_t c = 0; c < found.columns && !r; c++)
			text_add(out, c ? "|---:" : "|---");
		text_add(out, r ? "" : "|\n");
	}
	finding_table_free(&found);
}

static void add_run(const struct results *run, size_t *rows, struct text *out)
{
	text_add(out, "\n## ");
	add_escaped(out, run->experiment);
	if (run->title) {
		text_add(out, ": ");
		add_escaped(out, run->title);
	}
	text_add(out, "\n\n");
	if (run->asked) {
		text_add(out, "    ");
		text_add_safe(out, run->asked, strlen(run->asked));
		text_add(out, "\n\n");
	}
	add_points(run, rows, out);
	add_found(run, out);
	if (run->findings.count)
		text_add_char(out, '\n');
	for (size_t i = 0; i < run->findings.count; i++) {
		if (!*run->findings.list[i].sentence)
			continue;
		text_add(out, "- ");
		add_escaped(out, run->findings.list[i].sentence);
		text_add_char(out, '\n');
	}
	for (size_t i = 0; i < run->warning_count; i++) {
		text_add(out, "\n> ");
		add_escaped(out, run->warnings[i]);
		text_add_char(out, '\n');
	}
}

bool export_markdown(const struct session *session, struct text *out)
{
	size_t rows = 0;

	text_add(out, "# benchtop session\n\n");
	add_machine(&session->machine, out);
	for (size_t i = 0; i < session->note_count; i++)
		add_note(out, session->notes[i].text);
	for (size_t i = 0; i < session->run_count; i++)
		add_run(session->runs[i], &rows, out);
	return !export_too_long(out, rows);
}
