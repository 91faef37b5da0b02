"""Writes a session of published figures as benchtop reads it.

A report is a Report with runs; a run has points; a point has figures, each
with what was printed and where. Quantities are given as they were printed,
with their unit, and converted here: cycles by the report's own clock rate.
"""
import json
import math
import statistics

LESS, MORE, NEITHER = "less", "more", "neither"

# Metrics as the experiments name them: label, unit, better.
METRICS = {
    "cpu.clock": {"cost": ("time per reading", "ns", LESS)},
    "cpu.frequency": {"tick-rate": ("ticks of the counter", "Hz", NEITHER)},
    "cpu.loop": {"pass": ("time per pass", "ns", LESS),
                 "iteration": ("time per iteration", "ns", LESS)},
    "cpu.call": {"pass": ("time per pass, 1 call", "ns", LESS),
                 "call": ("time per call", "ns", LESS)},
    "cpu.syscall": {"time": ("time per call", "ns", LESS)},
    "cpu.process": {"time": ("time per process", "ns", LESS)},
    "cpu.thread": {"time": ("time per thread", "ns", LESS)},
    "cpu.switch": {"gross": ("time per switch, gross", "ns", LESS),
                   "own": ("the channel's own cost", "ns", LESS)},
    "mem.latency": {"load": ("time per load", "ns", LESS)},
    "mem.bandwidth": {"bandwidth": ("bandwidth", "bytes/s", MORE)},
    "mem.fault": {"fault": ("time per fault", "ns", LESS),
                  "touch": ("time per touch", "ns", LESS)},
    "net.rtt": {"rtt": ("round trip", "ns", LESS)},
    "net.bandwidth": {
        "goodput": ("goodput, timed by the receiver", "bit/s", MORE),
        "sender": ("what the sender's calls accepted", "bit/s", MORE)},
    "net.connect": {"connect": ("connect()", "ns", LESS),
                    "close": ("close()", "ns", LESS)},
    "fs.cache": {"time": ("time per block", "ns", LESS),
                 "rate": ("throughput", "bytes/s", MORE)},
    "fs.read": {"time": ("time per block", "ns", LESS)},
    "fs.remote": {"time": ("time per block", "ns", LESS)},
    "fs.contention": {"time": ("time per block", "ns", LESS)},
}

TITLES = {
    "cpu.clock": "Reading the clock", "cpu.frequency": "Clock rates",
    "cpu.loop": "Loop iteration", "cpu.call": "Procedure call",
    "cpu.syscall": "System call", "cpu.process": "New process",
    "cpu.thread": "New thread", "cpu.switch": "Context switch",
    "mem.latency": "Memory latency", "mem.bandwidth": "Memory bandwidth",
    "mem.fault": "Page fault", "net.rtt": "Round trip",
    "net.bandwidth": "Network bandwidth", "net.connect": "Connection",
    "fs.cache": "File cache", "fs.read": "Reading a file",
    "fs.remote": "Reading a remote file", "fs.contention": "Contention",
}

FIXED = {  # to ns, bytes/s or Hz
    "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9,
    "MB/s": 1e6, "GB/s": 1e9, "Mbps": 1e6 / 8, "Hz": 1, "GHz": 1e9,
}


class Report:
    """Beside its figures: the machine as benchtop names it, the heading of
    the section it is described in, and of what, what stands there."""

    def __init__(self, name, hz, machine, section, facts, notes):
        self.name, self.hz, self.machine = name, hz, machine
        self.notes, self.runs = notes + [
            'Its %s, from "%s": %s' % (what, section, printed)
            for what, printed in facts], []

    def run(self, experiment, parameters=""):
        run = Run(self, experiment, parameters.split())
        self.runs.append(run)
        return run

    def convert(self, value, unit):
        if unit == "cycles":
            return value * 1e9 / self.hz
        if unit == "bytes/cycle":
            return value * self.hz
        return value * FIXED[unit]


def number(text):
    return float(text.replace(",", ""))


class Run:
    def __init__(self, report, experiment, parameters):
        self.report, self.experiment = report, experiment
        self.parameters, self.points, self.overhead = parameters, [], None

    def point(self, values, level=None):
        """values: 'op=read kernel=avx'; what is not named is not known."""
        args = dict(word.split("=", 1) for word in values.split())
        assert set(args) <= set(self.parameters), args
        for point in self.points:
            if point.args == args and point.level == level:
                return point
        self.points.append(Point(self, args, level))
        return self.points[-1]

    def add(self, values, metric, printed, unit, source, level=None, **more):
        """One printed figure; `more`: figure=, within=, between=, least=,
        most=, deviation=, all printed in the same unit, and printed=, the
        words around the number."""
        self.point(values, level).add(metric, [printed], unit, source, **more)

    def mean_of(self, values, metric, row, unit, source, **more):
        """A row of results of which the report prints no mean."""
        self.point(values).add(metric, row.split(), unit, source, **more)


class Point:
    def __init__(self, run, args, level):
        self.run, self.args, self.level = run, args, level
        self.figures = {}

    def add(self, metric, row, unit, source, figure="mean", within=None,
            between=None, least=None, most=None, deviation=None):
        assert metric in METRICS[self.run.experiment] and source
        assert metric not in self.figures, (self.args, metric)

        bits = METRICS[self.run.experiment][metric][1] == "bit/s"

        def converted(text):
            if text is None:
                return None
            value = self.run.report.convert(number(text), unit)
            return value * 8 if bits else value

        values = [converted(text) for text in row]
        spread = converted(between)
        if len(values) > 1:
            spread = statistics.stdev(values)
        self.figures[metric] = {
            "figure": figure, "value": math.fsum(values) / len(values),
            "sd_within": converted(within), "sd_between": spread,
            "min": converted(least), "max": converted(most),
            "max_deviation": converted(deviation),
            "printed": " ".join(row) + " " + unit, "source": source,
        }


