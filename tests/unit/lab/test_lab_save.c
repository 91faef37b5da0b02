/* Two labs and one file: a save loses no run of the other lab, neither by name
 * nor as an autosave. The other lab is a session that this test saves. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab_fixture.h"

static char folder[] = "/tmp/benchtop-lab-save-XXXXXX";
static struct lab lab;

static const char *in_folder(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static int open_lab(void **state)
{
	static const char template[] = "/tmp/benchtop-lab-save-XXXXXX";

	memcpy(folder, template, sizeof template);
	if (!mkdtemp(folder) || setenv("XDG_STATE_HOME", folder, 1))
		return -1;
	lab_init(&lab, fixture_list);
	session_add_note(lab.session, "mine");
	return 0;
}

static int close_lab(void **state)
{
	char command[64];

	lab_release(&lab);
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

/* Another lab saves its session to a file, with a note more than the last. */
static void other_saves(const char *path)
{
	struct session *other = session_new();
	struct error error;

	session_add_note(other, "of another lab");
	assert_int_equal(session_save(other, path, true, &error), 0);
	session_free(other);
}

static bool is_others(const char *path)
{
	struct error error;
	struct session *session = session_load(path, &error);

	assert_non_null(session);
	bool is = !strcmp(session->notes[0].text, "of another lab");
	session_free(session);
	return is;
}

static void assert_saves(const char *name, bool force)
{
	struct error error = { 0 };

	assert_int_equal(lab_save(&lab, in_folder(name), force, &error), 0);
	assert_false(is_others(in_folder(name)));
}

static void assert_refused(const char *name)
{
	struct error error;

	assert_int_equal(lab_save(&lab, in_folder(name), false, &error), -1);
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_non_null(strstr(error.message, "another process changed it "
		"while this lab was open; save under another name, or with "
		"--force"));
	assert_true(is_others(in_folder(name)));
}

static void test_saved_by_both(void **state)
{
	assert_saves("a.json", false);
	assert_saves("a.json", false);
	assert_saves("b.json", false);
	assert_saves("a.json", false);
	other_saves(in_folder("a.json"));
	assert_refused("a.json");
	assert_saves("a.json", true);
	assert_saves("a.json", false);
	/* By another name of the file. */
	other_saves(in_folder("b.json"));
	assert_int_equal(symlink("b.json", in_folder("link.json")), 0);
	assert_refused("link.json");
}

static void test_loaded(void **state)
{
	struct session *session;
	struct error error;

	other_saves(in_folder("a.json"));
	session = session_load(in_folder("a.json"), &error);
	assert_non_null(session);
	assert_int_equal(lab_use_session(&lab, session, &error), 0);
	session_change_note(lab.session, 0, "mine");
	assert_saves("a.json", false);
	other_saves(in_folder("a.json"));
	assert_refused("a.json");
}

/* A file of which the lab knows nothing is overwritten if it was there when
 * the lab began, as by a script that measures every night. */
static void test_unknown(void **state)
{
	const struct timespec old[2] = { { .tv_sec = 1000000000 },
		{ .tv_sec = 1000000000 } };

	/* The kernel stamps files with the clock of its last tick. */
	lab.began.tv_sec--;
	other_saves(in_folder("a.json"));
	assert_refused("a.json");
	assert_int_equal(utimensat(AT_FDCWD, in_folder("a.json"), old, 0), 0);
	assert_saves("a.json", false);
}

static size_t kept_files(void)
{
	DIR *sessions = opendir(in_folder("benchtop/sessions"));
	size_t count = 0;

	assert_non_null(sessions);
	for (struct dirent *entry; (entry = readdir(sessions));)
		count += entry->d_name[0] != '.';
	closedir(sessions);
	return count;
}

static void test_autosave(void **state)
{
	lab_autosave(&lab);
	char *first = xstrdup(lab.autosave);
	lab_autosave(&lab);
	assert_string_equal(lab.autosave, first);
	assert_int_equal(lab.aside.length, 0);
	other_saves(first);
	lab_autosave(&lab);
	assert_null(lab.autosave_why);
	assert_string_not_equal(lab.autosave, first);
	assert_true(is_others(first));
	assert_false(is_others(lab.autosave));
	assert_non_null(strstr(text_chars(&lab.aside),
		"was changed by another process, so this session is kept in "
		"another file\n"));
	assert_int_equal(kept_files(), 2);
	lab_autosave(&lab);
	assert_int_equal(kept_files(), 2);
	free(first);
}

/* The user may save to the autosave file, or remove it. */
static void test_own_autosave(void **state)
{
	struct error error;

	lab_autosave(&lab);
	assert_int_equal(lab_save(&lab, lab.autosave, true, &error), 0);
	lab_autosave(&lab);
	assert_int_equal(unlink(lab.autosave), 0);
	lab_autosave(&lab);
	assert_int_equal(kept_files(), 1);
	assert_int_equal(lab.aside.length, 0);
}

/* The user knows the folder, not the hidden name of the file. */
static void test_full(void **state)
{
	struct rlimit before, limit;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 100;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	lab_autosave(&lab);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(strstr(lab.autosave_why,
		"/benchtop/sessions': write: File too large"));
	assert_null(strstr(lab.autosave_why, "/.benchtop-"));
}

int main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		CASE(test_saved_by_both),
		CASE(test_loaded),
		CASE(test_unknown),
		CASE(test_autosave),
		CASE(test_own_autosave),
		CASE(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
