/* Sessions that a terminal would obey, or that no lab could have measured:
 * refused in one sentence with the path. */
#include "session.h"

#include <string.h>

#include "check.h"
#include "sample_session.h"

static struct text sample_text(void)
{
	struct session *session = sample_session();
	struct text text = written(session);

	session_free(session);
	return text;
}

/* One piece of the sample's text is replaced; the sentence has the path. */
struct edit {
	const char *old, *new, *says;
};

/* clang-format off */
static const struct edit edits[] = {
	/* what a terminal would obey */
	{ "\"0.1.0\"", "\"\\u001b[2J\"", "tool.version: '\\x1b[2J' has a control character, expected text on one line" },
	{ "\"host\"", "\"h\\u0007st\"", "machine.hostname: 'h\\x07st' has a control" },
	{ "\"host\"", "\"h\\u009bst\"", "machine.hostname: 'h\\xc2\\x9bst' has a control" },
	{ "\"host\"", "\"h\\u202est\"", "machine.hostname: 'h\\xe2\\x80\\xaest' has a control" },
	{ "\"host\"", "\"h\\nst\"", "machine.hostname: 'h\\x0ast' has a control" },
	{ "\"found\":\"\"", "\"found\":\"\\u007f\"", "environment[1].found: '\\x7f' has" },
	{ "\"text\":\"\"", "\"text\":\"a\\tb\\nc\\u001b\"", "notes[1].text: 'a\\x09b\\x0ac\\x1b' has a control character, expected text, tabs and line breaks" },
	{ "\"title\":\"S", "\"title\":\"\\u001b]0;S", "runs[0].title: '\\x1b]0;S" },
	{ "\"error\":null", "\"error\":\"\\r\"", "runs[0].error: '\\x0d' has" },
	{ "\"warnings\":[", "\"warnings\":[\"\\u001b\",", "runs[0].warnings[0]: '\\x1b' has" },
	{ "\"call\":\"getppid\"", "\"call\":\"get\\bppid\"", "runs[0].points[0].args.call: 'get\\x08ppid' has" },
	{ "\"vdso\":\"no\"", "\"vdso\":\"\\u001bno\"", "runs[0].points[0].notes.vdso: '\\x1bno' has" },
	{ "\"vdso\":\"no\"", "\"\\u001bso\":\"no\"", "runs[0].points[0].notes: '\\x1bso' has" },
	{ "\"experiment\":\"cpu", "\"experiment\":\"CPU", "runs[0].experiment: expected a name of a-z, 0-9" },
	{ "\"experiment\":\"cpu", "\"experiment\":\"../cpu", "runs[0].experiment: expected a name of a-z, 0-9" },
	{ "\"experiment\":\"cpu", "\"experiment\":\"\",\"x\":\"cpu", "runs[0].experiment: expected a name of a-z, 0-9" },
	/* what no lab could have measured */
	{ "\"started\":\"2025-03-01", "\"started\":\"yesterday\",\"x\":\"", "runs[0].started: expected a time like 2025" },
	{ "\"started\":\"2025-03-01", "\"started\":\"2025-13-01", "runs[0].started: expected a time like 2025" },
	{ "\"started\":\"2025-03-01", "\"started\":\"2025/03/01", "runs[0].started: expected a time like 2025" },
	{ "\"took_s\":4.25", "\"took_s\":-4.25", "runs[0].took_s: expected a number of seconds" },
	{ "\"hz\":2700000000", "\"hz\":-1", "runs[0].clock.hz: expected a number above 0" },
	{ "\"hz\":2700000000", "\"hz\":0", "runs[0].clock.hz: expected a number above 0" },
	{ "\"hz\":2700000000", "\"hz\":null", "runs[0].clock.hz: expected a number above 0" },
	{ "\"quantum\":", "\"quantum\":-", "runs[0].clock.quantum: expected a number above 0" },
	{ "\"quantum\":", "\"quantum\":0,\"x\":", "runs[0].clock.quantum: expected a number above 0" },
	{ "\"launches\":null", "\"launches\":1000000000", "runs[0].plan.launches: expected 1 .. 4096 or null" },
	{ "\"launches\":null", "\"launches\":0", "runs[0].plan.launches: expected 1 .. 4096 or null" },
	{ "\"budget_s\":1", "\"budget_s\":-1", "runs[0].plan.budget_s: expected a number of seconds" },
};
/* clang-format on */

static void refused_with(const struct text *text, const struct edit *edit)
{
	struct error error = { .line = 1 };
	struct session *session =
		session_read(text->chars, text->length, "x.json", &error);

	if (session)
		fail_msg("taken: %s -> %s", edit->old, edit->new);
	if (!strstr(error.message, "x.json") ||
		!strstr(error.message, edit->says))
		fail_msg("%s -> %s\nsays     %s\nexpected %s", edit->old,
			edit->new, error.message, edit->says);
	assert_int_equal(error.status, STATUS_INPUT);
}

static void hostile_is_refused(void **state)
{
	struct text sample = sample_text();

	(void)state;
	for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
		const struct edit *edit = &edits[i];
		const char *at = strstr(sample.chars, edit->old);
		struct text text = { 0 };

		if (!at)
			fail_msg("not in the sample: %s", edit->old);
		text_add_chars(&text, sample.chars,
			(size_t)(at - sample.chars));
		text_add_chars(&text, edit->new, strlen(edit->new));
		at += strlen(edit->old);
		text_add_chars(&text, at, strlen(at));
		refused_with(&text, edit);
		text_free(&text);
	}
	print_message("%zu files\n", sizeof edits / sizeof edits[0]);
	text_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
