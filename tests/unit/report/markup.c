/* Is a text well-formed XML? */
#include "markup.h"

#include <ctype.h>

struct markup {
	const char *at;
	char open[MARKUP_DEPTH][MARKUP_NAME];
	size_t depth, elements;
	bool page;
	bool (*allowed)(const char *element, const char *attribute);
};

#define markup_fail(m, why) fail_msg("markup: %s at: %.60s", (why), (m)->at)

static void markup_name(struct markup *m, char *name)
{
	size_t n = 0;

	while (isalnum((unsigned char)*m->at) || strchr("-:!", *m->at)) {
		if (!*m->at || n + 1 == MARKUP_NAME)
			break;
		name[n++] = *m->at++;
	}
	name[n] = '\0';
	if (!n)
		markup_fail(m, "a name expected");
}

static void markup_reference(struct markup *m)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;",
		"&quot;" };

	for (size_t i = 0; i < 4; i++)
		if (!strncmp(m->at, known[i], strlen(known[i])))
			return;
	markup_fail(m, "a bare ampersand");
}

static void markup_value(struct markup *m)
{
	const char *begin = m->at;

	for (; *m->at != '"'; m->at++) {
		if (!*m->at || *m->at == '<')
			markup_fail(m, "an attribute that does not end");
		if (*m->at == '&')
			markup_reference(m);
		/* nan and inf, in place of a number */
		if ((!strncmp(m->at, "nan", 3) || !strncmp(m->at, "inf", 3)) &&
			(m->at == begin || strchr("M L-", m->at[-1])))
			markup_fail(m, "not a number");
	}
	m->at++;
}

static void markup_attributes(struct markup *m, const char *element)
{
	char seen[16][MARKUP_NAME];
	size_t count = 0;

	while (isspace((unsigned char)*m->at)) {
		m->at += strspn(m->at, " \n");
		if (strchr("/>", *m->at))
			break;
		assert_true(count < 16);
		markup_name(m, seen[count]);
		for (size_t i = 0; i < count; i++)
			if (!strcmp(seen[i], seen[count]))
				markup_fail(m, "an attribute twice");
		if (m->allowed && !m->allowed(element, seen[count]))
			fail_msg("<%s %s=..> is not ours", element,
				seen[count]);
		count++;
		if (strncmp(m->at, "=\"", 2) != 0)
			markup_fail(m, "a quoted value expected");
		m->at += 2;
		markup_value(m);
	}
}

static void markup_tag(struct markup *m)
{
	char name[MARKUP_NAME];

	m->at++;
	if (*m->at == '/') {
		m->at++;
		markup_name(m, name);
		if (!m->depth || strcmp(m->open[m->depth - 1], name) != 0)
			markup_fail(m, "an end of what is not open");
		m->depth--;
	} else {
		markup_name(m, name);
		if (m->allowed && !m->allowed(name, NULL))
			fail_msg("<%s> is not ours", name);
		markup_attributes(m, name);
		m->elements++;
		if (*m->at == '/') {
			m->at++;
		} else if (!m->page || strcmp(name, "meta") != 0) {
			assert_true(m->depth < MARKUP_DEPTH);
			memcpy(m->open[m->depth++], name, MARKUP_NAME);
		}
	}
	if (*m->at++ != '>')
		markup_fail(m, "an end of a tag expected");
}

size_t markup_check(const char *text, bool page, bool (*allowed)(const char *,
	const char *))
{
	static const char doctype[] = "<!doctype html>\n";
	struct markup m = { .at = text, .page = page, .allowed = allowed };

	if (page) {
		assert_memory_equal(text, doctype, sizeof doctype - 1);
		m.at += sizeof doctype - 1;
	}
	while (*m.at) {
		if (*m.at == '<') {
			markup_tag(&m);
			continue;
		}
		if (*m.at == '&')
			markup_reference(&m);
		if ((unsigned char)*m.at < ' ' && *m.at != '\n')
			markup_fail(&m, "a control character");
		m.at++;
	}
	if (m.depth)
		fail_msg("<%s> is not closed", m.open[m.depth - 1]);
	return m.elements;
}

size_t count_of(const char *text, const char *piece)
{
	size_t count = 0;

	for (const char *at = strstr(text, piece); at;
		at = strstr(at + 1, piece))
		count++;
	return count;
}
