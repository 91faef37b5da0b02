#!/usr/bin/env python3
"""Compares the published sessions with the reports.

    published.py SOURCE

The value of each figure must follow from the printed one, its unit and the
report's clock rate. If the reports are beside the source tree, the printed
figure must occur in the report, after the heading or at the table that its
source names. So must the facts about the machine, at least ten.
"""
import glob
import json
import math
import os
import re
import sys

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "GHz": 1e9, "MB/s": 1e6,
         "GB/s": 1e9, "Mbps": 125e3}
wrong = []


def complain(*words):
    wrong.append(" ".join(str(word) for word in words))


def flatten(text):
    """Separates words from signs, as a reader sees them."""
    text = re.sub(r"\\text\b|[*`#$\\{}|]", " ", text)
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
    """Where the table of a source may begin and end, or after which heading a
    figure must be; nothing if the name does not occur."""
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


def machine_words(machine):
    """Facts of a session's machine that a report prints in the same words, or
    with another unit."""
    numbers = [("memory_speed_mts", 1), ("base_hz", 1e9), ("least_hz", 1e6),
               ("most_hz", 1e6), ("memory_width_bits", 1)]
    texts = [machine["cpu"], machine["system"], machine.get("device", ""),
             machine["kernel"], machine["command_line"],
             machine.get("memory_type", "")]
    words = [word for line in texts for word in re.split("[ ,]+", line)]
    words += ["%g" % (machine[member] / unit) for member, unit in numbers
              if member in machine]
    for disk in machine["disks"]:
        words += [disk["model"], "%g" % (disk["size_bytes"] / 1e9),
                  *disk.get("link", "").split()[:1]]
    for network in machine["networks"]:
        words += [network["name"], network.get("driver", ""),
                  *("0x" + part.lstrip("0") for part in
                    network.get("device", "").split(":") if part)]
        if "speed_bit_s" in network:
            mega = network["speed_bit_s"] / 1e6
            words.append(re.compile("%g" % mega if mega % 1000 else
                                    "%g(000)?" % (mega / 1000)))
    return [word for word in words if word]


def check_machine(name, session, text):
    """Facts must be in the report's description of the machine, and each quoted
    note after the heading that it names."""
    quoted = 0
    for note in session["notes"]:
        parts = re.match(r'Its ([^"]*), from "([^"]*)": (.*)$', note["text"])
        if not parts:
            continue
        quoted += 1
        begin = text.find(flatten(parts.group(2)))
        if begin < 0:
            complain(name, "no heading", parts.group(2))
        elif flatten(parts.group(3)) not in text[begin:begin + 5000]:
            complain(name, "no", parts.group(3), "at", parts.group(2))
    words = machine_words(session["machine"])
    for word in words:
        pattern = getattr(word, "pattern", None) or re.escape(flatten(word))
        if not re.search(r"(?<![0-9A-Za-z])" + pattern, text[:12000], re.I):
            complain(name, "no", word, "in the description of its machine")
    if quoted < 7 or len(words) < 10:
        complain(name, "has", quoted, "quotations and", len(words),
                 "facts of its machine, expected 7 and 10 or more")


def check_session(name, source, reports):
    with open(os.path.join(source, "sessions", name + ".json"),
              encoding="utf-8") as file:
        session = json.load(file)
    text = None
    paths = glob.glob(os.path.join(reports, name + "-*.txt"))
    if paths:
        with open(paths[0], encoding="utf-8") as file:
            text = flatten(file.read())
        check_machine(name, session, text)
    count = 0
    for run, point, metric, figure in figures(session):
        check_figure(name, run, point, metric, figure, text)
        count += 1
    if count < 10:
        complain(name, "has", count, "figures, expected ten or more")
    print("%s: %d figures" % (name, count))
    return text is not None


def main(source):
    reports = os.path.join(source, "..", "shared", "reports")
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
