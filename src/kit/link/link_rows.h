/*
 * The parameter rows of a link, for experiments with a link and for the verb. A
 * struct of arguments with a member `struct link_args link` adds
 * LINK_ROWS(struct args, link), to its table. link_settings_of() converts the
 * arguments to settings. Settings without a row (seed, processor, scripted
 * drops) keep their defaults.
 */
#ifndef BENCHTOP_LINK_ROWS_H
#define BENCHTOP_LINK_ROWS_H

#include "link.h"
#include "probe.h"

struct link_args {
	int64_t rtt_ns, rate_bit_s;
	int64_t queue; /* UNIT_QUEUE */
	double loss, reorder;
};

struct link_settings link_settings_of(const struct link_args *);

#define LINK_ROWS(args, member)                                                \
	{ .name = "rtt",                                                       \
		.label = "round trip",                                         \
		.help = "of the emulated path, without queues",                \
		.only = "host=link",                                           \
		.preset = "40ms",                                              \
		WHOLE_FIELD(args, member.rtt_ns),                              \
		.unit = UNIT_NS,                                               \
		.min = LINK_RTT_LEAST_NS,                                      \
		.max = LINK_RTT_MOST_NS },                                     \
		{ .name = "rate",                                              \
			.label = "rate",                                       \
			.help = "rate of the emulated path, each direction",   \
			.only = "host=link",                                   \
			.preset = "20Mbit",                                    \
			WHOLE_FIELD(args, member.rate_bit_s),                  \
			.unit = UNIT_BITS_PER_S,                               \
			.min = LINK_RATE_LEAST_BIT_S,                          \
			.max = LINK_RATE_MOST_BIT_S },                         \
		{ .name = "queue",                                             \
			.label = "queue",                                      \
			.help = "packets, or bytes up to 256M, that may wait", \
			.only = "host=link",                                   \
			.preset = "80p",                                       \
			WHOLE_FIELD(args, member.queue),                       \
			.unit = UNIT_QUEUE,                                    \
			.min = LINK_QUEUE_LEAST,                               \
			.max = LINK_QUEUE_MOST },                              \
		{ .name = "loss",                                              \
			.label = "loss",                                       \
			.help = "packet loss probability (seeded)",            \
			.only = "host=link",                                   \
			.preset = "0%",                                        \
			REAL_FIELD(args, member.loss),                         \
			.unit = UNIT_PERCENT,                                  \
			.min = 0,                                              \
			.max = 1 },                                            \
	{                                                                      \
		.name = "reorder", .label = "reordering",                      \
		.help = "probability that three packets overtake one (seeded)",\
		.only = "host=link",                                           \
		.preset = "0%", REAL_FIELD(args, member.reorder),              \
		.unit = UNIT_PERCENT, .min = 0, .max = LINK_REORDER_MOST       \
	}

#endif
