/* What killed workers left behind is removed at the start and by `recover`. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "lab.h"
#include "recover.h"

static char runtime[] = "/dev/shm/tidy-XXXXXX";
static int swept;

/* Tapes of other labs are not for this test. */
static int make_folder(void **state)
{
	return !mkdtemp(runtime) || setenv("XDG_RUNTIME_DIR", runtime, 1);
}

static int remove_folder(void **state)
{
	char path[64];

	snprintf(path, sizeof path, "%s/benchtop", runtime);
	rmdir(path);
	return rmdir(runtime);
}

static void sweep(void)
{
	swept++;
}

static void trial(struct probe *probe, uint64_t ops)
{
	(void)probe;
	(void)ops;
}

static const struct param params[] = { { .name = NULL } };
static const struct metric metrics[] = {
	{ .name = "time", .label = "time", .unit = UNIT_NS },
	{ .name = NULL },
};
static const struct experiment untidy = {
	.name = "test.untidy",
	.title = "Untidy",
	.question = "What is left?",
	.method = "A counter of calls.",
	.params = params,
	.metrics = metrics,
	.trial = trial,
	.tidy = sweep,
};

static void test_start_and_recover(void **state)
{
	const struct experiment *const probes[] = { &untidy, NULL };
	struct reply reply = { 0 };
	struct lab lab;

	lab_init(&lab, probes);
	assert_int_equal(swept, 1);
	assert_int_equal(recover_all(&lab, &reply), OUTCOME_DONE);
	assert_int_equal(swept, 2);
	reply_free(&reply);
	lab_release(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_start_and_recover),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
