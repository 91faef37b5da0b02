/* The table of words and meanings. */
#include "glossary.h"

#include <stddef.h>

static const struct {
	const char *word, *meaning;
} entries[] = {
	{ "experiment", "one question about this machine, with its method" },
	{ "parameter", "a setting of an experiment; several values make a "
		"sweep" },
	{ "point", "one combination of parameter values" },
	{ "operation", "what is measured: one call, one access" },
	{ "trial",
		"many operations between one start and one stop of the "
		"clock" },
	{ "launch",
		"a fresh process with a new memory layout that makes all "
		"trials once. Launches are compared, since trials of one "
		"launch resemble each other" },
	{ "median",
		"half of the launches are slower, half are faster: the "
		"headline" },
	{ "95 % from, to",
		"confidence interval of the median: 19 of 20 such intervals "
		"contain the true median; needs six launches" },
	{ "+-", "half-width of this interval, relative to the median" },
	{ "+-0.3 % c",
		"the same in cycles: this one is judged if a changing "
		"frequency made the interval of the time wide" },
	{ "sd within", "standard deviation of the trials within a launch" },
	{ "sd between", "standard deviation of the launch means" },
	{ "max deviation",
		"distance of the most distant launch mean from the overall "
		"mean" },
	{ "p99",
		"99 of 100 trials took at most this long; shown if there are "
		"enough trials" },
	{ "shared",
		"share of the trials that ran beside a task on the SMT "
		"sibling. These trials have separate figures" },
	{ "excluded",
		"trials that were interrupted, or saw a co-runner come or go. "
		"They are kept and counted, but not used in figures" },
	{ "good",
		"the interval is as narrow as requested, or as the clock "
		"resolves" },
	{ "rough", "the interval is wider than requested, or launches never "
		"settled" },
	{ "shared core",
		"too few trials ran alone on the core, or other tasks used a "
		"fifth of the processors and the task sleeps or has several "
		"threads: alone, the figure may differ; in short `shared`" },
	{ "not enough data",
		"fewer than six launches, or an interval wider than both "
		"+-5 % and five times the precision; in short `few`" },
	{ "below resolution", "smaller than the resolution of the clock" },
	{ "unsteady", "a launch never settled after its start" },
	{ "prediction",
		"the range you expect, of hardware plus software; locked when "
		"a run begins, and marked if it was made after a result" },
	{ "held",
		"the median is inside the prediction; your own prediction "
		"covers every point of a sweep" },
	{ "no proof", "the interval includes no change" },
	{ "drift", "launches became slower or faster during the run" },
	{ "box",
		"under a histogram: the 5th, 25th, 50th, 75th and 95th "
		"percentile of the trials" },
	{ ">14.6", "one column for all trials above this value" },
	{ "budget", "time limit of a run, everything included" },
	{ "precision", "half-width of the interval at which a run ends" },
	{ "seed", "seed of layout and order: equal seeds repeat both" },
	{ "RTT", "round-trip time of a path" },
	{ "round",
		"the data sent in one round trip, released by the "
		"acknowledgements of the previous round" },
	{ "segs",
		"segments: pieces of data, at most as large as the path "
		"allows" },
	{ "growth", "bytes of a round relative to the previous round" },
	{ "IW", "initial window: segments sent before the first "
		"acknowledgement" },
	{ "cwnd, window",
		"congestion window: how much the sender's kernel allows in "
		"flight. Packets do not show it; runs ask the kernel "
		"(TCP_INFO)" },
	{ "ssthresh",
		"slow start threshold: above it the window grows slowly; "
		"losses set it" },
	{ "in flight", "sent, but neither acknowledged nor known to be lost" },
	{ "BDP",
		"bandwidth x delay: the data a full path holds. More data "
		"waits in the queue. +queue is path and queue full: beyond it "
		"packets are lost" },
	{ "retx",
		"retransmitted; the cause is time-out, fast, early, recovery or "
		"tail probe" },
	{ "stall",
		"the longest time, of a second or more, in which data was not "
		"acknowledged or answered, or the receive window closed" },
	{ "goodput", "bytes of data per second, retransmissions not counted" },
	{ "mss, wscale",
		"offered in the handshake: the largest segment, and the shift "
		"of window sizes in bits" },
	{ "SACK, stamps",
		"TCP options: selective acknowledgements, and echoed "
		"timestamps" },
	{ NULL, NULL },
};

void glossary(struct text *text)
{
	for (size_t i = 0; entries[i].word; i++)
		text_add(text, "%-18s%s\n", entries[i].word,
			entries[i].meaning);
}
