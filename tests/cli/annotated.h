/* The output of `annotate`, and access to the values in its JSON. */
#ifndef BENCHTOP_CLI_ANNOTATED_H
#define BENCHTOP_CLI_ANNOTATED_H

#include "json.h"
#include "run.h"

/* The public captures, of which each has known contents. */
#define CAPTURES SOURCE_FOLDER "/../shared/captures"

/* The path of a public capture, valid until the next call. */
const char *capture_path(const char *name);
cJSON *annotated(const char *path);
cJSON *annotated_capture(const char *name);
/* The text on a public capture, with its lines joined, has a sentence. */
void assert_says(const char *name, const char *sentence);
void assert_never_says(const char *name, const char *sentence);
/* The value at a path such as "connections.0.rounds.2.segments". */
const cJSON *member(const cJSON *tree, const char *path);
void assert_number(const cJSON *tree, const char *path, double wanted);
void assert_word(const cJSON *tree, const char *path, const char *wanted);
void assert_unknown(const cJSON *tree, const char *path);
void assert_segments(const cJSON *tree, const char *connection,
	const int *segments, int count);
int count_kind(const cJSON *tree, const char *path, const char *kind);

#endif
