/* The index of the kept sessions: rows count only for unchanged files, and have
 * all that the files have. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "indexed_sessions.h"
#include "sample_session.h"

/* ---- files that change ------------------------------------------------ */

static void test_unchanged(void **state)
{
	make_three();
	mark_index();
	assert_read("000");
	assert_int_equal(unlink(index_path()), 0);
	assert_read("123");
}

/* A list does not wait until the points of all files are indexed, and does not
 * lose those of a history. */
static void test_points_later(void **state)
{
	struct kept_list list;
	struct kept_points points;

	keep(1, 1);
	keep(2, 2);
	age();
	for (int round = 0; round < 2; round++) {
		kept_list_read(&list);
		struct kept_head *heads = index_heads(&list);
		assert_true(heads[1].median == 2);
		for (size_t i = 0; i < list.count; i++)
			kept_head_free(&heads[i]);
		free(heads);
		kept_list_free(&list);
		assert_int_equal(whole("SELECT count(*) FROM sessions"), 2);
		assert_int_equal(whole("SELECT count(*) FROM points"),
			2 * round);
		index_points(&here, "mem.made", NULL, &points);
		assert_int_equal(points.count, 2);
		kept_points_free(&points);
		assert_int_equal(whole("SELECT count(*) FROM points"), 2);
	}
}

/* Same size, and for the replaced file also the same mtime. */
static void test_changed(void **state)
{
	struct stat is;

	make_three();
	mark_index();
	keep(1, 7);
	assert_int_equal(stat(kept_file(3), &is), 0);
	struct timespec times[2] = { is.st_mtim, is.st_mtim };
	char *other = strdup(in_folder("benchtop/other"));
	keep_at(other, 9, "here");
	assert_int_equal(rename(other, kept_file(3)), 0);
	utimensat(AT_FDCWD, kept_file(3), times, 0);
	free(other);
	age();
	assert_read("709");
	mark_index();
	assert_read("000");
}

static void test_removed_and_added(void **state)
{
	make_three();
	mark_index();
	unlink(kept_file(2));
	assert_read("00");
	assert_int_equal(whole("SELECT count(*) FROM sessions"), 2);
	assert_int_equal(whole("SELECT count(*) FROM points"), 2);
	assert_int_equal(whole("SELECT count(*) FROM surroundings"), 2);
	keep(2, 5);
	assert_read("050");
	age();
	assert_read("050");
	assert_int_equal(whole("SELECT count(*) FROM sessions"), 3);
}

/* A file that changed just now is read, but not indexed: its next change may
 * fall in the same tick of the kernel's clock. On a loaded machine it may no
 * longer be young when it is read. The index exists before, since the disk may
 * take longer to create one than a file is young. */
static void test_young(void **state)
{
	int indexed = 2;

	keep(2, 3);
	age();
	assert_read("3");
	for (int i = 0; i < 100 && indexed == 2; i++) {
		keep(1, 1);
		assert_read("13");
		indexed = whole("SELECT count(*) FROM sessions");
		keep(1, 2);
		assert_read("23");
		unlink(kept_file(1));
		assert_read("3");
	}
	assert_int_equal(indexed, 1);
}

/* Points of another machine are left out, also by the index; a file without a
 * name of its machine belongs to each. */
static void test_machines(void **state)
{
	static const char nameless[] =
		KEPT_BEGIN
		"   \"experiment\":\"mem.made\",\n     \"args\":{},\n"
		"     \"metrics\":{\"t\":{\"median\":4,\"ticks\":[]}}\n"
		KEPT_END;
	struct kept_points points;

	make_three();
	keep_at(kept_file(2), 2, "there");
	write_file(kept_file(4), nameless, strlen(nameless));
	age();
	for (int i = 0; i < 2; i++) {
		index_points(&here, "mem.made", NULL, &points);
		assert_int_equal(points.count, 3);
		assert_int_equal(points.list[1].session, 3);
		assert_string_equal(points.list[1].surroundings
					    ->value[SURROUNDING_KERNEL],
			"6.3");
		assert_int_equal(points.list[2].session, 4);
		assert_null(points.list[2].surroundings->host);
		kept_points_free(&points);
	}
	index_points(&here, "mem.none", NULL, &points);
	assert_int_equal(points.count, 0);
	kept_points_free(&points);
}

/* ---- all that a file has ---------------------------------------------- */

