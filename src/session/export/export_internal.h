/* The formats of export.h that are not made of rows. Private to it. */
#ifndef BENCHTOP_EXPORT_INTERNAL_H
#define BENCHTOP_EXPORT_INTERNAL_H

#include "export.h"

void export_metrics(const struct session *, struct text *);
void export_markdown(const struct session *, struct text *);

#endif
