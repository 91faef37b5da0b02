/* Tokens in files. */
#include "token.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { TOKEN_LEAST = 16, TOKEN_MOST = 1024, ACL_ENTRIES = 32 };

struct acl {
	struct posix_acl_xattr_header head;
	struct posix_acl_xattr_entry entry[ACL_ENTRIES];
};

/* True if an entry permits nothing to others than the owner and this user. */
static bool is_own(const struct posix_acl_xattr_entry *entry)
{
	switch (le16toh(entry->e_tag)) {
	case ACL_USER_OBJ:
	case ACL_MASK:
		return true;
	case ACL_USER:
		return !entry->e_perm || le32toh(entry->e_id) == geteuid();
	default:
		return !entry->e_perm;
	}
}

/* True if others may access the file. The group's bits of a file with an access
 * control list are its mask: systemd gives a service its credentials by an
 * entry for its user, in files of mode 0440. */
static bool is_open(int fd, const struct stat *about)
{
	struct acl acl = { .head = { 0 } };
	ssize_t bytes = fgetxattr(fd, "system.posix_acl_access", &acl,
		sizeof acl);

	if (bytes < (ssize_t)sizeof acl.head)
		return about->st_mode & 077;
	size_t count = ((size_t)bytes - sizeof acl.head) / sizeof *acl.entry;
	bool own = le32toh(acl.head.a_version) == POSIX_ACL_XATTR_VERSION &&
		!(about->st_mode & 07);
	for (size_t i = 0; i < count; i++)
		own &= is_own(&acl.entry[i]);
	return !own;
}

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
	if (is_open(fd, &about))
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
