/* Checks of memory, and of where files of experiments would be. */
#include "doctor_checks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "peek.h"
#include "text.h"

#define HUGE "/sys/kernel/mm/transparent_hugepage"

enum { MOUNTS_BYTES = 1 << 17, NAME_BYTES = 256 };

static const double ahead_bytes_most = 512 << 10;

/* "always [madvise] never": the word in brackets. */
static void chosen(const char *root, const char *file, char word[32])
{
	char line[128];

	word[0] = '\0';
	peek_line(root, line, sizeof line, HUGE "/%s", file);
	char *from = strchr(line, '['), *to = from ? strchr(from, ']') : NULL;
	if (!to)
		return;
	*to = '\0';
	safe_copy(word, 32, from + 1);
}

void check_huge_pages(const struct patient *patient, struct doctor_row *row)
{
	char enabled[32], defrag[32];

	chosen(patient->root, "enabled", enabled);
	chosen(patient->root, "defrag", defrag);
	if (!enabled[0]) {
		row_found(row, "the kernel makes none by itself");
		return;
	}
	row_found(row, "%s%s%s", enabled, defrag[0] ? ", defrag " : "", defrag);
	/* Experiments ask for the pages they name and look what they got. */
	if (!strcmp(enabled, "always"))
		row_verdict(row, DOCTOR_NOTE,
			"the kernel copies pages together beside long runs",
			"echo madvise | sudo tee " HUGE "/enabled");
}

void check_memory_work(const struct patient *patient, struct doctor_row *row)
{
	double merging = 0, reporting = -1;
	char damon[16];

	peek_number(patient->root, &merging, "/sys/kernel/mm/ksm/run");
	peek_line(patient->root, damon, sizeof damon,
		"/sys/kernel/mm/damon/admin/kdamonds/0/state");
	peek_number(patient->root, &reporting,
		"/sys/module/page_reporting/parameters/page_reporting_order");
	if (merging == 1) {
		row_found(row, "same pages are being merged (ksm)");
		row_verdict(row, DOCTOR_BAD,
			"a page that was merged is copied when it is written",
			"echo 0 | sudo tee /sys/kernel/mm/ksm/run");
	} else if (!strcmp(damon, "on")) {
		row_found(row, "accesses are being sampled (damon)");
		row_verdict(row, DOCTOR_NOTE,
			"pages lose their mappings now and then: more faults",
			"echo off | sudo tee "
			"/sys/kernel/mm/damon/admin/kdamonds/0/state");
	} else if (patient->guest && reporting >= 0) {
		row_found(row, "free pages of order %.0f go back to the host",
			reporting);
		row_verdict(row, DOCTOR_NOTE,
			"memory that was free for long may fault in the host "
			"as well",
			"");
	} else {
		row_found(row, "none seen");
	}
}

void check_numa(const struct patient *patient, struct doctor_row *row)
{
	unsigned nodes = patient->input->machine->nodes;
	double balancing = 0;

	peek_number(patient->root, &balancing,
		"/proc/sys/kernel/numa_balancing");
	if (nodes < 2) {
		row_found(row, "one node");
		return;
	}
	row_found(row, "%u nodes, balancing %s", nodes,
		balancing > 0 ? "on" : "off");
	if (balancing > 0)
		row_verdict(row, DOCTOR_NOTE,
			"the kernel takes pages away to see who uses them: "
			"more faults",
			"sudo sysctl kernel.numa_balancing=0");
}

void check_swap(const struct patient *patient, struct doctor_row *row)
{
	char meminfo[4096];
	double total = 0, unused = 0;

	peek_bytes(patient->root, meminfo, sizeof meminfo, "/proc/meminfo");
	bool told = field_number(meminfo, "SwapTotal", ':', &total);
	field_number(meminfo, "SwapFree", ':', &unused);
	if (total <= 0) {
		row_found(row, told ? "none" : "not told");
		return;
	}
	double used = total > unused ? total - unused : 0;
	row_found(row, "%.0f of %.0f MiB in use", used / 1024, total / 1024);
	if (used > 0)
		row_verdict(row, DOCTOR_BAD,
			"a page may come from disk in the middle of a trial",
			"sudo swapoff -a");
}

