/*
 * What the Net screen's plots against time share: points, of which there may be
 * a hundred thousand, thinned to what can be seen; and which part of the
 * connection's time is in view.
 *
 * Times are nanoseconds since the connection's first packet.
 */
#ifndef BENCHTOP_NET_PLOT_H
#define BENCHTOP_NET_PLOT_H

#include "draw_line.h"
#include "view_net.h"

/* All zeros is none. */
struct points {
	double *x, *y; /* owned */
	bool *marked;  /* owned; all true */
	size_t count;
	/* Of points_see(): where the present dot begins, and its heights. */
	double dot_x, dot_low, dot_high;
};
void points_add(struct points *, double x, double y);
void points_free(struct points *);

/* What is in view. */
struct net_view {
	double from_ns, to_ns, low, high;
};
/* Its times: all of the connection, or a part round the selected packet, or
 * round where there are none. The heights are left alone. */
void net_view_times(const struct net_scene *, struct net_view *);

/* Adds a point, in the order of time, unless it lies within what was seen of
 * the same dot. Of those before the view only the last is kept: what stood
 * there still stands. */
void points_see(struct points *, const struct net_view *, double x, double y);
/* Steps: what stood before a point stands until then. */
void points_stand(struct points *);
/* What is in view, and at its edges what stood and still stands there. */
void points_clip(struct points *, const struct net_view *);

double net_since(const struct net_scene *, int64_t t_ns);

/* Lines of bytes over what is in view, with so many columns for their names
 * where the pane is wide; and the drawing of them, with the unit. */
struct line_view net_lines(const struct line_series *, size_t count,
	const struct net_view *, int label_columns, const struct pane *);
void net_draw_lines(const struct line_view *, const struct pane *);

#endif
