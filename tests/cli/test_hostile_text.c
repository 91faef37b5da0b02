/* Hostile text in every string of a session, and in names that the program is
 * given: refused in one sentence, or shown and exported harmlessly. The table
 * of texts and outputs is in hostile.py. */
#include "schema.h"

static void hostile_text_is_harmless(void **state)
{
	unsigned fields = 0, payloads = 0, outputs = 0, names = 0;

	if (!has_python())
		skip();
	struct ran ran = RUN("/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1",
		"python3", SOURCE_FOLDER "/tests/cli/hostile.py", PROGRAM, folder);
	if (ran.status)
		fail_msg("%s%s", text_chars(&ran.out), text_chars(&ran.err));
	const char *counts = strstr(text_chars(&ran.out), "long\n");
	assert_non_null(counts);
	assert_int_equal(sscanf(counts,
				 "long %u fields, %u payloads, %u outputs, %u names",
				 &fields, &payloads, &outputs, &names),
		4);
	print_message("%s", text_chars(&ran.out));
	assert_true(fields > 150 && payloads > 10 && outputs > 40);
	assert_true(names > 50);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_text_is_harmless),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
