/*
 * A table in a descriptor: a row of zeros ends it.
 *
 *   .headings = ROWS(heading, { "over-own", "times own lines" }),
 */
#ifndef BENCHTOP_ROWS_H
#define BENCHTOP_ROWS_H

#define ROWS(TYPE, ...) ((const struct TYPE[]){ __VA_ARGS__, { 0 } })

#endif
