/*
 * The lab: the state of the program while it runs.
 *
 * One thread owns the lab. Commands change it, the loop steps its activity, and
 * a screen draws it. The lab starts nothing by itself. Measurements run only in
 * worker processes.
 */
#ifndef BENCHTOP_LAB_H
#define BENCHTOP_LAB_H

#include <stdio.h>
#include <time.h>

#include "capture_file.h"
#include "common.h"
#include "doctor.h"
#include "facts.h"
#include "gap.h"
#include "many.h"
#include "text_layout.h"
#include "param.h"
#include "place.h"
#include "published.h"
#include "registry.h"
#include "reply.h"
#include "run.h"
#include "session.h"

struct activity;
struct command;
struct screen;

/* A file that this lab saved by name, as it was then. */
struct saved_file {
	char *path; /* without symbolic links, owned */
	struct file_mark mark;
};

/* A queued run. */
struct queued {
	const struct experiment *experiment;
	struct param_set args;   /* owned */
	struct param_set common; /* owned */
	bool budget_asked;
	bool abba;     /* two points in turns: `ab` */
	bool blocked;  /* visit by visit */
	bool json;     /* the reply is JSON */
	bool verbose;  /* the reply shows everything */
	bool of_group; /* if it cannot run, it is skipped and not failed */
};

struct lab {
	struct registry registry;
	const struct command **commands; /* all verbs: command_add_table() */
	size_t command_count;
	struct screen *screen; /* live; NULL: none */

	struct text_layout layout; /* of the replies' text */

	struct session *session;        /* the lab's own, autosaved */
	struct machine machine;         /* of this machine */
	bool machine_known;             /* machine has been read */
	struct param_set common;        /* presets, changed by `set` */
	bool budget_set;                /* by `set` */
	struct prediction *predictions; /* the user's, one per experiment */

	struct places places;
	struct clock_cache *clocks;
	bool executes; /* workers execute the program; launch.h */
	struct facts facts;
	struct published_set published; /* of other machines */
	bool published_known;           /* published has been read */
	struct doctor doctor;           /* the last findings; may be empty */
	time_t doctor_at;               /* time of those findings; 0: never */
	struct gap_facts gaps;          /* measured last; watched_s 0: never */
	struct capture_file capture_file;
	struct many many; /* for the screen */
	int packets_fd;          /* of the last captured run; -1: none */
	unsigned packets_serial; /* changes with the captured run */

	const struct activity *activity; /* in progress; NULL: none */
	void *doing;                     /* its state, owned by the activity */
	struct run *run; /* the activity, if it is a run; else NULL */
	struct queued *queue;
	size_t queue_count;

	/* The reply of the activity that ended last; see lab_ended(). */
	struct reply ended;
	bool has_ended;
	bool ended_run; /* the activity was a run: the session's last */
	bool printed_results, printed_short; /* as text; some in brief */

	char *autosave;        /* path; NULL: autosave is not possible */
	bool autosave_named;   /* the file is among the kept sessions; before,
				* it has a hidden name */
	struct file_mark autosave_mark; /* as it was saved last */
	char *autosave_why;    /* reason of the last failure; NULL: none */
	struct timespec began;    /* since then, other labs may save files */
	struct saved_file *saved; /* owned */
	size_t saved_count;
	bool left_tapes;       /* of runs that could not be saved */
	/* One line for each replaced session that the user did not save: its
	 * number of runs, or "notes", and its file. */
	struct text aside;
	FILE *record;     /* the file of `record`; NULL */
	bool interrupted; /* by a signal: start no further measurement */
	bool one_command; /* words of a shell: exit after one statement */
	bool screen_follows; /* a screen opens on the present statement */
	bool quit;
	unsigned version; /* grows with every visible change */
};

/* Also calls lab_tidy(). */
void lab_init(struct lab *, const struct experiment *const *probes);
void lab_release(struct lab *);
/* Removes what killed labs and workers left behind: files, control groups. */
void lab_tidy(const struct lab *);

