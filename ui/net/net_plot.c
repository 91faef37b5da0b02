/* Points against time. */
#include "net_plot.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

enum {
	DOTS = 2000, /* dots per axis; more are not visible */
	LABELS_FROM = 60,
};

void points_add(struct points *points, double x, double y)
{
	ARRAY_GROW(points->x, points->count);
	ARRAY_GROW(points->y, points->count);
	ARRAY_GROW(points->marked, points->count);
	points->x[points->count] = x;
	points->y[points->count] = y;
	points->marked[points->count] = true;
	points->count++;
}

void points_free(struct points *points)
{
	free(points->x);
	free(points->y);
	free(points->marked);
	free(points->low);
}

double net_since(const struct net_scene *scene, int64_t t_ns)
{
	return (double)(t_ns - scene->connection->first_ns);
}

/* ---- the times in view ------------------------------------------------ */

/* A silence of this part of the times in view is left out. */
static const double idle = 0.25;

/* The last retransmission of data, from the time of the last new data on. Lone
 * ones after a silence, as of a receiver that is gone, are left out if they are
 * a small part of all packets. */
static double last_resent(const struct connection *connection, double from,
	double to)
{
	uint64_t frames =
		connection->side[0].frames + connection->side[1].frames;
	double last = to;

	for (uint32_t i = 0; i < connection->event_count; i++) {
		const struct tcp_event *event = &connection->events[i];
		double t = (double)(event->t_ns - connection->first_ns);

		if (t <= last || !net_is_data_again(event))
			continue;
		if (t - last > idle * (last - from) &&
			(connection->event_count - i) * 10 < frames)
			break;
		last = t;
	}
	return last;
}

/* The time until the last data is acknowledged, about. */
static double wait_of(const struct connection *connection,
	const struct side *side)
{
	int64_t rtt_ns = net_smoothed_rtt(connection, side);
	/* Stored connections lack the variation. */
	int64_t more_ns = side->rtt.samples &&
			side->rtt.variation_ns != UNKNOWN_NS ?
		side->rtt.variation_ns : 0;

	return rtt_ns == UNKNOWN_NS ? 0 : (double)(rtt_ns + more_ns);
}

struct net_view net_busy_times(const struct connection *connection)
{
	const double room = 0.02;
	int64_t first_ns = connection->first_ns;
	double all_ns = (double)(connection->last_ns - first_ns);
	struct net_view busy = { .to_ns = all_ns };
	double from = INFINITY, to = -INFINITY, wait = 0;

	for (int i = 0; i < 2; i++) {
		const struct side *side = &connection->side[i];

		if (!side->frames || side->first_data_ns == UNKNOWN_NS)
			continue;
		from = fmin(from, (double)(side->first_data_ns - first_ns));
		to = fmax(to, (double)(side->last_data_ns - first_ns));
		wait = fmax(wait, wait_of(connection, side));
	}
	to = last_resent(connection, from, to) + wait;
	if (!(from < to))
		return busy;
	if (all_ns - to > idle * all_ns)
		busy.to_ns = fmin(to + room * (to - from), all_ns);
	if (from > idle * all_ns)
		busy.from_ns = fmax(from - room * (to - from), 0);
	return busy;
}

int64_t net_idle_ns(const struct connection *connection)
{
	struct net_view busy = net_busy_times(connection);

	return connection_took(connection) -
		(int64_t)(busy.to_ns - busy.from_ns);
}

/* The centre of a zoomed view: the selected packet or round. */
static double middle_of(const struct net_scene *scene,
	const struct net_view *all)
{
	const struct rounds *rounds = net_rounds(scene);
	size_t round = scene->options->round;

	if (scene->packets)
		return net_since(scene,
			net_packet(scene, scene->packet)->packet.t_ns);
	if (scene->options->round_walked && round < rounds->count)
		return net_since(scene, rounds->at[round].start_ns);
	return (all->from_ns + all->to_ns) / 2;
}

void net_view_times(const struct net_scene *scene, struct net_view *view)
{
	int closer = scene->options->closer;
	struct net_view all = net_busy_times(scene->connection);
	double at_ns = middle_of(scene, &all);
	bool outside = at_ns < all.from_ns || at_ns > all.to_ns;

	if (closer < 0 || (scene->options->walked && outside)) {
		all.from_ns = 0;
		all.to_ns = net_since(scene, scene->connection->last_ns);
	}
	double width_ns =
		ldexp(all.to_ns - all.from_ns, -(closer > 0 ? closer : 0));
	view->from_ns = fmin(fmax(at_ns - width_ns / 2, all.from_ns),
		all.to_ns - width_ns);
	view->to_ns = view->from_ns + width_ns;
}

/* ---- points ----------------------------------------------------------- */

/* Does the current dot already cover the point? Starts a new dot if the point
 * is beyond its width. */
