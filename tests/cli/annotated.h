/* `annotate FILE --json`, and access to the values in its output. */
#ifndef BENCHTOP_CLI_ANNOTATED_H
#define BENCHTOP_CLI_ANNOTATED_H

#include "json.h"
#include "run.h"

cJSON *annotated(const char *path);
/* The value at a path such as "connections.0.rounds.2.segments". */
const cJSON *member(const cJSON *tree, const char *path);
void assert_number(const cJSON *tree, const char *path, double wanted);
void assert_word(const cJSON *tree, const char *path, const char *wanted);
void assert_unknown(const cJSON *tree, const char *path);
void assert_segments(const cJSON *tree, const char *connection,
	const int *segments, int count);
int count_kind(const cJSON *tree, const char *path, const char *kind);

#endif
