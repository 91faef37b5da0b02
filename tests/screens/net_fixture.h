/* A lab with a capture opened in it: connections made up packet by packet, as
 * if a file had been read. */
#ifndef BENCHTOP_SCREENS_NET_FIXTURE_H
#define BENCHTOP_SCREENS_NET_FIXTURE_H

#include <stdbool.h>

#include "connections.h"
#include "fixture.h"
#include "unit/packet/path.h"
#include "view_net.h"

/* Makes an empty capture the lab's, as `annotate` does. */
struct annotator *net_capture(struct lab *lab, const char *name);
/* Slow start doubles, until in the fifth round one segment is lost. */
void net_lossy(struct lab *lab);
/* Makes what was captured a run's of the session, without its packets. */
void net_keep(struct lab *lab, bool told);
/* The receiver offers 20 segments and no more. */
void net_window(struct lab *lab);
/* Three connections: refused, closed in order, and one that begins in the
 * middle with something lost. */
void net_three(struct lab *lab);
/* A public capture; false where there is none. */
bool net_public(struct lab *lab, const char *name);

#endif