static bool is_seen(struct points *points, const struct net_view *view,
	double x, double y)
{
	double width = (view->to_ns - view->from_ns) / DOTS;
	double height = (view->high - view->low) / DOTS;

	if (!points->count || x - points->dot_x >= width) {
		points->dot_x = x;
		points->dot_low = points->dot_high = y;
		return false;
	}
	if (y > points->dot_low - height && y < points->dot_high + height)
		return true;
	points->dot_low = fmin(points->dot_low, y);
	points->dot_high = fmax(points->dot_high, y);
	return false;
}

void points_see(struct points *points, const struct net_view *view, double x,
	double y)
{
	if (x > view->to_ns)
		return;
	if (points->count && x < view->from_ns) {
		points->x[points->count - 1] = x;
		points->y[points->count - 1] = y;
		return;
	}
	if (!is_seen(points, view, x, y))
		points_add(points, x, y);
}

void points_span(struct points *points, const struct net_view *view, double x,
	double low, double high)
{
	double width = (view->to_ns - view->from_ns) / DOTS;

	if (x < view->from_ns || x > view->to_ns)
		return;
	if (points->count && x - points->dot_x < width &&
		low >= points->dot_low && high <= points->dot_high)
		return;
	points->dot_x = x;
	points->dot_low = low;
	points->dot_high = high;
	ARRAY_GROW(points->low, points->count);
	points->low[points->count] = low;
	points_add(points, x, high);
}

void points_stand(struct points *points)
{
	struct points steps = { .count = 0 };

	for (size_t i = 0; i < points->count; i++) {
		if (i && points->y[i] != points->y[i - 1])
			points_add(&steps, points->x[i], points->y[i - 1]);
		points_add(&steps, points->x[i], points->y[i]);
	}
	points_free(points);
	*points = steps;
}

void points_clip(struct points *points, const struct net_view *view)
{
	struct points kept = { .count = 0 };
	double before = NAN;
	size_t i = 0;

	for (; i < points->count && points->x[i] < view->from_ns; i++)
		before = points->y[i];
	if (isfinite(before))
		points_add(&kept, view->from_ns, before);
	for (; i < points->count && points->x[i] <= view->to_ns; i++)
		points_add(&kept, points->x[i], points->y[i]);
	if (kept.count)
		points_add(&kept, view->to_ns, kept.y[kept.count - 1]);
	points_free(points);
	*points = kept;
}

struct line_series net_series(const struct points *points, enum role role,
	enum dash dash, const char *label)
{
	return (struct line_series){ .x = points->x,
		.y = points->y,
		.n = points->count,
		.role = role,
		.dash = dash,
		.label = label };
}

struct line_view net_lines(const struct line_series *series, size_t count,
	const struct net_view *view, enum unit unit, int label_columns,
	const struct pane *pane)
{
	return (struct line_view){ .series = series,
		.count = count,
		.across = axis_over(view->from_ns, view->to_ns, false, UNIT_NS),
		.up = axis_over(view->low, view->high, false, unit),
		.right = pane->columns >= LABELS_FROM ? label_columns : 0 };
}

void net_point_at_packet(const struct net_scene *scene, struct line_view *view)
{
	if (!scene->packets)
		return;
	view->has_cursor = true;
	view->cursor_x = net_since(scene,
		net_packet(scene, scene->packet)->packet.t_ns);
	view->cursor_y = NAN;
}

void net_draw_idle(const struct net_scene *scene, int64_t idle_ns,
	const struct pane *corner)
{
	struct text text = { 0 };

	text_add_char(&text, '+');
	net_span(scene, idle_ns, &text);
	pane_right(corner, 0, ROLE_DIM, text.chars);
	text_free(&text);
}

/* Writes the idle time that the time axis leaves out, behind the axis. */
static void say_idle(const struct net_scene *scene,
	const struct line_view *view, const struct pane *pane)
{
	double all_ns = net_since(scene, scene->connection->last_ns);
	int64_t idle_ns = net_idle_ns(scene->connection);
	struct pane corner = pane_part(pane, pane->columns - view->right,
		pane->rows - 1, view->right, 1);

	if (idle_ns > 0 && scene->options->closer <= 0 &&
		view->across.high - view->across.low < all_ns)
		net_draw_idle(scene, idle_ns, &corner);
}

/* Writes the unit on the first row whose label leaves room for it. The row of
 * the horizontal axis has no label. */
static void draw_unit(const struct pane *pane, int rows, const char *unit)
{
	int row = 0, column = 0, needed = text_columns(unit) + 1;

	while (row < rows && column < needed)
		if (pane_code(pane, column, row) == ' ')
			column++;
		else
			row++, column = 0;
	pane_chars(pane, 0, row, ROLE_DIM, unit);
}

void net_draw_lines(const struct net_scene *scene,
	const struct line_view *view, const struct pane *pane)
{
	struct ticks ticks;

	draw_line(view, pane);
	axis_ticks_upright(&view->up, pane->rows - 2, &ticks);
	draw_unit(pane, pane->rows - 2, ticks.unit);
	if (view->right)
		say_idle(scene, view, pane);
}
