/* The running kernel: its command line and its mitigations. */
#include "machine_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "peek.h"
#include "text.h"

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"

/* Adds a complete entry, or a mark that there are more. */
static void add_entry(struct text *all, size_t room, const char *name,
	const char *state)
{
	static const char prefix[] = "Mitigation: ";
	char safe_name[FOLDER_NAME_BYTES];

	if (!strncmp(state, prefix, strlen(prefix)))
		state += strlen(prefix);
	safe_copy(safe_name, sizeof safe_name, name);
	size_t length = strlen("; : ; ..") + strlen(safe_name) + strlen(state);
	if (all->length + length < room)
		text_add(all, "%s%s: %s", all->length ? "; " : "", safe_name,
			state);
	else if (all->length && all->chars[all->length - 1] != '.')
		text_add(all, "; ..");
}

static void read_mitigations(const char *root, struct machine *machine)
{
	struct folder folder;
	struct text all = { 0 };

	peek_folder(root, &folder, VULNERABILITIES);
	for (size_t i = 0; i < folder.count; i++) {
		char state[256];

		if (peek_line(root, state, sizeof state, VULNERABILITIES "/%s",
			    folder.name[i]) &&
			strcmp(state, "Not affected") != 0)
			add_entry(&all, sizeof machine->mitigations,
				folder.name[i], state);
	}
	safe_copy(machine->mitigations, sizeof machine->mitigations,
		text_chars(&all));
	text_free(&all);
}

/* True if the word contains four numbers joined by dots, as 192.0.2.1. */
static bool has_address(const char *word)
{
	unsigned joints = 0;

	for (const char *at = word; *at && joints < 3; at++) {
		bool joint = *at == '.' && isdigit((unsigned char)at[1]);

		if (joint)
			joints++;
		else if (!isdigit((unsigned char)*at))
			joints = 0;
	}
	return joints >= 3;
}

/* True for a word of the command line that identifies a disk, a host or a
 * secret. */
static bool is_private(const char *word)
{
	static const char *const marks[] = { "root=", "uuid",
		"label=", "resume=", "rd.lvm", "luks", "crypt", "token",
		"passw", "passphrase", "key", "secret", "cred", "auth",
		"user=", "username", "host=", "hostname", "machine_id",
		"serial", "ip=", "nfs", "iscsi", "mac=", "macaddr", "bootif",
		"ifname", "nameserver", "netconsole", "rd.route", "://", "::" };
	unsigned colons = 0;

	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (strcasestr(word, marks[i]))
			return true;
	for (const char *at = word; *at; at++)
		colons += *at == ':';
	/* The number of colons in 02:00:5e:10:00:01. */
	return colons >= 5 || has_address(word);
}

/* The length of a word; quoted blanks are part of it. */
static size_t word_length(const char *line)
{
	bool quoted = false;
	size_t length = 0;

	for (; line[length]; length++) {
		if (line[length] == '"')
			quoted = !quoted;
		if (!quoted && isspace((unsigned char)line[length]))
			break;
	}
	return length;
}

static void read_command_line(const char *root, struct machine *machine)
{
	char line[4096], word[sizeof line];
	struct text kept = { 0 };
	size_t length;

	peek_bytes(root, line, sizeof line, "/proc/cmdline");
	for (const char *at = line; *at; at += length) {
		at += strspn(at, " \t\n");
		length = word_length(at);
		snprintf(word, sizeof word, "%.*s", (int)length, at);
		/* The following words are for init, not for the kernel. */
		if (!strcmp(word, "--"))
			break;
		if (word[0] && !is_private(word))
			text_add(&kept, "%s%s", kept.length ? " " : "", word);
	}
	safe_copy(machine->command_line, sizeof machine->command_line,
		text_chars(&kept));
	text_free(&kept);
}

void machine_read_kernel(const char *root, const char *flags,
	struct machine *machine)
{
	char meltdown[128];

	read_mitigations(root, machine);
	read_command_line(root, machine);
	peek_line(root, meltdown, sizeof meltdown, VULNERABILITIES "/meltdown");
	machine->page_table_isolation =
		strstr(meltdown, "PTI") || words_have(flags, "pti");
}
