/* Whether a file has changed. */
#include "file_mark.h"

#include <sys/stat.h>

void file_mark_take(struct file_mark *mark, const char *path)
{
	struct stat is;

	*mark = (struct file_mark){ 0 };
	if (!stat(path, &is))
		*mark = (struct file_mark){ is.st_dev, is.st_ino, is.st_size,
			is.st_mtim };
}

bool file_mark_any(const struct file_mark *mark)
{
	return mark->inode != 0;
}

bool file_mark_same(const struct file_mark *a, const struct file_mark *b)
{
	return a->device == b->device && a->inode == b->inode &&
		a->size_bytes == b->size_bytes &&
		a->changed.tv_sec == b->changed.tv_sec &&
		a->changed.tv_nsec == b->changed.tv_nsec;
}
