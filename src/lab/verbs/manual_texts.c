/* The parts of the manual page that are written, not generated. */
#include "manual_texts.h"

#include <stddef.h>

const struct entry manual_exit_codes[] = {
	{ "0", "success" },
	{ "1", "an expectation was not met" },
	{ "2", "invalid word, parameter or line" },
	{ "3", "invalid input file" },
	{ "4",
		"not permitted here, or not available: every point of a named "
		"run is unavailable" },
	{ "5", "the worker died or was lost; the data measured so far is "
		"kept" },
	{ "6", "peer or network failure" },
	{ "7",
		"undecided, measure again: `expect`, --fail-if-slower or "
		"--fail-if-changed met a shared core or not enough data, or "
		"found no run" },
	{ "70", "internal error of benchtop, or out of memory" },
	{ "74", "output failed (saving or printing)" },
	{ "129, 130, 143",
		"ended by SIGHUP, SIGINT, SIGTERM; measured data is kept" },
	{ "141", "the reader of the output closed the pipe" },
	{ NULL, NULL },
};

const struct entry manual_files[] = {
	{ "$XDG_STATE_HOME/benchtop/sessions",
		"sessions, saved automatically after each run; ~/.local/state "
		"if the variable is not set" },
	{ "$XDG_STATE_HOME/benchtop/canary",
		"by processor, the canary's ratio on an unshared core: the "
		"least of all calibrations, for one that was never alone" },
	{ "$XDG_RUNTIME_DIR/benchtop",
		"the tapes (trial data) of runs in progress; `recover` reads "
		"the tapes of killed labs. /dev/shm/benchtop-UID if the "
		"variable is not set or names a folder on a disk" },
	{ "/run/lock/benchtop-cpuN",
		"lock held while processor N is in use by a measurement: "
		"another lab warns" },
	{ "$XDG_CONFIG_HOME/benchtop",
		"the screen's settings, the hosts that answered, and the "
		"optional `token` file for servers; ~/.config if the variable "
		"is not set" },
	{ "PREFIX/share/benchtop",
		"schemas of the file formats, the assets for ssh, Slurm and "
		"Kubernetes, and copies of the scripts and published sessions "
		"that are part of the program" },
	{ "PREFIX/libexec/benchtop/benchtop-capture",
		"the program that captures and reads packets; `sudo setcap "
		"cap_net_raw+ep` on this file lets ordinary users capture" },
	{ NULL, NULL },
};

const struct entry manual_environment[] = {
	{ "BENCHTOP_TOKEN_FILE",
		"token file, in place of the `token` of the configuration "
		"folder; readable by its owner only" },
	{ "BENCHTOP_HOST",
		"name of this machine in sessions, in place of the host name; "
		"in a container that is the name of the container. `history` "
		"shows the kept sessions of this name" },
	{ "BENCHTOP_LINK_NEAR, BENCHTOP_LINK_FAR",
		"set for programs on a link: the addresses of its two ends" },
	{ "XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_RUNTIME_DIR, HOME",
		"see FILES above" },
	{ "NO_COLOR", "disable the colours of the screen" },
	{ "ESCDELAY",
		"ms to wait after Esc for the rest of a key; default 25" },
	{ "TERM", "type of the terminal" },
	{ NULL, NULL },
};

const struct entry manual_examples[] = {
	{ "benchtop", "open the lab" },
	{ "benchtop run cpu.syscall call=getppid,getpid via=raw,libc",
		"four points, one table" },
	{ "benchtop -c 'run cpu.call; expect cpu.call{args=0} median < 5ns'",
		"a gate: the exit status is 1 if a call takes longer" },
	{ "benchtop quick",
		"every experiment in two minutes, and the machine in ten "
		"figures; the session goes to quick.json" },
	{ "benchtop compare monday.json today.json --fail-if-slower 5%",
		"show what has changed; the exit status is 1 if a metric is "
		"slower" },
	{ "benchtop report today.json -o today.html",
		"write a session as a web page" },
	{ "benchtop annotate trace.pcap",
		"explain the connections of a capture file" },
	{ "benchtop link rtt=40ms loss=1% \"--far=iperf3 -s\" -- "
	  "iperf3 -c 10.77.0.2",
		"any program on an emulated path" },
	{ "benchtop serve --listen=0.0.0.0 --token-file=token",
		"serve `benchtop run net.rtt host=..` of other hosts" },
	{ NULL, NULL },
};

const char *const manual_shared_cores[] = {
	"Cores are shared with other work: by SMT siblings on a "
	"laptop, by other guests in a cloud. A co-runner slows a "
	"system call by a third and an empty loop by a factor of two. "
	"Co-runners come and go within seconds, and a guest's kernel "
	"cannot see them.",
	"A canary runs between the trials. A canary is a fixed piece "
	"of work in two halves, which a co-runner slows by different "
	"factors. The ratio of the halves has two modes, alone and "
	"shared. The canaries before and after a trial give its mode. "
	"If they differ, the trial is excluded. Interrupted trials and "
	"warm-up trials are excluded too. No other trial is excluded. "
	"If a co-runner comes and goes faster than canaries run, the "
	"launch has no figure for alone. Trials at another core "
	"frequency are counted: `run` states their share.",
	"Alone and shared trials have separate figures. The headline "
	"is the figure of the alone trials if six launches have such "
	"trials, however many trials were shared. A run continues "
	"within its budget until this figure is precise. If sharing "
	"changes the figure by less than 1 %, all trials are pooled. "
	"If too few were alone, the headline is the figure of "
	"the shared trials, and is marked.",
	"good: the interval is as narrow as requested, or as the clock "
	"resolves. rough: it is wider, or the trials never settled. "
	"shared core: too few trials ran alone, or other tasks used a "
	"fifth of the processors. not enough data: fewer than six "
	"launches, or a half-width above 5 % and above five times the "
	"precision. below resolution: smaller than the clock resolves. "
	"If the interval in cycles is less than half as wide, it "
	"counts and is marked \"in cycles\" or \"c\".",
	"`ab` alternates two settings trial by trial and compares "
	"adjacent trials, so that a co-runner affects both settings "
	"equally. With a shared core or not enough data, `compare` "
	"and `expect` are undecided, and `expect` and "
	"`--fail-if-slower` end with 7. There are two exceptions: a "
	"co-runner only makes figures worse, so a bound that is met "
	"beside one is met; and other tasks change figures by less "
	"than a factor of two, so a bound farther away is decided. "
	"With enough data "
	"`expect` compares the figure and ignores its interval, unless "
	"the frequency changed and only the figure in cycles has "
	"enough data. "
	"ci_low and ci_high, the ends of the interval, decide however "
	"wide it is, unless the end misses a bound within it.",
	"Between two sessions of a guest, `compare` ignores "
	"changes below 10 %, and below 20 % for memory and for tasks "
	"that wait: an unchanged "
	"guest varies by as much from session to session. Memory "
	"figures are compared at the same reading of a memory ruler, "
	"which times loads from a fixed region. Other guests share "
	"the memory channel, disks, networks and the place of other "
	"processors, and no canary detects them: a change of these "
	"figures is inconclusive.",
	"--wait-quiet=TIME waits for an unshared core before a run. "
	"`doctor` and `machine` detect SMT siblings by experiment. The "
	"lab avoids the sibling of the measuring processor, and "
	"reports if it cannot.",
	NULL,
};
