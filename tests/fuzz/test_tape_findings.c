/* Tapes on which the fuzzer found a fault: each gives a session that can be
 * read again, or a sentence. */
#include <dirent.h>
#include <stdio.h>

#include "check.h"
#include "tape_input.h"

enum { BYTES_MOST = 1 << 16 };

static void test_findings(void **state)
{
	static const char folder[] = SOURCE_FOLDER "/tests/fuzz/findings/tape";
	static uint8_t bytes[BYTES_MOST];
	DIR *dir = opendir(folder);
	int count = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		char path[512];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		FILE *file = fopen(path, "re");
		assert_non_null(file);
		size_t size = fread(bytes, 1, sizeof bytes, file);
		fclose(file);
		print_message("%s\n", entry->d_name);
		tape_input(bytes, size);
		count++;
	}
	closedir(dir);
	assert_true(count > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
