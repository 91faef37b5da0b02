/* The capture file opened last. */
#include "capture_file.h"

#include <stdlib.h>

#include "annotate.h"
#include "memory.h"
#include "packet_log.h"

void capture_file_open(struct capture_file *file, const char *path,
	const struct annotator_options *asked)
{
	struct annotator_options options = { 0 };

	if (asked)
		options = *asked;
	capture_file_close(file);
	file->log = packet_log_new(PACKET_LOG_MAX);
	packet_log_watch(file->log, &options);
	file->annotator = annotator_new(&options);
	file->path = xstrdup(path);
	file->serial++;
}

void capture_file_close(struct capture_file *file)
{
	annotator_free(file->annotator);
	packet_log_free(file->log);
	free(file->path);
	*file = (struct capture_file){ .serial = file->serial };
}
