/* The manual page, generated from the tables. */
#include "manual.h"

#include <string.h>

#include "expect.h"
#include "lab.h"
#include "link_params.h"
#include "options.h"

/* A term of a list and its meaning. */
struct entry {
	const char *term, *meaning;
};

static const struct entry exit_codes[] = {
	{ "0", "success" },
	{ "1", "an expectation was not met" },
	{ "2", "invalid word, parameter or line" },
	{ "3", "invalid input file" },
	{ "4",
		"not permitted here, or not available: every point of a named "
		"run is unavailable" },
	{ "5", "the worker died or was lost; the data measured so far is "
		"kept" },
	{ "6", "peer or network failure" },
	{ "7",
		"undecided, measure again: `expect`, --fail-if-slower or "
		"--fail-if-changed met a shared core or not enough data, or "
		"found no run" },
	{ "70", "internal error of benchtop, or out of memory" },
	{ "74", "output failed (saving or printing)" },
	{ "129, 130, 143",
		"ended by SIGHUP, SIGINT, SIGTERM; measured data is kept" },
	{ "141", "the reader of the output closed the pipe" },
	{ NULL, NULL },
};

static const struct entry files[] = {
	{ "$XDG_STATE_HOME/benchtop/sessions",
		"sessions, saved automatically after each run; ~/.local/state "
		"if the variable is not set" },
	{ "$XDG_RUNTIME_DIR/benchtop",
		"the tapes (trial data) of runs in progress; `recover` reads "
		"the tapes of killed labs. /dev/shm/benchtop-UID if the "
		"variable is not set or names a folder on a disk" },
	{ "/run/lock/benchtop-cpuN",
		"lock held while processor N is in use by a measurement: "
		"another lab warns" },
	{ "$XDG_CONFIG_HOME/benchtop",
		"the screen's settings, the hosts that answered, and the "
		"optional `token` file for servers; ~/.config if the variable "
		"is not set" },
	{ "PREFIX/share/benchtop",
		"schemas of the file formats, the assets for ssh, Slurm and "
		"Kubernetes, and copies of the scripts and published sessions "
		"that are part of the program" },
	{ "PREFIX/libexec/benchtop/benchtop-capture",
		"the program that captures and reads packets; `sudo setcap "
		"cap_net_raw+ep` on this file lets ordinary users capture" },
	{ NULL, NULL },
};

static const struct entry environment[] = {
	{ "BENCHTOP_TOKEN_FILE",
		"token file, in place of the `token` of the configuration "
		"folder; readable by its owner only" },
	{ "BENCHTOP_HOST",
		"name of this machine in sessions, in place of the host name; "
		"in a container that is the name of the container. `history` "
		"shows the kept sessions of this name" },
	{ "BENCHTOP_LINK_NEAR, BENCHTOP_LINK_FAR",
		"set for programs on a link: the addresses of its two ends" },
	{ "XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_RUNTIME_DIR, HOME",
		"see FILES above" },
	{ "NO_COLOR", "disable the colours of the screen" },
	{ "ESCDELAY",
		"ms to wait after Esc for the rest of a key; default 25" },
	{ "TERM", "type of the terminal" },
	{ NULL, NULL },
};

static const struct entry examples[] = {
	{ "benchtop", "open the lab" },
	{ "benchtop run cpu.syscall call=getppid,getpid via=raw,libc",
		"four points, one table" },
	{ "benchtop -c 'run cpu.call; expect cpu.call{args=0} median < 5ns'",
		"a gate: the exit status is 1 if a call takes longer" },
	{ "benchtop quick",
		"every experiment in two minutes, and the machine in ten "
		"figures; the session goes to quick.json" },
	{ "benchtop compare monday.json today.json --fail-if-slower 5%",
		"show what has changed; the exit status is 1 if a metric is "
		"slower" },
	{ "benchtop report today.json -o today.html",
		"write a session as a web page" },
	{ "benchtop annotate trace.pcap",
		"explain the connections of a capture file" },
	{ "benchtop link rtt=40ms loss=1% \"--far=iperf3 -s\" -- "
	  "iperf3 -c 10.77.0.2",
		"any program on an emulated path" },
	{ "benchtop serve --listen=0.0.0.0 --token-file=token",
		"serve `benchtop run net.rtt host=..` of other hosts" },
	{ NULL, NULL },
};

/* ---- roff ------------------------------------------------------------- */

