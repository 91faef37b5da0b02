/* OpenMetrics checked against its rules for gauges, and against what the
 * textfile collector accepts; Markdown tables are complete. */
#include <regex.h>

#include "digest.h"
#include "export.h"
#include "sample_session.h"

enum { FAMILIES_MAX = 64, SERIES_MAX = 4096 };

/* What a checker has found in a text. */
struct checked {
	char family[FAMILIES_MAX][128];
	size_t families;
	bool has_unit[FAMILIES_MAX], has_help[FAMILIES_MAX];
	const char *series[SERIES_MAX]; /* owned: name and labels */
	size_t samples;
	bool ended;
};

static bool matches(const char *line, const char *pattern, regmatch_t *parts)
{
	regex_t regex;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
	bool found = !regexec(&regex, line, parts ? 5 : 0, parts, 0);
	regfree(&regex);
	return found;
}

static void copy_part(const char *line, const regmatch_t *part, char *into,
	size_t size)
{
	snprintf(into, size, "%.*s", (int)(part->rm_eo - part->rm_so),
		line + part->rm_so);
}

static void check_meta(struct checked *seen, const char *line)
{
	regmatch_t part[5];
	char name[128], kind[8];

	if (!matches(line, "^# (TYPE|UNIT|HELP) ([a-z_][a-z0-9_]*) (.*)$",
		    part))
		fail_msg("no line of metrics: %s", line);
	copy_part(line, &part[1], kind, sizeof kind);
	copy_part(line, &part[2], name, sizeof name);
	if (!strcmp(kind, "TYPE")) {
		/* The TYPE line of a family occurs once, before its other
		 * lines. */
		for (size_t i = 0; i < seen->families; i++)
			assert_string_not_equal(seen->family[i], name);
		assert_string_equal(line + part[3].rm_so, "gauge");
		assert_true(seen->families < FAMILIES_MAX);
		snprintf(seen->family[seen->families++], 128, "%s", name);
		return;
	}
	assert_true(seen->families);
	assert_string_equal(seen->family[seen->families - 1], name);
	if (!strcmp(kind, "HELP")) {
		assert_false(seen->has_help[seen->families - 1]);
		seen->has_help[seen->families - 1] = true;
		return;
	}
	/* The name of a family ends with its unit. */
	const char *unit = line + part[3].rm_so;
	size_t length = strlen(name), tail = strlen(unit);
	assert_true(length > tail + 1 && name[length - tail - 1] == '_');
	assert_string_equal(name + length - tail, unit);
	seen->has_unit[seen->families - 1] = true;
}

#define LABEL "[a-z_][a-z0-9_]*=\"([^\"\\\\]|\\\\[\\\\\"n])*\""

static void check_sample(struct checked *seen, const char *line)
{
	static const char pattern[] =
		"^([a-z_][a-z0-9_]*)(\\{" LABEL "(," LABEL ")*\\})? (.*)$";
	regmatch_t part[5];
	char name[128], *end;

	if (!matches(line, pattern, part))
		fail_msg("no sample: %s", line);
	copy_part(line, &part[1], name, sizeof name);
	assert_true(seen->families);
	assert_string_equal(seen->family[seen->families - 1], name);
	/* A number at the end of the line: no time stamp. */
	const char *number = strrchr(line, ' ') + 1;
	assert_true(isfinite(strtod(number, &end)));
	assert_true(*number && !*end);
	char *series = xstrndup(line, (size_t)(number - line));
	for (size_t i = 0; i < seen->samples; i++)
		assert_string_not_equal(seen->series[i], series);
	assert_true(seen->samples < SERIES_MAX);
	seen->series[seen->samples++] = series;
}

static void check_metrics(const struct text *text, struct checked *seen)
{
	char *copy = xstrdup(text_chars(text)), *rest = NULL;

	*seen = (struct checked){ 0 };
	assert_int_equal(utf8_valid(text->chars, text->length), text->length);
	assert_int_equal(text->chars[text->length - 1], '\n');
	for (char *line = strtok_r(copy, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest)) {
		assert_false(seen->ended);
		if (!strcmp(line, "# EOF"))
			seen->ended = true;
		else if (*line == '#')
			check_meta(seen, line);
		else
			check_sample(seen, line);
	}
	free(copy);
	assert_true(seen->ended);
}

static void release(struct checked *seen)
{
	for (size_t i = 0; i < seen->samples; i++)
		free((char *)seen->series[i]);
}

static struct text exported(const struct session *session,
	enum export_format format)
{
	struct text text = { 0 };

	assert_int_equal(session_export(session, format, false, &text, NULL),
		0);
	return text;
}

