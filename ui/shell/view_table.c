/* The table of views. */
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
		"Time runs downwards, an arrow for each packet: its time and, "
		"in bold, the time since the previous arrow. RTT: round trip; "
		"IW: initial window in segments; x2.00: growth of a round; "
		"cwnd: the kernel's window after an ACK." },
	[NET_ROUNDS] = { "rounds", "At the rounds",
		"A bar for the segments of each round trip, with growth and "
		"total bytes; a phase is named where it begins. Dotted: the "
		"capacity of the path (BDP), and with a full queue." },
	[NET_SEQUENCE] = { "sequence", "At sequence against time",
		"Bytes sent, and dotted the bytes acknowledged; dashed: the "
		"end of the receive window; upright lines: data acknowledged "
		"selectively (SACK). x: retransmitted; r: reordered or "
		"late; d: duplicate ACK. A time behind an axis, as +81 s, is "
		"what the axis leaves out at the ends: silence, or repeats "
		"without an answer; - shows it." },
	[NET_WINDOW] = { "window", "At window and in flight",
		"Data in flight, the receiver's window, and the kernel's "
		"congestion window and slow start threshold (ssthresh) if the "
		"run recorded them. Dotted: the capacity of the path (BDP), "
		"and with a full queue." },
	[NET_RTT] = { "rtt", "At round trips against time",
		"A dot for each round trip timed by an ACK or by a timestamp "
		"echo; dotted: the least; the kernel's smoothed value if the "
		"run recorded it." },
	[NET_RATE] = { "throughput", "At throughput against time",
		"New data sent, and dotted the data acknowledged, in equal "
		"parts of the time in view." },
	[NET_PACKETS] = { "packets", "In the list of packets",
		"dt: time since the previous or the marked packet; sequence "
		"and ACK count each side's data from 0; the window is in "
		"bytes, or as sent if its scale was not captured." },
	[NET_EVENTS] = { "events", "In the list of events",
		"What is not plain progress: retransmissions, full and closed "
		"windows, resets, and the end of slow start. The selected "
		"event selects its packet in all panes." },
	[NET_PATH] = { "path", "At path and phases",
		"BDP is rate x round trip: of the link's settings, else at "
		"least the best round. Phases show when the rule of growth "
		"changes." },
	[NET_CONNECTIONS] = { "connections", "In the list of connections",
		"The other panes show the selected connection. Retx: segments "
		"retransmitted by the client + by the server; limit: what took "
		"most of the transfer's time; slow start by: its end. On one "
		"time axis (c), double line: data; x: retransmitted; 0: zero "
		"window; R: reset. Where room is short, the column that sorts "
		"stays, and the last line names the others." },
	[NET_PLACES] = { NULL, NULL, NULL },
};

static const struct view_place compare_places[] = {
	[COMPARE_ROWS] = { "compared", "In the comparison", NULL },
	[COMPARE_BROWSER] = { "browser", "In the list of sessions", NULL },
	[COMPARE_FLEET] = { "fleet", "In the fleet",
		"Columns: all series together, scatter between launches, "
		"surroundings, then the experiments in the order of their "
		"names. A shade is the distance of a machine from the machines "
		"that it is compared with; a sign marks an outlier." },
	[COMPARE_HISTORY] = { "history", "In the history",
		"A dot per run with its interval, x: not counted, on the "
		"floor. A line is a level, an upright border a change." },
	{ NULL, NULL, NULL },
};

static const struct view_place machine_places[] = {
	[MACHINE_CHECKS] = { "checks", "At the doctor's checks", NULL },
	[MACHINE_FACTS] = { "facts", "At the machine's description",
		"GHz: clock of each core, as reported by the kernel. Busy: "
		"share of each processor's time since the previous sample. "
		"Both are sampled when the screen opens; 5 samples again." },
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
