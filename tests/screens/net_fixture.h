/* A lab with an open capture: connections generated packet by packet, as if a
 * file had been read. */
#ifndef BENCHTOP_SCREENS_NET_FIXTURE_H
#define BENCHTOP_SCREENS_NET_FIXTURE_H

#include <stdbool.h>

#include "connections.h"
#include "fixture.h"
#include "unit/packet/path.h"
#include "view_net.h"

/* Adds an empty capture to the lab, as `annotate` does. */
struct annotator *net_capture(struct lab *lab, const char *name);
/* Adds a slow start that doubles until one segment is lost in the fifth
 * round. */
void net_lossy(struct lab *lab);
/* .. in the third round, and then sends most of its data through half the
 * window. */
void net_congested(struct lab *lab);
/* Stores the capture as that of a run in the session, without its packets. */
void net_keep(struct lab *lab, bool told);
/* Adds a connection whose receive window is limited to 20 segments. */
void net_window(struct lab *lab);
/* Adds three connections: refused, closed in order, and captured from the
 * middle with data missing. */
void net_three(struct lab *lab);
/* Adds a connection whose close comes a minute after its last data. */
void net_idle_end(struct lab *lab);
/* Adds a connection of 10 or 100 packets in 50 ms whose receiver is gone: the
 * last is retransmitted after 0.4, 1.2, 2.8 and 6 s. */
void net_receiver_gone(struct lab *lab, int packets);
/* Opens the Net screen of the lossy connection, with this pane in focus. */
void net_lossy_open(struct lab *lab, struct screen *screen, const char *pane);
/* What the screen shows, and the number of its selected packet. */
struct net_scene net_shown(struct screen *screen);
uint64_t net_shown_packet(struct screen *screen);
/* Adds a public capture; false if it is not available. */
bool net_public(struct lab *lab, const char *name);

#endif
