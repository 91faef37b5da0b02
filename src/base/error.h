/*
 * How benchtop reports failures: one sentence, a status and a place.
 *
 * A function that can fail takes a struct error and returns -1 after
 * error_set(); on success it leaves the struct alone. The sentence begins with
 * the error, in lower case and without a full stop. It quotes the subject, then
 * states what was expected or the cure:
 *     cannot open raw socket: needs CAP_NET_RAW
 * The status is the exit code of the program if no caller handles the error
 * (the table is in HACKING.md and the manual page).
 */
#ifndef BENCHTOP_ERROR_H
#define BENCHTOP_ERROR_H

#include <stdarg.h>

enum status {
	STATUS_OK = 0,
	STATUS_EXPECT = 1,        /* an expectation of a script did not hold */
	STATUS_USAGE = 2,         /* wrong word, parameter or command */
	STATUS_INPUT = 3,         /* unreadable or malformed input */
	STATUS_PERMISSION = 4,    /* not permitted or missing */
	STATUS_WORKER = 5,        /* the worker died or timed out */
	STATUS_NETWORK = 6,       /* a peer or the network failed */
	STATUS_AGAIN = 7,         /* undecided: measure again */
	STATUS_INTERNAL = 70,     /* a bug; the terminal is restored */
	STATUS_OUTPUT = 74,       /* saving or printing failed */
	STATUS_SIGNAL = 128,      /* plus the number of the signal */
	STATUS_HUNG_UP = 129,     /* SIGHUP; what was measured is kept */
	STATUS_INTERRUPTED = 130, /* SIGINT; what was measured is kept */
	STATUS_TERMINATED = 143,  /* SIGTERM; what was measured is kept */
};

struct error {
	enum status status;
	int line;   /* of the file or script, from 1; 0: no place */
	int column; /* from 1; 0: no place */
	char message[480];
};

/* Fills in the error and returns -1. The message is safe for a terminal:
 * text_add_safe(). */
int error_set(struct error *, enum status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int error_vset(struct error *, enum status, const char *format, va_list)
	__attribute__((format(printf, 3, 0)));

#endif
