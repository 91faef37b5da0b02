/* The verb `fleet`: the sessions of many machines. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export.h"
#include "fleet_hosts.h"
#include "fleet_report.h"
#include "fleet_sessions.h"
#include "kept.h"
#include "lab.h"
#include "many_verbs.h"
#include "memory.h"
#include "print_fleet.h"
#include "save_page.h"
#include "session.h"

static const char outlier_option[] = "--fail-if-outlier";
static const char *const fleet_options[] = { outlier_option, "--json",
	"--openmetrics", SAVE_PAGE_OPTIONS, "--text", "--hosts=", "--script=",
	call_verbose_option, NULL };

static int check_fleet(const struct call *call, struct error *error)
{
	const char *hosts = call_option(call, "--hosts=");
	const char *script = call_option(call, "--script=");

	if (save_page_check(call, error))
		return -1;
	if (call_option(call, "--json") && call_option(call, "--openmetrics"))
		return error_set(error, STATUS_USAGE,
			"--json and --openmetrics: expected one of them");
	if (!hosts != !script || (hosts && call->count != 1))
		return error_set(error, STATUS_USAGE,
			"--hosts and --script: expected both and one folder");
	return 0;
}

/* Has a session this name? NAME.json, or compressed with gzip NAME.json.gz. */
static bool is_named(const char *name)
{
	return text_ends(name, ".json") || text_ends(name, ".json.gz");
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the sessions of a folder, in the order of their names. Files without
 * points are left out. */
static int add_folder(const char *path, struct fleet_sessions *sessions,
	struct error *error)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	char **names = NULL;
	size_t count = 0, added = 0;

	if (!folder)
		return error_set(error, STATUS_INPUT, "cannot read %s: %s",
			text_quoted(path).chars, strerror(errno));
	while ((entry = readdir(folder)))
		if (is_named(entry->d_name)) {
			struct text whole = { 0 };

			text_add(&whole, "%s/%s", path, entry->d_name);
			ARRAY_GROW(names, count);
			names[count++] = text_take(&whole);
		}
	closedir(folder);
	if (count)
		qsort(names, count, sizeof *names, by_name);
	for (size_t i = 0; i < count; i++) {
		if (fleet_sessions_add(sessions, names[i]))
			added++;
		else
			fleet_leave_out(sessions, strrchr(names[i], '/') + 1,
				"no whole session with figures");
		free(names[i]);
	}
	free(names);
	if (added)
		return 0;
	return error_set(error, STATUS_INPUT,
		"%s has no session with a figure: expected files *.json that "
		"`save` wrote",
		text_quoted(path).chars);
}

/* Is it input that can be read only once, such as a pipe? */
static bool is_stream(const char *path)
{
	struct stat is;

	return !strcmp(path, "-") || (!stat(path, &is) && !S_ISREG(is.st_mode));
}

static int add_file(const char *word, struct fleet_sessions *sessions,
	struct error *error)
{
	char *path = kept_path(word, error);
	struct session *session;

	if (!path)
		return -1;
	bool stream = is_stream(path);
	bool added = !stream && fleet_sessions_add(sessions, path);
	free(path);
	if (added)
		return 0;
	if (stream)
		return error_set(error, STATUS_INPUT,
			"cannot read %s: `fleet` reads regular files and "
			"folders only",
			text_quoted(word).chars);
	/* Find out why: not a session, or without figures. */
	session = session_open(word, error);
	if (!session)
		return -1;
	session_free(session);
	return error_set(error, STATUS_INPUT, "%s has no figures",
		text_quoted(word).chars);
}

static int add_all(const struct call *call, struct fleet_sessions *sessions,
	struct error *error)
{
	for (size_t i = 0; i < call->count; i++) {
		struct stat is;
		bool folder =
			!stat(call->arg[i], &is) && S_ISDIR(is.st_mode);

		if (folder ? add_folder(call->arg[i], sessions, error) :
			     add_file(call->arg[i], sessions, error))
			return -1;
	}
	return 0;
}

/* The first outliers by name. */
static enum outcome say_outliers(const struct fleet_sessions *sessions,
	struct reply *reply)
{
	enum { NAMED = 5 };
	const struct fleet *fleet = &sessions->fleet;
	size_t sick = fleet_sick(fleet), named = 0;
	struct text names = { 0 };

	for (size_t i = 0; i < fleet->outlier_count && named < NAMED; i++) {
		size_t machine = fleet->outliers[i].machine;

		if (i && machine == fleet->outliers[i - 1].machine)
			continue;
		text_add(&names, "%s%s", named++ ? ", " : "",
			sessions->machines[machine].name);
	}
	if (sick > named)
		text_add(&names, " and %zu more", sick - named);
	enum outcome outcome = reply_fail(reply, STATUS_EXPECT,
		"%zu outlier%s among %zu machines: %s", sick,
		sick == 1 ? "" : "s", sessions->machine_count, names.chars);
	text_free(&names);
	return outcome;
}

