/* Refused input: one sentence on standard error, nothing on standard output, no
 * file written or changed. */
#ifndef BENCHTOP_CLI_REFUSED_H
#define BENCHTOP_CLI_REFUSED_H

#include "run.h"

#define REFUSED_KEPT "kept, and not a session" /* kept.json */

/* Creates a folder with a file that every refused line would have replaced. */
int prepare_refusals(void **state);
/* `what` is the line, for the test's own message. */
void assert_refused(const struct ran *ran, const char *what, int status,
	const char *place, const char *says);

#endif
