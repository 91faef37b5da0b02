/* Slices, chunks and their verification. */
#include "traffic.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "available.h"
#include "memory.h"
#include "probe.h"
#include "splitmix.h"

enum {
	LINE_BYTES = 64,
	SAMPLES = 16, /* words of each slice that are checked after a run */
	/* A load from the same place within a page as a store that has not yet
	 * left the core seems to need that store's data, and waits (4K
	 * aliasing). So what is written begins elsewhere in its page than what
	 * is read; not half a page, which is the distance of two regions of
	 * 8 KiB. */
	APART_BYTES = 1536,
};

struct traffic_slice {
	_Alignas(64) uint64_t sum; /* the result of the kernel */
	uint64_t *sums;            /* of its chunks, computed when they are
				    * filled */
	uint64_t *lasts;           /* the last word of each chunk */
	size_t sample[SAMPLES];
};

/* The first touch of gigabytes takes a second, so both buffers stay from one
 * visit to the next: the buffer for reading, whose words never change, and the
 * buffer for writing. */
enum { FROM, TO, BUFFERS };

static struct kept {
	struct buffer buffer;
	unsigned threads; /* that touched it, each its own slice */
	size_t chunk_bytes, chunks;
	bool ready;
} kept[BUFFERS];

/* Sums and last words of the chunks of FROM, slice by slice. */
static struct {
	uint64_t *sums, *lasts;
} known;

/* ---- layout ----------------------------------------------------------- */

/* Several chunks exceed a core's own caches, so stores wait anyway. Their copy
 * is up to a tenth faster if both sides need the next page at once. */
static size_t first_of(const struct traffic *traffic, int which)
{
	return which == TO && traffic->chunks == 1 ? APART_BYTES : 0;
}

/* Slices do not share pages. */
static size_t span_of(const struct traffic *traffic, int which)
{
	size_t page_bytes = traffic->pages == PAGES_4K ?
		(size_t)sysconf(_SC_PAGESIZE) :
		HUGE_BYTES;
	size_t used_bytes = first_of(traffic, which) +
		traffic->chunk_bytes * traffic->chunks;

	return (used_bytes + page_bytes - 1) / page_bytes * page_bytes;
}

static char *chunk_of(const struct traffic *traffic,
	const struct buffer *buffer, unsigned member, size_t chunk)
{
	int which = buffer == &kept[TO].buffer ? TO : FROM;

	return buffer->start + member * traffic->span_bytes[which] +
		first_of(traffic, which) + chunk * traffic->chunk_bytes;
}

/* The rest of the size is not used. */
static void divide(struct traffic *traffic)
{
	size_t slice_bytes = (size_t)traffic->size_bytes / traffic->threads;

	traffic->chunks =
		(slice_bytes + TRAFFIC_CHUNK_BYTES - 1) / TRAFFIC_CHUNK_BYTES;
	traffic->chunks += !traffic->chunks;
	traffic->chunk_bytes =
		slice_bytes / traffic->chunks / LINE_BYTES * LINE_BYTES;
	if (!traffic->chunk_bytes)
		traffic->chunk_bytes = LINE_BYTES;
	for (int which = FROM; which < BUFFERS; which++)
		traffic->span_bytes[which] = span_of(traffic, which);
}

uint64_t traffic_lines(const struct traffic *traffic, uint64_t ops)
{
	return ops * traffic->threads * (traffic->chunk_bytes / LINE_BYTES);
}

/* ---- filling ---------------------------------------------------------- */

/* Writes a word of each line, so that every page is present. */
static void touch(char *at, const char *end)
{
	uint64_t word = kernel_word_after(0);

	for (; at < end; at += LINE_BYTES)
		*(volatile uint64_t *)at = word;
}

/* The end of a chunk. Of the last one, that of its last page: a huge page may
 * turn out to be small ones, which must be present too. */
static const char *end_of(const struct traffic *traffic, int which,
	unsigned member, size_t chunk)
{
	const struct buffer *buffer = &kept[which].buffer;

	return chunk + 1 < traffic->chunks ?
		chunk_of(traffic, buffer, member, chunk + 1) :
		buffer->start + (member + 1) * traffic->span_bytes[which];
}

