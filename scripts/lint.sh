#!/usr/bin/env bash
# What lint says of every kernel beside what runs show: results/lint.md, and docs/lint.md, which shows it. A finding of lint
# is confirmed when a finding of RUNS runs, or of a look at the states, names the line of the notify or the access that
# needs what is missing; the others are false alarms, or too rare for the runs.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}
runs=${RUNS:-300}
cases=("on a2a3" "on weakest" "off a2a3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

found() { "$@" || [ $? -eq 1 ]; }

# confirmed LINT CHECK: "N of M", of the findings in file LINT those whose place a finding of file CHECK names.
confirmed() {
    awk '
        NR == FNR && /^[^ ].*: error: / { n++ }
        NR == FNR { line = $0
            while (match(line, /(line [0-9]+|:[0-9]+:[0-9]+:)/)) {
                split(substr(line, RSTART, RLENGTH), part, /[ :]/)
                seen[n, part[2]] = 1
                line = substr(line, RSTART + RLENGTH)
            }
            next
        }
        /: (error|warning): / {
            all++
            split($0, place, ":")
            access = 0
            if (match($0, /\(line [0-9]+\)/)) access = substr($0, RSTART + 6, RLENGTH - 7)
            at = / at the end of the task/ ? access : place[2]
            for (i = 1; i <= n; i++)
                if (seen[i, at]) { hits++; break }
        }
        END { printf "%d of %d", hits, all }
    ' "$2" "$1"
}

# cell KERNEL MARKERS MODEL: "-", or "N of M".
cell() {
    found "$bench" lint --markers="$2" --model="$3" -P 2 "$1" > "$work/lint"
    found "$bench" check --markers="$2" --model="$3" -P 2 --runs="$runs" --findings=1000 "$1" > "$work/check"
    confirmed "$work/lint" "$work/check" >> "$work/cells"
    echo >> "$work/cells"
    tail -n 1 "$work/cells" | sed 's/^0 of 0$/-/'
}

mkdir -p "$out"
{
    echo "| kernel, P=2 | markers on, a2a3 | markers on, weakest | markers off, a2a3 |"
    echo "|---|---|---|---|"
    for kernel in kernels/*.py; do
        row="| $(basename "$kernel" .py) |"
        for case in "${cases[@]}"; do
            # shellcheck disable=SC2086
            row+=" $(cell "$kernel" $case) |"
        done
        echo "$row"
    done
    awk '{ column = (NR - 1) % 3; hits[column] += $1; all[column] += $3 }
        END { printf "| all |"; for (i = 0; i < 3; i++) printf " %d of %d |", hits[i], all[i]; print "" }' "$work/cells"
} > "$out/lint.md"
bash scripts/embed.sh docs/lint.md
