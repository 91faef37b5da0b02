/* The published sessions that come with benchtop. */
#include "published.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "json.h"
#include "kept.h"
#include "memory.h"

static const char prefix[] = "published:";

const char *const published_names[] = { "published:a", "published:b",
	"published:c", "published:d", "published:e", NULL };

bool published_is(const char *name)
{
	return !strncmp(name, prefix, strlen(prefix));
}

const struct asset *published_file(const char *name)
{
	struct text path = { 0 };

	if (!published_is(name))
		return NULL;
	text_add(&path, "sessions/%s.json", name + strlen(prefix));
	const struct asset *file = asset_find(path.chars);
	text_free(&path);
	return file;
}

char *published_path(const char *name, struct error *error)
{
	if (!published_is(name))
		return kept_path(name, error);
	if (published_file(name))
		return xstrdup(name);
	error_set(error, STATUS_USAGE,
		"no session %s: expected published:a to published:e",
		text_quoted(name).chars);
	return NULL;
}

int session_file_read(const char *path, struct text *text, struct error *error)
{
	const struct asset *file = published_file(path);

	if (!file)
		return json_read_file(path, text, error);
	text_add_chars(text, file->text, (size_t)(file->end - file->text));
	return 0;
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
