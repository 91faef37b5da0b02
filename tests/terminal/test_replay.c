/* Actions by keys, recorded, and repeated by a script. */
#include "cli/run.h"
#include "seat.h"
#include "session.h"

/* Editing a form, a prediction, a run and a note. */
static void do_by_keys(void)
{
	struct text line = { 0 };
	struct seat seat;

	text_add(&line, ":record %s\r", in_folder("keys.lab"));
	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat, line.chars);
	seat_type(&seat, "/syscall\r");
	seat_type(&seat, ":edit call=getppid,getpid launches=6 trials=40\r");
	seat_type(&seat, ":edit seed=7 budget=5s\r");
	seat_type(&seat, "phw=20..30ns sw=30..40ns\r");
	seat_type(&seat, "r");
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	seat_type(&seat, "a");
	seat_type(&seat, "it rained\r");
	seat_type(&seat, ":record off\r");
	text_clear(&line);
	text_add(&line, ":save %s\r", in_folder("keys.json"));
	seat_type(&seat, line.chars);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
	text_free(&line);
}

static void do_by_script(void)
{
	struct text line = { 0 };

	text_add(&line, "cat %s > %s; echo save %s >> %s",
		in_folder("keys.lab"), in_folder("again.lab"),
		in_folder("again.json"), in_folder("again.lab"));
	assert_int_equal(system(line.chars), 0);
	struct ran ran = RUN(PROGRAM, "--script", in_folder("again.lab"));
	assert_status(ran, 0);
	ran_free(&ran);
	text_free(&line);
}

static void same_prediction(const struct prediction *a,
	const struct prediction *b)
{
	assert_true(a->set && b->set);
	assert_int_equal(a->by, b->by);
	assert_int_equal(a->post_hoc, b->post_hoc);
	assert_true(a->hardware.low == b->hardware.low);
	assert_true(a->hardware.high == b->hardware.high);
	assert_true(a->software.low == b->software.low);
	assert_true(a->total.high == b->total.high);
}

/* Compares all properties of a point that do not depend on the clock. */
static void same_point(const struct results *a, const struct results *b,
	size_t at)
{
	const struct point *p = &a->points[at], *q = &b->points[at];

	for (size_t i = 0; i < a->param_count; i++)
		assert_string_equal(p->values[i], q->values[i]);
	assert_int_equal(p->visit_count, q->visit_count);
	for (size_t v = 0; v < p->visit_count; v++) {
		assert_int_equal(p->visits[v].launch, q->visits[v].launch);
		assert_int_equal(p->visits[v].trials, q->visits[v].trials);
	}
}

static void same_run(const struct results *a, const struct results *b)
{
	assert_string_equal(a->experiment, b->experiment);
	assert_string_equal(a->asked, b->asked);
	assert_int_equal(a->state, b->state);
	assert_int_equal(a->stopped.reason, b->stopped.reason);
	assert_true(a->seed == b->seed);
	assert_int_equal(a->plan.launches, b->plan.launches);
	assert_int_equal(a->plan.trials, b->plan.trials);
	assert_int_equal(a->plan.budget_ns, b->plan.budget_ns);
	assert_int_equal(a->param_count, b->param_count);
	assert_int_equal(a->metric_count, b->metric_count);
	assert_int_equal(a->launch_count, b->launch_count);
	for (size_t i = 0; i < a->launch_count; i++)
		assert_true(a->launches[i].seed == b->launches[i].seed);
	same_prediction(&a->prediction, &b->prediction);
	assert_int_equal(a->point_count, b->point_count);
	for (size_t i = 0; i < a->point_count; i++)
		same_point(a, b, i);
}

static struct session *read_session(const char *name)
{
	struct error error;
	struct session *session = session_load(in_folder(name), &error);

	if (!session)
		fail_msg("%s", error.message);
	return session;
}

static void test_r18_replay_gives_the_same_session(void **state)
{
	do_by_keys();
	do_by_script();
	struct session *keys = read_session("keys.json");
	struct session *again = read_session("again.json");
	assert_int_equal(keys->run_count, 1);
	assert_int_equal(again->run_count, 1);
	assert_int_equal(keys->runs[0]->point_count, 2);
	same_run(keys->runs[0], again->runs[0]);
	assert_int_equal(keys->note_count, 1);
	assert_int_equal(again->note_count, 1);
	assert_string_equal(keys->notes[0].text, "it rained");
	assert_string_equal(again->notes[0].text, "it rained");
	session_free(keys);
	session_free(again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r18_replay_gives_the_same_session),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
