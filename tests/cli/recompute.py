#!/usr/bin/env python3
"""Recomputes every figure of a benchtop session from its trials.

    recompute.py SESSION.json ..

Nothing of benchtop is used: this program is the definition of the figures in
a second language. For each file it prints how many figures agree, or those
that do not; it exits with 1 where one differs.

How a figure follows from the file. A point's visits are one stay at the point
each: of one launch, at one alignment clone.

    value       of trial i of a visit, in ns per operation and net:
                (ticks - the launch's overhead) / ops * 1e9 / clock.hz
                derived metrics: the sum of weight x value of other metrics'
                trial i; the reciprocal, times 1e9, where `rate` is set.
                Metrics with `values` instead of `ticks` are what they say.
    clean       trials without a flag. All figures but those named below are
                of clean trials. `flags` of a visit: index, bits, index, bits.
    median      of the launches' medians. A launch's is the median over its
                visits' medians, so that each clone counts once, however many
                trials it has; trials of several visits are never pooled. A
                visit's is grouped: readings of the clock that are equal are
                thought of as spread evenly over its step, quantum / ops.
    ci          order statistics k and n + 1 - k of the n launch medians, k
                the largest with P(Bin(n, 1/2) < k) <= 2.5 %; widened at both
                ends by a quarter of the overhead's mean jitter.
    min, max, mean   of trials.
    sd_within   root of the mean over launches of the variance of a launch's
                trials (n - 1), launches of two trials or more.
    sd_between  standard deviation (n - 1) of the launches' means.
    max_deviation    of a launch's mean from the mean of these.
    icc         share of the variance that is between launches.
    quantiles   of trials, type 7; null with fewer than ten trials beyond.
    floor, layout    of the clones' medians over launches: the least, and
                (p90 - p10) / p50.
    median_all  with flagged trials, but not the warm-up, nor those whose
                clock stepped back or whose visit was not verified.
    cycles      median, ci, min and mean of ticks x the cycles per tick that
                the canaries before and after the trial show; of trials
                without a flag, or with `frequency` alone.
"""
import json
import math
import sys

FLAGS = ["backwards", "migrated", "preempted", "switched", "faulted",
         "contended", "frequency", "warm-up", "unverified"]
BIT = {name: 1 << i for i, name in enumerate(FLAGS)}
ANY = (1 << len(FLAGS)) - 1
QUANTILES = {"p1": .01, "p5": .05, "p25": .25, "p50": .5, "p75": .75,
             "p90": .9, "p95": .95, "p99": .99, "p99.9": .999}


# ---- statistics ----------------------------------------------------------

def quantile(ordered, p):
    """Type 7."""
    at = (len(ordered) - 1) * p
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def median(values):
    return quantile(sorted(values), .5)


def grouped_median(values, step):
    middle = median(values)
    if step <= 0:
        return middle
    below = sum(1 for v in values if v - middle <= -step / 4)
    at = sum(1 for v in values if abs(v - middle) < step / 4)
    if not at:
        return middle
    return middle + step * ((len(values) / 2 - below) / at - .5)


def mean(values):
    return math.fsum(values) / len(values)


def variance(values):
    if len(values) < 2:
        return 0
    middle = mean(values)
    return math.fsum((v - middle) ** 2 for v in values) / (len(values) - 1)


def rank_of_interval(n):
    """The largest k with P(Bin(n, 1/2) < k) <= 2.5 %; 0: none."""
    k, ways = 0, 0
    while 2 * k < n:
        ways += math.comb(n, k)
        if ways / 2 ** n > .025 + 1e-12:
            break
        k += 1
    return k


# ---- trials --------------------------------------------------------------

