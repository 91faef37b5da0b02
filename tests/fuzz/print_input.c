/* A session file as the verbs print it. */
#include "inputs.h"

#include <string.h>
#include <unistd.h>

#include "lab.h"
#include "script.h"

static const int widths[] = { 80, 40, 120, 200 };

static void execute(struct lab *lab, const struct words *words)
{
	struct reply reply = { 0 };

	if (command_exec(lab, words, &reply) == OUTCOME_FAILED)
		must_be_sentence(&reply.error);
	must(!lab_busy(lab));
	must_be_safe(&reply.text, "\n");
	must_be_safe(&reply.remark, "\n");
	reply_free(&reply);
}

/* A line that the check refuses has a sentence. */
static void execute_line(struct lab *lab, const struct text *line)
{
	struct script script;
	struct error error = { 0 };

	if (script_parse(lab, "", line->chars, line->length, &script, &error))
		must_be_sentence(&error);
	for (size_t i = 0; i < script.count; i++)
		execute(lab, &script.list[i]);
	script_free(&script);
}

/* The last run against a bound; its experiment may be unknown. */
static void expect(struct lab *lab)
{
	const struct session *session = lab->session;
	struct text line = { 0 };

	if (!session->run_count)
		return;
	text_add(&line, "expect ");
	words_quote(&line, session->runs[session->run_count - 1]->experiment);
	text_add(&line, " ci_high '<' 1us");
	execute_line(lab, &line);
	text_free(&line);
}

void print_input(const uint8_t *data, size_t size)
{
	/* A # is the path of the file. */
	static const char *const lines[] = { "load #", "load # -v", "score",
		"score --json", "summary", "compare #", "compare # -v",
		"compare # --json", NULL };
	struct lab *lab = the_lab();
	struct error error = { 0 };
	int fd = file_of(data, size);
	char path[32];

	path_of(fd, path);
	lab->layout.width = widths[size % (sizeof widths / sizeof *widths)];
	for (size_t i = 0; lines[i]; i++) {
		size_t verb = strcspn(lines[i], "#");
		struct text line = { 0 };

		text_add(&line, "%.*s", (int)verb, lines[i]);
		if (lines[i][verb])
			text_add(&line, "%s%s", path, lines[i] + verb + 1);
		execute_line(lab, &line);
		text_free(&line);
	}
	expect(lab);
	close(fd);
	must(!lab_use_session(lab, session_new(), &error));
}
