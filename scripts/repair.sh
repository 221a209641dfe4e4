#!/usr/bin/env bash
# Repairs every kernel of kernels/ compiled without InsertCommFence, and what the compiler's rules leave open (docs/findings.md):
# results/repair.md. STATES bounds one exploration; beyond it the runs decide, and the table says so.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}
limits=(--max-states="${STATES:-250000}")
json=$(mktemp)
trap 'rm -f "$json"' EXIT

# Options of kernels that are not for two ranks.
declare -A sizes=([lanes_through_memory]="-P 1")

# row KERNEL OPTION..: one line of the table.
row() {
    local kernel=$1 code=0
    shift
    "$bench" repair -P 2 "${limits[@]}" "$@" --json "kernels/$kernel.py" > "$json" 2> "$json.err" || code=$?
    if [ "$code" -eq 2 ]; then
        echo "scripts/repair.sh: $kernel $*: $(head -1 "$json.err")" >&2
        rm -f "$json.err"
        return 1
    fi
    rm -f "$json.err"
    python3 - "$json" "$*" << 'PYTHON'
import json, sys
x = json.load(open(sys.argv[1]))
own = x["compiler"] or x["before"]
def answer(a):
    said = {"proved": f"proved, {a['machine_states']:,} states", "not observed": f"not observed in {a['runs']} runs"}
    return said.get(a["answer"]) or f"**{a['finding']['verdict']}**, {a['finding']['where']}"
answers = "; ".join(f"{a['model']}: {answer(a)}" for a in x["repaired"])
cells = [x["kernel"], sys.argv[2] or "-", x["ranks"], len(x["calls"]) if x["clean"] else "-",
         f"{own['flushes_per_rank']:.2f}", f"{x['after']['flushes_per_rank']:.2f}",
         f"{own['cycles_mean']:.0f}", f"{x['after']['cycles_mean']:.0f}", answers]
print("| " + " | ".join(str(c) for c in cells) + " |")
PYTHON
}

mkdir -p "$out"
{
    echo "# Repaired kernels"
    echo
    echo "Written by \`make repair\` (scripts/repair.sh). Each row is \`fencebench repair\` of one kernel: how many calls it needed,"
    echo "what these cost beside the compiler's own markers (executed whole-cache flushes per rank, and cycles, in usual runs), and"
    echo "what is known of the result under each contract. A kernel that is clean as it is needs none."
    echo
    echo "| kernel | options | P | calls | flushes, compiler | flushes, repaired | cycles, compiler | cycles, repaired | repaired |"
    echo "|---|---|---|---|---|---|---|---|---|"
    for file in kernels/*.py; do
        kernel=$(basename "$file" .py)
        # shellcheck disable=SC2086 # options are words
        row "$kernel" --markers=off ${sizes[$kernel]-}
    done
    for kernel in get_plain put_from_plain store_read_back local_read_credit; do
        row "$kernel"
    done
    row store_read_back_first_line --model=weakest
} > "$out/repair.md.new"
python3 - "$out/repair.md.new" > "$json" << 'PYTHON'
import sys
rows = [[c.strip() for c in line.split(" | ")] for line in open(sys.argv[1]) if line.startswith("| ") and "kernel" not in line]
proved = [r for r in rows if "**" not in r[8] and "not observed" not in r[8]]
dearer = [r[0].strip("| ") for r in proved if float(r[5]) > float(r[4])]
print()
print(f"{len(proved)} of {len(rows)} are proved clean under every contract named; of these", ", ".join(dearer) or "none",
      "costs more flushes than the compiler's own markers.")
print()
print("What is bold stays whatever the markers: peers set words of one line ([H3n](../docs/facts/hw-facts.md#H3n)), which only another")
print("layout repairs.")
PYTHON
cat "$json" >> "$out/repair.md.new"
mv "$out/repair.md.new" "$out/repair.md"
