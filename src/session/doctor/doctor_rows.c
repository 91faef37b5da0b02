/* Common functions of the checks: reading the machine, filling in rows. */
#include "doctor_checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"
#include "peek.h"
#include "text.h"

void row_found(struct doctor_row *row, const char *format, ...)
{
	struct text found = { 0 };
	va_list list;

	va_start(list, format);
	text_vadd(&found, format, list);
	va_end(list);
	safe_copy(row->found, sizeof row->found, text_chars(&found));
	text_free(&found);
}

void row_verdict(struct doctor_row *row, enum doctor_verdict verdict,
	const char *effect, const char *fix)
{
	row->verdict = verdict;
	snprintf(row->effect, sizeof row->effect, "%s", effect);
	snprintf(row->fix, sizeof row->fix, "%s", fix);
}

int patient_cpu(const struct patient *patient)
{
	int cpu = patient->input->cpu;

	return cpu < 0 || cpu >= PROCESSORS_MAX ? 0 : cpu;
}

void patient_status(const struct patient *patient, const char *key, char *into,
	size_t size_bytes)
{
	char status[32768]; /* a user may be in very many groups */

	peek_bytes(patient->root, status, sizeof status, "/proc/self/status");
	field_find(status, key, ':', into, size_bytes);
}

bool patient_can(const struct patient *patient, unsigned capability)
{
	char set[32];

	patient_status(patient, "CapEff", set, sizeof set);
	return strtoull(set, NULL, 16) >> capability & 1;
}
