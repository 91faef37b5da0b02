/* The canary's ratio on an unshared core, in a file. */
#include "canary_known.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpuinfo.h"
#include "file.h"
#include "sharing.h"
#include "text.h"

enum { LIMIT_BYTES = 1 << 20 };

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

	/* The lines of other processors must not be lost. */
	if (file_read_own(path, 0, LIMIT_BYTES, &lines, &ignored) &&
		!access(path, F_OK)) {
		text_free(&lines);
		return;
	}
	double known = find(text_chars(&lines), name, &rest);
	bool loop = facts->canary_kind == CANARY_LOOP;
	if (known > 0 &&
		(loop || facts->canary_alone > known * SHARING_STEP)) {
		facts->canary_kind = CANARY_NOPS;
		facts->canary_alone = known;
	} else if (!loop && (!(known > 0) || facts->canary_alone < known)) {
		text_add(&rest, "%.4f %s\n", facts->canary_alone, name);
		file_save(path, rest.chars, rest.length, &ignored);
	}
	text_free(&lines);
	text_free(&rest);
}

void canary_recall(const char *path, int cpu, struct clock_facts *facts)
{
	struct text design = { 0 }, name = { 0 };

	if (!path)
		return;
	cpuinfo_design(cpu, &design);
	text_add(&name, "cpu %d %s", cpu, text_chars(&design));
	if (design.length)
		recall(path, name.chars, facts);
	text_free(&design);
	text_free(&name);
}
