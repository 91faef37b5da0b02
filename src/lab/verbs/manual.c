/* The manual page, from the tables. */
#include "manual.h"

#include <string.h>

#include "expect.h"
#include "lab.h"
#include "link_params.h"
#include "options.h"

/* A term of a list and what it means. */
struct entry {
	const char *term, *meaning;
};

static const struct entry exit_codes[] = {
	{ "0", "all is well" },
	{ "1", "an expectation did not hold" },
	{ "2", "a word, a parameter or a line that is none" },
	{ "3", "a file that is not what it should be" },
	{ "4",
		"required, and not permitted here, or not to be had: a run that "
		"was named and of which every point is unavailable" },
	{ "5", "the worker died or was lost; what was measured is kept" },
	{ "6", "a peer or the network" },
	{ "7",
		"undecided, measure again: an expectation, or a comparison with "
		"--fail-if-slower, met a shared core or not enough data" },
	{ "70", "a mistake in benchtop" },
	{ "74", "saving or printing failed" },
	{ "130", "interrupted; what was measured is kept" },
	{ "141", "whoever read the output has gone" },
	{ "143", "terminated; what was measured is kept" },
	{ NULL, NULL },
};

static const struct entry files[] = {
	{ "$XDG_STATE_HOME/benchtop/sessions",
		"every lab saves its session here by itself, after each run; "
		"~/.local/state where the variable is not set" },
	{ "$XDG_RUNTIME_DIR/benchtop",
		"the tapes of runs that go on; `recover` reads those of labs "
		"that were killed. /dev/shm/benchtop-UID where the variable "
		"is not set, or names a folder on a disk" },
	{ "/run/lock/benchtop-cpuN",
		"held while processor N is measured: another lab warns" },
	{ "$XDG_CONFIG_HOME/benchtop",
		"the screen's settings, the hosts that answered, and, if you "
		"put it there, the `token` that far ends ask for; ~/.config "
		"where the variable is not set" },
	{ "PREFIX/share/benchtop",
		"scripts, the schemas of what is written, and the sessions of "
		"published figures" },
	{ "PREFIX/libexec/benchtop/benchtop-capture",
		"the program that captures and reads packets; `sudo setcap "
		"cap_net_raw+ep` on it lets ordinary users capture" },
	{ NULL, NULL },
};

static const struct entry environment[] = {
	{ "BENCHTOP_ASSETS", "where scripts are, instead of PREFIX/share" },
	{ "BENCHTOP_TOKEN_FILE",
		"the file of the token, in place of the folder's; only its "
		"owner may read it" },
	{ "BENCHTOP_LINK_NEAR, BENCHTOP_LINK_FAR",
		"set for what runs on a link: the addresses of its two sides" },
	{ "XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_RUNTIME_DIR, HOME",
		"see the files above" },
	{ "NO_COLOR", "the screen does without colours" },
	{ "ESCDELAY",
		"ms to wait after Esc for the rest of a key, 25 without it" },
	{ "TERM", "the terminal that the screen is drawn on" },
	{ NULL, NULL },
};

static const struct entry examples[] = {
	{ "benchtop", "opens the lab" },
	{ "benchtop run cpu.syscall call=getppid,getpid via=raw,libc",
		"four points, one table" },
	{ "benchtop -c 'run cpu.call; expect cpu.call{args=0} median < 5ns'",
		"a gate: ends with 1 where a call takes longer" },
	{ "benchtop --script quick.lab",
		"every experiment in two minutes; the session goes to "
		"quick.json" },
	{ "benchtop compare monday.json today.json --fail-if-slower 5%",
		"what has changed; ends with 1 where something is slower" },
	{ "benchtop report today.json -o today.html",
		"a session as a page to read" },
	{ "benchtop annotate trace.pcap",
		"the connections of a capture file, explained" },
	{ "benchtop link rtt=40ms loss=1% \"--far=iperf3 -s\" -- "
	  "iperf3 -c 10.77.0.2",
		"any program on an emulated path" },
	{ "benchtop serve --listen=0.0.0.0 --token-file=token",
		"the far end, for `benchtop run net.rtt host=..` elsewhere" },
	{ NULL, NULL },
};

/* ---- roff ------------------------------------------------------------- */

/* Text as roff shows it: no sign of it means anything. */
static void add_escaped(struct text *text, const char *chars)
{
	static const struct entry signs[] = { { "\\", "\\e" }, { "-", "\\-" },
		{ "'", "\\(aq" }, { "`", "\\(ga" }, { "^", "\\(ha" },
		{ "~", "\\(ti" } };

	for (; *chars; chars++) {
		const char *shown = NULL;

		for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
			if (*chars == *signs[i].term)
				shown = signs[i].meaning;
		if (shown)
			text_add(text, "%s", shown);
		else
			text_add_char(text, *chars);
	}
}

/* One line of running text; a dot at its beginning is no request. */
static void add_line(struct text *text, const char *chars)
{
	if (*chars == '.')
		text_add(text, "\\&");
	add_escaped(text, chars);
	text_add_char(text, '\n');
}

