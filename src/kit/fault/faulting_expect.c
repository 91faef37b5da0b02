/* Predictions of page faults. */
#include "faulting_expect.h"

#include "basis.h"

enum { MAP_NS = 200 }; /* the kernel's work, if the page exists */

/* Bytes filled per fault; a copy also reads. The zero page and a file's cached
 * page already exist and are only mapped. */
static double filled_bytes(const struct faulting_wish *wish)
{
	return wish->kind == FAULTING_ANONYMOUS ? wish->page_bytes :
		wish->kind == FAULTING_COPIED   ? 2 * wish->page_bytes :
						  0;
}

static const char *work_of(enum faulting_kind kind)
{
	switch (kind) {
	case FAULTING_ZERO:
		return "mapping the zero page, without filling";
	case FAULTING_FILE:
		return "mapping pages of the page cache, without filling";
	case FAULTING_COPIED:
		return "copying the page at the rate of memory";
	default:
		return "filling the page at the rate of memory";
	}
}

static void expect_minor(const struct faulting_wish *wish, double guest,
	struct basis *basis, struct prediction *prediction)
{
	struct range rate = { 5e9, 15e9 };
	double filled = filled_bytes(wish);

	/* What was just filled is in a cache: up to twice the rate of
	 * memory. */
	if (filled > 0)
		basis_take(basis, QUANTITY_WRITE_RATE, NULL, &rate);
	prediction->hardware.low = filled / (2 * rate.high) * 1e9 +
		facts_cycles_ns(basis->facts, 100);
	prediction->hardware.high =
		filled / rate.low * 1e9 + facts_cycles_ns(basis->facts, 600);
	prediction->software = (struct range){ MAP_NS, 600 * guest };
	/* One fault may map the whole of a large folio. */
	if (wish->kind == FAULTING_FILE)
		prediction->software.high += 512 * 40;
	prediction_sum(prediction);
	basis_say(basis, prediction,
		"an exception, and %s; kernel %.1f to %.1f us",
		work_of(wish->kind), prediction->software.low / 1000,
		prediction->software.high / 1000);
}

static void expect_major(const struct faulting_wish *wish, double guest,
	struct basis *basis, struct prediction *prediction)
{
	static const double slow_disk = 100e6; /* bytes a second */
	struct range disk = { 20e3, 10e6 };

	basis_take(basis, QUANTITY_FILE_READ,
		"order=random cache=cold block=4K", &disk);
	prediction->hardware = disk;
	prediction->software = (struct range){ 2e3, 30e3 * guest };
	if (wish->ahead_bytes > 0) {
		prediction->hardware.low = facts_cycles_ns(basis->facts, 100);
		prediction->hardware.high +=
			wish->ahead_bytes / slow_disk * 1e9;
		prediction->software.low = MAP_NS;
	}
	prediction_sum(prediction);
	basis_say(basis, prediction,
		"%s; two switches and kernel %.1f to %.0f us",
		wish->ahead_bytes > 0 ?
			"from an exception, if read-ahead has brought the "
			"page, to a disk latency of 10 ms and 2 MiB of "
			"read-ahead at 100 MB/s" :
			"disk latency 20 us (flash) to 10 ms",
		prediction->software.low / 1000,
		prediction->software.high / 1000);
}

void faulting_expect(const struct faulting_wish *wish,
	const struct facts *facts, struct prediction *prediction)
{
	struct basis basis = { .facts = facts };
	double guest = facts->hypervisor ? 3 : 1;

	if (wish->kind == FAULTING_EVICTED)
		expect_major(wish, guest, &basis, prediction);
	else
		expect_minor(wish, guest, &basis, prediction);
}
