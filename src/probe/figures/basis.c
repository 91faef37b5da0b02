/* The basis of predictions: earlier figures or typical values, and its
 * description. */
#include "basis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static void remember(struct basis *basis, const char *experiment)
{
	size_t used = strlen(basis->taken);

	if (!strstr(basis->taken, experiment))
		snprintf(basis->taken + used, sizeof basis->taken - used,
			"%s%s", used ? ", " : "", experiment);
}

bool basis_take(struct basis *basis, enum quantity quantity,
	const char *where, struct range *range)
{
	struct range found;
	const struct results *results =
		facts_measured(basis->facts, quantity, where, &found);

	if (!results || !(found.low > 0) || !(found.high >= found.low))
		return false;
	*range = found;
	remember(basis, results->experiment);
	return true;
}

struct range basis_call_ns(struct basis *basis)
{
	/* 100 to 400 cycles, or up to 800 with page table isolation. */
	double most = basis->facts->page_table_isolation ? 800 : 400;
	struct range call = {
		facts_cycles_ns(basis->facts, 100),
		facts_cycles_ns(basis->facts, most),
	};

	basis_take(basis, QUANTITY_SYSTEM_CALL, NULL, &call);
	return call;
}

struct range basis_switch_ns(struct basis *basis)
{
	struct range change = { 500, 2000 };

	basis_take(basis, QUANTITY_PIPE_SWITCH, NULL, &change);
	return change;
}

struct range basis_copy_ns(struct basis *basis, double bytes)
{
	struct range rate = { 6e9, 30e9 };

	basis_take(basis, QUANTITY_COPY_RATE, NULL, &rate);
	return (struct range){ 2 * bytes / rate.high * 1e9,
		2 * bytes / rate.low * 1e9 };
}

static void add_rate(const struct facts *facts, struct text *text)
{
	double hz = 1e9 / facts_cycles_ns(facts, 1);

	text_add(text, "; at ");
	unit_show(text, UNIT_HZ, hz);
	/* kernel_hz is the rate of the counter, which may differ from the
	 * core's. */
	text_add(text, ", %s",
		facts->core_hz > 0                      ? "measured" :
			fabs(hz - facts->kernel_hz) < 1 ? "the nominal rate" :
							  "assumed");
}

void basis_say(const struct basis *basis, struct prediction *prediction,
	const char *format, ...)
{
	struct text text = { 0 };
	va_list list;

	va_start(list, format);
	text_vadd(&text, format, list);
	va_end(list);
	if (basis->taken[0])
		text_add(&text, "; from %s, this session", basis->taken);
	if (basis->cycles)
		add_rate(basis->facts, &text);
	else if (!basis->taken[0])
		text_add(&text, "; from typical values");
	snprintf(prediction->why, sizeof prediction->why, "%s",
		text_chars(&text));
	text_free(&text);
}
