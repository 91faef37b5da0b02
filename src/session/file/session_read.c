/* Reads a session from JSON: everything except the runs. */
#include "session_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- unknown members -------------------------------------------------- */

static bool is_named(const char *name, const struct field *field,
	const char *const *names)
{
	for (; field && field->name; field++)
		if (!strcmp(field->name, name))
			return true;
	for (; names && *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

static void note_unknown(struct session_reader *reader, const cJSON *member)
{
	struct session *session = reader->session;
	struct text *path = &reader->json.path;

	ARRAY_GROW(reader->unknown, reader->unknown_count);
	reader->unknown[reader->unknown_count++] = member;
	if (session->unknown_count == SESSION_UNKNOWN_MAX)
		return;
	json_path_member(path, member->string);
	ARRAY_GROW(session->unknown, session->unknown_count);
	session->unknown[session->unknown_count++] = xstrdup(text_chars(path));
	json_path_up(path);
}

void session_known(struct session_reader *reader, const cJSON *object,
	const struct field *fields, const char *const *names)
{
	if (reader->json.failed || !cJSON_IsObject(object))
		return;
	for (const cJSON *child = object->child; child; child = child->next)
		if (!is_named(child->string, fields, names))
			note_unknown(reader, child);
}

void session_count(struct session_reader *reader, size_t more)
{
	reader->samples += more;
	if (reader->samples > SESSION_SAMPLES_MAX)
		json_fail(&reader->json, "more than %d samples in a run",
			SESSION_SAMPLES_MAX);
}

/* ---- the head --------------------------------------------------------- */

static void read_schema(struct session_reader *reader, const cJSON *root)
{
	struct json_reader *json = &reader->json;
	uint64_t major, minor;

	const char *format = json_get_text(json, root, "format");
	if (strcmp(format, "benchtop-session") != 0)
		json_fail(json,
			"expected \"format\" to be \"benchtop-session\"");
	const cJSON *schema = json_enter(json, root, "schema", cJSON_Array);
	if (!schema)
		return;
	if (cJSON_GetArraySize(schema) != 2 ||
		!json_is_whole(schema->child, &major) ||
		!json_is_whole(schema->child->next, &minor)) {
		json_fail(json, "expected [major, minor]");
		return;
	}
	json_leave(json);
	reader->session->newer = minor > SESSION_MINOR;
	reader->session->minor =
		minor < SESSION_MINOR ? (unsigned)minor : SESSION_MINOR;
	if (major == SESSION_MAJOR)
		return;
	json->failed = true;
	reader->other_schema = true;
	error_set(json->error, STATUS_INPUT,
		"'%s' is a session of schema %llu.%llu, this benchtop reads "
		"%d.x%s",
		json_name_shown(json->name), (unsigned long long)major,
		(unsigned long long)minor, SESSION_MAJOR,
		major > SESSION_MAJOR ? ": needs a newer benchtop" : "");
}

static void read_tool(struct session_reader *reader, const cJSON *root)
{
	static const char *const names[] = { "name", "version", "build",
		"compiler", "timed_flags", NULL };
	struct json_reader *json = &reader->json;
	const cJSON *tool = json_enter(json, root, "tool", cJSON_Object);

	if (!tool)
		return;
	session_known(reader, tool, NULL, names);
	reader->session->tool_version =
		xstrdup(session_get_text(json, tool, "version"));
	json_leave(json);
}

void session_read_list(struct session_reader *reader, const cJSON *object,
	const char *name,
	void (*read)(struct session_reader *, const cJSON *item, void *into),
	void *into)
{
	struct json_reader *json = &reader->json;
	const cJSON *list = json_enter(json, object, name, cJSON_Array);
	const cJSON *item = list ? list->child : NULL;

	for (size_t i = 0; item; item = item->next, i++) {
		if (!json_enter_element(json, item, i, cJSON_Object))
			return;
		read(reader, item, into);
		json_leave(json);
	}
	if (list)
		json_leave(json);
}

static void read_cache(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct machine *machine = into;

	if (machine->cache_count == MACHINE_CACHES) {
		json_fail(&reader->json, "more than %d caches", MACHINE_CACHES);
		return;
	}
	session_known(reader, item, session_cache, NULL);
	fields_read(session_cache, &machine->caches[machine->cache_count++],
		&reader->json, item);
}

static void read_disk(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct machine *machine = into;

	if (machine->disk_count == MACHINE_DISKS) {
		json_fail(&reader->json, "more than %d disks", MACHINE_DISKS);
		return;
	}
	session_known(reader, item, session_disk, NULL);
	fields_read(session_disk, &machine->disks[machine->disk_count++],
		&reader->json, item);
}

static void read_network(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct machine *machine = into;

	if (machine->network_count == MACHINE_NETWORKS) {
		json_fail(&reader->json, "more than %d networks",
			MACHINE_NETWORKS);
		return;
	}
	session_known(reader, item, session_network, NULL);
	fields_read(session_network,
		&machine->networks[machine->network_count++], &reader->json,
		item);
}

static void read_machine(struct session_reader *reader, const cJSON *root)
{
	static const char *const names[] = { "caches", "disks", "networks",
		NULL };
	struct json_reader *json = &reader->json;
	struct machine *machine = &reader->session->machine;
	const cJSON *object = json_enter(json, root, "machine", cJSON_Object);

	if (!object)
		return;
	session_known(reader, object, session_machine, names);
	fields_read(session_machine, machine, json, object);
	session_read_list(reader, object, "caches", read_cache, machine);
	/* Added in minor version 2. */
	if (json_find(object, "disks"))
		session_read_list(reader, object, "disks", read_disk, machine);
	if (json_find(object, "networks"))
		session_read_list(reader, object, "networks", read_network,
			machine);
	json_leave(json);
}

/* ---- lists ------------------------------------------------------------ */

static void read_check(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct session *session = into;

	ARRAY_GROW(session->checks, session->check_count);
	struct session_check *check = &session->checks[session->check_count++];
	*check = (struct session_check){ 0 };
	session_known(reader, item, session_check, NULL);
	fields_read(session_check, check, &reader->json, item);
}

static void read_note(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct session *session = into;

	ARRAY_GROW(session->notes, session->note_count);
	struct session_note *note = &session->notes[session->note_count++];
	*note = (struct session_note){ 0 };
	session_known(reader, item, session_note, NULL);
	fields_read(session_note, note, &reader->json, item);
}

static void read_run(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct session *session = into;
	struct results *results = results_new("");

	ARRAY_GROW(session->runs, session->run_count);
	session->runs[session->run_count++] = results;
	reader->samples = 0;
	session_read_run(reader, item, results);
}

static void say_refused(struct error *error)
{
	char why[sizeof error->message];

	memcpy(why, error->message, sizeof why);
	error_set(error, STATUS_INPUT, "not a session file: %.450s", why);
}

int session_read_tree(struct session_reader *reader, const cJSON *tree,
	const char *name, struct error *error)
{
	static const char *const names[] = { "format", "schema", "tool",
		"machine", "environment", "notes", "runs", NULL };

	*reader = (struct session_reader){
		.json = { .name = name, .error = error },
		.session = session_new(),
	};
	if (!cJSON_IsObject(tree))
		json_fail(&reader->json, "expected an object");
	read_schema(reader, tree);
	session_known(reader, tree, NULL, names);
	read_tool(reader, tree);
	read_machine(reader, tree);
	session_read_list(reader, tree, "environment", read_check,
		reader->session);
	session_read_list(reader, tree, "notes", read_note, reader->session);
	session_read_list(reader, tree, "runs", read_run, reader->session);
	if (!reader->json.failed)
		return 0;
	if (!reader->other_schema)
		say_refused(error);
	return -1;
}

void session_reader_release(struct session_reader *reader)
{
	text_free(&reader->json.path);
	free(reader->unknown);
	session_free(reader->session);
	reader->session = NULL;
	reader->unknown = NULL;
}

/* Does the text begin like an object? Otherwise the place of an error in it is
 * of no use. */
static bool is_object(const char *chars, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!chars[i] || !strchr(" \t\r\n", chars[i]))
			return chars[i] == '{';
	return false;
}

cJSON *session_parse(const char *chars, size_t length, const char *name,
	struct error *error)
{
	cJSON *tree = json_parse(chars, length, name, error);

	if (tree || error->status == STATUS_INTERNAL)
		return tree;
	if (is_object(chars, length))
		say_refused(error);
	else
		error_set(error, STATUS_INPUT,
			"'%s' is not a session file: expected one that `save` "
			"wrote",
			json_name_shown(name));
	return NULL;
}

struct session *session_read(const char *chars, size_t length, const char *name,
	struct error *error)
{
	cJSON *tree = session_parse(chars, length, name, error);
	struct session_reader reader;
	struct session *session = NULL;

	if (!tree)
		return NULL;
	if (!session_read_tree(&reader, tree, name, error)) {
		session = reader.session;
		reader.session = NULL;
	}
	session_reader_release(&reader);
	cJSON_Delete(tree);
	/* The tree of a large session leaves hundreds of megabytes of free
	 * memory in the heap. */
	memory_trim();
	return session;
}
