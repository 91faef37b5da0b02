/* The tape between worker and lab. */
#include "tape.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"
#include "text.h"
#include "tick.h"

static const char magic[8] = { 'b', 'e', 'n', 'c', 'h', 't', 'a', 'p' };

enum { PAGE_BYTES = 4096 };

static size_t header_bytes(void)
{
	return (sizeof(struct tape_header) + PAGE_BYTES - 1) &
		~(size_t)(PAGE_BYTES - 1);
}

static size_t tape_bytes(uint64_t capacity)
{
	return header_bytes() + capacity * sizeof(struct sample);
}

const char *worker_phase_name(enum worker_phase phase)
{
	static const char *const names[] = { "start", "setup", "warm-up",
		"trials", "cleanup", "end" };

	return phase <= PHASE_END ? names[phase] : "an unknown phase";
}

/* A locked file on tmpfs, not yet named. Without a tmpfs: memory, which is
 * never named. */
static int open_file(struct tape *tape)
{
	char *folder = folder_runtime();
	struct text path = { 0 };

	tape->fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) :
			    -1;
	if (tape->fd >= 0) {
		text_add(&path, "%s/%d-%" PRIx64, folder, (int)getpid(),
			tick_raw_ns());
		tape->path = text_take(&path);
	} else {
		tape->fd = memfd_create("benchtop tape", MFD_CLOEXEC);
	}
	free(folder);
	return tape->fd < 0 ? -1 : flock(tape->fd, LOCK_EX | LOCK_NB);
}

void tape_show(struct tape *tape)
{
	struct text file = { 0 };

	if (!tape->path)
		return;
	text_add(&file, "/proc/self/fd/%d", tape->fd);
	if (linkat(AT_FDCWD, file.chars, AT_FDCWD, tape->path,
		    AT_SYMLINK_FOLLOW)) {
		free(tape->path);
		tape->path = NULL;
	}
	text_free(&file);
}

/* For sandboxes without fallocate: writes from the file's end to `bytes`.
 * Returns 0 or the error's number. */
static int write_zeros(int fd, size_t bytes)
{
	static const char zeros[PAGE_BYTES];
	off_t at = lseek(fd, 0, SEEK_END);

	while (at >= 0 && (size_t)at < bytes) {
		size_t left = bytes - (size_t)at;
		ssize_t put = pwrite(fd, zeros,
			left < sizeof zeros ? left : sizeof zeros, at);

		if (put <= 0)
			return errno;
		at += put;
	}
	return at < 0 ? errno : 0;
}

/* Allocates the file's blocks: writing into a hole of a full tmpfs would be a
 * bus error in the worker. */
static int reserve(struct tape *tape, uint64_t capacity, struct error *error)
{
	int failed = posix_fallocate(tape->fd, 0, (off_t)tape_bytes(capacity));

	if (failed == ENOSYS || failed == EPERM)
		failed = write_zeros(tape->fd, tape_bytes(capacity));
	if (!failed)
		return 0;
	return error_set(error, STATUS_OUTPUT,
		"cannot make a tape of %.1f MiB in '%s': %s",
		(double)tape_bytes(capacity) / (1 << 20),
		tape->path ? tape->path : "memory", strerror(failed));
}

static void use(struct tape *tape, void *made, size_t bytes)
{
	tape->mapped_bytes = bytes;
	tape->header = made;
	tape->samples = (struct sample *)((char *)made + header_bytes());
}

static int map(struct tape *tape, int fd, size_t bytes, struct error *error)
{
	void *made =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (made == MAP_FAILED)
		return error_set(error, STATUS_OUTPUT, "cannot map a tape: %s",
			strerror(errno));
	use(tape, made, bytes);
	return 0;
}

int tape_create(struct tape *tape, uint64_t capacity, struct error *error)
{
	*tape = (struct tape){ .fd = -1 };
	if (open_file(tape)) {
		error_set(error, STATUS_OUTPUT, "cannot make a tape: %s",
			strerror(errno));
		tape_close(tape, false);
		return -1;
	}
	if (reserve(tape, capacity, error) ||
		map(tape, tape->fd, tape_bytes(capacity), error)) {
		tape_close(tape, false);
		return -1;
	}
	struct tape_header *header = tape->header;
	header->version = TAPE_VERSION;
	header->header_bytes = (uint32_t)header_bytes();
	header->capacity = capacity;
	header->lab_pid = (int32_t)getpid();
	memcpy(header->magic, magic, sizeof magic);
	return 0;
}