/* Escapes characters that roff would interpret. */
static void add_escaped(struct text *text, const char *chars)
{
	static const struct entry signs[] = { { "\\", "\\e" }, { "-", "\\-" },
		{ "'", "\\(aq" }, { "`", "\\(ga" }, { "^", "\\(ha" },
		{ "~", "\\(ti" },
		{ ",", ",\\:" } }; /* a long list may be broken there */

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

/* Adds one line of running text. A dot at its beginning is escaped, because
 * roff takes it as a request. */
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

/* Begins an indented paragraph: a heading in bold, then plain text. */
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

/* Adds commands of a shell, each an indented line. */
static void add_commands(struct text *text, const char *const *lines)
{
	for (; *lines; lines++) {
		text_add(text, ".IP\n");
		add_line(text, *lines);
	}
}

/* ---- sections from the tables ----------------------------------------- */

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
	/* Words after -- belong to a program, so the options are inserted
	 * before it. */
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

/* ---- fixed sections --------------------------------------------------- */

static void add_beginning(struct text *text)
{
	text_add(text,
		".\\\" Made by `benchtop help --man`.\n"
		/* Of man(7), at every paragraph since groff 1.23. */
		".ds AD l\n"
		".TH BENCHTOP 1 \"\" \"benchtop %s\" \"User Commands\"\n"
		".ad l\n",
		BENCHTOP_VERSION);
	add_section(text, "NAME");
	text_add(text,
		"benchtop \\- measure what operations cost on this machine\n");
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
		"experiments about this computer, runs each in a forked and "
		"pinned worker, shows the growing histogram, and reports every "
		"figure with its interval.");
	text_add(text, ".PP\n");
	add_line(text,
		"Without arguments benchtop opens the lab's screen. The "
		"screen's `:` line, scripts and the command line share one "
		"language. Results go to standard output, all other messages "
		"to standard error.");
}

static void add_language(struct text *text)
{
	add_section(text, "LANGUAGE");
	add_line(text,
		"A line break or a ; ends a statement. Blanks separate words. "
		"A # at the beginning of a word starts a comment. 'Single "
		"quotes' keep all characters, \"double quotes\" allow \\\" and "
		"\\\\. Nothing is expanded. The whole script is checked before "
		"its first statement is executed.");
	text_add(text, ".PP\n");
	add_line(text,
		"A parameter takes one value, a list (4K,32K,1M) or a range. A "
		"range doubles (4K..512M; counts step by one), has four steps "
		"per doubling (1K..1G/4), a factor (4K..512M*4) or a step "
		"(0..64K+4K). More than one value makes a sweep. Units: K, M, "
		"G, T (powers of 1024) for bytes, also k, KB, KiB; ns, us, ms, "
		"s, min for times; c for cycles; Kbit, Mbit, Gbit for rates, "
		"also Mbit/s, Mbps; % for shares.");
	text_add(text, ".PP\n");
	add_line(text,
		"An experiment may be named by what is behind the dot, or by "
		"its beginning if only one experiment begins so: `run sysc` "
		"runs cpu.syscall. Where a session's file is expected, a "
		"number of `sessions` or `last` may be given. A verb with "
		"--help shows its help.");
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
		"Cores are shared with other work: by SMT siblings on a "
		"laptop, by other guests in a cloud. A co-runner slows a "
		"system call by a third and an empty loop by a factor of two. "
		"Co-runners come and go within seconds, and a guest's kernel "
		"cannot see them.",
		"A canary runs between the trials. A canary is a fixed piece "
		"of work in two halves, which a co-runner slows by different "
		"factors. The ratio of the halves has two modes, alone and "
		"shared. The canaries before and after a trial give its mode. "
		"If they differ, the trial is excluded. Interrupted trials and "
		"warm-up trials are excluded too. No other trial is excluded. "
		"If a co-runner comes and goes faster than canaries run, the "
		"launch has no figure for alone. Trials at another core "
		"frequency are counted: `run` states their share.",
		"Alone and shared trials have separate figures. The headline "
		"is the figure of the alone trials if six launches have such "
		"trials, however many trials were shared. A run continues "
		"within its budget until this figure is precise. If sharing "
		"changes the figure by less than 1 %, all trials are pooled. "
		"If too few were alone, it is that of the shared, marked.",
		"good: the interval is as narrow as requested, or as the clock "
		"resolves. rough: it is wider, or the trials never settled. "
		"shared core: too few trials ran alone, or other tasks used a "
		"fifth of the processors. not enough data: fewer than six "
		"launches, or a half-width above 5 % and above five times the "
		"precision. below resolution: smaller than the clock resolves. "
		"If the interval in cycles is less than half as wide, it "
		"counts and is marked \"in cycles\" or \"c\".",
		"`ab` alternates two settings trial by trial and compares "
		"adjacent trials, so that a co-runner affects both settings "
		"equally. With a shared core or not enough data, `compare` "
		"and `expect` are undecided, and `expect` and "
		"`--fail-if-slower` end with 7. There is one exception: on a "
		"shared core a bound is met if the figure meets it although a "
		"co-runner only makes figures worse. With enough data "
		"`expect` compares the figure and ignores its interval. "
		"ci_low and ci_high, the ends of the interval, decide however "
		"wide it is. "
		"Between two sessions of a guest, `compare` ignores "
		"changes below 5 %, and below 20 % for memory: an unchanged "
		"guest varies by as much from session to session. Memory "
		"figures are compared at the same reading of a memory ruler, "
		"which times loads from a fixed region. Other machines share "
		"the memory channel, and no canary detects them.",
		"--wait-quiet=TIME waits for an unshared core before a run. "
		"`doctor` and `machine` detect SMT siblings by experiment. The "
		"lab avoids the sibling of the measuring processor, and "
		"reports if it cannot.",
	};

	add_section(text, "SHARED CORES");
	for (size_t i = 0; i < sizeof paragraphs / sizeof *paragraphs; i++) {
		text_add(text, "%s", i ? ".PP\n" : "");
		add_line(text, paragraphs[i]);
	}
}

