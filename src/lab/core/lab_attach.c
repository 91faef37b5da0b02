/* Parses the arguments of points read from a file. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include "memo.h"
#include "memory.h"

/* Sets point->args from the values in the file. False: a value no longer
 * parses. */
static bool attach_point(const struct experiment *experiment,
	const struct results *results, struct point *point)
{
	struct param_set set;
	struct error error;
	bool good = true;

	param_set_init(&set, experiment->params);
	for (size_t i = 0; i < results->param_count && good; i++)
		good = !param_set_values(&set, results->param_names[i],
			       point->values[i], &error) &&
			param_set_points(&set) == 1;
	if (good) {
		free(point->args);
		point->args = xcalloc(1, experiment->args_size);
		param_set_args(&set, 0, point->args);
		results_own_texts(results, experiment->params, point);
	}
	param_set_free(&set);
	return good;
}

struct session *lab_open_session(const struct lab *lab, const char *name,
	struct error *error)
{
	struct session *session = session_open(name, error);

	for (size_t i = 0; session && i < session->run_count; i++) {
		struct results *results = session->runs[i];

		results->descriptor =
			registry_find(&lab->registry, results->experiment);
		memo_begin(results);
	}
	return session;
}

bool lab_attach(const struct lab *lab, struct results *results)
{
	const struct experiment *experiment =
		registry_find(&lab->registry, results->experiment);

	results->descriptor = experiment;
	memo_begin(results);
	for (size_t i = 0; experiment && i < results->point_count; i++)
		if (!attach_point(experiment, results, &results->points[i]))
			return false;
	return experiment != NULL;
}
