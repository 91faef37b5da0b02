/* The connections of the list on one time axis: a lane each. */
#include <math.h>

#include "draw_axis.h"
#include "net_plot.h"
#include "net_table.h"

enum { NUMBER, CLIENT, PORT, COLUMNS, LEAST_LANE = 12, AXIS_ROWS = 2 };

/* The data shared by all rows. Times count from `origin_ns`. */
struct lanes {
	const struct net_scene *scene;
	struct net_table table;
	int64_t origin_ns;
	struct axis axis;
	int64_t idle_ns; /* at both ends, left out; 0: none */
	int columns;
};

static double since(const struct lanes *lanes, int64_t t_ns)
{
	return (double)(t_ns - lanes->origin_ns);
}

/* Draws from one time to another; a span in view has at least one column. */
static void draw_span(const struct lanes *lanes, const struct pane *lane,
	int64_t from_ns, int64_t to_ns, enum glyph glyph, enum role role)
{
	int from = axis_cell(&lanes->axis, since(lanes, from_ns),
		lane->columns);
	int to = axis_cell(&lanes->axis, since(lanes, to_ns), lane->columns);

	for (int i = from < 0 ? 0 : from; i <= to && i < lane->columns; i++)
		pane_glyph(lane, i, 0, glyph, role);
}

/* The letter of an event that is worth one; 0: none. */
static uint32_t sign_of(const struct tcp_event *event)
{
	switch (event->kind) {
	case EVENT_SYN_AGAIN:
	case EVENT_SYNACK_AGAIN:
	case EVENT_RETRANSMISSION:
		return 'x';
	case EVENT_ZERO_WINDOW:
		return '0';
	case EVENT_RESET:
		return 'R';
	default:
		return 0;
	}
}

static void draw_events(const struct lanes *lanes, const struct pane *lane,
	const struct connection *connection)
{
	for (uint32_t i = 0; i < connection->event_count; i++) {
		const struct tcp_event *event = &connection->events[i];
		uint32_t sign = sign_of(event);
		int at = axis_cell(&lanes->axis, since(lanes, event->t_ns),
			lane->columns);

		/* A reset behind the view is shown at its edge. */
		if (sign == 'R' && at >= lane->columns)
			at = lane->columns - 1;
		if (sign && at >= 0 && at < lane->columns)
			pane_put(lane, at, 0, sign, ROLE_FLAGGED);
	}
}

static void draw_lane(const struct lanes *lanes, const struct pane *lane,
	const struct connection *connection)
{
	draw_span(lanes, lane, connection->first_ns, connection->last_ns,
		GLYPH_HORIZONTAL, ROLE_FRAME);
	for (int side = 0; side < 2; side++) {
		const struct side *from = &connection->side[side];

		if (from->frames && from->first_data_ns != UNKNOWN_NS)
			draw_span(lanes, lane, from->first_data_ns,
				from->last_data_ns, GLYPH_BAND, ROLE_SERIES);
	}
	draw_events(lanes, lane, connection);
}

static void draw_one(const void *about, struct net_row *row, size_t i)
{
	const struct lanes *lanes = about;
	const struct listed *listed = &lanes->scene->rows[i];
	const struct connection *connection = listed->connection;
	const struct endpoint *end = connection->end;

	net_number_cell(row, ROLE_DIM, (int64_t)listed->connection->number);
	net_cell(row, ROLE_TEXT, endpoint_text(&end[connection->client]).chars);
	net_number_cell(row, ROLE_TEXT, end[!connection->client].port);
	struct pane lane = pane_part(row->pane, row->at + 1, row->row,
		lanes->columns, 1);
	draw_lane(lanes, &lane, connection);
}

/* ---- the axis --------------------------------------------------------- */

/* Widens the axes to the times of a connection: `all` with its idle ends, and
 * `busy` without. */
static void include(const struct lanes *lanes,
	const struct connection *connection, struct axis *all,
	struct axis *busy)
{
	struct net_view part = net_busy_times(connection);
	double first = since(lanes, connection->first_ns);

