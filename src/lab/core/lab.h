/*
 * The lab: the state of the program while it runs.
 *
 * One thread owns it. Commands change it, the loop steps its run, a screen
 * draws it. It starts nothing by itself, and measurements happen in workers
 * only.
 */
#ifndef BENCHTOP_LAB_H
#define BENCHTOP_LAB_H

#include <stdio.h>

#include "capture_file.h"
#include "common.h"
#include "doctor.h"
#include "facts.h"
#include "gap.h"
#include "param.h"
#include "place.h"
#include "published.h"
#include "registry.h"
#include "reply.h"
#include "run.h"
#include "session.h"

struct activity;
struct command;
struct fork_server;
struct screen;

/* A queued run. */
struct queued {
	const struct experiment *experiment;
	struct param_set args;   /* owned */
	struct param_set common; /* owned */
	bool budget_asked;
	bool abba;     /* two points in turns: `ab` */
	bool blocked;  /* visit by visit */
	bool json;     /* the reply is JSON */
	bool of_group; /* skipped, not failed, if it cannot run */
};

struct lab {
	struct registry registry;
	const struct command **commands; /* all verbs: command_add_table() */
	size_t command_count;
	struct screen *screen; /* live; NULL: none */

	struct session *session;        /* of this lab, autosaved */
	struct machine machine;         /* of this machine */
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
	struct doctor doctor;           /* its last findings; may be empty */
	struct gap_facts gaps;          /* its last; watched_s 0: none */
	struct capture_file capture_file;
	int packets_fd;          /* of the last run that captured; -1: none */
	unsigned packets_serial; /* of runs that captured */

	const struct activity *activity; /* in progress; NULL: none */
	void *doing;                     /* its state, owned by it */
	struct run *run; /* in progress, if the activity is one; else NULL */
	struct queued *queue;
	size_t queue_count;

	/* The reply of the activity that ended last; see lab_ended(). */
	struct reply ended;
	bool has_ended;
	bool ended_run; /* it was a run: the session's last */

	char *autosave;        /* path; NULL: not possible here */
	bool autosave_claimed; /* the file is there, and nobody else's */
	char *autosave_why;    /* why not; NULL */
	unsigned autosaves;    /* files chosen for it so far */
	/* Lines: runs and notes of replaced sessions that the user did not
	 * save, and where they are kept. */
	struct text aside;
	FILE *record;     /* the file of `record`; NULL */
	bool interrupted; /* by a signal: nothing more is measured */
	bool one_command; /* words of a shell: it ends after one statement */
	bool quit;
	unsigned version; /* grows with every visible change */
};

void lab_init(struct lab *, const struct experiment *const *probes);
void lab_release(struct lab *);

/* Appends a run to the queue; takes ownership of the sets. */
void lab_enqueue(struct lab *, struct queued *);
/* Makes an activity the lab's. None may be in progress. */
void lab_begin(struct lab *, const struct activity *, void *doing);
/* The activity is over, and lab->ended has its reply. */
void lab_activity_over(struct lab *);
/* The same for an activity that was stopped before it could reply. */
void lab_stopped(struct lab *, const char *sentence);
/* Is an activity in progress, or a run waiting? */
bool lab_busy(const struct lab *);
/* To poll for reading while it is busy; -1: only time. */
int lab_descriptor(const struct lab *);
/* Stops the activity and keeps its data; empties the queue. */
void lab_stop(struct lab *);
/* The same at once, killing the worker; the data on its tape is kept. */
void lab_cut(struct lab *);
/* The packets of the present run, else of the last captured run of this
 * session: a descriptor for packets_follow(), owned by the lab; -1: none.
 * *serial changes with the run. Until then the descriptor stays open, though
 * its number may change. */
int lab_packets(const struct lab *, unsigned *serial);
/* Takes the packets of the ended run and explains them in its results. */
void lab_keep_packets(struct lab *, struct results *);
/* The reply of an activity that has ended since the last call. */
bool lab_ended(struct lab *, struct reply *);
/* Kills the activity, to leave at once. */
void lab_abandon(struct lab *);

/* This machine, and facts about it, read on first use (tens of
 * milliseconds). */
const struct machine *lab_machine(struct lab *);
const struct facts *lab_facts(struct lab *);
/* The facts as they were when run `i` of a session ended: its machine, its
 * clock, the runs before it. */
void lab_facts_of(const struct session *, size_t i, struct facts *);
/* Replaces the session and takes ownership; no run may be in progress. Unsaved
 * runs stay in the autosave file, which lab->aside names. -1: they are in no
 * file, and nothing is replaced. */
int lab_use_session(struct lab *, struct session *, struct error *);
/* Is the session from this machine? A session from another machine cannot be
 * continued. */
int lab_check_machine(struct lab *, struct error *);
/* session_open(); runs of known experiments get their descriptors. */
struct session *lab_open_session(const struct lab *, const char *name,
	struct error *);
/* Sets the descriptor and arguments of results read from a file, so that
 * experiments can derive findings again; false if they no longer parse. */
bool lab_attach(const struct lab *, struct results *);
/* Claims the autosave file for this lab, under another name if it is taken. */
void lab_claim_autosave(struct lab *);
/* Saves to the autosave file; lab->autosave_why is why not. */
void lab_autosave(struct lab *);
/* On leaving: where unsaved runs are kept, or why they are lost
 * (STATUS_OUTPUT), and lab->aside. Adds nothing if all runs are saved. */
enum status lab_say_kept(const struct lab *, struct text *);

struct prediction *lab_prediction(struct lab *, const struct experiment *);

#endif
