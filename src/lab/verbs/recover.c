/* Recovers orphaned tapes and verifies sessions. */
#include "recover.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assign.h"
#include "file.h"
#include "lab.h"
#include "memo.h"
#include "print_results.h"
#include "sharing.h"
#include "tape.h"

static bool is_ab(const char *line)
{
	return !strncmp(line, "ab ", 3);
}

/* Parses the tape's command line, `run EXPERIMENT NAME=VALUE` or `ab`. */
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
	int failed = is_ab(line) ?
		assign_ab(&call, 0, args, &common, NULL, error) :
		assign_words(&call, 0, args, &common, NULL, error);
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

/* Refuses results that a session file could not hold: values that no lab can
 * have measured would make the file unreadable, with all its runs. */
static int check_readable(struct results *results, struct error *error)
{
	struct session *alone = session_new();
	struct text json = { 0 };
	struct error why;

	session_add_run(alone, results);
	session_write(alone, &json);
	alone->run_count = 0; /* the results belong to the caller */
	session_free(alone);
	struct session *again =
		session_read(json.chars, json.length, "its samples", &why);
	text_free(&json);
	session_free(again);
	return again ? 0 :
		       error_set(error, STATUS_INPUT,
			       "its samples are damaged: %s", why.message);
}

/* Reads a tape to results, to be freed. NULL and *error if the tape is
 * damaged. */
static struct results *read_tape(struct lab *lab, const char *path, char *line,
	size_t size, struct error *error)
{
	const struct experiment *experiment;
	struct param_set args;
	const char *object, *member, *says;

	if (line_of_tape(path, line, size, error) ||
		read_line(lab, line, &experiment, &args, error))
		return NULL;
	struct results *results =
		run_recover(experiment, &args, lab_facts(lab), path, error);
	param_set_free(&args);
	if (!results)
		return NULL;
	results->plan.abba = is_ab(line);
	says = session_impossible(results, &object, &member);
	if (says)
		error_set(error, STATUS_INPUT,
			"its header is damaged: %s%s%s: %s",
			object ? object : "", object ? "." : "", member, says);
	else if (!check_readable(results, error))
		return results;
	results_free(results);
	return NULL;
}

/* Several tapes may be recovered at once, so each sentence names its tape. */
static void say_tape(const char *path, struct text *text)
{
	text_add(text, "tape '");
	text_add_safe(text, path, strlen(path));
	text_add_char(text, '\'');
}

static void say_place(const struct lab *lab, const char *path,
	struct text *text)
{
	text_add(text, "recovered from ");
	say_tape(path, text);
	if (lab->autosave && !lab->autosave_why) {
		text_add(text, ", now in '");
		text_add_safe(text, lab->autosave, strlen(lab->autosave));
		text_add(text, "'\n");
	} else {
		text_add(text, ", which is kept: %s\n",
			lab->autosave_why ? lab->autosave_why : "not saved");
	}
}

/* Puts the tape's name before the message, unless the message has it. Every
 * error in a tape is an input error, also one in its command line. */
static int fault_of_tape(const char *path, struct error *error)
{
	struct text sentence = { 0 };

	error->status = STATUS_INPUT;
	if (strstr(error->message, path))
		return -1;
	say_tape(path, &sentence);
	text_add(&sentence, ": %s", error->message);
	error_set(error, STATUS_INPUT, "%s", sentence.chars);
	text_free(&sentence);
	return -1;
}

static int recover_one(struct lab *lab, const char *path, struct text *text,
	struct error *error)
{
	char line[TAPE_LINE_MAX];
	struct results *results =
		read_tape(lab, path, line, sizeof line, error);

	if (!results)
		return fault_of_tape(path, error);
	if (!results_trials(results)) {
		say_tape(path, text);
		text_add(text, ": no trial of %s, nothing to keep\n",
			results->experiment);
		results_free(results);
		unlink(path);
		return 0;
	}
	memo_begin(results);
	session_add_run(lab->session, results);
	lab_autosave(lab);
	/* Remove the tape only when its run is saved. */
	if (lab->autosave && !lab->autosave_why)
		unlink(path);
	text_add(text, "recovered ");
	const char *what = line + strcspn(line, " ");
	text_add_safe(text, what + 1, strlen(what) - 1);
	text_add_char(text, '\n');
	print_results(results, lab_machine(lab), &lab->layout, text);
	say_place(lab, path, text);
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

/* Failures of consecutive tapes for the same reason. */
struct failures {
	struct error first;
	struct text reason; /* its message, without the tape's name */
	size_t count;       /* with this reason */
};

static void take_out(const char *message, const char *path, struct text *rest)
{
	const char *at = strstr(message, path);

	text_add_chars(rest, message, at ? (size_t)(at - message) : 0);
	text_add(rest, "%s", at ? at + strlen(path) : message);
}

static void say_failures(const struct failures *failures, struct text *text)
{
	text_add(text, "%s", failures->first.message);
	if (failures->count > 1)
		text_add(text, "; likewise %zu more tape%s",
			failures->count - 1, failures->count == 2 ? "" : "s");
}

/* Adds a sentence for the failures so far if the reason of this one differs. */
static void add_failure(struct failures *failures, const char *path,
	const struct error *error, struct text *text)
{
	struct text reason = { 0 };

	take_out(error->message, path, &reason);
	if (failures->count &&
		!strcmp(text_chars(&reason), text_chars(&failures->reason))) {
		failures->count++;
		text_free(&reason);
		return;
	}
	if (failures->count) {
		text_add(text, "not recovered: ");
		say_failures(failures, text);
		text_add_char(text, '\n');
	}
	text_free(&failures->reason);
	failures->reason = reason;
	failures->first = *error;
	failures->count = 1;
}

/* The last reason is the reply's error, also if other tapes were recovered. */
static enum outcome end_failures(struct failures *failures,
	struct reply *reply)
{
	struct text sentence = { 0 };

