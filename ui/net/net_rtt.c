/* Plots round trips against time: each sample from the packets, and the
 * kernel's smoothed value if the run recorded it. */
#include <math.h>

#include "net_plot.h"

enum { LABELS = 10 };

struct plot {
	struct points samples, smoothed;
	struct net_view view;
	double least[2], ends[2];
};

static void add_packets(const struct net_scene *scene, struct plot *plot)
{
	for (size_t i = 0; i < scene->packets; i++) {
		const struct logged *logged = net_packet(scene, i);

		if (!isnan(logged->rtt_ns) &&
			logged->rtt_side == scene->sender)
			points_see(&plot->samples, &plot->view,
				net_since(scene, logged->packet.t_ns),
				(double)logged->rtt_ns);
	}
}

/* Without packets: the least sample of each round. */
static void add_rounds(const struct net_scene *scene, struct plot *plot)
{
	const struct rounds *rounds = net_rounds(scene);

	for (uint32_t i = 0; i < rounds->count; i++)
		if (rounds->at[i].rtt_ns != UNKNOWN_NS)
			points_see(&plot->samples, &plot->view,
				net_since(scene, rounds->at[i].start_ns),
				(double)rounds->at[i].rtt_ns);
}

static void add_kernel(const struct net_scene *scene, struct plot *plot)
{
	const struct tcpinfo_sample *sample;

	for (size_t i = 0; (sample = net_sample(scene, &i));)
		if (sample->rtt_ns > 0)
			points_see(&plot->smoothed, &plot->view,
				net_since(scene, sample->t_ns),
				(double)sample->rtt_ns);
}

static double top_of(const struct plot *plot)
{
	double most = 0;

	for (size_t i = 0; i < plot->samples.count; i++)
		most = fmax(most, plot->samples.y[i]);
	for (size_t i = 0; i < plot->smoothed.count; i++)
		most = fmax(most, plot->smoothed.y[i]);
	return most;
}

static void collect(const struct net_scene *scene, struct plot *plot)
{
	const struct rtt *rtt = &net_sending(scene)->rtt;
	double least = rtt->samples ? (double)rtt->least_ns : NAN;

	net_view_times(scene, &plot->view);
	/* Dots are as high as a two thousandth of this. */
	plot->view.high = rtt->samples ? 4 * (double)rtt->smoothed_ns : 1e9;
	if (scene->packets)
		add_packets(scene, plot);
	else
		add_rounds(scene, plot);
	add_kernel(scene, plot);
	points_clip(&plot->smoothed, &plot->view);
	plot->view.low = 0;
	plot->view.high = fmax(top_of(plot) * 1.02, 1);
	plot->least[0] = plot->least[1] = least;
	plot->ends[0] = plot->view.from_ns;
	plot->ends[1] = plot->view.to_ns;
}

static void say_nothing_drawn(const struct net_scene *scene,
	const struct pane *pane)
{
	int64_t path_ns = handshake_path_ns(&scene->connection->handshake);
	struct text words = { 0 };

	if (net_sending(scene)->rtt.samples)
		text_add(&words, "The round trips that were timed are outside "
				 "the times in view.");
	else
		text_add(&words,
			"No round trip was timed: the capture point does not "
			"show them, or nothing was acknowledged.");
	if (path_ns != UNKNOWN_NS) {
		text_add(&words, " That of the handshake is ");
		net_span(scene, path_ns, &words);
		text_add(&words, ".");
	}
	pane_wrap(pane, 0, ROLE_TEXT, text_chars(&words));
	text_free(&words);
}

void net_round_trips(const struct net_scene *scene, const struct pane *pane)
{
	struct plot plot = { .view = { .low = 0 } };
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

	collect(scene, &plot);
	struct line_series samples =
		net_series(&plot.samples, ROLE_SERIES, DASH_SOLID, "RTT");
	samples.scattered = true;
	const struct line_series series[] = {
		{ .x = plot.ends,
			.y = plot.least,
			.n = isfinite(plot.least[0]) ? 2 : 0,
			.role = ROLE_FRAME,
			.dash = DASH_DOTTED,
			.label = "least" },
		net_series(&plot.smoothed, ROLE_SERIES_2, DASH_SOLID,
			"smoothed"),
		samples,
	};
	struct line_view view = net_lines(series,
		sizeof series / sizeof *series, &plot.view, UNIT_NS, LABELS,
		pane);
	net_point_at_packet(scene, &view);
	if (plot.samples.count || plot.smoothed.count)
		net_draw_lines(scene, &view, pane);
	else
		say_nothing_drawn(scene, &words);
	points_free(&plot.samples);
	points_free(&plot.smoothed);
}