/* ---- disk ------------------------------------------------------------- */

struct mount {
	char type[32];
	unsigned major, minor;
	size_t length; /* of where it is mounted */
};

/* proc_pid_mountinfo(5): "36 35 8:1 / /home rw,relatime shared:1 - ext4
 * /dev/sda1 rw". Later lines lie over earlier ones. */
static void look_at_mount(char *line, const char *folder, struct mount *mount)
{
	char where[NAME_BYTES];
	unsigned major, minor;
	const char *type = strstr(line, " - ");

	if (!type ||
		sscanf(line, "%*u %*u %u:%u %*s %255s", &major, &minor,
			where) != 3)
		return;
	size_t length = strlen(where);
	if (length == 1)
		length = 0;
	if (strncmp(where, folder, length) != 0 ||
		(folder[length] && folder[length] != '/') ||
		length < mount->length)
		return;
	mount->length = length;
	mount->major = major;
	mount->minor = minor;
	type += strlen(" - ");
	char name[32];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(type, " "), type);
	safe_copy(mount->type, sizeof mount->type, name);
}

static void find_mount(const char *root, const char *folder,
	struct mount *mount)
{
	char *all = xcalloc(1, MOUNTS_BYTES), *rest = NULL;

	*mount = (struct mount){ 0 };
	peek_bytes(root, all, MOUNTS_BYTES, "/proc/self/mountinfo");
	for (char *line = strtok_r(all, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest))
		look_at_mount(line, folder, mount);
	free(all);
}

/* The machine's disk that a device number is of, itself or a part: its name
 * is a step of the device's path. NULL: none of them. */
static const struct machine_disk *disk_of(const struct patient *patient,
	const struct mount *mount)
{
	const struct machine *machine = patient->input->machine;
	char path[NAME_BYTES * 2];

	peek_link(patient->root, path, sizeof path, "/sys/dev/block/%u:%u",
		mount->major, mount->minor);
	for (size_t i = 0; i < machine->disk_count; i++) {
		const char *name = machine->disks[i].name;
		const char *at = strstr(path, name);
		size_t length = strlen(name);

		if (at && at > path && at[-1] == '/' &&
			(!at[length] || at[length] == '/'))
			return &machine->disks[i];
	}
	return NULL;
}

static bool is_one_of(const char *type, const char *types)
{
	return words_have(types, type);
}

void check_disk(const struct patient *patient, struct doctor_row *row)
{
	const char *folder = patient->input->folder;
	struct mount mount;
	struct text found = { 0 };

	if (!folder) {
		row_found(row, "no folder was chosen for files");
		return;
	}
	find_mount(patient->root, folder, &mount);
	const struct machine_disk *disk = disk_of(patient, &mount);
	text_add(&found, "%s in %s",
		mount.type[0] ? mount.type : "an unknown file system", folder);
	if (disk) {
		text_add(&found, ": ");
		machine_say_disk(disk, &found);
	}
	row_found(row, "%s", text_chars(&found));
	text_free(&found);
	char fix[sizeof row->fix];
	snprintf(fix, sizeof fix, "sudo blockdev --setra 256 /dev/%s",
		disk ? disk->name : "");
	if (is_one_of(mount.type, "tmpfs ramfs rootfs"))
		row_verdict(row, DOCTOR_BAD,
			"its files are memory: choose a folder on a disk with "
			"dir=",
			"");
	else if (is_one_of(mount.type,
			 "nfs nfs4 cifs smb3 9p ceph fuse.sshfs virtiofs"))
		row_verdict(row, DOCTOR_NOTE,
			"its files are another machine's: fs.remote measures "
			"those",
			"");
	else if (is_one_of(mount.type, "overlay aufs fuse.fuse-overlayfs"))
		row_verdict(row, DOCTOR_NOTE,
			"the first write to a file copies it, and the disk "
			"below is not seen",
			"");
	else if (disk && disk->ahead_bytes > ahead_bytes_most)
		row_verdict(row, DOCTOR_NOTE,
			"blocks read in order are there before they are asked "
			"for",
			fix);
}
