/* What must hold after a fault was injected into a command. */
#include "judge.h"

#include <dirent.h>
#include <errno.h>

#include "cli/watch.h"
#include "surroundings.h"

enum { KILLED = 128 + SIGKILL };

bool judge_knows(int status)
{
	static const int codes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 70, 74, 129, 130,
		141, 143 };

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i] == status)
			return true;
	return false;
}

/* NULL: there is no such file. */
static char *content_of(const char *path)
{
	return access(path, F_OK) ? NULL : read_whole(path);
}

struct reference reference_of(const struct command *command)
{
	struct reference reference = { .out = NULL };

	command_prepare(command);
	struct ran ran = run_words(command_program(command), command->words);
	assert_status(ran, 0);
	reference.out = strdup(text_chars(&ran.out));
	if (command->out && !command->varies)
		reference.file = read_whole(command->out);
	if (command->makes)
		reference.file = read_whole(command->makes);
	ran_free(&ran);
	return reference;
}

void reference_free(struct reference *reference)
{
	free(reference->out);
	free(reference->file);
}

/* One error has one sentence. The statements of a script, the two ends of a
 * connection, and calls that keep failing may give several. A session that
 * could not be saved is reported at the end in any case. */
static bool is_told(const struct command *command,
	const struct injection *injection, const struct ran *ran)
{
	enum { SEVERAL = 3 };
	size_t sentences = lines_beginning(&ran->err, "benchtop: ");
	bool several = command->several || injection->injury == FAIL_FROM;

	/* An end of a connection may succeed and the other complain. */
	if (!ran->status)
		return !sentences || command->talks;
	if (sentences > 1 && contains(&ran->err, " not kept: "))
		sentences--;
	return sentences && sentences <= (several ? SEVERAL : 1);
}

static void judge_end(const struct command *command,
	const struct injection *injection, const struct injured *injured,
	struct text *violations)
{
	int status = injured->ran.status;

	if (injured->hung)
		text_add(violations, "hangs; ");
	else if (injection->injury == KILL && status == KILLED)
		return;
	else if (!judge_knows(status))
		text_add(violations, "exit code %d; ", status);
	else if (!is_told(command, injection, &injured->ran))
		text_add(violations, "exit code %d with %zu sentences; ",
			status,
			lines_beginning(&injured->ran.err, "benchtop: "));
}

static bool verifies(const char *path)
{
	struct ran ran = RUN(SELFTEST, "verify", path);
	bool does = !ran.status;

	ran_free(&ran);
	return does;
}

static void judge_file(const struct command *command,
	const struct reference *reference, int status, struct text *violations)
{
	char *now = content_of(command->out), *old = command_old(command);

	if (!now)
		text_add(violations, "its file is gone; ");
	else if (!strcmp(now, old) && !status)
		text_add(violations, "success, but the file is the old one; ");
	else if (strcmp(now, old) != 0 && command->varies &&
		!verifies(command->out))
		text_add(violations, "the file does not verify; ");
	else if (strcmp(now, old) != 0 && !command->varies &&
		strcmp(now, reference->file) != 0)
		text_add(violations, "the file is neither old nor new; ");
	free(old);
	free(now);
}

/* After a failure it may lack its last lines, or the whole file. */
static void judge_made(const struct command *command,
	const struct reference *reference, int status, struct text *violations)
{
	char *now = content_of(command->makes);

	if (!status && (!now || strcmp(now, reference->file) != 0))
		text_add(violations, "success, but the file lacks lines; ");
	else if (now && strncmp(reference->file, now, strlen(now)) != 0)
		text_add(violations, "the file is damaged; ");
	free(now);
}

/* Is this name in the folder expected? */
static bool is_ours(const struct command *command, const char *name)
{
	static const char *const names[] = { ".", "..", "state", "config",
		"run", "in.json", "in.calls.json", "in.pcap", "in.tape",
		"in.lab", "disk" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return (command->out && !strcmp(command->out, name)) ||
		(command->makes && !strcmp(command->makes, name));
}

static void again(const struct command *command)
{
	struct ran ran =
		run_words(command_program(command), command->words);

	ran_free(&ran);
}

/* Whatever the fault left, the index lists what the files have. */
static void judge_lists(const struct command *command,
	const struct reference *reference, struct text *violations)
{
	struct ran ran =
		run_words(command_program(command), command->words);

	if (ran.status || strcmp(text_chars(&ran.out), reference->out) != 0)
		text_add(violations, "then exit code %d, or other lists; ",
			ran.status);
	ran_free(&ran);
}

static void judge_folder(const struct command *command, struct text *violations)
{
	DIR *entries = opendir(".");

	for (struct dirent *entry; (entry = readdir(entries));)
		if (!is_ours(command, entry->d_name))
			text_add(violations, "leaves '%s'; ", entry->d_name);
	closedir(entries);
}

static size_t count_trials_on_tapes(void)
{
	DIR *entries = opendir("run/benchtop");
	size_t count = 0;

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		char path[512];

		snprintf(path, sizeof path, "run/benchtop/%s", entry->d_name);
		if (entry->d_name[0] != '.')
			count += trials_on(path);
	}
	if (entries)
		closedir(entries);
	return count;
}

size_t judge_count(const struct text *csv)
{
	static const char *const groups[] = { "cpu.", "fs.", "ipc.", "net.",
		"selftest." };
	size_t count = 0;

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		count += lines_beginning(csv, groups[i]);
	return count;
}

void judge_tapes(struct text *violations)
{
	size_t published = count_trials_on_tapes();
	struct ran ran = RUN(SELFTEST, "-c", "recover; export csv --trials");
	size_t got = judge_count(&ran.out);

	if (ran.status && (published || ran.status != 2))
		text_add(violations, "recover: exit code %d: %s; ", ran.status,
			text_chars(&ran.err));
	if (got < published)
		text_add(violations, "recover: %zu of %zu trials; ", got,
			published);
	if (entries_in("run/benchtop"))
		text_add(violations, "recover leaves a tape; ");
	ran_free(&ran);
}

void judge_sessions(struct text *violations)
{
	static const char path[] = "state/benchtop/sessions";
	DIR *entries = opendir(path);

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		char file[512];
		struct stat is;

		snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
		if (!strncmp(entry->d_name, ".benchtop", 9))
			text_add(violations, "leaves '%s'; ", file);
		else if (entry->d_name[0] != '.' && !stat(file, &is) &&
			is.st_size && !verifies(file))
			text_add(violations, "'%s' does not verify; ", file);
	}
	if (entries)
		closedir(entries);
}

void judge(const struct command *command, const struct reference *reference,
	const struct injection *injection, const struct injured *injured,
	struct text *violations)
{
	int status = injured->ran.status;

	judge_end(command, injection, injured, violations);
	if (injured->left.length)
		text_add(violations, "leaves processes:%s; ",
			text_chars(&injured->left));
	if (!status && !command->varies &&
		strcmp(text_chars(&injured->ran.out), reference->out) != 0)
		text_add(violations, "success with other output; ");
	if (command->out)
		judge_file(command, reference, status, violations);
	if (command->makes)
		judge_made(command, reference, status, violations);
	if (injection->injury == KILL || entries_in("run/benchtop"))
		judge_tapes(violations);
	if (command->lists)
		judge_lists(command, reference, violations);
	if (command->limits)
		surroundings_judge_groups(violations);
	surroundings_judge(violations);
	judge_sessions(violations);
	/* The next save removes the temporary file of a killed one. */
	if (injection->injury == KILL && command->out)
		again(command);
	judge_folder(command, violations);
}
