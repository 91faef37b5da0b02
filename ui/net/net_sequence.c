/* Plots bytes against time: sent, acknowledged, retransmitted. */
#include <math.h>

#include "net_plot.h"

enum { LABELS = 7 /* columns for the names at the ends of the lines */ };

struct plot {
	struct points sent, acked, again;
	struct net_view view;
};

/* ---- from packets --------------------------------------------------- */

static void add_packet(const struct net_scene *scene, struct plot *plot,
	const struct logged *logged)
{
	const struct side *side = net_sending(scene);
	double x = net_since(scene, logged->packet.t_ns);

	if (logged->marks & MARK_COPY)
		return;
	if (logged->side == scene->sender && logged->packet.payload_bytes) {
		bool again =
			logged->marks & (MARK_RETRANSMISSION | MARK_REORDERED);

		points_see(again ? &plot->again : &plot->sent, &plot->view, x,
			(double)side_offset(side,
				again ? logged->position : logged->end));
	}
	bool acks = logged->side != scene->sender ||
		scene->connection->self_connect;
	if (!acks || !(logged->packet.flags & TCP_ACK))
		return;
	double acked = (double)side_offset(side, logged->ack);
	size_t count = plot->acked.count;
	if (acked >= 0 && (!count || acked >= plot->acked.y[count - 1]))
		points_see(&plot->acked, &plot->view, x, acked);
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

/* When zoomed in, sets the heights to those of the points in view. */
static void fit_view(struct plot *plot, bool closer)
{
	const struct points *lines[] = { &plot->sent, &plot->acked,
		&plot->again };
	double low = INFINITY, high = -INFINITY;

	for (size_t k = 0; closer && k < 3; k++)
		for (size_t i = 0; i < lines[k]->count; i++) {
			if (lines[k]->x[i] < plot->view.from_ns ||
				lines[k]->x[i] > plot->view.to_ns)
				continue;
			low = fmin(low, lines[k]->y[i]);
			high = fmax(high, lines[k]->y[i]);
		}
	if (low < high) {
		plot->view.low = low;
		plot->view.high = high;
	}
}

static void collect(const struct net_scene *scene, struct plot *plot)
{
	find_bounds(scene, plot);
	for (size_t i = 0; i < scene->packets; i++)
		add_packet(scene, plot, net_packet(scene, i));
	if (!scene->packets)
		add_rounds(scene, plot);
	points_stand(&plot->acked);
	points_clip(&plot->sent, &plot->view);
	points_clip(&plot->acked, &plot->view);
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
	struct line_view view = net_lines(series,
		sizeof series / sizeof *series, &plot->view, LABELS, pane);

	if (scene->packets) {
		const struct logged *at = net_packet(scene, scene->packet);

		view.has_cursor = true;
		view.cursor_x = net_since(scene, at->packet.t_ns);
		view.cursor_y = height_of(scene, at);
	}
	net_draw_lines(&view, pane);
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
	points_free(&plot.sent);
	points_free(&plot.acked);
	points_free(&plot.again);
}
