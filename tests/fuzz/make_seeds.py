#!/usr/bin/env python3
"""Makes the seeds of fuzz_NAME, in FOLDER/NAME, and its dictionary,
FOLDER/NAME.dict, from this repository and its program.

    make_seeds.py BENCHTOP FOLDER NAME ..
"""
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

import tape_seeds

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TEXTS = ["4K..512M*4", "1K..1G/4", "0..64K+4K", "auto", "1,2,3", "10ms..1s",
         "1Mbit", "5%", "1us", "getppid,getpid", "raw,libc", "64..auto/4"]
SEED_BYTES_MOST = 40000


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


# A word is a text, or bytes.
def escaped(word):
    if isinstance(word, str):
        return re.sub(r'(["\\])', r"\\\1", word)
    return "".join("\\x%02x" % byte for byte in word)


def write_dictionary(path, words):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        for word in sorted(map(escaped, words)):
            file.write('"%s"\n' % word)


# Numbers at their limits.
def limits(order):
    return {struct.pack(order + kind, value) for kind, bits in zip("HIQ", (
        16, 32, 64)) for value in (0, 1, (1 << (bits - 1)) - 1,
                                   1 << (bits - 1), (1 << bits) - 1)} | {
        struct.pack(order + "d", value) for value in (
            float("nan"), float("inf"), float("-inf"), 1e308, 5e-324)}


# ---- scripts and parameters --------------------------------------------------

def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def experiments(program):
    return [line.split()[0] for line in output_of(program, "list").splitlines()]


# Names of experiments, and of parameters with their equals sign.
def words_of_runs(program):
    names = experiments(program)
    words = set(names)
    for name in names:
        words.update(re.findall(r"\b[a-z-]+=", output_of(program, "show", name)))
    return words


def make_scripts(program, folder):
    manual = output_of(program, "help", "--man").replace("\\-", "-")
    section = manual.split(".SH VERBS\n")[1].split(".SH ")[0]
    verbs = re.findall(r"^\\fB([a-z]+)\\fR", section, re.M)
    words = set(verbs)
    for verb in verbs:
        help_text = output_of(program, "help", verb)
        words.update(re.findall(r"--[a-z-]+=?", help_text))
        for example in re.findall(r"example: (.*)", help_text):
            write(folder + "/script", verb, example.encode())
    scripts = os.path.join(TOP, "assets", "scripts")
    for name in os.listdir(scripts):
        with open(os.path.join(scripts, name), "rb") as file:
            write(folder + "/script", name, file.read())
    write_dictionary(folder + "/script.dict", words | words_of_runs(program))


def make_params(program, folder):
    for experiment in range(len(experiments(program))):
        for row in range(24):
            typed = TEXTS[(experiment + row) % len(TEXTS)]
            write(folder + "/param", "%d.%d" % (experiment, row),
                  bytes([experiment, row]) + typed.encode())
    write_dictionary(folder + "/param.dict",
                     words_of_runs(program) | set(TEXTS))


# ---- tapes -------------------------------------------------------------------

LINES = ["cpu.loop count=1024,2048", "cpu.syscall call=getppid,read",
         "mem.latency size=4K,64K", "mem.hierarchy", "cpu.process",
         "net.rtt", "ab cpu.loop count=1024,2048"]


