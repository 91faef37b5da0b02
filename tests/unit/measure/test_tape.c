/* The tape: no sample is lost or incomplete, and no content is trusted. */
#include "tape.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "random.h"
#include "tape_folder.h"

static struct tape made(uint64_t capacity)
{
	struct tape tape;
	struct error error = { 0 };

	assert_int_equal(tape_create(&tape, capacity, &error), 0);
	tape_show(&tape);
	return tape;
}

/* Every field follows from the number, so an incomplete sample is detected. */
static struct sample numbered(uint64_t i)
{
	uint64_t random = i;

	return (struct sample){
		.kind = SAMPLE_TRIAL,
		.metric = (uint8_t)(i % 12),
		.flags = (uint16_t)next_random(&random),
		.n = (uint32_t)next_random(&random),
		.at = i,
		.ticks = next_random(&random),
		.extra = next_random(&random),
	};
}

static void put_numbered(struct tape *tape, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++) {
		struct sample sample = numbered(i);

		tape_put(tape, &sample);
	}
}

/* The number of the first `length` samples that equal those written. */
static uint64_t whole(const struct tape *tape, uint64_t from, uint64_t length)
{
	for (uint64_t i = from; i < length; i++) {
		struct sample wanted = numbered(i);

		if (memcmp(&wanted, &tape->samples[i], sizeof wanted))
			return i;
	}
	return length;
}

static off_t file_bytes(const char *path)
{
	struct stat is;

	return stat(path, &is) ? -1 : is.st_size;
}

static void a_new_tape_is_empty(void **state)
{
	struct tape tape = made(100);
	const struct tape_header *header = tape.header;

	assert_memory_equal(header->magic, "benchtap", 8);
	assert_int_equal(header->version, TAPE_VERSION);
	assert_int_equal(header->capacity, 100);
	assert_int_equal(header->lab_pid, getpid());
	assert_int_equal(tape_length(&tape), 0);
	assert_int_equal(tape_room(&tape), 100);
	/* The whole file is allocated: a worker must never find a hole in
	 * it. */
	assert_int_equal(file_bytes(tape.path),
		header->header_bytes + 100 * sizeof(struct sample));
	char *path = strdup(tape.path);
	tape_close(&tape, false);
	assert_null(tape.header);
	assert_int_equal(file_bytes(path), -1);
	free(path);
}

static void a_full_tape_drops_nothing_it_has(void **state)
{
	struct tape tape = made(10);

	put_numbered(&tape, 0, 10);
	assert_int_equal(tape_room(&tape), 0);
	assert_false(tape.header->full);
	put_numbered(&tape, 10, 13);
	assert_true(tape.header->full);
	assert_int_equal(tape_length(&tape), 10);
	assert_int_equal(whole(&tape, 0, 10), 10);
	tape_close(&tape, false);
}

static void an_extended_tape_keeps_its_samples(void **state)
{
	struct tape tape = made(10);
	struct error error = { 0 };

	put_numbered(&tape, 0, 10);
	assert_int_equal(tape_extend(&tape, 5, &error), 0);
	assert_int_equal(tape.header->capacity, 10);
	assert_int_equal(tape_extend(&tape, 5000, &error), 0);
	assert_int_equal(tape_room(&tape), 4990);
	put_numbered(&tape, 10, 5000);
	assert_int_equal(whole(&tape, 0, 5000), 5000);
	assert_int_equal(tape_length(&tape), 5000);
	tape_close(&tape, false);
}

/* A full file system or a limit gives one sentence, and no file is left
 * behind. */
static void no_room_is_said(void **state)
{
	struct rlimit old, small;
	struct error error = { 0 };
	struct tape tape, kept = made(10);
	char **orphans;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ 1 << 16, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int failed = tape_create(&tape, 1 << 16, &error);
	struct error longer = { 0 };
	int not_longer = tape_extend(&kept, 1 << 16, &longer);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(failed, -1);
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_memory_equal(error.message, "cannot make a tape of 2.0 MiB in '",
		34);
	assert_null(tape.header);
	assert_int_equal(not_longer, -1);
	assert_memory_equal(longer.message, "cannot make a tape of", 21);
	/* A tape that could not grow remains usable. */
	put_numbered(&kept, 0, 10);
	assert_int_equal(whole(&kept, 0, tape_length(&kept)), 10);
	tape_close(&kept, false);
	assert_int_equal(tape_orphans(&orphans), 0);
	free(orphans);
}

/* ---- a writer and a reader at the same time ---------------------------- */

enum { MANY = 1 << 20, ROUNDS = 3 };

static void *write_many(void *context)
{
	put_numbered(context, 0, MANY);
	return NULL;
}

/* Millions of samples: the reader sees each once, in order and complete, as
 * soon as the length includes it. Under the thread sanitizer this also proves
 * that the length orders the accesses. */
static void a_reader_sees_every_sample(void **state)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct tape tape = made(MANY);
		pthread_t writer;
		uint64_t seen = 0;

		assert_int_equal(pthread_create(&writer, NULL, write_many,
					 &tape),
			0);
		while (seen < MANY) {
			uint64_t length = tape_length(&tape);

			assert_true(length >= seen && length <= MANY);
			assert_int_equal(whole(&tape, seen, length), length);
			if (length == seen)
				sched_yield();
			seen = length;
		}
		pthread_join(writer, NULL);
		assert_int_equal(tape_length(&tape), MANY);
		assert_false(tape.header->full);
		tape_close(&tape, false);
	}
}

/* ---- orphans ---------------------------------------------------------- */

