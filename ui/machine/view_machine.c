/* Assembles the Machine screen. */
#include "view_machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"

enum {
	ONE = 60,     /* below this many columns: one column */
	STACKED = 26, /* from this many rows: it holds all panes */
	LEFT_LEAST = 37,
	FACTS_LEAST = 6, /* minimum rows of the facts beside the map */
	TITLE = 14,      /* columns of "Doctor" and its frame */
};

/* ---- state ------------------------------------------------------------ */

struct inspection *inspection_of(struct screen *screen)
{
	void **kept = &screen->kept[VIEW_MACHINE];

	if (!*kept)
		*kept = xcalloc(1, sizeof(struct inspection));
	return *kept;
}

void machine_release(struct screen *screen)
{
	free(screen->kept[VIEW_MACHINE]);
	screen->kept[VIEW_MACHINE] = NULL;
}

/* ---- layout ----------------------------------------------------------- */

struct machine_panes {
	struct pane left, right;
};

static void lay_out(const struct screen *screen, struct machine_panes *places,
	const struct pane *body)
{
	int rows = body->rows, columns = body->columns;
	bool facts = screen->focus[VIEW_MACHINE] == MACHINE_FACTS;

	if (columns >= ONE) {
		int left = columns * 46 / 100;

		left = left < LEFT_LEAST ? LEFT_LEAST : left;
		places->left = pane_part(body, 0, 0, left, rows);
		places->right = pane_part(body, left, 0, columns - left, rows);
		return;
	}
	int above = rows >= STACKED ? rows / 2 : facts ? rows : 0;
	places->left = pane_part(body, 0, 0, columns, above);
	places->right = pane_part(body, 0, above, columns, rows - above);
}

int machine_parts(const struct screen *screen, const struct pane *body,
	struct pane *parts)
{
	struct machine_panes places;

	lay_out(screen, &places, body);
	parts[0] = places.left;
	parts[1] = places.right;
	return 2;
}

/* ---- drawing ---------------------------------------------------------- */

/* The processor that measures: that of the run in progress, else the chosen
 * one. */
static int measuring(const struct screen *screen)
{
	const struct lab *lab = screen->lab;

	return lab->run ? run_results(lab->run)->place.cpu : lab->places.chosen;
}

static void draw_machine(const struct screen *screen,
	const struct inspection *inspection, const struct pane *pane)
{
	struct pane inside = pane_part(pane, 1, 1, -1, pane->rows - 2);
	/* The map needs a blank row above it. */
	int map = machine_map_rows(inspection, inside.columns,
		inside.rows - 1 - FACTS_LEAST);
	struct text right = { 0 };
	size_t shown, count;

	if (pane->rows < 3 || pane->columns < 3)
		return;
	map += map > 0;
	struct pane facts =
		pane_part(&inside, 0, 0, inside.columns, inside.rows - map);
	struct pane below =
		pane_part(&inside, 0, facts.rows + 1, inside.columns, map - 1);
	count = machine_facts(screen, inspection, &facts, &shown);
	if (shown < count)
		text_add(&right, "%d to %d of %zu", inspection->scroll + 1,
			inspection->scroll + (int)shown, count);
	pane_frame(pane, "Machine", text_chars(&right));
	pane_spot(pane, 0, 0, pane->columns, "focus facts");
	if (screen->focus[VIEW_MACHINE] == MACHINE_FACTS)
		pane_cursor(&facts, 1, 0);
	if (map)
		machine_map(inspection, measuring(screen),
			screen->lab->machine.memory_bytes, &below);
	text_free(&right);
}

void machine_say_checked(const struct lab *lab, struct text *text)
{
	time_t now = time(NULL);
	struct tm at, today;
	char chars[20];

	localtime_r(&lab->doctor_at, &at);
	localtime_r(&now, &today);
	bool same = at.tm_yday == today.tm_yday && at.tm_year == today.tm_year;
	strftime(chars, sizeof chars, same ? "%H:%M" : "%Y-%m-%d %H:%M", &at);
	text_add(text, "%s", chars);
}

/* Adds the time of the checks, if there is room. */
static void add_time(const struct lab *lab, int room, struct text *text)
{
	struct text at = { 0 };

	if (!lab->doctor_at || !text->length)
		return;
	machine_say_checked(lab, &at);
	if (text_columns(text->chars) + 2 + text_columns(at.chars) <= room)
		text_add(text, "  %s", at.chars);
	text_free(&at);
}

static void say_counts(const struct lab *lab, struct text *text)
{
	size_t counts[DOCTOR_BAD + 1] = { 0 };

	for (size_t i = 0; i < lab->doctor.count; i++)
		counts[lab->doctor.rows[i].verdict]++;
	if (lab->doctor.count)
		text_add(text, "%zu bad  %zu note%s  %zu ok",
			counts[DOCTOR_BAD], counts[DOCTOR_NOTE],
			counts[DOCTOR_NOTE] == 1 ? "" : "s",
			counts[DOCTOR_OK]);
}

void machine_draw(struct screen *screen, const struct pane *body)
{
	const struct lab *lab = screen->lab;
	struct inspection *inspection = inspection_of(screen);
	struct machine_panes places;
	struct text right = { 0 };

	/* A loaded session may come from another machine. */
	if (!strcmp(lab->session->machine.cpu, lab->machine.cpu))
		machine_latencies(inspection, lab->session);
	lay_out(screen, &places, body);
	draw_machine(screen, inspection, &places.left);
	if (places.right.rows < 3)
		return;
	say_counts(screen->lab, &right);
	add_time(lab, places.right.columns - TITLE, &right);
	struct pane inside =
		pane_frame(&places.right, "Doctor", text_chars(&right));
	machine_doctor(screen, inspection, &inside);
	text_free(&right);
}

void machine_add_state(const struct screen *screen, int room, struct text *text)
{
	const struct machine *machine = &screen->lab->machine;

	if (screen->lab->machine_known)
		text_add(text, "%s  %u processor%s", machine->hostname,
			machine->cpus, machine->cpus == 1 ? "" : "s");
	if (text_columns(text_chars(text)) <= room)
		return;
	text_clear(text);
	text_add(text, "%u cpus", machine->cpus);
}
