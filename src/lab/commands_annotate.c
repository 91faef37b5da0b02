/* The verb about packets: annotate. */
#include "annotation.h"
#include "lab.h"

static const char *const json_option[] = { "--json", NULL };

static enum outcome exec_annotate(const struct call *call, struct reply *reply)
{
	if (lab_busy(call->lab))
		return reply_fail(reply, STATUS_USAGE,
			"a file is annotated when the run has ended: stop it "
			"first");
	if (annotation_start(&call->lab->annotation, call->arg[0],
		    call_option(call, "--json") != NULL, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
}

const struct command annotate_commands[] = {
	{ "annotate", "FILE",
		"explains the TCP connections of a pcap or pcapng file: "
		"handshake, slow start, losses, end",
		"annotate trace.pcap", 1, 1, ARGUMENT_FILE, NULL, json_option,
		0, NULL, exec_annotate },
	{ .name = NULL },
};