static void a_living_labs_tape_is_its_own(void **state)
{
	struct tape tape = made(10), other;
	struct error error = { 0 };
	char **orphans, wanted[200];

	assert_int_equal(tape_open(&other, tape.path, &error), -1);
	snprintf(wanted, sizeof wanted,
		"tape '%s' belongs to a lab that is still running", tape.path);
	assert_string_equal(error.message, wanted);
	assert_int_equal(tape_orphans(&orphans), 0);
	free(orphans);
	tape_close(&tape, false);
}

static void a_killed_labs_tape_is_found(void **state)
{
	struct error error = { 0 };
	char **orphans;
	struct tape tape;
	int status;

	pid_t lab = fork();
	if (!lab) {
		tape = made(1000);
		put_numbered(&tape, 0, 321);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(lab, &status, 0), lab);
	assert_int_equal(tape_orphans(&orphans), 1);
	assert_int_equal(tape_open(&tape, orphans[0], &error), 0);
	assert_int_equal(tape.header->lab_pid, lab);
	assert_int_equal(tape_length(&tape), 321);
	assert_int_equal(whole(&tape, 0, 321), 321);
	tape_close(&tape, true);
	/* Opening an orphan does not remove it. */
	assert_true(file_bytes(orphans[0]) > 0);
	assert_int_equal(tape_open(&tape, orphans[0], &error), 0);
	tape_close(&tape, false);
	assert_int_equal(file_bytes(orphans[0]), -1);
	free(orphans[0]);
	free(orphans);
}

/* A tape on disk with changed bytes in its header. */
static char *damaged(size_t offset, const void *bytes, size_t count)
{
	struct tape tape = made(10);
	char *path = strdup(tape.path);

	memcpy((char *)tape.header + offset, bytes, count);
	tape_close(&tape, true);
	return path;
}

static void refuses(char *path, const char *why)
{
	struct error error = { 0 };
	struct tape tape;

	assert_int_equal(tape_open(&tape, path, &error), -1);
	assert_int_equal(error.status, STATUS_INPUT);
	assert_non_null(strstr(error.message, path));
	if (!strstr(error.message, why))
		fail_msg("'%s' is not in '%s'", why, error.message);
	assert_null(tape.header);
	unlink(path);
	free(path);
}

static void what_is_no_tape_is_refused(void **state)
{
	uint32_t version = TAPE_VERSION + 1;
	char endless[TAPE_LINE_MAX];

	memset(endless, 'x', sizeof endless);
	refuses(strdup("/nowhere/tape"), "No such file or directory");
	refuses(damaged(0, "BENCH", 5), "wrong magic number");
	refuses(damaged(offsetof(struct tape_header, version), &version, 4),
		"is a tape of another version of benchtop: recover it with "
		"that version, or remove it");
	refuses(damaged(offsetof(struct tape_header, experiment), endless, 64),
		"a text without end");
	refuses(damaged(offsetof(struct tape_header, line), endless,
			TAPE_LINE_MAX),
		"a text without end");
	refuses(damaged(offsetof(struct tape_header, counted), endless, 4),
		"an unknown clock, processor or counter in its header");
	char *path = damaged(0, "b", 1);
	assert_int_equal(truncate(path, 100), 0);
	refuses(path, "too short");
}

/* A worker that overwrote its own header, and a truncated file. */
static void a_length_is_not_believed(void **state)
{
	uint64_t huge = UINT64_MAX;
	char *path = damaged(offsetof(struct tape_header, length), &huge, 8);
	struct error error = { 0 };
	struct tape tape;

	assert_int_equal(tape_open(&tape, path, &error), 0);
	assert_int_equal(tape_length(&tape), 10);
	uint32_t begin = tape.header->header_bytes;
	tape_close(&tape, true);
	assert_int_equal(truncate(path, begin + 3 * 32 + 7), 0);
	assert_int_equal(tape_open(&tape, path, &error), 0);
	assert_int_equal(tape_length(&tape), 3);
	tape_close(&tape, false);
	free(path);
}

/* Access beyond the end of a mapped file is a bus error. */
static void a_file_that_shrinks_does_no_harm(void **state)
{
	struct error error = { 0 };
	struct tape tape = made(10);
	char *path = strdup(tape.path);

	put_numbered(&tape, 0, 10);
	tape_close(&tape, true);
	assert_int_equal(tape_open(&tape, path, &error), 0);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(whole(&tape, 0, tape_length(&tape)), 10);
	tape_close(&tape, false);
	free(path);
}

/* A file with a hole can claim terabytes. */
static void a_tape_longer_than_any_is_refused(void **state)
{
	uint64_t huge = UINT64_MAX;
	char *path = damaged(offsetof(struct tape_header, length), &huge, 8);

	assert_int_equal(truncate(path, (off_t)1 << 33), 0);
	refuses(path, "too long");
}

static void phases_have_names(void **state)
{
	assert_string_equal(worker_phase_name(PHASE_START), "start");
	assert_string_equal(worker_phase_name(PHASE_END), "end");
	assert_string_equal(worker_phase_name((enum worker_phase)77),
		"an unknown phase");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_tape_is_empty),
		cmocka_unit_test(a_full_tape_drops_nothing_it_has),
		cmocka_unit_test(an_extended_tape_keeps_its_samples),
		cmocka_unit_test(no_room_is_said),
		cmocka_unit_test(a_reader_sees_every_sample),
		cmocka_unit_test(a_living_labs_tape_is_its_own),
		cmocka_unit_test(a_killed_labs_tape_is_found),
		cmocka_unit_test(what_is_no_tape_is_refused),
		cmocka_unit_test(a_length_is_not_believed),
		cmocka_unit_test(a_file_that_shrinks_does_no_harm),
		cmocka_unit_test(a_tape_longer_than_any_is_refused),
		cmocka_unit_test(phases_have_names),
	};

	return cmocka_run_group_tests(tests, make_tape_folder,
		remove_tape_folder);
}
