#!/usr/bin/env bash
# The default sweep: every kernel that has markers, with 2 and 4 ranks, under three contracts. A page and a picture of each
# kernel, and results/sweep/README.md over all of them: the score, and why a mutant has no proof. RANKS, RUNS and STATES bound
# the work; KERNELS are the files, by default all; OPTIONS go to every sweep (-j 1).
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}/sweep
ranks=${RANKS:-2,4}
runs=${RUNS:-50}
contracts=a2a3,a2a3-blocking,a2a3-evict
read -ra options <<< "${OPTIONS:-}"

# Kernels whose states with four ranks are more, and can be seen all the same.
usual=20000
declare -A more=([store_read_back]=100000 [local_read_credit]=250000)

# One sweep for all files of a limit, so that the threads share all of their cases. With --fail-on nothing, 1 says that a
# kernel itself has findings, 3 that some mutant has no proof.
sweep() {
    "$bench" sweep -P "$ranks" --runs="$runs" --max-states="$1" --model=$contracts --report="$out" "${options[@]}" "${@:2}" \
        > /dev/null || case $? in 1 | 3) ;; *) false ;; esac
}

declare -A files
for file in ${KERNELS:-kernels/*.py}; do
    kernel=$(basename "$file" .py)
    # What a printed program after some passes says is what the kernel says that it was printed from.
    case $kernel in *_ssa) continue ;; esac
    limit=${STATES:-${more[$kernel]:-$usual}}
    files[$limit]+=" $file"
done
mkdir -p "$out"
for limit in "${!files[@]}"; do
    # shellcheck disable=SC2086
    sweep "$limit" ${files[$limit]}
done
limits=()
for kernel in "${!more[@]}"; do limits+=("$kernel=${more[$kernel]}"); done
python3 - "$out" "${STATES:-}" "$usual" "${limits[@]}" > "$out/README.md.new" << 'PYTHON'
import glob, os, sys

out, states, usual = sys.argv[1:4]
limits = dict(word.split("=") for word in sys.argv[4:])
CLASSES = ["killed", "redundant", "redundant given others", "fewer findings", "not reached", "not observed", "unknown"]
OPEN = CLASSES[-2:]

def cases(path):
    """The rows of the table at the head of a page, by the names of its columns."""
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in open(path) if line.startswith("| ")]
    return [dict(zip(rows[0], row)) for row in rows[1:]]

def score(count):
    needed = count["killed"] + count["not observed"] + count["unknown"]
    return f"{count['killed']} of {needed}, {100 * count['killed'] / needed:.1f} %" if needed else "-"

def sum_of(rows):
    return {name: sum(int(row[name]) for row in rows) for name in CLASSES + ["mutants"]}

def reason(kernel, row):
    own = "" if row["unchanged"].startswith("clean") else \
        f"the kernel itself fails ({row['unchanged'].split(' in ')[0].split(',')[0]}); "
    if row["explored"].startswith("more than"):
        return own + f"it has {row['explored']}, at any size with the same sites"
    return own + f"it has {row['explored']}, these mutants more than {states or limits.get(kernel, usual)}"

pages = sorted(path for path in glob.glob(out + "/*.md") if os.path.basename(path) != "README.md")
kernels = {os.path.basename(path)[:-len(".md")]: cases(path) for path in pages}
total = sum_of([row for rows in kernels.values() for row in rows])
exceptions = {}
for kernel, rows in kernels.items():
    for row in rows:
        left = sum(int(row[name]) for name in OPEN)
        if left:
            exceptions.setdefault((kernel, reason(kernel, row)), []).append((row["P"], row["contract"], left))

print("# The default sweep")
print()
print("Written by `make sweeps`: every marker and synchronising instruction of these kernels was removed, weakened and misplaced, with 2")
print("and 4 ranks under three contracts. A kernel's page tells each mutant with its reason and the command that shows it again.")
print()
print(f"Score, killed of all that is not proved to be redundant or not reached: **{score(total)}**, of {total['mutants']} mutants.")
print("A published score to compare: MC Mutants (Levine et al., ASPLOS '23) killed 107 of 128 mutants (83.6 %) on four GPUs. There a")
print("mutant that lives may be one that the device never shows; here each is proved, or listed below.")
print()
print("| kernel | mutants | " + " | ".join(CLASSES) + " | score |")
print("|---|---|" + "---|" * (len(CLASSES) + 1))
for kernel, rows in kernels.items():
    count = sum_of(rows)
    print(f"| [{kernel}]({kernel}.md) | {count['mutants']} | " + " | ".join(str(count[name]) for name in CLASSES) +
          f" | {score(count)} |")
print(f"| **all** | {total['mutants']} | " + " | ".join(str(total[name]) for name in CLASSES) + f" | {score(total)} |")
print()
print("## Mutants without an answer")
print()
if not exceptions:
    print("None: every mutant is killed, or proved.")
for (kernel, why), where in exceptions.items():
    ranks = {}
    for p, contract, left in where:
        ranks.setdefault(p, []).append(f"{contract} {left}")
    print(f"* {kernel}, " + "; ".join(f"P={p}: " + ", ".join(names) for p, names in ranks.items()) + f": {why}.")
PYTHON
mv "$out/README.md.new" "$out/README.md"
