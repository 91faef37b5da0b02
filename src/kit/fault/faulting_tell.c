/* Findings about the cost of a fault: sentences and rows. */
#include "faulting_tell.h"

#include "memory_load.h"
#include "text.h"

/* Time per byte that a fault brings; 0: unknown. For a file it also brings the
 * pages between two touches, which are not counted. */
static double byte_ns(const struct faulting_costs *costs)
{
	if (!faulting_is_file(costs->kind))
		return costs->fault_ns / costs->page_bytes;
	if (costs->stride_bytes > costs->page_bytes)
		return 0;
	return costs->fault_ns / (costs->per_fault * costs->stride_bytes);
}

/* Number of loads from memory that take the same time; 0: not measured. */
static double loads_of(const struct faulting_costs *costs,
	const struct facts *facts)
{
	struct range load;

	return memory_load(facts, &load) ?
		2 * costs->fault_ns / (load.low + load.high) :
		0;
}

static void find_per_fault(const struct faulting_costs *costs,
	struct findings *findings)
{
	struct text fault = { 0 }, touch = { 0 };

	if (!faulting_is_file(costs->kind) || costs->per_fault < 1.5)
		return;
	unit_show(&fault, UNIT_NS, costs->fault_ns);
	unit_show(&touch, UNIT_NS, costs->touch_ns);
	finding_value(findings, "pages-per-fault", costs->per_fault, UNIT_NONE,
		costs->kind == FAULTING_EVICTED ?
			"a fault serves %.*f pages in %s, %s per page, "
			"because of read-ahead; advice=random shows single "
			"reads" :
			"a fault serves %.*f pages in %s, %s per page: "
			"the kernel maps the pages around the touched page",
		costs->per_fault < 100, costs->per_fault, text_chars(&fault),
		text_chars(&touch));
	text_free(&fault);
	text_free(&touch);
}

static void find_of_one(const struct faulting_costs *costs, double loads,
	struct findings *findings)
{
	double byte = byte_ns(costs);

	find_per_fault(costs, findings);
	if (byte > 0)
		finding_value(findings, "per-byte", byte, UNIT_NS,
			"a fault costs %.3g ns per byte of its page",
			byte);
	if (loads > 0)
		finding_value(findings, "over-load", loads, UNIT_NONE,
			"a fault takes as long as %.3g loads from memory",
			loads);
}

static void find_row(const struct faulting_costs *costs, double loads,
	const struct results *results, const struct point *point,
	struct findings *findings)
{
	const struct {
		const char *name;
		double value;
		enum unit unit;
	} cells[] = {
		{ "per-fault", costs->fault_ns, UNIT_NS },
		{ "pages-per-fault", costs->per_fault, UNIT_NONE },
		{ "per-touch", costs->touch_ns, UNIT_NS },
		{ "per-byte", byte_ns(costs), UNIT_NS },
		{ "over-load", loads, UNIT_NONE },
	};

	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		if (cells[i].value > 0)
			finding_cell(findings, results, point, cells[i].name,
				cells[i].value, cells[i].unit);
}

void faulting_tell(const struct faulting_costs *costs,
	const struct results *results, const struct point *point,
	const struct facts *facts, struct findings *findings)
{
	double loads = loads_of(costs, facts);

	if (results->point_count > 1)
		find_row(costs, loads, results, point, findings);
	else
		find_of_one(costs, loads, findings);
}
