/* Lines executed in the fixture's lab. */
#include "say.h"

#include <stdlib.h>
#include <string.h>

#include "memo.h"
#include "verbs.h"

int lab_open(void **state)
{
	struct lab *lab = xcalloc(1, sizeof *lab);

	setenv("XDG_STATE_HOME", "/proc/nowhere", 1);
	lab_init(lab, fixture_list);
	verbs_add(lab);
	fixture_measure(lab);
	/* Tests change the trials of these runs. */
	for (size_t i = 0; i < lab->session->run_count; i++)
		memo_drop(lab->session->runs[i]);
	*state = lab;
	return 0;
}

int lab_close(void **state)
{
	lab_release(*state);
	free(*state);
	return 0;
}

char *said(struct lab *lab, const char *line)
{
	struct reader reader = reader_of(line);
	struct reply reply = { 0 };
	struct words words;
	struct error error = { 0 };

	if (words_read(&words, &reader, &error))
		fail_msg("%s: %s", line, error.message);
	if (command_exec(lab, &words, &reply) == OUTCOME_FAILED)
		fail_msg("%s: %s", line, reply.error.message);
	words_free(&words);
	return text_take(&reply.text);
}

char *checked(struct lab *lab, const char *line)
{
	struct script script;
	struct error error;
	struct text sentence = { 0 };

	if (script_parse(lab, "x.lab", line, strlen(line), &script, &error))
		script_say(&script, &error, &sentence);
	script_free(&script);
	return text_take(&sentence);
}

void assert_refused(struct lab *lab, const struct refused *row)
{
	char *sentence = checked(lab, row->line);
	char *place = NULL;
	struct text wanted = { 0 };

	text_add(&wanted, "x.lab:%s: ", row->place);
	place = strstr(sentence, wanted.chars);
	if (place != sentence || !strstr(sentence, row->says))
		fail_msg("%s\nsays: %s\nwant: %s..%s", row->line, sentence,
			wanted.chars, row->says);
	text_free(&wanted);
	free(sentence);
}
