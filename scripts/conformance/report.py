# SPDX-License-Identifier: MIT
"""report.py EVENTS REASONS: the page results/conformance.md, from what plugin.py wrote down."""
import collections
import fnmatch
import json
import re
import sys

PAGE = """# Conformance

What the compiler's own public tests say of programs, asked of fencebench (`make conformance PYPTO=DIR`, {tests} tests of
{files} files). Each program is cut out of its test with the values that it captures, and read; what is printed has to read
back as the same program. A pass of a test is fencebench's pass of that name, a comparison is `fencebench diff`, an error is
one whatever its words. Tests that ask for more (the IR as Python objects, generated code, torch, a device) are not
comparable beyond that. What a test asks of another machine (A5) stands among the disagreements and is counted in no score.
"""
OTHER_MACHINE = "the test's machine is A5"


def one_line(text, width=150):
    text = re.sub(r"\S*/conformance-\w+/\d+-", "", text).strip()
    return text.partition("\n")[0][:width].replace("|", "\\|")


def verdict(events):
    """(what is wrong, why) of one test, or None when it agrees or cannot be compared."""
    outcome = [e for e in events if e["kind"] == "outcome"][-1:]
    used = [e for e in events if e["kind"] == "read" or e["kind"].startswith("refused")]
    unequal = [e for e in events if e["kind"].startswith("equal") and not e["ok"]]
    lost = [e for e in events if e["kind"] == "round trip" and not e["ok"]]
    unchecked = [e for e in events if e["kind"].startswith("check") and not e["ok"]]
    failed = bool(outcome) and outcome[0]["name"] in ("failed", "not collected")
    if lost:
        return "does not read back", lost[0]["why"]
    if unchecked:
        return "no verdict", unchecked[0]["why"]
    if failed and outcome[0].get("raised") == "Refused":
        return "refused", outcome[0]["why"]
    if failed and outcome[0]["why"].startswith("DID NOT RAISE") and used:
        return "accepted", "an error is expected"
    if failed and unequal:
        return "differs", unequal[0]["why"]
    return None


def counts(events, title, chosen):
    """A table with a row for each kind of thing that was compared."""
    rows = collections.defaultdict(collections.Counter)
    for e in events:
        kind = chosen(e)
        if kind:
            rows[kind][e["ok"]] += 1
    print(f"\n## {title}\n\n| | agree | of |\n|---|---|---|")
    for kind in sorted(rows):
        print(f"| {kind} | {rows[kind][True]} | {rows[kind].total()} |")


def kind_of_pass(e):
    return e["kind"].removeprefix("equal after ") if e["kind"].startswith("equal after ") else None


def main(events_path, reasons_path):
    events = [json.loads(line) for line in open(events_path)]
    reasons = [line.rstrip("\n").split("\t") for line in open(reasons_path) if not line.startswith("#")]
    tests = collections.defaultdict(list)
    for e in events:
        tests[e["test"]].append(e)
    print(PAGE.format(tests=len(tests), files=len({t.partition("::")[0] for t in tests})), end="")
    verdicts = {t: v for t, v in ((t, verdict(es)) for t, es in tests.items()) if v}
    refused_well = sum(e["kind"] == "read" and not e["ok"] and e["test"] not in verdicts for e in events)
    programs = sum(e["kind"] == "read" for e in events)
    print(f"\n{programs} programs were read: {sum(e['kind'] == 'read' and e['ok'] for e in events)} accepted, "
          f"{refused_well} refused where the test wants an error.")
    reason = {t: next((r for pattern, r in reasons if fnmatch.fnmatch(t, pattern)), "") for t in verdicts}
    events = [e for e in events if not reason.get(e["test"], "").startswith(OTHER_MACHINE)]
    counts(events, "Programs", lambda e: e["kind"] if e["kind"] == "round trip" or e["kind"].startswith("check") else None)
    counts(events, "Passes: what becomes of a program is what the test expects", kind_of_pass)
    print(f"\n## Disagreements\n\n{len(verdicts)} tests.\n\n| test | what | where | reason |\n|---|---|---|---|")
    for test, (what, why) in sorted(verdicts.items()):
        print(f"| {test.removeprefix('tests/')} | {what} | {one_line(why)} | {reason[test]} |")


main(*sys.argv[1:])