static void add_output(struct text *text)
{
	add_section(text, "OUTPUT");
	add_line(text,
		"The result of a run is one line: the median over launches, "
		"its 95 % interval, core cycles, and at the right end how far "
		"the figure can be trusted. The lines below support it: the "
		"trials alone on the core and those beside a co-runner, each "
		"with a small histogram over one axis; the prediction; the "
		"number of launches and trials; findings and notes. A sweep "
		"has a line for each point. Many points of two parameters are "
		"a table of both. A sweep of 25 values and more is a curve, "
		"for memory with a table of its levels.");
	text_add(text, ".PP\n");
	add_line(text,
		"Option -v prints every figure: deviations, quantiles, counts, "
		"every point and every metric. Lines are as wide as the "
		"terminal, but not below 80 columns; in a pipe they have 80 "
		"columns. Only commands to copy and, in a pipe, error "
		"messages may be longer. Block characters "
		"need a locale with UTF-8; bold and colour need a terminal and "
		"an unset NO_COLOR. --plain has no drawings.");
	text_add(text, ".PP\n");
	add_line(text,
		"With counters= each counter is a metric, per operation of the "
		"measured thread. Counted trials are not timed. Counts are "
		"never scaled: those of shared counters are dropped. If only "
		"user mode may be counted, the labels state that.");
}

static void add_remote_hosts(struct text *text)
{
	static const char intro[] =
		"`serve` runs the remote end of network experiments. With "
		"--token-file both ends prove that they hold the same token, "
		"and the control connection is authenticated. The data of the "
		"experiment is neither encrypted nor authenticated: on an "
		"untrusted path, use a tunnel. Figures then include the "
		"tunnel. Forwarded ports (ssh -L) do not suffice, because data "
		"connections use other ports.";
	static const char *const ssh[] = {
		"ssh -w 7:7 root@there 'ip address add 10.78.0.2 peer "
		"10.78.0.1 dev tun7; ip link set tun7 up; benchtop serve "
		"--listen=10.78.0.2 --token-file=token'",
		"ip address add 10.78.0.1 peer 10.78.0.2 dev tun7; ip link set "
		"tun7 up",
		"BENCHTOP_TOKEN_FILE=token benchtop run net.rtt host=10.78.0.2",
		NULL,
	};
	static const char *const wireguard[] = {
		"(umask 077; wg genkey >key); wg pubkey <key >key.pub",
		"ip link add wg0 type wireguard; ip address add 10.78.0.2/30 "
		"dev wg0",
		"wg set wg0 listen-port 51820 private-key key peer CLIENT_PUB "
		"allowed-ips 10.78.0.1/32",
		"ip link set wg0 up; benchtop serve --listen=10.78.0.2 "
		"--token-file=token",
		NULL,
	};

	add_section(text, "REMOTE HOSTS");
	add_line(text, intro);
	text_add(text, ".PP\n");
	add_line(text,
		"A tunnel by ssh, as root; sshd of the server needs "
		"PermitTunnel yes:");
	add_commands(text, ssh);
	text_add(text, ".PP\n");
	add_line(text,
		"A tunnel by WireGuard, as root. On the server (on the client "
		"swap the addresses, and after the server's key add `endpoint "
		"there:51820`):");
	add_commands(text, wireguard);
}

void manual_write(const struct lab *lab, struct text *text)
{
	const struct registry *registry = &lab->registry;

	add_beginning(text);
	add_options(text);
	add_language(text);
	add_output(text);
	add_shared_cores(text);
	add_remote_hosts(text);
	add_section(text, "VERBS");
	add_verbs(lab, false, text);
	add_section(text, "VERBS OF THE SCREEN");
	add_verbs(lab, true, text);
	add_section(text, "RUN OPTIONS");
	add_rows(common_params, text);
	add_section(text, "LINK SETTINGS");
	add_rows(link_params, text);
	add_section(text, "EXPERIMENTS");
	for (size_t i = 0; i < registry->count; i++)
		add_experiment(registry->list[i], text);
	add_entries(text, "EXIT STATUS", exit_codes);
	add_entries(text, "FILES", files);
	add_entries(text, "ENVIRONMENT", environment);
	add_entries(text, "EXAMPLES", examples);
}
