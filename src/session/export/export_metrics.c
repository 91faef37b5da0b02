/* Sessions as OpenMetrics, for the textfile collector of node_exporter: no time
 * stamps, no suffix that older parsers do not know, no duplicate series. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "export_internal.h"
#include "json.h"
#include "quality.h"
#include "regime.h"

/* Base units, and the factors that convert to them. */
static const struct base_unit {
	const char *suffix;
	double scale;
} units[UNIT_COUNTS] = {
	[UNIT_NONE] = { "", 1 },
	[UNIT_COUNT] = { "", 1 },
	[UNIT_BYTES] = { "bytes", 1 },
	[UNIT_NS] = { "seconds", 1e-9 },
	[UNIT_CYCLES] = { "cycles", 1 },
	[UNIT_TICKS] = { "ticks", 1 },
	[UNIT_HZ] = { "hertz", 1 },
	[UNIT_BYTES_PER_S] = { "bytes_per_second", 1 },
	[UNIT_BITS_PER_S] = { "bytes_per_second", 0.125 },
	[UNIT_PERCENT] = { "ratio", 1 },
	[UNIT_PPM] = { "ratio", 1e-6 },
	[UNIT_PACKETS] = { "packets", 1 },
};

/* One metric at one point. */
struct entry {
	size_t order;  /* of its run: the latest first */
	size_t family_order; /* of the first entry of its family */
	const struct results *run;
	const struct metric_info *info;
	struct digest digest;
	char *family; /* owned: benchtop_cpu_syscall_time_seconds */
	char *labels; /* owned: call="getppid",via="raw" */
};

struct entries {
	struct entry *list;
	size_t count;
	size_t label_bytes;
};

enum { LINES_OF_ENTRY = 24 };

/* ---- names ------------------------------------------------------------ */

static void add_name(struct text *text, const char *chars)
{
	for (; *chars; chars++)
		text_add_char(text,
			isalnum((unsigned char)*chars) ? *chars : '_');
}

static void add_line(struct text *text, const char *chars, size_t length)
{
	struct text safe = { 0 };

	text_add_safe(&safe, chars, length);
	for (size_t i = 0; i < safe.length; i++) {
		if (safe.chars[i] == '"' || safe.chars[i] == '\\')
			text_add_char(text, '\\');
		text_add_char(text, safe.chars[i]);
	}
	text_free(&safe);
}

/* Escapes for label values and for help. The format allows control characters,
 * but a terminal obeys them. */
static void add_escaped(struct text *text, const char *chars)
{
	for (;;) {
		size_t length = strcspn(chars, "\n");

		add_line(text, chars, length);
		if (!chars[length])
			return;
		text_add(text, "\\n");
		chars += length + 1;
	}
}

static void add_quoted(struct text *text, const char *chars)
{
	text_add_char(text, '"');
	add_escaped(text, chars);
	text_add_char(text, '"');
}

void metrics_label(struct text *text, const char *name, const char *value)
{
	if (!*value)
		return;
	text_add(text, "%s", text->length ? "," : "");
	add_name(text, name);
	text_add_char(text, '=');
	add_quoted(text, value);
}

static char *family_of(const struct results *run,
	const struct metric_info *info)
{
	const char *suffix = units[info->unit].suffix;
	struct text name = { 0 };

	text_add(&name, "benchtop_");
	add_name(&name, run->experiment);
	text_add_char(&name, '_');
	add_name(&name, info->name);
	if (*suffix)
		text_add(&name, "_%s", suffix);
	return text_take(&name);
}

/* Is it a label that has another meaning? */
static bool is_taken(const char *name)
{
	static const char *const taken[] = { "experiment", "level", "metric",
		"statistic" };

	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (!strcmp(name, taken[i]))
			return true;
	return false;
}

static char *labels_of(const struct results *run, const struct point *point)
{
	struct text labels = { 0 };
	const char *level = point_note(point, "level");

	for (size_t i = 0; i < run->param_count; i++) {
		struct text name = { 0 };

		if (is_taken(run->param_names[i]))
			text_add(&name, "param_");
		text_add(&name, "%s", run->param_names[i]);
		metrics_label(&labels, text_chars(&name), point->values[i]);
		text_free(&name);
	}
	if (level)
		metrics_label(&labels, "level", level);
	return labels.length ? text_take(&labels) : xstrdup("");
}