/* Fills a chunk with words that are distinct and never zero, and sums them. */
static void fill_from(struct traffic *traffic, unsigned member, size_t chunk)
{
	struct traffic_slice *slice = &traffic->slices[member];
	size_t words = traffic->chunk_bytes / sizeof(uint64_t);
	uint64_t *word = (uint64_t *)chunk_of(traffic, &kept[FROM].buffer,
		member, chunk);
	uint64_t mixed = (member * traffic->chunks + chunk + 1) * SPLITMIX_STEP;
	uint64_t sum = 0;

	for (size_t i = 0; i < words; i++) {
		mixed += SPLITMIX_STEP;
		word[i] = mixed | 1;
		sum += word[i];
	}
	slice->sums[chunk] = sum;
	slice->lasts[chunk] = word[words - 1];
	touch((char *)(word + words), end_of(traffic, FROM, member, chunk));
}

/* Runs in the slice's own thread: the first touch of every page. */
static void fill(void *context, unsigned member)
{
	struct traffic *traffic = context;

	if (!kept[FROM].ready && kept[FROM].buffer.start)
		fill_from(traffic, member, traffic->at);
	if (!kept[TO].ready && kept[TO].buffer.start)
		touch(chunk_of(traffic, &kept[TO].buffer, member, traffic->at),
			end_of(traffic, TO, member, traffic->at));
}

static void fill_all(struct traffic *traffic)
{
	bool interrupted;

	for (traffic->at = 0; traffic->at < traffic->chunks; traffic->at++) {
		team_run(&traffic->team, fill, traffic, &interrupted);
		probe_alive(traffic->probe);
	}
	traffic->at = 0;
}

/* ---- opening ---------------------------------------------------------- */

static size_t buffer_bytes(const struct traffic *traffic, int which)
{
	return traffic->span_bytes[which] * traffic->threads;
}

static bool is_wanted(const struct traffic *traffic, int which)
{
	return which == FROM ? traffic->op != KERNEL_WRITE :
			       traffic->op != KERNEL_READ;
}

static void forget(struct kept *one)
{
	buffer_close(&one->buffer);
	one->ready = false;
}

/* Releases buffers that other threads touched or that have another layout. */
static void forget_misfits(const struct traffic *traffic)
{
	for (int which = FROM; which < BUFFERS; which++) {
		struct kept *one = &kept[which];

		if (!one->ready || one->buffer.pages != traffic->pages ||
			one->buffer.size_bytes !=
				buffer_bytes(traffic, which) ||
			one->threads != traffic->threads ||
			one->chunks != traffic->chunks ||
			one->chunk_bytes != traffic->chunk_bytes)
			forget(one);
	}
}

/* Memory is not allocated before it is touched, so each buffer alone would seem
 * to fit. Reserved huge pages are counted when they are mapped. */
static int refuse_both(const struct traffic *traffic, struct error *error)
{
	double both = (double)buffer_bytes(traffic, FROM) +
		(double)buffer_bytes(traffic, TO);
	double available = (double)memory_available("") +
		(double)kept[FROM].buffer.size_bytes +
		(double)kept[TO].buffer.size_bytes;

	if (traffic->op != KERNEL_COPY || traffic->pages == PAGES_HUGE ||
		both <= available)
		return 0;
	return memory_refuse("a copy ", both, available, error);
}

static int open_buffer(struct traffic *traffic, int which, struct error *error)
{
	struct kept *one = &kept[which], *other = &kept[!which];
	struct buffer_wish wish = {
		.size_bytes = buffer_bytes(traffic, which),
		.pages = traffic->pages,
		.untouched = true,
	};

	if (one->buffer.start)
		return 0;
	*one = (struct kept){
		.threads = traffic->threads,
		.chunks = traffic->chunks,
		.chunk_bytes = traffic->chunk_bytes,
	};
	if (!buffer_open(&one->buffer, &wish, traffic->probe, error))
		return 0;
	/* Releasing the other buffer, if it is not needed now, may help. */
	if (is_wanted(traffic, !which) || !other->buffer.start)
		return -1;
	forget(other);
	return buffer_open(&one->buffer, &wish, traffic->probe, error);
}

