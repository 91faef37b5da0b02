#!/usr/bin/env python3
"""The published sessions against their input and against the reports.

    published.py SOURCE

Every session is what sessions/published.py writes. The
value of each figure is what was printed, by the unit it was printed in and the
report's own clock rate. Where the reports lie beside the source tree, it stands
there as it was printed, behind the heading or at the table that its source
names.
"""
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "GHz": 1e9, "MB/s": 1e6,
         "GB/s": 1e9, "Mbps": 125e3}
wrong = []


def complain(*words):
    wrong.append(" ".join(str(word) for word in words))


def flatten(text):
    """Words apart from signs: as a reader sees them."""
    text = re.sub(r"[*`#$\\{}|]", " ", text)
    return " ".join(text.split())


def figures(session):
    for run in session["runs"]:
        for point in run["points"]:
            for name, metric in point["metrics"].items():
                if "published" in metric:
                    yield run, point, name, metric["published"]


def converted(printed, hz, to):
    *cells, unit = printed.split()
    values = [float(cell.replace(",", "")) for cell in cells]
    scale = {"cycles": 1e9 / hz, "bytes/cycle": hz}.get(unit) or UNITS[unit]
    scale *= 8 if to == "bit/s" else 1
    return math.fsum(values) / len(values) * scale


TABLE_LENGTH = 3000  # characters at most between a table's ends and its name


def places_of(source, text):
    """Where the table that a source names may begin and end, or behind which
    heading a figure has to stand; none where there is no such name."""
    printed = re.search(r"\(printed ([0-9.]+)\) ", source)
    if printed:
        source = source.replace(printed.group(0), "")
    head = re.split(r"[,;:]", source)[0]
    table = re.match(r"Table [0-9]+", head)
    if table:
        return [(match.start() - TABLE_LENGTH, match.start() + TABLE_LENGTH)
                for match in re.finditer(table.group(0) + r"(?![0-9])", text)]
    place = text.find(re.sub(r"^[0-9. ]+", "", head))
    return [(place, len(text))] if place >= 0 else []


def check_figure(name, run, point, metric, figure, text):
    where = (name, run["experiment"], point["args"], metric)
    unit = point["metrics"][metric]["unit"]
    value = converted(figure["printed"], run["clock"]["hz"], unit)
    if not math.isclose(value, figure["value"], rel_tol=1e-12):
        complain(*where, figure["printed"], "is", value, "not",
                 figure["value"])
    if text is None:
        return
    places = places_of(figure["source"], text)
    if not places:
        complain(*where, "no", figure["source"])
        return
    for cell in figure["printed"].split()[:-1]:
        number = r"(?<![0-9.])" + re.escape(cell) + r"(?![0-9]|\.[0-9])"
        found = [match.start() for match in re.finditer(number, text)]
        if not any(low <= at <= high for low, high in places for at in found):
            complain(*where, "no", cell, "at", figure["source"])


def check_session(name, source, reports):
    with open(os.path.join(source, "sessions", name + ".json"),
              encoding="utf-8") as file:
        session = json.load(file)
    text = None
    paths = glob.glob(os.path.join(reports, name + "-*.txt"))
    if paths:
        with open(paths[0], encoding="utf-8") as file:
            text = flatten(file.read())
    count = 0
    for run, point, metric, figure in figures(session):
        check_figure(name, run, point, metric, figure, text)
        count += 1
    if count < 10:
        complain(name, "has", count, "figures, expected ten or more")
    print("%s: %d figures" % (name, count))
    return text is not None


def check_input(source):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B",
                        os.path.join(source, "sessions", "published.py"),
                        folder], check=True)
        for name in "abcde":
            paths = [os.path.join(place, name + ".json")
                     for place in (folder, os.path.join(source, "sessions"))]
            made, kept = (open(path, encoding="utf-8").read()
                          for path in paths)
            if made != kept:
                complain("sessions/%s.json is not what "
                         "sessions/published.py writes" % name)


def main(source):
    reports = os.path.join(source, "..", "shared", "reports")
    check_input(source)
    compared = [check_session(name, source, reports) for name in "abcde"]
    for sentence in wrong:
        print("wrong:", sentence, file=sys.stderr)
    if wrong:
        return 1
    if not all(compared):
        print("SKIP: no reports beside the source tree")
        return 77
    return 0


sys.exit(main(sys.argv[1]))
