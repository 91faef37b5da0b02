/* JSON files that are not sessions, truncated files, files with a changed byte:
 * refused in one sentence with the path, without a crash. */
#include "session.h"

#include <string.h>
#include <time.h>

#include "check.h"
#include "edited_session.h"

/* clang-format off */
static const struct edit edits[] = {
	/* the head */
	{ "\"format\":\"benchtop-session\",", "", "x.json: format: missing" },
	{ "\"benchtop-session\"", "\"benchtop\"", "not a session" },
	{ "\"benchtop-session\"", "7", "format: expected a string" },
	{ "\"benchtop-session\"", "null", "format: expected a string" },
	{ "\"schema\":[1,8],", "", "schema: missing" },
	{ "[1,8]", "1", "schema: expected an array" },
	{ "[1,8]", "[]", "schema: expected [major" },
	{ "[1,8]", "[1]", "schema: expected [major" },
	{ "[1,8]", "[1,0,0]", "schema: expected [major" },
	{ "[1,8]", "[1.5,0]", "schema: expected [major" },
	{ "[1,8]", "[1,-1]", "schema: expected [major" },
	{ "[1,8]", "[null,0]", "schema: expected [major" },
	{ "[1,8]", "[2,0]", "'x.json' is a session of schema 2.0" },
	{ "[1,8]", "[0,9]", "'x.json' is a session of schema 0.9" },
	{ "[1,8]", "[4294967297,0]", "'x.json' is a session of schema 42949" },
	{ "\"tool\":{", "\"tule\":{", "tool: missing, expected an object" },
	{ "\"tool\":{", "\"tool\":[],\"x\":{", "tool: expected an object" },
	{ "\"version\":", "\"x\":", "tool.version: missing" },
	{ "\"version\":", "\"version\":0.1,\"x\":", "tool.version: expected a string" },
	/* machine */
	{ "\"machine\":{", "\"Machine\":{", "machine: missing" },
	{ "\"hostname\":\"host\",", "", "machine.hostname: missing" },
	{ "\"host\"", "[]", "machine.hostname: expected a string" },
	{ "\"host\"", "\"hosthosthosthosthosthosthosthosthosthosthosthosthost"
		"hosthosthosthosthosthosthost\"", "machine.hostname: longer" },
	{ "\"family\":6", "\"family\":-6", "machine.family: expected a whole" },
	{ "\"family\":6", "\"family\":6.5", "machine.family: expected a whole" },
	{ "\"family\":6", "\"family\":1e300", "machine.family: expected a whole" },
	{ "\"family\":6", "\"family\":4294967296", "machine.family: larger" },
	{ "\"family\":6", "\"family\":\"x\"", "machine.family: expected a whole" },
	{ "\"family\":6", "\"family\":true", "machine.family: expected a number" },
	{ "\"page_bytes\":4096", "\"page_bytes\":\"4K\"", "machine.page_bytes" },
	{ "\"invariant_counter\":true", "\"invariant_counter\":1",
		"machine.invariant_counter: expected true or false" },
	{ "\"caches\":[", "\"caches\":[7,", "machine.caches[0]: expected an object" },
	{ "\"caches\":[", "\"cashes\":[", "machine.caches: missing" },
	{ "\"caches\":[", "\"caches\":{},\"x\":[", "machine.caches: expected an array" },
	{ "\"caches\":[", "\"caches\":[{},{},{},{},{},{},{},{},{},", "machine.caches[0].name: missing" },
	{ "\"name\":\"L1d\"", "\"name\":\"L1data99\"", "machine.caches[0].name: longer" },
	{ "\"count\":2", "\"count\":null", "machine.caches[0].count: expected a number" },
	{ "\"device\":\"", "\"device\":7,\"x\":\"", "machine.device: expected a string" },
	{ "\"device\":\"", "\"device\":\"\\u001b[2J", "machine.device: '\\x1b[2J" },
	{ "\"base_hz\":2700000000", "\"base_hz\":\"2.7 GHz\"", "machine.base_hz: expected a number" },
	{ "\"memory_channels\":2", "\"memory_channels\":2.5", "machine.memory_channels: expected a whole" },
	{ "\"memory_channels_told\":true", "\"memory_channels_told\":1", "machine.memory_channels_told: expected true" },
	{ "\"memory_type\":\"DDR4\"", "\"memory_type\":\"a kind that is not known\"", "machine.memory_type: longer" },
	{ "\"disks\":[", "\"disks\":null,\"x\":[", "machine.disks: expected an array" },
	{ "\"disks\":[", "\"disks\":[{},", "machine.disks[0].name: missing" },
	{ "\"rotational\":false", "\"rotational\":\"no\"", "machine.disks[0].rotational: expected true" },
	{ "\"scheduler\":\"none\"", "\"scheduler\":[]", "machine.disks[0].scheduler: expected a string" },
	{ "\"networks\":[", "\"networks\":[\"eth0\",", "machine.networks[0]: expected an object" },
	{ "\"mtu\":1500", "\"mtu\":-1", "machine.networks[0].mtu: expected a whole" },
	{ "\"name\":\"eth0\"", "\"name\":\"a name longer than it\"", "machine.networks[0].name: longer" },
	/* environment, notes, runs */
	{ "\"environment\":[", "\"environment\":[null,", "environment[0]: expected an object" },
	{ "\"verdict\":\"bad\"", "\"verdict\":3", "environment[0].verdict: expected a string" },
	{ "\"found\":\"\"", "\"fund\":\"\"", "environment[1].found: missing" },
	{ "\"notes\":[", "\"notes\":null,\"x\":[", "notes: expected an array" },
	{ "\"at\":\"2025", "\"ad\":\"2025", "notes[0].at: missing" },
	{ "\"text\":\"\"", "\"text\":{}", "notes[1].text: expected a string" },
	{ "\"runs\":[", "\"runs\":\"none\",\"x\":[", "runs: expected an array" },
	{ "\"runs\":[", "\"rums\":[", "runs: missing" },
	{ "\"runs\":[", "\"runs\":[[],", "runs[0]: expected an object" },
	/* a run's head */
	{ "\"experiment\":\"cpu", "\"exp\":\"cpu", "runs[0].experiment: missing" },
	{ "\"title\":\"S", "\"tidle\":\"S", "runs[0].title: missing" },
	{ "\"command\":\"run", "\"command\":7,\"x\":\"run", "runs[0].command: expected a string" },
	{ "\"started\":\"2025-03-01", "\"started\":\"about half past two, on a sunday", "runs[0].started: longer" },
	{ "\"took_s\":4.25", "\"took_s\":\"4.25\"", "runs[0].took_s: expected a number" },
	{ "\"state\":\"done\"", "\"state\":\"Done\"", "runs[0].state: 'Done', expected one of going" },
	{ "\"state\":\"done\"", "\"state\":\"\\u001b[2J\"", "runs[0].state: '\\x1b[2J', expected one of" },
	{ "\"state\":\"done\"", "\"state\":1", "runs[0].state: expected a string" },
	{ "\"stopped\":\"precision\"", "\"stopped\":\"because nobody wanted any more\"", "runs[0].stopped: longer" },
	{ "\"error\":null", "\"error\":0", "runs[0].error: expected a string" },
	{ "\"seed\":\"18446744073709551615\",\n   \"rec", "\"seed\":123,\n   \"rec", "runs[0].seed: expected a string" },
	{ "\"18446744073709551615\"", "\"18446744073709551616\"", "runs[0].seed: expected a whole" },
	{ "\"18446744073709551615\"", "\"-1\"", "runs[0].seed: expected a whole" },
	{ "\"18446744073709551615\"", "\"0123\"", "runs[0].seed: expected a whole" },
	{ "\"18446744073709551615\"", "\"1e5\"", "runs[0].seed: expected a whole" },
	{ "\"18446744073709551615\"", "\"\"", "runs[0].seed: expected a whole" },
	{ "\"recovered\":false", "\"recovered\":\"no\"", "runs[0].recovered: expected true or false" },
	/* clock, place, plan, prediction */
	{ "\"clock\":{", "\"clocks\":{", "runs[0].clock: missing" },
	{ "\"counter\"", "\"tsc\"", "runs[0].clock.source: 'tsc', expected one of counter, monotonic-raw" },
	{ "\"hz\":2700000000", "\"hz\":{}", "runs[0].clock.hz: expected a number" },
	{ "\"hz\":2700000000,", "", "runs[0].clock.hz: missing" },
	{ "\"place\":{", "\"place\":null,\"x\":{", "runs[0].place: expected an object" },
	{ "\"cpu\":1,", "\"cpu\":-1,", "runs[0].place.cpu: expected a whole" },
	{ "\"cpu\":1,", "\"cpu\":2147483648,", "runs[0].place.cpu: larger" },
	{ "\"second\":0,", "", "runs[0].place.second: missing" },
	{ "\"launches\":null", "\"launches\":\"auto\"", "runs[0].plan.launches: expected a whole" },
	{ "\"launches\":null", "\"launches\":\"9223372036854775808\"", "runs[0].plan.launches: larger" },
	{ "\"budget_s\":1", "\"budget_s\":1e9,\"x\":1", "runs[0].plan.budget_s: longer" },
	{ "\"priority\":\"normal\"", "\"priority\":\"high\"", "runs[0].plan.priority: 'high', expected one of normal, fifo" },
	{ "\"traits\":[", "\"traits\":[\"hot\",", "runs[0].plan.traits[0]: 'hot', expected" },
	{ "\"traits\":[", "\"traits\":[1,", "runs[0].plan.traits[0]: expected a string" },
	{ "\"prediction\":{", "\"prediction\":[],\"x\":{", "runs[0].prediction: expected an object" },
	{ "\"by\":\"user\"", "\"by\":\"somebody\"", "runs[0].prediction.by: 'somebody', expected one of model, user" },
	{ "[20,40.25]", "[20]", "runs[0].prediction.hardware: expected [low, high]" },
	{ "[20,40.25]", "[20,40,60]", "runs[0].prediction.hardware: expected [low, high]" },
	{ "[20,40.25]", "[20,\"40\"]", "runs[0].prediction.hardware[1]: expected a number or null" },
	{ "[20,40.25]", "20", "runs[0].prediction.hardware: expected an array" },
	/* lists of a run */
	{ "\"warnings\":[", "\"warnings\":[1,", "runs[0].warnings[0]: expected a string" },
	{ "\"warnings\":[", "\"warning\":[", "runs[0].warnings: missing" },
	{ "\"findings\":[", "\"findings\":[\"x\",", "runs[0].findings[0]: expected an object" },
	{ "\"value\":0.37", "\"value\":\"0.37\"", "runs[0].findings[1].value: expected a number" },
	{ "\"value\":0.37,", "", "runs[0].findings[1].value: missing" },
	{ "\"interval\":[0.3,0.5]", "\"interval\":[0.3]", "runs[0].findings[1].interval: expected [low" },
	{ "\"unit\":\"cycles\"", "\"unit\":\"furlongs\"", "runs[0].findings[1].unit: 'furlongs', expected one of" },
	{ "\"point\":2", "\"point\":3", "runs[0].findings: expected findings about" },
	{ "\"point\":2", "\"point\":-1", "runs[0].findings[2].point: expected" },
	{ "\"parameters\":[", "\"parameters\":[null,", "runs[0].parameters[0]: expected a string" },
	{ "[\"call\",\"via\"]", "[\"call\",\"call\"]", "runs[0].parameters[1]: a second parameter of this name" },
	{ "\"metrics\":[", "\"metrics\":[0,", "runs[0].metrics[0]: expected an object" },
	{ "\"name\":\"pass\"", "\"name\":\"time\"", "runs[0].metrics[1]: a second metric of this name" },
	{ "\"unit\":\"ns\"", "\"unit\":\"NS\"", "runs[0].metrics[0].unit: 'NS', expected one of" },
	{ "\"better\":\"less\"", "\"better\":\"fewer\"", "runs[0].metrics[0].better: 'fewer'" },
	{ "\"kind\":\"timed\"", "\"kind\":\"ticks\"", "runs[0].metrics[0].kind: 'ticks'" },
	{ "\"kind\":\"timed\"", "\"kind\":\"value\"", "metrics.time.values: missing" },
	{ "\"kind\":\"timed\"", "\"kind\":\"derived\"", "metrics.time.derived: missing" },
	{ "\"kind\":\"timed\"", "\"kind\":\"trace\"", "metrics.gain.derived.weights: expected names of timed" },
	{ "\"kind\":\"value\"", "\"kind\":\"timed\"", "metrics.depth.ticks: missing" },
	{ "\"kind\":\"trace\"", "\"kind\":\"timed\"", "metrics.odd-name: missing" },
	{ "\"rate\":true", "\"rate\":false", "metrics.rate.derived: \"rate\" differs" },
	{ "\"launches\":[\n", "\"launches\":[4,\n", "runs[0].launches[0]: expected an object" },
	{ "\"number\":1,", "\"number\":1.5,", "runs[0].launches[0].number: expected a whole" },
	{ "\"overhead\":38.625", "\"overhead\":[]", "runs[0].launches[1].overhead: expected a number" },
	{ "\"complete\":true", "\"complete\":null", "runs[0].launches[0].complete: expected true" },
	/* a point */
	{ "\"points\":[", "\"points\":[9,", "runs[0].points[0]: expected an object" },
	{ "\"call\":\"getppid\",", "", "runs[0].points[0].args.call: missing" },
	{ "\"getppid\",\"via\"", "39,\"via\"", "runs[0].points[0].args.call: expected a string" },
	{ "\"args\":{", "\"args\":[],\"x\":{", "runs[0].points[0].args: expected an object" },
	{ "\"state\":\"ok\"", "\"state\":\"good\"", "runs[0].points[0].state: 'good'" },
	{ "\"state\":\"ok\"", "\"state\":\"invalid\"", "runs[0].points[0].why: expected a reason" },
	{ "\"trial_ns\":5210.5", "\"trial_ns\":\"5 us\"", "runs[0].points[0].trial_ns: expected a number" },
	{ "\"vdso\":\"no\"", "\"vdso\":false", "runs[0].points[0].notes.vdso: expected a string" },
	{ "\"notes\":{", "\"note\":{", "runs[0].points[0].notes: missing" },
	{ "\"prediction\":{\"by\"", "\"prediction\":{\"bye\"", "runs[0].points[0].prediction.by: missing" },
	{ "]]},\n     \"check\":\"", "]]},\n     \"visits\":\"", "a second member of this name" },
	/* visits */
	{ "\"visits\":[{", "\"visits\":[[],{", "points[0].visits[0]: expected an object" },
	{ "\"launch\":0", "\"launch\":7", "visits[0]: launch 7, but there are 7" },
	{ "\"launch\":0", "\"launch\":4294967295", "visits[0]: launch 4294967295, but" },
	{ "\"launch\":0", "\"launch\":6", "visits[1]: launch 0 after launch 6" },
	{ "\"launch\":0", "\"launch\":\"first\"", "visits[0].launch: expected a whole" },
	{ "\"clone\":1", "\"clone\":16", "visits[1]: clone 16, but" },
	{ "\"trials\":24", "\"trials\":25", "visit 0 states 25 trials, but has 24" },
	{ "\"trials\":24", "\"trials\":23", "visit 0 states 23 trials, but has 24" },
	{ "\"trials\":24", "\"trials\":4294967295", "visits[0]: more than 4194304 trials" },
	{ "\"warmup\":2", "\"warmup\":25", "visits[0]: a warm-up of 25 among 24" },
	{ "\"unsteady\":false", "\"unsteady\":0", "visits[0].unsteady: expected true" },
	{ "\"canary_every\":2", "\"canary_every\":4294967295", "visits[0]: a canary every 4294967295" },
	{ "\"canary\":[436", "\"canary\":[-436", "visits[0].canary[0]: expected ticks" },
	{ "\"canary\":[436", "\"canary\":[436.5", "visits[0].canary[0]: expected ticks" },
	{ "\"canary\":[436", "\"canary\":[4294967296", "visits[0].canary[0]: expected ticks" },
	{ "\"canary\":[436", "\"canary\":[436,null", "visits[0].canary[1]: expected ticks" },
	{ "\"canary\":[436", "\"canary\":1,\"x\":[436", "visits[0].canary: expected an array" },
	{ "\"canary_throughput\":[450,", "\"canary_throughput\":[", "visits[0].canary_throughput: expected one for each canary" },
	{ "\"canary_throughput\":[450", "\"canary_throughput\":[450,450", "visits[0].canary_throughput: expected one for each canary" },
	{ "\"canary_throughput\":[450", "\"canary_throughput\":[450,-1", "visits[0].canary_throughput[1]: expected ticks" },
	{ "\"canary_throughput\":[450", "\"canary_throughput\":[4294967296", "visits[0].canary_throughput[0]: expected ticks" },
	{ "\"canary\":[436", "\"memory_ruler\":[2,9,1,9],\"canary\":[436", "visits[0].memory_ruler: expected trials in order" },
	{ "\"canary\":[436", "\"memory_ruler\":[99999,9],\"canary\":[436", "visits[0].memory_ruler: expected trials in order" },
	{ "\"canary_throughput\":[450", "\"x\":[450", "visits[0].canary_throughput: missing" },
	{ "\"canary_throughput\":[450", "\"canary_throughput\":2,\"x\":[450", "visits[0].canary_throughput: expected an array" },
	{ "\"canary\":\"adds\"", "\"canary\":\"songs\"", "sharing.canary: 'songs', expected one of loop, adds" },
	{ "\"canary\":\"adds\"", "\"canary\":0", "runs[0].sharing.canary: expected" },
	{ "\"cut\":", "\"cut\":\"high\",\"x\":", "runs[0].sharing.cut: expected" },
	{ "\"known_alone\":", "\"known\":", "runs[0].sharing.known_alone: missing" },
	{ "\"sharing\":{", "\"sharing\":3,\"x\":{", "runs[0].sharing: expected an object" },
	/* samples */
	{ "\"time\":{\"unit\"", "\"tame\":{\"unit\"", "points[0].metrics.time: missing" },
	{ "\"time\":{\"unit\"", "\"time\":[],\"x\":{\"unit\"", "metrics.time: expected an object" },
	{ "\"ops\":50", "\"ops\":0", "metrics.time: \"ops\" is 0, expected more with trials" },
	{ "\"ops\":50", "\"ops\":-50", "metrics.time.ops: expected a whole" },
	{ "\"ops\":50,", "", "metrics.time.ops: missing" },
	{ "\"ticks\":[[", "\"ticks\":7,\"x\":[[", "metrics.time.ticks: expected an array" },
	{ "\"ticks\":[[", "\"ticks\":[7,[", "metrics.time.ticks[0]: expected an array" },
	{ "\"ticks\":[[", "\"ticks\":[[],[", "metrics.time.ticks: has more arrays than visits" },
	{ "\"ticks\":[[294", "\"ticks\":[[[294]", "metrics.time.ticks[0][0]: expected ticks" },
	{ "\"ticks\":[[294", "\"ticks\":[[null", "metrics.time.ticks[0][0]: expected ticks" },
	{ "\"ticks\":[[294", "\"ticks\":[[-294", "metrics.time.ticks[0][0]: expected ticks" },
	{ "\"ticks\":[[294", "\"ticks\":[[294.5", "metrics.time.ticks[0][0]: expected ticks" },
	{ "\"ticks\":[[294", "\"ticks\":[[1e17", "metrics.time.ticks[0][0]: expected ticks" },
	{ "\"ticks\":[[294", "\"ticks\":[[294,\"x\"", "metrics.time.ticks[0][1]: expected ticks" },
	{ "\"values\":[[", "\"values\":[[\"NaN\",", "metrics.depth.values[0][0]: expected a number or null" },
	{ "\"values\":[[", "\"values\":[[true,", "metrics.depth.values[0][0]: expected a number or null" },
	{ "\"flags\":[[", "\"flags\":[[3.5,1,", "metrics.time.flags[0][0]: expected an index" },
	{ "\"flags\":[[", "\"flags\":[[\"a\",1,", "metrics.time.flags[0][0]: expected an index" },
	{ "\"flags\":[[0,128", "\"flags\":[[0,0", "metrics.time.flags[0][1]: expected flags, 1 .. 1023" },
	{ "\"flags\":[[0,128", "\"flags\":[[0,1024", "metrics.time.flags[0][1]: expected flags, 1 .. 1023" },
	{ "\"flags\":[[0,128", "\"flags\":[[24,128", "metrics.time.flags[0][0]: expected the index of a later" },
	{ "\"flags\":[[0,128", "\"flags\":[[0,128,0,128", "metrics.time.flags[0][2]: expected the index of a later" },
	{ "\"flags\":[[0,128", "\"flags\":[[\"18446744073709551615\",128", "metrics.time.flags[0][0]: expected the index" },
	{ ",23,32]", ",23]", "metrics.time.flags[0][26]: expected an index" },
	{ "\"flags\":[[", "\"flags\":[],\"x\":[[", "metrics.time.flags: has 0 arrays, expected one per visit" },
	{ "\"flags\":[[", "\"flag\":[[", "metrics.time.flags: missing" },
	{ "\"derived\":{", "\"derived\":7,\"x\":{", "metrics.gain.derived: expected an object or null" },
	{ "\"weights\":{\"time\":1", "\"weights\":{\"thyme\":1", "metrics.gain.derived.weights: expected names of timed" },
	{ "\"weights\":{\"time\":1", "\"weights\":{\"depth\":1", "metrics.gain.derived.weights: expected names of timed" },
	{ "\"weights\":{\"time\":1", "\"weights\":{\"time\":null", "metrics.gain.derived.weights.time: expected a number" },
	/* traces */
	{ "[[0,-0,0]", "[[0,0]", "traces.odd-name[0]: expected [x, y, visit]" },
	{ "[[0,-0,0]", "[[0,0,0,0]", "[0]: expected [x, y, visit]" },
	{ "[[0,-0,0]", "[[0,0,14]", "[0]: expected [x, y, visit]" },
	{ "[[0,-0,0]", "[[0,0,0.5]", "[0]: expected [x, y, visit]" },
	{ "[[0,-0,0]", "[[\"0\",0,0]", "[0]: expected [x, y, visit]" },
	{ "[[0,-0,0]", "[[0,{},0]", "[0]: expected [x, y, visit]" },
	{ "[[0,-0,0]", "[0", "[0]: expected [x, y, visit]" },
	{ "\"traces\":{", "\"trace\":{", "points[0].traces: missing" },
};
/* clang-format on */

