/* Sessions with terminal control characters, or with values that no lab can
 * have measured: refused in one sentence with the path. */
#include "session.h"

#include <string.h>

#include "check.h"
#include "edited_session.h"

/* clang-format off */
static const struct edit edits[] = {
	/* terminal control characters */
	{ "\"version\":", "\"version\":\"\\u001b[2J\",\"x\":", "tool.version: '\\x1b[2J' has a control character, expected text on one line" },
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
	/* values that no lab can have measured */
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

static void hostile_is_refused(void **state)
{
	edits_are_refused(edits, sizeof edits / sizeof edits[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
