/* The capture file opened last. */
#include "capture_file.h"

#include <stdlib.h>

#include "annotate.h"
#include "capture.h"
#include "memory.h"

void capture_file_open(struct capture_file *file, const char *path,
	const struct annotator_options *asked, bool logged)
{
	struct annotator_options options = { 0 };

	if (asked)
		options = *asked;
	capture_file_close(file);
	if (logged) {
		file->log = packet_log_new(PACKET_LOG_MAX);
		packet_log_watch(file->log, &options);
	}
	file->annotator = annotator_new(&options);
	file->path = xstrdup(path);
	file->serial++;
}

void close_up_end(struct close_up *close)
{
	capture_close(close->capture);
	annotator_free(close->annotator);
	packet_log_free(close->log);
	*close = (struct close_up){ .log = NULL };
}

void capture_file_close(struct capture_file *file)
{
	close_up_end(&file->close);
	close_up_end(&file->coming);
	annotator_free(file->annotator);
	packet_log_free(file->log);
	free(file->path);
	*file = (struct capture_file){ .serial = file->serial };
}

const struct packet_log *capture_file_log(const struct capture_file *file,
	const struct connection *connection)
{
	return file->close.log &&
			file->close.scope.connection == connection->number ?
		file->close.log :
		file->log;
}

void capture_file_want(struct capture_file *file,
	const struct connection *connection, uint64_t around)
{
	file->wanted = (struct log_scope){ 0 };
	if (!connection || !file->again || file->reading)
		return;
	file->wanted = (struct log_scope){
		.connection = connection->number,
		.packets = connection->packets + connection->duplicates,
		.first_ns = connection->first_ns,
		.last_ns = connection->last_ns,
		.around = around,
	};
}
