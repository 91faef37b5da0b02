/* Completion in real shells. Each shell asks the program, so its tables are the
 * only source. If a shell is not installed, its test is skipped. */
#include "run.h"

#define SHELL_FILES SOURCE_FOLDER "/assets/completions"

static const struct {
	const char *line; /* typed after "benchtop " */
	const char *offers[4];
	const char * not ;
} rows[] = {
	{ "ru", { "run" }, "save" },
	{ "run cpu.sy", { "cpu.syscall" }, "cpu.call" },
	{ "run cpu.", { "cpu.clock", "cpu.call", "cpu.switch" }, "run" },
	{ "show cpu.switch th", { "through=" }, "between=" },
	{ "run cpu.syscall call=getp", { "getppid", "getpid" }, "enosys" },
	{ "run cpu.syscall call=getppid,rea", { "getppid,read" }, NULL },
	{ "tou", { "tour" }, "quick" },
	{ "help qu", { "quick", "quit" }, "run" },
	{ "help to", { "tour" }, NULL },
	{ "set bud", { "budget=" }, NULL },
	{ "expect cpu.call.time med", { "median" }, "mean" },
	{ "save tod", { "today.json" }, "other.json" },
	{ "load tod", { "today.json" }, "other.json" },
	{ "verify tod", { "today.json" }, NULL },
	{ "export csv tod", { "today.json" }, NULL },
	{ "export ", { "csv", "jsonl" }, "today.json" },
	{ "--scr", { "--script" }, NULL },
	{ "--script mi", { "mine.lab" }, "quick.lab" },
	{ "--script qu", { "quick.lab" }, "mine.lab" },
	{ "doctor --", { "--json" }, NULL },
	{ "link ra", { "rate=" }, "run" },
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool installed(const char *shell)
{
	char command[64];

	snprintf(command, sizeof command, "command -v %s >/dev/null", shell);
	if (!system(command))
		return true;
	print_message("SKIP: no %s here\n", shell);
	return false;
}

/* Whole lines: "run" is not in "runs". */
static bool has_line(const struct text *text, const char *line)
{
	size_t length = strlen(line);

	for (const char *at = text_chars(text); (at = strstr(at, line)); at++)
		if ((at == text->chars || at[-1] == '\n') &&
			(at[length] == '\n' || !at[length]))
			return true;
	return false;
}

/* The candidates that a shell offered for row `i`. With `tail`, only the part
 * after the last =. */
static void check(size_t i, const struct ran *ran, bool tail)
{
	const char *equals = strrchr(rows[i].line, '=');

	for (size_t k = 0; k < 4 && rows[i].offers[k]; k++) {
		struct text wanted = { 0 };
		const char *word = strrchr(rows[i].line, ' ');

		if (equals && !tail)
			text_add(&wanted, "%.*s", (int)(equals - word),
				word + 1);
		text_add(&wanted, "%s", rows[i].offers[k]);
		if (!has_line(&ran->out, wanted.chars))
			fail_msg("benchtop %s: no '%s' in\n%s%s", rows[i].line,
				wanted.chars, text_chars(&ran->out),
				text_chars(&ran->err));
		text_free(&wanted);
	}
	if (rows[i].not &&has_line(&ran->out, rows[i].not ))
		fail_msg("benchtop %s: offers '%s'", rows[i].line,
			rows[i].not );
}

/* A folder with files to complete; the program is found through PATH. */
static int prepare(void **state)
{
	char path[512];

	if (make_folder(state) || mkdir(in_folder("bin"), 0700) ||
		symlink(PROGRAM, in_folder("bin/benchtop")))
		return -1;
	snprintf(path, sizeof path, "%s:%s", in_folder("bin"), getenv("PATH"));
	setenv("PATH", path, 1);
	write_file(in_folder("today.json"), "");
	write_file(in_folder("other.json"), "");
	write_file(in_folder("mine.lab"), "");
	return chdir(folder);
}

static void test_bash(void **state)
{
	static const char driver[] =
		"source " SHELL_FILES "/bash/benchtop || exit 1\n"
		"complete -p benchtop >/dev/null || exit 1\n"
		"COMP_LINE=\"benchtop $1\" COMP_POINT=${#COMP_LINE}\n"
		"word=${1##*[ =]}\n"
		"read -ra COMP_WORDS <<<\"$COMP_LINE\"\n"
		"COMP_CWORD=${#COMP_WORDS[@]}\n"
		"COMP_WORDS[COMP_CWORD]=$word\n"
		"_benchtop benchtop \"$word\" x\n"
		"printf '%s\\n' \"${COMPREPLY[@]}\"\n";

	if (!installed("bash"))
		skip();
	for (size_t i = 0; i < ROWS; i++) {
		struct ran ran = RUN("/bin/bash", "--norc", "-c", driver,
			"bash", rows[i].line);

		assert_status(ran, 0);
		check(i, &ran, true);
		ran_free(&ran);
	}
}

/* readline may break words at = and :, and blanks may be escaped. Each
 * candidate must replace exactly the last word of readline. */
static void test_bash_breaks(void **state)
{
	static const char driver[] =
		"source " SHELL_FILES "/bash/benchtop || exit 1\n"
		"COMP_WORDBREAKS=$2\n"
		"COMP_LINE=\"benchtop $1\" COMP_POINT=${#COMP_LINE}\n"
		"COMP_WORDS=(benchtop) COMP_CWORD=1\n"
		"_benchtop benchtop x x\n"
		"printf '%s\\n' \"${COMPREPLY[@]}\"\n";
	static const struct {
		const char *line, *breaks, *offers;
	} lines[] = {
		{ "load publ", " =:", "published:a" },
		{ "load published:", " =:", "a" },
		{ "load published:", " ", "published:a" },
		{ "load published:", " =", "published:a" },
		{ "compare published:a publ", " =:", "published:b" },
		{ "load at:", " =:", "noon.json" },
		{ "load at:n", " =", "at:noon.json" },
		{ "load tw", " =:", "two\\ words.json" },
		{ "load two\\ w", " =:", "two\\ words.json" },
		{ "run cpu.syscall call=getpp", " =:", "getppid" },
		{ "run cpu.syscall call=getpp", " :", "call=getppid" },
		{ "load bi", " =:", "bin/" },
	};

	if (!installed("bash"))
		skip();
	write_file(in_folder("at:noon.json"), "");
	write_file(in_folder("two words.json"), "");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct ran ran = RUN("/bin/bash", "--norc", "-c", driver,
			"bash", lines[i].line, lines[i].breaks);

		if (!has_line(&ran.out, lines[i].offers))
			fail_msg("'%s' with '%s': no '%s' in\n%s%s",
				lines[i].line, lines[i].breaks, lines[i].offers,
				text_chars(&ran.out), text_chars(&ran.err));
		ran_free(&ran);
	}
}