static void no_session_is_refused(void **state)
{

	edits_are_refused(edits, sizeof edits / sizeof edits[0]);
}

static void other_json_is_refused(void **state)
{
	static const char *const texts[] = { "[]", "1", "null", "\"x\"", "{}",
		"[{\"format\":\"benchtop-session\"}]", "{\"format\":null}",
		"{\"Format\":\"benchtop-session\"}" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct text text = { 0 };

		text_add(&text, "%s", texts[i]);
		refused_with(&text, &(struct edit){ texts[i], "", "" });
		text_free(&text);
	}
}

/* ---- counts ----------------------------------------------------------- */

/* Does a session of one run with these counts load? */
static bool counts_are_taken(unsigned metrics, unsigned parameters,
	unsigned launches, unsigned points)
{
	struct session *session = session_new();
	struct results *results = results_new("x");
	struct error error = { .message = "" };
	char name[20];

	sample_possible(results);

	for (unsigned i = 0; i < parameters; i++) {
		snprintf(name, sizeof name, "p%u", i);
		ARRAY_GROW(results->param_names, results->param_count);
		results->param_names[results->param_count++] = xstrdup(name);
	}
	for (unsigned i = 0; i < metrics; i++) {
		snprintf(name, sizeof name, "m%u", i);
		results_add_metric(results, name, "", UNIT_NS, LESS_IS_BETTER,
			METRIC_TIMED, false);
	}
	for (unsigned i = 0; i < launches; i++)
		results_add_launch(results);
	for (unsigned i = 0; i < points; i++)
		results_add_point(results);
	session_add_run(session, results);
	struct text text = written(session);
	session_free(session);
	session = session_read(text.chars, text.length, "x.json", &error);
	text_free(&text);
	if (!session)
		assert_non_null(strstr(error.message, "x.json: runs[0]"));
	session_free(session);
	return session;
}

