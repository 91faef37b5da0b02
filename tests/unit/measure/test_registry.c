/* Descriptors: an inconsistent one stops the program with a sentence. */
#include "counter.h"
#include "registry.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Each case is a valid descriptor with one member replaced. */
#pragma GCC diagnostic ignored "-Woverride-init"

struct args {
	int64_t size_bytes;
	int kind;
};

static const char *const kinds[] = { "good", "bad", NULL };
static const char *const nothing[] = { NULL };

#define SIZE                                                                 \
	.name = "size", .label = "size", .help = "of it", .preset = "4K",    \
	WHOLE_FIELD(struct args, size_bytes), .unit = UNIT_BYTES, .min = 64, \
	.max = 1 << 20
#define KIND                                                                \
	.name = "kind", .label = "kind", .help = "of it", .preset = "good", \
	CHOICE_FIELD(struct args, kind), .choices = kinds
#define END                  \
	{                    \
		.name = NULL \
	}

static const struct param good_params[] = { { SIZE }, { KIND }, END };
static const struct metric good_metrics[] = {
	{ .name = "time", .label = "time", .unit = UNIT_NS }, { .name = NULL }
};

static void trial(struct probe *probe, uint64_t ops)
{
	(void)probe;
	(void)ops;
}

static bool derive(const void *args, double weight[METRICS_MAX])
{
	(void)args;
	weight[0] = 1;
	return true;
}

#define GOOD                                                         \
	.name = "mem.touch", .title = "Touching", .question = "Eh?", \
	.method = "By hand.", .params = good_params,                 \
	.args_size = sizeof(struct args), .metrics = good_metrics,   \
	.trial = trial

static const struct experiment touch = { GOOD };

/* ---- good ones -------------------------------------------------------- */

static const struct experiment other = { GOOD, .name = "cpu.syscall" };
static const struct experiment *const both[] = { &other, &touch, NULL };

static void experiments_are_found_by_name(void **state)
{
	struct registry registry;
	struct error error = { 0 };

	registry_init(&registry, both);
	assert_int_equal(registry.count, 2);
	assert_ptr_equal(registry_find(&registry, "mem.touch"), &touch);
	assert_null(registry_find(&registry, "mem"));
	assert_null(registry_find(&registry, ""));
	assert_ptr_equal(registry_get(&registry, "cpu.syscall", &error),
		&other);
	assert_int_equal(registry_group(&touch), 3);
	assert_null(registry_get(&registry, "cpu.sycall", &error));
	assert_int_equal(error.status, STATUS_USAGE);
	assert_string_equal(error.message,
		"unknown experiment 'cpu.sycall': did you mean 'cpu.syscall'?");
	assert_null(registry_get(&registry, "frobnicate", &error));
	assert_string_equal(error.message,
		"unknown experiment 'frobnicate': `list` shows all");
}

static const struct experiment reading = { GOOD, .name = "fs.read" };
static const struct experiment remote = { GOOD, .name = "fs.remote" };
static const struct experiment ahead = { GOOD, .name = "mem.read-ahead" };
static const struct experiment *const similar[] = { &other, &reading, &remote,
	&touch, &ahead, NULL };

/* The group may be omitted, and so may the end of a name if the beginning is
 * unique. */
static void experiments_are_found_by_a_part(void **state)
{
	struct registry registry;
	struct error error = { 0 };

	registry_init(&registry, similar);
	assert_ptr_equal(registry_called(&registry, "touch"), &touch);
	assert_ptr_equal(registry_called(&registry, "read"), &reading);
	assert_null(registry_called(&registry, "tou"));
	assert_ptr_equal(registry_get(&registry, "tou", &error), &touch);
	assert_ptr_equal(registry_get(&registry, "read", &error), &reading);
	assert_null(registry_get(&registry, "rea", &error));
	assert_string_equal(error.message,
		"'rea' matches 2 experiments: expected one of fs.read, "
		"mem.read-ahead");
	assert_null(registry_get(&registry, "", &error));
	assert_null(registry_get(&registry, "mem.tou", &error));
}

/* ---- bad ones --------------------------------------------------------- */

/* The message of a child that registers these experiments; "" if it
 * succeeds. */
static void said(const struct experiment *const *list, char *words, size_t size)
{
	int ends[2], status;
	size_t length = 0;

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (!pid) {
		const struct rlimit no_core = { 0, 0 };
		struct registry registry;

		setrlimit(RLIMIT_CORE, &no_core);
		signal(SIGABRT, SIG_DFL);
		dup2(ends[1], 2);
		registry_init(&registry, list);
		_exit(0);
	}
	close(ends[1]);
	for (ssize_t got; length < size - 1 &&
		(got = read(ends[0], words + length, size - 1 - length)) > 0;)
		length += (size_t)got;
	words[length] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		words[0] = '\0';
}

static void refused(const struct experiment *bad, const char *what)
{
	const struct experiment *const list[] = { &other, bad, NULL };
	char words[4096], wanted[200];

	said(list, words, sizeof words);
	snprintf(wanted, sizeof wanted, "benchtop: experiment '%s': %s\n",
		bad->name ? bad->name : "?", what);
	if (!strstr(words, wanted))
		fail_msg("expected '%s', it said '%s'", wanted, words);
}

