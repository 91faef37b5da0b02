/* The tables of the verbs that read many sessions. */
#ifndef BENCHTOP_MANY_VERBS_H
#define BENCHTOP_MANY_VERBS_H

#include "command.h"

extern const struct command history_commands[], fleet_commands[];

#endif
