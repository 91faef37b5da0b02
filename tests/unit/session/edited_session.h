/* The text of the sample session with a part replaced; and edits of it that
 * must be refused in one sentence with the file and the path. */
#ifndef BENCHTOP_EDITED_SESSION_H
#define BENCHTOP_EDITED_SESSION_H

#include <string.h>

#include "check.h"
#include "sample_session.h"
#include "session.h"

struct text sample_text(void);
struct text edited(const char *old, const char *new);

/* A replacement in the sample's text, and the path in the expected sentence. */
struct edit {
	const char *old, *new, *says;
};

void refused_with(const struct text *text, const struct edit *edit);
/* Applies each edit to a new sample; every edit must be refused. */
void edits_are_refused(const struct edit *edits, size_t count);

#endif