/* ---- entries ---------------------------------------------------------- */

/* Every line of an entry has its labels. */
static bool too_long(const struct entries *entries)
{
	return entries->label_bytes > EXPORT_BYTES_FREE / LINES_OF_ENTRY +
			entries->count * (size_t)EXPORT_ROW_BYTES_MAX;
}

static void add_entry(struct entries *entries, const struct results *run,
	const struct point *point, unsigned metric)
{
	struct entry entry = { .order = entries->count,
		.run = run,
		.info = &run->metrics[metric] };

	if (point->state != POINT_OK || entry.info->kind == METRIC_TRACE ||
		!digest_of(run, point, metric, &entry.digest))
		return;
	entry.family = family_of(run, entry.info);
	entry.labels = labels_of(run, point);
	entries->label_bytes += strlen(entry.labels);
	ARRAY_GROW(entries->list, entries->count);
	entries->list[entries->count++] = entry;
}

static int by_labels(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int family = strcmp(x->family, y->family);
	int labels = family ? family : strcmp(x->labels, y->labels);

	return labels ? labels : (x->order > y->order) - (x->order < y->order);
}

static int by_family_order(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->family_order != y->family_order)
		return x->family_order < y->family_order ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void free_entry(struct entry *entry)
{
	free(entry->family);
	free(entry->labels);
}

/* Removes all but the first entry of each series. The entries are sorted by
 * labels. */
static void remove_repeated(struct entries *entries)
{
	size_t kept = 0;

	for (size_t i = 0; i < entries->count; i++) {
		struct entry *entry = &entries->list[i];
		struct entry *last = kept ? &entries->list[kept - 1] : NULL;

		if (last && !strcmp(last->family, entry->family) &&
			!strcmp(last->labels, entry->labels))
			free_entry(entry);
		else
			entries->list[kept++] = *entry;
	}
	entries->count = kept;
}

/* Numbers families by their first entry. The entries are sorted by labels. */
static void number_families(struct entries *entries)
{
	struct entry *list = entries->list;

	for (size_t i = 0, end; i < entries->count; i = end) {
		size_t first = list[i].order;

		for (end = i; end < entries->count &&
			!strcmp(list[end].family, list[i].family);
			end++)
			if (list[end].order < first)
				first = list[end].order;
		for (size_t k = i; k < end; k++)
			list[k].family_order = first;
	}
}

static void sort(struct entries *entries,
	int (*compare)(const void *, const void *))
{
	if (entries->count)
		qsort(entries->list, entries->count, sizeof *entries->list,
			compare);
}

/* Begins with the latest run, which has priority over earlier ones. The entries
 * of a family are adjacent. */
static void gather_entries(const struct session *session,
	struct entries *entries)
{
	for (size_t r = session->run_count; r-- > 0;) {
		const struct results *run = session->runs[r];

		for (size_t p = 0; p < run->point_count; p++)
			for (unsigned m = 0; m < run->metric_count; m++)
				if (!too_long(entries))
					add_entry(entries, run, &run->points[p],
						m);
	}
	sort(entries, by_labels);
	remove_repeated(entries);
	number_families(entries);
	sort(entries, by_family_order);
}

static void free_entries(struct entries *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		free_entry(&entries->list[i]);
	free(entries->list);
}

/* ---- families --------------------------------------------------------- */

void metrics_head(const char *family, const char *unit, const char *help,
	struct text *out)
{
	text_add(out, "# TYPE %s gauge\n", family);
	if (*unit)
		text_add(out, "# UNIT %s %s\n", family, unit);
	text_add(out, "# HELP %s ", family);
	add_escaped(out, help);
	text_add_char(out, '\n');
}

static void add_sample(const struct entry *entry, const char *statistic,
	double value, struct text *out)
{
	if (!isfinite(value))
		return;
	text_add(out, "%s{statistic=\"%s\"%s%s} ", entry->family, statistic,
		*entry->labels ? "," : "", entry->labels);
	json_number(out, value * units[entry->info->unit].scale);
	text_add_char(out, '\n');
}