static void add_section(struct text *text, const char *name)
{
	text_add(text, ".SH %s\n", name);
}

/* The head of a paragraph that hangs behind it: bold, then plain. */
static void add_head(struct text *text, const char *bold, const char *plain)
{
	text_add(text, ".TP\n\\fB");
	add_escaped(text, bold);
	text_add(text, "\\fR");
	if (*plain)
		text_add_char(text, ' ');
	add_escaped(text, plain);
	text_add_char(text, '\n');
}

static void add_entries(struct text *text, const char *section,
	const struct entry *list)
{
	add_section(text, section);
	for (; list->term; list++) {
		add_head(text, list->term, "");
		add_line(text, list->meaning);
	}
}

/* ---- what the tables say ---------------------------------------------- */

static void add_options(struct text *text)
{
	add_section(text, "OPTIONS");
	for (const struct program_option *row = program_options; row->name;
		row++) {
		struct text words = { 0 };

		option_write(row, &words);
		add_head(text, words.chars, "");
		add_line(text, row->help);
		text_free(&words);
	}
}

static void add_verb(struct text *text, const struct command *row)
{
	struct text rest = { 0 };
	/* Words behind -- are no longer the verb's own. */
	const char *behind = strstr(row->usage, " -- ");
	size_t own =
		behind ? (size_t)(behind - row->usage) : strlen(row->usage);

	text_add(&rest, "%.*s", (int)own, row->usage);
	for (size_t i = 0; row->options && row->options[i]; i++)
		if (!command_shows(row, row->options[i]))
			text_add(&rest, "%s[%s]", rest.length ? " " : "",
				row->options[i]);
	text_add(&rest, "%s", row->usage + own);
	add_head(text, row->name, text_chars(&rest));
	add_line(text, row->help);
	if (strcmp(row->example, row->name)) {
		text_add(text, ".br\nExample: \\fB");
		add_escaped(text, row->example);
		text_add(text, "\\fR\n");
	}
	text_free(&rest);
}

static void add_verbs(const struct lab *lab, bool of_screen, struct text *text)
{
	for (size_t i = 0; i < lab->command_count; i++)
		if (of_screen == !!(lab->commands[i]->flags & COMMAND_SCREEN))
			add_verb(text, lab->commands[i]);
}

static void add_rows(const struct param *rows, struct text *text)
{
	for (const struct param *row = rows; row->name; row++) {
		struct text line = { 0 }, head = { 0 };

		text_add(&head, "%s=%s", row->name, row->preset);
		add_head(text, head.chars, "");
		if (strcmp(row->name, row->label))
			text_add(&line, "%s: ", row->label);
		text_add(&line, "%s; ", row->help);
		param_accepts(row, false, &line);
		add_line(text, line.chars);
		text_free(&line);
		text_free(&head);
	}
}

static void add_experiment(const struct experiment *experiment,
	struct text *text)
{
	text_add(text, ".SS ");
	add_escaped(text, experiment->name);
	text_add_char(text, '\n');
	add_line(text, experiment->question);
	text_add(text, ".PP\n");
	add_line(text, experiment->method);
	add_rows(experiment->params, text);
	text_add(text, ".PP\nMeasures:");
	for (const struct metric *row = experiment->metrics; row->name; row++) {
		text_add(text, "%s\n\\fB",
			row == experiment->metrics ? "" : ",");
		add_escaped(text, row->name);
		text_add(text, "\\fR ");
		add_escaped(text, row->label);
		if (*unit_name(row->unit)) {
			text_add(text, " in ");
			add_escaped(text, unit_name(row->unit));
		}
	}
	text_add(text, ".\n");
}

/* ---- what no table says ----------------------------------------------- */

static void add_beginning(struct text *text)
{
	text_add(text,
		".\\\" Made by `benchtop help --man`.\n"
		".TH BENCHTOP 1 \"\" \"benchtop %s\" \"User Commands\"\n",
		BENCHTOP_VERSION);
	add_section(text, "NAME");
	text_add(text,
		"benchtop \\- measures what this machine really costs "
		"you\n");
	add_section(text, "SYNOPSIS");
	text_add(text,
		"\\fBbenchtop\\fR [\\fB\\-\\-glyphs=\\fITIER\\fR] "
		"[\\fB\\-\\-theme=\\fINAME\\fR] "
		"[\\fB\\-\\-no\\-mouse\\fR]\n"
		".br\n\\fBbenchtop\\fR \\fIVERB\\fR ...\n"
		".br\n\\fBbenchtop\\fR \\fB\\-c\\fR "
		"\\(aq\\fILINE\\fR; \\fILINE\\fR\\(aq\n"
		".br\n\\fBbenchtop\\fR \\fB\\-\\-script\\fR "
		"\\fIFILE\\fR|\\fB\\-\\fR\n"
		".br\n\\fBbenchtop\\fR \\fB\\-\\-plain\\fR\n");
	add_section(text, "DESCRIPTION");
	add_line(text,
		"benchtop is a measurement laboratory in a terminal. It lists "
		"experiments about this computer, runs them in a forked and "
		"pinned worker, shows the histogram while it grows, and gives "
		"every figure with its interval.");
	text_add(text, ".PP\n");
	add_line(text,
		"Without words it opens the lab's screen. The same language is "
		"understood at the screen's `:` line, in a script and on the "
		"command line. Results go to standard output, everything else "
		"to standard error.");
}

