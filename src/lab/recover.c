/* Orphaned tapes and true sessions. */
#include "recover.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assign.h"
#include "lab.h"
#include "memory.h"
#include "print.h"
#include "tape.h"

/* The tape's command line, read like any other: run EXPERIMENT NAME=VALUE. */
static int read_line(struct lab *lab, const char *line,
	const struct experiment **experiment, struct param_set *args,
	struct error *error)
{
	struct words words;
	struct param_set common;
	struct reader reader = reader_of(line);

	if (words_read(&words, &reader, error))
		return -1;
	*experiment = words.count >= 2 ?
		registry_get(&lab->registry, words.word[1], error) :
		NULL;
	if (!*experiment) {
		if (words.count < 2)
			error_set(error, STATUS_INPUT,
				"the tape names no experiment");
		words_free(&words);
		return -1;
	}
	struct call call = {
		.lab = lab,
		.count = words.count - 2,
		.arg = words.word + 2,
	};
	param_set_init(args, (*experiment)->params);
	param_set_copy(&common, &lab->common);
	int failed = assign_words(&call, 0, args, &common, NULL, error);
	param_set_free(&common);
	if (failed)
		param_set_free(args);
	words_free(&words);
	return failed;
}

static int line_of_tape(const char *path, char *line, size_t size,
	struct error *error)
{
	struct tape tape;

	if (tape_open(&tape, path, error))
		return -1;
	snprintf(line, size, "%s", tape.header->line);
	tape_close(&tape, true);
	return 0;
}

static int recover_one(struct lab *lab, const char *path, struct text *text,
	struct error *error)
{
	const struct experiment *experiment;
	struct param_set args;
	char line[TAPE_LINE_MAX];

	if (line_of_tape(path, line, sizeof line, error) ||
		read_line(lab, line, &experiment, &args, error))
		return -1;
	struct results *results =
		run_recover(experiment, &args, lab_facts(lab), path, error);
	param_set_free(&args);
	if (!results)
		return -1;
	if (!results->launch_count) {
		text_add(text, "%s: nothing had been measured yet\n",
			results->experiment);
		results_free(results);
		unlink(path);
		return 0;
	}
	session_add_run(lab->session, results);
	lab_autosave(lab);
	/* The tape goes only when its run is safe. */
	if (lab->autosave && !lab->autosave_why)
		unlink(path);
	text_add(text, "recovered ");
	text_add_safe(text, line + strlen("run "), strlen(line) - 4);
	text_add_char(text, '\n');
	print_results(results, text);
	lab->version++;
	return 0;
}

enum outcome recover_tape(struct lab *lab, const char *path,
	struct reply *reply)
{
	if (recover_one(lab, path, &reply->text, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_DONE;
}

enum outcome recover_all(struct lab *lab, struct reply *reply)
{
	char **paths;
	size_t count = tape_orphans(&paths);
	size_t failures = 0;

	for (size_t i = 0; i < count; i++) {
		struct error error;

		if (recover_one(lab, paths[i], &reply->text, &error)) {
			failures++;
			reply->error = error;
		}
		free(paths[i]);
	}
	free(paths);
	if (!count)
		text_add(&reply->text, "nothing to recover\n");
	return failures ? OUTCOME_FAILED : OUTCOME_DONE;
}

/* ---- findings again --------------------------------------------------- */

static int differ(const struct results *results, size_t i, const char *stored,
	const char *computed, struct error *error)
{
	return error_set(error, STATUS_INPUT,
		"%s: finding %zu says '%.150s', its trials say '%.150s'",
		results->experiment, i, stored, computed);
}

static int compare_findings(const struct results *results,
	const struct findings *again, size_t *checked, struct error *error)
{
	const struct findings *stored = &results->findings;
	size_t most =
		stored->count > again->count ? stored->count : again->count;

	for (size_t i = 0; i < most; i++) {
		const struct finding *a =
			i < stored->count ? &stored->list[i] : NULL;
		const struct finding *b =
			i < again->count ? &again->list[i] : NULL;

		if (!a || !b || strcmp(a->sentence, b->sentence) ||
			a->has_value != b->has_value ||
			(a->has_value && a->value != b->value))
			return differ(results, i, a ? a->sentence : "nothing",
				b ? b->sentence : "nothing", error);
		*checked += 2;
	}
	return 0;
}

int verify_findings(struct lab *lab, const char *path, size_t *checked,
	struct error *error)
{
	struct session *session = session_load(path, error);
	int failed = 0;

	if (!session)
		return -1;
	for (size_t i = 0; i < session->run_count && !failed; i++) {
		struct results *results = session->runs[i];
		const struct experiment *experiment =
			registry_find(&lab->registry, results->experiment);
		struct findings again = { 0 };
		struct facts facts;

		if (!experiment || !experiment->findings ||
			!results_visited(results) || !lab_attach(lab, results))
			continue;
		lab_facts_of(session, i, &facts);
		experiment->findings(results, &facts, &again);
		failed = compare_findings(results, &again, checked, error);
		findings_free(&again);
	}
	session_free(session);
	return failed;
}