static void descriptors_that_lack_something(void **state)
{
	const struct experiment bad[] = {
		{ GOOD, .name = NULL },
		{ GOOD, .name = "touch" },
		{ GOOD, .title = NULL },
		{ GOOD, .question = NULL },
		{ GOOD, .method = NULL },
		{ GOOD, .trial = NULL },
		{ GOOD, .params = NULL },
		{ GOOD, .metrics = NULL },
		{ GOOD, .plan = { .clones = CLONES_MAX + 1 } },
		{ GOOD, .name = "cpu.syscall" },
	};
	static const char *const whats[] = {
		"the name is not group.name",
		"the name is not group.name",
		"title, question, method or trial missing",
		"title, question, method or trial missing",
		"title, question, method or trial missing",
		"title, question, method or trial missing",
		"no table of parameters or metrics",
		"no table of parameters or metrics",
		"too many clones",
		"two experiments of the same name",
	};
	const struct experiment *const good[] = { &touch, NULL };
	char words[4096];

	said(good, words, sizeof words);
	assert_string_equal(words, "");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refused(&bad[i], whats[i]);
}

static void rows_of_parameters(void **state)
{
	static const struct {
		struct param rows[3];
		const char *what;
	} cases[] = {
		{ { { SIZE, .label = NULL }, END },
			"a parameter without label, help or preset" },
		{ { { SIZE, .help = NULL }, END },
			"a parameter without label, help or preset" },
		{ { { SIZE, .preset = NULL }, END },
			"a parameter without label, help or preset" },
		{ { { KIND, .choices = NULL }, END },
			"a choice without choices" },
		{ { { KIND, .choices = nothing }, END },
			"a choice without choices" },
		{ { { SIZE, .offset = sizeof(struct args) }, END },
			"a parameter outside its struct" },
		{ { { SIZE, .offset = sizeof(struct args) - 4 }, END },
			"a parameter outside its struct" },
		{ { { SIZE, .max = 63 }, END },
			"a parameter's range is empty" },
		{ { { SIZE }, { KIND, .name = "size" }, END },
			"two parameters of the same name" },
		{ { { SIZE, .name = "budget" }, END },
			"a parameter has the name of a common parameter" },
		{ { { SIZE, .drawn_as = "rate" }, END },
			"drawn_as of a parameter does not name a value metric" },
		{ { { SIZE, .drawn_as = "time" }, END },
			"drawn_as of a parameter does not name a value metric" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct experiment bad = { GOOD };

		bad.params = cases[i].rows;
		refused(&bad, cases[i].what);
	}
}

/* The preset must be valid by the rules of its row. The message names the row
 * and the reason. */
static void presets_that_do_not_parse(void **state)
{
	static const struct {
		struct param rows[2];
		const char *words[2];
	} cases[] = {
		{ { { SIZE, .preset = "32" }, END }, { "size", "64" } },
		{ { { SIZE, .preset = "many" }, END }, { "size", "many" } },
		{ { { SIZE, .preset = "4K,,8K" }, END }, { "size", "4K" } },
		{ { { SIZE, .preset = "auto" }, END }, { "size", "auto" } },
		{ { { KIND, .preset = "godo" }, END }, { "kind", "good" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct experiment bad = { GOOD };
		const struct experiment *const list[] = { &bad, NULL };
		char words[4096];

		bad.params = cases[i].rows;
		said(list, words, sizeof words);
		assert_non_null(strstr(words, cases[i].words[0]));
		assert_non_null(strstr(words, cases[i].words[1]));
	}
}

static void rows_of_metrics(void **state)
{
	static const struct metric none[] = { { .name = NULL } };
	static const struct metric nameless[] = { { .name = "a" },
		{ .name = NULL } };
	static const struct metric underived[] = {
		{ .name = "a", .label = "a", .kind = METRIC_DERIVED },
		{ .name = NULL }
	};
	static const struct metric misderived[] = {
		{ .name = "a", .label = "a", .derive = derive },
		{ .name = NULL }
	};
	static const struct metric twice[] = { { .name = "a", .label = "a" },
		{ .name = "b", .label = "b" }, { .name = "a", .label = "c" },
		{ .name = NULL } };
	static const struct metric counter[] = { { .name = "cycles",
							 .label = "a" },
		{ .name = NULL } };
	static const struct {
		const struct metric *rows;
		const char *what;
	} cases[] = {
		{ none, "no metric, or too many" },
		{ nameless, "a metric without label" },
		{ underived, "only derived metrics have derive(), and all of them" },
		{ misderived, "only derived metrics have derive(), and all of them" },
		{ twice, "two metrics of the same name" },
		{ counter, "a metric has the name of a counter" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct experiment bad = { GOOD };

		bad.metrics = cases[i].rows;
		refused(&bad, cases[i].what);
	}
}

static void metrics_have_a_limit(void **state)
{
	enum { MOST = METRICS_MAX - COUNTERS };
	static char names[MOST + 1][8];
	struct metric rows[MOST + 2] = { { .name = NULL } };
	struct experiment many = { GOOD };
	const struct experiment *const list[] = { &many, NULL };
	char words[4096];

	for (int i = 0; i < MOST; i++) {
		snprintf(names[i], sizeof names[i], "m%d", i);
		rows[i] = (struct metric){ .name = names[i], .label = "m" };
	}
	many.metrics = rows;
	said(list, words, sizeof words);
	assert_string_equal(words, "");
	rows[MOST] = (struct metric){ .name = "last", .label = "m" };
	refused(&many, "no metric, or too many");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(experiments_are_found_by_name),
		cmocka_unit_test(experiments_are_found_by_a_part),
		cmocka_unit_test(descriptors_that_lack_something),
		cmocka_unit_test(rows_of_parameters),
		cmocka_unit_test(presets_that_do_not_parse),
		cmocka_unit_test(rows_of_metrics),
		cmocka_unit_test(metrics_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
