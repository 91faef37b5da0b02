/* The formats of export.h that do not consist of rows; private to it. */
#ifndef BENCHTOP_EXPORT_INTERNAL_H
#define BENCHTOP_EXPORT_INTERNAL_H

#include "export.h"

/* Has an export of that many rows become too long? Its writer then stops, and
 * session_export() fails. */
static inline bool export_too_long(const struct text *out, size_t rows)
{
	return out->length >
		EXPORT_BYTES_FREE + rows * (size_t)EXPORT_ROW_BYTES_MAX;
}

/* Both return false if the export has become too long. */
bool export_metrics(const struct session *, struct text *);
bool export_markdown(const struct session *, struct text *);

/* OpenMetrics: adds a label `name="value"` after a comma, unless the value is
 * empty; and the lines before the samples of a family. */
void metrics_label(struct text *, const char *name, const char *value);
void metrics_head(const char *family, const char *unit, const char *help,
	struct text *);

#endif
