/* The memory level that serves a point, and its name. */
#include "memory_level.h"

#include <string.h>

#include "results.h"

static const char *const names[MEMORY_LEVELS] = {
	[LEVEL_UNKNOWN] = "?",
	[LEVEL_L1] = "L1d",
	[LEVEL_L2] = "L2",
	[LEVEL_L3] = "L3",
	[LEVEL_L4] = "L4",
	[LEVEL_LAST] = "the last-level cache",
	[LEVEL_MEMORY] = "memory",
};

static const char fits[] = "fits ", of_each[] = " of each core";
static const char with[] = " and ", in_part[] = ", and in part ";

const char *memory_level_name(enum memory_level level)
{
	return names[level];
}

enum memory_level memory_level_named(const char *name)
{
	for (int level = LEVEL_UNKNOWN + 1; level < MEMORY_LEVELS; level++)
		if (!strcmp(names[level], name))
			return (enum memory_level)level;
	return LEVEL_UNKNOWN;
}

void serving_write(const struct serving *serving, struct text *text)
{
	const char *name = names[serving->level];

	if (serving->each)
		text_add(text, "%s%s%s", fits, name, of_each);
	else if (serving->level == LEVEL_LAST && serving->also)
		text_add(text, "%s%s%s", names[serving->also], in_part, name);
	else if (serving->level == LEVEL_LAST)
		text_add(text, "%s%s", fits, name);
	else if (serving->also)
		text_add(text, "%s%s%s", name, with, names[serving->also]);
	else
		text_add(text, "%s", name);
}

/* ---- from text to levels ---------------------------------------------- */

static bool take(const char **at, const char *words)
{
	size_t length = strlen(words);

	if (strncmp(*at, words, length) != 0)
		return false;
	*at += length;
	return true;
}

static enum memory_level take_level(const char **at)
{
	for (int level = LEVEL_UNKNOWN + 1; level < MEMORY_LEVELS; level++)
		if (take(at, names[level]))
			return (enum memory_level)level;
	return LEVEL_UNKNOWN;
}

struct serving serving_read(const char *words)
{
	struct serving serving = { .level = LEVEL_UNKNOWN };
	bool known = true;

	take(&words, fits);
	serving.level = take_level(&words);
	if (take(&words, of_each)) {
		serving.each = true;
	} else if (take(&words, with)) {
		serving.also = take_level(&words);
		known = serving.also;
	} else if (take(&words, in_part)) {
		serving.also = serving.level;
		serving.level = take_level(&words);
	}
	if (*words || !serving.level || !known)
		return (struct serving){ .level = LEVEL_UNKNOWN };
	return serving;
}

bool serving_same(const struct serving *a, const struct serving *b)
{
	return a->level == b->level && a->also == b->also && a->each == b->each;
}

/* ---- the level of a point --------------------------------------------- */

bool point_serving(const struct point *point, struct serving *serving)
{
	const char *note = point_note(point, "level");

	if (note)
		*serving = serving_read(note);
	return note;
}

const char *point_level(const struct point *point)
{
	struct serving serving;

	return point_serving(point, &serving) && serving.level ?
		point_note(point, "level") :
		NULL;
}

bool point_served_by(const struct point *point, enum memory_level level)
{
	const struct serving alone = { .level = level };
	struct serving serving;

	return level && point_serving(point, &serving) &&
		serving_same(&serving, &alone);
}