static void add_language(struct text *text)
{
	add_section(text, "LANGUAGE");
	add_line(text,
		"A line break or a ; ends a statement, blanks part words, a # "
		"at the beginning of a word begins a comment. 'Single quotes' "
		"take everything as it is, \"double quotes\" know \\\" and "
		"\\\\. Nothing is expanded. A script is checked whole before "
		"its first statement is executed.");
	text_add(text, ".PP\n");
	add_line(text,
		"A parameter takes one value, a list (4K,32K,1M), a range that "
		"doubles (4K..512M; counts step by one), a range of four steps "
		"a doubling (1K..1G/4), one with a factor (4K..512M*4) or one "
		"with a step (0..64K+4K). More than one value makes a sweep. "
		"Bytes take K, M, G, T, powers of 1024; times ns, us, ms, s; "
		"cycles c; rates Kbit, Mbit, Gbit; parts %.");
	text_add(text, ".PP\n");
	struct text line = { 0 };
	text_add(&line, "STAT of expect is one of");
	for (size_t i = 0; expect_stats[i]; i++)
		text_add(&line, "%s %s", i ? "," : "", expect_stats[i]);
	text_add(&line, "; OP is <, <=, > or >=.");
	add_line(text, line.chars);
	text_free(&line);
}

static void add_shared_cores(struct text *text)
{
	static const char *const paragraphs[] = {
		"Processors are shared with other work: with the SMT sibling "
		"on a laptop, with other guests in a cloud. A co-runner on the "
		"core slows a system call by a third and an empty loop by a "
		"factor of two, comes and goes within seconds, and is "
		"invisible to the kernel of a guest.",
		"Beside the trials a canary runs, a fixed piece of work whose "
		"two halves differ in what a co-runner does to them. Their "
		"ratio has two modes, alone and shared. Each trial belongs to "
		"one of them by the canaries before and after it, or is "
		"excluded where these differ. Interrupted trials, those of the "
		"warm-up and those at another frequency are excluded too; no "
		"other trial is.",
		"Alone and shared have figures of their own. The headline is "
		"that of a core of its own wherever six launches had one, "
		"however many trials were shared; a run goes on within its "
		"budget until that figure is precise. Where sharing changes "
		"the figure by less than 1 % all trials are pooled. Where too "
		"few trials were alone the headline is that of the shared "
		"core, and is marked so.",
		"good: the interval is as narrow as was asked for. rough: it "
		"is wider, or trials never settled. shared core: too few "
		"trials had the core to themselves. not enough data: fewer "
		"than six launches, or a half-width above 5 % and above five "
		"times the precision.",
		"`ab` alternates two settings trial by trial and compares "
		"neighbouring trials, so that a co-runner hits both alike. "
		"By a shared core or by not enough data `compare` and `expect` "
		"answer undecided, but for an expectation that is met although "
		"a co-runner only makes figures worse, or, where data are few, "
		"whose limit lies outside of the interval. `expect` and "
		"`--fail-if-slower` then end with 7. "
		"Between two sessions of a guest `compare` takes no change "
		"below 5 % for one, of memory none below 20 %, since an "
		"unchanged guest differs by as much from one session to the "
		"next. "
		"Figures of memory are compared at the same reading of a "
		"second ruler, loads from a fixed region, since a memory "
		"channel is shared with machines that no canary sees.",
		"--wait-quiet=TIME waits for a core of its own before a run. "
		"`doctor` and `machine` find SMT siblings by experiment; the "
		"lab keeps off the sibling of the processor that measures, or "
		"says that it could not.",
	};

	add_section(text, "SHARED CORES");
	for (size_t i = 0; i < sizeof paragraphs / sizeof *paragraphs; i++) {
		text_add(text, "%s", i ? ".PP\n" : "");
		add_line(text, paragraphs[i]);
	}
}

void manual_write(const struct lab *lab, struct text *text)
{
	const struct registry *registry = &lab->registry;

	add_beginning(text);
	add_options(text);
	add_language(text);
	add_shared_cores(text);
	add_section(text, "VERBS");
	add_verbs(lab, false, text);
	add_section(text, "VERBS OF THE SCREEN");
	add_verbs(lab, true, text);
	add_section(text, "PARAMETERS OF EVERY RUN");
	add_rows(common_params, text);
	add_section(text, "SETTINGS OF A LINK");
	add_rows(link_params, text);
	add_section(text, "EXPERIMENTS");
	for (size_t i = 0; i < registry->count; i++)
		add_experiment(registry->list[i], text);
	add_entries(text, "EXIT STATUS", exit_codes);
	add_entries(text, "FILES", files);
	add_entries(text, "ENVIRONMENT", environment);
	add_entries(text, "EXAMPLES", examples);
}
