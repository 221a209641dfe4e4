#!/usr/bin/env bash
# What the files of a demo say, in five sentences. Usage: summary.sh DIR
set -eu
cd "$1"

# awk over a CSV file with a header: f(NAME) is the field of that name. Files hold no quoted commas in front of what is read.
csv() { awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } function f(n) { return $at[n] } '"$1" "${@:2}"; }

csv '
    f("model") == "a2a3" { cases++; fails += f("failed") > 0 }
    f("model") == "sc" { sc += f("failed") > 0 }
    f("model") == "benign" { benign += f("failed") > 0 }
    END { printf "1. Without the markers %d of %d cases (kernel and number of ranks) read stale data on a2a3; a sequentially " \
                 "consistent\n   simulator shows %d of them, a machine on which nothing is ever late %d.\n", fails, cases, sc, benign }
' markers-off.csv
csv '
    f("model") == "a2a3" { cases++; if (f("failed") > 0) { fails++; if (!(f("kernel") in seen)) names = names (names ? ", " : "") f("kernel"); seen[f("kernel")] } }
    END { printf "2. With them %d cases still fail: holes of the rules and of the toolchain (docs/findings.md):\n   %s.\n", fails, names }
' markers-on.csv | fold -s -w 110 | sed '2,$s/^ */   /'
csv '
    f("model") == "a2a3" { all++; killed += f("verdict") == "killed"; redundant += f("class") ~ /^redundant/ }
    END { printf "3. Of %d markers and parts of markers that were taken out of four kernels one by one, %d are missed at once, %d are proved\n" \
                 "   redundant, alone or while another stands, and %d are neither seen nor proved.\n", all, killed, redundant, all - killed - redundant }
' sweep.csv
csv '
    f("kernel") == "mesh_allreduce" { flushes[f("ranks"), f("batch")] = f("flushes_per_rank"); cycles[f("ranks"), f("batch")] = f("cycles_mean"); if (f("ranks") > most) most = f("ranks") }
    END { printf "4. One invalidate behind a loop of waits in place of one behind each: a mesh allreduce of %d ranks executes %d\n" \
                 "   whole-cache flushes a rank and not %d, and takes %.1f %% less time.\n", most, flushes[most, "loops"], flushes[most, "none"],
                 100 * (1 - cycles[most, "loops"] / cycles[most, "none"]) }
' flushes.csv
echo "5. Clean means that less than 3 % of runs fail (95 %, 100 runs); explore makes a proof of it where the states can be
   visited, and README.md says how to ask for your own kernel: build/fencebench check FILE."
