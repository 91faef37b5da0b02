/* Finishes a large run in a child process. */
#include "finish_child.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "lab.h"
#include "memo.h"
#include "memory.h"
#include "parcel.h"
#include "run_queue.h"

enum { TRIALS_AT_ONCE = 20000 };

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

bool finish_child_pays(const struct lab *lab)
{
	size_t trials = results_trials(run_results(lab->run));

	/* Autosave writes the whole session. */
	for (size_t i = 0; lab->autosave && i < lab->session->run_count; i++)
		trials += results_trials(lab->session->runs[i]);
	return trials > TRIALS_AT_ONCE;
}

/* ---- in the child ----------------------------------------------------- */

static void put_findings(struct text *out, const struct findings *findings)
{
	parcel_put(out, &findings->count, sizeof findings->count);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		parcel_put(out, finding, sizeof *finding);
		parcel_put(out, finding->name, strlen(finding->name));
		parcel_put(out, finding->sentence, strlen(finding->sentence));
	}
}

static void put_text(struct text *out, const char *chars)
{
	parcel_put(out, chars, strlen(chars) + 1);
}

static void put_notes(struct text *out, const struct point *point)
{
	parcel_put(out, &point->note_count, sizeof point->note_count);
	for (size_t i = 0; i < point->note_count; i++) {
		put_text(out, point->notes[i].key);
		put_text(out, point->notes[i].value);
	}
}

static int conclude(void *context)
{
	struct lab *lab = context;
	struct results *results = run_results(lab->run);
	struct text out = { 0 };

	run_conclude(lab);
	const char *why = lab->autosave_why ? lab->autosave_why : "";
	put_findings(&out, &results->findings);
	parcel_put(&out, lab->ended.text.chars, lab->ended.text.length);
	parcel_put(&out, why, strlen(why));
	for (size_t i = 0; i < results->point_count; i++)
		put_notes(&out, &results->points[i]);
	memo_pack(results, &out);
	return file_write_all(CHILD_KEPT, out.chars, out.length) ? 1 : 0;
}

/* ---- in the lab ------------------------------------------------------- */

static void inherit(const struct lab *lab, bool all)
{
	for (size_t i = 0; i < lab->session->run_count; i++)
		results_inherit(lab->session->runs[i], all);
	results_inherit(run_results(lab->run), all);
}

bool finish_child_start(struct finish_child *finish, struct lab *lab)
{
	struct error error;

	*finish = (struct finish_child){
		.fd = memfd_create("finish", MFD_CLOEXEC),
		.until_ms = now_ms() + FINISH_MOST_MS,
	};
	if (finish->fd < 0)
		return false;
	finish->child.keeps[0] = finish->fd;
	inherit(lab, true);
	int failed = child_start(&finish->child, conclude, lab, CHILD_ANY_CPU,
		&error);
	inherit(lab, false);
	if (failed)
		finish_child_abandon(finish);
	return !failed;
}

static bool take_finding(struct parcel *parcel, struct findings *findings)
{
	struct finding finding;
	size_t name_length, sentence_length;
	const void *bytes = parcel_take_sized(parcel, sizeof finding);
	const char *name = bytes ? parcel_take(parcel, &name_length) : NULL;
	const char *sentence =
		name ? parcel_take(parcel, &sentence_length) : NULL;

	if (!sentence)
		return false;
	memcpy(&finding, bytes, sizeof finding);
	finding.name = xstrndup(name, name_length);
	finding.sentence = xstrndup(sentence, sentence_length);
	ARRAY_GROW(findings->list, findings->count);
	findings->list[findings->count++] = finding;
	return true;
}

static bool take_findings(struct parcel *parcel, struct findings *findings)
{
	const size_t *count = parcel_take_sized(parcel, sizeof *count);

	if (!count)
		return false;
	while (findings->count < *count)
		if (!take_finding(parcel, findings))
			return false;
	return true;
}

/* Adds the notes that the point does not have yet. */
static bool take_notes_of(struct parcel *parcel, struct point *point)
{
	const size_t *count = parcel_take_sized(parcel, sizeof *count);

	for (size_t i = 0; count && i < *count; i++) {
		size_t length;
		const char *key = parcel_take(parcel, &length);
		const char *value = key ? parcel_take(parcel, &length) : NULL;

		if (!value)
			return false;
		if (i >= point->note_count)
			point_add_note(point, key, value);
	}
	return count != NULL;
}

static bool take_notes(struct parcel *parcel, struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (!take_notes_of(parcel, &results->points[i]))
			return false;
	return true;
}

static bool unpack(struct lab *lab, struct parcel *parcel)
{
	struct results *results = run_results(lab->run);
	struct findings findings = { 0 };
	size_t text_length = 0, why_length = 0;
	bool found = take_findings(parcel, &findings);
	const char *text = found ? parcel_take(parcel, &text_length) : NULL;
	const char *why = text ? parcel_take(parcel, &why_length) : NULL;

	if (!why || !take_notes(parcel, results) ||
		!memo_unpack(results, parcel)) {
		findings_free(&findings);
		return false;
	}
	findings_free(&results->findings);
	results->findings = findings;
	text_clear(&lab->ended.text);
	text_add_chars(&lab->ended.text, text, text_length);
	free(lab->autosave_why);
	lab->autosave_why = why_length ? xstrndup(why, why_length) : NULL;
	return true;
}

static bool take_over(struct lab *lab, int fd)
{
	struct stat is;
	bool good = false;

	if (fstat(fd, &is) || !is.st_size)
		return false;
	size_t size = (size_t)is.st_size;
	char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes != MAP_FAILED) {
		struct parcel parcel = { bytes, bytes + size };

		good = unpack(lab, &parcel);
		munmap(bytes, size);
	}
	return good;
}

enum finish_end finish_child_step(struct finish_child *finish, struct lab *lab)
{
	int status;

	if (!child_reap(&finish->child, &status)) {
		if (now_ms() < finish->until_ms)
			return FINISH_NOT_YET;
		finish_child_abandon(finish);
		return FINISH_LATE;
	}
	bool good = status == 0 && take_over(lab, finish->fd);
	close(finish->fd);
	*finish = (struct finish_child){ 0 };
	return good ? FINISH_GOOD : FINISH_DIED;
}

void finish_child_abandon(struct finish_child *finish)
{
	enum { KILLED_MS = 1000 };

	child_abandon(&finish->child, KILLED_MS);
	if (finish->fd > 0)
		close(finish->fd);
	*finish = (struct finish_child){ 0 };
}
