/* The report from its title to its summary. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "judgement.h"
#include "report_internal.h"

static const struct {
	const char *prefix, *title;
} groups[] = {
	{ "cpu.", "CPU and OS" },
	{ "mem.", "Memory" },
	{ "net.", "Network" },
	{ "fs.", "Files" },
	{ "", "Others" },
};
enum { GROUPS = sizeof groups / sizeof *groups };

size_t report_groups(void)
{
	return GROUPS;
}

size_t report_group(const char *experiment)
{
	size_t i = 0;

	while (strncmp(experiment, groups[i].prefix, strlen(groups[i].prefix)))
		i++;
	return i;
}

const char *report_category(const char *experiment)
{
	return groups[report_group(experiment)].title;
}

const struct experiment *report_experiment(const struct report_input *input,
	const char *name)
{
	for (size_t i = 0; i < input->experiment_count; i++)
		if (!strcmp(input->experiments[i]->name, name))
			return input->experiments[i];
	return NULL;
}

/* ---- the beginning ---------------------------------------------------- */

static bool session_published(const struct session *session)
{
	for (size_t r = 0; r < session->run_count; r++)
		if (results_visited(session->runs[r]))
			return false;
	return true;
}

static void add_lead(struct document *document,
	const struct report_input *input)
{
	const struct session *session = input->session;
	struct text text = { 0 };
	bool published = session_published(session);
	double score;
	size_t judged;

	text_add(&text, "%zu run%s of %s, ", session->run_count,
		session->run_count == 1 ? "" : "s",
		*session->machine.cpu ? session->machine.cpu : "a machine");
	if (published)
		text_add(&text,
			"from a published report. Each table names the source "
			"of its figures.");
	else
		text_add(&text,
			"measured with benchtop %s. Every figure follows from "
			"the trials in the session file.",
			session->tool_version ? session->tool_version :
						BENCHTOP_VERSION);
	if (session_score(session, &score, &judged))
		text_add(&text,
			" The predictions for %zu experiment%s were within a "
			"factor of %.*g (geometric mean).",
			judged, judged == 1 ? "" : "s", text_digits(score),
			score);
	document_paragraph(document, text.chars);
	text_free(&text);
}

/* Of an experiment that was run more than once, what was asked for. */
static void add_distinction(const struct session *session,
	const struct results *results, struct text *title)
{
	size_t runs = 0;

	for (size_t r = 0; r < session->run_count; r++)
		runs += !strcmp(session->runs[r]->experiment,
			results->experiment);
	if (runs < 2 || !results->asked)
		return;
	/* "run mem.latency size=1K..256M budget=50s": what was varied. */
	const char *at = strstr(results->asked, results->experiment);
	at = at ? at + strcspn(at, " ") : results->asked;
	const char *before = " (";
	for (size_t length; *at; at += length) {
		at += strspn(at, " ");
		length = strcspn(at, " ");
		if (!length || !strncmp(at, "budget=", strlen("budget=")))
			continue;
		text_add(title, "%s%.*s", before, (int)length, at);
		before = " ";
	}
	text_add(title, "%s", *before == ' ' && !before[1] ? ")" : "");
}

static void add_contents(struct document *document,
	const struct session *session)
{
	document_list_begin(document);
	document_item(document, "machine", "The machine");
	for (size_t g = 0; g < GROUPS; g++)
		for (size_t r = 0; r < session->run_count; r++) {
			const struct results *results = session->runs[r];
			struct text anchor = { 0 }, title = { 0 };

			if (report_group(results->experiment) != g)
				continue;
			text_add(&anchor, "run-%zu", r);
			text_add(&title, "%s: %s", groups[g].title,
				results->title);
			add_distinction(session, results, &title);
			document_item(document, anchor.chars, title.chars);
			text_free(&anchor);
			text_free(&title);
		}
	document_item(document, "summary", "Summary");
	document_list_end(document);
}

static void add_reading(struct document *document)
{
	document_heading(document, 2, "reading", "How to read the figures");
	document_paragraph(document,
		"A trial is a number of operations between two readings of the "
		"clock. A launch is a fresh process that runs many trials at "
		"every point. The median is taken over the medians of the "
		"launches. Its 95 % interval is taken over the launches too, "
		"so it includes the differences between processes. Trials that "
		"were interrupted (preempted, migrated, faulted) or ran at "
		"another frequency are excluded and counted. Where every trial "
		"is excluded, the median of all trials is shown in brackets; "
		"\"-\" marks a missing figure.");
	document_paragraph(document,
		"A co-runner on the SMT sibling slows most operations. A fixed "
		"piece of work beside the trials detects co-runners. Figures "
		"use the trials without a co-runner, unless sharing has no "
		"effect. Where too few trials had the core alone, the figure "
		"is from the shared trials and is marked \"shared core\". "
		"\"rough\" marks an interval wider than the requested "
		"precision, \"not enough data\" an interval above 5 % or fewer "
		"than six launches.");
	document_paragraph(document,
		"sd within is the standard deviation of trials within a "
		"launch, sd between that of the launch means. max dev. is the "
		"largest distance of a launch mean from the overall mean.");
}

static void add_notes(struct document *document, const struct session *session)
{
	if (!session->note_count)
		return;
	document_heading(document, 2, "notes", "Notes");
	document_list_begin(document);
	for (size_t i = 0; i < session->note_count; i++) {
		struct text text = { 0 };

		text_add(&text, "%s%s%s", session->notes[i].at,
			*session->notes[i].at ? ": " : "",
			session->notes[i].text);
		document_item(document, NULL, text.chars);
		text_free(&text);
	}
	document_list_end(document);
}

static void add_group(struct document *document,
	const struct report_input *input, size_t group)
{
	const struct session *session = input->session;
	bool any = false;

	for (size_t r = 0; r < session->run_count; r++) {
		if (report_group(session->runs[r]->experiment) != group)
			continue;
		if (!any)
			document_heading(document, 2, NULL,
				groups[group].title);
		any = true;
		report_run(document, input, r);
	}
}

void session_report(const struct report_input *input, enum document_form form,
	struct text *out)
{
	const struct session *session = input->session;
	struct document document;
	struct text title = { 0 };

	text_add(&title, "Measurements of %s",
		*session->machine.hostname ? session->machine.hostname :
					     "a machine");
	document_begin(&document, form, title.chars, out);
	add_lead(&document, input);
	add_contents(&document, session);
	report_machine(&document, session);
	add_reading(&document);
	for (size_t g = 0; g < GROUPS; g++)
		add_group(&document, input, g);
	add_notes(&document, session);
	report_summary(&document, input);
	document_end(&document);
	text_free(&title);
}
