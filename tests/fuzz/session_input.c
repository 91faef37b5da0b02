/* Bytes as a session file. */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "lab.h"
#include "markup.h"
#include "report.h"

static void report(struct lab *lab, const struct session *session)
{
	const struct report_input input = {
		.session = session,
		.experiments = lab->registry.list,
		.experiment_count = lab->registry.count,
	};
	struct text html = { 0 }, markdown = { 0 };

	if (!session->run_count)
		return;
	session_report(&input, DOCUMENT_HTML, &html);
	must_be_safe(&html, "\n\t");
	must_be_markup(&html);
	session_report(&input, DOCUMENT_MARKDOWN, &markdown);
	must_be_safe(&markdown, "\n\t");
	text_free(&html);
	text_free(&markdown);
}

static void export(const struct session *session)
{
	for (int format = 0; format < EXPORT_PCAP; format++)
		for (int trials = 0; trials < 2; trials++) {
			struct text text = { 0 };
			struct error error = { 0 };

			if (session_export(session, (enum export_format)format,
				    trials, &text, &error))
				must_be_sentence(&error);
			else
				must_be_safe(&text, format == EXPORT_CSV ?
					"\r\n" : "\n");
			text_free(&text);
		}
}

/* What is written is read, and written as the same bytes. */
static void write_again(const struct session *session)
{
	struct text first = { 0 }, second = { 0 };
	struct error error = { 0 };

	session_write(session, &first);
	must_be_safe(&first, "\n");
	struct session *again =
		session_read(first.chars, first.length, "again", &error);
	must(again != NULL);
	session_write(again, &second);
	must(first.length == second.length &&
		!memcmp(first.chars, second.chars, first.length));
	session_free(again);
	text_free(&first);
	text_free(&second);
}

/* Figures of the input may be wrong: then there is a sentence. */
static void verify(const uint8_t *data, size_t size)
{
	int fd = file_of(data, size);
	struct error error = { 0 };
	size_t checked;
	char path[32];

	path_of(fd, path);
	if (session_verify(path, &checked, &error))
		must_be_sentence(&error);
	close(fd);
}

void session_input(const uint8_t *data, size_t size)
{
	struct error error = { 0 };
	struct session *session =
		session_read((const char *)data, size, "input", &error);

	if (!session) {
		must_be_sentence(&error);
		return;
	}
	write_again(session);
	verify(data, size);
	for (size_t i = 0; i < session->run_count; i++)
		lab_attach(the_lab(), session->runs[i]);
	export(session);
	report(the_lab(), session);
	session_free(session);
}