class Trials:
    """What the file holds of one metric at one point."""

    def __init__(self, run, point, name):
        self.run, self.point, self.name = run, point, name
        self.info = next(m for m in run["metrics"] if m["name"] == name)
        self.metric = point["metrics"][name]
        self.visits = point["visits"]
        self.per_ns = run["clock"]["hz"] / 1e9
        self.parts = {name: 1}
        if self.info["kind"] == "derived":
            self.parts = self.metric["derived"]["weights"]
        self.marks = {part: [self.flags_of(part, v)
                             for v in range(len(self.visits))]
                      for part in self.parts}

    def flags_of(self, part, visit):
        pairs = self.point["metrics"][part]["flags"][visit]
        return dict(zip(pairs[::2], pairs[1::2]))

    def launch(self, visit):
        return self.run["launches"][self.visits[visit]["launch"]]

    def cycles_per_tick(self, visit, i):
        clock, about = self.run["clock"], self.visits[visit]
        every = about["canary_every"]
        if not every or not clock["cycles_trusted"]:
            return math.nan
        beside = about["canary"][i // every:i // every + 2]
        if not beside:
            return math.nan
        return clock["canary_cycles"] / (
            mean(beside) - self.launch(visit)["overhead"])

    def count(self, visit):
        if self.info["kind"] == "value":
            return len(self.metric["values"][visit])
        return self.visits[visit]["trials"]

    def trial(self, visit, i, cycles=False):
        """Value and flags; None: there is no such trial."""
        flags, total = 0, 0
        if not self.parts:
            return None
        for part, weight in self.parts.items():
            metric = self.point["metrics"][part]
            if self.info["kind"] == "value":
                total = metric["values"][visit][i]
            elif i >= len(metric["ticks"][visit]):
                return None
            else:
                net = (int(metric["ticks"][visit][i]) -
                       self.launch(visit)["overhead"])
                total += weight * net / metric["ops"]
            flags |= self.marks[part][visit].get(i, 0)
        if self.info["kind"] == "value":
            return total, flags
        total *= (self.cycles_per_tick(visit, i) if cycles
                  else 1 / self.per_ns)
        if self.info["rate"]:
            total = 1e9 / total if total else math.inf
        return total, flags

    def ticks_per_operation(self, ticks):
        if self.info["kind"] == "derived":
            return sum(abs(w) * ticks / self.point["metrics"][part]["ops"]
                       for part, w in self.parts.items())
        return ticks / self.metric["ops"]

    def uncertainty(self):
        """A quarter of the overhead's jitter, in ticks per operation."""
        jitters = [launch["jitter"] for launch in self.run["launches"]]
        return self.ticks_per_operation(mean(jitters) / 4)

    def step(self, cycles):
        """What one step of the clock is worth."""
        if self.info["kind"] != "timed":
            return 0
        ticks = self.run["clock"]["quantum"] / self.metric["ops"]
        ns = ticks / self.per_ns
        return ns * 1e-9 * self.run["clock"]["core_hz"] if cycles else ns

    def gather(self, excluded, cycles=False):
        """(launch, clone, values) of each visit."""
        groups = []
        for v, visit in enumerate(self.visits):
            found = [self.trial(v, i, cycles) for i in range(self.count(v))]
            groups.append((visit["launch"], visit["clone"], [
                trial[0] for trial in found
                if trial and not trial[1] & excluded
                and math.isfinite(trial[0])]))
        return groups

    def all_flags(self):
        found = (self.trial(v, i) for v in range(len(self.visits))
                 for i in range(self.count(v)))
        return [trial[1] for trial in found if trial]


# ---- figures -------------------------------------------------------------

def launch_medians(groups, step):
    launches = {}
    for launch, _, values in groups:
        if values:
            launches.setdefault(launch, []).append(
                grouped_median(values, step))
    return [median(visits) for visits in launches.values()]


def interval(medians, trials, cycles):
    k = rank_of_interval(len(medians))
    if not k:
        return None
    ordered = sorted(medians)
    low, high = ordered[k - 1], ordered[-k]
    if trials.info["kind"] == "value":
        return [low, high]
    clock = trials.run["clock"]
    more = trials.uncertainty() * (
        clock["core_hz"] if cycles else 1e9) / clock["hz"]
    if trials.info["rate"]:
        return [1e9 / (1e9 / low + more), 1e9 / (1e9 / high - more)]
    return [low - more, high + more]


def summary(trials, groups, cycles=False):
    """The figures that cycles have as well."""
    pooled = [v for _, _, values in groups for v in values]
    if not pooled:
        return None
    medians = launch_medians(groups, trials.step(cycles))
    return {"median": median(medians),
            "ci": interval(medians, trials, cycles),
            "min": min(pooled), "mean": mean(pooled)}


def spread(groups):
    launches = {}
    for launch, _, values in groups:
        launches.setdefault(launch, []).extend(values)
    launches = [values for values in launches.values() if values]
    means = [mean(values) for values in launches]
    within = [variance(values) for values in launches if len(values) > 1]
    within = mean(within) if within else 0
    trials = sum(len(values) for values in launches) / len(launches)
    between = max(variance(means) - within / trials, 0)
    return {"launches": len(launches),
            "sd_within": math.sqrt(within),
            "sd_between": math.sqrt(variance(means)),
            "max_deviation": max(abs(m - mean(means)) for m in means),
            "icc": between / (between + within) if between > 0 else 0}


def quantiles(groups):
    ordered = sorted(v for _, _, values in groups for v in values)
    return {name: quantile(ordered, p)
            if len(ordered) * min(p, 1 - p) >= 10 - 1e-9 else None
            for name, p in QUANTILES.items()}


def layout(groups, step):
    clones = {}
    for _, clone, values in groups:
        if values:
            clones.setdefault(clone, []).append(grouped_median(values, step))
    ordered = sorted(median(medians) for medians in clones.values())
    apart = None
    if len(ordered) > 1:
        apart = (quantile(ordered, .9) - quantile(ordered, .1)) / \
            quantile(ordered, .5)
    return {"floor": ordered[0], "layout": apart}


def flag_figures(trials):
    flags = trials.all_flags()
    by = {}
    for bits in flags:
        if bits:
            first = FLAGS[(bits & -bits).bit_length() - 1]
            by[first] = by.get(first, 0) + 1
    warm = by.get("warm-up", 0)
    share = 0
    if len(flags) > warm:
        share = (sum(by.values()) - warm) / (len(flags) - warm)
    unsteady = sum(visit["unsteady"] for visit in trials.visits)
    return {"trials": len(flags), "flags_by": by, "flagged": share,
            "unusable": share > .25,
            "unsteady": 0 < unsteady and 4 * unsteady >= len(trials.visits)}


def figures(trials):
    """Every figure of a metric at a point; None: it has no trial."""
    found = flag_figures(trials)
    kind = trials.info["kind"]
    if not found["trials"]:
        return None
    everything = launch_medians(trials.gather(
        BIT["backwards"] | BIT["unverified"] | BIT["warm-up"]),
        trials.step(False))
    found["median_all"] = median(everything) if everything else None
    if kind != "value":
        found["resolution"] = 12 * trials.uncertainty() / trials.per_ns
    clean = trials.gather(ANY)
    basic = summary(trials, clean)
    found.update(basic or {"median": None, "ci": None, "min": None})
    if basic:
        found.update(spread(clean))
        found.update(layout(clean, trials.step(False)))
        found["max"] = max(v for _, _, values in clean for v in values)
        found["quantiles"] = quantiles(clean)
        moved = abs(found["median_all"] / found["median"] - 1) \
            if found["median"] else 0
        found["disturbed"] = found["flagged"] > .05 or moved > .01
    if kind != "value" and not trials.info["rate"]:
        found["cycles"] = summary(
            trials, trials.gather(ANY & ~BIT["frequency"], True), True)
    return found


# ---- the core's frequency ------------------------------------------------

def visit_hz(run, point, timed, v, clean):
    """What the canaries of a visit say; `clean`: beside a clean trial."""
    visit, clock = point["visits"][v], run["clock"]
    overhead = run["launches"][visit["launch"]]["overhead"]
    pairs = timed["flags"][v]
    flagged = {i for i, bits in zip(pairs[::2], pairs[1::2]) if bits}
    trials = len(timed["ticks"][v])
    found = []
    for i, ticks in enumerate(visit["canary"]):
        behind = i * visit["canary_every"]
        beside = {k for k in (behind - 1, behind) if 0 <= k < trials}
        if not clean or beside - flagged:
            found.append(clock["canary_cycles"] / (ticks - overhead) *
                         clock["hz"])
    return found


def core_hz(run, point):
    """Beside the clean trials, else beside all; None: nobody knows."""
    names = [m["name"] for m in run["metrics"] if m["kind"] == "timed"]
    if not names or not run["clock"]["cycles_trusted"]:
        return None
    for clean in True, False:
        launches = {}
        for v, visit in enumerate(point["visits"]):
            launches.setdefault(visit["launch"], []).extend(visit_hz(
                run, point, point["metrics"][names[0]], v, clean))
        medians = [median(hz) for hz in launches.values() if hz]
        if medians:
            return median(medians)
    return None


def check_frequency(run, point, path, wrong):
    """The note has four digits. How many notes were compared."""
    note = point["notes"].get("frequency", "")
    if not note.endswith(" beside the trials"):
        return 0
    digits, unit = note.split()[:2]
    said = float(digits) * {"GHz": 1e9, "MHz": 1e6}[unit]
    ours = core_hz(run, point)
    if ours is None or abs(said / ours - 1) > 5.1e-4:
        wrong.append(f"{path}: {note}, recomputed {ours}")
    return 1


# ---- comparing -----------------------------------------------------------

def agree(ours, theirs):
    if isinstance(ours, bool) or ours is None or theirs is None:
        return ours == theirs
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12)


