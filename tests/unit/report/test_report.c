/* The complete report: every cell has a text, and untrusted text stays text. */
#include "report.h"

#include "judgement.h"
#include "report_internal.h"
#include "unit/report/made_results.h"
#include "unit/report/markup.h"

static const char hostile[] = "<img src=x onerror=alert(1)>|\"'`[a](b)\\";
static const char *const params[] = { "size", "order" };

static const struct param rows[] = {
	{ .name = "size",
		.label = "array size",
		.unit = UNIT_BYTES,
		.type = PARAM_WHOLE,
		.preset = "1K" },
	{ .name = "order", .label = "order", .type = PARAM_CHOICE },
	{ .name = NULL },
};
static const struct experiment known = { .name = "mem.latency",
	.title = "Latency",
	.question = "How long?",
	.method = "By a chain.",
	.params = rows };
static const struct experiment other = { .name = "fs.remote",
	.title = "Remote file" };
static const struct experiment *const experiments[] = { &known, &other };

static void lacks(const struct experiment *experiment, struct text *text)
{
	text_add(text, "; %s wants a path", experiment->name);
}

static void rename_run(struct results *results, const char *name)
{
	free(results->experiment);
	results->experiment = strdup(name);
}

/* Two orders over sizes, with one level each; times are 10 times the number of
 * the point. */
static struct results *sweep(size_t sizes)
{
	static const char *const orders[] = { "local", "random" };
	static const char *const levels[] = { "L1d", "L2", "memory" };
	struct results *results = made_results(params, 2);

	rename_run(results, "mem.latency");
	for (size_t i = 0; i < 2 * sizes; i++) {
		char size[16];
		const char *values[] = { size, orders[i % 2] };

		snprintf(size, sizeof size, "%dK", 1 << i / 2);
		made_point(results, values);
		made_trials(results, i, 5, 10 * (double)(i + 1), 0);
		point_add_note(&results->points[i], "level",
			levels[i / 2 * 3 / sizes]);
	}
	return results;
}

static void hostile_parts(struct session *session, struct results *results)
{
	snprintf(session->machine.hostname, sizeof session->machine.hostname,
		"%s", hostile);
	snprintf(session->machine.cpu, sizeof session->machine.cpu, "%s",
		hostile);
	session_add_note(session, hostile);
	ARRAY_GROW(session->checks, session->check_count);
	session->checks[session->check_count++] =
		(struct session_check){ strdup(hostile), strdup(hostile),
			strdup(hostile) };
	free(results->title);
	results->title = strdup(hostile);
	free(results->asked);
	results->asked = strdup(hostile);
	free(results->metrics[0].label);
	results->metrics[0].label = strdup(hostile);
	free(results->metrics[0].name);
	results->metrics[0].name = strdup(hostile);
	free(results->points[0].values[1]);
	results->points[0].values[1] = strdup(hostile);
	results->points[1].state = POINT_INVALID;
	results->points[1].why = strdup(hostile);
	results->points[2].model =
		(struct prediction){ .set = true, .total = { 1, 2 } };
	snprintf(results->points[2].model.why,
		sizeof results->points[2].model.why, "%s", hostile);
	results_warn(results, "%s", hostile);
	finding_add(&results->findings, "a", "%s", hostile);
}

static char *written_by(const char *person, const struct session *session,
	enum document_form form, const struct report_beside *beside,
	size_t count)
{
	const struct report_input input = {
		.session = session,
		.title = person,
		.author = person,
		.course = person,
		.experiments = experiments,
		.experiment_count = 2,
		.beside = beside,
		.beside_count = count,
		.lacks = lacks,
	};
	struct text out = { 0 };

	session_report(&input, form, &out);
	return text_take(&out);
}

static char *written(const struct session *session, enum document_form form,
	const struct report_beside *beside, size_t count)
{
	return written_by(NULL, session, form, beside, count);
}

