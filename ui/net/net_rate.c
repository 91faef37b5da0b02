/* Plots throughput against time: new data sent, and data acknowledged, in equal
 * parts of the time in view. */
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "net_plot.h"

enum { LABELS = 8, PARTS_LEAST = 8 };

/* The bytes by part of the time in view. */
struct parts {
	size_t count;
	double *sent, *acked; /* owned */
};

struct plot {
	struct points sent, acked;
	struct net_view view;
	struct parts parts;
};

/* Adds the bytes by which a line has advanced since its point before, at time
 * x. */
static void advance(const struct plot *plot, double *bytes, double x,
	double *before, double now)
{
	const struct net_view *view = &plot->view;
	double place = (x - view->from_ns) / (view->to_ns - view->from_ns);
	double at = place * (double)plot->parts.count;

	if (!(now > *before))
		return;
	if (at >= 0 && place <= 1)
		bytes[(size_t)fmin(at, (double)plot->parts.count - 1)] +=
			now - *before;
	*before = now;
}

static void add_packets(const struct net_scene *scene, struct plot *plot)
{
	const struct side *side = net_sending(scene);
	double sent = 0, acked = 0;

	for (size_t i = 0; i < scene->packets; i++) {
		const struct logged *logged = net_packet(scene, i);
		double x = net_since(scene, logged->packet.t_ns);

		if (logged->marks & MARK_COPY)
			continue;
		if (logged->side == scene->sender &&
			logged->packet.payload_bytes)
			advance(plot, plot->parts.sent, x, &sent,
				(double)side_offset(side, logged->end));
		if ((logged->side != scene->sender ||
			    scene->connection->self_connect) &&
			logged->packet.flags & TCP_ACK)
			advance(plot, plot->parts.acked, x, &acked,
				(double)side_offset(side, logged->ack));
	}
}

/* Without packets: the data of a round, at its start. */
static void add_rounds(const struct net_scene *scene, struct plot *plot)
{
	const struct rounds *rounds = net_rounds(scene);
	double before = 0, now = 0;

	for (uint32_t i = 0; i < rounds->count; i++) {
		now += (double)rounds->at[i].bytes;
		advance(plot, plot->parts.sent,
			net_since(scene, rounds->at[i].start_ns), &before, now);
	}
}

/* Turns the bytes of each part into a step. */
static void add_steps(const struct plot *plot, const double *bytes,
	struct points *points)
{
	const struct net_view *view = &plot->view;
	double width =
		(view->to_ns - view->from_ns) / (double)plot->parts.count;

	for (size_t i = 0; i < plot->parts.count; i++) {
		double from = view->from_ns + (double)i * width;
		double rate = bytes[i] * 8e9 / width;

		points_add(points, from, rate);
		points_add(points, from + width, rate);
	}
}

static void collect(const struct net_scene *scene, struct plot *plot,
	int columns)
{
	size_t count = columns / 2 > PARTS_LEAST ? (size_t)columns / 2 :
						   PARTS_LEAST;

	net_view_times(scene, &plot->view);
	plot->parts = (struct parts){ count, xcalloc(count, sizeof(double)),
		xcalloc(count, sizeof(double)) };
	if (scene->packets)
		add_packets(scene, plot);
	else
		add_rounds(scene, plot);
	add_steps(plot, plot->parts.sent, &plot->sent);
	if (scene->packets)
		add_steps(plot, plot->parts.acked, &plot->acked);
	for (size_t i = 0; i < plot->sent.count; i++)
		plot->view.high = fmax(plot->view.high, plot->sent.y[i]);
	for (size_t i = 0; i < plot->acked.count; i++)
		plot->view.high = fmax(plot->view.high, plot->acked.y[i]);
}

void net_throughput(const struct net_scene *scene, const struct pane *pane)
{
	struct plot plot = { .view = { .high = 1 } };
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

	if (!net_sending(scene)->frames ||
		scene->connection->last_ns <= scene->connection->first_ns) {
		pane_wrap(&words, 0, ROLE_TEXT, "No data.");
		return;
	}
	collect(scene, &plot, pane->columns);
	const struct line_series series[] = {
		net_series(&plot.acked, ROLE_SERIES_2, DASH_DOTTED, "acked"),
		net_series(&plot.sent, ROLE_SERIES, DASH_SOLID, "sent"),
	};
	struct line_view view = net_lines(series,
		sizeof series / sizeof *series, &plot.view, UNIT_BITS_PER_S,
		LABELS, pane);
	net_point_at_packet(scene, &view);
	net_draw_lines(scene, &view, pane);
	points_free(&plot.sent);
	points_free(&plot.acked);
	free(plot.parts.sent);
	free(plot.parts.acked);
}
