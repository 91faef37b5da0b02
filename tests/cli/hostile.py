"""hostile.py PROGRAM FOLDER: hostile text in every string of a session,
and in names that the program is given.

Every string and name that the schemas in assets/ leave free gets each of
PAYLOADS. A field may refuse it, in one sentence; all others have it at the same
time, and every output of OUTPUTS must be harmless by its rule. Then each line
of NAMED gets file names, host names and values of the environment. Prints
"N fields, N payloads, N outputs, N names", and what was harmful."""
import csv
import ctypes
import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time
import xml.etree.ElementTree

from hostile_fields import (ANY, LISTED, NAME, POINT, RUN, all_fields, base, put,
                            put_names)
from hostile_rules import (lines_of_json, markdown, metrics, page, picture,
                           plain, saved, table)

program, folder = sys.argv[1:3]
os.chdir(folder)

PAYLOADS = {
    "control": "HH\x1b]0;HH\x07\x1b[31mHH\x9b31m\x7f\u202eHH\u2066\u200fHH",
    "lines": "HH\nHH\n\tHH",
    "html": "HH</text></title></td>--><script>HH</script>&<img src=x onerror=HH>",
    "attribute": "HH\"'><img onclick=\"HH\" x='",
    "equals": "=HH()|'\"", "plus": "+HH", "minus": "-HH", "at": "@HH",
    "label": "HH\",h=\"\\\"} 1 benchtop_hostile{x=\"",
    "markup": "HH|`*_[HH](javascript:HH)\\|",
    "long": "H" * 6000,
}
# In all fields, and trials of it are more than an export may have.
LONGEST = 5 * PAYLOADS["long"]

# Each line writes a file, or prints; its rule is for the one or the other. The
# rows of an export repeat long texts, which it refuses.
OUTPUTS = [
    ("load -v hostile.json", None, plain),
    ("compare -v hostile.json", None, plain),
    ("score; machine", None, plain),
    ("report -o", "report.html", page),
    ("report -o", "report.md", markdown),
    ("save", "saved.json", saved),
] + [("snapshot " + view, view + end, rule)
     for view in ("lab", "sweep", "net", "compare", "machine", "details")
     for end, rule in ((".txt 160x60", plain), (".svg 160x60", picture))]
EXPORTS = [
    ("export csv", "figures.csv", table),
    ("export --trials csv", "trials.csv", table),
    ("export jsonl", "figures.jsonl", lines_of_json),
    ("export --trials jsonl", "trials.jsonl", lines_of_json),
    ("export openmetrics", "out.metrics", metrics),
    ("export markdown", "export.md", markdown),
]
# Lines of a process each. The exit codes 1 and 7 are answers, and 2 is that of
# a session without what the line needs.
ALONE = [
    ("compare hostile.json hostile.json", None, plain),
    ("compare hostile.json hostile.json --json", None, saved),
    ("score --json --session=hostile.json", None, saved),
    ("summary --session=hostile.json", None, plain),
    ("expect cpu.syscall median > 0 --session=hostile.json", None, plain),
    ("report hostile.json --beside all --force -o beside.html", "beside.html", page),
    ("report hostile.json --beside all --force -o beside.md", "beside.md", markdown),
]
# Outputs of strings of this machine, and of the program.
WITHOUT = {"machine.txt", "machine.svg", "summary --session=hostile.json",
           "expect cpu.syscall median > 0 --session=hostile.json"}
# Options of a report that a user fills in, for a page and for Markdown.
HEADINGS = ["--title", "--author", "--course"]
# Lines about the kept session, and about four machines of which one is slow.
# Each prints, or writes the file.
KEPT = [
    ("sessions", None, plain),
    ("sessions", None, plain),  # from the index
    ("sessions --json", None, saved),
    ("history cpu.syscall", None, plain),
    ("history cpu.syscall --json", None, saved),
    ("history cpu.syscall -v --force -o history.html", "history.html", page),
    ("fleet fleet", None, plain),
    ("fleet fleet -v", None, plain),
    ("fleet fleet --json", None, saved),
    ("fleet fleet --openmetrics", None, metrics),
    ("fleet fleet --force -o fleet.html", "fleet.html", page),
]


# ---- a hostile session and its outputs -----------------------------------------------------------

def complain(*words):
    complaints.append(" ".join(str(word)[:300] for word in words))


