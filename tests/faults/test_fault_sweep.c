/* Every system call of a command fails or kills in turn, and the command ends
 * as documented. */
#include <stdatomic.h>

#include "cli/disk.h"
#include "judge.h"
#include "processes.h"

enum { PROCESSES = 6, FAULTS_LEAST = 2000, LONG_FAULTS_LEAST = 10000 };

/* Shared by the processes of the sweep. */
struct sweep {
	atomic_uint next; /* series: a kind of call in a command */
	atomic_uint faults, violations;
	atomic_uint calls; /* that all series together can injure */
	bool long_run;
};

static struct sweep *sweep;
/* NULL: all. */
static const char *only_command, *only_kind;

static size_t count_kinds(void)
{
	size_t count = 0;

	while (call_kinds[count].name)
		count++;
	return count;
}

static void report(const struct command *command,
	const struct injection *injection, const struct injured *injured,
	const struct text *violations)
{
	struct text line = { 0 };

	text_add(&line, "%s: %s %u %s: %s  exit %d, stderr: %.400s\n",
		command->name, injection->kind->name, injection->nth,
		injury_names[injection->injury], violations->chars,
		injured->ran.status, text_chars(&injured->ran.err));
	print_error("%s", line.chars);
	text_free(&line);
}

/* False if the command no longer makes the call. */
static bool injure(const struct command *command,
	const struct reference *reference, const struct injection *injection)
{
	struct text violations = { 0 };

	command_prepare(command);
	struct injured injured = inject(command_program(command),
		command->words, injection);
	bool reached = injured.reached;
	if (reached)
		judge(command, reference, injection, &injured, &violations);
	sweep->faults += reached;
	sweep->violations += violations.length > 0;
	if (violations.length)
		report(command, injection, &injured, &violations);
	text_free(&violations);
	injured_free(&injured);
	return reached;
}

/* The next call to injure: the first, and then ever fewer, as later calls
 * resemble earlier ones, most of all in a command that measures, whose later
 * calls are those of another launch. A long run injures each, but of such a
 * command and of allocations one in sixteen. */
static unsigned after(unsigned nth, const struct command *command,
	const struct call_kind *kind)
{
	if (!sweep->long_run)
		return (command->slow ? 3 : 2) * nth + 1;
	return nth + 1 + (command->slow || kind->library ? nth / 16 : 0);
}

static void run_series(unsigned series)
{
	size_t kinds = count_kinds();
	const struct command *command = &commands[series / kinds / INJURIES];
	struct injection injection = {
		.kind = &call_kinds[series / INJURIES % kinds],
		.injury = (enum injury)(series % INJURIES),
		.nth = 1,
		.hang_s = command->waits ? WATCHED_HANG_S : HANG_S,
	};

	bool first = series % (kinds * INJURIES) == 0;
	if ((injection.kind->once && injection.injury == FAIL_FROM) ||
		(injection.kind->library && injection.injury == KILL) ||
		(only_command && strcmp(only_command, command->name) != 0) ||
		(only_kind && strcmp(only_kind, injection.kind->name) != 0))
		return;
	if (!command_is_possible(command)) {
		if (first)
			print_message("SKIP: not permitted here: faults in "
				      "'%s'\n", command->name);
		return;
	}
	struct reference reference = { .out = NULL };
	if (first || !command->varies || command->lists)
		reference = reference_of(command);
	unsigned last = 0;
	while (injure(command, &reference, &injection)) {
		last = injection.nth;
		injection.nth = after(last, command, injection.kind);
	}
	sweep->calls += last;
	reference_free(&reference);
}

static unsigned series_count(void)
{
	unsigned count = 0;

	while (commands[count].name)
		count++;
	return count * (unsigned)count_kinds() * INJURIES;
}

static void run_process(void)
{
	unsigned series;

	while ((series = sweep->next++) < series_count())
		run_series(series);
}

static void test_every_call(void **state)
{
	in_processes(PROCESSES, run_process);
	print_message("%u faults in %u calls, %u violations\n", sweep->faults,
		sweep->calls, sweep->violations);
	assert_int_equal(sweep->violations, 0);
	assert_true(only_command ||
		sweep->faults >= (sweep->long_run ? LONG_FAULTS_LEAST :
						    FAULTS_LEAST));
}

static int begin(void **state)
{
	sweep = shared_memory(sizeof *sweep);
	sweep->long_run = getenv("BENCHTOP_MORE_FAULTS");
	return commands_begin(state);
}

/* With a name of a command, and of a kind of call, only these. */
int main(int count, char **words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_call),
	};

	only_command = count > 1 ? words[1] : NULL;
	only_kind = count > 2 ? words[2] : NULL;
	if (sizeof BENCHTOP_SANITIZE > 1) {
		puts("SKIP: sanitizers end without memory");
		return 77;
	}
	if (!inject_permitted()) {
		puts("SKIP: not permitted here: seccomp listener");
		return 77;
	}
	return cmocka_run_group_tests(tests, begin, remove_folders);
}
