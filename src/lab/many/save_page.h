/* The option -o OUT.html of verbs that also write a page. */
#ifndef BENCHTOP_SAVE_PAGE_H
#define BENCHTOP_SAVE_PAGE_H

#include "command.h"

#define SAVE_PAGE_OPTIONS "-o=", "--force"

/* For check(): the name must end in .html. */
int save_page_check(const struct call *, struct error *);
/* Before the page is made: fails if -o names a file that is not a report,
 * unless --force is given. *wanted: -o is given. */
int save_page_begin(const struct call *, bool *wanted, struct error *);
/* Saves the page, and remarks it. Frees the page in any case. */
int save_page_end(const struct call *, struct text *page, struct reply *);

#endif
