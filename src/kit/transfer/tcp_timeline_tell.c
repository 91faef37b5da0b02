/* Traces and notes about a connection. */
#include "tcp_timeline_tell.h"

#include <stdio.h>

enum { ROUNDS_TOLD = 12 };

size_t tell_step(size_t count)
{
	size_t step = (count + TELL_POINTS - 1) / TELL_POINTS;

	return step ? step : 1;
}

void tell_timeline(struct probe *probe, const struct tcp_timeline *timeline,
	const unsigned metrics[TELL_TRACES])
{
	size_t step = tell_step(timeline->count);

	for (size_t i = 0; i < timeline->count; i += step) {
		const struct timeline_point *point = &timeline->at[i];
		double t_ns = (double)(point->t_ns - timeline->begin_ns);

		probe_trace(probe, metrics[0], t_ns, (double)point->sent);
		probe_trace(probe, metrics[1], t_ns, (double)point->acked);
		probe_trace(probe, metrics[2], t_ns, (double)point->in_flight);
	}
}

void tell_rounds(struct probe *probe, const struct rounds *rounds)
{
	char list[24 * ROUNDS_TOLD];
	size_t at = 0;

	for (uint32_t i = 0; i < rounds->count && i < ROUNDS_TOLD; i++)
		at += (size_t)snprintf(list + at, sizeof list - at, "%s%llu",
			i ? "," : "",
			(unsigned long long)rounds->at[i].segments);
	if (rounds->count)
		probe_note(probe, "rounds", "%s%s", list,
			rounds->count > ROUNDS_TOLD ? ",.." : "");
}

static const char *words_for(enum exit_reason reason)
{
	static const char *const words[EXIT_REASONS] = {
		[EXIT_LOSS] = "loss",
		[EXIT_ECN] = "an ECN mark",
		[EXIT_WINDOW] = "the receive window",
		[EXIT_APPLICATION] = "the application",
		[EXIT_HYSTART] = "HyStart",
		[EXIT_HYSTART_DELAY] = "HyStart (delay)",
		[EXIT_HYSTART_TRAIN] = "HyStart (train of acknowledgements)",
		[EXIT_PACING] = "pacing at the measured rate",
		[EXIT_END_OF_DATA] = "the end of the data",
		[EXIT_SEND_BUFFER] = "the send buffer",
		[EXIT_UNKNOWN] = "an event that the packets do not show",
	};

	return words[reason];
}

void tell_end(struct probe *probe, const struct slow_start_exit *end,
	bool threshold, double path_bytes)
{
	bool overshot = end->reason == EXIT_LOSS && path_bytes > 0 &&
		(double)end->in_flight_bytes >= path_bytes;
	bool hystart = end->reason >= EXIT_HYSTART &&
		end->reason <= EXIT_HYSTART_TRAIN;
	bool inferred = !end->certain && end->reason != EXIT_LOSS;
	const char *basis = hystart && threshold ?
		"; the kernel set its threshold without a loss" :
		inferred	 ? "; inferred from growth" :
		end->flight_kept ? "; the flight did not fall" :
		end->hystart	 ? "; HyStart or pacing may have ended it" :
		!end->unproven	 ? "" :
		end->discarded	 ? "; the receiver may have discarded the data" :
				   "; only a timer shows it";

	if (words_for(end->reason))
		probe_note(probe, "ended", "%s%s, in round %u%s",
			words_for(end->reason),
			overshot ? " after overshoot" : "", end->round, basis);
}

void tell_resent(struct probe *probe, uint64_t kernel, uint64_t seen,
	uint64_t dropped)
{
	probe_note(probe, "sent-again",
		"%llu by the kernel, %llu in the packets%s",
		(unsigned long long)kernel, (unsigned long long)seen,
		seen != kernel && dropped ? "; the capture lost packets" : "");
	/* A separate note, so that a later visit does not replace it. */
	if (seen != kernel && !dropped)
		probe_note(probe, "sent-again-differs",
			"in launch %u: %llu by the kernel, %llu in the packets",
			probe->launch, (unsigned long long)kernel,
			(unsigned long long)seen);
}
