/* What the files of lab.h share. */
#ifndef BENCHTOP_LAB_INTERNAL_H
#define BENCHTOP_LAB_INTERNAL_H

#include "lab.h"

/* Names a new file for the session to be saved to. */
void lab_choose_autosave(struct lab *);
/* Forgets the packets of the last run: they are of another session. */
void lab_drop_packets(struct lab *);

#endif
