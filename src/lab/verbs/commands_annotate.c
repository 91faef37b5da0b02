/* The verb `annotate`. */
#include <string.h>

#include "lab.h"
#include "read_capture.h"
#include "verbs.h"

static const char *const annotate_options[] = { "--json", "--summary",
	"--sort=", "--reverse", "--text", call_verbose_option, NULL };

static const char *const filter_words[] = { "host=", "port=", NULL };

/* Leaves the reply empty, because the screen shows the file. */
static void write_nothing(void *context, struct reply *reply)
{
	(void)context;
	(void)reply;
}

static int refuse_order(const char *order, struct error *error)
{
	struct text names = { 0 };

	for (int i = 0; i < LIST_ORDERS; i++)
		text_add(&names, "%s%s", i ? ", " : "",
			order_name((enum list_order)i));
	error_set(error, STATUS_USAGE, "unknown column %s: expected one of %s",
		text_quoted(order).chars, names.chars);
	text_free(&names);
	return -1;
}

/* Reads the words after the file, and the options of the list. */
static int read_choice(const struct call *call, struct list_choice *choice,
	struct error *error)
{
	const char *order = call_option(call, "--sort=");

	*choice = (struct list_choice){
		.order = order ? order_named(order) : ORDER_START,
		.reversed = call_option(call, "--reverse") != NULL,
	};
	if (choice->order == LIST_ORDERS)
		return refuse_order(order, error);
	for (size_t i = 1; i < call->count; i++)
		if (connection_filter_read(&choice->only, call->arg[i], error))
			return call_fault(call, i, 0, error);
	return 0;
}

static int check_annotate(const struct call *call, struct error *error)
{
	struct list_choice choice;
	bool orders = call_option(call, "--sort=") ||
		call_option(call, "--reverse");

	if (orders && !call_option(call, "--summary"))
		return error_set(error, STATUS_USAGE,
			"--sort and --reverse order the list of --summary, "
			"which is not given");
	return read_choice(call, &choice, error);
}

static enum outcome exec_annotate(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;
	bool json = call_option(call, "--json") != NULL;
	bool summary = call_option(call, "--summary") != NULL;
	bool text = summary || call_option(call, "--text");
	bool shown = lab->screen || lab->screen_follows;
	struct capture_request request = {
		.path = call->arg[0],
		.json = json,
		.summary = summary,
		.verbose = call_layout(call).verbose,
		.write = shown && !json && !text ? write_nothing : NULL,
	};

	if (read_choice(call, &request.list, &reply->error))
		return OUTCOME_FAILED;
	if (lab_busy(lab))
		return reply_fail(reply, STATUS_USAGE,
			"cannot annotate a file during a run: stop the run "
			"first");
	if (read_capture(lab, &request, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
}

const struct command annotate_commands[] = {
	{ "annotate", "FILE [host=ADDRESS] [port=NUMBER]",
		"explain the TCP connections of a pcap or pcapng file, plain "
		"or compressed with gzip or zstd: handshake, slow start, "
		"losses, end. `-` reads standard input, as from `tcpdump -U "
		"-w -`, until its end or Ctrl-C. host= and port= choose "
		"connections by one end: both words mean the same end. "
		"--summary prints a line per connection, with --json an "
		"object, --sort= orders them by start, retx, end, stall, "
		"limit, bytes, time or rtt; -v lists every connection and "
		"event. On a terminal it opens the Net screen; --text prints",
		"annotate trace.pcap", 1, 3, ARGUMENT_FILE, filter_words,
		annotate_options, COMMAND_SHOWS, check_annotate,
		exec_annotate },
	{ .name = NULL },
};