def fnv(text):
    check = 0xcbf29ce484222325
    for byte in text.encode():
        check = (check ^ byte) * 0x100000001b3 % 2**64
    return "%016x" % check


def point_object(run, point, names):
    metrics = {}
    for name in names:
        label, unit, better = METRICS[run.experiment][name]
        metrics[name] = {"unit": unit, "median": None, "ops": 0}
        if name in point.figures:
            metrics[name]["published"] = point.figures[name]
        metrics[name].update(values=[], flags=[])
    return {
        "args": {name: point.args.get(name, "") for name in run.parameters},
        "state": "ok", "why": None, "trial_ns": 0,
        "notes": {"level": point.level} if point.level else {},
        "prediction": None, "visits": [], "metrics": metrics, "traces": {},
        "check": fnv("[][]" * len(names)),
    }


def run_object(run):
    names = [name for name in METRICS[run.experiment]
             if any(name in point.figures for point in run.points)]
    metrics = [dict(zip(("name", "label", "unit", "better", "kind", "rate"),
                        (name,) + METRICS[run.experiment][name]
                        + ("value", False))) for name in names]
    return {
        "experiment": run.experiment, "title": TITLES[run.experiment],
        "command": None, "started": "", "took_s": 0, "state": "done",
        "stopped": "published", "error": None, "seed": "0",
        "recovered": False,
        "clock": {
            "source": "counter", "why": "", "hz": run.report.hz,
            "hz_error_ppm": 0, "quantum": 0,
            "overhead": run.overhead or 0, "jitter": 0, "residual": 0,
            "core_hz": 0, "multiply_cycles": 0, "cycles_trusted": False,
            "canary_multiplies": 0, "canary_cycles": 0,
            "timer_hz": 0, "kernel_hz": 0,
        },
        "place": {"cpu": None, "second": None, "lab_shares": False,
                  "why": ""},
        "plan": {"launches": None, "trials": None, "precision": 0,
                 "budget_s": 0, "priority": "normal", "clones": 0,
                 "traits": []},
        "prediction": None, "warnings": [], "findings": [],
        "parameters": run.parameters, "metrics": metrics, "launches": [],
        "points": [point_object(run, point, names) for point in run.points],
    }


def machine_object(given):
    texts = ("hostname", "kernel", "kernel_version", "architecture", "cpu",
             "vendor")
    counts = ("cpus", "allowed", "cores", "packages", "nodes",
              "threads_per_core")
    machine = {name: given.get(name, "") for name in texts}
    machine.update({name: given.get(name, 0)
                    for name in ("family", "model", "stepping")})
    machine["microcode"] = given.get("microcode", "")
    machine.update({name: given.get(name, 0) for name in counts})
    machine["memory_bytes"] = given.get("memory_bytes", 0)
    machine["page_bytes"] = 4096
    machine.update({name: given.get(name, "") for name in (
        "hypervisor", "clocksource", "governor", "mitigations",
        "command_line", "compiler", "flags", "build")})
    machine.update(invariant_counter=True, page_table_isolation=False,
                   kernel_tick_hz=0, cpuid_tick_hz=0)
    # What benchtop leaves out where it is not known.
    for name in ("memory_type", "memory_modules", "memory_width_bits",
                 "memory_speed_mts", "memory_modules_bytes", "device",
                 "system", "base_hz", "least_hz", "most_hz", "buses"):
        if name in given:
            machine[name] = given[name]
    machine["caches"] = [
        {"name": name, "size_bytes": size, "count": 0, "line_bytes": line,
         "ways": 0, "shared_by": 0}
        for name, size, line in given.get("caches", [])]
    machine["disks"] = given["disks"]
    machine["networks"] = given["networks"]
    return machine


def pretty(value, indent=0):
    """Objects are laid open down to the figures, which have a line each."""
    flat = json.dumps(value, ensure_ascii=False)
    deep = isinstance(value, (dict, list)) and any(
        isinstance(item, (dict, list))
        for item in (value.values() if isinstance(value, dict) else value))
    if not isinstance(value, (dict, list)):
        return flat
    if not deep and (indent > 3 or len(flat) + indent <= 100):
        return flat
    pad, inner = " " * indent, " " * (indent + 1)
    if isinstance(value, list):
        rows = [pretty(item, indent + 1) for item in value]
        ends = "[]"
    else:
        rows = [json.dumps(name) + ": " + pretty(item, indent + 1)
                for name, item in value.items()]
        ends = "{}"
    return (ends[0] + "\n" + ",\n".join(inner + row for row in rows) + "\n"
            + pad + ends[1])


def session_text(report):
    machine = machine_object(report.machine)
    return pretty({
        "format": "benchtop-session", "schema": [1, 3],
        "tool": {"name": "benchtop", "version": "published", "build": "",
                 "compiler": machine["compiler"], "timed_flags": ""},
        "machine": machine, "environment": [],
        "notes": [{"at": "", "text": note} for note in report.notes],
        "runs": [run_object(run) for run in report.runs],
    }) + "\n"
