/* `annotate FILE --json`. */
#include "annotated.h"

#include <stdlib.h>
#include <string.h>

const char *capture_path(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", CAPTURES, name);
	return path;
}

cJSON *annotated(const char *path)
{
	struct ran ran = RUN(PROGRAM, "annotate", path, "--json");
	struct error error = { 0 };

	assert_status(ran, 0);
	cJSON *tree =
		json_parse(text_chars(&ran.out), ran.out.length, path, &error);
	if (!tree)
		fail_msg("%s", error.message);
	ran_free(&ran);
	return tree;
}

cJSON *annotated_capture(const char *name)
{
	return annotated(capture_path(name));
}

/* The text on a public capture, with its lines joined. */
static struct ran said_of(const char *name)
{
	struct ran ran = RUN(PROGRAM, "annotate", capture_path(name));
	char *to = ran.out.chars;

	assert_status(ran, 0);
	for (const char *from = ran.out.chars; *from; from++) {
		bool space = *from == ' ' || *from == '\n';

		if (!space || (to > ran.out.chars && to[-1] != ' '))
			*to++ = space ? ' ' : *from;
	}
	*to = '\0';
	return ran;
}

void assert_says(const char *name, const char *sentence)
{
	struct ran ran = said_of(name);

	assert_contains(ran.out, sentence);
	ran_free(&ran);
}

void assert_never_says(const char *name, const char *sentence)
{
	struct ran ran = said_of(name);

	assert_null(strstr(ran.out.chars, sentence));
	ran_free(&ran);
}

const cJSON *member(const cJSON *tree, const char *path)
{
	char copy[256], *rest = NULL;
	const cJSON *at = tree;

	snprintf(copy, sizeof copy, "%s", path);
	for (char *name = strtok_r(copy, ".", &rest); name && at;
		name = strtok_r(NULL, ".", &rest))
		at = cJSON_IsArray(at) ?
			cJSON_GetArrayItem(at, (int)strtol(name, NULL, 10)) :
			cJSON_GetObjectItemCaseSensitive(at, name);
	if (!at)
		fail_msg("no member %s", path);
	return at;
}

void assert_number(const cJSON *tree, const char *path, double wanted)
{
	const cJSON *at = member(tree, path);

	if (!cJSON_IsNumber(at) || at->valuedouble != wanted)
		fail_msg("%s is %.17g, expected %.17g", path, at->valuedouble,
			wanted);
}

void assert_word(const cJSON *tree, const char *path, const char *wanted)
{
	const cJSON *at = member(tree, path);

	if (!cJSON_IsString(at) || strcmp(at->valuestring, wanted))
		fail_msg("%s is %s, expected %s", path,
			cJSON_IsString(at) ? at->valuestring : "no text",
			wanted);
}

void assert_unknown(const cJSON *tree, const char *path)
{
	if (!cJSON_IsNull(member(tree, path)))
		fail_msg("%s is not null", path);
}

void assert_segments(const cJSON *tree, const char *connection,
	const int *segments, int count)
{
	for (int i = 0; i < count; i++) {
		char path[80];

		snprintf(path, sizeof path, "%s.rounds.%d.segments", connection,
			i);
		assert_number(tree, path, segments[i]);
	}
}

int count_kind(const cJSON *tree, const char *path, const char *kind)
{
	const cJSON *event;
	int count = 0;

	cJSON_ArrayForEach(event, member(tree, path))
	{
		const cJSON *is = member(event, "kind");

		count += !strcmp(is->valuestring, kind);
	}
	return count;
}
