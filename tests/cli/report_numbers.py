#!/usr/bin/env python3
"""Recomputes every number that a report prints from its session file.

    report_numbers.py SESSION.json REPORT.html REPORT.md [PUBLISHED-FOLDER]

It uses no code of benchtop. Each element of the page with data-of names its
figure, see src/report/page/report.h; recompute.py computes it. A number agrees
if it is the figure, rounded to the printed digits. The word for the quality of
a row is that of its metric. The tables of the Markdown report must have the
same cells, and no cell of either may be empty. Exits with 1 if something
differs.
"""
import html.parser
import json
import math
import os
import re
import sys

from recompute import Trials, figures, half_of

SCALE = {"": 1, "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "cyc": 1, "ticks": 1,
         "%": .01, "ppm": 1, "p": 1, "B": 1}
for power, prefix in enumerate(["", "K", "M", "G", "T"]):
    SCALE[prefix + "B/s"] = SCALE[prefix + "bit/s"] = 1000 ** power
    SCALE[prefix + "Hz"] = 1000 ** power
    if prefix:
        SCALE[prefix + "iB"] = 1024 ** power
SCALE["kHz"], SCALE["kbit/s"], SCALE["kB/s"] = 1e3, 1e3, 1e3
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?")


class Page(html.parser.HTMLParser):
    """All tables: lists of rows of (text, data-of)."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.cell, self.text = [], None, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell = ["", dict(attributes).get("data-of")]
            self.tables[-1][-1].append(self.cell)

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        self.text += data
        if self.cell is not None:
            self.cell[0] += data


def markdown_tables(text):
    tables, within = [], False
    for line in text.split("\n"):
        if not line.startswith("|"):
            within = False
            continue
        if not within:
            tables.append([])
        within = True
        cells = re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]
        if not all(re.fullmatch(r"-+:?", cell) for cell in cells):
            tables[-1].append([re.sub(r"\\(.)", r"\1", re.sub(
                r"^\[(.*)\]\(#[a-z0-9-]+\)", r"\1", cell.strip()))
                               for cell in cells])
    return tables


# ---- what a figure is ----------------------------------------------------

class Sessions:
    def __init__(self, path, folder):
        self.folder, self.files, self.known = folder, {}, {}
        self.files[""] = self.read(path)

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def of(self, name):
        if name not in self.files:
            self.files[name] = self.read(
                os.path.join(self.folder, name + ".json"))
        return self.files[name]

    def figures(self, name, r, p, metric):
        key = name, r, p, metric
        if key not in self.known:
            run = self.of(name)["runs"][r]
            point = run["points"][p]
            published = point["metrics"][metric].get("published")
            self.known[key] = (
                {**published, "median": published["value"]} if published
                else figures(Trials(run, point, metric)))
        return self.known[key]

    def prediction(self, r, p):
        run = self.of("")["runs"][r]
        own = run["prediction"]
        if own and own["by"] == "user":
            return own
        return run["points"][p]["prediction"]

    def of_all(self, name, r, metric, figure):
        """The smallest and largest median of a run; or its widest half
        interval, divided by the median."""
        all_points = [self.figures(name, r, p, metric)
                      for p, point in enumerate(self.of(name)["runs"][r]
                                                ["points"])
                      if metric in point["metrics"]]
        there = [found for found in all_points
                 if found and found["median"] is not None]
        if figure == "trials":
            return sum(found["regimes"][found["regime"]]["trials"]
                       for found in all_points if found)
        if figure == "half":
            plan = self.of(name)["runs"][r]["plan"]
            return max(half_of(plan, found)
                       if found["ci"][1] > found["ci"][0] else 0
                       for found in there)
        medians = [found["median"] for found in there]
        return [min(medians), max(medians)]

    def value(self, name, r, p, metric, figure):
        """A number, or the two ends of a range."""
        if figure in ("hardware", "software", "total"):
            return self.prediction(r, p)[figure]
        found = self.figures(name, r, p, metric)
        if figure == "ratio":
            predicted = self.prediction(r, p)
            return to_predict(found, predicted) / middle(predicted["total"])
        if figure in ("low", "high"):
            return found["ci"][figure == "high"]
        if figure == "trials":  # of the headline, not all trials
            return found["regimes"][found["regime"]]["trials"]
        if figure == "cycles":
            return found["cycles"]["median"]
        return found[figure]


def to_predict(found, predicted):
    """The figure that a prediction is compared with: cycles or median."""
    if not predicted.get("in_cycles"):
        return found["median"]
    return found["cycles"]["median"] if found["cycles"] else None


def middle(ends):
    low, high = ends
    return math.sqrt(low * high) if low > 0 and high > 0 else (low + high) / 2


# ---- what was printed ----------------------------------------------------

def digit(number):
    """The value of the last digit of a printed number."""
    mantissa, _, exponent = number.partition("e")
    places = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - places)


def agrees(text, value):
    """Is the text the value, rounded to as many digits?"""
    if isinstance(value, list) and text == "none":
        return value == [0, 0]
    ends = value if isinstance(value, list) else [value]
    text = text.strip("()") if text.startswith("(") else text.split(" (")[0]
    numbers = NUMBER.findall(text)
    unit = NUMBER.sub("", text).replace("..", "").strip()
    if unit not in SCALE or len(numbers) not in (1, len(ends)):
        return False
    if len(numbers) == 1 and len(ends) == 2 and ends[0] != ends[1]:
        return False
    for number, end in zip(numbers, ends):
        # Trailing zeros may be missing: 2.6 for 2.600.
        coarse = digit(number)
        if isinstance(value, list) or unit == "" or unit == "%":
            size = abs(float(number))
            if size:
                coarse = min(coarse, 10.0 ** (
                    math.floor(math.log10(size)) - 2))
        if abs(float(number) - end / SCALE[unit]) > .5001 * coarse:
            return False
    return True


def check_cell(sessions, cell, where, wrong):
    text, of = cell
    if not of:
        return 0
    name, _, path = of.rpartition(":")
    run, point, rest = path.split("/", 2)
    metric, _, figure = rest.rpartition("/")
    if point == "*":
        value = sessions.of_all(name, int(run), metric, figure)
    else:
        value = sessions.value(name, int(run), int(point), metric, figure)
    if figure == "span" and " .. " in text:  # each end has its unit
        same = all(map(agrees, text.split(" .. "), value))
    elif figure == "half":
        number = text.removeprefix("+-").removesuffix(" %")
        same = abs(float(number) - 100 * value) <= .5001 * digit(number)
    else:
        same = value is not None and agrees(text, value)
    if not same:
        wrong.append(f"{where}: {text} is printed for {of}, which is {value}")
    return 1


def check_quality(sessions, table, where, wrong):
    """Checks the words of a table with such a column; returns how many."""
    heads = [cell[0].strip() for cell in table[0]]
    if "quality" not in heads:
        return 0
    column, count = heads.index("quality"), 0
    for row in table[1:]:
        of = next((cell[1] for cell in row
                   if cell[1] and cell[1].endswith("/shared")), None)
        if not of:
            continue
        run, point, rest = of.split("/", 2)
        found = sessions.figures("", int(run), int(point),
                                 rest.rpartition("/")[0])
        word, quality = row[column][0].strip(), found["quality"]
        count += 1
        plan = sessions.of("")["runs"][int(run)]["plan"]
        if quality in ("good", "rough") and found.get("ci") and \
                half_of(plan, found) < half_of({"precision": math.inf}, found):
            quality += " in cycles"
        if word != quality:
            wrong.append(f"{where}: {word} is printed for {of}, which is "
                         f"{quality}")
    return count


def score(session, sessions):
    """The geometric mean, over experiments, of the factor between prediction
    and measurement."""
    last = {run["experiment"]: r for r, run in enumerate(session["runs"])}
    factors = []
    for r in last.values():
        run = session["runs"][r]
        off = []
        for p, point in enumerate(run["points"]):
            predicted = sessions.prediction(r, p)
            metric = run["metrics"][0]["name"]
            found = metric in point["metrics"] and predicted and \
                sessions.figures("", r, p, metric)
            measured = found and to_predict(found, predicted)
            if measured and measured > 0 and middle(predicted["total"]) > 0:
                ratio = measured / middle(predicted["total"])
                off.append(max(ratio, 1 / ratio))
        if off:
            off.sort()
            half = (len(off) - 1) / 2
            factors.append((off[math.floor(half)] + off[math.ceil(half)]) / 2)
    if not factors:
        return None
    return math.exp(sum(map(math.log, factors)) / len(factors))


def check_score(page, session, sessions, wrong):
    said = re.findall(r"a factor of ([\d.e+]+) (?:in the |\()geometric mean",
                      page.text)
    is_so = score(session, sessions)
    if is_so is None:
        if said:
            wrong.append("a score of nothing")
        return 0
    for number in said:
        if f"{is_so:.2g}" != number:
            wrong.append(f"score: {number} is printed, recomputed {is_so}")
    if not said:
        wrong.append("no score is printed")
    return len(said)


def check_markdown(page, markdown, wrong):
    """The cells must be those of the page, which were checked."""
    tables = markdown_tables(markdown)
    if [len(table) for table in page.tables] != [len(t) for t in tables]:
        wrong.append("Markdown: not the tables of the page")
        return 0
    count = 0
    for t, (ours, theirs) in enumerate(zip(page.tables, tables)):
        for row, other in zip(ours, theirs):
            texts = [re.sub(r"\s+", " ", cell[0]).strip() for cell in row]
            if texts != [re.sub(r"\s+", " ", cell) for cell in other]:
                wrong.append(f"Markdown: table {t + 1}: {other}, "
                             f"the page has {texts}")
            count += sum(1 for cell in row if cell[1])
    return count


def main(session_path, page_path, markdown_path, folder="."):
    sessions, wrong = Sessions(session_path, folder), []
    count = words = 0
    with open(page_path, encoding="utf-8") as file:
        page = Page(file.read())
    for t, table in enumerate(page.tables):
        words += check_quality(sessions, table, f"table {t + 1}", wrong)
        for r, row in enumerate(table):
            for c, cell in enumerate(row):
                where = f"table {t + 1}, row {r}, column {c + 1}"
                count += check_cell(sessions, cell, where, wrong)
                # The head above the names of rows has no meaning.
                if not cell[0].strip() and r:
                    wrong.append(f"{where}: empty")
    count += check_score(page, sessions.of(""), sessions, wrong)
    with open(markdown_path, encoding="utf-8") as file:
        same = check_markdown(page, file.read(), wrong)
    for line in wrong:
        print(line)
    print(f"{count} numbers of the page, {same} in Markdown, "
          f"{len(wrong)} differ; {words} words of quality")
    return not wrong


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1])
    sys.exit(0 if main(*sys.argv[1:]) else 1)
