/*
 * The command language: a table row per verb.
 *
 * Commands come from keys, lines after `:`, scripts and the shell's command
 * line. Each becomes words, finds its row, is checked, and is executed. A
 * command never prints and never exits: it fills a reply. Help, completion and
 * the manual are generated from the rows.
 *
 * check() has no effect. It must find every error that can be known before the
 * run, because a script is checked completely before it is executed.
 */
#ifndef BENCHTOP_COMMAND_H
#define BENCHTOP_COMMAND_H

#include <stdbool.h>

#include "reply.h"
#include "text_layout.h"
#include "words.h"

struct lab;
struct screen;

enum outcome {
	OUTCOME_DONE,
	OUTCOME_WAIT,   /* lab_ended() has the reply later */
	OUTCOME_FAILED, /* reply.error has the reason */
};

/* A statement while it is checked or executed. */
struct call {
	struct lab *lab;
	struct screen *screen; /* that the verb acts on; NULL: none */
	const struct command *command;
	size_t count; /* arguments, without the verb and options */
	char **arg;
	const struct words *words;  /* the statement; NULL: not typed */
	const size_t *index;        /* of each argument in `words` */
	const char *const *options; /* the given options, NULL-terminated */
};

/* The kind of a verb's arguments, for completion. */
enum argument {
	ARGUMENT_NONE,
	ARGUMENT_TEXT,
	ARGUMENT_FILE,
	ARGUMENT_EXPERIMENT, /* a name, then NAME=VALUE of its parameters */
	ARGUMENT_SETTING,    /* EXPERIMENT[{..}], then NAME=VALUE */
	ARGUMENT_GROUP,      /* a group, or all */
	ARGUMENT_TARGET,     /* experiment, group, or several; NAME=VALUE */
	ARGUMENT_COMMON,     /* NAME=VALUE of the common table */
	ARGUMENT_METRIC,     /* EXPERIMENT[.METRIC][{..}] */
	ARGUMENT_VERB,
	ARGUMENT_WORD, /* one of `words` */
	ARGUMENT_LINE,
	ARGUMENT_LINK, /* NAME=VALUE of link_params, --, a program */
};

enum command_flag {
	COMMAND_SCREEN = 1 << 0,   /* needs a live screen */
	COMMAND_RECORDED = 1 << 1, /* changes the lab: `record` writes it */
	COMMAND_MEASURES = 1 << 2, /* skipped after an interrupt */
	COMMAND_READS = 1 << 3,    /* calls call_reads() */
	COMMAND_SHOWS = 1 << 4,    /* words of a shell open the screen on the
				    * result: headless_shows() */
};

struct command {
	const char *name;
	const char *usage;   /* after the name: "EXPERIMENT [NAME=VALUE ...]" */
	const char *help;    /* one sentence */
	const char *example; /* a whole line, for help and the manual */
	size_t least, most;  /* arguments */
	enum argument argument;
	const char *const *words;   /* of ARGUMENT_WORD, and beside files */
	const char *const *options; /* "--json", ..; NULL: none. An option
			      * that ends in = takes a value */
	unsigned flags;
	int (*check)(const struct call *, struct error *); /* may be NULL */
	enum outcome (*exec)(const struct call *, struct reply *);
};

/* Adds the rows of a table. A row without a name ends the table. */
void command_add_table(struct lab *, const struct command *rows);
/* Does the usage already show this option and its value? */
bool command_shows(const struct command *, const char *option);
/* Can the verb be used now? A verb of the screen needs a live screen. */
bool command_works(const struct lab *, const struct command *);
const struct command *command_find(const struct lab *, const char *name);
/* Is it `VERB .. --help`, the same as `help VERB`? Words after -- belong to a
 * program, not to the verb. */
bool command_asks_help(const struct words *);
/* Finds the verb and checks arguments and options, so that command_exec() can
 * follow. On error nothing was changed, and the error has its position. */
int command_check(struct lab *, const struct words *, struct error *);
/* An error during execution has the position of the verb. */
enum outcome command_exec(struct lab *, const struct words *, struct reply *);

/* The value of an option. "": the option has no value. NULL: it is not
 * given. */
const char *call_option(const struct call *, const char *name);
/* The lab's layout; verbose if the option -v is given. */
struct text_layout call_layout(const struct call *);
extern const char call_verbose_option[];
/* Points the error at argument `i`, `offset` bytes into it, and returns -1. */
int call_fault(const struct call *, size_t i, size_t offset, struct error *);

/* Chooses the session that the statement reads. It is the lab's session while
 * the statement is executed. --session= names it; otherwise it is the lab's
 * own. For words of a shell, if that is empty, it is the last kept session, and
 * the remark names it. */
int call_reads(const struct call *, struct reply *);
extern const char call_session_option[];
/* Refuses a statement of a shell's command line whose effect would end with
 * this process. The cure is a line with the statement between those that give
 * it an effect, `before` and `after`; "": none. */
int call_outlives(const struct call *, const char *before, const char *after,
	struct error *);

enum outcome reply_fail(struct reply *, enum status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
