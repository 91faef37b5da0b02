/* The table of events: when, at which packet, and what. */
#include "annotation_text.h"
#include "net_table.h"
#include "view_net.h"

enum { TIME, PACKET, COLUMNS };

/* The data shared by all rows. */
struct list {
	const struct net_scene *scene;
	struct net_table table;
	int words; /* columns of the last column */
};

static enum role event_role(enum event_kind kind)
{
	switch (kind) {
	case EVENT_GAP:
	case EVENT_KEEPALIVE:
	case EVENT_WINDOW_OPEN:
	case EVENT_RECORDED_LATE:
	case EVENT_REORDERED:
		return ROLE_TEXT;
	case EVENT_EXIT:
		return ROLE_STRONG;
	default:
		return ROLE_WARN;
	}
}

static void draw_event(const void *about, struct net_row *row, size_t i)
{
	const struct list *list = about;
	const struct connection *connection = list->scene->connection;
	const struct tcp_event *event = &connection->events[i];
	struct text text = { 0 };

	net_time(list->scene, event->t_ns, &text);
	net_cell(row, ROLE_TEXT, text.chars);
	net_number_cell(row, ROLE_DIM, (int64_t)event->number);
	text_clear(&text);
	event_text(connection, event, event, &text);
	struct pane words =
		pane_part(row->pane, row->at + 2, row->row, list->words, 1);
	pane_wrap(&words, 0, event_role((enum event_kind)event->kind),
		text.chars);
	text_free(&text);
}

void net_events(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);
	bool day = scene->options->clock == NET_TIME_OF_DAY;
	struct list list = { .scene = scene,
		.table = { .columns = COLUMNS,
			.width = { net_time_columns(scene) + 1, 9 },
			.head = { day ? "time" : "t ms", "packet" } } };
	const struct net_rows rows = {
		.count = scene->connection->event_count,
		.selected = scene->event,
		.line = "focus events; event",
		.draw = draw_event,
		.about = &list,
	};

	list.words = inner.columns - net_table_width(&list.table) - 2;
	if (!rows.count) {
		struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

		pane_wrap(&words, 0, ROLE_TEXT,
			"No events: no loss, no full window, no reset.");
		return;
	}
	net_table_draw(&list.table, &inner, &rows);
	if (inner.rows > 1)
		pane_chars(&inner, inner.columns - list.words, 0, ROLE_DIM,
			"what");
}