static bool ours(const char *element, const char *attribute)
{
	static const char elements[] =
		" html head meta title style body h1 h2 h3 h4 details "
		"summary p b i a ul li div "
		"table caption thead tbody tr th td figure figcaption svg "
		"rect path circle text ";
	char name[MARKUP_NAME + 2];

	snprintf(name, sizeof name, " %s ", element);
	return strstr(elements, name) &&
		(!attribute ||
			(strncmp(attribute, "on", 2) != 0 &&
				strcmp(attribute, "src") != 0));
}

static void test_hostile_text_is_text(void **state)
{
	struct session *session = session_new();
	struct results *results = sweep(6);

	hostile_parts(session, results);
	session_add_run(session, results);
	const struct report_beside beside = { hostile, session };
	char *page = written_by(hostile, session, DOCUMENT_HTML, &beside, 1);
	markup_check(page, true, ours);
	assert_null(strstr(page, "<img"));
	assert_true(count_of(page, "&lt;img src=x onerror=alert(1)&gt;") > 12);
	char *plain = written_by(hostile, session, DOCUMENT_MARKDOWN, &beside,
		1);
	/* Each is escaped, except in the name, which would be in a code
	 * fence. */
	assert_null(strstr(plain, " <img"));
	assert_null(strstr(plain, "|<img"));
	assert_null(strstr(plain, "[a](b)"));
	assert_true(count_of(plain, "\\<img") > 12);
	free(page);
	free(plain);
	session_free(session);
}

static void test_front_matter(void **state)
{
	struct session *session = session_new();
	struct results *first = sweep(1), *last = sweep(1);

	snprintf(first->started, sizeof first->started,
		"2025-03-01T12:00:00+0100");
	snprintf(last->started, sizeof last->started,
		"2025-03-02T09:00:00+0100");
	session_add_run(session, last);
	session_add_run(session, first);
	char *page = written_by("R&D", session, DOCUMENT_HTML, NULL, 0);
	assert_non_null(strstr(page, "<title>R&amp;D</title>"));
	assert_non_null(strstr(page, "<h1>R&amp;D</h1>"));
	assert_non_null(strstr(page, ">Author</b>R&amp;D</li>"));
	assert_non_null(strstr(page, ">Course</b>R&amp;D</li>"));
	assert_non_null(strstr(page,
		">Measured</b>2025-03-01 to 2025-03-02</li>"));
	free(page);
	char *plain = written_by("A_B", session, DOCUMENT_MARKDOWN, NULL, 0);
	assert_non_null(strstr(plain, "\n# A_B\n\n- **Author:** A_B\n"));
	free(plain);
	page = written(session, DOCUMENT_HTML, NULL, 0);
	assert_null(strstr(page, ">Author<"));
	assert_null(strstr(page, ">Course<"));
	assert_non_null(strstr(page, "<h1>Measurements of "));
	free(page);
	session_free(session);
}

/* The last row of the first Markdown table. */
static void assert_headline(const struct session *session, const char *row)
{
	char *plain = written(session, DOCUMENT_MARKDOWN, NULL, 0);
	const char *summary = strstr(plain, "## Summary");
	const char *machine = strstr(plain, "## The machine");
	const char *found = strstr(plain, row);

	if (!found)
		fail_msg("%s", summary);
	assert_true(summary < found && found < machine);
	free(plain);
}

static void test_summary_comes_first(void **state)
{
	static const char *const values[] = { "1K", "local" };
	struct session *session = session_new();
	struct results *single = made_results(params, 2);
	struct results *points = sweep(1);

	rename_run(single, "mem.latency");
	made_point(single, values);
	made_trials(single, 0, 10, 50, 0);
	finding_add(&single->findings, "a", "A load takes 50 ns");
	session_add_run(session, single);
	session_add_run(session, points);
	assert_headline(session, "| 50.00 ns | 48 .. 52 ns | good | no prediction |");
	single->points[0].model = (struct prediction){ .set = true,
		.by = BY_MODEL,
		.total = { 20, 40 } };
	points->points[0].model = (struct prediction){ .set = true,
		.by = BY_MODEL,
		.total = { 5, 20 } };
	assert_headline(session,
		"| good | 25 % above the upper bound of 20 .. 40 ns |");
	assert_headline(session, "| 10.00 ns .. 20.00 ns | +-20 % | good | "
		"1 inside |");
	assert_headline(session, "](#run-0): A load takes 50 ns.\n");
	session_free(session);
}

