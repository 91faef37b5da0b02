/* Invalid parameter values, lines and words: each is refused in one sentence
 * with its place and exit code 2, and nothing is executed. */
#include "refused.h"

/* clang-format off */
/* Appended to "run", in a script whose other lines are valid. */
static const struct {
	const char *run; /* EXPERIMENT NAME=VALUE .. */
	int column;      /* in "  run .." */
	const char *says;
} values[] = {
	/* rows of an experiment */
	{ "cpu.call args=8", 21, "args: '8' is outside 0..7" },
	{ "cpu.call args=-1", 21, "args: '-1' is outside 0..7" },
	{ "cpu.call args=x", 21, "args: 'x'" },
	{ "cpu.call args=", 21, "args: '' is empty: expected a whole number" },
	{ "cpu.call args=0x3", 21, "expected a whole number" },
	{ "cpu.call args=1.5", 21, "expected a whole number" },
	{ "cpu.call args=1e400", 21, "args: '1e400'" },
	{ "cpu.call args=nan", 21, "expected a whole number" },
	{ "cpu.call args=inf", 21, "expected a whole number" },
	{ "cpu.call args=+3", 21, "expected a whole number" },
	{ "cpu.call args=3c", 21, "expected a whole number" },
	{ "cpu.call args=3,", 22, "args: ''" },
	{ "cpu.call args=,3", 21, "args: ''" },
	{ "cpu.call args=1,1", 23, "repeats the value '1'" },
	{ "cpu.call args=1,9", 23, "'9' is outside 0..7" },
	{ "cpu.call args=0..9", 24, "'9' is outside 0..7" },
	{ "cpu.call args=7..0", 21, "args: '7..0'" },
	{ "cpu.call args=0..", 23, "args: ''" },
	{ "cpu.call args=..7", 21, "args: ''" },
	{ "cpu.call args=0..7+0", 26, "args: '0'" },
	{ "cpu.call args=0..7/0", 26, "args: '0'" },
	{ "cpu.call args=0..7*1", 26, "args: '1'" },
	{ "cpu.call args=0...7", 24, "args: '.7'" },
	{ "cpu.call args=99999999999999999999", 21, "args:" },
	{ "cpu.call through=fast", 24, "expected one of direct" },
	{ "cpu.call through=Direct", 24, "did you mean 'direct'?" },
	{ "cpu.call through=", 24, "through: '' is not a choice" },
	{ "cpu.call through=direct..plt", 24, "choices have none: list them" },
	{ "cpu.call through=direct,direct", 31, "repeats the value" },
	{ "cpu.call arg=1", 16, "no parameter 'arg': did you mean 'args'?" },
	{ "cpu.call call=getpid", 16, "no parameter 'call'" },
	{ "cpu.call Args=1", 16, "did you mean 'args'?" },
	{ "cpu.call '' args=1", 16, "unknown experiment ''" },
	{ "cpu.call args=1 extra", 23, "'extra' is not a setting" },
	{ "cpu.call =1", 16, "'=1' is not a setting: expected NAME=VALUE" },
	{ "cpu.syscall call=getpip", 24, "did you mean 'getpid'?" },
	{ "cpu.syscall via=magic", 23, "expected one of raw, libc" },
	{ "cpu.process resident=2G", 28, "resident: '2G' is outside 0..1G" },
	{ "cpu.process resident=1Q", 28, "expected bytes, such as 512" },
	{ "cpu.process resident=1.3", 28, "resident: '1.3'" },
	{ "cpu.process resident=4ms", 28, "expected bytes" },
	{ "cpu.process resident=0,1M,0", 33, "repeats the value '0'" },
	{ "cpu.process resident=1..1M+1", 28, "makes more than 512 values" },
	{ "cpu.process how=spoon", 23, "how: 'spoon' is not a choice" },
	{ "cpu.switch parties=1", 26, "parties: '1' is outside 2..96" },
	{ "cpu.switch parties=97", 26, "parties: '97' is outside 2..96" },
	{ "cpu.switch placement=moon", 28, "expected one of same-cpu, smt" },
	{ "cpu.signal how=pigeon", 22, "how: 'pigeon' is not a choice" },
	{ "mem.map pages=16385", 21, "is outside 1..16384" },
	{ "mem.loaded threads=1", 26, "threads: '1' is outside 2..1024" },
	{ "mem.loaded pause=auto", 24, "expected a time" },
	{ "ipc.pingpong payload=0", 28, "payload: '0' is outside 1..64K" },
	{ "ipc.pingpong through=mail", 28, "'mail' is not a choice" },
	{ "ipc.bandwidth size=32", 26, "size: '32' is outside 64..1M" },
	{ "ipc.ready descriptors=4097", 29, "is outside 1..4096" },
	{ "fs.meta dirs=257", 20, "dirs: '257' is outside 1..256" },
	{ "fs.uring batch=0", 22, "batch: '0' is outside 1..256" },
	{ "cpu.frequency window=1x", 28, "expected a time, such as 80ns" },
	{ "cpu.frequency window=1h", 28, "expected a time" },
	{ "cpu.frequency window=0", 28, "window: '0' is outside" },
	{ "cpu.loop count=1K..2", 22, "count: '1K'" },
	{ "net.rtt host=link rtt=20", 29, "rtt: '20' names no unit: expected "
		"a time" },
	/* rows of every run */
	{ "cpu.call launches=5", 25, "launches: '5' is outside 6..30" },
	{ "cpu.call launches=31", 25, "launches: '31' is outside 6..30" },
	{ "cpu.call launches=6,7", 25, "'6,7' is a sweep, expected one value" },
	{ "cpu.call launches=automatic", 25, "launches: 'automatic'" },
	{ "cpu.call trials=0", 23, "trials: '0' is outside 1..100000" },
	{ "cpu.call trials=100001", 23, "is outside 1..100000" },
	{ "cpu.call budget=10", 23, "budget: '10' names no unit: expected" },
	{ "cpu.call budget=2d", 23, "expected a time" },
	{ "cpu.call budget=-1s", 23, "budget: '-1s' is outside" },
	{ "cpu.call budget=1 s", 23, "budget: '1' names no unit" },
	{ "cpu.call budget=1,5s", 23, "budget: '1' names no unit" },
	{ "cpu.call precision=0", 26, "precision: '0' is outside" },
	{ "cpu.call precision=5", 26, "precision: '5' names no unit: expected "
		"a percentage" },
	{ "cpu.call precision=101%", 26, "precision: '101%' is outside" },
	{ "cpu.call precision=1,5%", 26, "precision: '1' names no unit" },
	{ "cpu.call seed=-1", 21, "seed: '-1' is outside" },
	{ "cpu.call seed=9007199254740993", 21, "seed:" },
	{ "cpu.call seed=1..3", 21, "'1..3' is a sweep, expected one value" },
	{ "cpu.call cpu=-1", 20, "cpu: '-1' is outside 0..1023" },
	{ "cpu.call cpu=1023", 20, "cpu=1023: not available" },
	{ "cpu.call cpu=all", 20, "expected a whole number" },
	{ "cpu.call priority=high", 25, "expected one of normal, fifo" },
	{ "cpu.call capture=yes", 24, "expected one of off, on" },
	/* names of experiments */
	{ "", 6, "`run` has too few words: expected `run EXPERIMENT" },
	{ "cpu.cal", 7,
		"unknown experiment 'cpu.cal': did you mean 'cpu.call'?" },
	{ "dpu.call", 7, "did you mean 'cpu.call'?" },
	{ "CPU", 7, "unknown experiment 'CPU'" },
	{ "cpu.", 7, "unknown experiment 'cpu.'" },
	{ "cpu.call cpu.swich", 16, "did you mean 'cpu.switch'?" },
	{ "cpu args=1", 11, "no parameter 'args'" },
	{ "args=1", 7, "missing experiment: expected `run" },
	{ "cpu.call budget", 16, "parameter 'budget' has no value: expected "
		"budget=VALUE" },
	{ "cpu.syscall call", 19, "parameter 'call' has no value" },
	{ "'mem.latency size=16K'", 7, "is one word: write the experiment and "
		"each setting as a word of its own" },
	{ "cpu.call --fast", 16, "`run` has no option '--fast': expected" },
	{ "cpu.call -x", 16, "`run` has no option '-x': expected" },
	{ "cpu.call --json=1", 16, "has no option '--json=1'" },
};

