/*
 * The fleet of many session files: its machines, its series, and their figures.
 *
 * Machines are told apart by their host names. A series is an experiment with a
 * setting, and its figure the headline of the metric that `history` shows: the
 * one that the experiment names as watched, or its first. Only figures with
 * enough data count (kept_points.h). If most figures of a series
 * are of shared cores, a machine with a figure alone is compared by its figure
 * beside a co-runner. Figures of a shared core count even if most others are
 * alone: co-runners are a reason why a machine is slow. Of an outlier whose
 * regime is not that of most compared machines, both are shown.
 */
#ifndef BENCHTOP_FLEET_SESSIONS_H
#define BENCHTOP_FLEET_SESSIONS_H

#include "fleet.h"
#include "fleet_groups.h"
#include "fleet_repeated.h"
#include "kept_points.h"
#include "unit.h"

struct fleet_machine {
	const char *name;
	const struct surroundings *surroundings; /* of its last session */
	size_t sessions;
	size_t group; /* of alike machines, the largest is 0 */
};

struct fleet_title {
	const char *experiment, *setting; /* "cpu.syscall", "call=getppid" */
	const char *metric;
	bool named; /* the metric is not the experiment's first: it is shown */
	enum unit unit;
	bool is_rate; /* higher is faster: its figures are inverted */
};

/* The regimes of a machine's figures in a series. */
struct fleet_regime {
	size_t figures, shared; /* all, and those of a shared core */
	double alone; /* fractions of trials alone on the core, their sum .. */
	size_t known; /* .. and number */
};

/* A file or machine without a figure that can be compared, or a series that
 * cannot be tested. */
struct fleet_left_out {
	char *name; /* owned */
	const char *why;
};

struct fleet_sessions {
	/* Those of the registry, set before files are added; NULL: unknown, so
	 * that the first metric counts. */
	const struct experiment *const *experiments;
	struct kept_points points;
	struct fleet_machine *machines; /* by name; owned */
	size_t machine_count;
	struct fleet_title *series; /* by experiment and setting; owned */
	size_t series_count;
	size_t sessions;
	struct fleet_repeated repeated; /* not in `sessions` */
	size_t guests; /* machines with a hypervisor */
	struct fleet_left_out *left_out; /* owned */
	size_t left_out_count;
	struct fleet_regime *regimes; /* like the ratios of `fleet`; owned */
	struct fleet fleet;
};

/* Adds the points of a session file. Call for every file, on an object that is
 * zeroed but for `experiments`. Returns false if the file has no points. */
bool fleet_sessions_add(struct fleet_sessions *, const char *path);
/* Remembers a file that should have been a session with figures. */
void fleet_leave_out(struct fleet_sessions *, const char *name,
	const char *why);
/* Finds the machines that differ. Points that several files have count once. A
 * machine none of whose figures has enough data is left out, and a series that
 * FLEET_LEAST machines measured, if fewer of them have enough data. */
void fleet_sessions_find(struct fleet_sessions *);
void fleet_sessions_free(struct fleet_sessions *);

/* Adds in what a machine's surroundings differ from those of more than half of
 * the machines: "kernel 6.1.0-12, of most 6.1.0-18; microcode ..". At most
 * `most` differences. Not for threads. */
void fleet_say_differences(const struct fleet_sessions *, size_t machine,
	size_t most, struct text *);
/* Adds the experiment and setting of a series: "mem.latency size=4K". A metric
 * that is not the first follows the experiment after a dot. */
void fleet_say_title(const struct fleet_title *, struct text *);
/* Adds the numbers of machines, sessions and series: "6 machines, 6 sessions (1
 * more file repeats one of them, 1 run repeats one of another file), 1
 * series". */
void fleet_say_counts(const struct fleet_sessions *, struct text *);
/* Why no outlier is listed, without a full stop. */
const char *fleet_no_outlier(const struct fleet_sessions *);
/* Adds the title of an outlying series, or the words of another kind. */
void fleet_say_outlier(const struct fleet_sessions *,
	const struct fleet_outlier *, struct text *);
/* Adds the kinds and series in which a machine is an outlier, with its ratios
 * and regimes: "all series together 1.043; mem.latency size=4K 1.982". At most
 * `most` series. */
void fleet_say_outliers(const struct fleet_sessions *, size_t machine,
	size_t most, struct text *);
/* Adds what was left out, and why; nothing if that is nothing: "left out: node3
 * (not enough data), node7.json (no figures), and 2 more". */
void fleet_say_left_out(const struct fleet_sessions *, struct text *);
/* Adds what the machines of a group share: of the largest group the model,
 * firmware and kernel, of others in what they differ from the largest. */
void fleet_say_group(const struct fleet_sessions *, size_t group,
	struct text *);
/* The regimes of a machine's figures in a series. */
struct fleet_regime *fleet_regime_of(const struct fleet_sessions *,
	size_t machine, size_t series);
/* Counts a figure of a machine, compared beside a co-runner or not. */
void fleet_regimes_add(struct fleet_sessions *, size_t machine, size_t series,
	const struct kept_point *, bool beside);
/* The machines most of whose figures in a series are of a shared core. */
size_t fleet_shared(const struct fleet_sessions *, size_t series);
/* Fractions of trials alone on the core: of an outlier, and the median of the
 * machines that it is compared with. NaN: unknown. */
struct fleet_unlike {
	bool is_shared; /* its figures are of a shared core */
	double alone, others_alone;
};
/* True if its figures are of a shared core and those of most of the others are
 * not, or the other way round. */
bool fleet_regime_differs(const struct fleet_sessions *,
	const struct fleet_outlier *, struct fleet_unlike *);
/* Adds " (alone on the core in 1 % of its trials, the others in 97 %)", if the
 * regimes differ. */
void fleet_say_regime(const struct fleet_sessions *,
	const struct fleet_outlier *, struct text *);
/* The order in which a fleet is shown: indices, those with outliers first. */
struct fleet_order {
	size_t *machines, *series; /* owned */
};
void fleet_order_find(const struct fleet_sessions *, struct fleet_order *);
void fleet_order_free(struct fleet_order *);

/* The median figure of a series, in its unit. */
double fleet_centre(const struct fleet_sessions *, size_t series);
/* "series", "overall", "scatter", "surroundings"; in words, "all series
 * together", ..; as a heading of the heat map, "all", .. */
const char *fleet_kind_name(enum fleet_kind);
const char *fleet_kind_words(enum fleet_kind);
const char *fleet_kind_head(enum fleet_kind);
/* Writes the fleet as an object of JSON. */
void fleet_write(const struct fleet_sessions *, struct text *);

#endif
