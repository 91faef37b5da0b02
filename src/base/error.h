/*
 * How benchtop fails: one sentence, a status, and where it stands.
 *
 * A function that can fail takes a struct error and returns -1 after
 * error_set(); on success it leaves the struct alone. The sentence says the
 * error first, in lower case and without a full stop, quotes the subject and
 * then says what was expected or what would cure it:
 *     cannot open raw socket: needs CAP_NET_RAW
 * The status is the exit code of the program when nobody handles the error
 * (the table is in HACKING.md and the manual page).
 */
#ifndef BENCHTOP_ERROR_H
#define BENCHTOP_ERROR_H

#include <stdarg.h>

enum status {
	STATUS_OK = 0,
	STATUS_EXPECT = 1,        /* an expectation of a script did not hold */
	STATUS_USAGE = 2,         /* a word, a parameter, a command */
	STATUS_INPUT = 3,         /* a file that cannot be read as what it is */
	STATUS_PERMISSION = 4,    /* required, and not permitted or not there */
	STATUS_WORKER = 5,        /* the worker died or timed out */
	STATUS_NETWORK = 6,       /* a peer or the network */
	STATUS_AGAIN = 7,         /* undecided: measure again */
	STATUS_INTERNAL = 70,     /* a bug; the terminal is restored */
	STATUS_OUTPUT = 74,       /* saving or printing failed */
	STATUS_INTERRUPTED = 130, /* SIGINT; what was measured is kept */
	STATUS_TERMINATED = 143,  /* SIGTERM; what was measured is kept */
};

struct error {
	enum status status;
	int line;   /* of the file or script, from 1; 0: no place */
	int column; /* from 1; 0: no place */
	char message[480];
};

/* Fills in the error and returns -1. */
int error_set(struct error *, enum status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int error_vset(struct error *, enum status, const char *format, va_list)
	__attribute__((format(printf, 3, 0)));

#endif