static void counts_are_limited(void **state)
{
	assert_true(counts_are_taken(19, 64, 4096, 0));
	assert_true(counts_are_taken(1, 1, 1, 4096));
	assert_false(counts_are_taken(20, 0, 0, 0));
	assert_false(counts_are_taken(0, 65, 0, 0));
	assert_false(counts_are_taken(0, 0, 4097, 0));
	assert_false(counts_are_taken(1, 1, 1, 4097));
}

/* 4 Mi samples load; one more is refused. */
static void samples_are_limited(void **state)
{
	enum { MOST = 4 << 20 };

	for (unsigned extra = 0; extra < 2; extra++) {
		struct session *session = session_new();
		struct results *results = results_new("x");
		struct error error = { .message = "" };

		sample_possible(results);
		results_add_metric(results, "m", "", UNIT_NS, LESS_IS_BETTER,
			METRIC_TIMED, false);
		results_add_launch(results);
		struct point *point = results_add_point(results);
		point_add_visit(results, point)->trials = MOST;
		struct series *series = &point->series[0];
		series->ops = 1;
		while (series->slices[0].count < MOST + extra) {
			column_add(&series->raw);
			column_add(&series->flags);
			series->slices[0].count++;
		}
		session_add_run(session, results);
		struct text text = written(session);
		session_free(session);
		session =
			session_read(text.chars, text.length, "x.json", &error);
		text_free(&text);
		assert_int_equal(!session, extra);
		if (!session)
			assert_non_null(strstr(error.message,
				"ticks[0]: more than 4194304 samples"));
		session_free(session);
	}
}