static int open_buffers(struct traffic *traffic, struct error *error)
{
	forget_misfits(traffic);
	if (refuse_both(traffic, error))
		return -1;
	for (int which = FROM; which < BUFFERS; which++)
		if (is_wanted(traffic, which) &&
			open_buffer(traffic, which, error))
			return -1;
	traffic->from = &kept[is_wanted(traffic, FROM) ? FROM : TO].buffer;
	traffic->to = &kept[is_wanted(traffic, TO) ? TO : FROM].buffer;
	return 0;
}

static void open_slices(struct traffic *traffic)
{
	size_t count = traffic->threads * traffic->chunks;

	if (!kept[FROM].ready) {
		free(known.sums);
		free(known.lasts);
		known.sums = xcalloc(count, sizeof *known.sums);
		known.lasts = xcalloc(count, sizeof *known.lasts);
	}
	traffic->slices =
		aligned_alloc(64, traffic->threads * sizeof *traffic->slices);
	for (unsigned m = 0; traffic->slices && m < traffic->threads; m++)
		traffic->slices[m] = (struct traffic_slice){
			.sums = known.sums + m * traffic->chunks,
			.lasts = known.lasts + m * traffic->chunks,
		};
}

/* Checks that every page is present and of the requested kind. */
static int verify(const struct traffic *traffic, struct error *error)
{
	if (buffer_verify(traffic->from, error) ||
		buffer_verify(traffic->to, error))
		return -1;
	for (int which = FROM; which < BUFFERS; which++)
		kept[which].ready |= is_wanted(traffic, which);
	return 0;
}

int traffic_open(struct traffic *traffic, struct probe *probe,
	struct error *error)
{
	traffic->probe = probe;
	divide(traffic);
	if (open_buffers(traffic, error))
		goto failed;
	open_slices(traffic);
	int missing = traffic->slices ?
		team_start(&traffic->team, probe->row, traffic->threads,
			probe) :
		-1;
	if (missing) {
		error_set(error, STATUS_USAGE, "cannot start %u threads: %s",
			traffic->threads, strerror(-missing));
		goto failed;
	}
	fill_all(traffic);
	if (verify(traffic, error))
		goto failed;
	return 0;
failed:
	traffic_close(traffic);
	forget_misfits(traffic);
	return -1;
}

void traffic_close(struct traffic *traffic)
{
	team_stop(&traffic->team);
	free(traffic->slices);
	traffic->slices = NULL;
}

/* ---- running ---------------------------------------------------------- */

static void pass(void *context, unsigned member)
{
	struct traffic *traffic = context;
	size_t chunk = traffic->at;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < traffic->ops; i++) {
		sum += kernel_run(traffic->kernel,
			chunk_of(traffic, traffic->to, member, chunk),
			chunk_of(traffic, traffic->from, member, chunk),
			traffic->chunk_bytes, traffic->word);
		chunk = chunk + 1 < traffic->chunks ? chunk + 1 : 0;
	}
	if (traffic->op != KERNEL_READ)
		kernel_fence();
	traffic->slices[member].sum = sum;
}

/* The last chunk that the next `ops` will process. */
static size_t last_chunk(const struct traffic *traffic, uint64_t ops)
{
	return (traffic->at + ops - 1) % traffic->chunks;
}

static uint64_t *sample_word(const struct traffic *traffic,
	const struct buffer *buffer, unsigned member, size_t i, size_t chunk)
{
	return (uint64_t *)chunk_of(traffic, buffer, member, chunk) +
		traffic->slices[member].sample[i];
}

/* Changes words so that their values after the run prove that it wrote them. */
static void spoil(struct traffic *traffic, size_t chunk)
{
	size_t words = traffic->chunk_bytes / sizeof(uint64_t);

	for (unsigned m = 0; m < traffic->threads; m++)
		for (size_t i = 0; i < SAMPLES; i++) {
			traffic->slices[m].sample[i] =
				probe_random_below(traffic->probe, words);
			*sample_word(traffic, traffic->to, m, i, chunk) = 0;
		}
}

