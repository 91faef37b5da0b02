/* Sentences for a measured size. */
#include "nominal.h"

#include "check.h"

static void expect(double found, double low, double high, bool uncertain,
	double nominal, const char *want)
{
	struct text text = { 0 };

	nominal_verdict(found, low, high, uncertain, nominal, &text);
	assert_string_equal(text_chars(&text), want);
	text_free(&text);
}

static void says_what_it_is(void **state)
{
	expect(34000, 32768, 36000, false, 32768,
		"agrees with the kernel's 32.00 KiB");
	expect(8 << 20, 7 << 20, 9 << 20, false, 32 << 20,
		"effective 8.000 MiB of nominal 32.00 MiB (25 %)");
	/* Within 15 %, or within the interval. */
	expect(1.14e6, 1.13e6, 1.15e6, false, 1e6,
		"agrees with the kernel's 976.6 KiB");
	expect(1.16e6, 1.15e6, 1.17e6, false, 1e6,
		"effective 1.106 MiB of nominal 976.6 KiB (116 %)");
	expect(1.4e6, .9e6, 1.5e6, false, 1e6,
		"agrees with the kernel's 976.6 KiB");
	expect(32768, 32768, 32768, true, 32768,
		"uncertain, the kernel reports 32.00 KiB");
	expect(32768, 32768, 32768, false, 0,
		"+-25 %, the kernel reports no size");
	expect(32768, 32768, 32768, true, 0,
		"uncertain, the kernel reports no size");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
