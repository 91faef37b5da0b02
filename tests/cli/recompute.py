#!/usr/bin/env python3
"""Recomputes every figure of a benchtop session from its trials.

    recompute.py SESSION.json ..

It uses no code of benchtop: it defines the figures in a second language. For
each file it prints how many figures agree, or the figures that differ; then it
exits with 1.

This is how a figure follows from the file. A visit is one stay of a launch at a
point, with one alignment clone.

    canary      between trials. Its ratio is `canary_throughput` divided by
                `canary`, each without the launch's overhead. It can be read
                if it is above sharing.known_alone / 1.25 and below 4 x
                known_alone. Up to sharing.cut the core was not shared.
    usual       latency half of a canary at a point in a launch: the median of
                the canaries on an unshared core. If fewer than a twentieth
                are, the 5th percentile of all canaries, or the value that the
                clock's calibration expects if that is smaller.
    flags       of a visit: index, bits, index, bits. The flags of conditions
                follow from the canaries before and after the trial that can
                be read. All shared: `shared`. All alone: none, or `frequency`
                if one differs from the usual by more than 2 %. Otherwise:
                `mixed`. A steady metric has none of these flags.
    value       of trial i of a visit, in ns per operation and net:
                (ticks - the launch's overhead) / ops * 1e9 / clock.hz
                A derived metric is the sum of weight x value over other
                metrics, trial by trial; with `rate`, 1e9 divided by the sum.
                For metrics with `values` instead of `ticks`, the stored value.
    regimes     alone: trials without flags, or with only `frequency`. shared:
                trials with only `shared`. pooled: these, and trials with
                `mixed`. A launch has a regime
                if it has 20 trials of it, or a tenth of its pooled trials if
                that is fewer. It has no alone if its mixed trials are more
                than a quarter of those alone. Trials of a steady metric have
                none of these flags, nor `frequency`.
    slowdown    of a launch: the median of ln(shared / alone) over its visits
                with both regimes. Of the point: the median of the launches.
    regime      pooled if the slowdown's interval is within ln +-1 %, if there
                is no canary, for steady metrics, and for values that are not
                one per trial. Otherwise the first of
                alone, shared, pooled that six launches have. Otherwise the
                one that more launches have, or alone. It is settled if it is
                alone, or pooled for one of the first three reasons. Unless
                stated below, figures are of trials of this regime, in
                launches that have it.
    median      of the launches' medians. The median of a launch is the
                interquartile mean of its visits' medians (the mean of the
                middle half), so that each clone counts once whatever its
                number of trials. Trials of several visits are never pooled.
                The median of a visit is that of grouped data: equal readings
                of the clock are spread evenly over its step, quantum / ops.
    ci          order statistics k and n + 1 - k of the n launch medians, with
                the largest k for which P(Bin(n, 1/2) < k) <= 2.5 %. Except in
                `regimes`, both ends are widened by a quarter of the overhead's
                mean jitter.
    quality     not enough data: no ci, or a half width above five times the
                precision and above 5 %. shared core: not settled, or others
                used a fifth of the processor of tasks that sleep. rough: a
                half width above the precision, or unsteady. Otherwise good. A
                half width up to the quantum or the resolution is small enough.
                If the half width of ci is above the precision, and that of
                cycles.ci, relative to cycles.median, is less than half of it,
                the latter counts.
    shared, excluded   fractions of the trials after the warm-up: those with
                only `shared`, and those with a flag other than `shared` and
                `frequency`; `mixed` does not count if the regime is pooled.
    min, max, mean   of trials.
    sd_within   root of the mean, over launches of at least two trials, of the
                variance (n - 1) of a launch's trials.
    sd_between  standard deviation (n - 1) of the launches' means.
    max_deviation    of a launch's mean from the mean of these.
    icc         fraction of the variance that is between launches.
    quantiles   of trials, type 7; null with fewer than ten trials beyond.
    floor, layout    of the clones' medians over launches: the smallest, and
                (p90 - p10) / p50.
    median_all  of all trials except the warm-up, trials with a backward step
                of the clock, and visits that were not verified.
    cycles      median, ci, min and mean of ticks x cycles per tick. The cycles
                per tick are from the canaries before and after the trial, or
                from the usual canary if these are shared or mixed.
"""
import json
import math
import sys

