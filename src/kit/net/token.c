/* Tokens in files. */
#include "token.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_LEAST = 16, TOKEN_MOST = 1024 };

static int refuse(const char *path, const char *why, struct error *error)
{
	return error_set(error, STATUS_PERMISSION, "token file %s %s",
		text_quoted(path).chars, why);
}

static int read_token(int fd, const char *path, uint8_t key[WIRE_KEY],
	struct error *error)
{
	char token[TOKEN_MOST + 1];
	struct stat about;

	if (fstat(fd, &about) || !S_ISREG(about.st_mode))
		return refuse(path, "is not a regular file", error);
	if (about.st_mode & 077)
		return refuse(path,
			"is readable by others: `chmod 600` fixes this", error);
	ssize_t length = read(fd, token, sizeof token);
	while (length > 0 && strchr(" \t\r\n", token[length - 1]))
		length--;
	int failed = 0;
	if (length < TOKEN_LEAST)
		failed = refuse(path,
			"is too short: expected at least 16 bytes, as from "
			"`openssl rand -hex 32`",
			error);
	else if (length > TOKEN_MOST)
		failed = refuse(path,
			"is too long: expected at most 1024 bytes", error);
	else
		wire_token_key(token, (size_t)length, key);
	sodium_memzero(token, sizeof token);
	return failed;
}

int token_read(const char *path, uint8_t key[WIRE_KEY], struct error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return error_set(error, STATUS_INPUT,
			"cannot open token file %s: %s",
			text_quoted(path).chars, strerror(errno));
	int failed = read_token(fd, path, key, error);
	close(fd);
	return failed;
}
