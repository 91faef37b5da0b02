/* Sentences that compare measured and nominal sizes. */
#include "nominal.h"

#include <math.h>

#include "unit.h"

static const double near = .15;

void nominal_verdict(double found, double low, double high, bool uncertain,
	double nominal, struct text *text)
{
	struct text says = { 0 }, is = { 0 };

	unit_show(&says, UNIT_BYTES, nominal);
	unit_show(&is, UNIT_BYTES, found);
	if (nominal <= 0)
		text_add(text, "%s, the kernel reports no size",
			uncertain ? "uncertain" : "+-25 %");
	else if (uncertain)
		text_add(text, "uncertain, the kernel reports %s",
			text_chars(&says));
	else if (fabs(found / nominal - 1) <= near ||
		(low <= nominal && nominal <= high))
		text_add(text, "agrees with the kernel's %s",
			text_chars(&says));
	else
		text_add(text, "effective %s of nominal %s (%.0f %%)",
			text_chars(&is), text_chars(&says),
			100 * found / nominal);
	text_free(&says);
	text_free(&is);
}
