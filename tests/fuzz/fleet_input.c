/* Bytes as a kept session, as lists, histories and fleets scan it. */
#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "fleet_report.h"
#include "kept.h"
#include "markup.h"
#include "memory.h"
#include "print_fleet.h"
#include "print_history.h"

enum { MACHINES = 4 };

static void read_head(const char *path)
{
	struct kept_head head;

	kept_head_read(path, &head);
	must(strlen(head.at) < sizeof head.at);
	kept_head_free(&head);
}

/* The session, as it is and as if other machines had saved it. */
static void add_all(struct fleet_sessions *sessions, const uint8_t *data,
	size_t size)
{
	struct error error = { 0 };
	struct text json = { 0 };
	char path[32];
	int fd = file_of(data, size);
	struct session *session =
		session_read((const char *)data, size, "input", &error);

	path_of(fd, path);
	read_head(path);
	fleet_sessions_add(sessions, path);
	close(fd);
	for (int i = 1; session && i < MACHINES; i++) {
		char *host = session->machine.hostname;

		host[sizeof session->machine.hostname / 2] = '\0';
		snprintf(strchr(host, '\0'), 3, "%d", i);
		text_clear(&json);
		session_write(session, &json);
		fd = file_of(json.chars, json.length);
		path_of(fd, path);
		fleet_sessions_add(sessions, path);
		close(fd);
	}
	text_free(&json);
	if (session)
		session_free(session);
}

static void check_fleet(struct fleet_sessions *sessions)
{
	struct text text = { 0 };

	fleet_sessions_find(sessions);
	print_fleet(sessions, &text_layout_plain, &text);
	must_be_safe(&text, "\n");
	text_clear(&text);
	fleet_write(sessions, &text);
	must_be_safe(&text, "\n");
	text_clear(&text);
	fleet_export(sessions, &text);
	must_be_safe(&text, "\n");
	text_clear(&text);
	fleet_report(sessions, &text);
	must_be_safe(&text, "\n\t");
	must_be_markup(&text);
	text_free(&text);
}

static bool is_like(const struct kept_point *a, const struct kept_point *b)
{
	return !strcmp(a->experiment, b->experiment) &&
		!strcmp(a->setting, b->setting) &&
		!strcmp(a->metric, b->metric) && a->unit == b->unit;
}

/* The history of the first point's setting. */
static void check_history(const struct kept_points *points)
{
	struct kept_point *list = xcalloc(points->count, sizeof *list);
	struct text text = { 0 };
	struct history history;
	size_t count = 0;

	for (size_t i = 0; i < points->count; i++)
		if (is_like(&points->list[0], &points->list[i]))
			list[count++] = points->list[i];
	history_make("cpu.loop", list, count, &history);
	print_history(&history, &text_layout_plain, &text);
	must_be_safe(&text, "\n");
	text_clear(&text);
	history_write(&history, &text);
	must_be_safe(&text, "\n");
	history_free(&history);
	text_free(&text);
	free(list);
}

void fleet_input(const uint8_t *data, size_t size)
{
	struct fleet_sessions sessions = { .machine_count = 0 };

	add_all(&sessions, data, size);
	if (sessions.points.count) {
		check_history(&sessions.points);
		check_fleet(&sessions);
	}
	fleet_sessions_free(&sessions);
}
