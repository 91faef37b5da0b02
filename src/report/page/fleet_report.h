/*
 * The HTML report of a fleet: a summary, the rule, a heat map of machines and
 * series, the outliers with what differs around them, and a row per series.
 *
 * The page is bounded. The heat map has at most FLEET_REPORT_ROWS machines and
 * FLEET_REPORT_COLUMNS series, outliers first. The tables have at most
 * FLEET_REPORT_OUTLIERS machines and FLEET_REPORT_SERIES series. The page
 * states how many are left out.
 */
#ifndef BENCHTOP_FLEET_REPORT_H
#define BENCHTOP_FLEET_REPORT_H

#include "fleet_sessions.h"

enum {
	FLEET_REPORT_ROWS = 60,
	FLEET_REPORT_COLUMNS = 40,
	FLEET_REPORT_OUTLIERS = 200,
	FLEET_REPORT_SERIES = 1000,
};

void fleet_report(const struct fleet_sessions *, struct text *);

#endif
