/* The fleet of many session files. */
#include "fleet_sessions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Expected spread of good machines; of guests, as when sessions are compared
 * (compare_sessions.h). */
static const double spread_metal = .01, spread_guest = .05;

bool fleet_sessions_add(struct fleet_sessions *sessions, const char *path)
{
	struct kept_points *points = &sessions->points;
	size_t before = points->count;

	kept_points_watched(path, sessions->experiments, points);
	if (points->count == before)
		return false;
	for (size_t i = before; i < points->count; i++)
		points->list[i].session = sessions->sessions;
	sessions->sessions++;
	return true;
}

static bool is_rate(enum unit unit)
{
	return unit == UNIT_HZ || unit == UNIT_BYTES_PER_S ||
		unit == UNIT_BITS_PER_S;
}

/* ---- machines --------------------------------------------------------- */

static const char *host_of(const struct kept_point *point)
{
	const char *host = point->surroundings->host;

	return host ? host : "";
}

static int by_host(const void *a, const void *b)
{
	const struct kept_point *one = *(const struct kept_point *const *)a;
	const struct kept_point *other = *(const struct kept_point *const *)b;
	int order = strcmp(host_of(one), host_of(other));

	return order ? order :
		one->session < other->session ? -1 :
						one->session > other->session;
}

static bool is_guest(const struct surroundings *surroundings)
{
	const char *hypervisor = surroundings->value[SURROUNDING_HYPERVISOR];

	return hypervisor && *hypervisor;
}

/* `points` are in the order of hosts and sessions; of[i] becomes the machine of
 * points[i]. */
static void name_machines(struct fleet_sessions *sessions,
	const struct kept_point *const *points, size_t count, size_t *of)
{
	for (size_t i = 0; i < count; i++) {
		const struct kept_point *last = i ? points[i - 1] : NULL;
		bool another =
			!last || strcmp(host_of(last), host_of(points[i])) != 0;

		if (another) {
			ARRAY_GROW(sessions->machines, sessions->machine_count);
			sessions->machines[sessions->machine_count++] =
				(struct fleet_machine){
					.name = host_of(points[i]),
				};
		}
		struct fleet_machine *machine =
			&sessions->machines[sessions->machine_count - 1];
		machine->surroundings = points[i]->surroundings;
		machine->sessions +=
			another || last->session != points[i]->session;
		of[i] = sessions->machine_count - 1;
	}
	for (size_t i = 0; i < sessions->machine_count; i++)
		sessions->guests +=
			is_guest(sessions->machines[i].surroundings);
}

/* Returns the group of each machine; to be freed. */
static size_t *group_machines(struct fleet_sessions *sessions)
{
	size_t count = sessions->machine_count;
	size_t *groups = xcalloc(count + 1, sizeof *groups);
	const struct surroundings **list = xcalloc(count + 1, sizeof *list);

	for (size_t i = 0; i < count; i++)
		list[i] = sessions->machines[i].surroundings;
	fleet_groups_find(list, count, groups);
	for (size_t i = 0; i < count; i++)
		sessions->machines[i].group = groups[i];
	free(list);
	return groups;
}

static int by_machine(const void *host, const void *machine)
{
	return strcmp(host, ((const struct fleet_machine *)machine)->name);
}

void fleet_leave_out(struct fleet_sessions *sessions, const char *name,
	const char *why)
{
	ARRAY_GROW(sessions->left_out, sessions->left_out_count);
	sessions->left_out[sessions->left_out_count++] =
		(struct fleet_left_out){ xstrdup(name), why };
}

/* ---- series ----------------------------------------------------------- */

struct placed {
	const struct kept_point *point;
	size_t machine;
	bool beside; /* compared by its figure beside a co-runner */
};

/* Without `named`. */
static struct fleet_title title_of(const struct kept_point *point)
{
	return (struct fleet_title){ point->experiment, point->setting,
		point->metric, false, point->unit, is_rate(point->unit) };
}

static int title_order(const struct fleet_title *a, const struct fleet_title *b)
{
	int order = strcmp(a->experiment, b->experiment);

	if (!order)
		order = strcmp(a->setting, b->setting);
	if (!order)
		order = strcmp(a->metric, b->metric);
	return order ? order :
		a->unit < b->unit ? -1 :
				    a->unit > b->unit;
}

static int same_series(const struct kept_point *a, const struct kept_point *b)
{
	const struct fleet_title one = title_of(a), other = title_of(b);

	return title_order(&one, &other);
}

