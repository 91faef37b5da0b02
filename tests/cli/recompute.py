#!/usr/bin/env python3
"""Recomputes every figure of a benchtop session from its trials.

    recompute.py SESSION.json ..

Nothing of benchtop is used: this program is the definition of the figures in
a second language. For each file it prints how many figures agree, or those
that do not; it exits with 1 where one differs.

How a figure follows from the file. A point's visits are one stay at the point
each: of one launch, at one alignment clone.

    canary      between trials. Its ratio is that of its halves, each net of
                the launch's overhead, `canary_throughput` over `canary`. It
                can be read where it is above sharing.known_alone / 1.25 and
                below 4 x known_alone; up to sharing.cut the core was its own.
    usual       latency half at a point in a launch: the median over the
                canaries of a core of its own. Where fewer than a twentieth
                are, the 5th percentile of all, or what the clock's
                calibration expects where that is less.
    flags       of a visit: index, bits, index, bits. Those of sharing follow
                from the canaries before and after the trial. Of those that
                can be read: all shared: `shared`; all alone: none, but
                `frequency` where one is more than 2 % off the usual; else
                `mixed`. A steady metric has none of these.
    value       of trial i of a visit, in ns per operation and net:
                (ticks - the launch's overhead) / ops * 1e9 / clock.hz
                derived metrics: the sum of weight x value of other metrics'
                trial i; the reciprocal, times 1e9, where `rate` is set.
                Metrics with `values` instead of `ticks` are what they say.
    regimes     alone: trials with no flag; shared: with `shared` and no
                other; pooled: these and `mixed` ones. A launch has a regime
                where it has 20 trials of it, or a tenth of its pooled ones
                where that is less. Trials of a steady metric are all without
                these flags and `frequency`.
    slowdown    of a launch: the median over its visits that have both regimes
                of ln(shared / alone); of the point: that of the launches.
    regime      pooled where the slowdown's interval is within ln +-1 %, where
                there is no canary, and of steady metrics. Else the first that
                six launches have: alone, shared, pooled. Else what more of
                them have, or alone. It is settled where it is alone, or
                pooled for one of the first three reasons. All figures but
                those named below are of trials of this regime, in launches
                that have it.
    median      of the launches' medians. A launch's is the median over its
                visits' medians, so that each clone counts once, however many
                trials it has; trials of several visits are never pooled. A
                visit's is grouped: readings of the clock that are equal are
                thought of as spread evenly over its step, quantum / ops.
    ci          order statistics k and n + 1 - k of the n launch medians, k
                the largest with P(Bin(n, 1/2) < k) <= 2.5 %; widened at both
                ends by a quarter of the overhead's mean jitter, but those
                within `regimes`.
    quality     not enough data: no ci, or its half above five times the
                precision and 5 %; shared core: not settled; rough: its half
                above the precision, or unsteady; else good. A half as small
                as the quantum or the resolution is never too wide.
    shared, excluded   shares of the trials past the warm-up: those with
                `shared` alone, and those with any other flag.
    min, max, mean   of trials.
    sd_within   root of the mean over launches of the variance of a launch's
                trials (n - 1), launches of two trials or more.
    sd_between  standard deviation (n - 1) of the launches' means.
    max_deviation    of a launch's mean from the mean of these.
    icc         share of the variance that is between launches.
    quantiles   of trials, type 7; null with fewer than ten trials beyond.
    floor, layout    of the clones' medians over launches: the least, and
                (p90 - p10) / p50.
    median_all  of all trials, but not the warm-up, nor those whose clock
                stepped back or whose visit was not verified.
    cycles      median, ci, min and mean of ticks x the cycles per tick that
                the canaries before and after the trial show, or the usual
                canary where they are shared or mixed; `frequency` excludes
                nothing here.
"""
import json
import math
import sys

FLAGS = ["backwards", "migrated", "preempted", "switched", "faulted",
         "shared", "frequency", "warm-up", "unverified", "mixed"]
BIT = {name: 1 << i for i, name in enumerate(FLAGS)}
CONDITIONS = BIT["shared"] | BIT["mixed"] | BIT["frequency"]
NO_FIGURE = BIT["backwards"] | BIT["unverified"] | BIT["warm-up"]
INTERRUPTED = NO_FIGURE | BIT["migrated"] | BIT["preempted"] | \
    BIT["switched"] | BIT["faulted"]
REGIMES = ["pooled", "alone", "shared"]
STEP, REACH = 1.25, 4       # of a canary's ratio, times that of alone
ENOUGH, ENOUGH_SHARE = 20, 10
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


# ---- canaries ------------------------------------------------------------