/* Appends a run to the queue. Takes ownership of the parameter sets. */
void lab_enqueue(struct lab *, struct queued *);
/* Sets the lab's activity and its state `doing`. None may be in progress. */
void lab_begin(struct lab *, const struct activity *, void *doing);
/* Ends the activity. lab->ended must have its reply. */
void lab_activity_over(struct lab *);
/* Ends an activity that was stopped before it could reply. The reply is an
 * error with this sentence. */
void lab_stopped(struct lab *, const char *sentence);
/* Is an activity in progress, or a run waiting? */
bool lab_busy(const struct lab *);
/* Does a run wait that the next step begins? */
bool lab_can_begin(const struct lab *);
/* Descriptor to poll for reading while the lab is busy. -1: none; only timed
 * steps are needed. */
int lab_descriptor(const struct lab *);
/* Stops the activity and keeps its data; empties the queue. */
void lab_stop(struct lab *);
/* Stops the activity at once and kills the worker. The data on the worker's
 * tape is kept; the queue is emptied. */
void lab_cut(struct lab *);
/* Returns a descriptor for packets_follow(), owned by the lab; -1: none. It
 * holds the packets of the present run, or else of the session's last captured
 * run. *serial changes with the run. Until *serial changes the descriptor stays
 * open, though its number may change. */
int lab_packets(const struct lab *, unsigned *serial);
/* Takes the packets of the ended run and annotates them in its results. */
void lab_keep_packets(struct lab *, struct results *);
/* Takes the reply of an activity that has ended since the last call; false if
 * there is none. */
bool lab_ended(struct lab *, struct reply *);
/* Kills the activity, for an immediate exit. */
void lab_abandon(struct lab *);

/* This machine and the facts about it. Both are read on first use, which takes
 * tens of milliseconds. */
const struct machine *lab_machine(struct lab *);
const struct facts *lab_facts(struct lab *);
/* The facts at the end of run `i` of a session: the session's machine, its
 * clock, and the runs before `i`. */
void lab_facts_of(const struct session *, size_t i, struct facts *);
/* Replaces the session and takes ownership. No run may be in progress. Unsaved
 * runs stay in the autosave file, and lab->aside names it. Returns -1 and
 * replaces nothing if unsaved runs are in no file. */
int lab_use_session(struct lab *, struct session *, struct error *);
/* Fails if the session is from another machine. Such a session cannot be
 * continued. */
int lab_check_machine(struct lab *, struct error *);
/* Like session_open(), and sets the descriptors of runs with known
 * experiments. */
struct session *lab_open_session(const struct lab *, const char *name,
	struct error *);
/* Sets the descriptor and arguments of results read from a file, so that
 * experiments can derive findings again; false if they no longer parse. */
bool lab_attach(const struct lab *, struct results *);
/* Saves the session by name, like session_save(). Without `force` it also
 * refuses a file that another lab saved since this lab loaded or saved it, or
 * else since this lab began. */
int lab_save(struct lab *, const char *path, bool force, struct error *);
/* Saves to the autosave file, unless the session has neither a trial nor a
 * note. On failure lab->autosave_why has the reason. */
void lab_autosave(struct lab *);
/* The same in two steps, of which a child may do the first: the session has
 * its name, and with it the last number, when its file is complete. */
void lab_autosave_unnamed(struct lab *);
void lab_autosave_name(struct lab *);
/* Chooses another autosave file if another process changed the present one,
 * and reports that in lab->aside. Before lab_autosave_unnamed(). */
void lab_autosave_yield(struct lab *);
/* Ends autosaving: the folder has not answered for so long that a further
 * access could block the lab without an end. */
void lab_autosave_end(struct lab *, int waited_s);
/* For the exit: reports where unsaved runs are kept, or why runs or notes are
 * not (STATUS_OUTPUT), after lab->aside. Adds nothing if all are saved. */
enum status lab_say_kept(const struct lab *, struct text *);

struct prediction *lab_prediction(struct lab *, const struct experiment *);

#endif
