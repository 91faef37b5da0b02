/* The host of a remote file. */
#include "file_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "basis.h"
#include "file_nfs.h"
#include "network.h"
#include "text.h"

enum { LINE_BYTES = 8192 };

/* ---- the name --------------------------------------------------------- */

/* Parses the host at the start of a text: NAME, USER@NAME or [ADDRESS], up to
 * one of `ends`. */
static bool take_host(struct file_host *host, const char *text,
	const char *ends)
{
	size_t length = strcspn(text, ends);
	const char *at = memchr(text, '@', length);

	if (at) {
		length -= (size_t)(at + 1 - text);
		text = at + 1;
	}
	if (*text == '[') {
		text++;
		length = strcspn(text, "]");
	}
	if (!length || length >= sizeof host->name)
		return false;
	snprintf(host->name, sizeof host->name, "%.*s", (int)length, text);
	return true;
}

/* "host:/export", "[fe80::1]:/export", "//host/share", "user@host:folder". */
static bool take_source(struct file_host *host, const char *source)
{
	if (!strncmp(source, "//", 2))
		return take_host(host, source + 2, "/");
	if (*source == '/' || !strchr(source, ':'))
		return false;
	return take_host(host, source, ":");
}

static void take_address(struct file_host *host, const char *options)
{
	static const char name[] = "addr=";

	for (const char *at = options; at && *at;) {
		size_t length = strcspn(at, ",");

		if (!strncmp(at, name, strlen(name)) &&
			length - strlen(name) < sizeof host->address)
			snprintf(host->address, sizeof host->address, "%.*s",
				(int)(length - strlen(name)),
				at + strlen(name));
		at += length + (at[length] == ',');
	}
}

/* ---- the mount -------------------------------------------------------- */

/* proc_pid_mountinfo(5) escapes blanks and backslashes as \040. */
static void unescape(char *word)
{
	char *to = word;

	for (const char *from = word; *from;) {
		if (*from == '\\' && from[1] >= '0' && from[1] <= '3' &&
			from[2] && from[3]) {
			*to++ = (char)((from[1] - '0') << 6 |
				(from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

static bool lies_below(const char *path, const char *point)
{
	size_t length = strlen(point);

	if (length && point[length - 1] == '/')
		length--;
	return !strncmp(path, point, length) &&
		(!path[length] || path[length] == '/');
}

/* "36 35 98:0 /root /point rw shared:1 - nfs4 host:/export rw,addr=..": a later
 * mount on the same point hides the earlier. *longest is the length of the best
 * match so far. */
static void look_at(struct file_host *host, const char *path, char *line,
	size_t *longest)
{
	char *rest = NULL, *words[5] = { NULL };
	char *tail = strstr(line, " - ");

	line[strcspn(line, "\n")] = '\0';
	if (!tail)
		return;
	*tail = '\0';
	for (int i = 0; i < 5; i++)
		words[i] = strtok_r(i ? NULL : line, " ", &rest);
	if (!words[4])
		return;
	unescape(words[4]);
	size_t length = strlen(words[4]);
	if (length < *longest || !lies_below(path, words[4]))
		return;
	*longest = length;
	*host = (struct file_host){ .name = "" };
	strtok_r(tail + 3, " ", &rest);
	char *source = strtok_r(NULL, " ", &rest);
	if (!source)
		return;
	unescape(source);
	if (take_source(host, source))
		take_address(host, strtok_r(NULL, " ", &rest));
}

static char *absolute(const char *where)
{
	char *folder = *where == '/' ? NULL : getcwd(NULL, 0);
	struct text path = { 0 };

	text_add(&path, "%s%s%s", folder ? folder : "", folder ? "/" : "",
		where);
	free(folder);
	return text_take(&path);
}

bool file_host(struct file_host *host, const char *where, const char *root)
{
	char name[512], line[LINE_BYTES];
	size_t longest = 0;

	*host = (struct file_host){ .name = "" };
	if (file_nfs_is_url(where))
		return take_host(host, strstr(where, "//") + 2, ":/?");
	snprintf(name, sizeof name, "%s/proc/self/mountinfo", root);
	FILE *file = fopen(name, "re");
	char *path = absolute(where);
	while (file && fgets(line, sizeof line, file))
		look_at(host, path, line, &longest);
	if (file)
		fclose(file);
	free(path);
	return host->name[0] != '\0';
}

/* ---- round trips ------------------------------------------------------ */

static bool is_this_machine(const char *name)
{
	return !strcasecmp(name, "localhost") || !strncmp(name, "127.", 4) ||
		!strcmp(name, "::1");
}

bool file_host_is(const struct file_host *file, const char *host)
{
	struct network_host far;
	struct error quiet;

	if (!file->name[0] || network_host(host, &far, &quiet))
		return false;
	if (far.kind == NETWORK_LINK)
		return false;
	if (far.kind == NETWORK_LOOPBACK)
		return is_this_machine(file->name);
	return !strcasecmp(far.name, file->name) ||
		(file->address[0] && !strcasecmp(far.name, file->address));
}

/* From a run that measured one host. */
static bool take_from(const struct file_host *file,
	const struct results *results, enum quantity quantity,
	struct basis *basis, struct range *range)
{
	bool found = false;

	for (size_t p = 0; p < results->point_count && !found; p++) {
		const char *host =
			point_value(results, &results->points[p], "host");
		struct text where = { 0 };

		if (!host || !file_host_is(file, host))
			continue;
		text_add(&where, "host=%s", host);
		found = basis_take(basis, quantity, text_chars(&where),
			range);
		text_free(&where);
	}
	return found;
}

bool file_host_round_trip(const struct file_host *file, struct basis *basis,
	struct range *range)
{
	static const enum quantity wanted[] = { QUANTITY_TCP_ROUND_TRIP,
		QUANTITY_ROUND_TRIP };
	const struct facts *facts = basis->facts;

	for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
		for (size_t i = facts->earlier_count; i-- > 0;) {
			const struct results *results = facts->earlier[i];

			if (provision_row(results->descriptor, wanted[k]) &&
				take_from(file, results, wanted[k], basis,
					range))
				return true;
		}
	return false;
}
