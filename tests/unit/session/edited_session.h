/* The sample session's text with a piece of it replaced; and edits of it that
 * must be refused in one sentence that names the file and the path. */
#ifndef BENCHTOP_EDITED_SESSION_H
#define BENCHTOP_EDITED_SESSION_H

#include <string.h>

#include "check.h"
#include "sample_session.h"
#include "session.h"

struct text sample_text(void);
struct text edited(const char *old, const char *new);

/* One piece of the sample's text is replaced; the sentence has the path. */
struct edit {
	const char *old, *new, *says;
};

void refused_with(const struct text *text, const struct edit *edit);
/* Makes each edit of a fresh sample; every one must be refused. */
void edits_are_refused(const struct edit *edits, size_t count);

#endif
