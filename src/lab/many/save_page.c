/* Pages that verbs write beside their reply. */
#include "save_page.h"

#include <string.h>

#include "document.h"
#include "file.h"
#include "report_file.h"

int save_page_check(const struct call *call, struct error *error)
{
	const char *path = call_option(call, "-o=");

	error->line = error->column = 0;
	if (!path || report_file_form(path) == DOCUMENT_HTML)
		return 0;
	return error_set(error, STATUS_USAGE,
		"-o %s: expected a name that ends in .html",
		text_quoted(path).chars);
}

int save_page_begin(const struct call *call, bool *wanted, struct error *error)
{
	const char *path = call_option(call, "-o=");

	*wanted = path != NULL;
	if (!path || call_option(call, "--force"))
		return 0;
	return report_file_check(path, error);
}

int save_page_end(const struct call *call, struct text *page,
	struct reply *reply)
{
	const char *path = call_option(call, "-o=");

	int failed = file_save(path, page->chars, page->length, &reply->error);

	text_free(page);
	if (failed)
		return -1;
	text_add(&reply->remark, "report in ");
	text_add_safe(&reply->remark, path, strlen(path));
	text_add(&reply->remark, "\n");
	return 0;
}
