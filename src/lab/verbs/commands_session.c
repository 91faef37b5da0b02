/* The verbs `note`, `save`, `load`, `export`, `recover` and `verify`. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export.h"
#include "file.h"
#include "json.h"
#include "lab.h"
#include "loaded.h"
#include "memory.h"
#include "packets.h"
#include "print_results.h"
#include "published.h"
#include "recover.h"
#include "verbs.h"

static const char *const save_options[] = { "--force", call_session_option,
	NULL };
static const char *const export_options[] = { "--trials", "--force",
	call_session_option, NULL };
static const char *const verbose_option[] = { call_verbose_option, NULL };

/* Queued runs belong to the present session, so it cannot be replaced now. */
static int check_idle(const struct call *call, struct error *error)
{
	if (!call->lab->run && !call->lab->queue_count)
		return 0;
	return error_set(error, STATUS_USAGE,
		"`%s` is not possible during a run: stop the run first",
		call->command->name);
}

/* A note may have only what the session reader accepts: safe text, tabs and
 * line breaks. */
static bool is_note(const char *chars, size_t length)
{
	struct text safe = { 0 };
	bool good = true;

	for (size_t at = 0; at < length && good; at++) {
		size_t line = strcspn(chars + at, "\t\n");

		text_clear(&safe);
		text_add_safe(&safe, chars + at, line);
		good = safe.length == line;
		at += line;
	}
	text_free(&safe);
	return good;
}

static const char instead_option[] = "--instead=",
		  delete_option[] = "--delete=";
static const char *const note_options[] = { instead_option, delete_option,
	NULL };

/* Reads the number of the note in --instead or --delete, from 1. 0: neither
 * option is given. */
static int read_number(const struct call *call, size_t *number,
	struct error *error)
{
	const char *typed = call_option(call, instead_option);
	char *end;

	*number = 0;
	if (!typed)
		typed = call_option(call, delete_option);
	if (!typed)
		return 0;
	long value = strtol(typed, &end, 10);
	if (*typed && !*end && value > 0) {
		*number = (size_t)value;
		return 0;
	}
	return error_set(error, STATUS_USAGE,
		"no note %s: expected its number, 1 for the first",
		text_quoted(typed).chars);
}

static int say_too_few(const struct call *call, struct error *error)
{
	const struct words *words = call->words;
	size_t last = words ? words->count - 1 : 0;

	if (words)
		words_point(words, last, strlen(words->word[last]), error);
	return error_set(error, STATUS_USAGE,
		"`note` has too few words: expected `note TEXT ...`");
}

static int check_note(const struct call *call, struct error *error)
{
	bool goes = call_option(call, delete_option) != NULL;
	size_t number;

	if (goes && (call->count || call_option(call, instead_option)))
		return error_set(error, STATUS_USAGE,
			"--delete removes a note: expected no text");
	if (!goes && !call->count)
		return say_too_few(call, error);
	if (read_number(call, &number, error))
		return -1;
	return call_outlives(call, "run EXPERIMENT", "", error);
}

static int check_text(const struct text *note, struct error *error)
{
	if (note->length > JSON_STRING_MAX)
		return error_set(error, STATUS_USAGE,
			"the note has %zu bytes: expected at most %d",
			note->length, JSON_STRING_MAX);
	if (utf8_valid(note->chars, note->length) < note->length)
		return error_set(error, STATUS_USAGE, "the note is not UTF-8");
	if (!is_note(note->chars, note->length))
		return error_set(error, STATUS_USAGE,
			"the note has a control character: expected text, "
			"tabs and line breaks");
	return 0;
}

static void keep_note(const struct call *call, size_t number,
	const struct text *note)
{
	struct session *session = call->lab->session;

	if (call_option(call, delete_option))
		session_delete_note(session, number - 1);
	else if (number)
		session_change_note(session, number - 1, note->chars);
	else
		session_add_note(session, note->chars);
	lab_autosave(call->lab);
	call->lab->version++;
}

static enum outcome exec_note(const struct call *call, struct reply *reply)
{
	size_t there = call->lab->session->note_count, number;
	struct text note = { 0 };
	int failed = read_number(call, &number, &reply->error);

