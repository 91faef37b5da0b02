/* Checks of JSON and session files by an independent program. */
#include "schema.h"

static bool python_can(const char *program)
{
	struct ran ran = RUN("/usr/bin/env", "python3", "-c", program);
	bool can = !ran.status;

	ran_free(&ran);
	return can;
}

bool has_python(void)
{
	bool has = python_can("pass");

	if (!has)
		print_message("SKIP: no python3 here\n");
	return has;
}

bool has_jsonschema(void)
{
	bool has = python_can("import jsonschema");

	if (!has)
		print_message("SKIP: no python3 with jsonschema here\n");
	return has;
}

size_t count_json(const struct text *text, const char *what)
{
	unsigned count = 0;

	write_file(in_folder("reply.json"), text_chars(text));
	struct ran ran = RUN("/usr/bin/env", "python3", "-c",
		"import json, sys\n"
		"def pairs(found):\n"
		"    names = [name for name, _ in found]\n"
		"    assert len(set(names)) == len(names), 'a name twice'\n"
		"    return dict(found)\n"
		"def constant(name):\n"
		"    raise ValueError(name)\n"
		"decoder = json.JSONDecoder(object_pairs_hook=pairs,\n"
		"    parse_constant=constant)\n"
		"rest = open(sys.argv[1]).read().strip()\n"
		"count = 0\n"
		"while rest:\n"
		"    _, end = decoder.raw_decode(rest)\n"
		"    rest = rest[end:].lstrip()\n"
		"    count += 1\n"
		"print(count)\n",
		in_folder("reply.json"));
	if (ran.status || sscanf(text_chars(&ran.out), "%u", &count) != 1)
		fail_msg("%s: %s\n%s", what, text_chars(&ran.err),
			text_chars(text));
	ran_free(&ran);
	return count;
}

void assert_json(const struct text *text, const char *what)
{
	if (count_json(text, what) != 1)
		fail_msg("%s: not one document", what);
}

int assert_valid(const char *path)
{
	int count = 0;
	struct ran ran = RUN("/usr/bin/env", "python3", "-W", "ignore", "-c",
		"import glob, json, jsonschema, sys\n"
		"schema = json.load(open(sys.argv[1]))\n"
		"kind = jsonschema.validators.validator_for(schema)\n"
		"kind.check_schema(schema)\n"
		"def short(node):  # all trials are alike\n"
		"    if isinstance(node, dict):\n"
		"        return {name: short(kid) for name, kid in node.items()}\n"
		"    if isinstance(node, list):\n"
		"        return [short(kid) for kid in node[:100]]\n"
		"    return node\n"
		"files = glob.glob(sys.argv[2] + '/*.json')\n"
		"for name in files:\n"
		"    for wrong in kind(schema).iter_errors(\n"
		"            short(json.load(open(name)))):\n"
		"        sys.exit(name + ': ' + str(wrong)[:2000])\n"
		"print(len(files))\n",
		SOURCE_FOLDER "/assets/session.schema.json", path);

	if (ran.status || sscanf(text_chars(&ran.out), "%d", &count) != 1)
		fail_msg("%s", text_chars(&ran.err));
	ran_free(&ran);
	return count;
}