/* Whole lines. */
static const struct {
	const char *line;
	int column;
	const char *says;
} lines[] = {
	{ "rum cpu.call", 1, "unknown command 'rum': did you mean 'run'?" },
	{ "RUN cpu.call", 1, "unknown command 'RUN'" },
	{ "\"run cpu.call\"", 1, "unknown command 'run cpu.call'" },
	{ "note \"open", 6, "a quote is not closed: expected another \"" },
	{ "note 'open", 6, "a quote is not closed: expected another '" },
	{ "note", 5, "`note` has too few words" },
	{ "quit now", 6, "`quit` has too many words: expected `quit`" },
	{ "list nothing", 6, "'nothing' is not a group: expected " },
	{ "list syscall", 6, " or all; `show cpu.syscall` describes it" },
	{ "ab cpu.syscall via=raw,raw", 16, "'via=raw,raw' repeats a value: an "
		"A/A control is written `via=raw via=raw`" },
	{ "show", 5, "too few words: expected `show EXPERIMENT" },
	{ "show cpu", 6, "`show` expects one experiment, 'cpu' is a group" },
	{ "set bugdet=1s", 5, "did you mean 'budget'?" },
	{ "set budget", 5, "'budget' is not a setting: expected NAME=VALUE" },
	{ "set args=1", 5, "no parameter 'args'" },
	{ "predict cpu.call hw=9..1ns", 21, "the low end is above the high" },
	{ "predict cpu.call hw=9..1ns", 21, "'hw=9..1ns': the low end" },
	{ "predict cpu.call hw=9..1ns", 21, "expected hw=LO..HI" },
	{ "predict cpu.call sw=1..", 24, "sw=LO..HI: '' is empty" },
	{ "predict cpu.call hw=", 21, "hw=LO..HI: '' is empty" },
	{ "predict cpu.call hw=x", 21, "expected a time" },
	{ "predict mem.bandwidth hw=1..2", 30,
		"hw=LO..HI: '2' has no unit: expected bytes per second, such "
		"as 500MB/s" },
	{ "predict mem.bandwidth 6..12", 28, "'12' has no unit" },
	{ "predict mem.bandwidth hw=8GB/s sw=1", 36, "'1' has no unit" },
	{ "predict mem.bandwidth hw=1GB/s..2", 34, "'2' has no unit" },
	{ "predict net.bandwidth hw=20..30", 32,
		"'30' has no unit: expected a rate, such as 64Kbit" },
	{ "expect mem.bandwidth median > 5", 32,
		"'5' has no unit: expected bytes per second, such as" },
	{ "expect cpu.frequency median > 2e9", 34, "'2e9' has no unit" },
	{ "predict cpu.frequency hw=2 .. 3", 32, "'3' has no unit" },
	{ "predict cpu.call up=1ns", 18, "no parameter 'up'" },
	{ "predict cpu.cal hw=1ns", 9, "did you mean 'cpu.call'?" },
	{ "expect cpu.call", 16, "`expect` has too few words: expected `exp" },
	{ "expect cpu.call median = 3ns", 24, "expected <, <=, > or >=" },
	{ "expect cpu.call middle < 3ns", 17, "'middle' is not a statistic" },
	{ "expect cpu.call median < 3kg", 27, "expected a time" },
	{ "expect cpu.call{args=9} median < 3ns", 22, "is outside 0..7" },
	{ "expect cpu.call{args=1 median < 3ns", 16, "expected }" },
	{ "expect cpu.call.pas median < 3ns", 17, "did you mean 'pass'?" },
	{ "expect cpu.call.zz median < 3ns", 17, "expected one of pass, pass2" },
	{ "expect cpu.cal median < 3ns", 8, "did you mean 'cpu.call'?" },
	{ "save - ", 6, "cannot save a session to '-'" },
	{ "save a b", 8, "`save` has too many words" },
	{ "save --now x", 6, "has no option '--now': expected '--force'" },
	{ "load", 5, "too few words: expected `load FILE`" },
	{ "export xml", 8, "unknown format 'xml': expected csv, jsonl, "
		"openmetrics, markdown or pcap" },
	{ "export csv a b", 14, "too many words" },
	{ "verify", 7, "too few words: expected `verify FILE`" },
	{ "record", 7, "too few words: expected `record FILE|off`" },
	{ "doctor quickly", 8, "expected 'fixes' or no argument" },
	{ "machine now", 9, "too many words: expected `machine`" },
	{ "help elephants", 6, "no help for 'elephants'" },
	{ "complete", 9, "too few words" },
	{ "move 1", 1, "`move` needs the screen" },
	{ "list; list; lst", 13, "unknown command 'lst': did you mean "
		"'list'?" },
	{ "note '\xc3\xa4\xc3\xb6'; lst", 12, "unknown command 'lst'" },
};
/* clang-format on */

