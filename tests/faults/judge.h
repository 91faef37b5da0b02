/* What must hold after a fault was injected into a command. */
#ifndef BENCHTOP_FAULT_JUDGE_H
#define BENCHTOP_FAULT_JUDGE_H

#include "commands.h"
#include "inject.h"

/* What the command prints and writes without a fault. */
struct reference {
	char *out;
	char *file; /* NULL: it writes none */
};

/* Executes the command without a fault, in the folder of this process. */
struct reference reference_of(const struct command *command);
void reference_free(struct reference *reference);
/* Adds a line for each violation. */
void judge(const struct command *command, const struct reference *reference,
	const struct injection *injection, const struct injured *injured,
	struct text *violations);

/* ---- for every process that is killed ----------------------------------- */

/* Is it an exit code of HACKING.md? */
bool judge_knows(int status);
/* The trials in a CSV file. */
size_t judge_count(const struct text *csv);
/* recover restores every published trial and removes the tape. */
void judge_tapes(struct text *violations);
/* Every session that was saved by itself can be read. A lab that is killed
 * between claiming a name and saving leaves an empty file. */
void judge_sessions(struct text *violations);

#endif