/* Rows of a Markdown table have as many cells as its head. */
static void test_no_cell_is_empty(void **state)
{
	struct session *session = session_new();
	struct results *results = sweep(6);

	made_trials(results, 3, 20, 50, FLAG_PREEMPTED);
	results->points[4].state = POINT_UNAVAILABLE;
	results->points[4].why = strdup("no such thing here");
	session_add_run(session, results);
	const struct report_beside beside = { "a", session };
	char *page = written(session, DOCUMENT_HTML, &beside, 1);
	const char *summary = strstr(page, "id=\"predictions\"");
	assert_non_null(summary);
	assert_null(strstr(page, "\"></td>"));
	assert_null(strstr(page, "<td></td>"));
	assert_null(strstr(page, "> </td>"));
	assert_non_null(strstr(summary,
		"not run in this session; fs.remote wants a path"));
	assert_non_null(strstr(page, "unavailable: no such thing here"));
	/* One point of each level and order. */
	assert_int_equal(count_of(summary, "/time/median\"") +
			count_of(summary, "no figure"),
		6 + count_of(summary, "a:0/"));
	free(page);
	session_free(session);
}

static void test_excluded_figures_stand_in_brackets(void **state)
{
	static const char *const values[] = { "1K", "local" };
	struct session *session = session_new();
	struct results *results = made_results(params, 2);

	rename_run(results, "mem.latency");
	made_point(results, values);
	made_trials(results, 0, 10, 50, FLAG_PREEMPTED);
	session_add_run(session, results);
	char *page = written(session, DOCUMENT_HTML, NULL, 0);
	assert_non_null(strstr(page,
		"data-of=\"0/0/time/median_all\">(50.00 ns)</td>"));
	assert_non_null(strstr(page, "all trials excluded"));
	free(page);
	session_free(session);
}

/* A figure that was equal every time shows the number of values. */
static void test_equal_figures_show_how_many(void **state)
{
	static const char *const values[] = { "1K", "local" };
	struct session *session = session_new();
	struct results *results = made_results(params, 2);

	rename_run(results, "mem.latency");
	made_point(results, values);
	made_trials(results, 0, 10, 50, 0);
	session_add_run(session, results);
	char *page = written(session, DOCUMENT_HTML, NULL, 0);
	assert_non_null(strstr(page, "/time/min\">50.00<i class=\"u\"> ns</i></td>"));
	assert_non_null(strstr(page, "/time/max\">50.00<i class=\"u\"> ns</i></td>"));
	assert_non_null(strstr(page, "/time/trials\">60</td>"));
	assert_non_null(strstr(page, "/time/launches\">6</td>"));
	free(page);
	session_free(session);
}

static void test_score(void **state)
{
	struct session *session = session_new();
	struct results *results = sweep(1);
	double score;
	size_t judged;

	session_add_run(session, results);
	assert_false(session_score(session, &score, &judged));
	/* 10 and 20 ns: predicted four times too high, and half. */
	results->points[0].model = (struct prediction){ .set = true,
		.by = BY_MODEL,
		.total = { 20, 80 } };
	assert_true(session_score(session, &score, &judged));
	assert_int_equal(judged, 1);
	assert_within(score, 4, .01);
	results->points[1].model = (struct prediction){ .set = true,
		.by = BY_MODEL,
		.total = { 5, 20 } };
	assert_true(session_score(session, &score, &judged));
	assert_within(score, 3, .01);
	assert_within(judge(results, &results->points[1]).ratio, 2, .01);
	char *page = written(session, DOCUMENT_HTML, NULL, 0);
	assert_non_null(strstr(page, "off by a factor of 3 in"));
	assert_non_null(strstr(page, "data-of=\"0/1/time/ratio\">2</td>"));
	free(page);
	session_free(session);
}

