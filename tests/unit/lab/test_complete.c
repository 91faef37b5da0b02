/* Completions come from the tables that parse the line. */
#include "complete.h"

#include <unistd.h>

#include "say.h"

/* The candidates separated by blanks, and FILE if files are candidates. */
static char *candidates(struct lab *lab, const char *line)
{
	struct completion completion;
	struct text text = { 0 };

	complete_line(lab, line, &completion);
	assert_true(completion.from <= strlen(line));
	for (size_t i = 0; i < completion.count; i++) {
		const char *typed = line + completion.from;

		assert_int_equal(strncmp(completion.list[i], typed,
					 strlen(typed)),
			0);
		text_add(&text, "%s ", completion.list[i]);
	}
	if (completion.files)
		text_add(&text, "FILE ");
	completion_free(&completion);
	return text_take(&text);
}

static const struct {
	const char *line, *offers;
} lines[] = {
	{ "ru", "run " },
	{ "re", "recover report record " },
	{ "sa", "save " },
	{ "list; sa", "save " },
	{ "list;sa", "save " },
	{ "list\nsa", "save " },
	{ "note 'a;sa", "" },
	{ "nobody ", "" },
	{ "quit ", "" },
	{ "note ", "" },
	{ "run cp", "cpu.call cpu.syscall cpu " },
	{ "run ", "cpu.call cpu.syscall mem.latency cpu mem all " },
	{ "list m", "mem " },
	{ "show cp", "cpu.call cpu.syscall " },
	{ "show cpu.call c", "call= cpu= capture= counters= " },
	{ "run cpu counters=tlb-misses,cy", "counters=tlb-misses,cycles " },
	{ "run syscall ca", "call= capture= " },
	{ "run cpu.call ca", "call= capture= " },
	{ "run cpu.call mem.latency ca", "capture= " },
	{ "run cpu ca", "capture= " },
	{ "run cpu.call m", "mem.latency " },
	{ "run cpu.call call=getpid m", "" },
	{ "run cpu.call call=getp", "call=getppid call=getpid " },
	{ "run cpu.call call=getpid,r", "call=getpid,read " },
	{ "run cpu.call size=", "size=4K " },
	{ "run cpu.call launches=", "launches=auto " },
	{ "run cpu.call priority=f", "priority=fifo " },
	{ "set b", "budget= " },
	{ "set budget=", "budget=10s " },
	{ "set budget=1s cpu=", "cpu=auto " },
	{ "predict cpu.call h", "hw= " },
	{ "expect cpu.c", "cpu.call cpu.call.time " },
	{ "expect cpu.call{", "cpu.call{call= cpu.call{size= " },
	{ "expect cpu.call.time{call=r", "cpu.call.time{call=read " },
	{ "history cpu.call{", "cpu.call{call= cpu.call{size= " },
	{ "history cpu.call{size=4K,call=re", "cpu.call{size=4K,call=read " },
	{ "history cpu.call ", "call= size= " },
	{ "expect cpu.call{size=4K,call=re", "cpu.call{size=4K,call=read " },
	{ "expect cpu.call med", "median " },
	{ "expect cpu.call median ", "< <= > >= " },
	{ "expect cpu.call median < ", "" },
	{ "help ru", "run " },
	{ "help qu", "quit quick " },
	{ "help to", "tour " },
	{ "help cpu.c", "cpu.call " },
	{ "doctor ", "fixes " },
	{ "doctor --", "--json " },
	{ "export ", "csv jsonl openmetrics markdown pcap " },
	{ "export csv ", "FILE " },
	{ "export --", "--trials --force --session= " },
	{ "load ",
		"published:a published:b published:c published:d "
		"published:e FILE " },
	{ "compare x published:",
		"published:a published:b published:c "
		"published:d published:e FILE " },
	{ "compare --", "--fail-if-slower= --json FILE " },
	{ "ab cpu.call ca", "call= capture= " },
	{ "load x ", "" },
	{ "save --", "--force --session= FILE " },
	{ "record ", "off FILE " },
	{ "verify published:e", "published:e FILE " },
	{ "--s", "--script " },
	{ "to", "tour " },
	{ "qui", "quit quick " },
	{ "--script q", "quick.lab FILE " },
	{ "--script a ", "" },
	{ "run \xc3\xa4", "" },
};

