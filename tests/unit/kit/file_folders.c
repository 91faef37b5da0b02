/* Two folders for the tests of files. */
#include "file_folders.h"

#include <dirent.h>

char shm[] = "/dev/shm/benchtop-files-XXXXXX";
char disk[4096 + 32];

static void nothing(struct probe *unused)
{
	(void)unused;
}

struct probe probe = { .random = 1, .alive = nothing };

size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

size_t entries_in(const char *path)
{
	DIR *folder = opendir(path);
	size_t count = 0;

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		count += strcmp(entry->d_name, ".") &&
			strcmp(entry->d_name, "..");
	if (folder)
		closedir(folder);
	return count;
}

struct file_made make_file(const char *folder, uint64_t bytes)
{
	struct file_made file;
	struct error error;

	if (file_make(&file, folder, bytes, &probe, &error))
		fail_msg("%s", error.message);
	return file;
}

bool on_disk(void)
{
	struct file_made file = make_file(disk, 1);
	bool memory = file_lives_in_memory(file.fd);

	file_close(&file);
	return !memory;
}

int make_folders(void **state)
{
	char here[4096];

	if (!getcwd(here, sizeof here))
		return -1;
	snprintf(disk, sizeof disk, "%s/files-XXXXXX", here);
	return mkdtemp(shm) && mkdtemp(disk) ? 0 : -1;
}

int remove_folders(void **state)
{
	struct text command = { 0 };

	text_add(&command, "rm -rf %s %s", shm, disk);
	int failed = system(command.chars);
	text_free(&command);
	return failed;
}
