/* The reply of `load`. */
#include "loaded.h"

#include <string.h>

#include "kept.h"
#include "sharing.h"

static void say_unknown(const struct session *session, struct text *text)
{
	if (!session->newer)
		return;
	text_add(text, "written by a newer benchtop; unknown members: ");
	for (size_t i = 0; i < session->unknown_count; i++) {
		text_add(text, "%s", i ? ", " : "");
		text_add_safe(text, session->unknown[i],
			strlen(session->unknown[i]));
	}
	text_add_char(text, '\n');
}

/* Schemas before 1.3 lack one half of each canary. Saving again as a newer
 * schema does not restore it. */
static void say_lacks(const struct session *session, struct text *text)
{
	bool before = session->minor < SESSION_MINOR_REGIMES;
	bool lacks = before && session->run_count &&
		!results_published(session->runs[0]);

	for (size_t i = 0; i < session->run_count; i++)
		lacks |= sharing_is_lacking(session->runs[i]);
	if (lacks && before)
		text_add(text, "of schema 1.%u: ", session->minor);
	if (lacks)
		text_add(text,
			"one half of each canary is missing, so shared trials "
			"keep their earlier classification\n");
}

static void say_figures_only(const struct session *session, struct text *text)
{
	size_t runs = session_stored(session);

	if (runs)
		text_add(text,
			"%zu of %zu runs keep figures and launch medians, but "
			"no trials\n",
			runs, session->run_count);
}

/* "cpu.syscall, mem.latency": each experiment once. If they do not fit in
 * `room` columns, the rest is counted. */
static void say_experiments(const struct session *session, int room,
	struct text *text)
{
	enum { MORE = sizeof " and 99 more" - 1 };
	struct text all = { 0 };
	size_t fits = 0, left = 0;

	for (size_t i = 0; i < session->run_count; i++) {
		const char *name = session->runs[i]->experiment;

		if (session_last(session, name) != session->runs[i])
			continue;
		text_add(&all, "%s%s", all.length ? ", " : "", name);
		if (!fits || (int)all.length + MORE <= room)
			fits = all.length;
		else
			left++;
	}
	bool whole = (int)all.length <= room;
	text_add_chars(text, all.chars, whole ? all.length : fits);
	if (!whole && left)
		text_add(text, " and %zu more", left);
	text_free(&all);
}

/* Adds "loaded session 14: 3 runs of cpu.syscall, mem.latency, 2026-11-22, AMD
 * EPYC". The processor is left out if the line has no room. */
static void say_loaded(const struct session *session, const char *name,
	int width, struct text *text)
{
	size_t number = kept_number(session->path);
	struct text rest = { 0 };
	size_t before = text->length;

	text_add(text, "loaded ");
	if (number)
		text_add(text, "session %zu", number);
	else
		text_add_safe(text, name, strlen(name));
	text_add(text, ": %zu run%s", session->run_count,
		session->run_count == 1 ? "" : "s");
	if (session->run_count && *session->runs[0]->started)
		text_add(&rest, ", %.10s", session->runs[0]->started);
	if (session->run_count) {
		text_add(text, " of ");
		say_experiments(session,
			width - text_width(text_chars(&rest)) -
				text_width(text->chars + before),
			text);
	}
	text_add(text, "%s", text_chars(&rest));
	text_free(&rest);
	text_add(&rest, ", %s", session->machine.cpu);
	if (*session->machine.cpu &&
		text_width(text->chars + before) + text_width(rest.chars) <=
			width)
		text_add(text, "%s", rest.chars);
	text_add_char(text, '\n');
	text_free(&rest);
}

void loaded_text(const struct session *session, const char *name, int width,
	struct text *text)
{
	say_loaded(session, name, width, text);
	say_unknown(session, text);
	say_lacks(session, text);
	say_figures_only(session, text);
}