/* ---- damage ----------------------------------------------------------- */

static void cut_off_is_refused(void **state)
{
	struct text text = sample_text();
	size_t whole = text.length;

	/* Without its last line feed the file is still complete. */
	for (text.length = 0; text.length < whole - 1; text.length += 3)
		refused_with(&text, &(struct edit){ "cut", "off", "x.json" });
	text_free(&text);
}

static uint64_t random_state = 12345;

/* A byte is changed, removed or doubled, or a piece is copied elsewhere. */
static void damage(struct text *text)
{
	size_t at = sample_random(&random_state) % text->length;
	size_t from = sample_random(&random_state) % text->length;
	size_t left = text->length - (at > from ? at : from);
	static const char likely[] = "{}[]\",:0123456789-.eE\\u \n\x80\xff";

	switch (sample_random(&random_state) % 4) {
	case 0:
		text->chars[at] = (char)sample_random(&random_state);
		break;
	case 1:
		text->chars[at] = likely[sample_random(&random_state) %
			(sizeof likely - 1)];
		break;
	case 2:
		memmove(text->chars + at, text->chars + at + 1,
			text->length - at);
		text->length--;
		break;
	default:
		memmove(text->chars + at, text->chars + from,
			left > 8 ? 8 : left);
	}
}

/* A session that loads is complete: it can be saved and loaded again. */
static bool survives(const struct text *text)
{
	struct error error = { .message = "" };
	struct text again = { 0 };
	struct session *session =
		session_read(text->chars, text->length, "x.json", &error);

	if (!session) {
		assert_non_null(strstr(error.message, "x.json"));
		return false;
	}
	session_write(session, &again);
	session_free(session);
	session = session_read(again.chars, again.length, "x.json", &error);
	assert_string_equal(error.message, "");
	session_free(session);
	text_free(&again);
	return true;
}