int tape_attach(struct tape *tape, int fd, size_t mapped_bytes,
	struct error *error)
{
	*tape = (struct tape){ .fd = -1 };
	return map(tape, fd, mapped_bytes, error);
}

int tape_extend(struct tape *tape, uint64_t capacity, struct error *error)
{
	if (capacity <= tape->header->capacity)
		return 0;
	if (reserve(tape, capacity, error))
		return -1;
	void *old = tape->header;
	size_t old_bytes = tape->mapped_bytes;
	if (map(tape, tape->fd, tape_bytes(capacity), error))
		return -1;
	munmap(old, old_bytes);
	tape->header->capacity = capacity;
	return 0;
}

void tape_close(struct tape *tape, bool keep)
{
	if (tape->header)
		munmap(tape->header, tape->mapped_bytes);
	if (tape->path && !keep)
		unlink(tape->path);
	if (tape->fd >= 0)
		close(tape->fd);
	free(tape->path);
	*tape = (struct tape){ .fd = -1 };
}

void tape_put(struct tape *tape, const struct sample *sample)
{
	struct tape_header *header = tape->header;
	uint64_t at =
		atomic_load_explicit(&header->length, memory_order_relaxed);

	if (at >= header->capacity) {
		atomic_store_explicit(&header->full, 1, memory_order_relaxed);
		return;
	}
	tape->samples[at] = *sample;
	/* A reader that sees this length also sees the sample. */
	atomic_store_explicit(&header->length, at + 1, memory_order_release);
}

uint64_t tape_room(const struct tape *tape)
{
	return tape->header->capacity -
		atomic_load_explicit(&tape->header->length,
			memory_order_relaxed);
}

uint64_t tape_length(const struct tape *tape)
{
	uint64_t length = atomic_load_explicit(&tape->header->length,
		memory_order_acquire);

	/* A worker may have overwritten the header. */
	size_t fits =
		(tape->mapped_bytes - header_bytes()) / sizeof(struct sample);
	return length < fits ? length : fits;
}

/* ---- orphaned tapes --------------------------------------------------- */

static int not_a_tape(struct error *error, const char *path, const char *why)
{
	return error_set(error, STATUS_INPUT, "'%s' is not a tape: %s", path,
		why);
}

/* The byte of a bool in a damaged file may be neither 0 nor 1. */
static bool is_bool(const bool *value)
{
	unsigned char byte;

	memcpy(&byte, value, sizeof byte);
	return byte <= true;
}

static bool has_known_words(const struct tape_header *header)
{
	const struct clock_facts *clock = &header->clock;
	const struct place_facts *place = &header->place;

	return (unsigned)clock->source <= TICK_MONOTONIC_RAW &&
		(unsigned)clock->canary_kind < CANARY_KINDS &&
		is_bool(&clock->cycles_trusted) &&
		is_bool(&clock->cycles_assumed) &&
		(unsigned)place->sibling.answer <= SIBLING_FOUND &&
		is_bool(&place->lab_shares) && is_bool(&place->lab_beside) &&
		header->counted.mask <= COUNTERS_ALL &&
		header->counted.user_only <= 1;
}

static int check_header(const struct tape *tape, const char *path,
	struct error *error)
{
	const struct tape_header *header = tape->header;

