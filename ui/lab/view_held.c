/* The prediction that applies to a point, and how many of a user's predictions
 * held. */
#include "judgement.h"
#include "view_lab.h"

const struct prediction *view_predicted(const struct results *results,
	size_t point)
{
	/* The model's prediction for the first point is stored with the run. */
	return predicted_by_hand(results) || !point ?
		&results->prediction :
		&results->points[point].model;
}

static bool is_swept(const struct results *results)
{
	return results && results->point_count > 1 && results->metric_count &&
		predicted_by_hand(results);
}

/* Writes "3 of 5 held". Counts only predictions made before a result existed. A
 * prediction held if it held at every point. */
static void say_score(const struct session *session, struct text *text)
{
	size_t said = 0, held = 0;

	for (size_t i = 0; i < session->run_count; i++) {
		const struct results *run = session->runs[i];

		if (!predicted_by_hand(run) || run->prediction.post_hoc ||
			!run->metric_count)
			continue;
		struct tally tally = judge_points(run);
		size_t missed = tally.below + tally.above;

		said += tally.within || missed;
		held += tally.within && !missed;
	}
	if (said)
		text_add(text, "%zu of %zu held", held, said);
}

void view_held(const struct session *session, const struct results *results,
	struct text *text)
{
	if (!is_swept(results)) {
		say_score(session, text);
		return;
	}
	struct tally tally = judge_points(results);
	text_add(text, "%zu of %zu points", tally.within, results->point_count);
}
