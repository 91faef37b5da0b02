/* In what a machine differs from most of its fleet. */
#include <stdlib.h>
#include <string.h>

#include "fleet_sessions.h"
#include "memory.h"

static enum surrounding compared;

static const char *value_of(const struct surroundings *surroundings)
{
	const char *value = surroundings->value[compared];

	return value ? value : "";
}

static int by_value(const void *a, const void *b)
{
	const struct surroundings *one = *(const struct surroundings *const *)a;
	const struct surroundings *other =
		*(const struct surroundings *const *)b;

	return strcmp(value_of(one), value_of(other));
}

/* The surroundings of a machine that has the value that more than half of the
 * machines have; NULL: there is none. `list` has room for all machines. */
static const struct surroundings *usual(const struct fleet_sessions *sessions,
	enum surrounding which, const struct surroundings **list)
{
	size_t count = sessions->machine_count;

	for (size_t i = 0; i < count; i++)
		list[i] = sessions->machines[i].surroundings;
	compared = which;
	qsort(list, count, sizeof *list, by_value);
	/* A value that more than half have is in the middle. */
	const struct surroundings *middle = list[count / 2];
	size_t same = 0;
	for (size_t i = 0; i < count; i++)
		same += !strcmp(value_of(list[i]), value_of(middle));
	return 2 * same > count ? middle : NULL;
}

void fleet_say_differences(const struct fleet_sessions *sessions,
	size_t machine, size_t most, struct text *text)
{
	const struct surroundings *own =
		sessions->machines[machine].surroundings;
	const struct surroundings **list =
		xcalloc(sessions->machine_count, sizeof *list);
	size_t said = 0;

	for (int i = 0; i < SURROUNDINGS && said < most; i++) {
		enum surrounding which = (enum surrounding)i;
		const struct surroundings *others =
			usual(sessions, which, list);
		struct text was = { 0 }, is = { 0 };

		if (others &&
			surrounding_differs(which, others, own, &was, &is))
			text_add(text, "%s%s %s, of most %s",
				said++ ? "; " : "", surrounding_name(which),
				is.chars, was.chars);
		text_free(&was);
		text_free(&is);
	}
	free(list);
}
