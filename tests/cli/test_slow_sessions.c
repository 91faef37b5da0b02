/* Whatever values a session has, the work is limited by its size. */
#include <sys/resource.h>

#include "odd_sessions.h"
#include "run.h"

/* Processor time of a line, several times what the slowest one needs: more is
 * another order of growth, or an end that is never reached. */
enum { LEAST_S = 3, PER_MB_S = 2 };

static int limit(const void *seconds)
{
	const struct rlimit most = { *(const rlim_t *)seconds,
		*(const rlim_t *)seconds };

	return setrlimit(RLIMIT_CPU, &most);
}

static void run_line(const char *name, const char *line, rlim_t most_s)
{
	const char *const words[] = { "-c", line, NULL };
	struct rusage before, after;

	getrusage(RUSAGE_CHILDREN, &before);
	struct ran ran = run_after(limit, &most_s, PROGRAM, words);
	getrusage(RUSAGE_CHILDREN, &after);
	print_message("%s: %ld ms of %ld s, %s\n", name,
		(after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000 +
			(after.ru_utime.tv_usec - before.ru_utime.tv_usec) /
				1000,
		(long)most_s, line);
	assert_status(ran, 0);
	ran_free(&ran);
}

static void run_all(const struct odd_session *odd, const char *const *lines)
{
	size_t bytes = odd_session_save(odd, "odd.json");
	rlim_t most_s = LEAST_S + PER_MB_S * (bytes >> 20);

	for (; *lines; lines++)
		run_line(odd_names[odd->values], *lines, most_s);
}

static const char *const all[] = { "load odd.json -v; score; verify odd.json",
	"load odd.json; export csv a.csv --force; "
	"export --trials csv b.csv --force; export jsonl a.jsonl --force; "
	"export --trials jsonl b.jsonl --force; "
	"export openmetrics out.metrics --force; "
	"export markdown out.md --force; save again.json --force",
	"report odd.json -o out.html --force; report odd.json -o out.md --force",
	"compare odd.json odd.json -v; fleet odd.json -v",
	"load odd.json; snapshot lab lab.svg; snapshot details details.txt; "
	"snapshot sweep sweep.svg 160x60; "
	"snapshot compare compare.svg 160x60", NULL };

static void test_odd_values(void **state)
{
	for (int values = 0; values < ODDS; values++)
		run_all(&(struct odd_session){ (enum odd_values)values, 200, 6,
				6 },
			all);
}

static void test_as_many_points_as_possible(void **state)
{
	run_all(&(struct odd_session){ ODD_RISING, 4096, 6, 4 }, all);
}

static void test_many_launches(void **state)
{
	run_all(&(struct odd_session){ ODD_SWAPPED, 10, 4096, 1 }, all);
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_odd_values),
		cmocka_unit_test(test_as_many_points_as_possible),
		cmocka_unit_test(test_many_launches),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
