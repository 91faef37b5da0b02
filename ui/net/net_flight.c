/* Plots the congestion window from kernel samples, and the bytes in flight and
 * the receive window from packets, against one time axis. */
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "net_plot.h"

enum {
	LABELS = 10, /* columns for the names at the ends of the lines */
	LEAST_ROWS = 6,
};

struct plot {
	struct points flight, window, threshold;
	struct points offered; /* the receive window */
	struct net_view view;
	struct net_product product; /* bandwidth-delay product and queue */
	double level[2], queue[2];  /* two ends of a line: BDP, BDP + queue */
	double ends[2];             /* times of both ends */
};

/* ---- in flight ------------------------------------------------------ */

/* Adds the bytes in flight after a packet of either side. */
static void add_packet(const struct net_scene *scene, struct plot *plot,
	const struct logged *logged)
{
	double x = net_since(scene, logged->packet.t_ns);
	int64_t offered = logged->side == scene->sender ?
		-1 :
		net_window_bytes(scene, logged);

	if (logged->marks & MARK_COPY)
		return;
	if (offered >= 0)
		points_see(&plot->offered, &plot->view, x, (double)offered);
	points_see(&plot->flight, &plot->view, x,
		(double)logged->in_flight_bytes[scene->sender]);
}

static void add_rounds(const struct net_scene *scene, struct plot *plot)
{
	const struct rounds *rounds = net_rounds(scene);

	for (uint32_t i = 0; i < rounds->count; i++)
		points_add(&plot->flight,
			net_since(scene, rounds->at[i].last_ns),
			(double)rounds->at[i].in_flight_bytes);
}

/* ---- samples from the kernel ---------------------------------------- */

static void add_samples(const struct net_scene *scene, struct plot *plot)
{
	const struct tcpinfo_sample *sample;

	for (size_t i = 0; (sample = net_sample(scene, &i));) {
		double x = net_since(scene, sample->t_ns);

		points_see(&plot->window, &plot->view, x,
			(double)sample->window_bytes);
		if (sample->threshold_bytes)
			points_see(&plot->threshold, &plot->view, x,
				(double)sample->threshold_bytes);
		if (!scene->packets)
			points_see(&plot->flight, &plot->view, x,
				(double)sample->in_flight_bytes);
	}
}

/* ---- drawing -------------------------------------------------------- */

static double most_of(const struct points *points)
{
	double most = 0;

	for (size_t i = 0; i < points->count; i++)
		most = fmax(most, points->y[i]);
	return most;
}

/* Finds the height of the plot. The path's lines count only if they are not far
 * above the others, and a receive window far above them is left out. A
 * threshold never counts, because it may have any value. */
static void find_heights(const struct net_scene *scene, struct plot *plot)
{
	double mss = net_segment_bytes(scene);
	double most = fmax(most_of(&plot->flight), most_of(&plot->window));

	net_find_product(scene, &plot->product);
	for (int i = 0; i < 2; i++) {
		plot->level[i] = plot->product.segments * mss;
		plot->queue[i] =
			plot->level[i] + plot->product.queue_segments * mss;
	}
	plot->ends[0] = plot->view.from_ns;
	plot->ends[1] = plot->view.to_ns;
	if (most_of(&plot->offered) < 2 * most)
		most = fmax(most, most_of(&plot->offered));
	else
		plot->offered.count = 0;
	if (plot->level[0] < 2 * most)
		most = fmax(most, plot->level[0]);
	if (plot->queue[0] < 1.3 * most)
		most = fmax(most, plot->queue[0]);
	plot->view.high = fmax(most * 1.02, 1);
}

static void collect(const struct net_scene *scene, struct plot *plot)
{
	const struct side *side = net_sending(scene);

	net_view_times(scene, &plot->view);
	plot->view.high = (double)side->in_flight_most_bytes + 1;
	for (size_t i = 0; i < scene->packets; i++)
		add_packet(scene, plot, net_packet(scene, i));
	add_samples(scene, plot);
	if (!plot->flight.count)
		add_rounds(scene, plot);
	points_stand(&plot->window);
	points_stand(&plot->offered);
	points_stand(&plot->threshold);
	points_clip(&plot->flight, &plot->view);
	points_clip(&plot->window, &plot->view);
	points_clip(&plot->offered, &plot->view);
	points_clip(&plot->threshold, &plot->view);
	find_heights(scene, plot);
}

static struct line_series level_of(const struct plot *plot, const double *y,
	const char *label)
{
	bool there = y[0] > 0 && y[0] <= plot->view.high;

	return (struct line_series){ .x = plot->ends,
		.y = y,
		.n = there ? 2 : 0,
		.role = ROLE_FRAME,
		.dash = DASH_DOTTED,
		.label = label };
}

static void draw(const struct net_scene *scene, struct plot *plot,
	const struct pane *pane)
{
	bool queue = plot->product.queue_segments > 0;
	const struct line_series series[] = {
		level_of(plot, plot->level,
			plot->product.told ? "BDP" : "BDP seen"),
		level_of(plot, queue ? plot->queue : (double[2]){ 0, 0 },
			"+queue"),
		net_series(&plot->offered, ROLE_SERIES_4, DASH_MIXED, "receiver"),
		net_series(&plot->threshold, ROLE_SERIES_3, DASH_DASHED,
			"ssthresh"),
		net_series(&plot->flight, ROLE_SERIES_2, DASH_DOTTED, "flight"),
		net_series(&plot->window, ROLE_SERIES, DASH_SOLID, "window"),
	};
	struct line_view view = net_lines(series,
		sizeof series / sizeof *series, &plot->view, UNIT_BYTES,
		LABELS, pane);

	net_point_at_packet(scene, &view);
	net_draw_lines(scene, &view, pane);
}

void net_flight(const struct net_scene *scene, const struct pane *pane)
{
	struct plot plot = { .view = { .low = 0 } };
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

	if (!net_sending(scene)->frames) {
		pane_wrap(&words, 0, ROLE_TEXT, "No data in flight.");
		return;
	}
	collect(scene, &plot);
	draw(scene, &plot, pane);
	points_free(&plot.flight);
	points_free(&plot.window);
	points_free(&plot.threshold);
	points_free(&plot.offered);
}

bool net_flight_untold(const struct net_scene *scene, const struct pane *pane)
{
	const struct tcpinfo_log *tcpinfo = scene->source.tcpinfo;
	const struct tcpinfo_sample *samples =
		tcpinfo ? tcpinfo->samples.data : NULL;
	size_t first = tcpinfo ? tcpinfo->samples.count : 0;
	struct connection *connection;
	struct net_scene bare = *scene;

	if (!first || pane->rows < LEAST_ROWS)
		return false;
	/* Build a connection of which only the port and the times are known. */
	connection = xcalloc(1, sizeof *connection);
	connection->end[0].port = samples[first - 1].port;
	connection->last_ns = samples[first - 1].t_ns;
	while (first && samples[first - 1].port == connection->end[0].port)
		first--;
	connection->first_ns = samples[first].t_ns;
	bare.connection = connection;
	struct plot plot = { .view = { .low = 0 } };
	collect(&bare, &plot);
	draw(&bare, &plot, pane);
	points_free(&plot.flight);
	points_free(&plot.window);
	points_free(&plot.threshold);
	points_free(&plot.offered);
	free(connection);
	return true;
}