static void test_lines(void **state)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char *got = candidates(*state, lines[i].line);

		if (strcmp(got, lines[i].offers))
			fail_msg("%s: offers %s, not %s", lines[i].line, got,
				lines[i].offers);
		free(got);
	}
}

/* Every verb of the tables is offered, and what else begins a line of the
 * shell. */
static void test_verbs(void **state)
{
	struct lab *lab = *state;
	struct text all = { 0 };

	for (size_t i = 0; i < lab->command_count; i++)
		text_add(&all, "%s ", lab->commands[i]->name);
	text_add(&all, "quick tour ");
	char *got = candidates(lab, "");
	assert_string_equal(got, all.chars);
	free(got);
	text_free(&all);
}

/* The `:` line of a screen has no program options. */
static void test_screen(void **state)
{
	struct lab *lab = *state;

	lab->screen = (struct screen *)lab;
	char *got = candidates(lab, "--");
	assert_string_equal(got, "");
	free(got);
}

/* The parser accepts every candidate of NAME=VALUE. */
static void test_offers_are_right(void **state)
{
	static const char *const begins[] = { "run cpu.call ",
		"run mem.latency call=", "set ",
		"set priority=", "show cpu.syscall size=" };

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		struct completion completion;

		complete_line(*state, begins[i], &completion);
		assert_true(completion.count > 0);
		for (size_t k = 0; k < completion.count; k++) {
			struct text line = { 0 };
			const char *word = completion.list[k];

			text_add(&line, "%.*s%s", (int)completion.from,
				begins[i], word);
			/* After a name its value is expected. */
			if (word[strlen(word) - 1] != '=') {
				char *says = checked(*state, line.chars);

				assert_string_equal(says, "");
				free(says);
			}
			text_free(&line);
		}
		completion_free(&completion);
	}
}

/* Names of files, for the `:` line; only where a file is expected. */
static void test_files(void **state)
{
	static const struct {
		const char *line, *offers;
	} rows[] = {
		{ "load a", "a.json ab.json " },
		{ "load ./a", "./a.json ./ab.json " },
		{ "load d", "deep/ " },
		{ "load deep/", "deep/x.json " },
		{ "load .h", ".hidden " },
		{ "load none/", "" },
		{ "load spa", "\"space d\" " },
		{ "load \"spa", "\"space d\" " },
		{ "load 'space ", "\"space d\" " },
		{ "load no", "\"no room/ " },
		{ "load \"no room/", "\"no room/in.json\" " },
		{ "note \"a; b\"; load 'no room/i", "\"no room/in.json\" " },
		{ "record o", "off other " },
		{ "run a", "all " },
		{ "note a", "" },
	};
	char folder[] = "/tmp/benchtop-files-XXXXXX";

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(system("mkdir deep; touch a.json ab.json other "
				".hidden 'space d' deep/x.json; "
				"mkdir 'no room'; touch 'no room/in.json'"),
		0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct completion completion;
		struct text got = { 0 };

		complete_line(*state, rows[i].line, &completion);
		complete_files(rows[i].line, &completion);
		for (size_t k = 0; k < completion.count; k++)
			text_add(&got, "%s ", completion.list[k]);
		assert_string_equal(text_chars(&got), rows[i].offers);
		text_free(&got);
		completion_free(&completion);
	}
	assert_int_equal(chdir("/"), 0);
	char command[64];
	snprintf(command, sizeof command, "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

/* The verb that shells execute for completion. */
static void test_verb(void **state)
{
	char *got = said(*state, "complete 'export c'");

	assert_string_equal(got, "csv\n");
	free(got);
	got = said(*state, "complete 'load x.'");
	assert_string_equal(got, "FILE\n");
	free(got);
	got = said(*state, "complete ''");
	assert_non_null(strstr(got, "run\n"));
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LAB(test_lines),
		WITH_LAB(test_verbs),
		WITH_LAB(test_screen),
		WITH_LAB(test_offers_are_right),
		WITH_LAB(test_files),
		WITH_LAB(test_verb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
