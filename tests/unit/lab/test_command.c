/* Statements find their row and are checked; errors have a cause and a
 * place. */
#include "command.h"

#include "say.h"

static const struct refused rows[] = {
	/* verbs */
	{ "rum cpu.call", "1:1", "unknown command 'rum': did you mean 'run'?" },
	{ "Run cpu.call", "1:1", "unknown command 'Run': did you mean 'run'?" },
	{ "xyzzyx", "1:1", "unknown command 'xyzzyx': `help` lists all "
		"commands" },
	{ "list; lost", "1:7", "unknown command 'lost': did you mean 'list'?" },
	{ "list\n\n  shwo cpu.call", "3:3", "did you mean 'show'?" },
	{ "note '\xc3\xa4'; nope", "1:11", "unknown command 'nope'" },
	{ "note 'a\nb'; nope", "2:5", "unknown command 'nope'" },
	{ "''", "1:1", "unknown command ''" },
	{ "cpu.call", "1:1",
		"unknown command 'cpu.call': did you mean `run cpu.call`?" },
	{ "latency size=4K", "1:1", "did you mean `run mem.latency`?" },
	/* counts */
	{ "show", "1:5", "`show` has too few words: expected `show EXPER" },
	{ "note", "1:5", "too few words: expected `note TEXT ...`" },
	{ "quit now", "1:6", "too many words: expected `quit`" },
	{ "save -", "1:6", "cannot save a session to '-'" },
	{ "save ''", "1:6", "cannot save a session to ''" },
	{ "save a b", "1:8", "too many words: expected `save [FILE]`" },
	{ "list cpu mem", "1:10", "too many words" },
	{ "expect cpu.call median <", "1:25", "too few words" },
	{ "verify ", "1:7", "too few words: expected `verify FILE`" },
	/* options */
	{ "list --jsn", "1:6", "`list` has no option '--jsn': expected" },
	{ "serve --now x", "1:7", "no option '--now'" },
	{ "recover --now x", "1:9", "no option '--now': it takes none" },
	{ "load --now x", "1:6", "no option '--now': expected '-v'" },
	{ "save --forced x", "1:6", "expected '--force'" },
	{ "machine --json=1", "1:9", "has no option '--json=1'" },
	{ "link rtt=4ms --far", "1:14", "--far has no value: expected one, "
		"as in `link rtt=40ms" },
	{ "compare a b --fail-if-slower", "1:13",
		"--fail-if-slower has no value: expected one, as in `compare "
		"monday.json today.json --fail-if-slower 5%`" },
	{ "run cpu.call --wait-quiet", "1:14",
		"--wait-quiet has no value: expected `--wait-quiet=VALUE`" },
	{ "compare a b --fail-if-slower 2", "1:1",
		"--fail-if-slower '2': expected 0% or more, with the percent "
		"sign, such as 5%" },
	{ "compare a b --fail-if-slower -5%", "1:1",
		"--fail-if-slower '-5%': expected 0% or more" },
	{ "serve --sessions=x", "1:1",
		"--sessions='x': expected a whole number, such as 0" },
	{ "list --foo", "1:6", "expected '--json'; --help describes them" },
	/* sessions where a file is expected */
	{ "export csv 1", "1:12",
		"'1' is a session, not a file to write: expected `export csv "
		"FILE --session=1`; ./1 is a file" },
	{ "export jsonl last --trials", "1:14", "`export jsonl FILE --session" },
	{ "save 14", "1:6", "expected `save FILE --session=14`; ./14 is a fi" },
	{ "save last", "1:6", "'last' is a session, not a file to write" },
	{ "export pcap -", "1:1", "packets need a file" },
	/* programs */
	{ "link rtt=40ms ping -c 3 10.77.0.2", "1:15",
		"'ping' is not a setting: put `--` before the program" },
	{ "link ping rtt=40ms", "1:6", "put `--` before the program" },
	{ "link curl --silent x", "1:11",
		"`link` has no option '--silent': expected '--far=', "
		"'--counters', '--json'; put `--` before the program" },
	{ "link rtt=40ms", "1:1", "no program to run on the link" },
	{ "link x -- ping", "1:6", "'x' is not a setting: expected NAME=VAL" },
	/* experiments and groups */
	{ "run cpu.cal", "1:5", "unknown experiment 'cpu.cal': did you mean" },
	{ "run ''", "1:5", "unknown experiment ''" },
	{ "run elephant", "1:5", "`list` shows all" },
	{ "run cpu.call mem.late", "1:14", "did you mean 'mem.latency'?" },
	{ "run call=getpid", "1:5", "missing experiment: expected `run" },
	{ "show cpu", "1:6", "`show` expects one experiment, 'cpu' is a" },
	{ "list dpu", "1:6", "'dpu' is not a group: expected" },
	{ "help nobody", "1:6", "no help for 'nobody'" },
	/* predictions */
	{ "predict cpu.call hw=4..2", "1:21", "the low end is above" },
	{ "predict cpu.call hw=4..x", "1:24", "'x'" },
	{ "predict cpu.call hw=5kg..9", "1:22", "expected a time" },
	{ "predict cpu.call hw=", "1:21", "expected a time" },
	{ "predict cpu.call hw=1..2 up=3", "1:26", "'up=3' is not a predic" },
	{ "predict cpu.call hw=1..2 sw=1 x", "1:31", "'1x'" },
	{ "predict cpu.call 50 .. 4 kg", "1:26", "'4kg'" },
	{ "predict cpu.call 9 .. 4 ns", "1:18", "'9..4ns': the low end" },
	{ "predict cpu.call 4 ''", "1:20", "'' is not a prediction" },
	{ "predict cpu.call '' 4", "1:18", "'' is not a prediction" },
	{ "predict cpu.call 4 9ns", "1:20", "share is already given" },
	{ "predict cpu.call sw=1 sw=2", "1:23", "the software's share is" },
	{ "predict cpu.call 4..2", "1:18", "expected LO..HI" },
	{ "predict cpu.call 80-120ns", "1:18",
		"'80-120ns': a range is written 80..120ns" },
	{ "predict cpu.call hw=80ns-120ns", "1:21",
		"a range is written 80ns..120ns" },
	{ "predict cpu.call sw=1.5 - 2 us", "1:21",
		"a range is written 1.5..2us" },
	{ "predict cpu.call hw=100c sw=1us", "1:26",
		"'sw=1us': the other share is in cycles; expected both in" },
	{ "predict cpu.call sw=1us hw=100c", "1:25", "is not in cycles" },
	{ "predict cpu hw=1..2", "1:9", "unknown experiment 'cpu'" },
	/* words of a kind */
	{ "export xml", "1:8",
		"unknown format 'xml': expected csv, jsonl, openmetrics, "
		"markdown or pcap" },
	{ "history cpu.nothing", "1:9", "unknown experiment" },
	{ "history cpu.call size=4K,8K", "1:18", "expected one value" },
	{ "history cpu.call sise=4K", "1:18", "did you mean 'size'?" },
	{ "history cpu.nothing{size=4K}", "1:9", "unknown experiment" },
	{ "history mem.latncy.latency{size=4K}", "1:9",
		"did you mean 'mem.latency.latency'?" },
	{ "history cpu.call{size=4K", "1:17", "expected }" },
	{ "history cpu.call{sise=4K}", "1:18", "did you mean 'size'?" },
	{ "history cpu.call{size=4K..16K}", "1:9", "expected one value" },
	{ "doctor now", "1:8", "'fixes' or no argument" },
};

