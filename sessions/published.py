#!/usr/bin/env python3
"""What five reports of an operating-systems measurement course printed.

    sessions/published.py FOLDER

writes a.json .. e.json into FOLDER. Every table with figures is here, as it
was printed; what a report shows only as a graph is not. Where a report prints
a row of results without their mean, the mean is of that row, and so is the
deviation between them. Parameters that a report does not name stay empty.
"""
import os
import sys

from report_a import report as a
from report_b import report as b
from report_c import report as c
from report_d import report as d
from report_e import report as e
from session import session_text


def main(folder):
    for report in (a, b, c, d, e):
        path = os.path.join(folder, report.name + ".json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(session_text(report))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: published.py FOLDER")
    main(sys.argv[1])
