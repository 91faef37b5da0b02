/* The manual page, generated from the tables. */
#include "manual.h"

#include <string.h>

#include "expect.h"
#include "lab.h"
#include "link_params.h"
#include "manual_texts.h"
#include "options.h"
#include "version.h"

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
		".ad l\n", benchtop_version);
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
	add_section(text, "SHARED CORES");
	for (size_t i = 0; manual_shared_cores[i]; i++) {
		text_add(text, "%s", i ? ".PP\n" : "");
		add_line(text, manual_shared_cores[i]);
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
	add_entries(text, "EXIT STATUS", manual_exit_codes);
	add_entries(text, "FILES", manual_files);
	add_entries(text, "ENVIRONMENT", manual_environment);
	add_entries(text, "EXAMPLES", manual_examples);
}
