/* Two constant sessions that give every verdict when compared. */
#ifndef BENCHTOP_SCREENS_COMPARE_FIXTURE_H
#define BENCHTOP_SCREENS_COMPARE_FIXTURE_H

#include "sweep_fixture.h"
#include "view_compare.h"

enum { MADE_LAUNCHES = 10, MADE_TRIALS = 40 };

/* Fills a point with times of `ns`; launches vary by `spread`, trials by 1
 * %. */
void made_fill(struct results *run, struct point *point, double ns,
	double spread);
struct results *made_results(const struct experiment *experiment,
	double core_hz);
struct session *made_before(void);
/* The lab's own session is B, before.json is A. */
void made_open(struct lab *lab, struct screen *screen);

#endif
