/* Bytes against time: sent, acknowledged, sent again. */
#include <math.h>
#include <stdlib.h>

#include "draw_line.h"
#include "memory.h"
#include "view_net.h"

enum {
	LABELS = 7, /* columns for the names at the ends of the lines */
	LABELS_FROM = 60,
	POINTS_MOST = 4000, /* of a line; more are not to be seen */
};

struct points {
	double *x, *y; /* owned */
	bool *marked;  /* owned */
	size_t count, room;
};

struct plot {
	struct points sent, acked, again;
	double from_ns, to_ns, low, high;
};

static void add_point(struct points *points, double x, double y)
{
	ARRAY_GROW(points->x, points->count);
	ARRAY_GROW(points->y, points->count);
	ARRAY_GROW(points->marked, points->count);
	points->x[points->count] = x;
	points->y[points->count] = y;
	points->marked[points->count] = true;
	points->count++;
}

static void points_free(struct points *points)
{
	free(points->x);
	free(points->y);
	free(points->marked);
}

static double since(const struct net_scene *scene, int64_t t_ns)
{
	return (double)(t_ns - scene->connection->first_ns);
}

/* ---- from packets --------------------------------------------------- */

/* One more point, unless it would lie on the last one. */
static void add_step(const struct plot *plot, struct points *points, double x,
	double y)
{
	double width = (plot->to_ns - plot->from_ns) / POINTS_MOST;
	double height = (plot->high - plot->low) / POINTS_MOST;
	size_t last = points->count - 1;

	if (points->count && fabs(x - points->x[last]) < width &&
		fabs(y - points->y[last]) < height)
		return;
	add_point(points, x, y);
}

static void add_packet(const struct net_scene *scene, struct plot *plot,
	const struct logged *logged)
{
	const struct side *side = net_sending(scene);
	double x = since(scene, logged->packet.t_ns);

	if (logged->marks & MARK_COPY)
		return;
	if (logged->side == scene->sender && logged->packet.payload_bytes) {
		double end = (double)side_offset(side, logged->end);

		if (logged->marks & (MARK_RETRANSMISSION | MARK_REORDERED))
			add_step(plot, &plot->again, x,
				(double)side_offset(side, logged->position));
		else
			add_step(plot, &plot->sent, x, end);
	}
	bool acks = logged->side != scene->sender ||
		scene->connection->self_connect;
	if (!acks || !(logged->packet.flags & TCP_ACK))
		return;
	double acked = (double)side_offset(side, logged->ack);
	size_t count = plot->acked.count;
	if (acked >= 0 && (!count || acked >= plot->acked.y[count - 1]))
		add_step(plot, &plot->acked, x, acked);
}

/* Acknowledgements come in steps: what stood before stands until the next. */
static void make_steps(struct points *points)
{
	struct points steps = { .count = 0 };

	for (size_t i = 0; i < points->count; i++) {
		if (i && points->y[i] > points->y[i - 1])
			add_point(&steps, points->x[i], points->y[i - 1]);
		add_point(&steps, points->x[i], points->y[i]);
	}
	points_free(points);
	*points = steps;
}

/* ---- without packets ------------------------------------------------ */

/* What rounds alone say: what had been sent by the end of each. */
static void add_rounds(const struct net_scene *scene, struct plot *plot)
{
	const struct rounds *rounds = net_rounds(scene);
	double sum = 0;

	for (uint32_t i = 0; i < rounds->count; i++) {
		const struct round *round = &rounds->at[i];

		add_point(&plot->sent, since(scene, round->start_ns), sum);
		sum += (double)round->bytes;
		add_point(&plot->sent, since(scene, round->last_ns), sum);
	}
}

/* ---- drawing -------------------------------------------------------- */

/* What of the connection is in view: all of it, or a part round the selected
 * packet. */
static void find_bounds(const struct net_scene *scene, struct plot *plot)
{
	const struct connection *connection = scene->connection;
	const struct side *side = net_sending(scene);
	double all_ns = since(scene, connection->last_ns);
	double width_ns = ldexp(all_ns, -scene->options->closer);
	double at_ns = all_ns / 2;

	if (scene->packets)
		at_ns = since(scene,
			net_packet(scene, scene->packet)->packet.t_ns);
	plot->from_ns = fmin(fmax(at_ns - width_ns / 2, 0), all_ns - width_ns);
	plot->to_ns = plot->from_ns + width_ns;
	plot->low = 0;
	plot->high = side->started ? (double)side_offset(side, side->next) : 0;
	if (plot->high < 1)
		plot->high = 1;
}

