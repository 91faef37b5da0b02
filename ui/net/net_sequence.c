/* Plots bytes against time: sent, acknowledged, retransmitted, and the receive
 * window. */
#include <math.h>

#include "net_plot.h"

enum { LABELS = 8 /* columns for the names at the ends of the lines */ };

/* The receive window counts for the plot's height only if it ends below this
 * multiple of the data. A large window would flatten a small transfer. */
static const double window_most = 1.5;

struct plot {
	struct points sent, acked, again, late, duplicates, sacked, window;
	struct net_view view;
};

/* ---- from packets --------------------------------------------------- */

static void add_data(const struct net_scene *scene, struct plot *plot,
	const struct logged *logged, double x)
{
	const struct side *side = net_sending(scene);
	double end = (double)side_offset(side, logged->end);
	size_t count = plot->sent.count;

	if (logged->marks & MARK_REORDERED)
		points_see(&plot->late, &plot->view, x, end);
	else if (logged->marks & MARK_RETRANSMISSION)
		points_see(&plot->again, &plot->view, x,
			(double)side_offset(side, logged->position));
	else if (!count || end >= plot->sent.y[count - 1])
		points_see(&plot->sent, &plot->view, x, end);
}

static void add_ack(const struct net_scene *scene, struct plot *plot,
	const struct logged *logged, double x)
{
	const struct side *side = net_sending(scene);
	double acked = (double)side_offset(side, logged->ack);
	double most = plot->view.high * window_most * 2;
	int64_t window = net_window_bytes(scene, logged);
	size_t count = plot->acked.count;

	if (acked >= 0 && (!count || acked >= plot->acked.y[count - 1]))
		points_see(&plot->acked, &plot->view, x, acked);
	if (window >= 0)
		points_see(&plot->window, &plot->view, x,
			fmin(acked + (double)window, most));
	if (logged->marks & MARK_DUPLICATE_ACK)
		points_see(&plot->duplicates, &plot->view, x, acked);
	for (unsigned i = 0; i < logged->packet.options.sack_count; i++) {
		struct net_block block = net_sack(logged, i);

		points_span(&plot->sacked, &plot->view, x,
			(double)side_offset(side, block.from),
			(double)side_offset(side, block.to));
	}
}

static void add_packet(const struct net_scene *scene, struct plot *plot,
	const struct logged *logged)
{
	double x = net_since(scene, logged->packet.t_ns);
	bool acks = logged->side != scene->sender ||
		scene->connection->self_connect;

	if (logged->marks & MARK_COPY)
		return;
	if (logged->side == scene->sender && logged->packet.payload_bytes)
		add_data(scene, plot, logged, x);
	if (acks && logged->packet.flags & TCP_ACK)
		add_ack(scene, plot, logged, x);
}

/* ---- without packets ------------------------------------------------ */

/* Adds the total bytes sent at the start and end of each round. */
static void add_rounds(const struct net_scene *scene, struct plot *plot)
{
	const struct rounds *rounds = net_rounds(scene);
	double sum = 0;

	for (uint32_t i = 0; i < rounds->count; i++) {
		const struct round *round = &rounds->at[i];

		points_add(&plot->sent, net_since(scene, round->start_ns), sum);
		sum += (double)round->bytes;
		points_add(&plot->sent, net_since(scene, round->last_ns), sum);
	}
}

/* ---- drawing -------------------------------------------------------- */

static void find_bounds(const struct net_scene *scene, struct plot *plot)
{
	const struct side *side = net_sending(scene);

	net_view_times(scene, &plot->view);
	plot->view.low = 0;
	plot->view.high =
		side->started ? (double)side_offset(side, side->next) : 0;
	if (plot->view.high < 1)
		plot->view.high = 1;
}

/* Widens the range by the points in view. */
static void include(const struct points *points, const struct net_view *view,
	double *low, double *high)
{
	for (size_t i = 0; i < points->count; i++) {
		if (points->x[i] < view->from_ns || points->x[i] > view->to_ns)
			continue;
		*low = fmin(*low, points->y[i]);
		*high = fmax(*high, points->y[i]);
	}
}

