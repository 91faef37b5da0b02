/* Session files: saving never loses previous contents. */
#include "session.h"

#include <dirent.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "file.h"
#include "json.h"
#include "sample_session.h"
#include "session_folder.h"

static void save_and_load(void **state)
{
	const char *path = in_folder("save.json");
	struct session *a = sample_session();
	struct error error = { .message = "" };

	assert_true(a->changed);
	assert_int_equal(session_save(a, path, false, &error), 0);
	assert_false(a->changed);
	assert_string_equal(a->path, path);
	session_add_note(a, "later");
	assert_true(a->changed);
	assert_int_equal(session_save(a, a->path, false, &error), 0);
	struct session *b = session_load(path, &error);
	assert_non_null(b);
	assert_string_equal(b->path, path);
	assert_false(b->changed);
	assert_int_equal(b->note_count, 3);
	session_free(a);
	session_free(b);
}

static unsigned files_in_folder(void)
{
	DIR *open = opendir(folder);
	unsigned count = 0;

	assert_non_null(open);
	while (readdir(open))
		count++;
	closedir(open);
	return count;
}

/* A save that fails reports an error, keeps the old file and leaves nothing
 * behind. */
static void saves_that_fail(void **state)
{
	struct session *a = sample_session();
	struct error error = { .message = "" };
	unsigned before = files_in_folder();

	assert_int_equal(session_save(a, folder, false, &error), -1);
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_non_null(strstr(error.message, folder));
	assert_int_equal(session_save(a, in_folder("none/x.json"), false,
				 &error),
		-1);
	assert_non_null(strstr(error.message, "none/x.json"));
	assert_true(a->changed);
	assert_null(a->path);
	assert_int_equal(files_in_folder(), before);
	session_free(a);
}

/* Root writes by this capability. A namespace may have no user but root. */
static void obey_modes(bool obey)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
		0 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
	const uint32_t override = 1 << CAP_DAC_OVERRIDE;

	assert_int_equal(syscall(SYS_capget, &head, sets), 0);
	if (obey)
		sets[0].effective &= ~override;
	else
		sets[0].effective |= sets[0].permitted & override;
	assert_int_equal(syscall(SYS_capset, &head, sets), 0);
}

static void folder_that_cannot_be_written(void **state)
{
	struct session *a = sample_session();
	struct error error = { .message = "" };

	assert_int_equal(chmod(folder, 0555), 0);
	obey_modes(true);
	int failed = session_save(a, in_folder("x.json"), false, &error);
	obey_modes(false);
	assert_int_equal(chmod(folder, 0700), 0);
	assert_int_equal(failed, -1);
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_true(a->changed);
	assert_int_equal(access(in_folder("x.json"), F_OK), -1);
	session_free(a);
}

static void links_and_modes_stay(void **state)
{
	struct session *a = sample_session();
	struct error error;
	char target[200];
	struct stat is;

	snprintf(target, sizeof target, "%s", in_folder("target.json"));
	write_file(target, "\n", 1);
	assert_int_equal(chmod(target, 0640), 0);
	assert_int_equal(symlink("target.json", in_folder("link.json")), 0);
	assert_int_equal(session_save(a, in_folder("link.json"), false, &error),
		0);
	assert_int_equal(lstat(in_folder("link.json"), &is), 0);
	assert_true(S_ISLNK(is.st_mode));
	assert_int_equal(lstat(target, &is), 0);
	assert_true(S_ISREG(is.st_mode) && is.st_size > 1000);
	assert_int_equal(is.st_mode & 07777, 0640);
	session_free(a);
}

static void too_many_samples_are_not_saved(void **state)
{
	struct session *a = sample_session();
	struct series *series = &a->runs[0]->points[0].series[0];
	struct error error;

	while (series->raw.count <= 4 << 20)
		column_add(&series->raw);
	assert_int_equal(session_save(a, in_folder("many.json"), false, &error),
		-1);
	assert_non_null(strstr(error.message, "many.json"));
	assert_int_equal(access(in_folder("many.json"), F_OK), -1);
	session_free(a);
}

