/* Files of reports. */
#include "report_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "document.h"
#include "text.h"

int report_file_form(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!strcmp(path, "-") || (dot && !strcmp(dot, ".md")))
		return DOCUMENT_MARKDOWN;
	if (dot && (!strcmp(dot, ".html") || !strcmp(dot, ".htm")))
		return DOCUMENT_HTML;
	return -1;
}

bool report_file_is(const char *path)
{
	char begin[DOCUMENT_MARK_WITHIN + 1];
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	size_t length = fread(begin, 1, sizeof begin - 1, file);
	fclose(file);
	begin[length] = '\0';
	return strstr(begin, DOCUMENT_MARK) != NULL;
}

/* Overwrites only an empty file or an earlier report. */
int report_file_check(const char *path, struct error *error)
{
	struct stat is;

	if (!strcmp(path, "-") || stat(path, &is) || !S_ISREG(is.st_mode) ||
		!is.st_size || report_file_is(path))
		return 0;
	return error_set(error, STATUS_OUTPUT,
		"will not overwrite %s: not a report; name another file, or "
		"use --force",
		text_quoted(path).chars);
}
