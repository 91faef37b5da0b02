/* Inputs on which the fuzzer found a fault: findings/NAME, of fuzz_NAME. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "file.h"
#include "inputs.h"
#include "text.h"

enum { BYTES_MOST = 1 << 20 };

static const struct {
	const char *name;
	void (*read)(const uint8_t *data, size_t size);
} inputs[] = {
	{ "annotate", annotate_input },
	{ "tape", tape_input },
	{ "script", script_input },
	{ "param", param_input },
	{ "session", session_input },
	{ "picture", picture_input },
	{ "print", print_input },
	{ "fleet", fleet_input },
	{ "wire", wire_input },
	{ "capture", capture_input },
	{ "pipe", pipe_input },
};

/* Exactly as long as the bytes, so that sanitizers detect a read past them. */
static void replay(const char *path, void (*read)(const uint8_t *, size_t))
{
	struct text bytes = { 0 };
	struct error error;

	print_message("%s\n", path);
	assert_int_equal(file_read(path, BYTES_MOST, &bytes, &error), 0);
	uint8_t *exact = malloc(bytes.length ? bytes.length : 1);
	assert_non_null(exact);
	if (bytes.length)
		memcpy(exact, bytes.chars, bytes.length);
	read(exact, bytes.length);
	free(exact);
	text_free(&bytes);
}

/* Returns the number of files. */
static int replay_folder(const char *folder,
	void (*read)(const uint8_t *, size_t))
{
	DIR *dir = opendir(folder);
	int count = 0;

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char path[1024];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		replay(path, read);
		count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

static void test_findings(void **state)
{
	int count = 0;

	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
		char folder[512];

		snprintf(folder, sizeof folder,
			SOURCE_FOLDER "/tests/fuzz/findings/%s",
			inputs[i].name);
		inputs[i].read((const uint8_t *)"", 0);
		count += replay_folder(folder, inputs[i].read);
	}
	assert_true(count > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
