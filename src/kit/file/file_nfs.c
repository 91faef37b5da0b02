/* Files on NFS servers, with libnfs. */
#include "file_nfs.h"

#include <string.h>

static const char scheme[] = "nfs://";

bool file_nfs_is_url(const char *where)
{
	return !strncmp(where, scheme, strlen(scheme));
}

#ifdef BENCHTOP_NFS

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/time.h>

#include <nfsc/libnfs.h>
/* Needs the header above. */
#include <nfsc/libnfs-raw.h>

#include "alongside.h"
#include "file_content.h"
#include "file_made.h"
#include "leftover.h"
#include "memory.h"
#include "name.h"
#include "probe.h"
#include "resolve.h"
#include "text.h"

enum { PIECE_BYTES = 1 << 20, PIECE_BYTES_SHORT = 2048 };

struct file_nfs {
	struct nfs_context *nfs;
	struct nfsfh *handle;
	char *path;          /* within the export; NULL: no file created */
	bool gone;           /* the server is unreachable: send no further
			      * requests */
	struct probe *probe; /* probe_alive() after each answer; may be NULL */
	int version;
	char why[240];
};

/* Never read: a reference for leak checkers. */
static struct nfs_context *volatile abandoned;

/* ---- libnfs before and from version 6 --------------------------------- */

static int read_some(struct file_nfs *file, void *into, size_t length,
	uint64_t offset)
{
#ifdef LIBNFS_API_V2
	return nfs_pread(file->nfs, file->handle, into, length, offset);
#else
	return nfs_pread(file->nfs, file->handle, offset, length, into);
#endif
}

static int write_some(struct file_nfs *file, const void *from, size_t length,
	uint64_t offset)
{
#ifdef LIBNFS_API_V2
	return nfs_pwrite(file->nfs, file->handle, from, length, offset);
#else
	return nfs_pwrite(file->nfs, file->handle, offset, length, from);
#endif
}

/* Bytes per write: older versions cannot encode a version 4 write that is
 * longer than 4 KiB with its header. */
static size_t piece_bytes(const struct file_nfs *file)
{
#ifdef LIBNFS_API_V2
	(void)file;
	return PIECE_BYTES;
#else
	return file->version == 4 ? PIECE_BYTES_SHORT : PIECE_BYTES;
#endif
}

/* For a result of libnfs, a negative errno on failure. Only the server can
 * cause a refusal here, also ENOENT, which has another meaning on a mount
 * (file_source.c). Every other error means that no server responds. */
static bool says_no_server(int result)
{
	static const int refusals[] = { EACCES, EPERM, ENOENT, ENOTDIR, EISDIR,
		EROFS, ENOSPC, EDQUOT, EFBIG, EEXIST, EINVAL, ENAMETOOLONG };

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		if (result == -refusals[i])
			return false;
	return result < 0;
}

/* What noticed a failed connection, not its cause. */
static bool is_bare(const char *said)
{
	return said &&
		(!strcmp(said, "nfs_service failed") ||
			strstr(said, "POLLHUP"));
}

/* The cause of a failed connection. libnfs only reports which of its functions
 * noticed it; the lower layer knows the cause. libnfs before 5 overwrites both
 * with the same text, and some of its versions say only POLLHUP. */
static const char *reason(struct file_nfs *file, int failed)
{
	const char *said = nfs_get_error(file->nfs);

	if (is_bare(said))
		said = rpc_get_error(nfs_get_rpc_context(file->nfs));
	if (is_bare(said))
		said = "no connection to the server, or the connection broke";
	return said && *said ? said : strerror(-failed);
}

static void take_why(struct file_nfs *file, int failed)
{
	file->gone |= says_no_server(failed);
	snprintf(file->why, sizeof file->why, "%s", reason(file, failed));
}

/* ---- reading ---------------------------------------------------------- */

bool file_nfs_read(struct file_nfs *file, void *into, size_t length,
	uint64_t offset)
{
	char *at = into;

	while (length) {
		int got = read_some(file, at, length, offset);

		if (got <= 0) {
			take_why(file, got);
			if (!got)
				snprintf(file->why, sizeof file->why,
					"unexpected end of file");
			return false;
		}
		at += got;
		offset += (unsigned)got;
		length -= (size_t)got;
	}
	return true;
}

const char *file_nfs_why(const struct file_nfs *file)
{
	return file->why;
}

const char *file_nfs_type(const struct file_nfs *file)
{
	return file->version == 4 ? "nfs 4" : "nfs 3";
}

/* ---- creating --------------------------------------------------------- */

