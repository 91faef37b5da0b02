/* A kernel with counters that a test invents. */
#include "counted_kernel.h"

#include <errno.h>
#include <string.h>

#include "check.h"

enum { FIRST_FD = 100 };

struct counted_offers offers;
struct counted_kernel kernel;

static const struct {
	uint32_t type;
	uint64_t config;
} known[COUNTERS] = { { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ PERF_TYPE_HW_CACHE, 0x10003 },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS } };

static unsigned counter_of(const struct perf_event_attr *attr)
{
	unsigned i = 0;

	while (known[i].type != attr->type || known[i].config != attr->config)
		assert_true(++i < COUNTERS);
	return i;
}

static int refuse(int number)
{
	errno = number;
	return -1;
}

static int fake_open(const struct perf_event_attr *attr, int group)
{
	unsigned i = counter_of(attr);
	bool hardware = attr->type != PERF_TYPE_SOFTWARE;

	assert_int_equal(attr->size, sizeof *attr);
	assert_int_equal(attr->disabled, group < 0);
	if (group < 0)
		kernel.in_group = 0;
	if (offers.all)
		return refuse(offers.all);
	if (!attr->exclude_kernel && offers.kernel)
		return refuse(offers.kernel);
	if (offers.missing[i])
		return refuse(offers.missing[i]);
	if (hardware && offers.fits && kernel.in_group == offers.fits)
		return refuse(EINVAL);
	kernel.in_group += hardware;
	assert_true(kernel.opened < COUNTED_FDS);
	kernel.open[kernel.opened] = true;
	return FIRST_FD + (int)kernel.opened++;
}

static ssize_t fake_read(int fd, void *into, size_t size_bytes)
{
	struct counter_reading reading = { .enabled_ns = kernel.enabled_ns,
		.running_ns = kernel.running_ns };
	size_t head = offsetof(struct counter_reading, values);

	assert_true(kernel.open[fd - FIRST_FD] && kernel.on);
	reading.count = (size_bytes - head) / sizeof *reading.values;
	memcpy(reading.values, kernel.at, sizeof kernel.at);
	memcpy(into, &reading, size_bytes);
	for (unsigned i = 0; i < COUNTERS; i++)
		kernel.at[i] += kernel.step[i];
	kernel.enabled_ns += 1000;
	kernel.running_ns += 1000 - kernel.lost_ns;
	return (ssize_t)(size_bytes - kernel.short_bytes);
}

static int fake_enable(int fd, bool on)
{
	assert_true(kernel.open[fd - FIRST_FD]);
	kernel.on = on;
	return 0;
}

static int fake_close(int fd)
{
	assert_true(kernel.open[fd - FIRST_FD]);
	kernel.open[fd - FIRST_FD] = false;
	return 0;
}

const struct counter_calls fake = { fake_open, fake_read, fake_enable,
	fake_close };

int begin_case(void **state)
{
	memset(&offers, 0, sizeof offers);
	memset(&kernel, 0, sizeof kernel);
	return 0;
}

void all_are_closed(void)
{
	for (unsigned i = 0; i < COUNTED_FDS; i++)
		assert_false(kernel.open[i]);
}
