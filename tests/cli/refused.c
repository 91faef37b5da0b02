/* Refused input. */
#include "refused.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

/* How many files the lab has saved by itself. */
static int autosaved(void)
{
	DIR *dir = opendir(in_folder("state/benchtop/sessions"));
	int count = 0;

	for (struct dirent *entry; dir && (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

int prepare_refusals(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	write_file("kept.json", REFUSED_KEPT);
	return 0;
}

void assert_refused(const struct ran *ran, const char *what, int status,
	const char *place, const char *says)
{
	const char *sentence = text_chars(&ran->err);
	size_t length = strcspn(sentence, "\n");
	bool one = length > 10 && sentence[length] &&
		!strncmp(sentence, "benchtop: ", 10);

	/* Below it at most the line that was typed, and a caret. */
	if (one && !strncmp(sentence + length, "\n  ", 3)) {
		size_t end = strlen(sentence);

		one = sentence[end - 2] == '^' && sentence[end - 1] == '\n';
	} else if (one) {
		one = !sentence[length + 1];
	}
	if (ran->status != status || ran->out.length || !one ||
		!strstr(sentence, place) || !strstr(sentence, says))
		fail_msg("%s\nsays %d: %s%s\nwant %d: %s %s", what, ran->status,
			sentence, text_chars(&ran->out), status, place, says);
	char *kept = read_whole("kept.json");
	assert_string_equal(kept, REFUSED_KEPT);
	free(kept);
	assert_int_equal(access("new.json", F_OK), -1);
	assert_int_equal(autosaved(), 0);
}
