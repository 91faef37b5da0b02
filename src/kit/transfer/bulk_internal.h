/* Frames of bulk transfers; private to their two ends. */
#ifndef BENCHTOP_BULK_INTERNAL_H
#define BENCHTOP_BULK_INTERNAL_H

#include "wire.h"

enum bulk_frame { BULK_GO = WIRE_OWN, BULK_ACCEPTED, BULK_RESULT };

#endif