static int by_title(const void *point, const void *title)
{
	const struct fleet_title own = title_of(point);

	return title_order(&own, title);
}

static int by_series(const void *a, const void *b)
{
	const struct placed *one = a, *other = b;

	return same_series(one->point, other->point);
}

static bool is_beside(const struct kept_point *point)
{
	return point->regime == REGIME_SHARED;
}

/* If most figures of a series are of shared cores, the others are replaced by
 * their figures beside a co-runner where these have an interval. The reverse is
 * not possible: a shared headline means that there is no figure alone. */
static void choose_regime(struct placed *series, size_t count)
{
	size_t beside = 0;

	for (size_t i = 0; i < count; i++)
		beside += is_beside(series[i].point);
	for (size_t i = 0; i < count; i++) {
		const struct kept_point *point = series[i].point;

		series[i].beside = is_beside(point) ||
			(2 * beside > count && point->shared.has_interval &&
				point->shared.median > 0);
	}
}

static void choose_regimes(struct placed *placed, size_t count)
{
	for (size_t first = 0, i = 1; i <= count; i++)
		if (i == count ||
			same_series(placed[first].point, placed[i].point)) {
			choose_regime(placed + first, i - first);
			first = i;
		}
}

/* Launch medians are of the headline. */
static struct fleet_figure figure_of(const struct placed *placed, size_t series,
	bool rate)
{
	const struct kept_point *point = placed->point;
	bool headline = placed->beside == is_beside(point);
	double median =
		headline ? point->headline.median : point->shared.median;

	return (struct fleet_figure){
		.machine = placed->machine,
		.series = series,
		.value = rate ? 1 / median : median,
		.launches = headline ? point->launches : NULL,
		.launch_count = headline ? point->launch_count : 0,
	};
}

/* Is it of a metric that the experiment names, instead of its first? */
static bool is_named(const struct fleet_sessions *sessions,
	const struct kept_point *point)
{
	return kept_watched(sessions->experiments, point->experiment) != NULL;
}

static struct fleet_title named_title(const struct fleet_sessions *sessions,
	const struct kept_point *point)
{
	struct fleet_title title = title_of(point);

	title.named = is_named(sessions, point);
	return title;
}

static void analyse(struct fleet_sessions *sessions, struct placed *placed,
	size_t count)
{
	struct fleet_figure *figures = xcalloc(count + 1, sizeof *figures);
	size_t *groups = group_machines(sessions);

	choose_regimes(placed, count);
	for (size_t i = 0; i < count; i++) {
		const struct kept_point *point = placed[i].point;

		if (!i || same_series(placed[i - 1].point, point)) {
			ARRAY_GROW(sessions->series, sessions->series_count);
			sessions->series[sessions->series_count++] =
				named_title(sessions, point);
		}
		figures[i] = figure_of(&placed[i], sessions->series_count - 1,
			is_rate(point->unit));
	}
	sessions->regimes = xcalloc(
		sessions->machine_count * sessions->series_count + 1,
		sizeof *sessions->regimes);
	for (size_t i = 0; i < count; i++)
		fleet_regimes_add(sessions, figures[i].machine,
			figures[i].series, placed[i].point, placed[i].beside);
	fleet_find(figures, count, groups,
		2 * sessions->guests > sessions->machine_count ? spread_guest :
								 spread_metal,
		&sessions->fleet);
	free(groups);
	free(figures);
}

static bool counts(const struct kept_point *point)
{
	return point->headline.median > 0 &&
		point->quality != QUALITY_NOT_ENOUGH;
}

/* Chooses the points of the fleet, without repeated ones. Those that do not
 * count end the list, from `rest` on. Returns the number of those that do. */
static size_t choose_points(struct fleet_sessions *sessions,
	const struct kept_point **points, size_t *rest)
{
	const struct kept_points *all = &sessions->points;
	bool *repeated = kept_points_repeated(all);
	size_t count = 0;

	*rest = all->count;
	for (size_t i = 0; i < all->count; i++)
		if (repeated[i])
			continue;
		else if (counts(&all->list[i]))
			points[count++] = &all->list[i];
		else
			points[--*rest] = &all->list[i];
	fleet_count_repeated(all, repeated, &sessions->repeated);
	sessions->sessions -= sessions->repeated.files;
	free(repeated);
	return count;
}

/* ---- what is left out -------------------------------------------------- */

