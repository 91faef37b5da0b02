/* What HTML and SVG of this program may contain. */
#include "markup.h"

#include <stdio.h>
#include <string.h>

#include "inputs.h"

enum { OPEN_MOST = 64, NAME_MOST = 20 };

struct tags {
	char open[OPEN_MOST][NAME_MOST];
	size_t count;
};

static const char *const elements[] = { "!doctype", "a", "b", "body", "caption",
	"circle", "code", "details", "div", "em", "figcaption", "figure", "g",
	"h1", "h2", "h3", "h4", "head", "html", "i", "li", "meta", "p", "path", "pre",
	"rect", "small", "span", "strong", "style", "summary", "svg", "table",
	"tbody", "td", "text", "th", "thead", "title", "tr", "ul", NULL };
static const char *const empty[] = { "meta", "!doctype", NULL };
static const char *const attributes[] = { "charset", "class", "content", "cx",
	"cy", "d", "data-head", "data-of", "fill", "fill-opacity",
	"font-family", "font-size", "height", "href", "id", "lang", "name", "r",
	"role", "rx", "stroke", "stroke-dasharray", "stroke-opacity",
	"stroke-width", "text-anchor", "textLength", "viewBox", "width", "x",
	"xmlns", "y", NULL };

static bool is_one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

/* Copies a name, and returns what follows it. */
static const char *read_name(const char *at, char name[NAME_MOST],
	const char *const *known)
{
	size_t length = strcspn(at, " \n\t/>=\"'<");

	must(length && length < NAME_MOST);
	memcpy(name, at, length);
	name[length] = '\0';
	if (!is_one_of(name, known))
		fprintf(stderr, "unexpected name in markup: %s\n", name);
	must(is_one_of(name, known));
	return at + length;
}

static const char *read_attribute(const char *at)
{
	char name[NAME_MOST];

	at = read_name(at, name, attributes);
	must(at[0] == '=' && at[1] == '"');
	at += 2;
	size_t length = strcspn(at, "\"<>");
	must(at[length] == '"');
	must(strcmp(name, "href") != 0 || *at == '#');
	return at + length + 1;
}

static void leave(struct tags *tags, const char *name)
{
	must(tags->count > 0);
	must(!strcmp(tags->open[--tags->count], name));
}

/* A tag, from the character after its <. Returns what follows its >. */
static const char *read_tag(struct tags *tags, const char *at)
{
	bool ends = *at == '/';
	char name[NAME_MOST];

	at = read_name(at + ends, name, elements);
	if (ends) {
		must(*at == '>');
		leave(tags, name);
		return at + 1;
	}
	if (!strcmp(name, "!doctype"))
		at += strlen(" html");
	while (*(at += strspn(at, " \n\t")) != '>' && *at != '/')
		at = read_attribute(at);
	if (*at == '/') {
		must(at[1] == '>');
		return at + 2;
	}
	if (!is_one_of(name, empty)) {
		must(tags->count < OPEN_MOST);
		memcpy(tags->open[tags->count++], name, sizeof name);
	}
	return at + 1;
}

void must_be_markup(const struct text *text)
{
	struct tags tags = { .count = 0 };

	must(strlen(text->chars) == text->length);
	for (const char *at = text->chars; (at = strchr(at, '<'));)
		at = read_tag(&tags, at + 1);
	must(!tags.count);
}