/* Stubs that print replace functions of the completion system. */
static void test_zsh(void **state)
{
	static const char driver[] =
		"compadd() {\n"
		"  while [[ $1 != -- ]]; do shift; done\n"
		"  shift; print -l -- ${(M)@:#${(b)PREFIX}*}\n"
		"}\n"
		"_files() { print -l -- ${PREFIX}*(N) }\n"
		"_call_program() { shift; eval \"$*\" }\n"
		"words=(benchtop ${(s: :)1})\n"
		"[[ $1 == *' ' ]] && words+=('')\n"
		"CURRENT=$#words PREFIX=$words[-1]\n"
		"source " SHELL_FILES "/zsh/_benchtop\n";

	if (!installed("zsh"))
		skip();
	for (size_t i = 0; i < ROWS; i++) {
		struct ran ran = RUN("/usr/bin/env", "zsh", "-f", "-c", driver,
			"zsh", rows[i].line);

		check(i, &ran, false);
		ran_free(&ran);
	}
	/* The script registers itself with the completion system. */
	char *content = read_whole(SHELL_FILES "/zsh/_benchtop");
	assert_int_equal(strncmp(content, "#compdef benchtop\n", 18), 0);
	free(content);
}

static void test_fish(void **state)
{
	static const char driver[] =
		"source " SHELL_FILES "/fish/benchtop.fish\n"
		"complete -C \"benchtop $argv[1]\"\n";

	if (!installed("fish"))
		skip();
	for (size_t i = 0; i < ROWS; i++) {
		struct ran ran = RUN("/usr/bin/env", "fish", "-N", "-c", driver,
			"--", rows[i].line);

		assert_status(ran, 0);
		/* A description may follow a tab. */
		for (char *at = ran.out.chars; at && (at = strchr(at, '\t'));) {
			size_t length = strcspn(at, "\n");

			memmove(at, at + length, strlen(at + length) + 1);
		}
		check(i, &ran, false);
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bash),
		cmocka_unit_test(test_bash_breaks),
		cmocka_unit_test(test_zsh),
		cmocka_unit_test(test_fish),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
