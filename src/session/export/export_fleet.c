/* A fleet as OpenMetrics, for the same collectors as a session. */
#include <math.h>

#include "export_internal.h"
#include "fleet_sessions.h"
#include "json.h"

static void add_sample(const char *family, const struct text *labels,
	double value, struct text *out)
{
	if (!isfinite(value))
		return;
	text_add(out, "%s{%s} ", family, text_chars(labels));
	json_number(out, value);
	text_add_char(out, '\n');
}

static void label_series(const struct fleet_title *title, struct text *labels)
{
	metrics_label(labels, "experiment", title->experiment);
	metrics_label(labels, "setting", title->setting);
	metrics_label(labels, "metric", title->metric);
}

static void add_ratios(const struct fleet_sessions *sessions, struct text *out)
{
	static const char family[] = "benchtop_fleet_ratio";
	const struct fleet *fleet = &sessions->fleet;

	metrics_head(family, "ratio",
		"Figure of a machine over the fleet's median, above 1: slower",
		out);
	for (size_t m = 0; m < fleet->machine_count; m++)
		for (size_t s = 0; s < fleet->series_count; s++) {
			struct text labels = { 0 };

			metrics_label(&labels, "machine",
				sessions->machines[m].name);
			label_series(&sessions->series[s], &labels);
			add_sample(family, &labels,
				fleet->ratio[m * fleet->series_count + s], out);
			text_free(&labels);
		}
}

/* Adds a figure of each machine. */
static void add_machines(const struct fleet_sessions *sessions,
	const char *family, const char *help, const double *values,
	struct text *out)
{
	metrics_head(family, "ratio", help, out);
	for (size_t m = 0; m < sessions->fleet.machine_count; m++) {
		struct text labels = { 0 };

		metrics_label(&labels, "machine", sessions->machines[m].name);
		add_sample(family, &labels, values[m], out);
		text_free(&labels);
	}
}

static void add_groups(const struct fleet_sessions *sessions, struct text *out)
{
	static const char family[] = "benchtop_fleet_group_ratio";

	metrics_head(family, "ratio",
		"Median of the alike machines of a group over the fleet's",
		out);
	for (size_t i = 0; i < sessions->fleet.group_count; i++) {
		struct text labels = { 0 }, said = { 0 }, number = { 0 };

		/* Two descriptions may be the same, as they are shortened. */
		text_add(&number, "%zu", i + 1);
		metrics_label(&labels, "number", text_chars(&number));
		fleet_say_group(sessions, i, &said);
		metrics_label(&labels, "group", text_chars(&said));
		add_sample(family, &labels, sessions->fleet.groups[i].ratio,
			out);
		text_free(&labels);
		text_free(&said);
		text_free(&number);
	}
}

static void add_outliers(const struct fleet_sessions *sessions,
	struct text *out)
{
	static const char family[] = "benchtop_fleet_outlier_ratio";
	const struct fleet *fleet = &sessions->fleet;

	metrics_head(family, "ratio",
		"Machines that differ from the others, by kind of difference",
		out);
	for (size_t i = 0; i < fleet->outlier_count; i++) {
		const struct fleet_outlier *one = &fleet->outliers[i];
		struct text labels = { 0 };

		metrics_label(&labels, "machine",
			sessions->machines[one->machine].name);
		metrics_label(&labels, "kind", fleet_kind_name(one->kind));
		if (one->kind == FLEET_SERIES)
			label_series(&sessions->series[one->series], &labels);
		add_sample(family, &labels, one->ratio, out);
		text_free(&labels);
	}
}

void fleet_export(const struct fleet_sessions *sessions, struct text *out)
{
	add_ratios(sessions, out);
	add_machines(sessions, "benchtop_fleet_overall_ratio",
		"Median of a machine's ratios over all series",
		sessions->fleet.overall, out);
	add_machines(sessions, "benchtop_fleet_scatter_ratio",
		"Scatter between a machine's launches over the fleet's median",
		sessions->fleet.scatter, out);
	add_groups(sessions, out);
	add_outliers(sessions, out);
	text_add(out, "# EOF\n");
}