	for (size_t i = 0; i < call->count; i++)
		text_add(&note, "%s%s", i ? " " : "", call->arg[i]);
	if (!failed && number > there)
		failed = error_set(&reply->error, STATUS_USAGE,
			"no note %zu: the session has %zu", number, there);
	if (!failed && note.length)
		failed = check_text(&note, &reply->error);
	if (!failed && !note.length && call->count)
		failed = error_set(&reply->error, STATUS_USAGE,
			"the note is empty: expected text");
	if (!failed)
		keep_note(call, number, &note);
	text_free(&note);
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

/* `export csv 1` most likely names session 1 where the output file is
 * expected. */
static int check_output(const struct call *call, size_t i, struct error *error)
{
	const char *word = i < call->count ? call->arg[i] : "";
	bool number = *word && !word[strspn(word, "0123456789")];
	struct text before = { 0 };

	if (!number && strcmp(word, "last"))
		return 0;
	for (size_t k = 0; k < i; k++)
		text_add(&before, " %s", call->arg[k]);
	error_set(error, STATUS_USAGE,
		"'%.40s' is a session, not a file to write: expected "
		"`%s%s FILE --session=%.40s`; ./%.40s is a file",
		word, call->command->name, text_chars(&before), word, word);
	text_free(&before);
	return call_fault(call, i, 0, error);
}

/* A session is saved to a file only. Standard output is for results. */
static int check_save(const struct call *call, struct error *error)
{
	if (check_output(call, 0, error))
		return -1;
	if (!call->count || (*call->arg[0] && strcmp(call->arg[0], "-")))
		return 0;
	error_set(error, STATUS_USAGE,
		"cannot save a session to '%s': expected a file name",
		call->arg[0]);
	return call_fault(call, 0, 0, error);
}

static enum outcome exec_save(const struct call *call, struct reply *reply)
{
	const char *own = call->lab->session->path;
	const char *path = call->count ? call->arg[0] : own;

	if (call_reads(call, reply))
		return OUTCOME_FAILED;
	struct session *session = call->lab->session;
	if (!path)
		return reply_fail(reply, STATUS_USAGE,
			"the session has no file yet: expected `save FILE`");
	if (!session->path && session_is_empty(session) && !call->lab->run)
		return reply_fail(reply, STATUS_USAGE,
			"nothing to save in %s: the session is empty, expected "
			"`run` before",
			text_quoted(path).chars);
	lab_machine(call->lab);
	if (lab_save(call->lab, path, call_option(call, "--force") != NULL,
		    &reply->error))
		return OUTCOME_FAILED;
	text_add(&reply->text, "saved %zu run%s in ", session->run_count,
		session->run_count == 1 ? "" : "s");
	if (session->path)
		text_add_safe(&reply->text, session->path,
			strlen(session->path));
	text_add(&reply->text, "%s\n",
		call->lab->run ? "; the run in progress is not included" :
				 "");
	call->lab->version++;
	return OUTCOME_DONE;
}

static enum outcome exec_load(const struct call *call, struct reply *reply)
{
	const struct text_layout layout = call_layout(call);
	struct lab *lab = call->lab;
	struct session *session =
		lab_open_session(lab, call->arg[0], &reply->error);

	if (!session)
		return OUTCOME_FAILED;
	size_t aside = lab->aside.length;
	if (lab_use_session(lab, session, &reply->error))
		return OUTCOME_FAILED;
	text_add_chars(&reply->text, text_chars(&lab->aside) + aside,
		lab->aside.length - aside);
	loaded_text(session, call->arg[0], layout.width, &reply->text);
	for (size_t i = 0; layout.verbose && i < session->run_count; i++) {
		text_add_char(&reply->text, '\n');
		print_results(session->runs[i], &session->machine, &layout,
			&reply->text);
	}
	return OUTCOME_DONE;
}

static enum export_format format_of(const char *word)
{
	int format = 0;

