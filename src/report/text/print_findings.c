/* Findings as plain text. */
#include "print_findings.h"

#include <string.h>

#include "finding_table.h"

enum { GAP = 2 };

bool finding_is_said(const struct results *results,
	const struct finding *finding)
{
	return *finding->sentence &&
		(finding->point < 0 || results->point_count == 1);
}

static int width_of(const struct finding_table *table, size_t column)
{
	int width = 0;

	for (size_t row = 0; row <= table->rows; row++) {
		int wide = (int)strlen(finding_table_cell(table, row, column));

		if (wide > width)
			width = wide;
	}
	return width;
}

/* Points of a single-point run have no name, so the first column is left
 * out. */
static void print_table_row(const struct finding_table *table, size_t row,
	struct text *text)
{
	for (size_t column = 0; column < table->columns; column++) {
		int width = width_of(table, column);

		if (!width)
			continue;
		text_add(text, "%*s%-*s", GAP, "", width,
			finding_table_cell(table, row, column));
	}
	text_trim(text);
	text_add_char(text, '\n');
}

void print_findings(const struct results *results, struct text *text)
{
	struct finding_table table;

	if (finding_table_make(results, &table))
		for (size_t row = 0; row <= table.rows; row++)
			print_table_row(&table, row, text);
	finding_table_free(&table);
	for (size_t i = 0; i < results->findings.count; i++)
		if (finding_is_said(results, &results->findings.list[i]))
			text_add(text, "  %s\n",
				results->findings.list[i].sentence);
}
