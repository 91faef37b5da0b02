/* Reads and draws the list of sessions. */
#include "browser.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "draw_table.h"
#include "file.h"
#include "fit.h"
#include "lab.h"
#include "memory.h"
#include "peek.h"

enum {
	HEAD = 2048,
	LISTED_MOST = 500,
	WHEN = 16,     /* "2025-11-20 09:15" */
	MEDIAN = 10,   /* median of the first run */
	GAPS = 6,      /* between four columns */
	BROAD = 100,   /* least width for the column of the machine */
	MACHINE = 30,
};

/* ---- reading ---------------------------------------------------------- */

/* Appends the value of a string member near the head of a file, as a label.
 * Escapes are not resolved. */
static void add_member(const char *head, const char *name, struct text *text)
{
	struct text key = { 0 };

	text_add(&key, "\"%s\":", name);
	const char *found = strstr(head, key.chars);
	if (found) {
		const char *value = found + key.length;

		value += strspn(value, " \"");
		size_t length = strcspn(value, "\"\\\n");
		if (length && text->length)
			text_add(text, ", ");
		text_add_safe(text, value, length);
	}
	text_free(&key);
}

static struct browsed *add(struct browser *browser)
{
	ARRAY_GROW(browser->list, browser->count);
	browser->list[browser->count] =
		(struct browsed){ .machine = xstrdup("") };
	return &browser->list[browser->count++];
}

static void add_session(struct browser *browser, const char *path, int kind,
	const char *head, time_t changed)
{
	struct text machine = { 0 };

	add_member(head, "hostname", &machine);
	add_member(head, "cpu", &machine);
	struct browsed *file = add(browser);
	free(file->machine);
	*file = (struct browsed){ .kind = kind,
		.name = xstrdup(path),
		.path = xstrdup(path),
		.machine = xstrdup(text_chars(&machine)),
		.changed = changed };
	text_free(&machine);
}

/* Adds a file if it is a session file; reads only its head. */
static void add_file(struct browser *browser, const char *path, int kind)
{
	char head[HEAD];
	struct stat is;

	if (!stat(path, &is) && S_ISREG(is.st_mode) &&
		peek_bytes("", head, sizeof head, "%s", path) &&
		strstr(head, "\"benchtop-session\""))
		add_session(browser, path, kind, head, is.st_mtime);
}

static int by_age(const void *a, const void *b)
{
	const struct browsed *one = a, *other = b;

	if (one->changed != other->changed)
		return one->changed < other->changed ? 1 : -1;
	return strcmp(other->name, one->name);
}

/* Adds the sessions of the working folder, the newest first. */
static void add_folder(struct browser *browser)
{
	static const char ending[] = ".json";
	size_t first = browser->count;
	DIR *dir = opendir(".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) &&
		browser->count - first < LISTED_MOST) {
		size_t length = strlen(entry->d_name);

		if (length > strlen(ending) &&
			!strcmp(entry->d_name + length - strlen(ending),
				ending))
			add_file(browser, entry->d_name, BROWSED_FILE);
	}
	if (dir)
		closedir(dir);
	if (browser->count > first)
		qsort(browser->list + first, browser->count - first,
			sizeof *browser->list, by_age);
}

/* Adds the kept sessions under the numbers of the verb `sessions`, the newest
 * first. Skips the lab's own autosave file, which is the present session. */
static void add_kept(struct browser *browser, const struct lab *lab)
{
	struct kept_list list;

	kept_list_read(&list);
	size_t least = list.count > LISTED_MOST ? list.count - LISTED_MOST : 0;
	for (size_t i = list.count; i > least; i--) {
		size_t before = browser->count;
		struct text number = { 0 };

		if (lab->autosave && !strcmp(list.paths[i - 1], lab->autosave))
			continue;
		add_file(browser, list.paths[i - 1], BROWSED_KEPT);
		if (browser->count == before)
			continue;
		text_add(&number, "%zu", i);
		free(browser->list[before].name);
		browser->list[before].name = text_take(&number);
	}
	kept_list_free(&list);
}

static void add_published(struct browser *browser)
{
	for (size_t i = 0; published_names[i]; i++)
		add_session(browser, published_names[i], BROWSED_PUBLISHED,
			published_file(published_names[i])->text, 0);
}

void browser_read(struct browser *browser, const struct lab *lab)
{
	size_t selected = browser->selected;

	browser_free(browser);
	add(browser)->kind = BROWSED_PRESENT;
	add_folder(browser);
	add_kept(browser, lab);
	add_published(browser);
	browser->selected =
		selected < browser->count ? selected : browser->count - 1;
}