/* As line 3 of a script that would have written files. */
static void refuse_line(const char *line, int column, const char *says)
{
	struct text script = { 0 }, place = { 0 };

	text_add(&script,
		"note one # a note\nset budget=2s\n%s\nsave kept.json; "
		"save new.json\n",
		line);
	write_file("x.lab", script.chars);
	text_add(&place, "benchtop: x.lab:3:%d: ", column);
	struct ran ran = RUN(PROGRAM, "--script", "x.lab");
	assert_refused(&ran, line, 2, place.chars, says);
	ran_free(&ran);
	text_free(&script);
	text_free(&place);
}

static void test_values(void **state)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct text line = { 0 };

		text_add(&line, "  run %s", values[i].run);
		refuse_line(line.chars, values[i].column, values[i].says);
		text_free(&line);
	}
}

static void test_lines(void **state)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		refuse_line(lines[i].line, lines[i].column, lines[i].says);
}

/* The words of the shell's command line. */
static void test_words(void **state)
{
	static char long_dirs[9000];
	static const struct {
		const char *words[4];
		const char *says;
	} rows[] = {
		{ { "" }, "unknown command ''" },
		{ { "cpu.syscall" }, "did you mean `run cpu.syscall`?" },
		/* `focus` resembles the word, but needs the screen. */
		{ { "bogus" }, "unknown command 'bogus': `help` lists" },
		{ { "--scrpt", "x" }, "did you mean '--script'?" },
		{ { "--script" }, "expected one argument, as in `" },
		{ { "--script", "a", "b" }, "expected one argument, as in `" },
		{ { "-c" }, "argument, as in `benchtop -c 'run cpu.call; s" },
		{ { "-x" }, "unknown option '-x'" },
		{ { "--plain", "x" }, "expected no further argument" },
		{ { "--glyphs=foo", "list" }, "unknown glyphs 'foo': expected" },
		{ { "-c", "save new.json; rum" }, "did you mean 'run'?\n" },
		{ { "-c", "save new.json; save a b" },
			"\n  save new.json; save a b\n"
			"                        ^\n" },
		{ { "run", "cpu.call", "args=9" }, "is outside 0..7\n" },
		{ { "run", "cpu.call", "--fast" }, "no option '--fast'" },
		{ { "run", "fs.read", long_dirs },
			"bytes: expected at most 8191; use a range" },
		{ { "save" }, "expected `save FILE`" },
		/* Statements whose effect would end with this command. */
		{ { "save", "new.json" }, "the session is empty" },
		{ { "set", "budget=2s" },
			"ends with this command: write `benchtop -c 'set "
			"budget=2s; run EXPERIMENT'`" },
		{ { "predict", "cpu.call", "3ns" },
			"-c 'predict cpu.call 3ns; run cpu.call'`" },
		{ { "note", "mine" }, "-c 'run EXPERIMENT; note mine'`" },
		{ { "note", "it's" }, "-c 'run EXPERIMENT; note ..'`" },
		{ { "note", "--delete=1" }, "ends with this command" },
		{ { "record", "new.json" },
			"-c 'record new.json; run EXPERIMENT'`" },
		{ { NULL }, "the lab needs a terminal" },
	};

	memset(long_dirs, 'd', sizeof long_dirs - 1);
	memcpy(long_dirs, "dir=/", 5);
	/* A comma every 1000 bytes, because a row processes at most 1024 bytes
	 * at a time. */
	for (size_t i = 1000; i + 3 < sizeof long_dirs; i += 1000) {
		memcpy(long_dirs + i, ",/", 2);
		long_dirs[i + 2] = (char)('e' + i / 1000);
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *words[5] = { NULL };

		memcpy(words, rows[i].words, sizeof rows[i].words);
		struct ran ran = run_words(PROGRAM, words);
		assert_refused(&ran, words[0] ? words[0] : "no words", 2, "",
			rows[i].says);
		ran_free(&ran);
	}
}

/* Notes with invalid characters or beyond the length limit: nothing of the line
 * is stored. */
static void test_notes(void **state)
{
	static const char word[] = "note ";
	static char note[sizeof word + 65538];
	static const struct {
		int character;
		size_t count;
		int status;
		const char *says;
	} rows[] = {
		{ 'n', 65537, 2, "65537 bytes: expected at most 65536" },
		{ '\1', 1, 2, "the note has a control character" },
		{ 0xff, 1, 3, "a byte 0xff that is not UTF-8" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		memset(note, 0, sizeof note);
		memcpy(note, word, sizeof word);
		memset(note + sizeof word - 1, rows[i].character,
			rows[i].count);
		struct ran ran = RUN(PROGRAM, "-c", note);
		assert_refused(&ran, word, rows[i].status, "", rows[i].says);
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, prepare_refusals, remove_folder);
}