static void add_samples(const struct entry *entry, struct text *out)
{
	const struct summary *summary = &entry->digest.summary;
	double low = summary->has_interval ? summary->interval.low : NAN;
	double high = summary->has_interval ? summary->interval.high : NAN;
	const struct published *published = entry->digest.published;

	add_sample(entry, "median", summary->median, out);
	add_sample(entry, "ci_low", low, out);
	add_sample(entry, "ci_high", high, out);
	add_sample(entry, "min", summary->min, out);
	add_sample(entry, "mean", summary->mean, out);
	add_sample(entry, "max", summary->max, out);
	add_sample(entry, "sd_within", summary->sd_within, out);
	add_sample(entry, "sd_between", summary->sd_between, out);
	add_sample(entry, "max_deviation", summary->max_deviation, out);
	if (published && published->figure == PUBLISHED_VALUE)
		add_sample(entry, "value", published->value, out);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++) {
		struct text name = { 0 };

		text_add(&name, "p%g", summary_quantile[i] * 100);
		add_sample(entry, name.chars, summary->quantile[i], out);
		text_free(&name);
	}
}

static void add_families(const struct entries *entries, struct text *out)
{
	for (size_t i = 0; i < entries->count; i++) {
		const struct entry *entry = &entries->list[i];
		const char *label = entry->info->label;

		if (!i || entry[-1].family_order != entry->family_order)
			metrics_head(entry->family,
				units[entry->info->unit].suffix,
				*label ? label : entry->info->name, out);
		add_samples(entry, out);
	}
}

/* Adds the labels of a sample that every metric has, without the closing
 * brace. */
static void begin_sample(const struct entry *entry, const char *name,
	struct text *out)
{
	text_add(out, "%s{experiment=", name);
	add_quoted(out, entry->run->experiment);
	text_add(out, ",metric=");
	add_quoted(out, entry->info->name);
	text_add(out, "%s%s", *entry->labels ? "," : "", entry->labels);
}

/* Adds a fraction of each metric's trials. */
static void add_share(const struct entries *entries, const char *name,
	const char *help, bool shared, struct text *out)
{
	metrics_head(name, "ratio", help, out);
	for (size_t i = 0; i < entries->count; i++) {
		const struct entry *entry = &entries->list[i];

		if (entry->digest.published)
			continue;
		begin_sample(entry, name, out);
		text_add(out, "} ");
		json_number(out,
			shared ? entry->digest.shared : entry->digest.excluded);
		text_add_char(out, '\n');
	}
}

/* Adds the verdict on each headline, and of which trials it is. */
static void add_quality(const struct entries *entries, struct text *out)
{
	static const char name[] = "benchtop_quality";

	metrics_head(name, "", "Quality and regime of the headline", out);
	for (size_t i = 0; i < entries->count; i++) {
		const struct digest *digest = &entries->list[i].digest;

		if (digest->published)
			continue;
		begin_sample(&entries->list[i], name, out);
		text_add(out, ",quality=");
		add_quoted(out, quality_word(digest->quality));
		text_add(out, ",regime=");
		add_quoted(out, regime_name(digest->regime));
		text_add(out, "} 1\n");
	}
}

/* Adds figures for the reliability of every metric. */
static void add_trust(const struct entries *entries, struct text *out)
{
	add_share(entries, "benchtop_shared_ratio",
		"Share of the trials beside a co-runner on the core", true,
		out);
	add_share(entries, "benchtop_excluded_ratio",
		"Share of the trials that were excluded, such as interrupted "
		"trials",
		false, out);
	add_quality(entries, out);
}

static void add_machine(const struct session *session, struct text *out)
{
	const struct machine *machine = &session->machine;
	struct text labels = { 0 };

	metrics_label(&labels, "cpu", machine->cpu);
	metrics_label(&labels, "kernel", machine->kernel);
	metrics_label(&labels, "microcode", machine->microcode);
	metrics_label(&labels, "governor", machine->governor);
	metrics_label(&labels, "hypervisor", machine->hypervisor);
	metrics_head("benchtop_machine", "", "The measured machine and program",
		out);
	text_add(out, "benchtop_machine{%s} 1\n", text_chars(&labels));
	text_free(&labels);
}

bool export_metrics(const struct session *session, struct text *out)
{
	struct entries entries = { 0 };

	gather_entries(session, &entries);
	bool fits = !too_long(&entries);
	if (fits) {
		add_machine(session, out);
		add_families(&entries, out);
		add_trust(&entries, out);
		text_add(out, "# EOF\n");
	}
	free_entries(&entries);
	return fits;
}