uint64_t traffic_run(struct traffic *traffic, const struct kernel *kernel,
	uint64_t ops, bool *interrupted)
{
	size_t chunk = last_chunk(traffic, ops);

	traffic->kernel = kernel;
	traffic->ops = ops;
	traffic->word = kernel_word_after(traffic->word);
	if (traffic->op != KERNEL_READ)
		spoil(traffic, chunk);
	uint64_t end = team_run(&traffic->team, pass, traffic, interrupted);
	traffic->at = (chunk + 1) % traffic->chunks;
	return end;
}

/* ---- proving ---------------------------------------------------------- */

static uint64_t expected_sum(const struct traffic *traffic, unsigned member,
	size_t first)
{
	const struct traffic_slice *slice = &traffic->slices[member];
	const uint64_t *chunk =
		traffic->kernel->sums ? slice->sums : slice->lasts;
	uint64_t whole = 0, sum = 0;

	for (size_t c = 0; c < traffic->chunks; c++)
		whole += chunk[c];
	sum = whole * (traffic->ops / traffic->chunks);
	for (size_t c = 0; c < traffic->ops % traffic->chunks; c++)
		sum += chunk[(first + c) % traffic->chunks];
	return sum;
}

static size_t wrong_sums(const struct traffic *traffic)
{
	size_t first = (traffic->at + traffic->chunks -
			       traffic->ops % traffic->chunks) %
		traffic->chunks;
	size_t wrong = 0;

	for (unsigned m = 0; m < traffic->threads; m++)
		wrong += traffic->slices[m].sum !=
			expected_sum(traffic, m, first);
	return wrong;
}

static size_t wrong_samples(const struct traffic *traffic)
{
	size_t chunk = (traffic->at + traffic->chunks - 1) % traffic->chunks;
	size_t wrong = 0;

	for (unsigned m = 0; m < traffic->threads; m++)
		for (size_t i = 0; i < SAMPLES; i++) {
			uint64_t got =
				*sample_word(traffic, traffic->to, m, i, chunk);
			uint64_t wanted = traffic->op == KERNEL_WRITE ?
				traffic->word :
				*sample_word(traffic, traffic->from, m, i,
					chunk);

			wrong += got != wanted;
		}
	return wrong;
}

void traffic_check(struct traffic *traffic)
{
	size_t wrong = traffic->op == KERNEL_READ ? wrong_sums(traffic) :
						    wrong_samples(traffic);

	if (wrong)
		probe_invalid(traffic->probe,
			"%s %s: %zu %s wrong, expected none: the kernel "
			"skipped work",
			kernel_ops[traffic->op], traffic->kernel->name, wrong,
			traffic->op == KERNEL_READ ?
				"thread sums are" :
				"words read back are");
}

static bool is_proven(const struct traffic *traffic, unsigned member,
	size_t chunk)
{
	const char *to = chunk_of(traffic, traffic->to, member, chunk);
	size_t bytes = traffic->chunk_bytes;

	if (traffic->op == KERNEL_COPY)
		return !memcmp(to,
			chunk_of(traffic, traffic->from, member, chunk), bytes);
	return kernel_wrote(to, bytes, traffic->word);
}

void traffic_prove(struct traffic *traffic, const struct kernel *kernel)
{
	size_t chunk = last_chunk(traffic, 1);
	bool interrupted;

	if (traffic->op != KERNEL_READ)
		for (unsigned m = 0; m < traffic->threads; m++)
			memset(chunk_of(traffic, traffic->to, m, chunk), 0,
				traffic->chunk_bytes);
	traffic_run(traffic, kernel, 1, &interrupted);
	traffic_check(traffic);
	if (traffic->op == KERNEL_READ)
		return;
	for (unsigned m = 0; m < traffic->threads; m++)
		if (!is_proven(traffic, m, chunk))
			probe_invalid(traffic->probe,
				"%s %s: some bytes read back are wrong",
				kernel_ops[traffic->op], kernel->name);
}
