#!/usr/bin/env bash
# Which of the compiler's markers matters under which hypothesis of the machine and the toolchain, and the fewest hypotheses
# under which they suffice: results/sensitivity.md. RUNS and STATES bound the work of one mutant; KERNELS are the files.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}
read -ra kernels <<< "${KERNELS:-$(find kernels -maxdepth 1 -name '*.py' ! -name '*_ssa.py' | sort | tr '\n' ' ')}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "${FENCEBENCH_MODELS:-models}/machines" "${FENCEBENCH_MODELS:-models}/toolchains" "$work"
for file in "$work"/toolchains/*.toolchain; do
    toolchain=$(basename "$file" .toolchain)
    code=0
    # 1 and 3 are answers: a kernel with findings of its own, a mutant without a proof.
    "$bench" sweep -P 2 --model=all --toolchain="$toolchain" --origins=W1,W2,W3,R1 --no-pairs --runs="${RUNS:-16}" \
        --max-states="${STATES:-1000}" --csv="$work/$toolchain.csv" "${kernels[@]}" > /dev/null || code=$?
    [ $code -ne 2 ]
done
mkdir -p "$out"
python3 - "$bench" "$work" "${kernels[@]}" > "$out/sensitivity.md.new" << 'PYTHON'
import collections, csv, glob, os, subprocess, sys, threading
from concurrent.futures import ThreadPoolExecutor

bench, work, kernels = sys.argv[1], sys.argv[2], sys.argv[3:]
CHECK_RUNS = 200

# ---- which marker matters where ----
letters = {"killed": "K", "redundant": ".", "redundant given others": ".", "fewer findings": ".", "not reached": "-",
           "not observed": "?", "unknown": "?"}
cells, markers, models, toolchains = {}, {}, [], []
for path in sorted(glob.glob(work + "/*.csv")):
    toolchains.append(os.path.basename(path)[:-len(".csv")])
    count = collections.Counter()
    for row in csv.DictReader(open(path)):
        if row["level"] != "instruction":
            continue
        if row["model"] not in models:
            models.append(row["model"])
        name = (row["kernel"], int(row["line"]), row["origin"], row["what"])
        count[name, row["model"]] += 1
        # A line may have several of a kind.
        marker = name + (count[name, row["model"]],)
        markers[marker] = None
        cells[marker, row["toolchain"], row["model"]] = letters[row["class"]]
order = sorted(markers)
kinds = sorted({m[2:4] for m in markers})
# Nothing needs a marker where memory is coherent and pipes keep order: sc is the control, and no column.
control = [letter for (_, _, model), letter in cells.items() if model == "sc"]
models = [model for model in models if model != "sc"]

def needed_of(kind, toolchain, model):
    """How many markers of a kind are killed without, of how many, and for how many nothing is known; None: there are none."""
    seen = [cells[m, toolchain, model] for m in order if m[2:4] == kind and (m, toolchain, model) in cells]
    return (seen.count("K"), len(seen), seen.count("?")) if seen else None

def counts(answer):
    return f"{answer[0]} of {answer[1]}" + (f" + {answer[2]}" if answer[2] else "") if answer else ""

def differs(x, y):
    """Whatever the unknown ones are."""
    return x[0] > y[0] + y[2] or y[0] > x[0] + x[2]

def print_counts():
    print("| toolchain | contract | " + " | ".join(f"{o}.{w}" for o, w in kinds) + " |")
    print("|---|---|" + "---|" * len(kinds))
    for t in toolchains:
        for model in models:
            print(f"| {t} | {model} | " + " | ".join(counts(needed_of(kind, t, model)) for kind in kinds) + " |")

def print_changes(names, base, at):
    """What is needed under each of the names in another number of places than under the base."""
    for name in names:
        if name == base:
            continue
        changes = []
        for kind in kinds:
            here, there = at(kind, name), at(kind, base)
            label = f"{kind[0]}.{kind[1]}"
            if here and there and differs(here, there):
                changes.append(f"{label} {counts(here)} (was {counts(there)})")
            elif bool(here) != bool(there):
                changes.append(f"{label} {counts(here)} (there was none)" if here else f"no {label}")
        print(f"* `{name}`: " + ("; ".join(changes) if changes else "no difference") + ".")

def print_glance(needed):
    print("# Sensitivity")
    print()
    print("Written by `make sensitivity`. Each marker of the compiler's rules was removed, with 2 ranks, under every contract (what is")
    print("assumed of the machine) and every toolchain (what becomes of a marker). A marker is *needed* where the kernel gets a finding")
    print("without it that it has not with all of its markers: where it fails with them, as it may with an older toolchain, fewer are.")
    print()
    print(f"**The fewest hypotheses under which the compiler's markers suffice** for all kernels that any help: {words(needed)}")
    print("([by kernel](#the-fewest-hypotheses-under-which-the-markers-suffice)).")
    print()
    base_t, base_m = "ptoas-0.57" if "ptoas-0.57" in toolchains else toolchains[0], "a2a3"
    print(f"**What is needed** under `{base_m}` with `{base_t}`: " + "; ".join(
        f"{kind[0]}.{kind[1]} {counts(needed_of(kind, base_t, base_m))}" for kind in kinds if needed_of(kind, base_t, base_m)) + ".")
    print("Behind a plus sign: how many more it may be, of which no run needs one and nothing is proved. Other contracts need")
    print()
    print_changes(models, base_m, lambda kind, model: needed_of(kind, base_t, model))
    print()
    print("and other toolchains need under the same contract")
    print()
    print_changes(toolchains, base_t, lambda kind, t: needed_of(kind, t, base_m))
    print()
    print(f"Control: under `sc`, where memory is coherent, {control.count('K')} of {len(control)} were needed.")
    print()
    print("## Markers of all kernels")
    print()
    print_counts()
    print()

def print_markers():
    print("## Marker by marker")
    print()
    print("One letter a contract, in the order " + ", ".join(f"`{m}`" for m in models) + ":")
    print("`K` killed without it, `.` proved redundant, `-` never executed, `?` no run needs it and nothing is proved; empty where the")
    print("toolchain makes no such instruction.")
    print()
    print("| kernel | line | marker | " + " | ".join(toolchains) + " |")
    print("|---|---|---|" + "---|" * len(toolchains))
    for m in order:
        row = ["".join(cells.get((m, t, x), "") for x in models) for t in toolchains]
        print(f"| {m[0]} | {m[1]} | {m[2]}.{m[3]} | " + " | ".join(f"`{r}`" if r else "" for r in row) + " |")

# ---- the fewest hypotheses under which the markers suffice ----
# From weak to strong, as the shipped contracts and toolchains have them; sc and benign are no hypotheses about ordering.
HYPOTHESES = [
    ("contract", "fabric", ["unordered", "per_path", "per_pair"]),
    ("contract", "eviction", ["spontaneous", "capacity"]),
    ("contract", "prefetch", ["spontaneous", "none"]),
    ("contract", "dma_chunk_order", ["any", "ascending"]),
    ("contract", "pipe_barrier", ["queue_local", "scalar_blocking"]),
    ("toolchain", "region_cacheinvalid", ["nothing", "base_line", "every_line"]),
    ("toolchain", "fence", ["fence3", "fence_all"]),
    ("toolchain", "notify_pre_barrier", ["none", "pipe_all"]),
    ("toolchain", "auto_sync_gm", ["root", "root_addptr"]),
    ("toolchain", "auto_sync_scalar", ["no", "yes"]),
]

written, writing = set(), threading.Lock()

def write_models(levels):
    """Their name. Two kernels may ask for the same ones at once."""
    name = "h" + "".join(str(n) for n in levels)
    with writing:
        if name not in written:
            write_files(name, levels)
            written.add(name)
    return name

def write_files(name, levels):
    sections = {"contract": ("machines", "model", "a2a3", "semantics"),
                "toolchain": ("toolchains", "toolchain", "ptoas-0.57", "lowering")}
    for what, (folder, suffix, parent, section) in sections.items():
        with open(f"{work}/{folder}/{name}.{suffix}", "w") as f:
            f.write(f"[model]\ninherit = {parent}\ndoc = a set of hypotheses\n[{section}]\n")
            for (where, key, values), level in zip(HYPOTHESES, levels):
                if where == what:
                    f.write(f"{key} = {values[level]}\n")

known = {}
def clean(kernel, levels):
    if (kernel, levels) not in known:
        name = write_models(levels)
        done = subprocess.run([bench, "check", "-P", "2", "-j", "1", f"--runs={CHECK_RUNS}", "--findings=0", f"--model={name}",
                               f"--toolchain={name}", kernel], env=dict(os.environ, FENCEBENCH_MODELS=work),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"scripts/sensitivity.sh: {kernel}: {done.stderr}")
        known[kernel, levels] = done.returncode == 0
    return known[kernel, levels]

top = tuple(len(values) - 1 for _, _, values in HYPOTHESES)

def with_level(levels, i, level):
    return levels[:i] + (level,) + levels[i + 1:]

def weakest(kernel, levels, i):
    """The weakest level of one hypothesis with which the kernel is clean beside the others."""
    for level in range(levels[i]):
        if clean(kernel, with_level(levels, i, level)):
            return level
    return levels[i]

def smallest(kernel):
    """(levels, whether they are the only smallest set), or None where the strongest machine does not suffice."""
    if not clean(kernel, top):
        return None
    alone = tuple(weakest(kernel, top, i) for i in range(len(top)))
    if clean(kernel, alone):
        return alone, True
    levels = top
    for i in range(len(top)):
        levels = with_level(levels, i, weakest(kernel, levels, i))
    return levels, False

def words(levels):
    held = [f"`{key} = {values[n]}`" for (_, key, values), n in zip(HYPOTHESES, levels) if n]
    return ", ".join(held) or "none"

with ThreadPoolExecutor(2) as pool:
    answers = list(pool.map(smallest, kernels))
needed = tuple(map(max, zip(*[answer[0] for answer in answers if answer] or [tuple(0 for _ in top)])))
print_glance(needed)
print_markers()
print()
print("## The fewest hypotheses under which the markers suffice")
print()
print("Beginning with every hypothesis at its strongest, each was weakened as far as the kernel, with the compiler's markers, stays clean")
print(f"in {CHECK_RUNS} runs and the look at its first states that `check` takes. Strongest: {words(top)}.")
print("Where the hypotheses that are needed one by one suffice together, there is no smaller set; `*`: they do not, and none of the set")
print("can go, but another set may be as small.")
print()
print("| kernel | hypotheses that it needs |")
print("|---|---|")
for kernel, answer in zip(kernels, answers):
    name = os.path.basename(kernel)[:-len(".py")]
    if not answer:
        print(f"| {name} | no set: it fails under the strongest |")
    else:
        print(f"| {name} | {words(answer[0])}{'' if answer[1] else ' *'} |")
print(f"| **all that a set helps** | {words(needed)} |")
# The hypotheses of all together are stronger than those of each: a kernel that fails says that they are not.
for kernel, answer in zip(kernels, answers):
    if answer and not clean(kernel, needed):
        print(f"\nUnder the set of all, {os.path.basename(kernel)} fails.")
PYTHON
mv "$out/sensitivity.md.new" "$out/sensitivity.md"
