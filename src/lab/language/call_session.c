/* Chooses the session that a statement reads. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "kept.h"
#include "lab.h"
#include "published.h"

const char call_session_option[] = "--session=";

/* Adds "session 14, 2025-11-20 09:15: cpu.syscall and 1 more run". */
static void say_which(size_t number, const struct session *session,
	struct text *text)
{
	size_t count = session->run_count;

	text_add(text, "session %zu", number);
	if (!count) {
		text_add(text, ": no runs");
	} else {
		text_add(text, ", ");
		text_add_minute(text, session->runs[0]->started);
		text_add(text, ": %s", session->runs[0]->experiment);
	}
	if (count > 1)
		text_add(text, " and %zu more run%s", count - 1,
			count == 2 ? "" : "s");
	text_add_char(text, '\n');
}

static int use(struct lab *lab, const char *name, struct error *error)
{
	struct session *session = session_open(name, error);

	if (!session)
		return -1;
	for (size_t i = 0; i < session->run_count; i++)
		lab_attach(lab, session->runs[i]);
	lab->session = session;
	return 0;
}

int call_reads(const struct call *call, struct reply *reply)
{
	const char *name = call_option(call, call_session_option);
	struct lab *lab = call->lab;
	struct kept_list list;
	int failed = 0;

	if (name && !strcmp(name, "-") && lab->screen)
		return error_set(&reply->error, STATUS_USAGE,
			"'-' is standard input, where the screen reads its "
			"keys: expected a session");
	if (name)
		return use(lab, name, &reply->error);
	if (!lab->one_command || !session_is_empty(lab->session))
		return 0;
	kept_list_read(&list);
	if (list.count)
		failed = use(lab, list.paths[list.count - 1], &reply->error);
	if (list.count && !failed)
		say_which(list.count, lab->session, &reply->remark);
	kept_list_free(&list);
	return failed;
}
