/* The place and the session in the title row. */
#include "title.h"

#include <string.h>

/* Appends the machine, the measuring processor and its clock rate. They belong
 * to the displayed results, which may come from another machine. */
static void add_place(const struct screen *screen, bool host, bool speed,
	struct text *text)
{
	const struct lab *lab = screen->lab;
	const struct session *session = lab->session;
	bool live;
	const struct results *results = screen_results(screen, &live);
	int cpu = results ? results->place.cpu : lab->places.chosen;

	if (host && machine_is_known(&session->machine))
		text_add(text, "%s  ", session->machine.hostname);
	else if (host && lab->machine_known)
		text_add(text, "%s  ", lab->machine.hostname);
	if (cpu < 0)
		return;
	text_add(text, "cpu %d", cpu);
	if (speed && results && results->clock.core_hz > 0) {
		text_add(text, " at ");
		unit_show(text, UNIT_HZ, results->clock.core_hz);
	}
	text_add(text, "  ");
}

/* Appends the session's file, or else whether the lab autosaves the session
 * (see the verb `sessions`). */
static void add_name(const struct lab *lab, struct text *text)
{
	const struct session *session = lab->session;
	const char *slash = session->path ? strrchr(session->path, '/') : NULL;

	if (session->path)
		text_add(text, "session %s%s, ",
			slash ? slash + 1 : session->path,
			session->changed ? "*" : "");
	else if (lab->autosave_named && !lab->autosave_why)
		text_add(text, "session autosaved, ");
	else
		text_add(text, "session not saved yet, ");
}

static void add_session(const struct lab *lab, bool named, struct text *text)
{
	const struct session *session = lab->session;

	if (named)
		add_name(lab, text);
	text_add(text, "%zu run%s", session->run_count,
		session->run_count == 1 ? "" : "s");
}

/* Appends the longest form of the place and the session that fits. */
void title_add_state(const struct screen *screen, int room, struct text *text)
{
	static const struct {
		bool host, speed, named;
	} ways[] = { { true, true, true }, { true, false, true },
		{ true, true, false }, { true, false, false },
		{ false, false, false } };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		text_clear(text);
		add_place(screen, ways[i].host, ways[i].speed, text);
		add_session(screen->lab, ways[i].named, text);
		if (text_columns(text->chars) <= room)
			return;
	}
}
