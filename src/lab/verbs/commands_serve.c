/* The verb `serve`: serves network experiments to other hosts. */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "lab.h"
#include "network.h"
#include "serve.h"
#include "token.h"
#include "verbs.h"
#include "version.h"

static const char *const serve_options[] = { "--listen=", "--token-file=",
	"--no-auth",
	"--sessions=", "--duration=", "--bytes=", "--rate=", NULL };

/* Is the address reachable only from this machine? Host names other than
 * localhost are not resolved, because a resolver decides their addresses. */
static bool is_loopback(const struct network_host *host)
{
	struct in6_addr six;
	struct in_addr four;

	if (host->kind == NETWORK_LOOPBACK || !strcmp(host->name, "localhost"))
		return true;
	if (inet_aton(host->name, &four))
		return ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
	return inet_pton(AF_INET6, host->name, &six) == 1 &&
		IN6_IS_ADDR_LOOPBACK(&six);
}

/* Reads a limit: a whole number from 1, or its default. */
static int read_limit(const struct call *call, const char *option,
	enum unit unit, uint64_t *limit, struct error *error)
{
	const char *typed = call_option(call, option);
	int64_t value;

	if (!typed)
		return 0;
	if (unit_parse_whole(unit, typed, strlen(typed), &value, error))
		return error_set(error, STATUS_USAGE, "%s%s: expected %s",
			option, text_quoted(typed).chars, unit_expected(unit));
	if (value < 1)
		return error_set(error, STATUS_USAGE,
			"%s%s: must be greater than 0", option, typed);
	*limit = (uint64_t)value;
	return 0;
}

static int read_sessions(const struct call *call,
	struct serve_settings *settings, struct error *error)
{
	uint64_t sessions = settings->sessions;

	if (read_limit(call, "--sessions=", UNIT_COUNT, &sessions, error))
		return -1;
	if (sessions > SERVE_SESSIONS)
		return error_set(error, STATUS_USAGE,
			"--sessions=%llu: expected at most %d",
			(unsigned long long)sessions, SERVE_SESSIONS);
	settings->sessions = (unsigned)sessions;
	return 0;
}

static int read_access(const struct call *call, struct serve_settings *settings,
	struct error *error)
{
	const char *token = call_option(call, "--token-file=");
	bool open = call_option(call, "--no-auth") != NULL;
	struct network_host host = { .kind = NETWORK_LOOPBACK };

	settings->listen = call_option(call, "--listen=");
	if (settings->listen && network_host(settings->listen, &host, error))
		return -1;
	if (host.kind == NETWORK_LINK)
		return error_set(error, STATUS_USAGE,
			"--listen=link: a link has no address to listen on, "
			"expected ADDRESS[:PORT]");
	if (token && open)
		return error_set(error, STATUS_USAGE,
			"--token-file and --no-auth: expected only one");
	if (!is_loopback(&host) && !token && !open)
		return error_set(error, STATUS_USAGE,
			"--listen=%s may be reachable from other hosts: "
			"expected --token-file=FILE, or --no-auth to serve "
			"any host without a token",
			settings->listen);
	settings->keyed = token != NULL;
	return token ? token_read(token, settings->key, error) : 0;
}

static int read_settings(const struct call *call,
	struct serve_settings *settings, struct error *error)
{
	struct peer_limits *limits = &settings->limits;

	*settings = serve_usual();
	if (read_access(call, settings, error) ||
		read_sessions(call, settings, error) ||
		read_limit(call, "--duration=", UNIT_NS, &limits->duration_ns,
			error) ||
		read_limit(call, "--bytes=", UNIT_BYTES, &limits->bytes,
			error) ||
		read_limit(call, "--rate=", UNIT_BITS_PER_S,
			&limits->rate_bit_s, error))
		return -1;
	return 0;
}

static int check_serve(const struct call *call, struct error *error)
{
	struct serve_settings settings;

	return read_settings(call, &settings, error);
}

/* Describes this machine for the clients, which store the text with their runs.
 * They keep at most WIRE_TEXT_MAX bytes. */
static void describe(const struct machine *machine, struct text *text)
{
	text_add(text, "%s: benchtop %s, Linux %s %s, %s, %u processors",
		machine->hostname, benchtop_version, machine->kernel,
		machine->architecture, machine->cpu, machine->cpus);
	if (*machine->hypervisor)
		text_add(text, ", %s", machine->hypervisor);
	text_add(text, ", ");
	unit_show(text, UNIT_BYTES, machine->memory_bytes);
	if (*machine->system)
		text_add(text, "; %s", machine->system);
	for (size_t i = 0; i < machine->network_count; i++) {
		text_add(text, "; ");
		machine_say_network(&machine->networks[i], text);
	}
}

/* A descriptor that becomes readable when a signal asks the server to end. */
static int stop_descriptor(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static enum outcome exec_serve(const struct call *call, struct reply *reply)
{
	struct serve_settings settings;
	struct signalfd_siginfo info;
	struct text machine = { 0 };

	if (call->lab->screen)
		return reply_fail(reply, STATUS_USAGE,
			"`serve` runs until interrupted: start `benchtop "
			"serve` in a separate shell");
	if (read_settings(call, &settings, &reply->error))
		return OUTCOME_FAILED;
	int stop = stop_descriptor();
	if (stop < 0)
		return reply_fail(reply, STATUS_PERMISSION,
			"cannot watch signals: signalfd4: %s: expected a "
			"sandbox that allows it",
			strerror(errno));
	describe(lab_machine(call->lab), &machine);
	settings.machine = text_chars(&machine);
	settings.experiments = call->lab->registry.list;
	struct serve *serve = serve_open(&settings, &reply->error);
	if (serve) {
		serve_run(serve, stop);
		serve_close(serve);
	}
	if (read(stop, &info, sizeof info) < 0 && errno != EAGAIN)
		errno = 0;
	close(stop);
	text_free(&machine);
	return serve ? OUTCOME_DONE : OUTCOME_FAILED;
}

const struct command serve_commands[] = {
	{ "serve", "",
		"serve network experiments to other hosts until interrupted. "
		"The default address is loopback; --listen=ADDR needs a token "
		"in a file that only its owner can read. Data is not "
		"encrypted: see REMOTE HOSTS in the manual. Limits: "
		"--sessions=4 at once, of one address at most one less, each "
		"with --duration=60s, --bytes=64G and --rate=10Gbit",
		"serve --listen=0.0.0.0 --token-file=token", 0, 0,
		ARGUMENT_NONE, NULL, serve_options, 0, check_serve,
		exec_serve },
	{ .name = NULL },
};