/* Sets the heights: when zoomed in, to those of the points in view. */
static void fit_view(struct plot *plot, bool closer)
{
	struct net_view *view = &plot->view;
	const struct points *window = &plot->window;
	double low = INFINITY, high = -INFINITY;

	include(&plot->sent, view, &low, &high);
	include(&plot->acked, view, &low, &high);
	include(&plot->again, view, &low, &high);
	if (closer && low < high) {
		view->low = low;
		view->high = high;
	}
	double most = view->low + (view->high - view->low) * window_most;
	double edge = window->count ? window->y[window->count - 1] : 0;
	if (edge > view->high && edge <= most)
		view->high = edge;
}

static void collect(const struct net_scene *scene, struct plot *plot)
{
	find_bounds(scene, plot);
	for (size_t i = 0; i < scene->packets; i++)
		add_packet(scene, plot, net_packet(scene, i));
	if (!scene->packets)
		add_rounds(scene, plot);
	points_stand(&plot->acked);
	points_stand(&plot->window);
	points_clip(&plot->sent, &plot->view);
	points_clip(&plot->acked, &plot->view);
	points_clip(&plot->window, &plot->view);
	fit_view(plot, scene->options->closer > 0);
}

/* The height of the selected packet in the plot. */
static double height_of(const struct net_scene *scene,
	const struct logged *logged)
{
	const struct side *side = net_sending(scene);

	if (logged->side == scene->sender)
		return (double)side_offset(side, logged->end);
	return (double)side_offset(side, logged->ack);
}

/* Letters at points. */
static struct line_series signs_of(const struct points *points, char sign,
	enum role role)
{
	return (struct line_series){ .x = points->x,
		.y = points->y,
		.doubtful = points->marked,
		.n = points->count,
		.sign = sign,
		.role = role,
		.scattered = true };
}

static void draw(const struct net_scene *scene, const struct plot *plot,
	const struct pane *pane)
{
	const struct line_series series[] = {
		net_series(&plot->window, ROLE_SERIES_3, DASH_DASHED, "window"),
		{ .x = plot->sacked.x,
			.y = plot->sacked.y,
			.low = plot->sacked.low,
			.high = plot->sacked.y,
			.n = plot->sacked.count,
			.role = ROLE_SERIES_4,
			.scattered = true,
			.label = "SACK" },
		net_series(&plot->acked, ROLE_SERIES_2, DASH_DOTTED, "acked"),
		net_series(&plot->sent, ROLE_SERIES, DASH_SOLID, "sent"),
		signs_of(&plot->duplicates, 'd', ROLE_SERIES_2),
		signs_of(&plot->late, 'r', ROLE_WARN),
		signs_of(&plot->again, 'x', ROLE_FLAGGED),
	};
	struct line_view view = net_lines(series,
		sizeof series / sizeof *series, &plot->view, UNIT_BYTES,
		LABELS, pane);

	if (scene->packets) {
		const struct logged *at = net_packet(scene, scene->packet);

		view.has_cursor = true;
		view.cursor_x = net_since(scene, at->packet.t_ns);
		view.cursor_y = height_of(scene, at);
	}
	net_draw_lines(scene, &view, pane);
}

void net_sequence(const struct net_scene *scene, const struct pane *pane)
{
	struct plot plot = { .view = { .low = 0 } };
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

	if (!net_sending(scene)->frames) {
		pane_wrap(&words, 0, ROLE_TEXT,
			"No data, so the sequence numbers do not advance.");
		return;
	}
	collect(scene, &plot);
	draw(scene, &plot, pane);
	struct points *all[] = { &plot.sent, &plot.acked, &plot.again,
		&plot.late, &plot.duplicates, &plot.sacked, &plot.window };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		points_free(all[i]);
}
