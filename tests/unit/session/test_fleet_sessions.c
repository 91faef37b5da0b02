/* A fleet from session files: machines, series, outliers, and what differs
 * around them. */
#include "fleet_sessions.h"

#include "made_runs.h"
#include "session_folder.h"

static const char *path_of(int node, int run)
{
	static char path[80];

	snprintf(path, sizeof path, "node%d-%d.json", node, run);
	return in_folder(path);
}

static void add_points(struct results *run, double times)
{
	static const char *const sizes[] = { "4K", "8K", "16K" };
	double values[8];

	for (size_t s = 0; s < 3; s++) {
		for (size_t i = 0; i < 8; i++)
			values[i] = eight[i] * times * (double)(s + 1);
		made_launches(run, made_sized(run, sizes[s]), values, 8, 300);
	}
}

/* A session with times of three sizes, and as a second run with rates of the
 * same. */
static void save_runs(int node, int number, double times, const char *kernel,
	int runs)
{
	struct results *run = made_run("mem.made", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);
	struct results *rates = made_run("mem.rate", UNIT_BYTES_PER_S,
		MORE_IS_BETTER, METRIC_VALUE);
	struct error error;

	run->seed = rates->seed = (uint64_t)number + 1;
	add_points(run, times);
	add_points(rates, 1 / times);
	struct session *session = made_session(run);
	if (runs == 2)
		session_add_run(session, rates);
	else
		results_free(rates);
	snprintf(session->machine.hostname, sizeof session->machine.hostname,
		"node%d", node);
	snprintf(session->machine.kernel, sizeof session->machine.kernel, "%s",
		kernel);
	assert_int_equal(session_save_copy(session, path_of(node, number),
				 &error), 0);
	session_free(session);
}

static void save(int node, int number, double times, const char *kernel)
{
	save_runs(node, number, times, kernel, 2);
}

/* Five nodes with two runs each; the last is half as fast. */
static void add_nodes(struct fleet_sessions *sessions)
{
	*sessions = (struct fleet_sessions){ 0 };
	for (int node = 1; node <= 5; node++)
		for (int run = 0; run < 2; run++) {
			double times = node == 5 ? 2 : 1 + .001 * (node - run);

			save(node, run, times, node == 5 ? "6.2" : "6.1");
			assert_true(fleet_sessions_add(sessions,
				path_of(node, run)));
		}
}

static void load(struct fleet_sessions *sessions)
{
	add_nodes(sessions);
	fleet_sessions_find(sessions);
}

static void test_fleet(void **state)
{
	struct fleet_sessions sessions;
	struct text text = { 0 };

	load(&sessions);
	assert_int_equal(sessions.sessions, 10);
	assert_int_equal(sessions.machine_count, 5);
	assert_int_equal(sessions.series_count, 6);
	assert_string_equal(sessions.machines[0].name, "node1");
	assert_int_equal(sessions.machines[4].sessions, 2);
	assert_string_equal(sessions.series[0].experiment, "mem.made");
	assert_string_equal(sessions.series[0].setting, "size=16K");
	assert_true(sessions.series[3].is_rate);
	for (size_t s = 0; s < 6; s++) {
		assert_int_equal(sessions.fleet.series[s].machines, 5);
		assert_true(sessions.fleet.series[s].split.launch > 0);
		assert_true(sessions.fleet.ratio[4 * 6 + s] > 1.9);
	}
	assert_true(sessions.fleet.outlier_count >= 7);
	for (size_t i = 0; i < sessions.fleet.outlier_count; i++)
		assert_int_equal(sessions.fleet.outliers[i].machine, 4);
	assert_int_equal(sessions.fleet.outliers[0].kind, FLEET_OVERALL);
	fleet_say_differences(&sessions, 4, 9, &text);
	assert_string_equal(text.chars, "kernel 6.2, of most 6.1");
	text_clear(&text);
	fleet_say_differences(&sessions, 0, 9, &text);
	assert_string_equal(text_chars(&text), "");
	text_clear(&text);
	assert_int_equal(sessions.fleet.group_count, 2);
	assert_int_equal(sessions.machines[3].group, 0);
	assert_int_equal(sessions.machines[4].group, 1);
	assert_true(sessions.fleet.groups[1].ratio > 1.9);
	fleet_say_group(&sessions, 0, &text);
	assert_string_equal(text.chars, "processor Some CPU; kernel 6.1");
	text_clear(&text);
	fleet_say_group(&sessions, 1, &text);
	assert_string_equal(text.chars, "kernel 6.2");
	text_free(&text);
	fleet_sessions_free(&sessions);
}

/* Four nodes have figures of a shared core. The fifth is compared by its own
 * beside a co-runner; without them by its figure alone. */