static const struct fleet_machine *machine_of(
	const struct fleet_sessions *sessions, const char *host)
{
	if (!sessions->machine_count)
		return NULL;
	return bsearch(host, sessions->machines, sessions->machine_count,
		sizeof *sessions->machines, by_machine);
}

/* `points` are those that do not count. */
static void leave_out_machines(struct fleet_sessions *sessions,
	const struct kept_point **points, size_t count)
{
	qsort(points, count, sizeof *points, by_host);
	for (size_t i = 0; i < count; i++) {
		const char *host = host_of(points[i]);

		if (i && !strcmp(host_of(points[i - 1]), host))
			continue;
		if (!machine_of(sessions, host))
			fleet_leave_out(sessions, host, "not enough data");
	}
}

static int by_series_and_host(const void *a, const void *b)
{
	int order = same_series(*(const struct kept_point *const *)a,
		*(const struct kept_point *const *)b);

	return order ? order : by_host(a, b);
}

/* Counts the machines of `points`, in the order of hosts, that have no other
 * figure in the series `title`. */
static size_t count_lacking(const struct fleet_sessions *sessions,
	const struct fleet_title *title,
	const struct kept_point *const *points, size_t count)
{
	size_t lacking = 0;

	for (size_t i = 0; i < count; i++) {
		const char *host = host_of(points[i]);
		const struct fleet_machine *machine =
			machine_of(sessions, host);

		if (i && !strcmp(host_of(points[i - 1]), host))
			continue;
		if (!machine || !title ||
			!fleet_regime_of(sessions,
				(size_t)(machine - sessions->machines),
				(size_t)(title - sessions->series))
				 ->figures)
			lacking++;
	}
	return lacking;
}

/* Leaves out a series that FLEET_LEAST machines measured, if fewer of them have
 * enough data. `points` are those of the series that do not count. */
static void leave_out_one(struct fleet_sessions *sessions,
	const struct kept_point *const *points, size_t count)
{
	const struct fleet_title *title = !sessions->series_count ?
		NULL :
		bsearch(points[0], sessions->series, sessions->series_count,
			sizeof *sessions->series, by_title);
	size_t have = title ? sessions->fleet.series[title - sessions->series]
				      .machines :
			      0;

	if (have >= FLEET_LEAST ||
		have + count_lacking(sessions, title, points, count) <
			FLEET_LEAST)
		return;
	struct fleet_title named = named_title(sessions, points[0]);
	struct text name = { 0 };
	fleet_say_title(&named, &name);
	fleet_leave_out(sessions, text_chars(&name),
		"fewer than 3 machines have enough data");
	text_free(&name);
}

static void leave_out_series(struct fleet_sessions *sessions,
	const struct kept_point **points, size_t count)
{
	qsort(points, count, sizeof *points, by_series_and_host);
	for (size_t first = 0, i = 1; i <= count; i++)
		if (i == count || same_series(points[first], points[i])) {
			leave_out_one(sessions, points + first, i - first);
			first = i;
		}
}

void fleet_sessions_find(struct fleet_sessions *sessions)
{
	const struct kept_points *all = &sessions->points;
	const struct kept_point **points =
		xcalloc(all->count + 1, sizeof *points);
	struct placed *placed = xcalloc(all->count + 1, sizeof *placed);
	size_t *of = xcalloc(all->count + 1, sizeof *of), rest;
	size_t count = choose_points(sessions, points, &rest);

	qsort(points, count, sizeof *points, by_host);
	name_machines(sessions, points, count, of);
	for (size_t i = 0; i < count; i++)
		placed[i] = (struct placed){ points[i], of[i], false };
	qsort(placed, count, sizeof *placed, by_series);
	analyse(sessions, placed, count);
	leave_out_machines(sessions, points + rest, all->count - rest);
	leave_out_series(sessions, points + rest, all->count - rest);
	free(points);
	free(placed);
	free(of);
}

void fleet_sessions_free(struct fleet_sessions *sessions)
{
	kept_points_free(&sessions->points);
	for (size_t i = 0; i < sessions->left_out_count; i++)
		free(sessions->left_out[i].name);
	free(sessions->left_out);
	free(sessions->machines);
	free(sessions->series);
	free(sessions->regimes);
	fleet_free(&sessions->fleet);
	*sessions = (struct fleet_sessions){ 0 };
}

double fleet_centre(const struct fleet_sessions *sessions, size_t series)
{
	double centre = sessions->fleet.series[series].centre;

	return sessions->series[series].is_rate ? 1 / centre : centre;
}
