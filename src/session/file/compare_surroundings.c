/* Lists the differing conditions of two sessions. */
#include "compare_surroundings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "quantile.h"
#include "session_internal.h"
#include "version.h"

/* Measured in each session, so they always differ slightly. */
static const char *const always_differ[] = { "kernel_tick_hz", "cpuid_tick_hz",
	NULL };

static bool is_one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

static void add_difference(struct compare_pair *pair, const char *what,
	const char *first, const char *second)
{
	ARRAY_GROW(pair->differences, pair->difference_count);
	struct compare_difference *difference =
		&pair->differences[pair->difference_count++];

	difference->what = xstrdup(what);
	for (char *at = difference->what; *at; at++)
		if (*at == '_')
			*at = ' ';
	difference->first = xstrdup(*first ? first : "unknown");
	difference->second = xstrdup(*second ? second : "unknown");
}

/* Adds a member's value as text; nothing if it is unknown. */
static void say_value(const cJSON *item, struct text *text)
{
	static const char bytes[] = "_bytes";
	size_t length = strlen(item->string);
	bool is_bytes = length >= sizeof bytes &&
		!strcmp(item->string + length - strlen(bytes), bytes);

	if (cJSON_IsString(item))
		text_add(text, "%s", item->valuestring);
	else if (cJSON_IsBool(item))
		text_add(text, "%s", cJSON_IsTrue(item) ? "yes" : "no");
	if (!cJSON_IsRaw(item))
		return;
	/* Numbers are written raw, so that no digit is lost. */
	double value = strtod(item->valuestring, NULL);
	if (value != 0 && is_bytes)
		unit_show(text, UNIT_BYTES, value);
	else if (value != 0)
		json_number(text, value);
}

/* Adds the items of `list` that `other` does not have. */
static void add_unlike(const char *list, const char *other, const char *gap,
	struct text *text)
{
	size_t step = strlen(gap);

	while (*list) {
		const char *end = strstr(list, gap);
		size_t length = end ? (size_t)(end - list) : strlen(list);
		bool found = false;

		for (const char *at = other; *at && !found;) {
			const char *stop = strstr(at, gap);
			size_t size = stop ? (size_t)(stop - at) : strlen(at);

			found = size == length && !memcmp(at, list, size);
			at += stop ? size + step : size;
		}
		if (!found && length)
			text_add(text, "%s%.*s", text->length ? gap : "",
				(int)length, list);
		list += end ? length + step : length;
	}
}

/* Has the session only published figures? What such a report omits about its
 * machine is unknown, not a difference. */
static bool leaves_out(const struct session *session)
{
	size_t published = 0;

	for (size_t i = 0; i < session->run_count; i++) {
		if (results_visited(session->runs[i]))
			return false;
		published += results_published(session->runs[i]);
	}
	return published > 0;
}

void compare_values(const char *member, const char *first, const char *second,
	struct text *a, struct text *b)
{
	const char *gap = !strcmp(member, "mitigations") ? "; " :
		!strcmp(member, "command_line")          ? " " :
							   NULL;
	bool list = gap && *first && *second;

	if (list) {
		add_unlike(first, second, gap, a);
		add_unlike(second, first, gap, b);
	} else {
		text_add(a, "%s", first);
		text_add(b, "%s", second);
	}
	if (!a->length)
		text_add(a, "%s", list ? "absent" : "unknown");
	if (!b->length)
		text_add(b, "%s", list ? "absent" : "unknown");
}

static void compare_member(struct compare_pair *pair, const char *name,
	const cJSON *first, const cJSON *second)
{
	struct text was = { 0 }, is = { 0 }, a = { 0 }, b = { 0 };

	/* A missing member is unknown, or belongs to a later schema version. */
	if (!first || !second)
		return;
	say_value(first, &was);
	say_value(second, &is);
	bool said = (was.length || !leaves_out(pair->first)) &&
		(is.length || !leaves_out(pair->second));
	if (said && strcmp(text_chars(&was), text_chars(&is))) {
		compare_values(name, text_chars(&was), text_chars(&is), &a, &b);
		add_difference(pair, name, a.chars, b.chars);
	}
	text_free(&was);
	text_free(&is);
	text_free(&a);
	text_free(&b);
}

