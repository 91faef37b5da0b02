/* Lines said to the fixture's lab, and what it replies. */
#ifndef BENCHTOP_UNIT_SAY_H
#define BENCHTOP_UNIT_SAY_H

#include "lab_fixture.h"
#include "script.h"

/* cmocka's setup and teardown: *state is a lab with a run of cpu.syscall and
 * a sweep of mem.latency. Whatever it keeps goes to a folder that is not
 * there. */
int lab_open(void **state);
int lab_close(void **state);

#define WITH_LAB(test) \
	cmocka_unit_test_setup_teardown(test, lab_open, lab_close)

/* Executes one line that must succeed; the reply's text is the caller's. */
char *said(struct lab *lab, const char *line);
/* Checks one line as a script: what it says is wrong, as a whole sentence
 * with its place, or "" where it is right. Nothing is executed. */
char *checked(struct lab *lab, const char *line);

/* A line that is refused at a place with a piece of sentence. */
struct refused {
	const char *line, *place, *says;
};

void assert_refused(struct lab *lab, const struct refused *row);

#endif
