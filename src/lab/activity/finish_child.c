/* The end of a large run, elsewhere. */
#include "finish_child.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab.h"
#include "memo.h"
#include "memory.h"
#include "run_queue.h"

enum { TRIALS_AT_ONCE = 20000 };

bool finish_child_pays(const struct lab *lab)
{
	size_t trials = results_trials(run_results(lab->run));

	/* All of the session is saved. */
	for (size_t i = 0; lab->autosave && i < lab->session->run_count; i++)
		trials += results_trials(lab->session->runs[i]);
	return trials > TRIALS_AT_ONCE;
}

/* ---- in the child ----------------------------------------------------- */

static void put_chars(struct text *out, const char *chars, size_t length)
{
	text_add_chars(out, (const char *)&length, sizeof length);
	if (length)
		text_add_chars(out, chars, length);
}

static void put_findings(struct text *out, const struct findings *findings)
{
	put_chars(out, (const char *)&findings->count, sizeof findings->count);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		put_chars(out, (const char *)finding, sizeof *finding);
		put_chars(out, finding->name, strlen(finding->name));
		put_chars(out, finding->sentence, strlen(finding->sentence));
	}
}

static bool write_all(int fd, const struct text *out)
{
	for (size_t at = 0; at < out->length;) {
		ssize_t put = write(fd, out->chars + at, out->length - at);

		if (put <= 0)
			return false;
		at += (size_t)put;
	}
	return true;
}

static int conclude(void *context)
{
	struct lab *lab = context;
	struct results *results = run_results(lab->run);
	struct text out = { 0 }, kept = { 0 };

	run_conclude(lab);
	const char *why = lab->autosave_why ? lab->autosave_why : "";
	memo_pack(results, &kept);
	put_findings(&out, &results->findings);
	put_chars(&out, text_chars(&kept), kept.length);
	put_chars(&out, text_chars(&lab->ended.text), lab->ended.text.length);
	put_chars(&out, why, strlen(why));
	return write_all(CHILD_KEPT, &out) ? 0 : 1;
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
	};
	if (finish->fd < 0)
		return false;
	finish->child.keeps = finish->fd;
	inherit(lab, true);
	int failed = child_start(&finish->child, conclude, lab, CHILD_ANY_CPU,
		&error);
	inherit(lab, false);
	if (failed)
		finish_child_abandon(finish);
	return !failed;
}

/* What was handed over, and how far it was taken. */
struct parcel {
	const char *at, *end;
};

/* A piece of so many bytes or of any (0); NULL: it is not there. */
static const char *take(struct parcel *parcel, size_t wanted, size_t *length)
{
	size_t left = (size_t)(parcel->end - parcel->at);

	if (left < sizeof *length)
		return NULL;
	memcpy(length, parcel->at, sizeof *length);
	if (*length > left - sizeof *length || (wanted && *length != wanted))
		return NULL;
	const char *piece = parcel->at + sizeof *length;
	parcel->at = piece + *length;
	return piece;
}

static bool take_finding(struct parcel *parcel, struct findings *findings)
{
	struct finding finding;
	size_t length, name_length, sentence_length;
	const char *bytes = take(parcel, sizeof finding, &length);
	const char *name = bytes ? take(parcel, 0, &name_length) : NULL;
	const char *sentence = name ? take(parcel, 0, &sentence_length) : NULL;

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
	size_t length, count;
	const char *bytes = take(parcel, sizeof count, &length);

	if (!bytes)
		return false;
	memcpy(&count, bytes, sizeof count);
	while (findings->count < count)
		if (!take_finding(parcel, findings))
			return false;
	return true;
}

static bool unpack(struct lab *lab, struct parcel *parcel)
{
	struct results *results = run_results(lab->run);
	struct findings findings = { 0 };
	size_t kept_length = 0, text_length = 0, why_length = 0;
	bool found = take_findings(parcel, &findings);
	const char *kept = found ? take(parcel, 0, &kept_length) : NULL;
	const char *text = kept ? take(parcel, 0, &text_length) : NULL;
	const char *why = text ? take(parcel, 0, &why_length) : NULL;

	if (!why || !memo_unpack(results, kept, kept_length)) {
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

bool finish_child_step(struct finish_child *finish, struct lab *lab,
	bool *good)
{
	int status;

	if (!child_reap(&finish->child, &status))
		return false;
	*good = status == 0 && take_over(lab, finish->fd);
	close(finish->fd);
	*finish = (struct finish_child){ 0 };
	return true;
}

void finish_child_abandon(struct finish_child *finish)
{
	if (finish->child.pid) {
		child_kill(&finish->child);
		child_wait(&finish->child, -1);
	}
	if (finish->fd > 0)
		close(finish->fd);
	*finish = (struct finish_child){ 0 };
}
