"""Copies of one session, as if of other days or machines.

copies.py FOLDER COUNT AT TIMES NAME BEFORE AFTER HOSTS: writes one.json COUNT
times into FOLDER, a day apart. From copy AT on, medians are TIMES as high and
the text NAME of the machine is AFTER instead of BEFORE. Launches scatter by 1 %
about the median, however busy the machine was. HOSTS is the start of the
machines' names, or - for one machine.
"""
import os
import re
import sys

folder, count, at, times, name, before, after, hosts = sys.argv[1:]
count, at, times = int(count), int(at), float(times)
os.makedirs(folder, exist_ok=True)
for old in os.listdir(folder):
    os.remove(os.path.join(folder, old))


def with_text(session, name, text):
    return re.sub(r'"%s":"[^"]*"' % name, '"%s":"%s"' % (name, text), session)


one = with_text(open("one.json").read(), "quality", "good")
for i in range(count):
    ns = (100 + i * 7 % 5 / 10) * (times if i >= at else 1)
    copy = re.sub(r'("unit":"ns","median":)[^,]*',
                  lambda match: match.group(1) + repr(ns), one)
    launches = ",".join(repr(ns * part) for part in (.99, 1.01, 1) * 2)
    copy = re.sub(r'("launch_medians":)[^]]*', r"\1[" + launches, copy)
    copy = with_text(copy, "started", "2025-03-%02dT12:00:00+0000" % (i + 1))
    copy = with_text(copy, name, after if i >= at else before)
    if hosts != "-":
        copy = with_text(copy, "hostname", hosts + str(i))
    path = "%s/202503%02d-120000-1.json" % (folder, i + 1)
    open(path, "w").write(copy)