	while (format < EXPORT_FORMATS && strcmp(word, export_names[format]))
		format++;
	return (enum export_format)format;
}

/* The file to write; NULL: standard output. */
static const char *export_path(const struct call *call)
{
	return call->count > 1 && strcmp(call->arg[1], "-") ? call->arg[1] :
							       NULL;
}

static int check_format(const struct call *call, struct error *error)
{
	enum export_format format = format_of(call->arg[0]);
	bool rows = format == EXPORT_CSV || format == EXPORT_JSONL;

	if (format == EXPORT_FORMATS) {
		error_set(error, STATUS_USAGE,
			"unknown format %s: expected csv, jsonl, openmetrics, "
			"markdown or pcap",
			text_quoted(call->arg[0]).chars);
		return call_fault(call, 0, 0, error);
	}
	if (check_output(call, 1, error))
		return -1;
	if (format == EXPORT_PCAP && !export_path(call))
		return error_set(error, STATUS_USAGE,
			"packets need a file: expected `export pcap FILE`");
	if (rows || !call_option(call, "--trials"))
		return 0;
	error_set(error, STATUS_USAGE,
		"%s contains figures only: --trials needs csv or jsonl",
		call->arg[0]);
	return call_fault(call, 0, 0, error);
}

/* An empty file, such as one from mktemp, may be overwritten. */
static int check_export(const struct call *call, struct error *error)
{
	const char *path = export_path(call);
	struct stat is;

	if (call_option(call, "--force") || stat(path, &is) ||
		!S_ISREG(is.st_mode) || !is.st_size)
		return 0;
	/* The user may mean the session to export. */
	const char *end = strrchr(path, '.');
	bool session = end && !strcmp(end, ".json") &&
		!call_option(call, call_session_option);
	return error_set(error, STATUS_OUTPUT,
		"will not overwrite %s: the file exists; name another, or use "
		"--force%s%.200s",
		text_quoted(path).chars,
		session ? "; to export this session: --session=" : "",
		session ? path : "");
}

static enum outcome export_packets(const struct call *call, struct reply *reply)
{
	unsigned serial;
	int fd = lab_packets(call->lab, &serial);

	if (fd < 0)
		return reply_fail(reply, STATUS_USAGE,
			"no captured packets: no run has captured any since "
			"this lab started or loaded a session; try "
			"`run net.rtt capture=on`");
	return packets_save(fd, call->arg[1], &reply->error) ? OUTCOME_FAILED :
							       OUTCOME_DONE;
}

/* Names the runs whose trials are not in the session. */
static void say_untried(const struct session *session, struct text *text)
{
	size_t runs = session_stored(session);

	if (runs)
		text_add(text,
			"%zu of %zu runs keep no trials, so they have no "
			"rows\n",
			runs, session->run_count);
}

static enum outcome exec_export(const struct call *call, struct reply *reply)
{
	bool trials = call_option(call, "--trials") != NULL;
	const char *path = export_path(call);
	enum export_format format = format_of(call->arg[0]);
	struct text out = { 0 };

	if (call_reads(call, reply))
		return OUTCOME_FAILED;
	if (!call->lab->session->run_count)
		return reply_fail(reply, STATUS_USAGE,
			"nothing to export: the session has no runs; use `run` "
			"or `load` first");
	if (path && check_export(call, &reply->error))
		return OUTCOME_FAILED;
	if (format == EXPORT_PCAP)
		return export_packets(call, reply);
	if (trials)
		say_untried(call->lab->session, &reply->remark);
	int failed = session_export(call->lab->session, format, trials, &out,
		&reply->error);
	if (!failed && path)
		failed = file_save(path, text_chars(&out), out.length,
			&reply->error);
	else if (!failed)
		text_add_chars(&reply->text, text_chars(&out), out.length);
	text_free(&out);
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

static enum outcome exec_recover(const struct call *call, struct reply *reply)
{
	/* A tape is valid only on the machine that wrote it. */
	if (lab_check_machine(call->lab, &reply->error))
		return OUTCOME_FAILED;
	if (call->count)
		return recover_tape(call->lab, call->arg[0], reply);
	return recover_all(call->lab, reply);
}

/* Published figures have no trials, so they are counted but not called
 * verified. */
static enum outcome say_verified(const char *path, size_t checked,
	struct reply *reply)
{
	struct session *session = session_open(path, &reply->error);
	size_t published = 0, visited = 0;

