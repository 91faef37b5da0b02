/* Copies of one measured session, as if of other days or other machines. */
#ifndef BENCHTOP_CLI_COPIES_H
#define BENCHTOP_CLI_COPIES_H

struct copies {
	const char *folder; /* emptied first */
	int count;          /* at most 31 */
	int at;             /* first copy that differs, from 0 */
	double times;       /* medians of these, as a factor */
	const char *name;   /* a text about the machine that changes there .. */
	const char *before, *after; /* .. from this to that */
	const char *hosts;  /* start of the hostnames; NULL: one machine */
};

/* A setup for cmocka: enters the test's folder and measures
 * selftest.adds{links=10} there, for the copies. */
int copies_prepare(void **state);
void copies_make(const struct copies *);

#endif
