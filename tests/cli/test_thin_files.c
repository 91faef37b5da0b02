/* Files, serve and annotate in thin environments. */
#include "capture_talk.h"
#include "disk.h"
#include "namespace.h"
#include "thin.h"

#define QUICK     THIN_QUICK
#define DISK      " dir=disk" QUICK
#define NO_REOPEN "No such file or directory: expected /proc, or another folder"
#define NO_URING  "io_uring"

/* The exit code is that of the client, if it failed, or that of the server,
 * whose log is then shown. */
static const char both_ends[] =
	"rm -f log; " PROGRAM " serve >log 2>&1 & server=$!; "
	"until grep -qs listening log || "
	"! kill -0 $server 2>/dev/null; do sleep .05; done; "
	PROGRAM " run net.rtt host=127.0.0.1" QUICK "; client=$?; "
	"kill $server; wait $server; server=$?; "
	"test $client -eq 0 || exit $client; "
	"test $server -eq 0 || cat log >&2; exit $server";

static const struct thin_row rows[] = {
	{ .line = "run fs.read size=1M order=random" DISK },
	{ .line = "run fs.contention readers=2 pattern=random" DISK },
	{ .line = "run fs.cache size=1M limit=none" DISK },
	{ .line = "run fs.sync how=fsync pattern=append" DISK,
		.in = { [THIN_PROC] = { 4, NO_REOPEN } } },
	{ .line = "run fs.meta op=stat files=100" DISK },
	{ .line = "run fs.uring op=read mode=enter depth=8 size=1M" DISK,
		.in = { [THIN_FILTER] = { 4, NO_URING } } },
	{ .line = both_ends, .is_shell = true },
	{ .line = "annotate talk.pcap --text" },
};

static int prepare(void **state)
{
	static struct bytes bytes;

	if (make_folders(state) || chdir(folder) || symlink(disk, "disk"))
		return -1;
	write_talk(false, &bytes);
	/* The server has the port for itself, if permitted. */
	own_namespaces(CLONE_NEWNET | CLONE_NEWNS);
	return 0;
}

static void test_table(void **state)
{
	assert_int_equal(thin_differing(rows, sizeof rows / sizeof *rows), 0);
	assert_int_equal(processes_of(PROGRAM), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folders);
}
