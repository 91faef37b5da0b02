/*
 * The index of the kept sessions: what lists and histories need of each file,
 * so that they open only files that changed since they were last read. Ten
 * thousand sessions have gigabytes.
 *
 * The index is index.sqlite in the state folder, beside the folder of the
 * sessions, an SQLite 3 database (https://sqlite.org/fileformat.html). It is
 * not in $XDG_CACHE_HOME: it belongs to these sessions, and another state
 * folder has an index of its own. The JSON files stay the truth. Whoever
 * removes the index loses nothing: the next reader rebuilds it.
 *
 *   sessions      per file: its name; its stamp (size, mtime, ctime in
 *                 nanoseconds, inode); its struct kept_head
 *   surroundings  per session with points: the host, struct surroundings
 *   points        per point and metric of every experiment: struct kept_point
 *
 * - A list stores heads, a history also points (sessions.has_points): to find
 *   them takes six times as long, and the first list of 5000 files shall not.
 * - A row counts if name and stamp are those of the file now. Rows of other
 *   stamps are replaced, and rows of missing files deleted, before a reader
 *   reads. A file that changed less than INDEX_YOUNG_MS ago is read but not
 *   indexed, because its next change may leave it with the same stamp.
 * - PRAGMA user_version is INDEX_VERSION. An index of another version, older or
 *   newer, and a damaged one, are emptied and filled again.
 * - Labs may use the index at the same time. SQLite locks it, with a rollback
 *   journal: a write-ahead log needs shared memory, which home folders on NFS
 *   lack. A transaction has at most INDEX_BATCH files, so that labs share the
 *   work of filling an index, and a killed lab keeps most of it.
 * - The index is never the reason of an error. What it does not have is read
 *   from the files: in a read-only folder, on a full disk, behind another lab's
 *   lock of INDEX_WAIT_MS, without a state folder. index.sqlite and the files
 *   that SQLite opens beside it must be regular files; a link is not followed.
 */
#ifndef BENCHTOP_KEPT_INDEX_H
#define BENCHTOP_KEPT_INDEX_H

#include "kept.h"
#include "kept_points.h"

enum {
	INDEX_VERSION = 6, /* of the tables and of what values mean */
	INDEX_BATCH = 500,
	INDEX_YOUNG_MS = 20, /* more than the kernel's tick */
	INDEX_WAIT_MS = 1000,
};

/* The heads of all sessions of the list, in its order. The caller frees each
 * (kept_head_free()) and the array. */
struct kept_head *index_heads(const struct kept_list *);
/* The points of an experiment with this metric (NULL: every one) in all kept
 * sessions of a machine, which is known by its host name and its processor, if
 * that is not "". An unreadable file has none. */
void index_points(const struct machine *, const char *experiment,
	const char *metric, struct kept_points *);
/* Adds a sentence if the index cannot be used, because something other than a
 * regular file is in its place. */
void index_remark(struct text *);

#endif
