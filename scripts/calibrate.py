#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the cost keys that have no public number to the measured rows of two ranks, and predicts those of more.

Writes four Markdown tables into DIR: calibration-fit.md, calibration-prediction.md, calibration-parts.md and
calibration-keys.md. docs/calibration.md says what they mean. Usage: calibrate.py FENCEBENCH DIR
"""
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

BENCH, OUT = sys.argv[1], sys.argv[2]
KERNEL = "kernels/measured/allreduce_call.py"
BASE_TOOLCHAIN = "./kernels/measured/base.toolchain"
CYCLES_PER_US = 1850  # hw-facts Units
SEEDS = 3
SIZES = [262144, 1048576, 4194304]  # bytes a rank: 64K, 256K and 1M elements of FP32

# device.md 1, the final report: (ranks, bytes) to the legs of BASE and of HEAD in us, and the median change in percent.
MEASURED = {
    (2, 262144): ((361, 262), (289, 233), -16.2),
    (2, 1048576): ((661, 450), (608, 458), -4.1),
    (2, 4194304): ((997, 1413), (895, 1316), -8.3),
    (4, 262144): ((891, 845), (742, 793), -11.6),
    (4, 1048576): ((1379, 1610), (1302, 1464), -7.5),
    (4, 4194304): ((2958, 2913), (2819, 2492), -9.5),
}
# The earlier campaign's best legs, for comparison only.
EARLIER = {(2, 262144): -3.4, (2, 1048576): -31.6, (2, 4194304): -20.3,
           (4, 262144): -17.3, (4, 1048576): -24.7, (4, 4194304): -16.0}

# Before the change, with the barrier in front of the notify taken out alone, and after the change.
LEGS = {"BASE": ("none", BASE_TOOLCHAIN), "no barrier": ("none", "ptoas-0.57"), "HEAD": ("loops", "ptoas-0.57")}


def around(key, spread):
    return lambda v: f"{key} = uniform {v * (1 - spread):.0f} {v * (1 + spread):.0f}"


def tailed(keys, half, p, n):
    return lambda v: "\n".join(f"{k} = tail {max(v - half, 1):.0f} {v + half:.0f} {p} {n}" for k in keys)


# A key: its middle in a2a3, the range of its source, that source, and how a value is written in a model file.
KEYS = {
    "skew": (1500, 18500, 2500000, "half of the last start: released within 0.02 to 2.7 ms (pypto#2490)",
             lambda v: f"skew = uniform 0 {2 * v:.0f}"),
    "store_bytes_per_cycle": (16, 16, 109, "two public numbers that differ 6.7 times (hw-facts 4.1)", None),
    "post_peer": (950, 500, 1850, "one way to a peer (hw-facts 4.2)",
                  tailed(("post_peer_scalar", "post_peer_dma"), 450, 0.01, 3000)),
    "mte2_peer": (1070, 740, 2800, "first byte from a peer (hw-facts 4.2)", tailed(("mte2_peer",), 330, 0.01, 1400)),
    "mte3": (175, 100, 600, "start-up of a store (hw-facts 4.2)", around("mte3", 0.4)),
    "dcci_all": (305, 40, 1850, "whole-cache invalidate (hw-facts 4.2)", around("dcci_all", 0.5)),
    "barrier_all": (40, 20, 100, "barrier of empty pipes (hw-facts 4.2)", around("barrier_all", 0.5)),
    "dsb": (30, 10, 60, "dsb with nothing outstanding (hw-facts 4.2)", around("dsb", 0.3)),
    "miss_local": (275, 100, 650, "line fill (hw-facts 4.2)", around("miss_local", 0.3)),
}
FITTED = ["skew", "store_bytes_per_cycle", "post_peer"]
DRAWS, KEPT, EVALUATIONS = 150, 30, 60


def model_text(values):
    costs = "\n".join(KEYS[k][4](v) for k, v in values.items() if KEYS[k][4])
    rate = values.get("store_bytes_per_cycle", 16)
    return (f"[model]\ninherit = a2a3\ndoc = a2a3 with costs of a calibration\n\n"
            f"[bandwidth]\nstore_bytes_per_cycle = {rate:.0f}\n\n[cost]\n{costs}\n")


def clipped(values):
    return {k: min(max(v, KEYS[k][1]), KEYS[k][2]) for k, v in values.items()}


def run(values, leg, ranks, sizes, seeds=SEEDS):
    """(ranks, bytes) to the row that flushes writes."""
    batch, toolchain = LEGS[leg]
    with tempfile.TemporaryDirectory() as work:
        model, table = os.path.join(work, "calibrated.model"), os.path.join(work, "rows.csv")
        with open(model, "w", encoding="utf-8") as f:
            f.write(model_text(values))
        done = subprocess.run(
            [BENCH, "flushes", KERNEL, "-P", ",".join(map(str, ranks)), "--payload=" + ",".join(map(str, sizes)),
             f"--compare={batch}", f"--toolchain={toolchain}", f"--model={model}", f"--runs={seeds}", "-j1",
             f"--csv={table}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):  # 1: the overrun that every mesh has (docs/findings.md)
            sys.exit(done.stderr)
        with open(table, encoding="utf-8") as f:
            return {(int(r["ranks"]), int(r["payload_bytes"])): r for r in csv.DictReader(f)}


def microseconds(rows):
    return {at: float(r["cycles_mean"]) / CYCLES_PER_US for at, r in rows.items()}


def each(jobs):
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(lambda job: job(), jobs))


def both(values, ranks, sizes, seeds=SEEDS):
    base, head = each([lambda leg=leg: microseconds(run(values, leg, ranks, sizes, seeds)) for leg in ("BASE", "HEAD")])
    return base, head


def mean(numbers):
    return sum(numbers) / len(numbers)


def misfit(values, seeds=SEEDS):
    """Root of the mean square of the logarithms of model over measured, of the six times of two ranks."""
    times = both(values, [2], SIZES, seeds)
    errors = [math.log(times[leg][2, size] / mean(MEASURED[2, size][leg])) for size in SIZES for leg in (0, 1)]
    return math.sqrt(mean([e * e for e in errors]))


def legs_scatter():
    """The same of the two legs of each row against their mean: what a fit can reach."""
    errors = [math.log(leg / mean(row[b])) for (p, _), row in MEASURED.items() if p == 2 for b in (0, 1) for leg in row[b]]
    return math.sqrt(mean([e * e for e in errors]))


def nelder_mead(start, f, evaluations):
    """Over the logarithms of the values; a value outside its range counts as the end of it."""
    names, seen = list(start), {}

    def at(point):
        values = clipped({k: math.exp(x) for k, x in zip(names, point)})
        key = tuple(f"{v:.0f}" for v in values.values())
        if key not in seen:
            seen[key] = (f(values), values)
        return seen[key][0]

    first = [math.log(v) for v in start.values()]
    simplex = [first] + [[x + (0.7 if i == j else 0) for j, x in enumerate(first)] for i in range(len(first))]
    for _ in range(evaluations):  # of which a point that was seen before costs nothing
        if len(seen) >= evaluations:
            break
        simplex.sort(key=at)
        worst, rest = simplex[-1], simplex[:-1]
        centre = [mean(c) for c in zip(*rest)]
        along = lambda t: [c + t * (w - c) for c, w in zip(centre, worst)]
        reflected = along(-1)
        if at(reflected) < at(simplex[0]):
            simplex[-1] = min(along(-2), reflected, key=at)
        elif at(reflected) < at(simplex[-2]):
            simplex[-1] = reflected
        elif at(along(0.5)) < at(worst):
            simplex[-1] = along(0.5)
        else:
            simplex = [[(x + b) / 2 for x, b in zip(p, simplex[0])] for p in simplex]
        if max(abs(x - b) for p in simplex for x, b in zip(p, simplex[0])) < 0.01:
            break
    return min(seen.values(), key=lambda s: s[0])


def saved(base, head):
    return 100 * (base - head) / base


def draw(rng, best):
    """The fitted keys within a factor of 1.5 of the fit, the others anywhere in their ranges; on a log scale."""
    values = {}
    for k, (_, low, high, _, _) in KEYS.items():
        if k in FITTED:
            low, high = max(low, best[k] / 1.5), min(high, best[k] * 1.5)
        values[k] = low * (high / low) ** rng.random()
    return values


def ensemble(best, limit):
    """Draws that fit the rows of two ranks as well as those agree among themselves."""
    rng, kept, tried = random.Random(1), [], 0
    while len(kept) < KEPT and tried < DRAWS:
        values = draw(rng, best)
        tried += 1
        if misfit(values, 1) <= limit:
            kept.append(values)
    return kept, tried


def write(name, lines):
    with open(os.path.join(OUT, name), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def size_text(size):
    return f"{size // 4096}K" if size < 4194304 else "1M"


def write_fit(best, error, default_error, scatter):
    base, head = both(best, [2], SIZES)
    lines = ["| key | a2a3 | fitted | range | source |", "|---|---|---|---|---|"]
    for k in FITTED:
        middle, low, high, source, _ = KEYS[k]
        lines.append(f"| `{k}` | {middle:,} | {best[k]:,.0f} | {low:,} to {high:,} | {source} |")
    lines += ["", "| P | elements | BASE, legs (us) | model | HEAD, legs (us) | model | saved, measured | model |",
              "|---|---|---|---|---|---|---|---|"]
    for size in SIZES:
        b, h, change = MEASURED[2, size]
        lines.append(f"| 2 | {size_text(size)} | {b[0]}, {b[1]} | {base[2, size]:.0f} | {h[0]}, {h[1]} | "
                     f"{head[2, size]:.0f} | {-change:.1f} % | {saved(base[2, size], head[2, size]):.1f} % |")
    lines += ["", f"Root mean square of ln(model / mean of the legs) over the six times: {error:.2f}; with the costs of a2a3 "
              f"{default_error:.2f}. Of the legs against their own means: {scatter:.2f}."]
    write("calibration-fit.md", lines)


def quantile(numbers, q):
    ordered = sorted(numbers)
    at = q * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def prediction_rows(centre, spread):
    for p, size in sorted(centre):
        best, range_ = centre[p, size], [s[p, size] for s in spread]
        interval = f"{quantile(range_, 0.05):.1f} to {quantile(range_, 0.95):.1f} %"
        row = MEASURED.get((p, size))
        legs = "-"
        if row:
            shares = [saved(b, h) for b in row[0] for h in row[1]]
            legs = f"{-row[2]:.1f} % ({min(shares):.0f} to {max(shares):.0f})"
        earlier = f"{-EARLIER[p, size]:.1f} %" if (p, size) in EARLIER else "-"
        yield (f"| {p} | {size_text(size)} | {'fitted' if p == 2 else 'predicted'} | {best:.1f} % | {interval} | {legs} | "
               f"{earlier} |")


def shares(values, seeds):
    base, head = [microseconds(run(values, leg, [2, 4, 8, 16], SIZES, seeds)) for leg in ("BASE", "HEAD")]
    return {at: saved(base[at], head[at]) for at in base}


def write_prediction(best, kept, tried, limit):
    centre, *spread = each([lambda: shares(best, SEEDS)] + [lambda v=v: shares(v, 1) for v in kept])
    lines = ["| P | elements | | saved, model | 90 % of the draws | saved, measured (every leg against every leg) | earlier "
             "campaign |", "|---|---|---|---|---|---|---|", *prediction_rows(centre, spread), "",
             f"{len(kept)} of {tried} draws were kept: those whose times of two ranks are within {limit:.2f} (root mean square of "
             "ln) of the measured ones."]
    write("calibration-prediction.md", lines)


PARTS = ["start", "scalar", "miss", "dcci", "dsb", "barrier", "poll", "flag"]


def write_parts(best):
    size = SIZES[1]
    rows = dict(zip(LEGS, each([lambda leg=leg: run(best, leg, [2, 4, 8], [size]) for leg in LEGS])))
    lines = ["| P | leg | time (us) | saved of BASE | " + " | ".join(PARTS) + " |", "|---" * (4 + len(PARTS)) + "|"]
    for p in (2, 4, 8):
        base = float(rows["BASE"][p, size]["cycles_mean"])
        for leg in LEGS:
            r = rows[leg][p, size]
            parts = " | ".join(f"{float(r[k]) / CYCLES_PER_US:.0f}" for k in PARTS)
            cycles = float(r["cycles_mean"])
            lines.append(f"| {p} | {leg} | {cycles / CYCLES_PER_US:.0f} | {saved(base, cycles):.1f} % | {parts} |")
    write("calibration-parts.md", lines)


def write_keys(best):
    size, p = SIZES[1], 4
    ends = [(k, v) for k in KEYS for v in KEYS[k][1:3]]

    def share(k, v):
        values = {**best, k: v}
        return saved(*[microseconds(run(values, leg, [p], [size]))[p, size] for leg in ("BASE", "HEAD")])

    found = dict(zip(ends, each([lambda e=e: share(*e) for e in ends])))
    lines = ["| key | range | saved at the low end | saved at the high end |", "|---|---|---|---|"]
    for k, (_, low, high, _, _) in KEYS.items():
        lines.append(f"| `{k}` | {low:,} to {high:,} | {found[k, low]:.1f} % | {found[k, high]:.1f} % |")
    write("calibration-keys.md", lines)


def main():
    start = {"skew": 200000.0, "store_bytes_per_cycle": 40.0, "post_peer": 950.0}
    scatter = legs_scatter()
    default_error = misfit({})
    error, best = nelder_mead(start, misfit, EVALUATIONS)
    write_fit(best, error, default_error, scatter)
    limit = max(scatter, 1.5 * error)
    kept, tried = ensemble(best, limit)
    write_prediction(best, kept, tried, limit)
    write_parts(best)
    write_keys(best)


main()
