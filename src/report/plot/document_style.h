/* The style sheet of a page, in three parts. */
#ifndef BENCHTOP_DOCUMENT_STYLE_H
#define BENCHTOP_DOCUMENT_STYLE_H

extern const char document_style[];        /* everywhere */
extern const char document_style_narrow[]; /* on a narrow screen */
extern const char document_style_paper[];  /* printed */

#endif