void browser_free(struct browser *browser)
{
	for (size_t i = 0; i < browser->count; i++) {
		free(browser->list[i].name);
		free(browser->list[i].path);
		free(browser->list[i].machine);
		kept_head_free(&browser->list[i].head);
	}
	free(browser->list);
	*browser = (struct browser){ 0 };
}

/* ---- drawing ---------------------------------------------------------- */

static const char *name_of(const struct browsed *session)
{
	return session->name ? session->name : "this session";
}

/* Searches the file only when its row is first drawn: there may be many
 * files. */
static void read_head(struct browsed *session)
{
	if (session->has_head || !session->path)
		return;
	kept_head_read(session->path, &session->head);
	session->has_head = true;
}

/* "cpu.call, cpu.syscall: before"; for a published session its machine. */
static void say_contents(const struct browsed *session, struct text *text)
{
	const struct kept_head *head = &session->head;

	if (session->kind == BROWSED_PUBLISHED) {
		text_add(text, "%s", session->machine);
		return;
	}
	for (size_t i = 0; i < head->experiment_count; i++) {
		text_add(text, "%s", i ? ", " : "");
		text_add_safe(text, head->experiments[i],
			strlen(head->experiments[i]));
	}
	if (head->note) {
		text_add(text, "%s", text->length ? ": " : "");
		text_add_safe(text, head->note, strcspn(head->note, "\n"));
	}
}

/* The time of the first run, or else the time when the file was written. */
static void say_when(const struct browsed *session, struct text *text)
{
	char when[20];
	struct tm local;

	if (*session->head.at) {
		text_add_minute(text, session->head.at);
	} else if (session->path && session->kind != BROWSED_PUBLISHED) {
		localtime_r(&session->changed, &local);
		strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
		text_add(text, "%s", when);
	}
}

static void fitted_cell(struct table *table, enum role role,
	const struct text *chars, int columns)
{
	struct text text = { 0 };

	fit_words(&text, text_chars(chars), columns);
	table_cell(table, role, "%s", text_chars(&text));
	text_free(&text);
}

static void add_row(struct table *table, const struct browsed *session,
	int room)
{
	const struct kept_head *head = &session->head;
	struct text name = { 0 }, when = { 0 }, contents = { 0 };
	struct text median = { 0 }, machine = { 0 };

	text_add_safe(&name, name_of(session), strlen(name_of(session)));
	say_when(session, &when);
	say_contents(session, &contents);
	if (session->has_head && isfinite(head->median))
		unit_show(&median, head->unit, head->median);
	if (session->kind != BROWSED_PUBLISHED)
		text_add(&machine, "%s", session->machine);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&name));
	table_cell(table, ROLE_DIM, "%s", text_chars(&when));
	fitted_cell(table, ROLE_TEXT, &contents, room);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&median));
	if (table->columns > 4)
		fitted_cell(table, ROLE_DIM, &machine, MACHINE);
	text_free(&name);
	text_free(&when);
	text_free(&contents);
	text_free(&median);
	text_free(&machine);
}

static int widest_name(const struct browser *browser)
{
	int most = 0;

	for (size_t i = 0; i < browser->count; i++) {
		int columns = text_columns(name_of(&browser->list[i]));

		most = columns > most ? columns : most;
	}
	return most;
}

static void add_titles(struct table *table)
{
	table_cell(table, ROLE_DIM, "session");
	table_cell(table, ROLE_DIM, "measured");
	table_cell(table, ROLE_DIM, "experiments: note");
	table_cell(table, ROLE_DIM, "median");
	if (table->columns > 4)
		table_cell(table, ROLE_DIM, "machine");
}

void browser_draw(struct browser *browser, const struct pane *pane)
{
	struct pane rows = pane_part(pane, 1, 0, -1, pane->rows);
	bool broad = rows.columns >= BROAD;
	struct table table = { .columns = broad ? 5 : 4,
		.right = 1u << 3,
		.first_least = widest_name(browser) };
	size_t room = rows.rows > 1 ? (size_t)rows.rows - 1 : 0;
	size_t first = browser->selected >= room && room ?
		browser->selected - room + 1 :
		0;
	int contents = rows.columns - table.first_least - WHEN - MEDIAN - GAPS -
		(broad ? MACHINE + 2 : 0);

	add_titles(&table);
	for (size_t i = first; i < browser->count && i - first < room; i++) {
		read_head(&browser->list[i]);
		add_row(&table, &browser->list[i], contents);
	}
	draw_table(&table, &rows, 0);
	table_free(&table);
	for (size_t i = first; i < browser->count && i - first < room; i++) {
		int row = (int)(i - first) + 1;

		pane_spot(&rows, 0, row, rows.columns, "choose %zu", i + 1);
		if (i != browser->selected)
			continue;
		pane_role(&rows, 0, row, rows.columns, ROLE_SELECT);
		pane_cursor(&rows, 0, row);
	}
}