static void test_refused(void **state)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_refused(*state, &rows[i]);
}

static void test_right(void **state)
{
	static const char *const lines[] = {
		"list",
		"list cpu --json",
		"list --json cpu",
		"show mem.latency size=4K..64K",
		"set",
		"set budget=2s cpu=auto",
		"run cpu",
		"run all budget=1s",
		"run cpu.call mem.latency launches=6",
		"run call",
		"run sysc latency",
		"show lat size=4K",
		"ab call size=4K size=8K",
		"expect call median < 1ns",
		"predict sys 30..60ns",
		"predict cpu.call",
		"predict cpu.call hw=30..60ns",
		"predict cpu.call 30..60ns",
		"predict cpu.call hw=1..2us sw=0.5us..3us",
		"predict cpu.call hw=100c sw=200..300c",
		"predict cpu.call 280c",
		"predict cpu.call hw=280c sw=0",
		"predict cpu.call hw=0 sw=250 .. 280 c",
		"predict cpu.call 300 ns",
		"predict cpu.call 50 .. 90 ns",
		"predict cpu.call hw=5.. 9 us sw=1 ..2ns",
		"note -- --dashes",
		"note - x",
		"save",
		"save --force x.json",
		"export jsonl --trials",
		"export jsonl ./1",
		"export csv -",
		"export csv 1.csv",
		"save ./last",
		"help run",
		"help cpu.call",
		"doctor fixes --json",
		"complete \"run cpu.\"",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char *sentence = checked(*state, lines[i]);

		assert_string_equal(sentence, "");
		free(sentence);
	}
}

