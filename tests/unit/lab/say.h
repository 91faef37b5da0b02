/* Executes lines in the fixture's lab, and returns the replies. */
#ifndef BENCHTOP_UNIT_SAY_H
#define BENCHTOP_UNIT_SAY_H

#include "lab_fixture.h"
#include "script.h"

/* cmocka's setup and teardown: *state is a lab with a run of cpu.syscall and a
 * sweep of mem.latency. Its state folder does not exist, so nothing is
 * saved. */
int lab_open(void **state);
int lab_close(void **state);

#define WITH_LAB(test) \
	cmocka_unit_test_setup_teardown(test, lab_open, lab_close)

/* Executes one line that must succeed; the caller frees the reply. */
char *said(struct lab *lab, const char *line);
/* Checks one line as a script. Returns the complete error sentence with its
 * place, or "" if the line is correct. Nothing is executed. */
char *checked(struct lab *lab, const char *line);

/* A line that must be refused, the place, and a part of the sentence. */
struct refused {
	const char *line, *place, *says;
};

void assert_refused(struct lab *lab, const struct refused *row);

#endif
