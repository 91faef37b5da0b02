/* The formats of export.h that do not consist of rows; private to it. */
#ifndef BENCHTOP_EXPORT_INTERNAL_H
#define BENCHTOP_EXPORT_INTERNAL_H

#include "export.h"

void export_metrics(const struct session *, struct text *);
void export_markdown(const struct session *, struct text *);

#endif