static void test_same_regime(void **state)
{
	for (int has = 0; has < 2; has++) {
		struct fleet_sessions sessions;

		add_nodes(&sessions);
		for (size_t i = 0; i < sessions.points.count; i++) {
			struct kept_point *point = &sessions.points.list[i];
			bool rate = point->unit == UNIT_BYTES_PER_S;
			bool last = point->session >= 8;

			point->regime = last ? REGIME_ALONE : REGIME_SHARED;
			point->shared = point->headline;
			point->shared.has_interval = has;
			if (last)
				point->shared.median *= rate ? 2 : .5;
		}
		fleet_sessions_find(&sessions);
		for (size_t s = 0; s < 6; s++)
			assert_in_range((int)(100 *
				sessions.fleet.ratio[4 * 6 + s]),
				has ? 97 : 190, has ? 103 : 210);
		assert_int_equal(fleet_shared(&sessions, 0), has ? 5 : 4);
		fleet_sessions_free(&sessions);
	}
}

/* The largest group is the first. Unknown values are equal, and the governor
 * sets no group apart. */
static void test_groups(void **state)
{
	static char old[] = "6.1", new[] = "6.2", bios[] = "1.37";
	static char saving[] = "powersave";
	static const struct surroundings kinds[] = {
		{ .value = { [SURROUNDING_KERNEL] = old } },
		{ .value = { [SURROUNDING_KERNEL] = new } },
		{ .value = { [SURROUNDING_KERNEL] = new,
			[SURROUNDING_GOVERNOR] = saving } },
		{ .value = { [SURROUNDING_KERNEL] = new,
			[SURROUNDING_FIRMWARE] = bios } },
	};
	const struct surroundings *machines[] = { &kinds[0], &kinds[3],
		&kinds[1], &kinds[2], &kinds[1], &kinds[0] };
	static const size_t wanted[] = { 1, 2, 0, 0, 0, 1 };
	size_t groups[6];

	fleet_groups_find(machines, 6, groups);
	assert_memory_equal(groups, wanted, sizeof wanted);
	fleet_groups_find(NULL, 0, NULL);
}

/* The nodes from `first` on were measured beside a co-runner. */
static void load_shared(struct fleet_sessions *sessions, int first)
{
	add_nodes(sessions);
	for (size_t i = 0; i < sessions->points.count; i++) {
		struct kept_point *point = &sessions->points.list[i];
		bool shared = point->surroundings->host[4] - '0' >= first;

		point->regime = shared ? REGIME_SHARED : REGIME_ALONE;
		point->alone = shared ? .01 : .97;
	}
	fleet_sessions_find(sessions);
}

/* The slow node is found although, and because, its core is shared. Its regime
 * is shown if the others have another. */
static void test_regimes(void **state)
{
	static const char words[] = " (alone on the core in 1 % of its trials, "
				    "the others in 97 %)";
	struct fleet_sessions sessions;
	struct text text = { 0 };

	load_shared(&sessions, 5);
	assert_true(sessions.fleet.outlier_count >= 7);
	for (size_t i = 0; i < sessions.fleet.outlier_count; i++) {
		const struct fleet_outlier *outlier =
			&sessions.fleet.outliers[i];

		assert_int_equal(outlier->machine, 4);
		fleet_say_regime(&sessions, outlier, &text);
		assert_string_equal(text_chars(&text),
			outlier->kind == FLEET_SURROUNDINGS ? "" : words);
		text_clear(&text);
	}
	for (size_t s = 0; s < sessions.series_count; s++)
		assert_int_equal(fleet_shared(&sessions, s), 1);
	fleet_say_outliers(&sessions, 4, 9, &text);
	assert_non_null(strstr(text.chars, words));
	text_clear(&text);
	fleet_write(&sessions, &text);
	assert_non_null(strstr(text.chars, "\"machines_shared\":1"));
	assert_non_null(strstr(text.chars, "\"others_alone\":"));
	fleet_sessions_free(&sessions);
	text_clear(&text);
	load_shared(&sessions, 1);
	fleet_say_outliers(&sessions, 4, 9, &text);
	assert_non_null(strstr(text.chars, "all series together"));
	assert_null(strstr(text.chars, "alone"));
	fleet_sessions_free(&sessions);
	text_free(&text);
}

/* A rate is printed as it is, although its inverse is analysed. */
static void test_centres(void **state)
{
	struct fleet_sessions sessions;

	load(&sessions);
	double time = fleet_centre(&sessions, 0);
	double rate = fleet_centre(&sessions, 3);
	assert_true(time > 3 * eight[0] && time < 3.1 * eight[7]);
	assert_true(rate > 2.9 * eight[0] && rate < 3 * eight[7]);
	fleet_sessions_free(&sessions);
}

/* A session that was saved again after one more run has one new run, whichever
 * file is read first. */
