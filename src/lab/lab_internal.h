/* What the files of lab.h share. */
#ifndef BENCHTOP_LAB_INTERNAL_H
#define BENCHTOP_LAB_INTERNAL_H

#include "lab.h"

/* Makes the file of the autosave this lab's, under another name if need be. */
void lab_claim_autosave(struct lab *);
/* Takes the packets of the run that has ended, explains them in its results. */
void lab_keep_packets(struct lab *, struct results *);
/* Forgets them: they are of another session. */
void lab_drop_packets(struct lab *);

#endif
