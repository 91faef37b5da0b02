/* The canary's ratio on an unshared core, in a file. */
#include "canary_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "sharing.h"
#include "text.h"

enum { LIMIT_BYTES = 64 << 10 };

/* ---- the processor ---------------------------------------------------- */

/* The value of a line "key<tab>: value"; NULL: another key. */
static const char *value_of(const char *line, const char *key)
{
	size_t length = strlen(key);
	const char *colon = strchr(line, ':');

	if (!colon || strncmp(line, key, length) != 0 ||
		line[length + strspn(line + length, "\t ")] != ':')
		return NULL;
	return colon + 1 + strspn(colon + 1, " ");
}

static void add_identity(const char *line, struct text *name)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model",
		"model name", "stepping", "CPU implementer", "CPU variant",
		"CPU part" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *value = value_of(line, keys[i]);

		if (value)
			text_add(name, " %.*s", (int)strcspn(value, "\n"),
				value);
	}
}

/* "cpu 1 AuthenticAMD 26 2 AMD EPYC 1"; nothing: not described. */
static void name_processor(int cpu, struct text *name)
{
	FILE *info = fopen("/proc/cpuinfo", "re");
	char line[8192];
	int at = -1;

	while (info && fgets(line, sizeof line, info)) {
		const char *number = value_of(line, "processor");

		if (number)
			at = (int)strtol(number, NULL, 10);
		if (number && at == cpu)
			text_add(name, "cpu %d", cpu);
		if (at == cpu)
			add_identity(line, name);
	}
	if (info)
		fclose(info);
}

/* ---- the file --------------------------------------------------------- */

/* The ratio in the line of this processor; 0: there is none. Adds the lines of
 * the others to `rest`. */
static double find(const char *lines, const char *name, struct text *rest)
{
	double known = 0;

	for (const char *at = lines, *next; *at; at = next) {
		size_t length = strcspn(at, "\n");
		char *after;
		double ratio = strtod(at, &after);

		next = at + length + (at[length] == '\n');
		if (*after == ' ' && ratio > 0 &&
			strlen(name) == length - (size_t)(after + 1 - at) &&
			!strncmp(after + 1, name, strlen(name)))
			known = ratio;
		else
			text_add(rest, "%.*s\n", (int)length, at);
	}
	return known;
}

static void recall(const char *path, const char *name,
	struct clock_facts *facts)
{
	struct text lines = { 0 }, rest = { 0 };
	struct error ignored;

	if (file_read_own(path, 0, LIMIT_BYTES, &lines, &ignored))
		text_clear(&lines);
	double known = find(text_chars(&lines), name, &rest);
	if (known > 0 && facts->canary_alone > known * SHARING_STEP)
		facts->canary_alone = known;
	if (!(known > 0) || facts->canary_alone < known) {
		text_add(&rest, "%.4f %s\n", facts->canary_alone, name);
		file_save(path, rest.chars, rest.length, &ignored);
	}
	text_free(&lines);
	text_free(&rest);
}

void canary_recall(const char *path, int cpu, struct clock_facts *facts)
{
	struct text name = { 0 };

	/* The loop's ratio is known without a calibration. */
	if (!path || facts->canary_kind != CANARY_NOPS)
		return;
	name_processor(cpu, &name);
	if (name.length)
		recall(path, name.chars, facts);
	text_free(&name);
}