/* The points in view, and the heights among them. */
static void fit_view(struct plot *plot, bool closer)
{
	const struct points *lines[] = { &plot->sent, &plot->acked,
		&plot->again };
	double low = INFINITY, high = -INFINITY;

	for (size_t k = 0; closer && k < 3; k++)
		for (size_t i = 0; i < lines[k]->count; i++) {
			if (lines[k]->x[i] < plot->from_ns ||
				lines[k]->x[i] > plot->to_ns)
				continue;
			low = fmin(low, lines[k]->y[i]);
			high = fmax(high, lines[k]->y[i]);
		}
	if (low < high) {
		plot->low = low;
		plot->high = high;
	}
}

/* What is in view, and at its edges what stood and still stands there: bytes
 * sent and acknowledged are steps. */
static void clip(const struct plot *plot, struct points *points)
{
	struct points kept = { .count = 0 };
	double before = NAN;
	size_t i = 0;

	for (; i < points->count && points->x[i] < plot->from_ns; i++)
		before = points->y[i];
	if (isfinite(before))
		add_point(&kept, plot->from_ns, before);
	for (; i < points->count && points->x[i] <= plot->to_ns; i++)
		add_point(&kept, points->x[i], points->y[i]);
	if (kept.count)
		add_point(&kept, plot->to_ns, kept.y[kept.count - 1]);
	points_free(points);
	*points = kept;
}

static void collect(const struct net_scene *scene, struct plot *plot)
{
	find_bounds(scene, plot);
	for (size_t i = 0; i < scene->packets; i++)
		add_packet(scene, plot, net_packet(scene, i));
	if (!scene->packets)
		add_rounds(scene, plot);
	make_steps(&plot->acked);
	clip(plot, &plot->sent);
	clip(plot, &plot->acked);
	fit_view(plot, scene->options->closer > 0);
}

/* How high the selected packet stands. */
static double height_of(const struct net_scene *scene,
	const struct logged *logged)
{
	const struct side *side = net_sending(scene);

	if (logged->side == scene->sender)
		return (double)side_offset(side, logged->end);
	return (double)side_offset(side, logged->ack);
}

static void draw(const struct net_scene *scene, const struct plot *plot,
	const struct pane *pane)
{
	const struct line_series series[] = {
		{ .x = plot->acked.x,
			.y = plot->acked.y,
			.n = plot->acked.count,
			.role = ROLE_SERIES_2,
			.dash = DASH_DOTTED,
			.label = "acked" },
		{ .x = plot->sent.x,
			.y = plot->sent.y,
			.n = plot->sent.count,
			.role = ROLE_SERIES,
			.label = "sent" },
		{ .x = plot->again.x,
			.y = plot->again.y,
			.doubtful = plot->again.marked,
			.n = plot->again.count,
			.role = ROLE_FLAGGED,
			.scattered = true },
	};
	struct line_view view = { .series = series,
		.count = 3,
		.across = axis_over(plot->from_ns, plot->to_ns, false, UNIT_NS),
		.up = axis_over(plot->low, plot->high, false, UNIT_BYTES),
		.right = pane->columns >= LABELS_FROM ? LABELS : 0 };

	if (scene->packets) {
		const struct logged *at = net_packet(scene, scene->packet);

		view.has_cursor = true;
		view.cursor_x = since(scene, at->packet.t_ns);
		view.cursor_y = height_of(scene, at);
	}
	draw_line(&view, pane);
	struct ticks ticks;
	axis_ticks_upright(&view.up, pane->rows - 2, &ticks);
	pane_chars(pane, 0, 0, ROLE_DIM, ticks.unit);
}

void net_sequence(const struct net_scene *scene, const struct pane *pane)
{
	struct plot plot = { .low = 0 };
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

	if (!net_sending(scene)->frames) {
		pane_wrap(&words, 0, ROLE_TEXT,
			"No data, so no sequence numbers that would grow.");
		return;
	}
	collect(scene, &plot);
	draw(scene, &plot, pane);
	points_free(&plot.sent);
	points_free(&plot.acked);
	points_free(&plot.again);
}
