/* benchtop: reads the command line and starts a lab with or without a
 * screen. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assign.h"
#include "headless.h"
#include "lab.h"
#include "launch.h"
#include "loop.h"
#include "memory.h"
#include "options.h"
#include "probe_list.h"
#include "script.h"
#include "ui.h"
#include "verbs.h"
#include "version.h"

/* What the command line asks for. */
struct request {
	enum {
		OPEN_SCREEN,
		OPEN_PROMPT,
		RUN_WORDS,
		RUN_LINE,
		RUN_FILE,
		SAY_VERSION,
	} what;
	char *const *words;
	const char *argument; /* of -c and --script */
	const char *wait;     /* of --wait-quiet=; NULL: not given */
	const char *trials;   /* of --trials=; NULL: not given */
	struct ui_options screen;
};

static void say_error(const struct error *error)
{
	const struct script none = { 0 };

	headless_say_error(&none, error, false);
}

static int no_option(const char *word)
{
	const char *nearest = option_nearest(word);
	struct error error = { 0 };

	error_set(&error, STATUS_USAGE, "unknown option %s: %s%s%s",
		text_quoted(word).chars, nearest ? "did you mean '" : "see ",
		nearest ? nearest : "`benchtop --help`", nearest ? "'?" : "");
	say_error(&error);
	return STATUS_USAGE;
}

static int usage(const char *option, const char *expected)
{
	struct error error = { 0 };

	error_set(&error, STATUS_USAGE, "%s: expected %s", option, expected);
	say_error(&error);
	return STATUS_USAGE;
}

static const char line_example[] =
	"one argument, as in `benchtop -c 'run cpu.call; save x.json'`";
static const char script_example[] =
	"one argument, as in `benchtop --script quick.lab`";

/* The value of an option such as --wait-quiet=TIME, or NULL. */
static const char *value_of(const char *word, const char *option)
{
	size_t length = strlen(option);

	return strncmp(word, option, length) ? NULL : word + length;
}

/* Options for every run of this process. */
static bool read_setting(const char *word, struct request *request)
{
	const char *wait = value_of(word, "--wait-quiet=");
	const char *trials = value_of(word, "--trials=");

	request->wait = wait ? wait : request->wait;
	request->trials = trials ? trials : request->trials;
	return wait || trials;
}

