"""measured.py LIST SESSION: exits with 1, and prints what is missing, unless
`quick` measured every point of every experiment of cpu and mem. LIST is what
`list` prints."""
import json
import sys

# A small machine may have one processor.
ONE_PROCESSOR = (
    "mem.loaded",
    "this run has one processor: expected another one for a load thread")

with open(sys.argv[1]) as listed:
    names = {line.split()[0] for line in listed}
wanted = {name for name in names if name.startswith(("cpu.", "mem."))}
with open(sys.argv[2]) as session:
    runs = json.load(session)["runs"]
measured, excused, lacks = set(), set(), []
for run in runs:
    name = run["experiment"]
    for point in run["points"]:
        if point["state"] == "ok":
            measured.add(name)
        elif (name, point["why"]) == ONE_PROCESSOR:
            excused.add(name)
        # posix-spawn executes /bin/true, which is not there.
        elif name in wanted and point["args"].get("how") != "posix-spawn":
            lacks.append((name, point["args"], point["why"]))
print(len(wanted & measured), "of", len(wanted), "experiments of cpu and mem")
for name in sorted(excused):
    print(f"not measured here: {name}: {ONE_PROCESSOR[1]}")
lacks += sorted(wanted - measured - excused)
sys.exit("\n".join(map(str, lacks)) if lacks or not wanted else 0)
