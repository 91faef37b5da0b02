/* Writes a session as a JSON tree: everything except the points. */
#include "compare_sessions.h"
#include "session_internal.h"
#include "version.h"

#include <math.h>

static void write_tool(const struct session *session, cJSON *root)
{
	cJSON *tool = json_add_object(root, "tool");

	session_add_text(tool, "name", "benchtop", "");
	session_add_text(tool, "version",
		session->tool_version ? session->tool_version :
					benchtop_version,
		"");
	session_add_text(tool, "build", session->machine.build, "");
	session_add_text(tool, "compiler", session->machine.compiler, "");
	session_add_text(tool, "timed_flags", session->machine.flags, "");
}

/* Writes an array of objects with these fields, from structs of `size`
 * bytes. */
static void write_list(cJSON *to, const char *name, const struct field *fields,
	const void *structs, size_t count, size_t size)
{
	cJSON *list = json_add_array(to, name);

	for (size_t i = 0; i < count; i++)
		fields_write(fields, (const char *)structs + i * size,
			json_add_object(list, NULL));
}

static void write_machine(const struct machine *machine, cJSON *root)
{
	cJSON *object = json_add_object(root, "machine");

	fields_write(session_machine, machine, object);
	write_list(object, "caches", session_cache, machine->caches,
		machine->cache_count, sizeof *machine->caches);
	if (machine->disk_count)
		write_list(object, "disks", session_disk, machine->disks,
			machine->disk_count, sizeof *machine->disks);
	if (machine->network_count)
		write_list(object, "networks", session_network,
			machine->networks, machine->network_count,
			sizeof *machine->networks);
}

static void write_texts(cJSON *to, const char *name, char *const *texts,
	size_t count)
{
	cJSON *list = json_add_array(to, name);

	for (size_t i = 0; i < count; i++)
		session_add_text(list, NULL, texts[i], "");
}

void session_write_prediction(const struct prediction *prediction, cJSON *to,
	const char *name)
{
	if (prediction->set)
		fields_write(session_prediction, prediction,
			json_add_object(to, name));
	else
		json_add_null(to, name);
}

static void write_finding(const struct finding *finding, cJSON *list)
{
	cJSON *object = json_add_object(list, NULL);

	fields_write(session_finding, finding, object);
	json_add_number(object, "value",
		finding->has_value ? finding->value : NAN);
	session_write_range(object, "interval", finding->has_interval,
		finding->interval.low, finding->interval.high);
	fields_write(session_finding_unit, finding, object);
	if (finding->point >= 0)
		json_add_number(object, "point", finding->point);
}

static void write_verdict(const struct results *results, cJSON *object)
{
	struct compare_pair pair;

	compare_points(results, 0, 1, &pair);
	compare_write(&pair, object);
	compare_pair_free(&pair);
}

static void write_run(const struct results *results, bool samples, cJSON *runs)
{
	cJSON *run = json_add_object(runs, NULL);

	fields_write(session_run, results, run);
	fields_write(session_clock, &results->clock,
		json_add_object(run, "clock"));
	if (results->sharing.cut > 0)
		fields_write(session_sharing, results,
			json_add_object(run, "sharing"));
	fields_write(session_place, &results->place,
		json_add_object(run, "place"));
	fields_write(session_plan, results, json_add_object(run, "plan"));
	session_write_prediction(&results->prediction, run, "prediction");
	if (results->annotation && !results->figures_only)
		json_add_raw(run, "annotation", results->annotation);
	write_texts(run, "warnings", results->warnings, results->warning_count);
	cJSON *findings = json_add_array(run, "findings");
	for (size_t i = 0; i < results->findings.count; i++)
		write_finding(&results->findings.list[i], findings);
	write_texts(run, "parameters", results->param_names,
		results->param_count);
	write_list(run, "metrics", session_metric, results->metrics,
		results->metric_count, sizeof *results->metrics);
	write_list(run, "launches", session_launch, results->launches,
		results->launch_count, sizeof *results->launches);
	cJSON *points = json_add_array(run, "points");
	for (size_t i = 0; i < results->point_count; i++)
		session_write_point(results, &results->points[i], samples,
			points);
	/* Not written to a session file, because it follows from the trials. */
	if (!samples && results->plan.abba && results->point_count == 2)
		write_verdict(results, json_add_object(run, "comparison"));
}

void session_write_run(const struct results *results, struct text *text)
{
	cJSON *runs = cJSON_CreateArray();

	json_use_memory();
	write_run(results, false, runs);
	json_print(cJSON_GetArrayItem(runs, 0), text);
	cJSON_Delete(runs);
}

void session_write_machine(const struct machine *machine, struct text *text)
{
	cJSON *root = cJSON_CreateObject();

	json_use_memory();
	write_machine(machine, root);
	json_print(cJSON_GetObjectItemCaseSensitive(root, "machine"), text);
	cJSON_Delete(root);
}

static cJSON *write_session(const struct session *session)
{
	cJSON *root = cJSON_CreateObject();

	session_add_text(root, "format", "benchtop-session", "");
	cJSON *schema = json_add_array(root, "schema");
	json_add_whole(schema, NULL, SESSION_MAJOR);
	json_add_whole(schema, NULL, SESSION_MINOR);
	write_tool(session, root);
	write_machine(&session->machine, root);
	write_list(root, "environment", session_check, session->checks,
		session->check_count, sizeof *session->checks);
	write_list(root, "notes", session_note, session->notes,
		session->note_count, sizeof *session->notes);
	cJSON *runs = json_add_array(root, "runs");
	for (size_t i = 0; i < session->run_count; i++)
		write_run(session->runs[i], true, runs);
	return root;
}

void session_write(const struct session *session, struct text *text)
{
	json_use_memory();
	cJSON *root = write_session(session);
	json_print(root, text);
	cJSON_Delete(root);
}
