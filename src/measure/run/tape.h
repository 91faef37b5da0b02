/*
 * The tape: an append-only array of samples that a worker writes and the lab
 * reads, in a file on tmpfs that outlives both.
 *
 * There is one writer, the current worker. It fills in the next sample and then
 * publishes it with one release store of the length. There is one reader, the
 * lab. It loads the length with acquire order; all samples below it are
 * complete. Samples are never overwritten or dropped, and nothing waits. The
 * tape is sized before the fork, and a launch ends early if it is full.
 *
 * The header describes the measurement, so that `benchtop recover` can make a
 * session of a tape whose lab has died. A running lab holds a lock (flock) on
 * the file: a tape without a lock is orphaned. The tape is removed when the run
 * is in the autosaved session.
 */
#ifndef BENCHTOP_TAPE_H
#define BENCHTOP_TAPE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counter.h"
#include "error.h"
#include "results.h"
#include "sample.h"

enum {
	TAPE_VERSION = 2,
	TAPE_SAMPLES_MAX = 4 << 20, /* of a run: 128 MiB */
	TAPE_LINE_MAX = 8192,
};

/* Activity of the worker, for the message if it dies. */
enum worker_phase {
	PHASE_START,
	PHASE_SETUP,
	PHASE_WARMUP,
	PHASE_TRIALS,
	PHASE_CLEANUP,
	PHASE_END,
};
const char *worker_phase_name(enum worker_phase);

struct tape_header {
	char magic[8]; /* "benchtap" */
	uint32_t version;
	uint32_t header_bytes;   /* samples begin here */
	uint64_t capacity;       /* samples */
	_Atomic uint64_t length; /* samples published */
	_Atomic uint32_t phase;  /* enum worker_phase */
	_Atomic uint32_t alive;  /* increased while the worker makes progress */
	_Atomic uint32_t point;  /* being visited */
	_Atomic uint32_t stop;   /* the lab asks the worker to end early */
	_Atomic uint32_t full;   /* the worker ended early because the tape was
				  * full */
	int32_t fault_signal;    /* the worker's last signal, 0: none */
	uint64_t fault_address;
	int32_t lab_pid;
	uint32_t complete; /* the run ended regularly */
	char experiment[64];
	char started[32];
	char line[TAPE_LINE_MAX]; /* the command line that repeats the run */
	uint64_t seed;
	struct clock_facts clock;
	struct place_facts place;
	struct counted counted;
};

struct tape {
	struct tape_header *header; /* NULL: none */
	struct sample *samples;
	size_t mapped_bytes;
	int fd;
	char *path; /* NULL: not recoverable (no tmpfs) */
};

/* Creates a tape with room for `capacity` samples; the caller fills in the
 * description of the run in the header, and then calls tape_show(). */
int tape_create(struct tape *, uint64_t capacity, struct error *);
/* Gives the tape its name, so that a search for orphans finds only complete
 * tapes, and locked ones while their labs are running. */
void tape_show(struct tape *);
/* Maps another process's tape by its descriptor, which is not kept. */
int tape_attach(struct tape *, int fd, size_t mapped_bytes, struct error *);
/* Makes room for more samples before the next fork. */
int tape_extend(struct tape *, uint64_t capacity, struct error *);
/* Unmaps the tape. With `keep` the file stays for `recover`, else it is
 * removed. */
void tape_close(struct tape *, bool keep);

/* For the writer. tape_room() is the number of samples that still fit. */
void tape_put(struct tape *, const struct sample *);
uint64_t tape_room(const struct tape *);

/* For the reader: samples below this number are complete. */
uint64_t tape_length(const struct tape *);

/* Opens an orphaned tape: a copy of header and samples in memory of this
 * process, so that a file that changes meanwhile does no harm. Checks every
 * value of the header against the size of the file. Fails for a tape whose lab
 * is running. */
int tape_open(struct tape *, const char *path, struct error *);
/* Paths of the tapes in the runtime folders whose lab has ended. The caller
 * frees each path and the array. */
size_t tape_orphans(char ***paths);

#endif
