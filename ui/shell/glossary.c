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
	{ "shared",
		"share of the trials that ran beside a task on the SMT "
		"sibling. They have figures of their own" },
	{ "excluded",
		"trials that were interrupted, or ran at another frequency. "
		"They are kept and counted, and are in no figure" },
	{ "good", "the interval is as narrow as was asked for" },
	{ "rough", "the interval is wider, or launches never settled" },
	{ "shared core",
		"too few trials had the core to themselves: the figure is "
		"of those beside a co-runner" },
	{ "not enough data",
		"fewer than six launches, or an interval above 5 %" },
	{ "below resolution", "too short for the clock to tell from nothing" },
	{ "unsteady", "a launch never settled after its start" },
	{ "prediction",
		"what you expect: hardware from .. to plus software "
		"from .. to; locked when a run begins, and marked if "
		"you said it after a result was there" },
	{ "held",
		"the median was inside the prediction; your own speaks of "
		"every point of a sweep" },
	{ "no proof", "the interval allows for no change as well" },
	{ "drift", "launches became slower or faster while it ran" },
	{ "box",
		"under a histogram: 5, 25, 50, 75 and 95 of 100 trials took "
		"at most so long" },
	{ ">14.6", "one column for all that took longer than that" },
	{ "budget", "how long a run may take, all included" },
	{ "precision", "how narrow the interval must be before a run is done" },
	{ "seed", "makes layout and order the same again" },
	{ "RTT", "round-trip time: there and back again on a path" },
	{ "round",
		"in slow start and after: the data that went out in one round "
		"trip, released by the acknowledgements of the round before" },
	{ "segs",
		"segments: pieces of data as large as the path lets through" },
	{ "growth", "of a round: how many times the bytes of the one before" },
	{ "IW", "initial window: segments that leave before any answer" },
	{ "cwnd, window",
		"congestion window: how much the sender's kernel lets be in "
		"flight. Packets do not tell it; runs ask the kernel "
		"(TCP_INFO)" },
	{ "ssthresh",
		"slow start's threshold: above it the window grows slowly; "
		"losses set it" },
	{ "in flight", "sent, and neither acknowledged nor known to be lost" },
	{ "BDP",
		"bandwidth x delay: what a full path holds. More waits in the "
		"queue, +queue is both full: beyond it packets are lost" },
	{ "sent again",
		"retransmitted; time-out, fast, RACK, recovery or tail probe "
		"say what made the sender do so" },
	{ "goodput", "bytes of data a second, none counted twice" },
	{ "mss, wscale",
		"offered at the start: the largest segment, and by how many "
		"bits windows are shifted" },
	{ "SACK, stamps",
		"options of TCP: selective acknowledgements, and time stamps "
		"that are echoed" },
	{ NULL, NULL },
};

void glossary(struct text *text)
{
	for (size_t i = 0; entries[i].word; i++)
		text_add(text, "%-18s%s\n", entries[i].word,
			entries[i].meaning);
}
