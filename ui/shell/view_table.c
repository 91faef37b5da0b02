/* The table of screens. */
#include "view_table.h"

#include "title.h"
#include "view.h"
#include "view_compare.h"
#include "view_machine.h"
#include "view_net.h"
#include "view_sweep.h"

static const struct view_place lab_places[] = {
	[FOCUS_LIST] = { "list", "In the list of experiments", NULL },
	[FOCUS_FORM] = { "form", "In the form of parameters", NULL },
	[FOCUS_PLOT] = { "plot", "In the plot", NULL },
	[FOCUSES] = { NULL, NULL, NULL },
};

static const struct view_place sweep_places[] = {
	{ "probe", "With the probe", NULL },
	{ NULL, NULL, NULL },
};

static const struct view_place net_places[] = {
	[NET_HANDSHAKE] = { "handshake", "At the handshake",
		"Time runs downwards, an arrow for each packet: when it passed "
		"and, bold, how long after the one above it. RTT is the round "
		"trip, IW the initial window in segments, x2.00 how a round "
		"grew, cwnd the kernel's window after an ACK." },
	[NET_ROUNDS] = { "rounds", "At the rounds",
		"A bar for the segments of each round trip, with its growth "
		"and all bytes so far; a phase is named where it begins. "
		"Dotted: what the path holds (BDP), and with a full queue." },
	[NET_SEQUENCE] = { "sequence", "At sequence against time",
		"Bytes sent, and dotted those acknowledged; x: sent again, or "
		"overtaken." },
	[NET_WINDOW] = { "window", "At window and in flight",
		"The kernel's congestion window and slow start's threshold "
		"(ssthresh), where a run has asked for them, and what is in "
		"flight; dotted: what the path holds (BDP), and with a full "
		"queue." },
	[NET_PACKETS] = { "packets", "In the list of packets",
		"dt: since the one before, or since the marked one; sequence "
		"and ACK count each side's data from 0; the window is as sent, "
		"not scaled." },
	[NET_PATH] = { "path", "At path and phases",
		"BDP is rate x round trip: as the link was told, else at least "
		"what the best round shows. Phases tell when the rule of "
		"growth changes." },
	[NET_CONNECTIONS] = { "connections", "In the list of connections",
		"All that were captured: the other panes show the selected "
		"one. Again: segments sent again; slow start by: what ended "
		"it." },
	[NET_PLACES] = { NULL, NULL, NULL },
};

static const struct view_place compare_places[] = {
	[COMPARE_ROWS] = { "compared", "In the comparison", NULL },
	[COMPARE_BROWSER] = { "browser", "In the list of sessions", NULL },
	{ NULL, NULL, NULL },
};

static const struct view_place machine_places[] = {
	[MACHINE_CHECKS] = { "checks", "At the doctor's checks", NULL },
	[MACHINE_FACTS] = { "facts", "At the machine's description",
		"GHz is each core's clock as the kernel tells it, busy the "
		"share of each processor's time since the look before: both as "
		"the screen came into view; 5 looks again." },
	{ NULL, NULL, NULL },
};

const struct view view_table[VIEWS] = {
	[VIEW_LAB] = { .name = "lab",
		.title = "Lab",
		.places = lab_places,
		.parts = lab_parts,
		.draw = lab_draw,
		.add_state = title_add_state,
		.enter = lab_enter,
		.move = lab_move },
	[VIEW_SWEEP] = { .name = "sweep",
		.title = "Sweep",
		.places = sweep_places,
		.parts = sweep_parts,
		.draw = sweep_draw,
		.commands = sweep_commands,
		.add_state = sweep_add_state,
		.enter = sweep_enter,
		.move = sweep_move,
		.forget = sweep_forget,
		.release = sweep_release },
	[VIEW_NET] = { .name = "net",
		.title = "Net",
		.places = net_places,
		.parts = net_parts,
		.draw = net_draw,
		.commands = net_commands,
		.add_state = net_add_state,
		.enter = net_enter,
		.move = net_move,
		.forget = net_forget,
		.release = net_release },
	[VIEW_COMPARE] = { .name = "compare",
		.title = "Compare",
		.places = compare_places,
		.parts = compare_parts,
		.draw = compare_draw,
		.place = compare_place,
		.commands = contrast_commands,
		.add_state = compare_add_state,
		.enter = compare_enter,
		.move = compare_move,
		.forget = compare_forget,
		.release = compare_release },
	[VIEW_MACHINE] = { .name = "machine",
		.title = "Machine",
		.places = machine_places,
		.parts = machine_parts,
		.draw = machine_draw,
		.commands = checkup_commands,
		.add_state = machine_add_state,
		.enter = machine_enter,
		.move = machine_move,
		.release = machine_release },
};
