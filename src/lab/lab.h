/*
 * The lab: everything the program knows while it runs.
 *
 * One thread owns it. Commands change it, the loop moves its run along, a
 * screen draws it. It starts nothing by itself and measures nothing itself.
 */
#ifndef BENCHTOP_LAB_H
#define BENCHTOP_LAB_H

#include <stdio.h>

#include "annotation.h"
#include "closing.h"
#include "command.h"
#include "common.h"
#include "examine.h"
#include "facts.h"
#include "param.h"
#include "place.h"
#include "published.h"
#include "registry.h"
#include "run.h"
#include "session.h"

struct linked;
struct fork_server;

/* A run that waits for its turn. */
struct queued {
	const struct experiment *experiment;
	struct param_set args;   /* owned */
	struct param_set common; /* owned */
	bool budget_asked;
	bool abba;     /* two points in turns: `ab` */
	bool blocked;  /* visit by visit */
	bool json;     /* the reply is JSON */
	bool of_group; /* left out where it lacks what must be typed, and no
			* failure where it is unavailable */
};

struct lab {
	struct registry registry;
	struct command_table tables[COMMAND_TABLES];
	size_t table_count;
	bool has_screen;

	struct session *session;        /* of this lab, autosaved */
	struct machine machine;         /* this one */
	bool machine_known;             /* it has been read */
	struct param_set common;        /* presets, changed by `set` */
	bool budget_set;                /* by `set` */
	struct prediction *predictions; /* the user's, one per experiment */

	struct places places;
	struct clock_cache *clocks;
	struct fork_server *fork_server; /* main's; NULL: the lab forks */
	struct facts facts;
	struct published_set published; /* of other machines */
	bool published_known;           /* it has been read */
	struct examination examination; /* the doctor's, going or not */
	struct doctor doctor;           /* what it found last; may be empty */
	struct annotation annotation;   /* of a capture file, going or not */
	struct linked *linked;          /* the program of `link`; NULL: none */
	struct run *run;                /* going; NULL: idle */
	bool run_json;                  /* its reply is JSON */
	struct closing closing;         /* ends it, where it is large */
	bool run_of_group;              /* nobody has named it */
	int packets_fd;          /* of the last run that captured; -1: none */
	unsigned packets_serial; /* of runs that captured */
	struct queued *queue;
	size_t queue_count;

	/* What the run that ended last has to say; taken by lab_ended(). */
	struct reply ended;
	bool has_ended;
	bool ended_run; /* it was a run: the session's last */

	char *autosave;        /* path; NULL: not possible here */
	bool autosave_claimed; /* the file is there, and nobody else's */
	char *autosave_why;    /* why not; NULL */
	unsigned autosaves;    /* files chosen for it so far */
	/* Lines: what is in no file of the user's although another session was
	 * loaded since, and where it is. */
	struct text aside;
	FILE *record;     /* the file of `record`; NULL */
	bool interrupted; /* by a signal: nothing more is measured */
	bool quit;
	unsigned version; /* grows with every visible change */
};

void lab_init(struct lab *, const struct experiment *const *probes);
void lab_release(struct lab *);
void lab_add_table(struct lab *, const struct command *rows, void *self);
/* Gives the commands of a table something to work on. */
void lab_bind_table(struct lab *, const struct command *rows, void *self);

/* Can the line that repeats it be kept with the run, by the session and the
 * tape, whole? 0, or -1 with a sentence. */
int lab_check_line(const struct queued *, struct error *);
/* Puts a run behind those that wait; takes the sets over. */
void lab_enqueue(struct lab *, struct queued *);
/* Is a run going or waiting, the doctor at work, a file being read, a program
 * on a link? */
bool lab_busy(const struct lab *);
/* To poll for reading while it is busy; -1: only time. */
int lab_descriptor(const struct lab *);
/* Moves the present run along and begins the next: call when its descriptor
 * is readable, and ten times a second while lab_busy(). */
void lab_step(struct lab *);
/* Stops the present run, keeping what was measured; forgets those that wait.
 */
void lab_stop(struct lab *);
/* The same at once, killing the worker; what it has published is kept. */
void lab_cut(struct lab *);
/* The packets of the run that goes on, else of the last one of this session
 * that captured: a descriptor for packets_follow(), the lab's own; -1: there
 * are none. *serial is another number when it is another run's; until then the
 * descriptor stays open, though it may become another number itself. */
int lab_packets(const struct lab *, unsigned *serial);
/* The reply of a run that has ended since the last call: text and error. */
bool lab_ended(struct lab *, struct reply *);
/* Kills what runs, for leaving at once. */
void lab_abandon(struct lab *);

/* This machine, and facts about it, read on first use (tens of
 * milliseconds). */
const struct machine *lab_machine(struct lab *);
const struct facts *lab_facts(struct lab *);
/* The facts as they were when run `i` of a session ended: its machine, its
 * clock, the runs before it. */
void lab_facts_of(const struct session *, size_t i, struct facts *);
/* Replaces the session; a run must not be going. What is in no file of the
 * user's stays in the autosaved one, which is set aside and said in
 * lab->aside; -1 where it is in none, and nothing is replaced then. Takes the
 * session over. */
int lab_use_session(struct lab *, struct session *, struct error *);
/* Is the session of this machine? One of another is not continued. */
int lab_check_machine(struct lab *, struct error *);
/* session_open(); runs of known experiments are given their descriptors. */
struct session *lab_open_session(const struct lab *, const char *name,
	struct error *);
/* Gives results read from a file their descriptor and arguments, so that
 * experiments can look at them again; false where they do not parse any
 * more. */
bool lab_attach(const struct lab *, struct results *);
/* Saves to the autosave file; lab->autosave_why is why not. */
void lab_autosave(struct lab *);
/* On leaving: where the runs are kept that were measured or recovered here and
 * are in no file of the user's, or why they are lost (STATUS_OUTPUT), and what
 * was set aside. Adds nothing where there are none. */
enum status lab_say_kept(const struct lab *, struct text *);

struct prediction *lab_prediction(struct lab *, const struct experiment *);
/* Appends a statement to the file of `record`, if there is one. */
void lab_record(struct lab *, const struct words *);

#endif
