/* What /proc/cpuinfo says of a processor. */
#include "cpuinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- features --------------------------------------------------------- */

bool cpuinfo_flag_in(const char *line, const char *flag)
{
	size_t length = strlen(flag);

	for (const char *at = strstr(line, flag); at; at = strstr(at + 1, flag))
		if ((at == line || strchr(" \t", at[-1])) &&
			strchr(" \t\n", at[length]))
			return true;
	return false;
}

static const char *flags_of_first(void)
{
	static char *line;
	size_t size = 0;
	bool found = line;
	FILE *file = found ? NULL : fopen("/proc/cpuinfo", "re");

	while (file && !found && getline(&line, &size, file) > 0)
		found = !strncmp(line, "flags", 5);
	if (file)
		fclose(file);
	if (found)
		return line;
	free(line);
	line = NULL;
	return "";
}

bool cpuinfo_has(const char *flag)
{
	return cpuinfo_flag_in(flags_of_first(), flag);
}

/* ---- the design ------------------------------------------------------- */

/* The value of a line "key<tab>: value"; NULL: another key. */
static const char *value_of(const char *line, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) != 0)
		return NULL;
	line += length + strspn(line + length, "\t ");
	return *line == ':' ? line + 1 + strspn(line + 1, " ") : NULL;
}

static void add_value(const char *line, struct text *text)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model",
		"model name", "stepping", "CPU implementer", "CPU variant",
		"CPU part" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *value = value_of(line, keys[i]);

		if (value)
			text_add(text, "%s%.*s", text->length ? " " : "",
				(int)strcspn(value, "\n"), value);
	}
}

void cpuinfo_design(int cpu, struct text *text)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	struct text design = { 0 };
	char *line = NULL;
	size_t size = 0;
	long at = -1;

	while (file && at <= cpu && getline(&line, &size, file) > 0) {
		const char *number = value_of(line, "processor");

		if (number)
			at = strtol(number, NULL, 10);
		else if (at == cpu)
			add_value(line, &design);
	}
	if (file)
		fclose(file);
	free(line);
	text_add(text, "%s", text_chars(&design));
	text_free(&design);
}