FLAGS = ["backwards", "migrated", "preempted", "switched", "faulted",
         "shared", "frequency", "warm-up", "unverified", "mixed"]
BIT = {name: 1 << i for i, name in enumerate(FLAGS)}
CONDITIONS = BIT["shared"] | BIT["mixed"] | BIT["frequency"]
WITH_FIGURE = BIT["shared"] | BIT["frequency"]
NO_FIGURE = BIT["backwards"] | BIT["unverified"] | BIT["warm-up"]
INTERRUPTED = NO_FIGURE | BIT["migrated"] | BIT["preempted"] | \
    BIT["switched"] | BIT["faulted"]
REGIMES = ["pooled", "alone", "shared"]
STEP, REACH = 1.25, 4       # of a canary's ratio, relative to alone
ENOUGH, ENOUGH_SHARE, STEADY_TIMES = 20, 10, 4
LAUNCHES = 6
ALONE_SHARE = 20
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
    # Relative to the first: the mean of equal values is exact.
    first = values[0]
    return first + math.fsum(v - first for v in values) / len(values)


def midmean(values):
    """The mean of the middle half."""
    ordered, n = sorted(values), len(values)
    if ordered[0] == ordered[-1]:
        return ordered[0]
    weights = [max(0, min(i + 1, n * .75) - max(i, n * .25))
               for i in range(n)]
    return ordered[0] + math.fsum(
        w * (v - ordered[0]) for w, v in zip(weights, ordered)) / (n / 2)


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


# ---- canaries ------------------------------------------------------------

class Canaries:
    """The canaries of a point, and the conditions that they show."""

    def __init__(self, run, point):
        self.run, self.visits = run, point["visits"]
        self.sharing = run.get("sharing")
        self.usual = {}
        launches = {}
        for v, visit in enumerate(self.visits):
            launches.setdefault(visit["launch"], []).append(v)
        for launch, visits in launches.items():
            self.usual[launch] = self.find_usual(visits)

    def overhead(self, v):
        return self.run["launches"][self.visits[v]["launch"]]["overhead"]

    def latency(self, v, i):
        return self.visits[v]["canary"][i] - self.overhead(v)

    def state(self, v, i):
        """"alone", "shared" or None: it cannot be read."""
        if not self.sharing:
            return None
        throughput = self.visits[v]["canary_throughput"][i] - self.overhead(v)
        ratio = throughput / self.latency(v, i)
        known = self.sharing["known_alone"]
        if not known / STEP < ratio < known * REACH:
            return None
        return "alone" if ratio <= self.sharing["cut"] else "shared"

    def find_usual(self, visits):
        """The frequency in the visits of one launch; 0: no canary."""
        all_of = [(v, i) for v in visits
                  for i in range(len(self.visits[v]["canary"]))]
        alone = [self.latency(v, i) for v, i in all_of
                 if self.state(v, i) == "alone"]
        if alone and len(alone) * ALONE_SHARE >= len(all_of):
            return median(alone)
        if not all_of:
            return 0
        clock = self.run["clock"]
        floor = quantile(sorted(self.latency(v, i) for v, i in all_of), .05)
        if not clock["core_hz"]:
            return floor
        calibrated = clock["canary_cycles"] / clock["core_hz"] * clock["hz"]
        return min(floor, calibrated) if calibrated > 0 else floor

    def usual_of(self, v):
        return self.usual[self.visits[v]["launch"]]

    def edges(self, v, i):
        """The canaries before and after a trial."""
        first = i // self.visits[v]["canary_every"]
        return [e for e in (first, first + 1)
                if e < len(self.visits[v]["canary"])]

    def conditions(self, v, i):
        """The flags of a trial that follow from canaries."""
        edges = self.edges(v, i)
        seen = {self.state(v, e) for e in edges} - {None}
        if seen == {"shared"}:
            return BIT["shared"]
        if seen != {"alone"}:
            return BIT["mixed"]
        usual = self.usual_of(v)
        off = any(abs(self.latency(v, e) - usual) > .02 * usual
                  for e in edges if self.state(v, e))
        return BIT["frequency"] if off else 0

    def core_hz(self):
        """The frequency beside the trials; None: unknown."""
        clock = self.run["clock"]
        hz = [clock["canary_cycles"] / usual * clock["hz"]
              for usual in self.usual.values() if usual > 0]
        return median(hz) if hz and clock["cycles_trusted"] else None