static void test_saved_again(void **state)
{
	for (int order = 0; order < 2; order++) {
		struct fleet_sessions sessions = { 0 };
		struct text text = { 0 };

		for (int k = 0; k < 2; k++) {
			save_runs(1, 0, 1, "6.1", k == order ? 1 : 2);
			assert_true(fleet_sessions_add(&sessions,
				path_of(1, 0)));
		}
		fleet_sessions_find(&sessions);
		assert_int_equal(sessions.points.count, 9);
		assert_int_equal(sessions.machine_count, 1);
		assert_int_equal(sessions.series_count, 6);
		for (size_t s = 0; s < 6; s++)
			assert_int_equal(sessions.regimes[s].figures, 1);
		assert_int_equal(sessions.sessions, order ? 1 : 2);
		fleet_say_counts(&sessions, &text);
		assert_non_null(strstr(text.chars, order ?
			"1 session (1 more file repeats one of them), 6" :
			"2 sessions (1 run repeats one of another file), 6"));
		text_free(&text);
		fleet_sessions_free(&sessions);
	}
}

/* Times, and rates derived from them, which are the second metric. */
static void save_both(int node)
{
	struct results *run = made_run("mem.both", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);
	struct error error;

	results_add_metric(run, "rate", "rate of it", UNIT_BYTES_PER_S,
		MORE_IS_BETTER, METRIC_DERIVED, true);
	struct point *point = made_sized(run, "4K");
	made_launches(run, point, eight, 8, 300);
	point->series[1].derived = true;
	point->series[1].weight[0] = 1;
	struct session *session = made_session(run);
	snprintf(session->machine.hostname, sizeof session->machine.hostname,
		"node%d", node);
	assert_int_equal(session_save_copy(session, path_of(node, 0), &error),
		0);
	session_free(session);
}

/* The series is of the metric that the experiment names, and then shows it. */
static void test_watched(void **state)
{
	static const struct metric metrics[] = { { .name = "time" },
		{ .name = "rate" }, { .name = NULL } };
	static const struct experiment both = { .name = "mem.both",
		.metrics = metrics, .watched = "rate" };
	static const struct experiment *const list[] = { &both, NULL };

	for (int known = 0; known < 2; known++) {
		struct fleet_sessions sessions = {
			.experiments = known ? list : NULL,
		};
		struct text text = { 0 };

		for (int node = 1; node <= 3; node++) {
			save_both(node);
			assert_true(fleet_sessions_add(&sessions,
				path_of(node, 0)));
		}
		fleet_sessions_find(&sessions);
		assert_int_equal(sessions.series_count, 1);
		assert_string_equal(sessions.series[0].metric,
			known ? "rate" : "time");
		assert_int_equal(sessions.series[0].is_rate, known);
		fleet_say_title(&sessions.series[0], &text);
		assert_string_equal(text.chars, known ?
			"mem.both.rate size=4K" : "mem.both size=4K");
		text_clear(&text);
		fleet_write(&sessions, &text);
		assert_non_null(strstr(text.chars, known ?
			"\"metric\":\"rate\"" : "\"metric\":\"time\""));
		text_free(&text);
		fleet_sessions_free(&sessions);
	}
}

/* A series in which two of five machines have enough data is not tested. With
 * three it is. */
static void test_undecided_series(void **state)
{
	for (int bad = 2; bad <= 3; bad++) {
		struct fleet_sessions sessions;

		add_nodes(&sessions);
		for (size_t i = 0; i < sessions.points.count; i++) {
			struct kept_point *point = &sessions.points.list[i];
			const char *host = point->surroundings->host;

			if (!strcmp(point->experiment, "mem.made") &&
				!strcmp(point->setting, "size=4K") &&
				host[strlen("node")] - '0' <= bad)
				point->quality = QUALITY_NOT_ENOUGH;
		}
		fleet_sessions_find(&sessions);
		assert_int_equal(sessions.machine_count, 5);
		assert_int_equal(sessions.left_out_count, bad == 3);
		if (bad == 3)
			assert_string_equal(sessions.left_out[0].name,
				"mem.made size=4K");
		fleet_sessions_free(&sessions);
	}
}

static void test_no_session(void **state)
{
	struct fleet_sessions sessions = { 0 };

	write_file(in_folder("other.json"), "{}\n", 3);
	assert_false(fleet_sessions_add(&sessions, in_folder("other.json")));
	assert_false(fleet_sessions_add(&sessions, in_folder("none.json")));
	fleet_sessions_find(&sessions);
	assert_int_equal(sessions.machine_count, 0);
	assert_int_equal(sessions.fleet.outlier_count, 0);
	fleet_sessions_free(&sessions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fleet),
		cmocka_unit_test(test_same_regime),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_regimes),
		cmocka_unit_test(test_centres),
		cmocka_unit_test(test_saved_again),
		cmocka_unit_test(test_watched),
		cmocka_unit_test(test_undecided_series),
		cmocka_unit_test(test_no_session),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