def compare(ours, theirs, path, wrong):
    """How many numbers were compared."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return sum(compare(value, theirs.get(key), path + "." + key, wrong)
                   for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return sum(compare(a, b, f"{path}[{i}]", wrong)
                   for i, (a, b) in enumerate(zip(ours, theirs)))
    if isinstance(ours, (dict, list)) or isinstance(theirs, (dict, list)) \
            or not agree(ours, theirs):
        wrong.append(f"{path}: {theirs} in the file, recomputed {ours}")
    return 1


def check_file(name):
    with open(name, encoding="utf-8") as file:
        session = json.load(file)
    count, points, wrong = 0, 0, []
    for r, run in enumerate(session["runs"]):
        for p, point in enumerate(run["points"]):
            points += 1
            count += check_frequency(
                run, point, f"{name}: runs[{r}].points[{p}]", wrong)
            for metric in point["metrics"]:
                ours = figures(Trials(run, point, metric))
                theirs = point["metrics"][metric]
                path = f"{name}: runs[{r}].points[{p}].{metric}"
                if ours is None and theirs["median"] is not None:
                    wrong.append(path + ": a figure of no trial")
                if ours is not None:
                    count += compare(ours, theirs, path, wrong)
    for line in wrong:
        print(line)
    print(f"{name}: {count} figures of {points} points recomputed, "
          f"{len(wrong)} differ")
    return not wrong


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    sys.exit(0 if all([check_file(name) for name in sys.argv[1:]]) else 1)
