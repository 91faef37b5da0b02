/* The commands that the fault sweep injures. */
#include "commands.h"

#include "cli/capture_talk.h"
#include "cli/disk.h"
#include "cli/namespace.h"
#include "cli/watch.h"
#include "surroundings.h"

#define QUICK_LINE "launches=6 trials=3 budget=100ms"
#define QUICK "launches=6", "trials=3", "budget=100ms"

/* The exit code is that of the client, if it failed, or that of the server. */
static const char both_ends[] =
	SELFTEST " serve & server=$!; sleep .05; "
	SELFTEST " run net.rtt host=127.0.0.1 " QUICK_LINE "; client=$?; "
	"kill -TERM $server; wait $server; server=$?; "
	"test $client -eq 0 && exit $server; exit $client";

const struct command commands[] = {
	{ .name = "run",
		.words = { "run", "cpu.syscall", "call=getppid", QUICK },
		.varies = true, .slow = true },
	{ .name = "processes",
		.words = { "run", "cpu.process", QUICK },
		.varies = true, .slow = true },
	{ .name = "sweep",
		.words = { "run", "selftest.adds", "links=10,100", QUICK },
		.varies = true, .slow = true },
	{ .name = "ab",
		.words = { "ab", "selftest.adds", "links=10,100", QUICK },
		.varies = true, .slow = true },
	{ .name = "script", .words = { "--script", "in.lab" },
		.out = "out.json", .varies = true, .slow = true,
		.several = true },
	{ .name = "messages",
		.words = { "run", "ipc.pingpong", "through=fifo,sysv-sem",
			QUICK },
		.varies = true, .slow = true, .waits = true },
	{ .name = "cache",
		.words = { "run", "fs.cache", "size=1M", "dir=disk", QUICK },
		.varies = true, .slow = true, .limits = true },
	{ .name = "capture",
		.words = { "run", "net.connect", "capture=on", QUICK },
		.varies = true, .slow = true },
	{ .name = "link run",
		.words = { "run", "net.rtt", "host=link", "rtt=1ms", QUICK },
		.varies = true, .slow = true, .waits = true },
	{ .name = "serve", .words = { "-c", both_ends },
		.varies = true, .slow = true, .several = true,
		.talks = true },
	{ .name = "link", .words = { "link", "rtt=1ms", "--", "true" } },
	{ .name = "recover", .words = { "recover" },
		.varies = true, .finds_tape = true },
	{ .name = "load", .words = { "load", "in.json", "-v" } },
	{ .name = "verify", .words = { "verify", "in.json" } },
	{ .name = "compare",
		.words = { "compare", "in.json", "published:a", "-v" } },
	/* The first statement fills the index, the others use it. */
	{ .name = "lists",
		.words = { "-c", "sessions; sessions; history cpu.syscall" },
		.varies = true, .lists = true },
	{ .name = "expect",
		.words = { "expect", "cpu.syscall{call=getppid}", "median", "<",
			"1s", "--session=in.calls.json" } },
	{ .name = "save",
		.words = { "-c", "load in.json; note a note; save out.json" },
		.out = "out.json", .varies = true },
	{ .name = "record",
		.words = { "-c", "record new.lab; set budget=1s; "
			"set budget=2s; record off" },
		.makes = "new.lab" },
	{ .name = "export",
		.words = { "export", "csv", "out.csv", "--trials", "--force",
			"--session=in.json" },
		.out = "out.csv" },
	{ .name = "report",
		.words = { "report", "in.json", "-o", "out.html", "--force" },
		.out = "out.html" },
	{ .name = "snapshot",
		.words = { "-c", "load in.json; snapshot lab out.svg" },
		.out = "out.svg" },
	{ .name = "fleet",
		.words = { "fleet", "in.json", "in.calls.json", "-o",
			"out.html", "--force" },
		.out = "out.html" },
	{ .name = "summary",
		.words = { "-c", "load in.calls.json; summary; score" } },
	{ .name = "annotate", .words = { "annotate", "in.pcap", "--text" } },
	{ .name = NULL },
};

static const char *inputs; /* the folder of the first process */
static const char old_line[] = "old content\n";

static void shell(const char *line)
{
	assert_int_equal(system(line), 0);
}

static void rename_input(const char *from, const char *to)
{
	assert_int_equal(rename(from, in_folder(to)), 0);
}

/* A tape of a lab that was killed while it measured. */
static void make_tape(void)
{
	const char *words[] = { "run", "selftest.adds", "links=100",
		"trials=1000", "launches=30", "budget=60s", NULL };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char path[512];
	pid_t lab = start(SELFTEST, words, null, null);

	close(null);
	assert_true(wait_for_trials(lab));
	kill(lab, SIGKILL);
	waitpid(lab, NULL, 0);
	assert_true(find_tape(path, sizeof path));
	rename_input(path, "in.tape");
}

int commands_begin(void **state)
{
	static struct bytes bytes;
	char line[512];

	if (make_folders(state))
		return -1;
	write_talk(false, &bytes);
	rename_input(in_folder("talk.pcap"), "in.pcap");
	snprintf(line, sizeof line,
		"run cpu.syscall call=getppid,read " QUICK_LINE "; save %s",
		in_folder("in.json"));
	struct ran ran = RUN(SELFTEST, "-c", line);
	assert_status(ran, 0);
	ran_free(&ran);
	make_tape();
	write_file(in_folder("in.lab"),
		"run cpu.syscall call=getppid " QUICK_LINE "\n"
		"note a note\nsave out.json\n");
	/* With enough data on any machine, for `expect`. */
	char *calls = read_whole(SOURCE_FOLDER "/assets/pictures/calls.json");
	write_file(in_folder("in.calls.json"), calls);
	free(calls);
	return 0;
}

/* This process has a loopback of its own. */
static bool isolated;

bool command_is_possible(const struct command *command)
{
	return isolated || !command->talks;
}

void command_enter(void)
{
	static char path[64];
	int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	/* The folder is not seen by its name in a /dev/shm of our own. */
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
	inputs = path;
	isolated = !own_namespaces(
			     CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC) &&
		!mount("none", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV,
			NULL);
	memcpy(strchr(folder, '\0') - 6, "XXXXXX", 6);
	assert_int_equal(make_folder(NULL) | chdir(folder), 0);
	surroundings_begin(isolated);
}

void command_leave(void)
{
	assert_int_equal(chdir("/") | remove_folder(NULL), 0);
}

static bool is_session(const char *path)
{
	return strstr(path, ".json");
}

void command_prepare(const struct command *command)
{
	char line[512];

	snprintf(line, sizeof line,
		"rm -rf * .[a-z]* && mkdir -m 700 run && cp %s/in.* .", inputs);
	shell(line);
	assert_int_equal(symlink(disk, "disk"), 0);
	if (command->finds_tape)
		shell("mkdir -m 700 run/benchtop && "
		      "mv in.tape run/benchtop/1-1");
	/* Files that changed just now are not indexed. */
	if (command->lists)
		shell("mkdir -p state/benchtop/sessions && "
		      "cp in.json state/benchtop/sessions/1.json && "
		      "cp in.json state/benchtop/sessions/2.json && sleep .05");
	if (!command->out)
		return;
	char *old = command_old(command);
	write_file(command->out, old);
	free(old);
}

const char *command_program(const struct command *command)
{
	return command->talks ? "/bin/sh" : SELFTEST;
}

char *command_old(const struct command *command)
{
	return is_session(command->out) ? read_whole("in.json") :
					  strdup(old_line);
}
