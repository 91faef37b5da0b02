/*
 * The one command language: a table row per verb.
 *
 * A key, a line after `:`, a line of a script and the words on the shell's
 * command line all become words, find a row, are checked, and are executed.
 * A command never prints and never exits: it fills a reply. Help, completion
 * and the manual are made from the rows.
 *
 * check() has no effect and must find everything that can be known before the
 * run: a script is checked whole before its first statement is executed.
 */
#ifndef BENCHTOP_COMMAND_H
#define BENCHTOP_COMMAND_H

#include <stdbool.h>

#include "reply.h"
#include "words.h"

struct lab;
struct screen;

enum outcome {
	OUTCOME_DONE,
	OUTCOME_WAIT,   /* lab_ended() has the reply later */
	OUTCOME_FAILED, /* reply.error says why */
};

/* One statement on its way. */
struct call {
	struct lab *lab;
	struct screen *screen; /* that the verb works on; NULL: none */
	const struct command *command;
	size_t count; /* arguments, without the verb and options */
	char **arg;
	const struct words *words;  /* the statement; NULL: not typed */
	const size_t *index;        /* of each argument among the words */
	const char *const *options; /* those given, NULL-terminated */
};

/* What an argument is, for completion. */
enum argument {
	ARGUMENT_NONE,
	ARGUMENT_TEXT,
	ARGUMENT_FILE,
	ARGUMENT_EXPERIMENT, /* a name, then its NAME=VALUE */
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

/* Adds the rows of a table, which ends with one without a name. */
void command_add_table(struct lab *, const struct command *rows);
/* Does the usage show the row's option already, with its value? */
bool command_shows(const struct command *, const char *option);
/* A verb of the screen works only while there is one. */
bool command_works(const struct lab *, const struct command *);
const struct command *command_find(const struct lab *, const char *name);
/* Finds the verb of a statement, checks arguments and options: prepared for
 * command_exec(). On error nothing has happened; the error has its place. */
int command_check(struct lab *, const struct words *, struct error *);
/* An error during execution has the place of the verb. */
enum outcome command_exec(struct lab *, const struct words *, struct reply *);

/* The value of an option ("" for an option without a value); NULL: not given.
 * */
const char *call_option(const struct call *, const char *name);
/* Points the error at argument `i`, `offset` bytes into it, and returns -1. */
int call_fault(const struct call *, size_t i, size_t offset, struct error *);

/* Makes the session that the statement reads the lab's while it is executed:
 * that of `--session=`; else the lab's own, or for words of a shell, where that
 * is empty, the last that was kept, with a remark which it is. */
int call_reads(const struct call *, struct reply *);
extern const char call_session_option[];
/* Refuses a statement whose effect ends with this command: words of a shell.
 * `effect` completes "`set` ..", `cure` is a line that has the effect. */
int call_outlives(const struct call *, const char *effect, const char *cure,
	struct error *);

enum outcome reply_fail(struct reply *, enum status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
