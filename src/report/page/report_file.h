/* Files of reports, HTML or Markdown: names, and what may be replaced. */
#ifndef BENCHTOP_REPORT_FILE_H
#define BENCHTOP_REPORT_FILE_H

#include <stdbool.h>

#include "error.h"

/* The document_form by the name's ending: ".html" and ".htm" are HTML, ".md"
 * and "-" are Markdown; -1: unknown. */
int report_file_form(const char *path);
/* True for a file that contains a report. */
bool report_file_is(const char *path);
/* Fails if the file exists and is neither empty nor a report. */
int report_file_check(const char *path, struct error *);

#endif