# The tape of a lab that is killed while it measures.
def tape_of(program, folder, line):
    words = line.split() if line.startswith("ab ") else ["run"] + line.split()
    lab = subprocess.Popen(
        [program, *words, "launches=30", "trials=100", "budget=60s"],
        env=dict(os.environ, XDG_RUNTIME_DIR=folder),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    tapes, tape = os.path.join(folder, "benchtop"), b""
    while lab.poll() is None and tape_seeds.trials_of(tape) < 100:
        time.sleep(.05)
        for name in os.listdir(tapes) if os.path.isdir(tapes) else []:
            with open(os.path.join(tapes, name), "rb") as file:
                tape = file.read()
    if lab.poll() is not None:
        sys.exit("no tape of '%s': exit code %d" % (line, lab.returncode))
    lab.kill()
    lab.wait()
    return tape


def make_tapes(program, folder):
    for number, line in enumerate(LINES):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as runtime:
            tape = tape_of(program, runtime, line)
        write(folder + "/tape", str(number), tape_seeds.seed_of(tape))
    kinds = {struct.pack("<I", kind) for kind in range(16)}
    write_dictionary(folder + "/tape.dict", words_of_runs(program) | kinds |
                     limits("<") | {"run ", "ab ", "auto", "..", ","})


# ---- sessions ----------------------------------------------------------------

def members_of(tree):
    if isinstance(tree, dict):
        for name, value in tree.items():
            yield name
            yield from members_of(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from members_of(value)


# One run of few points: a mutation has an effect, and a report is fast. A fleet
# scans the lines that the program writes.
def make_sessions(program, folder):
    members, lines = set(), []
    for place in ("sessions", os.path.join("assets", "pictures")):
        for name in sorted(os.listdir(os.path.join(TOP, place))):
            if not name.endswith(".json"):
                continue
            with open(os.path.join(TOP, place, name), "rb") as file:
                whole = json.load(file)
            members.update(members_of(whole))
            for number, run in enumerate(whole["runs"]):
                run["points"] = run["points"][:3]
                one = dict(whole, runs=[run])
                text = json.dumps(one, separators=(",", ":")).encode()
                if len(text) > SEED_BYTES_MOST:
                    continue
                seed = "%s.%d" % (name, number)
                for of in ("session", "picture", "print"):
                    write(os.path.join(folder, of), seed, text)
                lines.append("load %s/session/%s; save %s/fleet/%s" % (
                    folder, seed, folder, seed))
    os.makedirs(folder + "/fleet", exist_ok=True)
    output_of(program, "-c", "; ".join(lines))
    words = {'"%s":' % name for name in members if name.isascii()}
    for of in ("session", "picture", "print", "fleet"):
        write_dictionary(os.path.join(folder, of + ".dict"), words | {
            "null", "true", "1e308", "-1", "0", "[]", "{}",
            "9007199254740993", "\\u001b", "\\u202e", "<script>", "=cmd",
            "&amp;", "]]>"})


# ---- packets -----------------------------------------------------------------

def segment(side, seq, ack, flags, length):
    ports = (4711, 80) if side == 0 else (80, 4711)
    tcp = struct.pack(">HHIIBBHHH", *ports, seq, ack, 5 << 4, flags, 65535, 0,
                      0) + bytes(length)
    hosts = (b"\x0a\0\0\x01", b"\x0a\0\0\x02")
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0x4000, 64, 6, 0)
    return ip + hosts[side] + hosts[1 - side] + tcp


TALK = [segment(0, 99, 0, 2, 0), segment(1, 999, 100, 18, 0),
        segment(0, 100, 1000, 16, 0), segment(0, 100, 1000, 24, 40),
        segment(0, 180, 1000, 24, 40), segment(1, 1000, 140, 16, 0),
        segment(0, 140, 1000, 24, 40), segment(1, 1000, 220, 17, 0)]


# The records of annotate_input.h; 9 is LINK_RAW's index in input_links[].
def make_packets(folder):
    data = b"".join(struct.pack("<BBHHH", 9, 0, len(packet), 0, 500) + packet
                    for packet in TALK)
    write(folder + "/annotate", "talk", data)
    ethers = {struct.pack(">H", kind) for kind in (
        0x0800, 0x86dd, 0x8100, 0x88a8, 0x8847, 0x8864)}
    options = {b"\x02\x04\x05\xb4", b"\x03\x03\x07", b"\x04\x02",
               b"\x01\x01\x05\x0a", b"\x01\x01\x08\x0a", b"\x22\x02",
               b"\x1e\x0c\x00\x81"}
    write_dictionary(folder + "/annotate.dict", limits(">") | ethers | options |
                     {b"\x45\x00", b"\x60\x00\x00\x00", b"\x4f\x00"})


def record(kind, data=b"", t_ns=0, wire=0, link=101, snap=None):
    size = len(data) if snap is None else snap
    return struct.pack("<qIIIHBB", t_ns, size, wire, link, len(data), kind,
                       0) + data + bytes(-len(data) % 8)


# The records of capture_wire.h.
def make_pipes(folder):
    ready = record(1, wire=1, snap=144)
    packets = b"".join(record(2, packet, 10 ** 18 + i * 10 ** 6, len(packet))
                       for i, packet in enumerate(TALK))
    end = record(3, t_ns=8) + record(6)
    write(folder + "/pipe", "talk", ready + packets + end)
    write(folder + "/pipe", "cut", (ready + packets)[:-5])
    write(folder + "/pipe", "denied", record(5, b"not permitted"))
    write(folder + "/pipe", "failed", ready + record(4, b"it broke\x1b[2J"))
    write(folder + "/pipe", "told", ready + packets + record(
        7, bytes(200)) + record(8, bytes(300)) + end)
    write_dictionary(folder + "/pipe.dict", limits("<") | {
        record(kind) for kind in range(10)} | {
            record(2, TALK[0], 10 ** 18, len(TALK[0]))})


# ---- capture files -----------------------------------------------------------

LINK_RAW = 101


def pcap(order, magic, extra=0):
    data = struct.pack(order + "IHHIIII", magic, 2, 4, 0, 0, 65535, LINK_RAW)
    for number, packet in enumerate(TALK):
        data += struct.pack(order + "IIII", 10 ** 9, number, len(packet),
                            len(packet)) + bytes(extra) + packet
    return data


def padded(data):
    return data + bytes(-len(data) % 4)


def block(order, kind, body):
    length = 12 + len(body)
    return struct.pack(order + "II", kind, length) + body + struct.pack(
        order + "I", length)


def option(order, code, value):
    return struct.pack(order + "HH", code, len(value)) + padded(value)


def interface(order, link, options=b""):
    return block(order, 1, struct.pack(order + "HHI", link, 0, 262144) +
                 options + option(order, 0, b""))


# Interfaces of different resolutions, and each kind of packet.
def pcapng(order):
    data = block(order, 0x0a0d0d0a, struct.pack(
        order + "IHHq", 0x1a2b3c4d, 1, 0, -1) + option(order, 2, b"none"))
    data += interface(order, LINK_RAW, option(order, 9, b"\x09"))
    data += interface(order, 1, option(order, 9, b"\x8a") + option(
        order, 14, struct.pack(order + "q", 10 ** 9)))
    data += block(order, 5, bytes(12)) # statistics
    for number, packet in enumerate(TALK):
        head = struct.pack(order + "IIIII", number % 2, number, 0, len(packet),
                           len(packet))
        data += block(order, 6, head + padded(packet))
    head = struct.pack(order + "HHIIII", 0, 0, 9, 0, len(TALK[0]), 99)
    data += block(order, 2, head + padded(TALK[0]))
    return data + block(order, 3, struct.pack(
        order + "I", len(TALK[1])) + padded(TALK[1]))


# A frame of one block that is not compressed (RFC 8878).
def zstd(data):
    return b"\x28\xb5\x2f\xfd\x60" + struct.pack(
        "<H", len(data) - 256) + struct.pack(
            "<I", len(data) << 3 | 1)[:3] + data


def make_captures(folder):
    files = {"micro": pcap("<", 0xa1b2c3d4), "nano": pcap(">", 0xa1b23c4d),
             "patched": pcap("<", 0xa1b2cd34, 8), "little": pcapng("<"),
             "big": pcapng(">"), "sections": pcapng("<") + pcapng(">")}
    for name, data in files.items():
        write(folder + "/capture", name, data)
        write(folder + "/capture", name + ".gz", gzip.compress(data))
    write(folder + "/capture", "zstd", zstd(files["micro"]))
    blocks = {block(order, kind, b"") for order in "<>"
              for kind in (1, 2, 3, 4, 5, 6, 10, 0x0a0d0d0a)}
    magics = {struct.pack(order + "I", magic) for order in "<>" for magic in (
        0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34, 0x1a2b3c4d)}
    write_dictionary(folder + "/capture.dict", blocks | magics | limits("<") |
                     limits(">") | {b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"} | {
                         option(order, code, bytes(8)) for order in "<>"
                         for code in (0, 1, 2, 9, 14)})


# ---- the wire ----------------------------------------------------------------

def frame(kind, payload=b""):
    return struct.pack("<BH", kind, len(payload)) + payload


def text(chars):
    return struct.pack(">H", len(chars)) + chars


# The inputs of wire_input(), with the frames of wire.h.
def make_wires(program, folder):
    hello = frame(1, struct.pack(">HHI", 3, 3, 0) + bytes(32) +
                  text(b"benchtop"))
    challenge = frame(2, struct.pack(">HIB", 3, 0, 0) + bytes(32))
    welcome = frame(4, bytes(32) + struct.pack(
        ">QQQQI", 10 ** 9, 0, 0, 0, 4) + text(b"a machine"))
    refused = frame(5, b"\1" + text(b"it is busy"))
    unknown = frame(6, text(b"net.rtt") + struct.pack(">H", 1) +
                    text(b"size") + b"\0" + struct.pack(">Q", 1))
    names = experiments(program)
    for number in range(len(names)):
        for keyed in (0, 2):
            opened = bytes([keyed]) + hello + frame(3) + frame(
                254, bytes([number, 0, 0]))
            own = b"".join(frame(16 + i, bytes(24)) for i in range(8))
            write(folder + "/wire", "open.%d.%d" % (number, keyed),
                  opened + own + frame(8))
    write(folder + "/wire", "unknown", b"\0" + hello + frame(3, bytes(32)) +
          unknown)
    write(folder + "/wire", "client", b"\1" + challenge + welcome + frame(16))
    write(folder + "/wire", "refused", b"\1" + challenge + refused)
    write(folder + "/wire", "later", b"\5" + frame(9) + b"".join(
        frame(16 + i, text(b"x") + bytes(8)) for i in range(8)) + refused)
    write(folder + "/wire", "other", b"\0" + frame(255, b"GET / HTTP/1.0\r\n"))
    texts = {text(name.encode()) for name in names}
    write_dictionary(folder + "/wire.dict", limits(">") | texts | {
        frame(kind) for kind in [*range(10), *range(16, 24), 254, 255]})


def main():
    program, folder = sys.argv[1:3]
    makers = {
        "script": lambda: make_scripts(program, folder),
        "param": lambda: make_params(program, folder),
        "tape": lambda: make_tapes(program, folder),
        "annotate": lambda: make_packets(folder),
        "pipe": lambda: make_pipes(folder),
        "capture": lambda: make_captures(folder),
        "wire": lambda: make_wires(program, folder),
    }
    names = set(sys.argv[3:])
    for name in names & set(makers):
        makers[name]()
    if names - set(makers):
        make_sessions(program, folder)


main()
