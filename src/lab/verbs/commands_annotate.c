/* The verb `annotate`. */
#include "lab.h"
#include "read_capture.h"
#include "verbs.h"

static const char *const annotate_options[] = { "--json", call_verbose_option,
	NULL };

/* Leaves the reply empty, because the screen shows the file. */
static void write_nothing(void *context, struct reply *reply)
{
	(void)context;
	(void)reply;
}

static enum outcome exec_annotate(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;
	bool json = call_option(call, "--json") != NULL;
	const struct capture_request request = {
		.path = call->arg[0],
		.json = json,
		.verbose = call_layout(call).verbose,
		.write = lab->screen && !json ? write_nothing : NULL,
	};

	if (lab_busy(lab))
		return reply_fail(reply, STATUS_USAGE,
			"cannot annotate a file during a run: stop the run "
			"first");
	if (read_capture(lab, &request, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
}

const struct command annotate_commands[] = {
	{ "annotate", "FILE",
		"explain the TCP connections of a pcap or pcapng file, plain "
		"or compressed with gzip or zstd: handshake, slow start, "
		"losses, end. `-` reads standard input, as from `tcpdump -U "
		"-w -`, until its end or Ctrl-C. -v lists every connection and "
		"event",
		"annotate trace.pcap", 1, 1, ARGUMENT_FILE, NULL,
		annotate_options, 0, NULL, exec_annotate },
	{ .name = NULL },
};
