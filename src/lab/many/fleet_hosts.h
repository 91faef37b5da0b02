/* Measures hosts over ssh, by the scripts of assets/ssh. */
#ifndef BENCHTOP_FLEET_HOSTS_H
#define BENCHTOP_FLEET_HOSTS_H

#include "error.h"

/* Runs ssh/fleet.sh, which is part of the program, and waits for it. Its lines
 * go to the standard error. Fails if a host of the list has no session in the
 * folder then. A signal that is pending for this process ends it. */
int fleet_measure(const char *folder, const char *script, const char *hosts,
	struct error *);

#endif
