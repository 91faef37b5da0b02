/* JSON and session files looked at by somebody else's program: python3. */
#ifndef BENCHTOP_CLI_SCHEMA_H
#define BENCHTOP_CLI_SCHEMA_H

#include <stdbool.h>

#include "run.h"

/* Is python3 here? Says what is missing. */
bool has_python(void);
/* The same, with jsonschema. */
bool has_jsonschema(void);
/* One JSON document and nothing else. */
void assert_json(const struct text *text, const char *what);
/* Every .json of a folder is a session after assets/session.schema.json; how
 * many there are. */
int assert_valid(const char *path);

#endif