/* A text of `length` bytes, with two bytes per character. */
static char *long_text(size_t length)
{
	char *text = malloc(length + 1);

	assert_non_null(text);
	for (size_t i = 0; i < length; i++)
		text[i] = i % 2 ? '\xa4' : '\xc3';
	text[length] = '\0';
	return text;
}

static struct session *with_long_texts(size_t length)
{
	struct session *a = sample_session();
	struct results *run = a->runs[0];

	free(run->asked);
	run->asked = long_text(length);
	free(run->findings.list[0].sentence);
	run->findings.list[0].sentence = long_text(length);
	free(run->points[0].why);
	run->points[0].why = long_text(length);
	free(run->points[0].values[0]);
	run->points[0].values[0] = long_text(length);
	return a;
}

static void long_texts_are_kept_whole(void **state)
{
	struct session *a = with_long_texts(JSON_STRING_MAX);
	struct text before = written(a), after;
	struct error error = { .message = "" };

	if (session_save(a, in_folder("long.json"), false, &error))
		fail_msg("%s", error.message);
	struct session *b = session_load(in_folder("long.json"), &error);
	if (!b)
		fail_msg("%s", error.message);
	assert_string_equal(b->runs[0]->asked, a->runs[0]->asked);
	assert_string_equal(b->runs[0]->points[0].why,
		a->runs[0]->points[0].why);
	after = written(b);
	assert_string_equal(before.chars, after.chars);
	text_free(&before);
	text_free(&after);
	session_free(a);
	session_free(b);
}

/* A text that is too long for a reader is not truncated: the save is refused,
 * and the old file is kept. */
static void longer_texts_are_refused(void **state)
{
	struct session *a = sample_session();
	struct session *b = with_long_texts(JSON_STRING_MAX + 2);
	struct text before = { 0 }, after = { 0 };
	char path[200];
	struct error error;

	snprintf(path, sizeof path, "%s", in_folder("longer.json"));
	assert_int_equal(session_save(a, path, false, &error), 0);
	assert_int_equal(file_read(path, JSON_BYTES_MAX, &before, &error), 0);
	assert_int_equal(session_save(b, path, true, &error), -1);
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_non_null(strstr(error.message, "longer.json"));
	assert_non_null(strstr(error.message, "longer than 64 KiB"));
	assert_int_equal(file_read(path, JSON_BYTES_MAX, &after, &error), 0);
	assert_string_equal(before.chars, after.chars);
	text_free(&before);
	text_free(&after);
	session_free(a);
	session_free(b);
}

/* The largest session of one lab: its file could not be loaded again. */
static void sessions_beyond_the_limit_are_not_saved(void **state)
{
	struct session *session = sample_session();
	struct text text = { 0 };
	struct error error;

	text_add_char(&text, '0');
	text_pad(&text, ' ', JSON_BYTES_MAX);
	free(session->runs[0]->annotation);
	session->runs[0]->annotation = text_take(&text);
	assert_int_equal(session_save(session, in_folder("large.json"), false,
				 &error),
		-1);
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_non_null(strstr(error.message,
		"the session is larger than 256 MiB or 25165824 values; leave "
		"this lab, then `benchtop recover` saves its unsaved runs"));
	assert_int_equal(access(in_folder("large.json"), F_OK), -1);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(save_and_load),
		cmocka_unit_test(saves_that_fail),
		cmocka_unit_test(folder_that_cannot_be_written),
		cmocka_unit_test(links_and_modes_stay),
		cmocka_unit_test(too_many_samples_are_not_saved),
		cmocka_unit_test(long_texts_are_kept_whole),
		cmocka_unit_test(longer_texts_are_refused),
		cmocka_unit_test(sessions_beyond_the_limit_are_not_saved),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