static int refuse(struct file_nfs *file, const char *url, const char *what,
	int failed, struct error *error)
{
	take_why(file, failed);
	return error_set(error, STATUS_NETWORK, "cannot %s %s: %s", what,
		text_quoted(url).chars, file->why);
}

/* libnfs has no getter for the version that it uses. */
static int version_of(const char *url)
{
	const char *asked = strstr(url, "version=");

	return asked && asked[strlen("version=")] == '4' ? 4 : 3;
}

/* The server's numeric address. libnfs would resolve a name again for each
 * connection, silently, and report a failure as if it were a refusal. */
static int find_server(struct file_nfs *file, const char *server,
	char address[NI_MAXHOST], struct probe *probe, struct error *error)
{
	struct addrinfo *found = NULL;
	int failed = name_find(probe, server, NULL, NULL, &found);

	if (!failed) {
		failed = getnameinfo(found->ai_addr, found->ai_addrlen, address,
			NI_MAXHOST, NULL, 0, NI_NUMERICHOST);
		freeaddrinfo(found);
	}
	if (!failed)
		return 0;
	file->gone = true;
	return error_set(error, STATUS_NETWORK, "cannot find %s: %s",
		text_quoted(server).chars, resolve_why(failed));
}

/* Mounting takes several requests, each within libnfs's timeout. Only
 * connecting takes as long as the kernel tries. */
struct mounting {
	struct nfs_context *nfs;
	char address[NI_MAXHOST];
	char *path;
	int failed;
};

static void mount_now(void *context)
{
	struct mounting *mounting = context;

	mounting->failed =
		nfs_mount(mounting->nfs, mounting->address, mounting->path);
}

/* Takes ownership of `mounting`. */
static int mount_alongside(struct file_nfs *file, struct mounting *mounting,
	const char *url, struct probe *probe, struct error *error)
{
	/* If the thread continues, `mounting` stays with it. */
	if (!alongside(probe, mount_now, mounting, FILE_NFS_MOUNT_S)) {
		file->gone = true;
		return error_set(error, STATUS_NETWORK,
			"cannot mount %s: no answer within %d s",
			text_quoted(url).chars, FILE_NFS_MOUNT_S);
	}
	int failed = mounting->failed;

	free(mounting->path);
	free(mounting);
	return failed ? refuse(file, url, "mount", failed, error) : 0;
}

static int mount_folder(struct file_nfs *file, const char *url,
	struct probe *probe, struct error *error)
{
	struct nfs_url *parts = nfs_parse_url_dir(file->nfs, url);

	if (!parts)
		return error_set(error, STATUS_USAGE,
			"cannot parse %s: expected nfs://server/export/",
			text_quoted(url).chars);
	struct mounting *mounting = xcalloc(1, sizeof *mounting);
	mounting->nfs = file->nfs;
	mounting->path = xstrdup(parts->path);
	int failed = find_server(file, parts->server, mounting->address, probe,
		error);
	nfs_destroy_url(parts);
	if (failed) {
		free(mounting->path);
		free(mounting);
		return -1;
	}
	nfs_set_timeout(file->nfs, FILE_NFS_SILENT_MS);
	nfs_set_autoreconnect(file->nfs, 0);
	file->version = version_of(url);
	return mount_alongside(file, mounting, url, probe, error);
}

/* Returns 0, or -1 with an error if the server does not respond. Each further
 * request would wait as long, longer than a worker may be silent. A refusal
 * gives 0. */
static int answered(struct file_nfs *file, const char *url, const char *what,
	int failed, struct error *error)
{
	if (file->probe)
		probe_alive(file->probe);
	return says_no_server(failed) ? refuse(file, url, what, failed, error) :
					0;
}

static int sweep(struct file_nfs *file, const char *url, struct error *error)
{
	struct nfsdir *folder = NULL;
	int failed = nfs_opendir(file->nfs, "/", &folder);

	failed = answered(file, url, "list", failed, error);
	if (failed || !folder)
		return failed;
	for (struct nfsdirent *entry;
		!failed && (entry = nfs_readdir(file->nfs, folder));) {
		struct text path = { 0 };

		text_add(&path, "/%s", entry->name);
		if (leftover_is_orphan(entry->name))
			failed = answered(file, url, "clean up",
				nfs_unlink(file->nfs, path.chars), error);
		text_free(&path);
	}
	nfs_closedir(file->nfs, folder);
	return failed;
}

static int check_space(struct file_nfs *file, const char *url,
	uint64_t size_bytes, struct error *error)
{
	struct statvfs disk;
	int refused = nfs_statvfs(file->nfs, "/", &disk);
	int failed =
		answered(file, url, "query the free space of", refused, error);

	if (failed || refused)
		return failed;
	return file_fits(url, &disk, size_bytes, error);
}