class Canaries:
    """Those of a point: how they were judged, and what follows."""

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
        """Of the visits of one launch; 0: no canary."""
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
        """The flags of a trial's sharing."""
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
        """Beside the trials; None: not known."""
        clock = self.run["clock"]
        hz = [clock["canary_cycles"] / usual * clock["hz"]
              for usual in self.usual.values() if usual > 0]
        return median(hz) if hz and clock["cycles_trusted"] else None


# ---- trials --------------------------------------------------------------

class Trials:
    """What the file holds of one metric at one point."""

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
        """What one step of the clock is worth."""
        if self.info["kind"] != "timed":
            return 0
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
        """Of each visit, (launch, clone, values by class)."""
        visits = []
        for v, visit in enumerate(self.visits):
            classes = {"alone": [], "shared": [], "mixed": [], "excluded": []}
            for i in range(self.count(v)):
                trial = self.trial(v, i, cycles)
                if trial and not trial[1] & NO_FIGURE and \
                        math.isfinite(trial[0]):
                    classes[self.class_of(trial[1], cycles)].append(trial[0])
            visits.append((visit["launch"], visit["clone"], classes))
        return visits

    def class_of(self, flags, cycles):
        if self.steady:
            flags &= ~CONDITIONS
        if flags & INTERRUPTED or (flags & BIT["frequency"] and not cycles):
            return "excluded"
        if flags & BIT["mixed"]:
            return "mixed"
        return "shared" if flags & BIT["shared"] else "alone"

    def parted(self):
        """Do canaries tell its trials apart?"""
        return not self.steady and any(
            visit["canary"] for visit in self.visits)

    def all_flags(self):
        found = (self.trial(v, i) for v in range(len(self.visits))
                 for i in range(self.count(v)))
        return [trial[1] for trial in found if trial]


# ---- regimes -------------------------------------------------------------

POOLED = ("alone", "shared", "mixed")
CLASSES = {"pooled": POOLED, "alone": ("alone",), "shared": ("shared",),
           "all": POOLED + ("excluded",)}


def groups_of(gathered, regime):
    """(launch, clone, values) of each visit; none of a launch that has too
    few trials of the regime."""
    own, pooled = {}, {}
    for launch, _, classes in gathered:
        own[launch] = own.get(launch, 0) + sum(
            len(classes[c]) for c in CLASSES[regime])
        pooled[launch] = pooled.get(launch, 0) + sum(
            len(classes[c]) for c in POOLED)
    groups = []
    for launch, clone, classes in gathered:
        enough = regime in ("pooled", "all") or 0 < own[launch] >= min(
            ENOUGH, pooled[launch] // ENOUGH_SHARE)
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
    """What a co-runner costs, within visits."""
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
    """Is a figure another beside a co-runner, by what is known?"""
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


def quality_of(trials, found):
    plan = trials.run["plan"]
    if trials.steady and found["regimes"]["pooled"]["trials"]:
        return "good"
    if not found["ci"]:
        return "not enough data"
    size = abs(found["median"])
    half = (found["ci"][1] - found["ci"][0]) / 2
    finest = max(trials.quantum(), found.get("resolution", 0))
    if half > max(max(5 * plan["precision"], .05) * size, finest):
        return "not enough data"
    if found["regime"] != "alone" and \
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
    return [median(visits) for visits in launches.values()]


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
    warm = excluded = shared = 0
    for bits in flags:
        if bits & BIT["warm-up"]:
            bits = BIT["warm-up"]
            warm += 1
        elif bits & ~BIT["shared"]:
            bits &= ~BIT["shared"]
            excluded += 1
        elif bits:
            shared += 1
        if bits:
            first = FLAGS[(bits & -bits).bit_length() - 1]
            by[first] = by.get(first, 0) + 1
    past = max(len(flags) - warm, 1)
    unsteady = sum(visit["unsteady"] for visit in trials.visits)
    return {"trials": len(flags), "flags_by": by,
            "shared": shared / past, "excluded": excluded / past,
            "unsteady": 0 < unsteady and 4 * unsteady >= len(trials.visits)}


def figures(trials):
    """Every figure of a metric at a point; None: it has no trial."""
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
    """The note has four digits. How many notes were compared."""
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
    """The flags of sharing, of every metric that has a value for each trial.
    How many were compared."""
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

def agree(ours, theirs):
    if isinstance(ours, (bool, str)) or ours is None or theirs is None:
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
    count, points, flags, wrong = 0, 0, 0, []
    for r, run in enumerate(session["runs"]):
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
          f"{len(wrong)} differ; {flags} trials judged again")
    return not wrong


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    sys.exit(0 if all([check_file(name) for name in sys.argv[1:]]) else 1)
