/* The report as a whole: title, contents, sections, notes. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "judgement.h"
#include "report_internal.h"
#include "version.h"

static const struct {
	const char *prefix, *anchor, *title;
} groups[] = {
	{ "cpu.", "cpu", "CPU and OS" },
	{ "ipc.", "ipc", "IPC" },
	{ "mem.", "memory", "Memory" },
	{ "net.", "network", "Network" },
	{ "fs.", "files", "Files" },
	{ "", "others", "Others" },
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

/* The day on which the session was measured, or the first and the last. */
static void say_days(const struct session *session, struct text *text)
{
	enum { DAY = sizeof "2025-03-01" - 1 };
	const char *first = NULL, *last = NULL;

	for (size_t r = 0; r < session->run_count; r++) {
		const char *started = session->runs[r]->started;

		if (!*started)
			continue;
		if (!first || strcmp(started, first) < 0)
			first = started;
		if (!last || strcmp(started, last) > 0)
			last = started;
	}
	if (!first)
		return;
	text_add(text, "%.*s", DAY, first);
	if (strncmp(first, last, DAY) != 0)
		text_add(text, " to %.*s", DAY, last);
}

static void add_facts(struct document *document,
	const struct report_input *input)
{
	struct text days = { 0 };

	say_days(input->session, &days);
	if (!input->author && !input->course && !days.length)
		return;
	document_line_begin(document);
	if (input->author)
		document_fact(document, "Author", input->author);
	if (input->course)
		document_fact(document, "Course", input->course);
	if (days.length)
		document_fact(document, "Measured", days.chars);
	document_list_end(document);
	text_free(&days);
}

static void add_lead(struct document *document,
	const struct report_input *input)
{
	const struct session *session = input->session;
	struct text text = { 0 };
	bool published = session_published(session);
	double score;
	size_t judged;

	text_add(&text, "%zu run%s on %s, ", session->run_count,
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
						benchtop_version);
	if (session_score(session, &score, &judged))
		text_add(&text,
			" The predictions for %zu experiment%s were within a "
			"factor of %.*g (geometric mean).",
			judged, judged == 1 ? "" : "s", text_digits(score),
			score);
	document_paragraph(document, text.chars);
	text_free(&text);
}

/* True for a setting that controls the amount of measuring, not what is
 * measured. */
static bool is_plan(const char *word)
{
	static const char *const names[] = { "budget=", "precision=",
		"launches=", "trials=" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(word, names[i], strlen(names[i])))
			return true;
	return false;
}

void report_distinction(const struct session *session,
	const struct results *results, struct text *title)
{
	size_t runs = 0;

	for (size_t r = 0; r < session->run_count; r++)
		runs += !strcmp(session->runs[r]->experiment,
			results->experiment);
	if (runs < 2 || !results->asked)
		return;
	/* `asked` is, for instance, "run mem.latency size=1K..256M
	 * budget=50s". */
	const char *at = strstr(results->asked, results->experiment);
	at = at ? at + strcspn(at, " ") : results->asked;
	const char *before = " (";
	for (size_t length; *at; at += length) {
		at += strspn(at, " ");
		length = strcspn(at, " ");
		if (!length || is_plan(at))
			continue;
		text_add(title, "%s%.*s", before, (int)length, at);
		before = " ";
	}
	text_add(title, "%s", *before == ' ' && !before[1] ? ")" : "");
}

static bool has_group(const struct session *session, size_t group)
{
	for (size_t r = 0; r < session->run_count; r++)
		if (report_group(session->runs[r]->experiment) == group)
			return true;
	return false;
}

static void add_contents(struct document *document,
	const struct session *session)
{
	document_line_begin(document);
	document_item(document, "summary", "Summary");
	document_item(document, "machine", "The machine");
	if (!session_published(session))
		document_item(document, "reading", "How to read the figures");
	for (size_t g = 0; g < GROUPS; g++)
		if (has_group(session, g))
			document_item(document, groups[g].anchor,
				groups[g].title);
	if (session->note_count)
		document_item(document, "notes", "Notes");
	document_item(document, "predictions", "Predicted and measured");
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
		"were interrupted (preempted, migrated, faulted) are excluded "
		"and counted. Where every trial "
		"is excluded, the median of all trials is shown in brackets; "
		"\"-\" marks a missing figure.");
	document_paragraph(document,
		"A co-runner on the SMT sibling slows most operations. A fixed "
		"piece of work beside the trials detects co-runners. Figures "
		"use the trials without a co-runner, unless sharing has no "
		"effect. Where too few trials had the core alone, the figure "
		"is from the shared trials and is marked \"shared core\". "
		"So is a figure of several threads, or of a task that sleeps, "
		"if other tasks used a fifth of the processors. "
		"\"rough\" marks an interval wider than the requested "
		"precision or trials that never settled, \"not enough data\" "
		"fewer than six launches or an interval wider than both "
		"+-5 % and five times the precision.");
	document_paragraph(document,
		"sd within is the standard deviation of trials within a "
		"launch, sd between that of the launch means. max dev. is the "
		"largest distance of a launch mean from the overall mean. The "
		"trials and launches are those of the median. Where min = max, "
		"all of them gave the same value: a count, or a time as short "
		"as a step of the clock. On paper and on a telephone, a figure "
		"without a unit has the unit of its row's median.");
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

	if (!has_group(session, group))
		return;
	document_heading(document, 2, groups[group].anchor,
		groups[group].title);
	for (size_t r = 0; r < session->run_count; r++)
		if (report_group(session->runs[r]->experiment) == group)
			report_run(document, input, r);
}

void session_report(const struct report_input *input, enum document_form form,
	struct text *out)
{
	const struct session *session = input->session;
	struct document document;
	struct text title = { 0 };

	if (input->title)
		text_add(&title, "%s", input->title);
	else
		text_add(&title, "Measurements of %s",
			*session->machine.hostname ? session->machine.hostname :
						     "a machine");
	document_begin(&document, form, text_chars(&title), out);
	add_facts(&document, input);
	add_lead(&document, input);
	add_contents(&document, session);
	report_summary(&document, input);
	report_machine(&document, session);
	if (!session_published(session))
		add_reading(&document);
	for (size_t g = 0; g < GROUPS; g++)
		add_group(&document, input, g);
	add_notes(&document, session);
	report_predicted(&document, input);
	document_end(&document);
	text_free(&title);
}
