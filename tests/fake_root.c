/* A file system of a test's own. */
#include "fake_root.h"

#include <ftw.h>
#include <sys/stat.h>

char fake_root[64];

int fake_open(void **state)
{
	snprintf(fake_root, sizeof fake_root, "/tmp/benchtop-fake-XXXXXX");
	return mkdtemp(fake_root) ? 0 : -1;
}

static int fake_remove(const char *path, const struct stat *is, int kind,
	struct FTW *where)
{
	(void)is;
	(void)kind;
	(void)where;
	return remove(path);
}

int fake_close(void **state)
{
	return nftw(fake_root, fake_remove, 16, FTW_DEPTH | FTW_PHYS);
}

char *fake_place(const char *path)
{
	struct text full = { 0 };

	text_add(&full, "%s%s", fake_root, path);
	for (size_t i = strlen(fake_root) + 1; full.chars[i]; i++) {
		if (full.chars[i] != '/')
			continue;
		full.chars[i] = '\0';
		mkdir(full.chars, 0700);
		full.chars[i] = '/';
	}
	return text_take(&full);
}

void fake_bytes(const char *path, const char *bytes, size_t length)
{
	char *full = fake_place(path);
	FILE *file = fopen(full, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	free(full);
}

void fake_file(const char *path, const char *content)
{
	fake_bytes(path, content, strlen(content));
}

void fake_link(const char *path, const char *target)
{
	char *full = fake_place(path);

	assert_int_equal(symlink(target, full), 0);
	free(full);
}

void fake_device(const char *path, const char *in_devices)
{
	struct text full = { 0 }, target = { 0 };

	text_add(&full, "/sys/devices/%s/uevent", in_devices);
	fake_file(full.chars, "");
	text_add(&target, "%s/sys/devices/%s", fake_root, in_devices);
	fake_link(path, target.chars);
	text_free(&full);
	text_free(&target);
}