# ---- trials --------------------------------------------------------------

class Trials:
    """The data of one metric at one point."""

    def __init__(self, run, point, name):
        self.run, self.point, self.name = run, point, name
        self.info = next(m for m in run["metrics"] if m["name"] == name)
        self.metric = point["metrics"][name]
        self.visits = point["visits"]
        self.canaries = Canaries(run, point)
        self.steady = self.info.get("steady", False)
        self.per_ns = run["clock"]["hz"] / 1e9
        self.parts = {name: 1}
        if self.info["kind"] == "derived":
            self.parts = self.metric["derived"]["weights"]
        self.marks = {part: [self.flags_of(part, v)
                             for v in range(len(self.visits))]
                      for part in self.parts}

    def has_one_thread(self):
        return "threads" in self.run["plan"]["traits"] and \
            self.point["args"].get("threads") == "1"

    def others_matter(self):
        return self.run["place"].get("others", 0) > .2 and \
            not self.steady and not self.has_one_thread()

    def flags_of(self, part, visit):
        pairs = self.point["metrics"][part]["flags"][visit]
        return dict(zip(pairs[::2], pairs[1::2]))

    def launch(self, visit):
        return self.run["launches"][self.visits[visit]["launch"]]

    def cycles_per_tick(self, visit, i, flags):
        clock, about = self.run["clock"], self.visits[visit]
        if not about["canary_every"] or not clock["cycles_trusted"]:
            return math.nan
        if flags & (BIT["shared"] | BIT["mixed"]):
            latency = self.canaries.usual_of(visit)
        else:
            beside = [self.canaries.latency(visit, e)
                      for e in self.canaries.edges(visit, i)]
            latency = mean(beside) if beside else 0
        return clock["canary_cycles"] / latency if latency > 0 else math.nan

    def count(self, visit):
        if self.info["kind"] == "value":
            return len(self.metric["values"][visit])
        return self.visits[visit]["trials"]

    def trial(self, visit, i, cycles=False):
        """Value and flags; None: no such trial."""
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
        total *= (self.cycles_per_tick(visit, i, flags) if cycles
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
        """The value of one step of the clock."""
        if self.info["kind"] != "timed" or not self.metric["ops"]:
            return 0  # without trials there are no operations
        ticks = self.run["clock"]["quantum"] / self.metric["ops"]
        ns = ticks / self.per_ns
        return ns * 1e-9 * self.run["clock"]["core_hz"] if cycles else ns

    def quantum(self):
        """The smallest difference that one trial can show."""
        if self.info["kind"] == "value" or self.info["rate"]:
            return 0
        return self.ticks_per_operation(
            self.run["clock"]["quantum"]) / self.per_ns

    def gather(self, cycles=False):
        """(launch, clone, values by class) of each visit."""
        visits = []
        for v, visit in enumerate(self.visits):
            classes = {"alone": [], "shared": [], "mixed": [], "excluded": []}
            for i in range(self.count(v)):
                trial = self.trial(v, i, cycles)
                if trial and not trial[1] & NO_FIGURE and \
                        math.isfinite(trial[0]):
                    classes[self.class_of(trial[1])].append(trial[0])
            visits.append((visit["launch"], visit["clone"], classes))
        return visits

    def class_of(self, flags):
        if self.steady:
            flags &= ~CONDITIONS
        if flags & INTERRUPTED:
            return "excluded"
        if flags & BIT["mixed"]:
            return "mixed"
        return "shared" if flags & BIT["shared"] else "alone"

    def parted(self):
        """Do canaries distinguish its trials?"""
        return not self.steady and self.has_value_per_trial() and any(
            visit["canary"] for visit in self.visits)

    def has_value_per_trial(self):
        return all(self.count(v) == visit["trials"]
                   for v, visit in enumerate(self.visits))

    def all_flags(self):
        found = (self.trial(v, i) for v in range(len(self.visits))
                 for i in range(self.count(v)))
        return [trial[1] for trial in found if trial]


# ---- regimes -------------------------------------------------------------

POOLED = ("alone", "shared", "mixed")
CLASSES = {"pooled": POOLED, "alone": ("alone",), "shared": ("shared",),
           "all": POOLED + ("excluded",)}


def groups_of(gathered, regime):
    """(launch, clone, values) of each visit, without launches that have too
    few trials in the regime."""
    own, pooled, mixed = {}, {}, {}
    for launch, _, classes in gathered:
        mixed[launch] = mixed.get(launch, 0) + len(classes["mixed"])
        own[launch] = own.get(launch, 0) + sum(
            len(classes[c]) for c in CLASSES[regime])
        pooled[launch] = pooled.get(launch, 0) + sum(
            len(classes[c]) for c in POOLED)
    groups = []
    for launch, clone, classes in gathered:
        enough = regime in ("pooled", "all") or 0 < own[launch] >= min(
            ENOUGH, pooled[launch] // ENOUGH_SHARE)
        if regime == "alone" and own[launch] < STEADY_TIMES * mixed[launch]:
            enough = False
        groups.append((launch, clone, [
            v for c in CLASSES[regime] for v in classes[c]] if enough else []))
    return groups


def order_interval(values):
    k = rank_of_interval(len(values))
    if not k:
        return None
    ordered = sorted(values)
    return [ordered[k - 1], ordered[-k]]


def regime_figures(gathered, regime, step):
    groups = groups_of(gathered, regime)
    medians = launch_medians(groups, step)
    return {"trials": sum(len(values) for _, _, values in groups),
            "launches": len(medians),
            "median": median(medians) if medians else None,
            "ci": order_interval(medians)}


def slowdown(gathered, step):
    """The slowdown by a co-runner, within visits."""
    costs = {}
    for (launch, _, alone), (_, _, shared) in zip(
            groups_of(gathered, "alone"), groups_of(gathered, "shared")):
        if not alone or not shared:
            continue
        ends = grouped_median(alone, step), grouped_median(shared, step)
        if min(ends) > 0:
            costs.setdefault(launch, []).append(math.log(ends[1] / ends[0]))
    costs = [median(of) for of in costs.values()]
    ci = order_interval(costs)
    return {"launches": len(costs),
            "factor": math.exp(median(costs)) if costs else None,
            "ci": ci and [math.exp(end) for end in ci]}


def matters(cost, parted):
    """Does a co-runner change the figure?"""
    insensitive = cost["ci"] and all(
        abs(math.log(end)) <= .01 for end in cost["ci"])
    return parted and not insensitive


def regime_of(regimes, cost, parted):
    launches = {regime: regimes[regime]["launches"] for regime in REGIMES}
    if not matters(cost, parted):
        return "pooled"
    for regime in ("alone", "shared", "pooled"):
        if launches[regime] >= LAUNCHES:
            return regime
    if not launches["alone"] + launches["shared"]:
        return "pooled"
    return "shared" if launches["shared"] > launches["alone"] else "alone"


def half_of(plan, found):
    """The half width that is judged, divided by the median."""
    half = (found["ci"][1] - found["ci"][0]) / 2 / abs(found["median"])
    cycles = found.get("cycles")
    if cycles and cycles["ci"] and half > plan["precision"]:
        narrow = (cycles["ci"][1] - cycles["ci"][0]) / 2 / \
            abs(cycles["median"])
        half = narrow if narrow < half / 2 else half
    return half


def quality_of(trials, found):
    plan = trials.run["plan"]
    if trials.steady and found["regimes"]["pooled"]["trials"]:
        return "good"
    if not found["ci"]:
        return "not enough data"
    size = abs(found["median"])
    half = half_of(plan, found) * size if size else \
        (found["ci"][1] - found["ci"][0]) / 2
    finest = max(trials.quantum(), found.get("resolution", 0))
    if half > max(max(5 * plan["precision"], .05) * size, finest):
        return "not enough data"
    if trials.others_matter() or found["regime"] != "alone" and \
            matters(found["slowdown"], trials.parted()):
        return "shared core"
    if half > max(plan["precision"] * size, finest) or found["unsteady"]:
        return "rough"
    return "good"


# ---- figures -------------------------------------------------------------

def launch_medians(groups, step):
    launches = {}
    for launch, _, values in groups:
        if values:
            launches.setdefault(launch, []).append(
                grouped_median(values, step))
    return [midmean(visits) for visits in launches.values()]


def interval(medians, trials, cycles):
    ends = order_interval(medians)
    if not ends or trials.info["kind"] == "value":
        return ends
    low, high = ends
    clock = trials.run["clock"]
    more = trials.uncertainty() * (
        clock["core_hz"] if cycles else 1e9) / clock["hz"]
    if trials.info["rate"]:
        return [1e9 / (1e9 / low + more), 1e9 / (1e9 / high - more)]
    return [low - more, high + more]


def summary(trials, groups, cycles=False):
    """The figures that are also given in cycles."""
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
    if len(ordered) > 1 and quantile(ordered, .5):
        apart = (quantile(ordered, .9) - quantile(ordered, .1)) / \
            quantile(ordered, .5)
    return {"floor": ordered[0], "layout": apart}


def flag_figures(trials):
    flags = trials.all_flags()
    by = {}
    warm = excluded = shared = mixed = 0
    for bits in flags:
        if bits & BIT["warm-up"]:
            bits = BIT["warm-up"]
            warm += 1
        elif bits & ~WITH_FIGURE:
            bits &= ~WITH_FIGURE
            excluded += bits != BIT["mixed"]
            mixed += bits == BIT["mixed"]
        elif bits & BIT["shared"]:
            shared += 1
        if bits:
            first = FLAGS[(bits & -bits).bit_length() - 1]
            by[first] = by.get(first, 0) + 1
    past = max(len(flags) - warm, 1)
    unsteady = sum(visit["unsteady"] for visit in trials.visits)
    return {"trials": len(flags), "flags_by": by,
            "shared": shared / past, "excluded": excluded / past,
            "mixed": mixed / past,
            "unsteady": 0 < unsteady and 4 * unsteady >= len(trials.visits)}


def figures(trials):
    """Every figure of a metric at a point; None: no trial."""
    found = flag_figures(trials)
    kind, step = trials.info["kind"], trials.step(False)
    if not found["trials"]:
        return None
    gathered = trials.gather()
    found["regimes"] = {regime: regime_figures(gathered, regime, step)
                        for regime in REGIMES}
    found["slowdown"] = slowdown(gathered, step)
    found["regime"] = regime_of(found["regimes"], found["slowdown"],
                                trials.parted())
    mixed = found.pop("mixed")
    found["excluded"] += mixed if found["regime"] != "pooled" else 0
    everything = launch_medians(groups_of(gathered, "all"), step)
    found["median_all"] = median(everything) if everything else None
    if kind != "value":
        found["resolution"] = 12 * trials.uncertainty() / trials.per_ns
    groups = groups_of(gathered, found["regime"])
    basic = summary(trials, groups)
    found.update(basic or {"median": None, "ci": None, "min": None,
                           "launches": 0})
    if basic:
        found.update(spread(groups))
        found.update(layout(groups, step))
        found["launch_medians"] = launch_medians(groups, step)
        found["max"] = max(v for _, _, values in groups for v in values)
        found["quantiles"] = quantiles(groups)
    if kind != "value" and not trials.info["rate"]:
        found["below_resolution"] = bool(basic) and \
            found["median"] < found["resolution"]
        found["cycles"] = summary(trials, groups_of(
            trials.gather(True), found["regime"]), True)
    found["quality"] = quality_of(trials, found)
    return found


# ---- the core's frequency ------------------------------------------------

def check_frequency(run, point, path, wrong):
    """Compares notes of four digits; returns how many."""
    note = point["notes"].get("frequency", "")
    if not note.endswith(" beside the trials"):
        return 0
    digits, unit = note.split()[:2]
    said = float(digits) * {"GHz": 1e9, "MHz": 1e6}[unit]
    ours = Canaries(run, point).core_hz()
    if ours is None or abs(said / ours - 1) > 5.1e-4:
        wrong.append(f"{path}: {note}, recomputed {ours}")
    return 1


# ---- conditions ----------------------------------------------------------

def check_conditions(run, point, path, wrong):
    """Compares the flags that follow from canaries, of every metric with a
    value for each trial; returns how many."""
    canaries, count = Canaries(run, point), 0
    steady = {m["name"] for m in run["metrics"] if m.get("steady")}
    if not canaries.sharing:
        return 0
    for v, visit in enumerate(point["visits"]):
        if not visit["canary_every"] or not visit["canary"]:
            continue
        ours = [canaries.conditions(v, i) for i in range(visit["trials"])]
        for name, metric in point["metrics"].items():
            samples = metric.get("ticks", metric.get("values"))
            if samples is None or name in steady or \
                    len(samples[v]) != visit["trials"]:
                continue
            pairs = metric["flags"][v]
            marks = dict(zip(pairs[::2], pairs[1::2]))
            for i, bits in enumerate(ours):
                count += 1
                if marks.get(i, 0) & CONDITIONS != bits:
                    wrong.append(f"{path}.{name}: visits[{v}], trial {i}: "
                                 f"flags {marks.get(i, 0)} in the file, "
                                 f"by its canaries {bits}")
    return count


# ---- comparing -----------------------------------------------------------

# What the figures follow from; and the steps of the core's frequency, which
# `verify` recomputes.
GIVEN = {"unit", "ops", "flags", "ticks", "values", "derived", "published",
         "steps"}


def agree(ours, theirs, resolution):
    if isinstance(ours, (bool, str)) or ours is None or theirs is None:
        return ours == theirs
    return math.isclose(ours, theirs, rel_tol=1e-9,
                        abs_tol=max(1e-12, resolution))


def has_figure(member):
    if isinstance(member, dict):
        return any(has_figure(value) for value in member.values())
    return bool(member)


def resolution_of(ours, key):
    """What rounding may change: a mean, of a frequency by 1e-6 Hz; and whether
    a reading half a step away is that of a median."""
    if key in ("sd_within", "sd_between", "max_deviation"):
        return 4 * math.ulp(ours["mean"])
    if key == "launch_medians":
        return ours.get("resolution", 0)
    if key == "icc" and ours["sd_between"]:
        return 4 * math.ulp(ours["mean"]) / ours["sd_between"]
    return 0


def compare(ours, theirs, path, wrong, resolution=0):
    """Returns the number of compared numbers."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        wrong += [f"{path}.{key}: {theirs[key]} in the file, not recomputed"
                  for key in theirs.keys() - ours.keys() - GIVEN
                  if has_figure(theirs[key])]
        return sum(compare(value, theirs.get(key), path + "." + key, wrong,
                           resolution_of(ours, key))
                   for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            wrong.append(f"{path}: {len(theirs)} values in the file, "
                         f"recomputed {len(ours)}")
        return sum(compare(a, b, f"{path}[{i}]", wrong, resolution)
                   for i, (a, b) in enumerate(zip(ours, theirs)))
    if isinstance(ours, (dict, list)) or isinstance(theirs, (dict, list)) \
            or not agree(ours, theirs, resolution):
        wrong.append(f"{path}: {theirs} in the file, recomputed {ours}")
    return 1


def check_file(name):
    with open(name, encoding="utf-8") as file:
        session = json.load(file)
    count, points, flags, wrong, bare = 0, 0, 0, [], 0
    for r, run in enumerate(session["runs"]):
        if run.get("figures_only"):
            bare += 1
            continue
        for p, point in enumerate(run["points"]):
            points += 1
            path = f"{name}: runs[{r}].points[{p}]"
            count += check_frequency(run, point, path, wrong)
            flags += check_conditions(run, point, path, wrong)
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
          f"{len(wrong)} differ; {flags} trials judged again"
          + (f"; {bare} runs keep no trials" if bare else ""))
    return not wrong


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    sys.exit(0 if all([check_file(name) for name in sys.argv[1:]]) else 1)