	if (!failures->count)
		return OUTCOME_DONE;
	say_failures(failures, &sentence);
	error_set(&reply->error, failures->first.status, "not recovered: %s",
		sentence.chars);
	text_free(&sentence);
	text_free(&failures->reason);
	return OUTCOME_FAILED;
}

enum outcome recover_all(struct lab *lab, struct reply *reply)
{
	char **paths;
	size_t count = tape_orphans(&paths);
	struct failures failures = { 0 };

	lab_tidy(lab);
	for (size_t i = 0; i < count; i++) {
		struct error error = { 0 };

		if (recover_one(lab, paths[i], &reply->text, &error))
			add_failure(&failures, paths[i], &error, &reply->text);
		free(paths[i]);
	}
	free(paths);
	if (!count)
		text_add(&reply->text, "nothing to recover\n");
	return end_failures(&failures, reply);
}

/* ---- findings again --------------------------------------------------- */

static void say_value(const struct finding *finding, struct text *text)
{
	if (!finding)
		text_add(text, "nothing");
	else if (!finding->has_value)
		text_add(text, "%s", finding->name);
	else
		text_add(text, "%s %.17g", finding->name, finding->value);
}

static int differ(const struct results *results, size_t i,
	const struct finding *stored, const struct finding *computed,
	struct error *error)
{
	struct text says = { 0 }, gives = { 0 };

	say_value(stored, &says);
	say_value(computed, &gives);
	error_set(error, STATUS_INPUT,
		"%s: finding %zu: the file has %.100s, its trials give "
		"%.100s",
		results->experiment, i, says.chars, gives.chars);
	text_free(&says);
	text_free(&gives);
	return -1;
}

/* Compares all but the sentences, whose wording may differ between versions. */
static bool are_same(const struct finding *a, const struct finding *b)
{
	return a && b && !strcmp(a->name, b->name) && a->point == b->point &&
		a->uncertain == b->uncertain && a->has_value == b->has_value &&
		(!a->has_value || a->value == b->value) &&
		a->has_interval == b->has_interval &&
		(!a->has_interval ||
			(a->interval.low == b->interval.low &&
				a->interval.high == b->interval.high));
}

static int compare_findings(const struct results *results,
	const struct findings *again, size_t *checked, struct error *error)
{
	const struct findings *stored = &results->findings;
	size_t k = 0;

	for (size_t i = 0; i < stored->count || k < again->count; i++) {
		const struct finding *a =
			i < stored->count ? &stored->list[i] : NULL;
		const struct finding *b =
			k < again->count ? &again->list[k] : NULL;

		/* This finding comes from other sessions, not from these
		 * trials. */
		if (a && !strcmp(a->name, "published"))
			continue;
		k++;
		if (!are_same(a, b))
			return differ(results, i, a, b, error);
		*checked += 2;
	}
	return 0;
}

int verify_findings(struct lab *lab, const char *path, size_t *checked,
	struct error *error)
{
	struct session *session = lab_open_session(lab, path, error);
	int failed = 0;

	if (session && session->minor < SESSION_MINOR_REGIMES) {
		session_free(session);
		return 0;
	}
	if (!session)
		return -1;
	for (size_t i = 0; i < session->run_count && !failed; i++) {
		struct results *results = session->runs[i];
		const struct experiment *experiment =
			registry_find(&lab->registry, results->experiment);
		struct findings again = { 0 };
		struct facts facts;

		if (!experiment || !experiment->findings ||
			!results_visited(results) || results_stored(results) ||
			sharing_is_lacking(results) ||
			!lab_attach(lab, results))
			continue;
		lab_facts_of(session, i, &facts);
		experiment->findings(results, &facts, &again);
		failed = compare_findings(results, &again, checked, error);
		findings_free(&again);
	}
	session_free(session);
	return failed;
}
