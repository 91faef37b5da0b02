/* The parts of the manual page that are written, not generated. Each list ends
 * with NULL. */
#ifndef BENCHTOP_MANUAL_TEXTS_H
#define BENCHTOP_MANUAL_TEXTS_H

/* A term of a list and its meaning. */
struct entry {
	const char *term, *meaning;
};

extern const struct entry manual_exit_codes[];
extern const struct entry manual_files[];
extern const struct entry manual_environment[];
extern const struct entry manual_examples[];

/* Paragraphs. */
extern const char *const manual_shared_cores[];

#endif