static int apply_settings(struct lab *lab, const struct request *request)
{
	struct error error;
	int failed = ui_check_options(&request->screen, &error);

	if (request->wait && !failed)
		failed = param_set_values(&lab->common, "wait-quiet",
			request->wait, &error);
	if (request->trials && !failed)
		failed = assign_trials(&lab->common, request->trials, &error);
	if (!failed)
		return 0;
	say_error(&error);
	return STATUS_USAGE;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

/* The help of a word; NULL: all of it. */
static void ask_help(char *word, struct request *request)
{
	static char help[] = "help";
	static char *words[] = { help, NULL, NULL };

	words[1] = word;
	request->what = RUN_WORDS;
	request->words = words;
}

static int read_words(int count, char **words, struct request *request)
{
	int at = 1;

	*request = (struct request){ .what = OPEN_SCREEN };
	while (at < count &&
		(ui_read_option(words[at], &request->screen) ||
			read_setting(words[at], request)))
		at++;
	if (at == count)
		return 0;
	const char *word = words[at];
	bool line = !strcmp(word, "-c");
	bool takes_one = line || !strcmp(word, "--script");
	if (takes_one && at + 2 != count)
		return usage(word, line ? line_example : script_example);
	bool quick = !strcmp(word, "quick");
	bool takes_none = quick || !strcmp(word, "--plain") ||
		!strcmp(word, "--version") || is_help(word);
	if (quick && at + 2 == count && is_help(words[at + 1])) {
		ask_help(words[at], request);
		return 0;
	}
	if (takes_none && at + 1 != count)
		return usage(word, "no further argument");
	if (takes_one) {
		request->what = line ? RUN_LINE : RUN_FILE;
		request->argument = words[at + 1];
	} else if (quick) {
		request->what = RUN_FILE;
		request->argument = "quick.lab";
	} else if (!strcmp(word, "tour") && at + 1 == count) {
		/* With more words it is the verb of the screen. */
		request->screen.tour = true;
	} else if (!strcmp(word, "--plain")) {
		request->what = OPEN_PROMPT;
	} else if (!strcmp(word, "--version")) {
		request->what = SAY_VERSION;
	} else if (takes_none) {
		ask_help(NULL, request);
	} else if (word[0] == '-') {
		return no_option(word);
	} else {
		request->what = RUN_WORDS;
		request->words = words + at;
	}
	return 0;
}

static int read_script(struct lab *lab, const struct request *request,
	struct script *script, struct error *error)
{
	const char *line = request->argument;

	if (request->what == RUN_WORDS)
		return script_of_words(lab, request->words, script, error);
	if (request->what == RUN_LINE)
		return script_parse(lab, "", line, strlen(line), script, error);
	return script_read(lab, request->argument, script, error);
}

static enum status open_screen(struct lab *lab, struct loop *loop,
	const struct request *request)
{
	struct error error = { 0 };
	enum status status = STATUS_OK;

	if (!ui_run(lab, loop, &request->screen, &status, &error)) {
		enum status kept = headless_say_kept(lab);

		return status ? status : kept;
	}
	say_error(&error);
	return error.status;
}

/* Opens the screen on the result of a shell's words. From then on the lab is
 * used as any other: it does not end after one command. */
static enum status show_words(struct lab *lab, struct loop *loop,
	const struct request *request, const struct script *script)
{
	enum status status = headless_prepare(loop, script);

	lab->one_command = false;
	return status ? status : open_screen(lab, loop, request);
}

static enum status run_script(struct lab *lab, struct loop *loop,
	const struct request *request)
{
	struct script script = { 0 };
	struct error error = { 0 };
	enum status status;

	if (read_script(lab, request, &script, &error)) {
		headless_say_error(&script, &error, true);
		status = error.status;
	} else if (lab->one_command && headless_shows(lab, &script)) {
		status = show_words(lab, loop, request, &script);
	} else {
		status = headless_run(loop, &script);
	}
	script_free(&script);
	return status;
}

static enum status open_lab(struct lab *lab, struct loop *loop,
	const struct request *request)
{
	switch (request->what) {
	case OPEN_SCREEN:
		return open_screen(lab, loop, request);
	case OPEN_PROMPT:
		return headless_prompt(loop);
	case RUN_WORDS:
	case RUN_LINE:
	case RUN_FILE:
	case SAY_VERSION:
		break;
	}
	return run_script(lab, loop, request);
}

/* Fills closed standard descriptors with a read-only /dev/null. Otherwise the
 * next opened file would become, for instance, standard output. Writing to them
 * fails, as it should. */
static void fill_standard(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int count, char **words)
{
	struct request request;
	struct lab lab;
	struct loop loop;
	struct error error;

	fill_standard();
	/* The terminal's character set for text, but the C locale for
	 * numbers. */
	setlocale(LC_CTYPE, "");
	/* At the file size limit, write() shall fail with EFBIG, which is
	 * reported. */
	signal(SIGXFSZ, SIG_IGN);
	/* The parent process may have passed on an ignored SIGCHLD. Then
	 * waitpid() would return no exit status. */
	signal(SIGCHLD, SIG_DFL);
	/* Freed large buffers return to the kernel at once. The lab should be
	 * small while it measures, also after saving a large session. */
	memory_return_large();
	launch_if_worker(count, words);
	int failed = read_words(count, words, &request);
	if (failed)
		return failed;
	if (request.what == SAY_VERSION) {
		printf("benchtop %s\n", benchtop_version);
		return STATUS_OK;
	}
	lab_init(&lab, probe_list);
	lab.layout = text_layout_of(STDOUT_FILENO);
	lab.executes = true;
	lab.one_command = request.what == RUN_WORDS;
	verbs_add(&lab);
	ui_add_commands(&lab);
	if (loop_init(&loop, &lab, &error)) {
		say_error(&error);
		lab_release(&lab);
		return error.status;
	}
	enum status status = (enum status)apply_settings(&lab, &request);
	if (!status)
		status = open_lab(&lab, &loop, &request);
	loop_release(&loop);
	lab_release(&lab);
	if (fflush(stdout) && !status)
		status = STATUS_OUTPUT;
	return (int)status;
}
