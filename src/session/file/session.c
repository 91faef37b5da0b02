/* A session: creation, adding runs, release. */
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session_internal.h"

struct session *session_new(void)
{
	struct session *session = xcalloc(1, sizeof *session);

	session->minor = SESSION_MINOR;
	return session;
}

static void free_checks(struct session *session)
{
	for (size_t i = 0; i < session->check_count; i++) {
		free(session->checks[i].check);
		free(session->checks[i].verdict);
		free(session->checks[i].found);
	}
	free(session->checks);
	session->checks = NULL;
	session->check_count = 0;
}

void session_forget_unknown(struct session *session)
{
	for (size_t i = 0; i < session->unknown_count; i++)
		free(session->unknown[i]);
	free(session->unknown);
	session->unknown = NULL;
	session->unknown_count = 0;
	session->newer = false;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	for (size_t i = 0; i < session->note_count; i++) {
		free(session->notes[i].at);
		free(session->notes[i].text);
	}
	for (size_t i = 0; i < session->run_count; i++)
		results_free(session->runs[i]);
	free_checks(session);
	session_forget_unknown(session);
	free(session->notes);
	free(session->runs);
	free(session->tool_version);
	free(session->path);
	free(session);
}

void session_add_run(struct session *session, struct results *results)
{
	ARRAY_GROW(session->runs, session->run_count);
	session->runs[session->run_count++] = results;
	session->changed = true;
}

void session_add_note(struct session *session, const char *text)
{
	char now[40] = "";
	time_t seconds = time(NULL);
	struct tm local;

	if (localtime_r(&seconds, &local))
		strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S%z", &local);
	ARRAY_GROW(session->notes, session->note_count);
	session->notes[session->note_count++] = (struct session_note){
		.at = xstrdup(now),
		.text = xstrdup(text),
	};
	session->changed = true;
}

void session_change_note(struct session *session, size_t i, const char *text)
{
	free(session->notes[i].text);
	session->notes[i].text = xstrdup(text);
	session->changed = true;
}

void session_delete_note(struct session *session, size_t i)
{
	free(session->notes[i].at);
	free(session->notes[i].text);
	session->note_count--;
	for (; i < session->note_count; i++)
		session->notes[i] = session->notes[i + 1];
	session->changed = true;
}

void session_set_checks(struct session *session, const struct doctor *doctor)
{
	free_checks(session);
	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = &doctor->rows[i];

		ARRAY_GROW(session->checks, session->check_count);
		session->checks[session->check_count++] =
			(struct session_check){
				.check = xstrdup(row->check),
				.verdict = xstrdup(
					doctor_verdict_word(row->verdict)),
				.found = xstrdup(row->found),
			};
	}
	session->changed = true;
}

bool session_is_empty(const struct session *session)
{
	return !session->run_count && !session->note_count &&
		!session->check_count;
}

size_t session_stored(const struct session *session)
{
	size_t runs = 0;

	for (size_t i = 0; i < session->run_count; i++)
		runs += results_stored(session->runs[i]);
	return runs;
}

struct results *session_last(const struct session *session,
	const char *experiment)
{
	for (size_t i = session->run_count; i-- > 0;)
		if (!strcmp(session->runs[i]->experiment, experiment))
			return session->runs[i];
	return NULL;
}

const struct results *session_last_providing(const struct session *session,
	enum quantity quantity)
{
	for (size_t i = session->run_count; i-- > 0;)
		if (provision_row(session->runs[i]->descriptor, quantity))
			return session->runs[i];
	return NULL;
}