	all->low = fmin(all->low, first);
	all->high = fmax(all->high, since(lanes, connection->last_ns));
	busy->low = fmin(busy->low, first + part.from_ns);
	busy->high = fmax(busy->high, first + part.to_ns);
}

/* All listed connections, or with `closer` a part around the selected packet,
 * else around the start of the connection shown. */
static void lay_axis(struct lanes *lanes)
{
	const struct net_scene *scene = lanes->scene;
	int closer = scene->options->closer;

	lanes->origin_ns = scene->connection->first_ns;
	for (size_t i = 0; i < scene->row_count; i++)
		if (scene->rows[i].connection->first_ns < lanes->origin_ns)
			lanes->origin_ns = scene->rows[i].connection->first_ns;
	struct axis all = { .low = INFINITY, .high = -INFINITY }, busy = all;
	for (size_t i = 0; i < scene->row_count; i++)
		include(lanes, scene->rows[i].connection, &all, &busy);
	double low = closer < 0 ? all.low : busy.low;
	double high = closer < 0 ? all.high : busy.high;
	if (!closer)
		lanes->idle_ns =
			(int64_t)(all.high - all.low - (high - low));
	double width = ldexp(high - low, -(closer > 0 ? closer : 0));
	double middle = since(lanes,
		scene->packets ? net_packet(scene, scene->packet)->packet.t_ns :
				 scene->connection->first_ns);
	double from = fmin(fmax(middle - width / 2, low), high - width);
	lanes->axis = axis_over(from, from + fmax(width, 1), false, UNIT_NS);
}

static void draw_axis(const struct lanes *lanes, const struct pane *pane)
{
	int left = net_table_width(&lanes->table) + 1;
	struct pane below = pane_part(pane, left, pane->rows - AXIS_ROWS, -1,
		AXIS_ROWS);
	struct pane unit = pane_part(pane, 0, pane->rows - 1, left - 1, 1);
	struct pane corner = pane_part(pane, pane->columns - IDLE_COLUMNS,
		pane->rows - 1, IDLE_COLUMNS, 1);
	struct ticks ticks;

	axis_draw(&lanes->axis, &below, lanes->columns);
	axis_ticks(&lanes->axis, lanes->columns, &ticks);
	pane_right(&unit, 0, ROLE_DIM, ticks.unit);
	if (lanes->idle_ns > 0)
		net_draw_idle(lanes->scene, lanes->idle_ns, &corner);
}

static size_t number_of(const void *about, size_t i)
{
	const struct lanes *lanes = about;

	return lanes->scene->rows[i].connection->number;
}

void net_lanes(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);
	bool axis = inner.rows > AXIS_ROWS + 2;
	struct pane list = pane_part(&inner, 0, 0, inner.columns,
		inner.rows - (axis ? AXIS_ROWS : 0));
	struct lanes lanes = { .scene = scene,
		.table = { .columns = COLUMNS,
			.width = { net_number_columns(&scene->source), 8, 6 },
			.head = { "no.", "client", "port" } } };

	for (size_t i = 0; i < scene->row_count; i++) {
		const struct connection *at = scene->rows[i].connection;
		int width = text_columns(
			endpoint_text(&at->end[at->client]).chars) + 1;

		if (width > lanes.table.width[CLIENT])
			lanes.table.width[CLIENT] = width;
	}
	net_table_fold(&lanes.table, (const uint8_t[]){ PORT, CLIENT }, 2,
		inner.columns - LEAST_LANE);
	lay_axis(&lanes);
	lanes.columns = inner.columns - net_table_width(&lanes.table) - 2 -
		(lanes.idle_ns > 0 ? IDLE_COLUMNS : 0);
	const struct net_rows rows = { .count = scene->row_count,
		.selected = scene->row,
		.line = "focus connections; connection",
		.number = number_of,
		.draw = draw_one,
		.about = &lanes };
	net_table_draw(&lanes.table, &list, &rows);
	if (axis)
		draw_axis(&lanes, &inner);
}
