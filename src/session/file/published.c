/* The published sessions that come with benchtop. */
#include "published.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assets.h"
#include "facts.h"
#include "kept.h"
#include "memory.h"

static const char prefix[] = "published:";

const char *const published_names[] = { "published:a", "published:b",
	"published:c", "published:d", "published:e", NULL };

bool published_is(const char *name)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static char *path_of(const char *letter, struct error *error)
{
	struct text name = { 0 };

	text_add(&name, "sessions/%s.json", letter);
	char *path = asset_find(name.chars);
	text_free(&name);
	if (!path)
		error_set(error, STATUS_INPUT,
			"%s%s is not installed: expected sessions/%s.json in "
			"PREFIX/share/benchtop, or in $BENCHTOP_ASSETS",
			prefix, letter, letter);
	return path;
}

char *published_path(const char *name, struct error *error)
{
	if (!published_is(name))
		return kept_path(name, error);
	for (size_t i = 0; published_names[i]; i++)
		if (!strcmp(name, published_names[i]))
			return path_of(name + strlen(prefix), error);
	error_set(error, STATUS_USAGE,
		"no session %s: expected published:a to published:e",
		text_quoted(name).chars);
	return NULL;
}

struct session *session_open(const char *name, struct error *error)
{
	char *path = published_path(name, error);
	struct session *session = path ? session_load(path, error) : NULL;

	if (path && !session && access(path, F_OK) && strcmp(path, "-"))
		error_set(error, STATUS_INPUT,
			"cannot open %s: %s: expected a file, `last`, or a "
			"number of `sessions`",
			text_quoted(name).chars, strerror(errno));
	free(path);
	if (session && published_is(name)) {
		free(session->path);
		session->path = NULL;
	}
	return session;
}

void published_load(struct published_set *set)
{
	struct error error;

	*set = (struct published_set){ 0 };
	for (size_t i = 0; published_names[i]; i++) {
		const char *letter = published_names[i] + strlen(prefix);
		struct session *session =
			session_open(published_names[i], &error);

		if (!session)
			continue;
		ARRAY_GROW(set->sessions, set->session_count);
		set->sessions[set->session_count++] = session;
		for (size_t r = 0; r < session->run_count; r++) {
			ARRAY_GROW(set->runs, set->run_count);
			set->runs[set->run_count++] =
				(struct published_run){ letter,
					session->runs[r] };
		}
	}
}

void published_free(struct published_set *set)
{
	for (size_t i = 0; i < set->session_count; i++)
		session_free(set->sessions[i]);
	free(set->sessions);
	free(set->runs);
	*set = (struct published_set){ 0 };
}
