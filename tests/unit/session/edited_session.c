/* The text of the sample session with a part replaced. */
#include "edited_session.h"

struct text sample_text(void)
{
	struct session *session = sample_session();
	struct text text = written(session);

	session_free(session);
	return text;
}

/* A copy of the text with the first occurrence of `old` replaced. */
static struct text replaced(const struct text *text, const char *old,
	const char *new)
{
	const char *at = strstr(text->chars, old);
	struct text out = { 0 };

	if (!at)
		fail_msg("not in the sample: %s", old);
	text_add_chars(&out, text->chars, (size_t)(at - text->chars));
	text_add_chars(&out, new, strlen(new));
	text_add_chars(&out, at + strlen(old), strlen(at + strlen(old)));
	return out;
}

struct text edited(const char *old, const char *new)
{
	struct text sample = sample_text();
	struct text out = replaced(&sample, old, new);

	text_free(&sample);
	return out;
}

void refused_with(const struct text *text, const struct edit *edit)
{
	struct error error = { .line = 1 };
	struct session *session =
		session_read(text->chars, text->length, "x.json", &error);

	if (session)
		fail_msg("taken: %s -> %s", edit->old, edit->new);
	if (!strstr(error.message, "x.json") ||
		!strstr(error.message, edit->says))
		fail_msg("%s -> %s\nsays     %s\nexpected %s", edit->old,
			edit->new, error.message, edit->says);
	assert_int_equal(error.status, STATUS_INPUT);
}

void edits_are_refused(const struct edit *edits, size_t count)
{
	struct text sample = sample_text();

	for (size_t i = 0; i < count; i++) {
		const struct edit *edit = &edits[i];
		struct text text = replaced(&sample, edit->old, edit->new);

		refused_with(&text, edit);
		text_free(&text);
	}
	print_message("%zu files\n", count);
	text_free(&sample);
}