/* ---- beside published figures ----------------------------------------- */

static struct results *published(const char *size, const char *order,
	double value)
{
	const char *const values[] = { size, order };
	struct results *results = made_results(params, 2);
	struct published *figure;

	rename_run(results, "mem.latency");
	figure = point_publish(made_point(results, values), 0);
	figure->value = value;
	figure->printed = strdup("as printed");
	figure->source = strdup("table 1");
	return results;
}

static void assert_beside(struct results *theirs, size_t point,
	const char *text, const char *of)
{
	struct session *session = session_new();
	const struct report_beside beside = { "a", session };
	struct results *ours_run = sweep(2);
	struct text found = { 0 }, where = { 0 };

	session_add_run(session, theirs);
	report_beside(&beside, ours_run, &ours_run->points[point], &found,
		&where);
	assert_string_equal(text_chars(&found), text);
	assert_string_equal(text_chars(&where), of);
	text_free(&found);
	text_free(&where);
	results_free(ours_run);
	session_free(session);
}

static void test_counterparts(void **state)
{
	const char *of = "a:0/0/time/median";

	/* Our points: 1K local, 1K random, 2K local, 2K random. */
	assert_beside(published("1K", "local", 5), 0, "5.000 ns", of);
	assert_beside(published("1K", "local", 5), 1, "", "");
	assert_beside(published("1K", "local", 5), 2, "5.000 ns (size=1K)", of);
	assert_beside(published("", "random", 5), 3, "5.000 ns", of);
	/* Too different in size for a comparison. */
	assert_beside(published("1G", "local", 5), 0, "", "");
	assert_beside(published("0", "local", 5), 0, "", "");
	/* A level has priority over a size. */
	struct results *level = published("1G", "local", 5);
	point_add_note(&level->points[0], "level", "L1d");
	assert_beside(level, 0, "5.000 ns", of);
	level = published("1K", "local", 5);
	point_add_note(&level->points[0], "level", "memory");
	assert_beside(level, 0, "", "");
	struct results *another = published("1K", "local", 5);
	free(another->metrics[0].name);
	another->metrics[0].name = strdup("gross");
	assert_beside(another, 0, "5.000 ns (gross)", "a:0/0/gross/median");
}

/* Figures without trials have neither text nor space for trials. */
static void test_published_figures_have_no_trials(void **state)
{
	struct session *session = session_new();

	session_add_run(session, published("1K", "local", 5));
	char *page = written(session, DOCUMENT_HTML, NULL, 0);
	assert_null(strstr(page, "How to read the figures"));
	assert_non_null(strstr(page, "data-head=\"verdict\">published<"));
	assert_non_null(strstr(page,
		"<td class=\"n none\" data-head=\"trials\">-</td>"));
	free(page);
	session_free(session);
}

/* A run of `ab` has its answer. */
static void test_ab(void **state)
{
	for (int abba = 0; abba < 2; abba++) {
		struct session *session = session_new();
		struct results *results = sweep(1);

		results->plan.abba = results->plan.paired = abba;
		session_add_run(session, results);
		char *page = written(session, DOCUMENT_MARKDOWN, NULL, 0);
		assert_int_equal(strstr(page, "A is order=local, B is "
					      "order=random. B is 2 x slower: "
					      "2.000 ") != NULL,
			abba);
		free(page);
		session_free(session);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile_text_is_text),
		cmocka_unit_test(test_front_matter),
		cmocka_unit_test(test_summary_comes_first),
		cmocka_unit_test(test_no_cell_is_empty),
		cmocka_unit_test(test_excluded_figures_stand_in_brackets),
		cmocka_unit_test(test_equal_figures_show_how_many),
		cmocka_unit_test(test_score),
		cmocka_unit_test(test_counterparts),
		cmocka_unit_test(test_published_figures_have_no_trials),
		cmocka_unit_test(test_ab),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
