#!/usr/bin/env python3
"""A CSV file of `fencebench flushes` as a Markdown table.

saving_table.py rows FILE COLUMN..   each row; a COLUMN is NAME or NAME=TITLE
saving_table.py pairs FILE KEY..     one row for all forms of batching of the same KEYs: what each executes and misses, the
                                     time of the first, `none`, and what the others save of it
saving_table.py ranks FILE KEY..     what `loops` saves, with a column for each number of ranks
"""
import csv
import re
import sys


def size(value):
    value = int(value)
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B")):
        if value >= unit:
            return f"{value / unit:g} {name}"
    return "-"


def decimal(value):
    """One place, and no sign where that leaves nothing."""
    text = f"{float(value):.1f}"
    return "0.0" if text == "-0.0" else text


def cell(row, name):
    value = row[name]
    if name == "payload_bytes":
        return size(value)
    if name.startswith("saved"):
        return "" if row["batch"] == "none" else decimal(value)
    if name == "flushes_per_rank":
        return f"{float(value):.0f}"
    return decimal(value) if re.fullmatch(r"-?\d+\.\d+", value) else value


def show(titles, lines):
    print("| " + " | ".join(titles) + " |")
    print("|---" * len(titles) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")


def print_rows(rows, names, titles):
    show(titles, [[cell(row, name) for name in names] for row in rows])


def interval(row):
    if row["runs"] == "1":
        return decimal(row["saved"])
    return "{} ({} to {})".format(*(decimal(row[name]) for name in ("saved", "saved_low", "saved_high")))


def print_ranks(rows, names, titles):
    ranks = sorted({int(row["ranks"]) for row in rows} - {1})
    lines = {}
    for row in rows:
        if row["batch"] == "loops":
            lines.setdefault(tuple(cell(row, name) for name in names), {})[int(row["ranks"])] = interval(row)
    show([*titles, *(f"P = {n}" for n in ranks)], [[*key, *(of.get(n, "") for n in ranks)] for key, of in lines.items()])


def print_pairs(rows, names, titles):
    forms = list(dict.fromkeys(row["batch"] for row in rows))
    groups = {}
    for row in rows:
        groups.setdefault(tuple(cell(row, name) for name in names), {})[row["batch"]] = row
    lines = []
    for key, of in groups.items():
        all_forms = [" / ".join(cell(of[form], name) for form in forms) for name in ("flushes_per_rank", "refills")]
        saved = [interval(of[form]) for form in forms[1:]]
        lines.append([*key, *all_forms, decimal(of[forms[0]]["time_us"]), *saved])
    every = " / ".join(forms)
    show([*titles, f"invalidates: {every}", f"misses caused: {every}", f"us, {forms[0]}",
          *(f"% saved, {form}" for form in forms[1:])], lines)


def main(how, path, *columns):
    names = [column.split("=")[0] for column in columns]
    titles = [column.split("=")[-1] for column in columns]
    with open(path, newline="") as file:
        {"rows": print_rows, "pairs": print_pairs, "ranks": print_ranks}[how](list(csv.DictReader(file)), names, titles)


main(*sys.argv[1:])