static int create(struct file_nfs *file, const char *url, struct error *error)
{
	static unsigned number;
	struct text path = { 0 };

	text_add_char(&path, '/');
	leftover_name(&path, number++);
	int failed = nfs_creat(file->nfs, path.chars, 0600, &file->handle);
	if (failed) {
		text_free(&path);
		return refuse(file, url, "make a file on", failed, error);
	}
	file->path = text_take(&path);
	/* In version 4, creat() opens for writing only. */
	failed = nfs_close(file->nfs, file->handle);
	file->handle = NULL;
	if (answered(file, url, "make a file on", failed, error))
		return -1;
	failed = nfs_open(file->nfs, file->path, O_RDWR, &file->handle);
	return failed ? refuse(file, url, "open a file on", failed, error) : 0;
}

static int write_content(struct file_nfs *file, const char *url,
	uint64_t size_bytes, uint64_t seed, struct probe *probe,
	struct error *error)
{
	size_t most = piece_bytes(file);
	char *piece = xmalloc(most);
	int failed = 0;

	for (uint64_t at = 0; at < size_bytes && failed >= 0;) {
		/* A piece begins at a word boundary, wherever the last write
		 * ended. */
		uint64_t from = at & ~(uint64_t)7;
		uint64_t left = size_bytes - from;
		size_t length = left < most ? (size_t)left : most;

		file_content(seed, from, piece, length);
		failed = write_some(file, piece + (at - from),
			length - (size_t)(at - from), at);
		if (!failed)
			failed = -EIO;
		at += failed > 0 ? (unsigned)failed : 0;
		if (probe)
			probe_alive(probe);
	}
	free(piece);
	if (failed >= 0)
		failed = nfs_fsync(file->nfs, file->handle);
	return failed < 0 ?
		refuse(file, url, "write a file on", failed, error) :
		0;
}

struct file_nfs *file_nfs_make(const char *url, uint64_t size_bytes,
	uint64_t seed, struct probe *probe, bool *lost, struct error *error)
{
	struct file_nfs *file = xcalloc(1, sizeof *file);

	*lost = false;
	file->probe = probe;
	/* A lost server must not end the worker by a signal. */
	signal(SIGPIPE, SIG_IGN);
	file->nfs = nfs_init_context();
	if (!file->nfs) {
		error_set(error, STATUS_USAGE, "libnfs has no memory");
		free(file);
		return NULL;
	}
	int failed = mount_folder(file, url, probe, error);
	if (!failed) {
		failed = sweep(file, url, error) ||
			check_space(file, url, size_bytes, error) ||
			create(file, url, error) ||
			write_content(file, url, size_bytes, seed, probe,
				error);
	}
	if (!failed)
		return file;
	*lost = file->gone;
	file_nfs_close(file);
	return NULL;
}

void file_nfs_close(struct file_nfs *file)
{
	if (!file)
		return;
	/* Each request to a lost server would wait for the timeout. */
	if (!file->gone && file->handle)
		file->gone = says_no_server(nfs_close(file->nfs, file->handle));
	if (!file->gone && file->path)
		file->gone = says_no_server(nfs_unlink(file->nfs, file->path));
	/* libnfs still lists a call that a lost connection interrupted, with a
	 * pointer to a stack frame that no longer exists, and would write there
	 * when it cancels the call. So the context is not destroyed; the worker
	 * ends soon. */
	if (file->gone)
		abandoned = file->nfs;
	else
		nfs_destroy_context(file->nfs);
	free(file->path);
	free(file);
}

#else

struct file_nfs *file_nfs_make(const char *url, uint64_t size_bytes,
	uint64_t seed, struct probe *probe, bool *lost, struct error *error)
{
	(void)url;
	(void)size_bytes;
	(void)seed;
	(void)probe;
	*lost = false;
	error_set(error, STATUS_USAGE,
		"nfs:// needs libnfs, but this benchtop was built without it: "
		"expected libnfs-dev at build time");
	return NULL;
}

bool file_nfs_read(struct file_nfs *file, void *into, size_t length,
	uint64_t offset)
{
	(void)file;
	(void)into;
	(void)length;
	(void)offset;
	return false;
}

const char *file_nfs_why(const struct file_nfs *file)
{
	(void)file;
	return "";
}

const char *file_nfs_type(const struct file_nfs *file)
{
	(void)file;
	return "nfs";
}

void file_nfs_close(struct file_nfs *file)
{
	(void)file;
}

#endif
