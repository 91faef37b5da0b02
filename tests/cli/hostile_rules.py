"""What is harmful in an output, by its kind: each function returns it, or a false
value."""
import csv
import html.parser
import io
import json
import re
import xml.etree.ElementTree

# What a terminal or a browser would obey. A tab is obeyed too, but only moves
# to the right.
UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e"
                    "\u2066-\u2069\ufeff]")
MARKUP = {"script", "img"}


def plain(text):
    """Text on a terminal."""
    return UNSAFE.search(text)


def table(text):
    """CSV: no cell begins a formula, every row has the columns of the head."""
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        if len(row) != len(rows[0]):
            return row
        for cell in row:
            if re.match(r"[=@\t\r]|[+-](?![0-9.])", cell):
                return cell
    return UNSAFE.search(text.replace("\r\n", "\n"))


def lines_of_json(text):
    for line in text.splitlines():
        json.loads(line)
    return UNSAFE.search(text)


SAMPLE = re.compile(r'[a-zA-Z_:][a-zA-Z0-9_:]*(\{(?P<labels>.*)\})? \S+\Z')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|\Z)')


def metrics(text):
    """OpenMetrics: every line is a sample or a comment; no label twice."""
    lines = text.split("\n")
    seen = set()
    if lines[-2:] != ["# EOF", ""]:
        return lines[-2:]
    for line in lines[:-2]:
        if re.match("# (TYPE|UNIT|HELP) benchtop_", line):
            continue
        found = SAMPLE.match(line)
        if not found or not line.startswith("benchtop_") or line in seen:
            return line
        seen.add(line)
        labels, at, names = found["labels"] or "", 0, set()
        while at < len(labels):
            label = LABEL.match(labels, at)
            if not label or label[1] in names or label[1].startswith("__"):
                return line
            names.add(label[1])
            at = label.end()
    return UNSAFE.search(text)


class Page(html.parser.HTMLParser):
    found = None

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name.startswith("on") or name in ("href", "src") and \
                    not (value or "#").startswith(("#", "data:image/")):
                self.found = self.get_starttag_text()
        if tag in MARKUP:
            self.found = self.get_starttag_text()


def page(text):
    reader = Page()
    reader.feed(text)
    reader.close()
    return reader.found or UNSAFE.search(text)


def picture(text):
    for element in xml.etree.ElementTree.fromstring(text).iter():
        if element.tag.split("}")[-1] in MARKUP:
            return element.tag
        for name in element.attrib:
            if name.startswith("on"):
                return name
    return UNSAFE.search(text)


OURS = re.compile(
    r"\A<!-- [^<>]* -->|^    .*|\]\(#[a-z0-9-]*\)|"
    r"^<a id=\"[a-z0-9-]*\"></a>$|\\[!-/:-@\[-`{-~]", re.MULTILINE)


def markdown(text):
    """Nothing that a renderer passes to a browser, and no link. Left out are the
    comment, the anchors and the links within a report, code, and escapes."""
    bare = OURS.sub("", text)
    return re.search(r"<[a-zA-Z/!]|\]\(", bare) or UNSAFE.search(text)


def saved(text):
    return json.loads(text) and UNSAFE.search(text)
