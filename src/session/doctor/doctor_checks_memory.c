/* Checks of memory, and of the place of experiments' files. */
#include "doctor_checks.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "peek.h"
#include "text.h"

#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage"

enum { MOUNTS_BYTES = 1 << 17, NAME_BYTES = 256 };

static const double ahead_bytes_most = 512 << 10;

/* "always [madvise] never": the word in brackets. */
static void chosen(const char *root, const char *file, char word[32])
{
	char line[128];

	word[0] = '\0';
	peek_line(root, line, sizeof line, HUGE_PAGES "/%s", file);
	char *from = strchr(line, '['), *to = from ? strchr(from, ']') : NULL;
	if (!to)
		return;
	*to = '\0';
	safe_copy(word, 32, from + 1);
}

/* Since Linux 6.8 each size has its own switch. Adds "64K, 2M": the sizes that
 * are set to "always". */
static void list_sizes(const char *root, struct text *sizes)
{
	struct folder folder;

	peek_folder(root, &folder, HUGE_PAGES);
	for (size_t i = 0; i < folder.count; i++) {
		static const char begin[] = "hugepages-";
		char file[FOLDER_NAME_BYTES + 16], word[32];
		unsigned long kib;

		if (strncmp(folder.name[i], begin, strlen(begin)) != 0)
			continue;
		snprintf(file, sizeof file, "%s/enabled", folder.name[i]);
		chosen(root, file, word);
		kib = strtoul(folder.name[i] + strlen(begin), NULL, 10);
		if (strcmp(word, "always") != 0 || !kib)
			continue;
		text_add(sizes, "%s%lu%s", sizes->length ? ", " : "",
			kib < 1024 ? kib : kib / 1024, kib < 1024 ? "K" : "M");
	}
}

void check_huge_pages(const struct patient *patient, struct doctor_row *row)
{
	char enabled[32], defrag[32];
	struct text sizes = { 0 };

	chosen(patient->root, "enabled", enabled);
	chosen(patient->root, "defrag", defrag);
	if (!enabled[0]) {
		row_found(row, "transparent huge pages are not available");
		return;
	}
	list_sizes(patient->root, &sizes);
	row_found(row, "%s%s%s%s%s", enabled, defrag[0] ? ", defrag " : "",
		defrag, sizes.length ? "; always for " : "",
		text_chars(&sizes));
	bool always = !strcmp(enabled, "always") || sizes.length;
	text_free(&sizes);
	/* Experiments request specific pages and check which pages they
	 * have. */
	if (always)
		row_verdict(row, DOCTOR_NOTE,
			"the kernel collapses pages during long runs",
			"echo madvise | sudo tee " HUGE_PAGES "/enabled");
}

void check_memory_work(const struct patient *patient, struct doctor_row *row)
{
	double merging = 0, reporting = -1, compaction = 0;
	char damon[16];
	struct text found = { 0 };

	peek_number(patient->root, &merging, "/sys/kernel/mm/ksm/run");
	peek_line(patient->root, damon, sizeof damon,
		"/sys/kernel/mm/damon/admin/kdamonds/0/state");
	peek_number(patient->root, &reporting,
		"/sys/module/page_reporting/parameters/page_reporting_order");
	peek_number(patient->root, &compaction,
		"/proc/sys/vm/compaction_proactiveness");
	if (merging == 1) {
		text_add(&found, "identical pages are merged (ksm)");
		row_verdict(row, DOCTOR_BAD,
			"writing to a merged page copies it",
			"echo 0 | sudo tee /sys/kernel/mm/ksm/run");
	}
	if (!strcmp(damon, "on")) {
		text_add(&found, "%saccesses are sampled (damon)",
			found.length ? "; " : "");
		if (row->verdict == DOCTOR_OK)
			row_verdict(row, DOCTOR_NOTE,
				"sampling unmaps pages now and then: more "
				"faults",
				"echo off | sudo tee "
				"/sys/kernel/mm/damon/admin/kdamonds/0/state");
	}
	if (patient->guest && reporting >= 0) {
		text_add(&found,
			"%sfree pages of order %.0f return to the host",
			found.length ? "; " : "", reporting);
		if (row->verdict == DOCTOR_OK)
			row_verdict(row, DOCTOR_NOTE,
				"memory that was free for long may fault in "
				"the host too",
				"");
	}
	if (compaction > 0)
		text_add(&found, "%scompaction proactiveness %.0f of 100",
			found.length ? "; " : "", compaction);
	row_found(row, "%s", found.length ? found.chars : "nothing found");
	text_free(&found);
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
			"the kernel unmaps pages to sample their use: more "
			"faults",
			"sudo sysctl kernel.numa_balancing=0");
}

void check_swap(const struct patient *patient, struct doctor_row *row)
{
	char meminfo[4096];
	double total = 0, unused = 0;

	peek_bytes(patient->root, meminfo, sizeof meminfo, "/proc/meminfo");
	bool told = field_number(meminfo, "SwapTotal", ':', &total);
	field_number(meminfo, "SwapFree", ':', &unused);
	double free_kib = 0, eager = -1;
	struct text found = { 0 };

	if (total <= 0)
		text_add(&found, "%s", told ? "none" : "unknown");
	else
		text_add(&found, "%.0f of %.0f MiB in use",
			fmax(total - unused, 0) / 1024, total / 1024);
	if (total > 0 &&
		peek_number(patient->root, &eager, "/proc/sys/vm/swappiness"))
		text_add(&found, ", swappiness %.0f", eager);
	if (field_number(meminfo, "MemAvailable", ':', &free_kib))
		text_add(&found, "; %.0f MiB of memory available",
			free_kib / 1024);
	row_found(row, "%s", found.chars);
	text_free(&found);
	double used = total > unused ? total - unused : 0;
	if (used > 0)
		row_verdict(row, DOCTOR_BAD,
			"a trial may wait for a page from the disk",
			"sudo swapoff -a");
}

/* ---- disk ------------------------------------------------------------- */

struct mount {
	char type[32];
	unsigned major, minor;
	size_t length; /* of the mount point's path */
};

/* proc_pid_mountinfo(5): "36 35 8:1 / /home rw,relatime shared:1 - ext4
 * /dev/sda1 rw". Later lines hide earlier ones. */
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

/* The disk with this device number, or with a partition of this number: its
 * name is a component of the device's path. NULL: none. */
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
		row_found(row, "no folder for files");
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
			"its files are in memory: choose a folder on a disk "
			"with dir=",
			"");
	else if (is_one_of(mount.type,
			 "nfs nfs4 cifs smb3 9p ceph fuse.sshfs virtiofs"))
		row_verdict(row, DOCTOR_NOTE,
			"its files are on another machine: `run fs.remote` "
			"measures those",
			"");
	else if (is_one_of(mount.type, "overlay aufs fuse.fuse-overlayfs"))
		row_verdict(row, DOCTOR_NOTE,
			"the first write to a file copies it, and the disk "
			"below is unknown",
			"");
	else if (disk && disk->ahead_bytes > ahead_bytes_most)
		row_verdict(row, DOCTOR_NOTE,
			"read-ahead: sequential reads find their blocks in "
			"memory",
			fix);
}