static void test_metrics_are_well_formed(void **state)
{
	struct session *session = sample_session();
	struct text text = exported(session, EXPORT_OPENMETRICS);
	struct checked seen;

	check_metrics(&text, &seen);
	assert_true(seen.families >= 5 && seen.samples > 20);
	/* A time in seconds, whatever unit the metric has. */
	assert_non_null(strstr(text.chars,
		"# UNIT benchtop_cpu_syscall_time_seconds seconds\n"));
	struct digest digest;
	assert_true(digest_of(session->runs[0], &session->runs[0]->points[0], 0,
		&digest));
	const char *median = strstr(text.chars,
		"benchtop_cpu_syscall_time_seconds{statistic=\"median\","
		"call=\"getppid\",via=\"raw\"} ");
	assert_non_null(median);
	assert_true(strtod(strchr(median, ' ') + 1, NULL) ==
		digest.summary.median * 1e-9);
	/* Two shares of its trials show how reliable it is. */
	const struct {
		const char *name;
		double value;
	} shares[] = { { "shared", digest.shared },
		{ "excluded", digest.excluded } };
	for (size_t i = 0; i < 2; i++) {
		char name[128];

		assert_true(shares[i].value > 0);
		snprintf(name, sizeof name,
			"benchtop_%s_ratio{experiment=\"cpu.syscall\",metric="
			"\"time\",call=\"getppid\",via=\"raw\"} ",
			shares[i].name);
		const char *sample = strstr(text.chars, name);
		assert_non_null(sample);
		assert_true(
			strtod(sample + strlen(name), NULL) == shares[i].value);
	}
	/* An invalid point has no figure. */
	assert_null(strstr(text.chars, "getuid"));
	release(&seen);
	text_free(&text);
	session_free(session);
}

/* Each series occurs once: for a point that was measured twice, the later
 * run. */
static void test_series_are_unique(void **state)
{
	struct session *session = sample_session();
	struct results *again = sample_run();
	struct text text;
	struct checked once, twice;

	text = exported(session, EXPORT_OPENMETRICS);
	check_metrics(&text, &once);
	text_free(&text);
	again->clock.hz /= 2;
	session_add_run(session, again);
	text = exported(session, EXPORT_OPENMETRICS);
	check_metrics(&text, &twice);
	assert_int_equal(once.samples, twice.samples);
	struct digest digest;
	assert_true(digest_of(again, &again->points[0], 0, &digest));
	const char *min = strstr(text.chars,
		"time_seconds{statistic=\"min\",call=\"getppid\"");
	assert_non_null(min);
	assert_true(strtod(strchr(min, ' ') + 1, NULL) ==
		digest.summary.min * 1e-9);
	release(&once);
	release(&twice);
	text_free(&text);
	session_free(session);
}

static void test_labels_are_escaped(void **state)
{
	struct session *session = sample_session();
	struct point *point = &session->runs[0]->points[0];
	struct checked seen;

	free(point->values[0]);
	point->values[0] = xstrdup("a\"b\\c\nd");
	struct text text = exported(session, EXPORT_OPENMETRICS);
	check_metrics(&text, &seen);
	assert_non_null(strstr(text.chars, "call=\"a\\\"b\\\\c\\nd\""));
	release(&seen);
	text_free(&text);
	session_free(session);
}

/* A table's rows have as many cells as its head. */
/* Line breaks of a note are kept; other control characters are shown as
 * text. */
static void test_markdown_notes(void **state)
{
	struct session *session = session_new();

	session_add_note(session, "fan\tat\nfull *speed*");
	struct text text = exported(session, EXPORT_MARKDOWN);
	assert_non_null(strstr(text.chars, "\nfan at  \nfull \\*speed\\*\n"));
	text_free(&text);
	session_free(session);
}

static void test_markdown_tables(void **state)
{
	struct session *session = sample_session();
	struct text text = exported(session, EXPORT_MARKDOWN);
	size_t head = 0, rows = 0, length = 0;

	assert_non_null(strstr(text.chars, "| shared | remarks |\n"));
	assert_non_null(strstr(text.chars, " | 34.9 % | good |\n"));
	for (const char *line = text.chars; *line; line += length + 1) {
		size_t cells = 0;

		length = strcspn(line, "\n");
		if (*line != '|') {
			head = 0;
			continue;
		}
		for (size_t i = 0; i < length; i++)
			cells += line[i] == '|' && (!i || line[i - 1] != '\\');
		if (!head)
			head = cells;
		if (head != cells)
			fail_msg("%zu cells, not %zu: %.*s", cells, head,
				(int)length, line);
		rows++;
	}
	assert_true(rows > 10);
	assert_non_null(strstr(text.chars, "\n## cpu.syscall: System call\n"));
	assert_non_null(strstr(text.chars, "unavailable: statx: not in this"));
	assert_non_null(strstr(text.chars, "invalid: returned 7"));
	assert_non_null(strstr(text.chars, "- 0.37 cycles an argument\n"));
	text_free(&text);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metrics_are_well_formed),
		cmocka_unit_test(test_series_are_unique),
		cmocka_unit_test(test_labels_are_escaped),
		cmocka_unit_test(test_markdown_notes),
		cmocka_unit_test(test_markdown_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