/* Compares all members in the table that also writes them, so that none is
 * forgotten. */
static void compare_machines(struct compare_pair *pair)
{
	cJSON *a = cJSON_CreateObject(), *b = cJSON_CreateObject();

	fields_write(session_machine, &pair->first->machine, a);
	fields_write(session_machine, &pair->second->machine, b);
	for (const struct field *field = session_machine; field->name; field++)
		if (!is_one_of(field->name, always_differ))
			compare_member(pair, field->name,
				json_find(a, field->name),
				json_find(b, field->name));
	cJSON_Delete(a);
	cJSON_Delete(b);
}

static void say_devices(const struct machine *machine, bool disks,
	struct text *text)
{
	size_t count = disks ? machine->disk_count : machine->network_count;

	for (size_t i = 0; i < count; i++) {
		text_add(text, "%s", i ? "; " : "");
		if (disks)
			machine_say_disk(&machine->disks[i], text);
		else
			machine_say_network(&machine->networks[i], text);
	}
}

/* If one session has no devices, its schema may be older than these members. */
static void compare_devices(struct compare_pair *pair, bool disks)
{
	struct text a = { 0 }, b = { 0 };

	say_devices(&pair->first->machine, disks, &a);
	say_devices(&pair->second->machine, disks, &b);
	if (a.length && b.length && strcmp(a.chars, b.chars))
		add_difference(pair, disks ? "disks" : "networks", a.chars,
			b.chars);
	text_free(&a);
	text_free(&b);
}

static const char *version_of(const struct session *session)
{
	return session->tool_version ? session->tool_version : benchtop_version;
}

static void compare_checks(struct compare_pair *pair)
{
	for (size_t i = 0; i < pair->second->check_count; i++) {
		const struct session_check *now = &pair->second->checks[i];

		for (size_t k = 0; k < pair->first->check_count; k++) {
			const struct session_check *then =
				&pair->first->checks[k];
			struct text a = { 0 }, b = { 0 };

			if (strcmp(now->check, then->check) ||
				!strcmp(now->verdict, then->verdict))
				continue;
			text_add(&a, "%s: %s", then->verdict, then->found);
			text_add(&b, "%s: %s", now->verdict, now->found);
			add_difference(pair, now->check, a.chars, b.chars);
			text_free(&a);
			text_free(&b);
		}
	}
}

void compare_surroundings(struct compare_pair *pair)
{
	if (strcmp(version_of(pair->first), version_of(pair->second)))
		add_difference(pair, "benchtop", version_of(pair->first),
			version_of(pair->second));
	compare_machines(pair);
	compare_devices(pair, true);
	compare_devices(pair, false);
	compare_checks(pair);
}

/* ---- the canary ------------------------------------------------------- */

/* The time of one multiplication of the canary, ns: the median over all
 * launches. NaN if there was no canary. */
static double canary_ns(const struct session *session)
{
	double *all = NULL;
	size_t count = 0;

	for (size_t r = 0; r < session->run_count; r++) {
		const struct results *run = session->runs[r];
		double per_tick = 1e9 / run->clock.hz /
			(double)run->clock.canary_multiplies;

		for (size_t i = 0; i < run->launch_count; i++) {
			double ns = run->launches[i].canary * per_tick;

			if (!isfinite(ns) || !(ns > 0))
				continue;
			ARRAY_GROW(all, count);
			all[count++] = ns;
		}
	}
	double median = count ? median_of(all, count) : NAN;
	free(all);
	return median;
}

double canary_drift(const struct session *first, const struct session *second)
{
	if (strcmp(first->machine.cpu, second->machine.cpu))
		return NAN;
	return fabs(canary_ns(second) / canary_ns(first) - 1);
}
