/* Checks of JSON and session files by an independent program: python3. */
#ifndef BENCHTOP_CLI_SCHEMA_H
#define BENCHTOP_CLI_SCHEMA_H

#include <stdbool.h>

#include "run.h"

/* True if python3 is installed; otherwise prints what is missing. */
bool has_python(void);
/* The same for jsonschema. */
bool has_jsonschema(void);
/* The number of JSON documents in the text, one after another. Fails if there
 * is anything else. */
size_t count_json(const struct text *text, const char *what);
/* Fails unless the text is exactly one JSON document. */
void assert_json(const struct text *text, const char *what);
/* Checks that every .json file of a folder is a session by
 * assets/session.schema.json. Returns their number. */
int assert_valid(const char *path);

#endif
