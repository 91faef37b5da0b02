/*
 * Shared parts of the Net screen's plots against time. A plot may have a
 * hundred thousand points; this module thins them to what the screen can show.
 * It also finds the part of the connection's time that is in view.
 *
 * Times are nanoseconds since the connection's first packet.
 */
#ifndef BENCHTOP_NET_PLOT_H
#define BENCHTOP_NET_PLOT_H

#include "draw_line.h"
#include "view_net.h"

/* An empty list is all zeros. */
struct points {
	double *x, *y; /* owned */
	double *low;   /* owned; of points_span(), else NULL */
	bool *marked;  /* owned; all true */
	size_t count;
	/* For points_see(): where the current dot begins, and its range of
	 * heights. */
	double dot_x, dot_low, dot_high;
};
void points_add(struct points *, double x, double y);
void points_free(struct points *);

/* The part in view. */
struct net_view {
	double from_ns, to_ns, low, high;
};
/* The times between which a connection sent or retransmitted data, with room
 * for the last acknowledgement. The ends are left as they are unless they are
 * idle for a large part of the connection. */
struct net_view net_busy_times(const struct connection *);
/* Sets the times in view: the whole transfer, or a part of it. A long silence
 * before the first data and after the last is left out, unless the user zooms
 * out to it or has selected a packet there. The centre of
 * a part is the selected packet; without packets, the selected round. Leaves
 * the heights unchanged. */
void net_view_times(const struct net_scene *, struct net_view *);

/* Adds a point, in order of time, unless the current dot already covers it. Of
 * the points before the view, only the last is kept: its value holds at the
 * left edge. */
void points_see(struct points *, const struct net_view *, double x, double y);
/* Adds a vertical line from `low` to `high`, unless the current dot already
 * covers it. Do not mix with the other functions. */
void points_span(struct points *, const struct net_view *, double x, double low,
	double high);
/* Turns the points into steps: each value holds until the next point. */
void points_stand(struct points *);
/* Keeps the points in view, and adds the value that holds at each edge. */
void points_clip(struct points *, const struct net_view *);

double net_since(const struct net_scene *, int64_t t_ns);

/* The points as a line; it borrows them. */
struct line_series net_series(const struct points *, enum role, enum dash,
	const char *label);
/* The view for lines against time. Wide panes reserve `label_columns` for the
 * names of the lines. net_draw_lines() draws the lines, the unit, and the idle
 * time that is left out: "+81 s". */
struct line_view net_lines(const struct line_series *, size_t count,
	const struct net_view *, enum unit, int label_columns,
	const struct pane *);
/* Writes idle time that a time axis leaves out, "+81 s", at the right of the
 * pane; it has at most IDLE_COLUMNS. */
enum { IDLE_COLUMNS = 9 };
void net_draw_idle(const struct net_scene *, int64_t idle_ns,
	const struct pane *);
/* Marks the selected packet on the time axis. */
void net_point_at_packet(const struct net_scene *, struct line_view *);
void net_draw_lines(const struct net_scene *, const struct line_view *,
	const struct pane *);

#endif