def write(fields, text):
    session = json.loads(base())
    for path in fields:
        if not (put_names if path in LISTED else put)(session, path, text):
            complain("no place", path)
    with open("hostile.json", "w", encoding="utf-8") as file:
        file.write(json.dumps(session))


def benchtop(*words, **more):
    return subprocess.run([program, *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60, **more)


def harmful(rule, raw):
    """What is harmful in an output, or None."""
    try:
        return rule(raw.decode())
    except (ValueError, csv.Error, xml.etree.ElementTree.ParseError) as wrong:
        return repr(wrong)


def refused(ran, fields):
    """The field for which a session was refused, in one harmless sentence."""
    sentence = ran.stderr.decode(errors="replace")
    found = re.match(r"benchtop: (?:not a session file: )?hostile.json: (.*?): ",
                     sentence)
    if not found or ran.returncode != 3 or ran.stdout or plain(sentence) or \
            len(sentence) > 600:
        sys.exit("refused with %d: %r" % (ran.returncode, ran))
    steps = re.findall(r'\[(\d+)\]|\["(.*)"\]|([^][.]+)', found[1])
    steps = [0 if index else name or word for index, name, word in steps]
    for path in fields:
        if fits(path, steps):
            return path
    sys.exit("refused for another field: " + sentence)


def fits(path, steps):
    """Does a path of a session lead to a field, or to an object of which it is
    a name?"""
    if path[-1] == NAME:
        path = path[:-2] if path[:-2] else ()
        steps = steps[:len(path)]
    return len(path) == len(steps) and all(
        a in (ANY, b) for a, b in zip(path, steps))


def load(fields, text):
    """Writes a session with the text in all fields that do not refuse it.
    Returns them. Fields that refuse its beginning are found first: a long text
    in all fields takes long."""
    fields = list(fields)
    for part in dict.fromkeys((text[:1000], text)):
        write(fields, part)
        while (ran := benchtop("load", "hostile.json")).returncode:
            fields.remove(refused(ran, fields))
            write(fields, part)
    return fields


def show(payload, outputs):
    """Every output of the session that is in hostile.json."""
    for _, path, _ in outputs:
        if path and os.path.exists(path.split()[0]):
            os.remove(path.split()[0])
    ran = benchtop("-c", "; ".join(["load hostile.json"] + [
        line + " " + (path or "") for line, path, _ in outputs]))
    if ran.returncode:
        sys.exit("%s: %d: %r" % (payload, ran.returncode, ran.stderr))
    for line, path, rule in outputs:
        raw = ran.stdout + ran.stderr
        if path:
            path = path.split()[0]
            with open(path, "rb") as file:
                raw = file.read()
        judge(payload, line, path, rule, raw)


def judge(payload, line, path, rule, raw):
    wrong = harmful(rule, raw)
    if wrong:
        complain(payload, line, path, wrong)
    if b"HH" in raw:
        seen.add(path or line)


# Members by which `history` finds a run of this machine.
FOUND_BY = [("machine", "hostname"), ("machine", "cpu"), RUN + ("started",),
            RUN + ("parameters", 0), POINT + ("args", ANY), RUN + (
                "metrics", 0, "name")]


def keep(fields, text, this):
    """Keeps a hostile session of this machine, and makes those of a fleet."""
    write([path for path in fields if path not in FOUND_BY], text)
    with open("hostile.json", encoding="utf-8") as file:
        session = json.load(file)
    session["machine"].update(this)
    kept = os.path.join(os.environ["XDG_STATE_HOME"], "benchtop", "sessions")
    shutil.rmtree(kept, ignore_errors=True)
    os.makedirs(kept)
    resave(session, os.path.join(kept, "20250301-120000-1.json"))
    os.makedirs("fleet", exist_ok=True)
    write(fields, text)
    with open("hostile.json", encoding="utf-8") as file:
        session = json.load(file)
    host = session["machine"]["hostname"]
    for number in range(4):
        session["machine"]["hostname"] = host[:40] + str(number)
        session["machine"]["kernel"] += str(number // 3)
        resave(session, "fleet/%d.json" % number, 1 + number // 3)
    time.sleep(.05)  # what changed just now is not indexed


def resave(session, path, slower=1):
    """Writes a session as the program does, with all its times multiplied."""
    session = json.loads(json.dumps(session))
    for run in session["runs"]:
        for point in run["points"]:
            for metric in point["metrics"].values():
                metric["ticks"] = [[ticks * slower for ticks in launch]
                                   for launch in metric.get("ticks", [])]
                if not metric["ticks"]:
                    del metric["ticks"]
    with open("one.json", "w", encoding="utf-8") as file:
        file.write(json.dumps(session))
    ran = benchtop("-c", "load one.json; save %s --force" % path)
    if ran.returncode:
        sys.exit("%s: %r" % (path, ran))


def show_kept(payload):
    for line, path, rule in KEPT:
        ran = benchtop("-c", line)
        if ran.returncode or ran.stderr and not path:
            complain(payload, line, ran.returncode, ran.stderr)
        judge(payload, line, path, rule, written(path, ran))


def written(path, ran):
    if not path:
        return ran.stdout
    with open(path, "rb") as file:
        return file.read()


def show_alone(payload, text):
    for line, path, rule in ALONE:
        ran = benchtop("-c", line)
        wrong = harmful(plain, ran.stderr)
        if wrong or ran.returncode not in (0, 1, 2, 7):
            complain(payload, line, ran.returncode, wrong, ran.stderr)
        elif ran.returncode != 2:
            judge(payload, line, path, rule, written(path, ran))
    for path, rule in ("headed.html", page), ("headed.md", markdown):
        # A report that has them all shows what each does.
        if not head(payload, HEADINGS, text, path, rule):
            for option in HEADINGS:
                head(payload, [option], text, path, rule)


def head(payload, options, text, path, rule):
    """Headings are refused in a sentence, or harmless in the report. Returns
    whether the report was written."""
    words = [word for option in options for word in (option, text)]
    ran = benchtop("report", "hostile.json", "--force", "-o", path, *words)
    if harmful(plain, ran.stdout + ran.stderr) or ran.returncode not in (0, 2):
        complain(payload, options, ran.returncode, ran.stderr)
    if ran.returncode == 0:
        judge(payload, options[0], path, rule, written(path, ran))
    return ran.returncode == 0


def this_machine():
    benchtop("-c", "note x; save this.json")
    with open("this.json", encoding="utf-8") as file:
        machine = json.load(file)["machine"]
    return {name: machine[name] for name in ("hostname", "cpu")}


def show_long(fields):
    """Exports of long texts end with a sentence, in time."""
    show("long", OUTPUTS)
    write(fields, LONGEST)
    for line, path, _ in EXPORTS:
        ran = benchtop("-c", "load hostile.json; %s long-%s" % (line, path))
        if ran.returncode not in (0, 3) or ran.returncode == 3 and \
                b"texts are too long for an export" not in ran.stderr:
            complain("long", line, ran.returncode, ran.stderr)


# ---- names -----------------------------------------------------------------

NAME_TEXT = b"\x1b]0;HH\x07\x1b[31m\xc2\x9b\xe2\x80\xae\xff\n\tHH"
QUOTED = b"'" + NAME_TEXT.replace(b"\n", b"") + b"'"
NAMED = [
    "load NAME", "verify NAME", "recover NAME", "annotate NAME",
    "report NAME -o x.html", "compare NAME NAME", "compare other.json NAME",
    "--script NAME", "NAME", "--glyphs=NAME", "--theme=NAME", "--NAME",
    "--wait-quiet=NAME", "note NAME", "show NAME", "help NAME", "run NAME",
    "run cpu.loop NAME=1", "run cpu.loop count=NAME", "set budget=NAME",
    "run net.rtt host=NAME launches=1 budget=1s", "complete NAME",
    "predict cpu.loop hw=NAME", "expect NAME < 1", "history NAME",
    "link rtt=NAME -- true", "snapshot lab NAME", "save NAME/x", "record NAME",
    "export csv NAME", "serve --listen=NAME", "serve --token-file=NAME",
]
LINES = [  # as one line of words
    b"load NAME.json; export csv", b"load NAME.json; export jsonl",
    b"load NAME.json; report -o NAME.html --force", b"verify NAME.json",
    b"load NAME.json; save NAME.json", b"note NAME; sessions",
    b"compare NAME.json NAME.json", b"annotate NAME.pcap", b"sessions",
    b"annotate NAME.pcap --json", b"annotate NAME.pcap --summary",
    b"fleet NAME.json", b"fleet NAME.json --force -o NAME.html",
    b"history cpu.syscall",
]
VARIABLES = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
             "LANG", "LC_ALL", "TERM", "COLUMNS", "LINES", "TZ", "PATH",
             "NO_COLOR", "TMPDIR", "BENCHTOP_IDLE_MARK"]


def check_plain(what, ran):
    wrong = harmful(plain, ran.stdout + ran.stderr)
    if wrong or ran.returncode > 128 or ran.returncode < 0:
        complain(what, ran.returncode, wrong, ran.stdout + ran.stderr)


def make_named():
    write([], "")
    name = QUOTED[1:-1]
    for path in ("other.json", name + b".json"):
        with open("hostile.json", "rb") as old, open(path, "wb") as file:
            file.write(old.read())
    with open(name + b".pcap", "wb") as file:
        file.write(struct.pack("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101))
        file.write(struct.pack("<IIII", 1, 0, 40, 40))
        # A SYN from 10.0.0.1:1000 to 10.0.0.2:2000.
        file.write(struct.pack("!BBHHHBBHII", 0x45, 0, 40, 0, 0, 64, 6, 0,
                               0x0a000001, 0x0a000002))
        file.write(struct.pack("!HHIIBBHHH", 1000, 2000, 1, 0, 0x50, 2, 65535,
                               0, 0))


def on_terminal(*words):
    """All that the program writes to a terminal. On a screen, q is typed."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        os.execv(program, [program, *words])
    out = b""
    try:
        while select.select([fd], [], [], 20)[0]:
            out += os.read(fd, 65536)
            if b"quit" in out:
                os.write(fd, b"q")
    except OSError:
        pass  # it has ended
    os.close(fd)
    os.waitpid(pid, 0)
    if b"HH" not in out and b"10.0.0.1" not in out:
        complain("not on the terminal", words, out[-200:])
    return out


def under_host_name():
    """The name of this machine: at most 64 bytes."""
    libc = ctypes.CDLL(None, use_errno=True)
    name = NAME_TEXT[:64]
    CLONE_NEWUTS = 0x04000000
    if libc.unshare(CLONE_NEWUTS) or libc.sethostname(name, len(name)):
        return 0
    check_plain("host name", benchtop(
        "-c", "note x; machine; machine --json; doctor; load other.json; "
        "compare other.json; save host.json; snapshot machine host.txt"))
    with open("host.txt", "rb") as file:
        wrong = harmful(plain, file.read())
    if wrong:
        complain("host name on the screen", wrong)
    return 1


def names():
    make_named()
    for words in NAMED:
        check_plain(words, benchtop(*[
            word.encode().replace(b"NAME", NAME_TEXT)
            for word in words.split()]))
    for line in LINES:
        check_plain(line, benchtop("-c", line.replace(
            b"NAME", QUOTED[:-1]).replace(b".json", b".json'").replace(
                b".html", b".html'").replace(b".pcap", b".pcap'").replace(
                    b"HH;", b"HH';")))
    for name in VARIABLES:
        more = dict(os.environb)
        more[name.encode()] = NAME_TEXT
        check_plain(name, benchtop(
            "-c", "machine; sessions; load other.json; save", env=more))
    screen = on_terminal(b"load", b"-v", QUOTED[1:-1] + b".json") + \
        on_terminal(b"annotate", QUOTED[1:-1] + b".pcap")
    for piece in (b"\x1b]0;HH", b"\xc2\x9b", b"\xe2\x80\xae", b"\xff"):
        if piece in screen:
            complain("on a terminal", piece)
    return len(NAMED) + len(LINES) + len(VARIABLES) + 1 + under_host_name()


complaints, seen = [], set()


def main():
    fields, this = all_fields(), this_machine()
    for payload, text in PAYLOADS.items():
        print(payload, flush=True)
        permitted = load(fields, text)
        keep(permitted, text, this)
        show_kept(payload)
        write(permitted, text)
        show_alone(payload, text)
        if payload == "long":
            show_long(permitted)
        else:
            show(payload, OUTPUTS + EXPORTS)
    for line, path, _ in OUTPUTS + EXPORTS + ALONE + KEPT:
        shown = path.split()[0] if path else line
        if shown not in seen | WITHOUT:
            complain("nothing hostile in", shown)
    print("%d fields, %d payloads, %d outputs, %d names" % (
        len(fields), len(PAYLOADS), len(OUTPUTS + EXPORTS + ALONE + KEPT), names()))
    print("\n".join(complaints)[:4000])
    sys.exit(bool(complaints))


main()
