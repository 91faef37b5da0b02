/* In words, how machines differ from the others of their fleet. */
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

/* ---- outliers --------------------------------------------------------- */

static void add_safe(struct text *text, const char *chars)
{
	text_add_safe(text, chars, strlen(chars));
}

void fleet_say_title(const struct fleet_title *title, struct text *text)
{
	add_safe(text, title->experiment);
	if (title->named)
		text_add(text, ".%s", title->metric);
	text_add(text, "%s", *title->setting ? " " : "");
	add_safe(text, title->setting);
}

void fleet_say_outlier(const struct fleet_sessions *sessions,
	const struct fleet_outlier *outlier, struct text *text)
{
	if (outlier->kind == FLEET_SERIES)
		fleet_say_title(&sessions->series[outlier->series], text);
	else
		text_add(text, "%s", fleet_kind_words(outlier->kind));
}

void fleet_say_outliers(const struct fleet_sessions *sessions, size_t machine,
	size_t most, struct text *text)
{
	size_t shown = 0, hidden = 0;

	for (size_t i = 0; i < sessions->fleet.outlier_count; i++) {
		const struct fleet_outlier *outlier =
			&sessions->fleet.outliers[i];

		if (outlier->machine != machine)
			continue;
		if (outlier->kind == FLEET_SERIES && shown++ >= most) {
			hidden++;
			continue;
		}
		text_add(text, "%s", text->length ? "; " : "");
		fleet_say_outlier(sessions, outlier, text);
		text_add(text, " %.3f", outlier->ratio);
		fleet_say_regime(sessions, outlier, text);
	}
	if (hidden)
		text_add(text, "; and %zu more series", hidden);
}

/* ---- groups ----------------------------------------------------------- */

static void add_value(enum surrounding which, const char *value,
	struct text *text)
{
	enum { VALUE_MOST = 60 };

	text_add(text, "%s%s ", text->length ? "; " : "",
		surrounding_name(which));
	text_add_cut(text, value && *value ? value : "unknown", VALUE_MOST);
}

/* Of the largest group, what a reader knows a machine by. */
static bool is_named(enum surrounding which)
{
	return which == SURROUNDING_DEVICE || which == SURROUNDING_PROCESSOR ||
		which == SURROUNDING_FIRMWARE || which == SURROUNDING_KERNEL;
}

void fleet_say_group(const struct fleet_sessions *sessions, size_t group,
	struct text *text)
{
	const struct fleet_group *groups = sessions->fleet.groups;
	const struct surroundings *own =
		sessions->machines[groups[group].first].surroundings;
	const struct surroundings *largest =
		sessions->machines[groups->first].surroundings;

	for (int i = 0; i < SURROUNDINGS; i++) {
		enum surrounding which = (enum surrounding)i;
		const char *is = own->value[i], *usual = largest->value[i];
		bool differs = fleet_groups_by(which) &&
			strcmp(is ? is : "", usual ? usual : "") != 0;

		if (group ? differs : is_named(which) && is && *is)
			add_value(which, is, text);
	}
}

void fleet_say_left_out(const struct fleet_sessions *sessions,
	struct text *text)
{
	enum { SHOWN_MOST = 4 };
	size_t count = sessions->left_out_count;
	size_t shown = count < SHOWN_MOST ? count : SHOWN_MOST;

	for (size_t i = 0; i < shown; i++) {
		const struct fleet_left_out *out = &sessions->left_out[i];

		text_add(text, "%s", i ? ", " : "left out: ");
		add_safe(text, out->name);
		text_add(text, " (%s)", out->why);
	}
	if (count > shown)
		text_add(text, ", and %zu more", count - shown);
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static void say_repeated(const struct fleet_repeated *repeated,
	struct text *text)
{
	if (!repeated->files && !repeated->runs)
		return;
	text_add(text, " (");
	if (repeated->files)
		text_add(text, "%zu more file%s one of them", repeated->files,
			repeated->files == 1 ? " repeats" : "s each repeat");
	if (repeated->runs)
		text_add(text, "%s%zu run%s", repeated->files ? ", " : "",
			repeated->runs,
			repeated->runs == 1 ? " repeats one of another file" :
					      "s repeat those of other files");
	text_add(text, ")");
}

void fleet_say_counts(const struct fleet_sessions *sessions, struct text *text)
{
	text_add(text, "%zu machine%s, %zu session%s",
		sessions->machine_count, plural(sessions->machine_count),
		sessions->sessions, plural(sessions->sessions));
	say_repeated(&sessions->repeated, text);
	text_add(text, ", %zu series", sessions->series_count);
}

const char *fleet_no_outlier(const struct fleet_sessions *sessions)
{
	return sessions->machine_count >= FLEET_LEAST ?
		"no machine is an outlier" :
		sessions->machine_count == 1 ?
		"an outlier needs 3 machines; `history` shows one over time" :
		"an outlier needs 3 machines";
}