static enum outcome say_gate(const struct fleet_sessions *sessions,
	struct reply *reply)
{
	const struct fleet *fleet = &sessions->fleet;

	if (sessions->machine_count < FLEET_LEAST)
		return reply_fail(reply, STATUS_AGAIN,
			"%zu machine%s: expected at least %d, to find an "
			"outlier",
			sessions->machine_count,
			sessions->machine_count == 1 ? "" : "s", FLEET_LEAST);
	if (!fleet->outlier_count && sessions->left_out_count) {
		struct text said = { 0 };

		fleet_say_left_out(sessions, &said);
		enum outcome outcome = reply_fail(reply, STATUS_AGAIN,
			"no outlier, but %s", text_chars(&said));
		text_free(&said);
		return outcome;
	}
	if (!fleet->outlier_count)
		return OUTCOME_DONE;
	return say_outliers(sessions, reply);
}

/* Does the screen show the fleet, with its heat map? */
static bool is_shown(const struct call *call)
{
	const struct lab *lab = call->lab;

	return (lab->screen || lab->screen_follows) && !*call->options;
}

static enum outcome reply_fleet(const struct call *call,
	const struct fleet_sessions *sessions, struct reply *reply)
{
	const struct text_layout layout = call_layout(call);

	if (call_option(call, "--json"))
		fleet_write(sessions, &reply->text);
	else if (call_option(call, "--openmetrics"))
		fleet_export(sessions, &reply->text);
	else
		print_fleet(sessions, &layout, &reply->text);
	return call_option(call, outlier_option) ? say_gate(sessions, reply) :
						   OUTCOME_DONE;
}

static int save_report(const struct call *call,
	const struct fleet_sessions *sessions, struct reply *reply)
{
	struct text page = { 0 };

	fleet_report(sessions, &page);
	return save_page_end(call, &page, reply);
}

/* Measures the hosts of --hosts, so that the folder has their sessions. */
static int measure_hosts(const struct call *call, struct error *error)
{
	const char *hosts = call_option(call, "--hosts=");

	if (!hosts)
		return 0;
	if (call->lab->screen || lab_busy(call->lab))
		return error_set(error, STATUS_USAGE,
			"--hosts would stop the screen and the runs: use "
			"`benchtop fleet` in a shell");
	return fleet_measure(call->arg[0], call_option(call, "--script="),
		hosts, error);
}

static enum outcome exec_fleet(const struct call *call, struct reply *reply)
{
	enum outcome outcome = OUTCOME_FAILED;
	bool wanted;

	if (save_page_begin(call, &wanted, &reply->error) ||
		measure_hosts(call, &reply->error))
		return OUTCOME_FAILED;
	struct fleet_sessions *sessions = xcalloc(1, sizeof *sessions);
	sessions->experiments = call->lab->registry.list;
	if (!add_all(call, sessions, &reply->error)) {
		fleet_sessions_find(sessions);
		if (is_shown(call)) {
			many_keep_fleet(&call->lab->many, sessions);
			return OUTCOME_DONE;
		}
		if (!wanted || !save_report(call, sessions, reply))
			outcome = reply_fleet(call, sessions, reply);
	}
	fleet_sessions_free(sessions);
	free(sessions);
	return outcome;
}

const struct command fleet_commands[] = {
	{ "fleet", "FILE ... [--fail-if-outlier] [-o OUT.html]",
		"compare the sessions of many machines, and name those that "
		"differ from the others: in one series, in all together, or in "
		"the scatter between launches, with what differs around them "
		"(processor, kernel, microcode, ..). FILE may be a folder of "
		"sessions. A machine is compared with its group, the machines "
		"of the same model, firmware and kernel, if these are three or "
		"more. The rule is robust (median and median absolute "
		"deviation of logarithms, Holm's method over all tests). A "
		"ratio above 1 is slower than the median machine. A row per "
		"series shows its median and how much machines, runs and "
		"launches contribute to its standard deviation. "
		"--fail-if-outlier gives the exit status 1 if a machine "
		"differs, and 7 if there are fewer than three machines, or if "
		"none differs but a machine, file or series was left out "
		"because it has not enough data. "
		"--openmetrics prints all ratios and outliers for Prometheus. "
		"-o also writes a page with a heat map; an earlier report is "
		"replaced, another file only with --force. On a terminal it "
		"opens the Compare screen with a heat map; --text prints. "
		"--hosts HOSTS --script SCRIPT first measures the hosts of a "
		"list over ssh that have no session in the folder FILE, and "
		"gathers the sessions there",
		"fleet nodes/ --fail-if-outlier", 1, 4096, ARGUMENT_FILE, NULL,
		fleet_options, COMMAND_SHOWS, check_fleet, exec_fleet },
	{ .name = NULL },
};
