"""The strings of a session that may be hostile: fields that the schemas in assets/
leave free, a session that has them all, and how to put a text there."""
import functools
import json
import os

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

ANY, NAME = "*", "name of a member"
RUN = ("runs", 0)
POINT = RUN + ("points", 0)
# Names that a run lists, and the objects of its points that have them.
LISTED = {
    RUN + ("parameters", 0): ("args",),
    RUN + ("metrics", 0, "name"): ("metrics", "traces"),
}


def read(name):
    with open(os.path.join(SOURCES, name), encoding="utf-8") as file:
        return json.load(file)


def fields_of(node, root, path=()):
    """Paths of the strings that a schema leaves free, and of free names."""
    if "$ref" in node:
        target = root
        for step in node["$ref"].split("/")[1:]:
            target = target[step]
        node = target
    if "string" in node.get("type", ()) and not {"enum", "pattern"} & set(node):
        yield path
    for kind in node.get("oneOf", []):
        yield from fields_of(kind, root, path)
    for name, kind in node.get("properties", {}).items():
        yield from fields_of(kind, root, path + (name,))
    if isinstance(node.get("additionalProperties"), dict):
        yield path + (ANY, NAME)
        yield from fields_of(node["additionalProperties"], root, path + (ANY,))
    if isinstance(node.get("items"), dict):
        yield from fields_of(node["items"], root, path + (0,))


def all_fields():
    session = read("assets/session.schema.json")
    packets = read("assets/connections.schema.json")
    found = list(fields_of(session, session)) + [
        RUN + ("annotation",) + path for path in fields_of(packets, packets)]
    listed = [POINT + (of, ANY, NAME)
              for names in LISTED.values() for of in names]
    listed.append(POINT + ("metrics", ANY, "derived", "weights", ANY, NAME))
    return [path for path in dict.fromkeys(found) if path not in listed] + \
        [(NAME,)]


def shorten(lists):
    lists.update((name, values[:20]) for name, values in lists.items())


@functools.cache
def base():
    """A session that has every field, as text."""
    session = read("assets/pictures/slowstart.json")
    run = session["runs"][0]
    packets = run["annotation"]
    packets["connections"] = packets["connections"][:2]
    for connection in packets["connections"]:
        connection["events"] = connection["events"][:5]
        connection["rounds"] = connection["rounds"][:5]
        connection["teardown"]["reset"] = {}
    for kernel in packets["kernel"]:
        shorten(kernel["samples"])
    shorten(run["points"][0]["traces"])
    session["runs"] += read("assets/pictures/syscall.json")["runs"]
    session["runs"] += read("sessions/a.json")["runs"][1:3]
    for each in session["runs"]:
        each["points"] = each["points"][:4]
    session["environment"] = [{"check": "", "verdict": "", "found": ""}]
    session["notes"] = [{"at": run["started"], "text": ""}]
    run["error"] = run["points"][0]["why"] = "why"
    return json.dumps(session)


def put(value, path, text, at=""):
    """Puts a text at a path, in every element of a list; the index of the
    element follows it. Returns the number of places."""
    if isinstance(value, list):
        if path[1:]:
            return sum(put(item, path[1:], text, str(i))
                       for i, item in enumerate(value))
        value[:] = [text + str(i) for i in range(len(value))]
        return len(value)
    if not isinstance(value, dict):
        return 0
    if path == (NAME,):
        value[text] = 0
        return 1
    if path == (ANY, NAME):
        members = list(value.values())
        value.clear()
        value.update((text + str(i), member)
                     for i, member in enumerate(members))
        return len(members)
    names = list(value) if path[0] == ANY else [path[0]]
    if path[1:]:
        return sum(put(value[name], path[1:], text, at)
                   for name in names if name in value)
    value.update((name, text + at) for name in names)
    return len(names)


def names_of(run, path):
    return [metric["name"] for metric in run["metrics"]] \
        if path[-1] == "name" else list(run["parameters"])


def put_names(session, path, text):
    """The same for names that a run lists."""
    before = [names_of(run, path) for run in session["runs"]]
    places = put(session, path, text)
    for old, run in zip(before, session["runs"]):
        new = dict(zip(old, names_of(run, path)))
        for point in run["points"]:
            for of in LISTED[path]:
                point[of] = {new[name]: value
                             for name, value in point.get(of, {}).items()}
    return places