	if (!session)
		return OUTCOME_FAILED;
	for (size_t i = 0; i < session->run_count; i++) {
		published += results_published(session->runs[i]);
		visited += results_visited(session->runs[i]) &&
			!results_stored(session->runs[i]);
	}
	unsigned minor = session->minor;
	size_t runs = session->run_count, stored = session_stored(session);
	session_free(session);
	if (minor < SESSION_MINOR_RULES)
		text_add(&reply->text,
			"the samples are complete: %zu members agree. The "
			"figures of schema 1.%u follow other rules and are not "
			"compared\n",
			checked, minor);
	else if (visited || !(published + stored))
		text_add(&reply->text,
			"every figure follows from the trials: %zu members "
			"agree\n",
			checked);
	if (stored)
		text_add(&reply->text,
			"%zu of %zu runs keep no trials: their figures are "
			"read back, not recomputed\n",
			stored, runs);
	if (published)
		text_add(&reply->text,
			"%zu published figures have no trials: read back, not "
			"recomputed\n",
			published);
	return OUTCOME_DONE;
}

/* In a script the file is required. On a shell's command line the last kept
 * session is the default. */
static int check_verify(const struct call *call, struct error *error)
{
	const struct words *words = call->words;

	if (call->count || call->lab->one_command)
		return 0;
	if (words)
		words_point(words, 0, strlen(words->word[0]), error);
	return error_set(error, STATUS_USAGE,
		"`verify` has too few words: expected `verify FILE`");
}

static char *path_to_verify(const struct call *call, struct reply *reply)
{
	if (call->count)
		return published_path(call->arg[0], &reply->error);
	if (call_reads(call, reply))
		return NULL;
	const char *path = call->lab->session->path;
	if (path)
		return xstrdup(path);
	error_set(&reply->error, STATUS_USAGE,
		"no session is kept yet: expected `verify FILE`");
	return NULL;
}

static enum outcome exec_verify(const struct call *call, struct reply *reply)
{
	char *path = path_to_verify(call, reply);
	enum outcome outcome = OUTCOME_FAILED;
	size_t checked;

	if (path && !session_verify(path, &checked, &reply->error) &&
		!verify_findings(call->lab, path, &checked, &reply->error))
		outcome = say_verified(path, checked, reply);
	free(path);
	return outcome;
}

const struct command session_commands[] = {
	{ "note", "TEXT ...",
		"add a note to the session; --instead=2 replaces the second "
		"note, --delete=2 removes the second note",
		"note \"fan at full speed\"", 0, 1000, ARGUMENT_TEXT, NULL,
		note_options, COMMAND_RECORDED, check_note, exec_note },
	{ "save", "[FILE]",
		"save the session; without FILE, to the file it came from; "
		"--force overwrites a file that is not a session, or that "
		"another lab has changed",
		"save today.json", 0, 1, ARGUMENT_FILE, NULL, save_options,
		COMMAND_RECORDED | COMMAND_READS, check_save, exec_save },
	{ "load", "FILE",
		"load a session in place of the present one. FILE may be a "
		"number of `sessions`, or `last`; -v prints all its results",
		"load today.json", 1, 1, ARGUMENT_FILE, published_names,
		verbose_option,
		COMMAND_RECORDED, check_idle, exec_load },
	{ "export", "csv|jsonl|openmetrics|markdown|pcap [FILE]",
		"write all figures (with --trials, all trials) for other "
		"programs, or as Markdown, to FILE or standard output. In csv "
		"and jsonl `median` is the headline, of the trials that "
		"`regime` names; median_alone, median_shared and median_all "
		"are of the trials without a co-runner, beside one, and of "
		"all. pcap writes the packets last captured. --force "
		"overwrites a file",
		"export csv today.csv", 1, 2, ARGUMENT_WORD, export_names,
		export_options, COMMAND_READS, check_format, exec_export },
	{ "recover", "[TAPE]",
		"recover the runs of a killed lab; without TAPE, all",
		"recover", 0, 1, ARGUMENT_FILE, NULL, NULL, COMMAND_RECORDED,
		check_idle, exec_recover },
	{ "verify", "FILE",
		"recompute every figure of a session from its trials",
		"verify today.json", 0, 1, ARGUMENT_FILE, published_names, NULL,
		COMMAND_READS, check_verify, exec_verify },
	{ .name = NULL },
};