/* Every row of the tables is complete, and its example is valid. */
static void test_rows(void **state)
{
	struct lab *lab = *state;

	for (size_t i = 0; i < lab->command_count; i++) {
		const struct command *row = lab->commands[i];

		assert_ptr_equal(command_find(lab, row->name), row);
		assert_non_null(row->help);
		assert_non_null(row->exec);
		assert_true(row->least <= row->most);
		assert_int_equal(strncmp(row->example, row->name,
					 strlen(row->name)),
			0);
	}
}

/* A long or hostile name does not remove the expected form from the
 * sentence. */
static void test_long(void **state)
{
	char line[4000];

	memset(line, 'x', sizeof line);
	line[sizeof line - 1] = '\0';
	char *sentence = checked(*state, line);
	assert_non_null(strstr(sentence, "`help` lists all commands"));
	free(sentence);
	memcpy(line, "run \x1b[2J", 8);
	sentence = checked(*state, line);
	assert_null(strchr(sentence, '\x1b'));
	assert_non_null(strstr(sentence, "`list` shows all"));
	free(sentence);
	memcpy(line, "list --", 7);
	line[7] = 'x';
	sentence = checked(*state, line);
	assert_non_null(strstr(sentence, "expected '--json'"));
	free(sentence);
}

/* A verb that needs a screen reports that there is none. */
static enum outcome exec_nothing(const struct call *call, struct reply *reply)
{
	text_add(&reply->text, "%zu", call->count);
	return OUTCOME_DONE;
}

static const struct command screen_table[] = {
	{ "blink", "", "blinks", "blink", 0, 0, ARGUMENT_NONE, NULL, NULL,
		COMMAND_SCREEN, NULL, exec_nothing },
	{ .name = NULL },
};

static void test_screen(void **state)
{
	static const struct refused row = { "blink", "1:1",
		"`blink` needs the screen" };
	struct lab *lab = *state;

	command_add_table(lab, screen_table);
	assert_refused(lab, &row);
	lab->screen = (struct screen *)lab;
	char *reply = said(lab, "blink");
	assert_string_equal(reply, "0");
	free(reply);
	/* A verb of keys belongs to the screen. */
	static const struct refused input = { "compare published:a -", "1:21",
		"'-' is standard input" };
	assert_refused(lab, &input);
}

/* An error during execution has the place of its verb, not a place in a file
 * that the verb read. */
static void test_failing(void **state)
{
	struct reader reader = reader_of("list; \n load /nowhere.json");
	struct reply reply = { 0 };
	struct words words;
	struct error error;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(words_read(&words, &reader, &error), 0);
		if (i < 2)
			words_free(&words);
	}
	assert_int_equal(command_exec(*state, &words, &reply), OUTCOME_FAILED);
	assert_int_equal(reply.error.status, STATUS_INPUT);
	assert_int_equal(reply.error.line, 2);
	assert_int_equal(reply.error.column, 2);
	words_free(&words);
	reply_free(&reply);
}

/* `record` writes the statements that change the lab, in the form to be
 * typed. */
static void test_record(void **state)
{
	struct lab *lab = *state;
	char *kept = NULL;
	size_t size = 0;

	lab->record = open_memstream(&kept, &size);
	free(said(lab, "note 'it''s \"hot\"; # really'"));
	free(said(lab, "list"));
	free(said(lab, "set budget=2s"));
	fclose(lab->record);
	lab->record = NULL;
	assert_string_equal(kept,
		"note \"its \\\"hot\\\"; # really\"\nset budget=2s\n");
	char *sentence = checked(lab, kept);
	assert_string_equal(sentence, "");
	free(sentence);
	free(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LAB(test_refused),
		WITH_LAB(test_right),
		WITH_LAB(test_rows),
		WITH_LAB(test_long),
		WITH_LAB(test_screen),
		WITH_LAB(test_failing),
		WITH_LAB(test_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