static void assert_same_number(double a, double b)
{
	assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_same_figure(const struct kept_figure *a,
	const struct kept_figure *b)
{
	assert_same_number(a->median, b->median);
	assert_int_equal(a->has_interval, b->has_interval);
	assert_same_number(a->interval.low, b->interval.low);
	assert_same_number(a->interval.high, b->interval.high);
}

static void assert_same_surroundings(const struct surroundings *a,
	const struct surroundings *b)
{
	assert_string_equal(a->host, b->host);
	for (int i = 0; i < SURROUNDINGS; i++)
		if (a->value[i] && b->value[i])
			assert_string_equal(a->value[i], b->value[i]);
		else
			assert_ptr_equal(a->value[i], b->value[i]);
}

static void assert_same_point(const struct kept_point *a,
	const struct kept_point *b)
{
	assert_int_equal(a->session, b->session);
	assert_int_equal(a->run, b->run);
	assert_string_equal(a->started, b->started);
	assert_string_equal(a->experiment, b->experiment);
	assert_string_equal(a->setting, b->setting);
	assert_string_equal(a->metric, b->metric);
	assert_int_equal(a->unit, b->unit);
	assert_same_figure(&a->headline, &b->headline);
	assert_same_figure(&a->shared, &b->shared);
	assert_int_equal(a->regime, b->regime);
	assert_int_equal(a->launch_count, b->launch_count);
	for (size_t i = 0; i < a->launch_count; i++)
		assert_same_number(a->launches[i], b->launches[i]);
	assert_same_number(a->alone, b->alone);
	assert_int_equal(a->quality, b->quality);
	assert_same_number(a->canary_ns, b->canary_ns);
	assert_same_number(a->ruler_ns, b->ruler_ns);
	assert_same_surroundings(a->surroundings, b->surroundings);
}

/* Every value of a saved session comes back from the index, also if the
 * processor is not given. */
static void test_whole_session(void **state)
{
	struct session *session = sample_session();
	struct machine *machine = &session->machine;
	const char *experiment = session->runs[0]->experiment;
	struct kept_points direct = { 0 }, points;
	struct error error;

	assert_int_equal(session_save_copy(session, kept_file(1), &error), 0);
	age();
	snprintf(machine->cpu, sizeof machine->cpu, "another");
	kept_points_of(machine, experiment, NULL, kept_file(1), 1, &direct);
	assert_int_equal(direct.count, 0);
	*machine->cpu = '\0';
	kept_points_of(machine, experiment, NULL, kept_file(1), 1, &direct);
	assert_true(direct.count > 0);
	index_points(machine, experiment, NULL, &points);
	assert_int_equal(whole("SELECT count(*) FROM sessions"), 1);
	assert_int_equal(points.count, direct.count);
	for (size_t i = 0; i < points.count; i++)
		assert_same_point(&points.list[i], &direct.list[i]);
	kept_points_free(&direct);
	kept_points_free(&points);
	session_free(session);
}

static void test_whole_head(void **state)
{
	struct session *session = sample_session();
	struct kept_list list;
	struct kept_head direct;
	struct error error;

	assert_int_equal(session_save_copy(session, kept_file(1), &error), 0);
	age();
	kept_list_read(&list);
	assert_true(kept_head_read(kept_file(1), &direct));
	struct kept_head *head = index_heads(&list);
	assert_int_equal(whole("SELECT count(*) FROM sessions"), 1);
	assert_string_equal(head->at, direct.at);
	assert_string_equal(head->note, direct.note);
	assert_same_number(head->median, direct.median);
	assert_int_equal(head->unit, direct.unit);
	assert_int_equal(head->experiment_count, direct.experiment_count);
	for (size_t i = 0; i < direct.experiment_count; i++)
		assert_string_equal(head->experiments[i],
			direct.experiments[i]);
	kept_head_free(&direct);
	kept_head_free(head);
	free(head);
	kept_list_free(&list);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_unchanged, index_empty),
		cmocka_unit_test_setup(test_points_later, index_empty),
		cmocka_unit_test_setup(test_changed, index_empty),
		cmocka_unit_test_setup(test_removed_and_added, index_empty),
		cmocka_unit_test_setup(test_young, index_empty),
		cmocka_unit_test_setup(test_machines, index_empty),
		cmocka_unit_test_setup(test_whole_session, index_empty),
		cmocka_unit_test_setup(test_whole_head, index_empty),
	};

	return cmocka_run_group_tests(tests, index_prepare, remove_folder);
}
