/* Words and meanings. */
#include "glossary.h"

#include <stddef.h>

static const struct {
	const char *word, *meaning;
} entries[] = {
	{ "experiment", "one question about this machine" },
	{ "parameter", "what can be varied; several values make a sweep" },
	{ "point", "one combination of parameter values" },
	{ "operation", "the thing that is measured: one call, one access" },
	{ "trial",
		"many operations between one start and one stop of the "
		"clock" },
	{ "launch",
		"a fresh process with a fresh layout in memory that makes "
		"all trials once; launches are what can be compared, "
		"trials of one launch resemble each other" },
	{ "median",
		"half of the launches were slower, half were faster: the "
		"headline" },
	{ "95 % from, to",
		"where the median would lie 19 times of 20 if all "
		"were measured again; from six launches on" },
	{ "+-", "half of that interval, as a part of the median" },
	{ "sd within", "how much trials of one launch spread" },
	{ "sd between", "how much the means of launches spread" },
	{ "max deviation",
		"how far the mean of the oddest launch is from the "
		"mean of all" },
	{ "p99",
		"99 of 100 trials took at most that; shown where there are "
		"enough of them" },
	{ "flagged",
		"trials that something disturbed: another process, a "
		"neighbour, a change of frequency. They are kept and "
		"counted, and left out of the headline" },
	{ "disturbed", "more than 5 % are flagged, or they move the median" },
	{ "doubt", "at a point of a sweep: one of these four; d says which" },
	{ "below resolution", "too short for the clock to tell from nothing" },
	{ "unsteady", "a launch never settled after its start" },
	{ "prediction",
		"what you expect: hardware from .. to plus software "
		"from .. to; locked when a run begins, and marked if "
		"you said it after a result was there" },
	{ "held", "the median was inside the prediction" },
	{ "no proof", "the interval allows for no change as well" },
	{ "drift", "launches became slower or faster while it ran" },
	{ "box",
		"under a histogram: 5, 25, 50, 75 and 95 of 100 trials took "
		"at most so long" },
	{ ">14.6", "one column for all that took longer than that" },
	{ "budget", "how long a run may take, all included" },
	{ "precision", "how narrow the interval must be before a run is done" },
	{ "seed", "makes layout and order the same again" },
	{ NULL, NULL },
};

void glossary(struct text *text)
{
	for (size_t i = 0; entries[i].word; i++)
		text_add(text, "%-18s%s\n", entries[i].word,
			entries[i].meaning);
}
