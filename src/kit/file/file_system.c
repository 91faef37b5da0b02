/* The file system and device of a file. */
#include "file_system.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "file.h"
#include "probe.h"
#include "text.h"

enum { LINE_BYTES = 4096, PATH_BYTES = 4096 };

/* ---- the mount -------------------------------------------------------- */

/* The mount id of a descriptor; -1 if unknown. */
static int mount_number(int fd, const char *root)
{
	char path[PATH_BYTES], line[256];
	int number = -1;

	snprintf(path, sizeof path, "%s/proc/self/fdinfo/%d", root, fd);
	FILE *file = fopen(path, "re");
	while (file && number < 0 && fgets(line, sizeof line, file))
		if (sscanf(line, "mnt_id: %d", &number) != 1)
			number = -1;
	if (file)
		fclose(file);
	return number;
}

/* Truncates: these texts are only shown. */
static void copy(char *into, size_t size, const char *from)
{
	size_t length = from ? strlen(from) : 0;

	if (length >= size)
		length = size - 1;
	memcpy(into, from ? from : "", length);
	into[length] = '\0';
}

/* "36 35 98:0 /root /point rw,noatime shared:1 - ext3 /dev/root rw,data" */
static void read_mount(struct file_system *system, char *line)
{
	char *rest = NULL, *words[6] = { NULL };
	char *tail = strstr(line, " - ");

	line[strcspn(line, "\n")] = '\0';
	if (!tail)
		return;
	*tail = '\0';
	tail += 3;
	for (int i = 0; i < 6; i++)
		words[i] = strtok_r(i ? NULL : line, " ", &rest);
	copy(system->type, sizeof system->type, strtok_r(tail, " ", &rest));
	copy(system->source, sizeof system->source, strtok_r(NULL, " ", &rest));
	const char *super = strtok_r(NULL, " ", &rest);
	snprintf(system->options, sizeof system->options, "%s%s%s",
		words[5] ? words[5] : "", super ? "; " : "",
		super ? super : "");
}

static void find_mount(struct file_system *system, int fd, const char *root)
{
	char path[PATH_BYTES], line[LINE_BYTES];
	int wanted = mount_number(fd, root);

	snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file)) {
		int number;

		if (sscanf(line, "%d ", &number) != 1 || number != wanted)
			continue;
		read_mount(system, line);
		break;
	}
	if (file)
		fclose(file);
}

/* ---- remote file systems ---------------------------------------------- */

static const char *const remote_types[] = { "nfs", "nfs4", "cifs", "smb3",
	"smbfs", "ceph", "9p", "afs", "coda", "lustre", "gpfs", "beegfs",
	"fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.davfs",
	"fuse.rclone", "fuse.ceph", "fuse.ceph-fuse", "fuse.curlftpfs",
	"fuse.smbnetfs", "fuse.fuse-nfs", "fuse.goofys", "fuse.gcsfuse",
	"fuse.gvfsd-fuse" };

static bool is_remote(const struct file_system *system)
{
	enum { COUNT = sizeof remote_types / sizeof *remote_types };

	if (text_index(system->type, remote_types, COUNT) < COUNT)
		return true;
	return !strncmp(system->type, "fuse", 4) &&
		(strchr(system->source, ':') ||
			!strncmp(system->source, "//", 2));
}

/* ---- the device ------------------------------------------------------- */

/* The scheduler in brackets: "none [mq-deadline] kyber". */
static void read_scheduler(struct file_system *system, const char *line)
{
	const char *begin = strchr(line, '[');
	size_t length = begin ? strcspn(begin + 1, "]") : 0;

	if (!begin)
		copy(system->scheduler, sizeof system->scheduler, line);
	else if (length < sizeof system->scheduler)
		snprintf(system->scheduler, length + 1, "%s", begin + 1);
}

static void read_queue(struct file_system *system, const char *folder)
{
	char path[PATH_BYTES + 64], line[256];

	snprintf(path, sizeof path, "%s/queue/scheduler", folder);
	if (!file_peek(path, line, sizeof line))
		read_scheduler(system, line);
	snprintf(path, sizeof path, "%s/queue/read_ahead_kb", folder);
	if (!file_peek(path, line, sizeof line))
		system->read_ahead_bytes = strtoll(line, NULL, 10) * 1024;
}

/* A partition uses the queue of its disk. */
static void read_device(struct file_system *system, dev_t device,
	const char *root)
{
	char path[PATH_BYTES], resolved[PATH_BYTES + 16];
	struct stat found;

	snprintf(path, sizeof path, "%s/sys/dev/block/%u:%u", root,
		major(device), minor(device));
	if (!realpath(path, resolved))
		return;
	snprintf(path, sizeof path, "%.*s/partition", PATH_BYTES - 16,
		resolved);
	if (!stat(path, &found))
		*strrchr(resolved, '/') = '\0';
	copy(system->device, sizeof system->device, strrchr(resolved, '/') + 1);
	read_queue(system, resolved);
}

/* Some file systems invent a device number; then the mount source is used. */
static dev_t device_of(const struct file_system *system, int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return 0;
	if (major(status.st_dev) || system->source[0] != '/')
		return status.st_dev;
	return stat(system->source, &status) || !S_ISBLK(status.st_mode) ?
		0 :
		status.st_rdev;
}

/* A network file system has a read-ahead per mount. */
static void read_own_read_ahead(struct file_system *system, int fd,
	const char *root)
{
	char path[PATH_BYTES], line[64];
	struct stat status;

	if (system->read_ahead_bytes >= 0 || fstat(fd, &status))
		return;
	snprintf(path, sizeof path, "%s/sys/class/bdi/%u:%u/read_ahead_kb",
		root, major(status.st_dev), minor(status.st_dev));
	if (!file_peek(path, line, sizeof line))
		system->read_ahead_bytes = strtoll(line, NULL, 10) * 1024;
}

void file_system_read(struct file_system *system, int fd, const char *root)
{
	*system = (struct file_system){ .type = "unknown",
		.read_ahead_bytes = -1 };
	find_mount(system, fd, root);
	system->remote = is_remote(system);
	read_device(system, device_of(system, fd), root);
	read_own_read_ahead(system, fd, root);
}

void file_system_note(const struct file_system *system, struct probe *probe)
{
	probe_note(probe, "file-system", "%s%s%s%s%s", system->type,
		*system->source ? " of " : "", system->source,
		*system->options ? ", mounted " : "", system->options);
	if (!*system->device && system->read_ahead_bytes < 0)
		return;
	struct text ahead = { 0 };
	if (system->read_ahead_bytes < 0)
		text_add(&ahead, "unknown");
	else
		text_add(&ahead, "%" PRId64 " KiB",
			system->read_ahead_bytes / 1024);
	probe_note(probe, "device", "%s, scheduler %s, read-ahead %s",
		*system->device ? system->device : "no device",
		*system->scheduler ? system->scheduler : "none",
		text_chars(&ahead));
	text_free(&ahead);
}
