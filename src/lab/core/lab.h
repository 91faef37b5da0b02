/*
 * The lab: everything the program knows while it runs.
 *
 * One thread owns it. Commands change it, the loop moves its run along, a
 * screen draws it. It starts nothing by itself and measures nothing itself.
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
	const struct command **commands; /* all verbs: command_add_table() */
	size_t command_count;
	struct screen *screen; /* live; NULL: none */

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
	/* Lines: what is in no file of the user's although another session was
	 * loaded since, and where it is. */
	struct text aside;
	FILE *record;     /* the file of `record`; NULL */
	bool interrupted; /* by a signal: nothing more is measured */
	bool one_command; /* words of a shell: it ends after one statement */
	bool quit;
	unsigned version; /* grows with every visible change */
};

void lab_init(struct lab *, const struct experiment *const *probes);
void lab_release(struct lab *);

/* Puts a run behind those that wait; takes the sets over. */
void lab_enqueue(struct lab *, struct queued *);
/* Makes an activity the lab's. None may be in progress. */
void lab_begin(struct lab *, const struct activity *, void *doing);
/* The activity is over, and lab->ended has its reply. */
void lab_activity_over(struct lab *);
/* The same for one that was stopped before it could reply. */
void lab_stopped(struct lab *, const char *sentence);
/* Is an activity in progress, or a run waiting? */
bool lab_busy(const struct lab *);
/* To poll for reading while it is busy; -1: only time. */
int lab_descriptor(const struct lab *);
/* Stops the activity, keeping what was measured; forgets the runs that wait.
 */
void lab_stop(struct lab *);
/* The same at once, killing the worker; what it has published is kept. */
void lab_cut(struct lab *);
/* The packets of the run that goes on, else of the last one of this session
 * that captured: a descriptor for packets_follow(), the lab's own; -1: there
 * are none. *serial is another number when it is another run's; until then the
 * descriptor stays open, though it may become another number itself. */
int lab_packets(const struct lab *, unsigned *serial);
/* Takes the packets of the run that has ended, explains them in its results.
 */
void lab_keep_packets(struct lab *, struct results *);
/* The reply of an activity that has ended since the last call. */
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
/* Makes the autosave file this lab's, under another name if need be. */
void lab_claim_autosave(struct lab *);
/* Saves to the autosave file; lab->autosave_why is why not. */
void lab_autosave(struct lab *);
/* On leaving: where the runs are kept that were measured or recovered here and
 * are in no file of the user's, or why they are lost (STATUS_OUTPUT), and what
 * was set aside. Adds nothing where there are none. */
enum status lab_say_kept(const struct lab *, struct text *);

struct prediction *lab_prediction(struct lab *, const struct experiment *);

#endif