	/* load() has set it. NOLINTNEXTLINE(clang-analyzer-core.*) */
	if (memcmp(header->magic, magic, sizeof magic))
		return not_a_tape(error, path, "wrong magic number");
	if (header->version != TAPE_VERSION ||
		header->header_bytes != header_bytes())
		return error_set(error, STATUS_INPUT,
			"'%s' is a tape of another version of benchtop: "
			"recover it with that version, or remove it",
			path);
	if (!memchr(header->experiment, 0, sizeof header->experiment) ||
		!memchr(header->line, 0, sizeof header->line) ||
		!memchr(header->started, 0, sizeof header->started) ||
		!memchr(header->clock.why, 0, sizeof header->clock.why) ||
		!memchr(header->place.why, 0, sizeof header->place.why))
		return not_a_tape(error, path, "a text without end");
	if (!has_known_words(header))
		return not_a_tape(error, path,
			"an unknown clock, processor or counter in its header");
	return 0;
}

/* Reads the first bytes of the file into memory of this process: access to a
 * mapping of a file that shrinks is a bus error. */
static int load(struct tape *tape, size_t bytes, const char *path,
	struct error *error)
{
	char *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t got = 0;
	ssize_t piece = 1;

	if (made == MAP_FAILED)
		return error_set(error, STATUS_INPUT,
			"cannot read tape '%s': %s", path, strerror(errno));
	while (got < bytes && piece > 0) {
		piece = pread(tape->fd, made + got, bytes - got, (off_t)got);
		got += piece > 0 ? (size_t)piece : 0;
	}
	if (got < bytes) {
		munmap(made, bytes);
		return not_a_tape(error, path, "too short");
	}
	use(tape, made, bytes);
	return 0;
}

/* Opens and locks the file, and reads its header only. */
static int open_header(struct tape *tape, const char *path,
	struct error *error)
{
	struct stat is;

	/* O_NONBLOCK: the path may name a pipe without a writer. */
	*tape = (struct tape){
		.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
	};
	if (tape->fd < 0 || fstat(tape->fd, &is))
		return error_set(error, STATUS_INPUT,
			"cannot open tape '%s': %s", path, strerror(errno));
	tape->path = xstrdup(path);
	if (flock(tape->fd, LOCK_EX | LOCK_NB))
		return error_set(error, STATUS_INPUT,
			"tape '%s' belongs to a lab that is still running",
			path);
	if (!S_ISREG(is.st_mode))
		return not_a_tape(error, path, "too short");
	if (load(tape, header_bytes(), path, error))
		return -1;
	return check_header(tape, path, error);
}

/* Replaces the header by header and samples: those published, of which the file
 * may have fewer. */
static int load_samples(struct tape *tape, const char *path,
	struct error *error)
{
	uint64_t length = atomic_load(&tape->header->length);
	struct tape_header *header = tape->header;
	struct stat is;

	if (fstat(tape->fd, &is) || (size_t)is.st_size < header_bytes())
		return not_a_tape(error, path, "too short");
	uint64_t there =
		((uint64_t)is.st_size - header_bytes()) / sizeof(struct sample);
	if (length > there)
		length = there;
	if (length > TAPE_SAMPLES_MAX)
		return not_a_tape(error, path, "too long");
	if (load(tape, tape_bytes(length), path, error))
		return -1;
	munmap(header, header_bytes());
	return 0;
}

int tape_open(struct tape *tape, const char *path, struct error *error)
{
	int failed = open_header(tape, path, error) ||
		load_samples(tape, path, error);

	if (failed)
		tape_close(tape, true);
	return failed ? -1 : 0;
}

static bool is_orphan(const char *path)
{
	struct tape tape;
	struct error ignored;
	bool is = !open_header(&tape, path, &ignored);

	tape_close(&tape, true);
	return is;
}

static void add_orphans(const char *folder, char ***paths, size_t *count)
{
	DIR *dir = opendir(folder);

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		struct text path = { 0 };

		text_add(&path, "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] == '.' || !is_orphan(path.chars)) {
			text_free(&path);
			continue;
		}
		ARRAY_GROW(*paths, *count);
		(*paths)[(*count)++] = text_take(&path);
	}
	if (dir)
		closedir(dir);
}

size_t tape_orphans(char ***paths)
{
	char *folders[RUNTIME_FOLDERS];
	size_t folder_count = folders_runtime(folders), count = 0;

	*paths = NULL;
	for (size_t i = 0; i < folder_count; i++) {
		add_orphans(folders[i], paths, &count);
		free(folders[i]);
	}
	return count;
}