static void damage_never_crashes(void **state)
{
	enum { DAMAGED = 2000 };
	struct text sample = sample_text();
	unsigned taken = 0;

	for (unsigned i = 0; i < DAMAGED; i++) {
		struct text text = { 0 };

		text_add_chars(&text, sample.chars, sample.length);
		for (unsigned changes = i % 3 + 1; changes; changes--)
			damage(&text);
		taken += survives(&text);
		text_free(&text);
	}
	print_message("%u of %d were still sessions\n", taken, DAMAGED);
	assert_true(taken > DAMAGED / 50 && taken < DAMAGED);
	text_free(&sample);
}

/* ---- size ------------------------------------------------------------- */

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A piece repeated in an unknown member. */
static void refused_large(const char *open, const char *piece,
	const char *close, const char *says)
{
	enum { BYTES = 60 << 20 };
	struct text text = { 0 };
	struct error error;

	text_add(&text, "{\"format\":\"benchtop-session\",\"schema\":[1,8],%s",
		open);
	while (text.length < BYTES)
		text_add_chars(&text, piece, strlen(piece));
	text_add_chars(&text, close, strlen(close));
	double start = seconds_now();
	assert_null(session_read(text.chars, text.length, "x.json", &error));
	double took = seconds_now() - start;
	print_message("%.3f s: %s\n", took, error.message);
	assert_non_null(strstr(error.message, says));
	/* A second on a quiet machine. Quadratic time would take hours and
	 * exceed the timeout. */
	text_free(&text);
}

static void large_is_refused(void **state)
{
	static const char many[] = "more than 25165824 values",
			  next[] = "x.json: tool: missing";

	refused_large("\"x\":[0", ",0", "]}", many);
	refused_large("\"x\":[0", ",[]", "]}", next);
	refused_large("\"x\":[{}", ",{\"a\":{}}", "]}", next);
	refused_large("\"x\":[0", ",18446744073709550000", "]}",
		"beyond the exact range of a double");
	refused_large("\"x\":[0", ",1.234567890e-300", "]}", next);
	refused_large("\"x\":[0", ",\"\\u0061\"", "]}", next);
	refused_large("\"x\":\"", "abcdefgh", "\"}",
		"a string longer than 64 KiB");
	refused_large("\"x\":0", "                ", "}", next);
	refused_large("\"x\":", "[", "", "nested deeper than 32 levels");
	refused_large("\"x\":", "{\"\":", "", "nested deeper than 32 levels");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_session_is_refused),
		cmocka_unit_test(other_json_is_refused),
		cmocka_unit_test(counts_are_limited),
		cmocka_unit_test(samples_are_limited),
		cmocka_unit_test(cut_off_is_refused),
		cmocka_unit_test(damage_never_crashes),
		cmocka_unit_test(large_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
