/* Functions shared by the files that implement lab.h. */
#ifndef BENCHTOP_LAB_INTERNAL_H
#define BENCHTOP_LAB_INTERNAL_H

#include "lab.h"

/* Chooses where the session is saved first. */
void lab_choose_autosave(struct lab *);
/* Closes the packets of the last captured run, which belongs to another
 * session. */
void lab_drop_packets(struct lab *);

#endif
