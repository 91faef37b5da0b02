/* What the title row says of the place and the session. */
#include "title.h"

#include <string.h>

/* The machine, the processor that measures and how fast it ran: of the
 * results on the screen, which may be another machine's. */
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

static void add_session(const struct session *session, bool named,
	struct text *text)
{
	const char *slash = session->path ? strrchr(session->path, '/') : NULL;
	const char *name = slash ? slash + 1 :
		session->path    ? session->path :
				   "not saved yet";

	if (named)
		text_add(text, "session %s%s, ", name,
			session->path && session->changed ? "*" : "");
	text_add(text, "%zu run%s", session->run_count,
		session->run_count == 1 ? "" : "s");
}

/* What is known of the place and the session, or as much as there is room
 * for. */
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
		add_session(screen->lab->session, ways[i].named, text);
		if (text_columns(text->chars) <= room)
			return;
	}
}
