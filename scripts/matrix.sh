#!/usr/bin/env bash
# What the tables of hazards and of emitted markers (docs/facts/hw-facts.md, 5) say, row by row beside what this machine
# answers: results/matrix.md. scripts/matrix.tsv has the claims: row, side, claim, what shows it, what it must answer if
# the facts are right, and a word on the difference where there is one.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}
mkdir -p "$out"
python3 - "$bench" scripts/matrix.tsv > "$out/matrix.md.new" << 'PYTHON'
import json, subprocess, sys

bench, table = sys.argv[1:]
MODEL = "a2a3"
LIMIT = "--max-states=250000"  # of states, never of seconds: the answer is that of every machine


def asked(*words):
    """The results of a command; 1 and 3 are answers as well."""
    done = subprocess.run([bench, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"scripts/matrix.sh: {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)["results"]


def litmus_answers(models):
    return {(x["name"], x["model"]): x["verdict"]
            for x in asked("litmus", "--explore", "--model=" + ",".join(models), "litmus/catalogue")}


class Answers:
    """Each question is asked once."""

    def __init__(self, claims):
        models = {MODEL} | {w[1:] for c in claims for w in c["by"].split() if w.startswith("@")}
        self.litmus = litmus_answers(sorted(models))
        self.sweeps, self.explored = {}, {}

    def of_sweep(self, kernel, line, what):
        if kernel not in self.sweeps:
            self.sweeps[kernel] = asked("sweep", "-P", "2", "--runs=16", "--no-pairs", LIMIT,
                                        "--origins=W1,W2,W3,R1,codegen", f"kernels/{kernel}.py")
        found = [x["class"] for x in self.sweeps[kernel]
                 if (x["level"], x["line"], x["what"]) == ("instruction", int(line), what)]
        if len(set(found)) != 1:
            sys.exit(f"scripts/matrix.sh: {kernel}, line {line}, {what}: {len(found)} markers, {set(found)}")
        return found[0]

    def of_exploration(self, words):
        if words not in self.explored:
            (x,) = asked("explore", "-P", "2", LIMIT, *words.split())
            found = x["findings"]
            self.explored[words] = found[0]["verdict"] if found else "clean" if x["complete"] else "limit"
        return self.explored[words]

    def of(self, by):
        kind, _, words = by.partition(" ")
        if kind == "litmus":
            name, _, model = words.partition(" @")
            return self.litmus[name, model or MODEL]
        if kind == "sweep":
            return self.of_sweep(*words.split(" ", 2))
        return self.of_exploration(words) if kind == "explore" else "not modelled"


SIDES = {"cured": "cured by", "not": "not cured by", "needed": "needed", "gap": "gap"}
KEYS = ["row", "side", "claim", "by", "expected", "note"]
claims = [dict(zip(KEYS, line.rstrip("\n").split("\t") + [""])) for line in open(table)]
answers = Answers(claims)


def agrees(expected, answer):
    return answer in ("Sometimes", "Always") if expected == "possible" else answer == expected


def print_rows(rows):
    print("| row | | the facts say | shown by | expected | answer | |")
    print("|---|---|---|---|---|---|---|")
    last, wrong = None, []
    for c in rows:
        answer = answers.of(c["by"])
        ok = agrees(c["expected"], answer)
        if not ok:
            wrong.append((c, answer))
        verdict = "-" if answer == "not modelled" else "agrees" if ok else "**disagrees**"
        row = c["row"] if c["row"] != last else ""
        by = f"`{c['by']}`" if c["by"] else "-"
        print(f"| {row} | {SIDES[c['side']]} | {c['claim']} | {by} | {c['expected']} | {answer} | {verdict} |")
        last = c["row"]
    print()
    print(f"{len(rows)} claims in {len({c['row'] for c in rows})} rows, {len(wrong)} disagree"
          + (":" if wrong else "."))
    if wrong:
        print()
    for c, answer in wrong:
        print(f"* {c['row']}, {c['claim']}: {c['note'] or '**not explained**'}.")
    noted = [c for c in rows if c["note"] and not any(c is w for w, _ in wrong)]
    for c in noted:
        print(f"* {c['row']}, {c['claim']}: {c['note']}.")


hazards = [c for c in claims if c["row"].startswith("H")]
emitted = [c for c in claims if not c["row"].startswith("H")]
print("# The marker matrix")
print()
print("Written by `scripts/matrix.sh` from the claims of `scripts/matrix.tsv`. Every answer is of all states, under `a2a3` or the")
print("contract named behind `@`. A litmus test asks whether what must not happen can: `Never`, `Sometimes`, `Always`; *possible* is")
print("one of the last two. `NAME-label` is the test without the marker of that label. A line of a sweep says whether the program")
print("is proved the same without the marker (`redundant`) or not (`killed`).")
print()
print("## Hazards ([hw-facts 5](../docs/facts/hw-facts.md#5-hazards))")
print()
print_rows(hazards)
print()
print("## What the pass emits against what is needed (its second table)")
print()
print_rows(emitted)
PYTHON
mv "$out/matrix.md.new" "$out/matrix.md"
