"""ptoas.py DIR: the tile-level .pto files of a checkout of the assembler, asked of fencebench; a report.

Each file is read, printed and read back; then it is compiled to a machine program, with every scalar that nobody gives as 1
and every size that nobody says as 4096 elements. Files that expect an error of the assembler are left out, and so are those
of the micro-ISA. DIR is only read, and nothing of it is kept.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCEBENCH = os.environ["FENCEBENCH"]
ROUNDS = 12  # of answers to what a file leaves open


def fencebench(*args):
    return subprocess.run([FENCEBENCH, *args], capture_output=True, text=True, errors="replace", timeout=60, check=False)


def first_error(text):
    found = re.search(r"error: (.*)", text)
    return found.group(1) if found else text.strip()[:80]


def expects_error(text):
    return re.search(r"RUN:.*\bnot\b|expected-error|CHECK(-\w+)?: *error|--verify-diagnostics", text)


def is_micro(text):
    return re.search(r"!pto\.vreg|pto\.v[a-z]|pto\.backend\W+vpto|!pto\.vmi|pto\.vmi\.|pto\.vecscope", text)


def answers(message):
    """Directives for what an error says is open."""
    lines = [f"// fencebench: arg {name}=1" for name in re.findall(r"([\w.]+) \([^;()]*; used by", message) if "no value" in message]
    lines += [f"// fencebench: size {name}=4096" for name in re.findall(r"'// fencebench: size ([\w.]+)=", message)]
    return lines


def compiled(path, text, folder):
    """None, or why it does not become a machine program."""
    lead = []
    for _ in range(ROUNDS):
        trial = folder / path.name
        trial.write_text("".join(line + "\n" for line in lead) + text)
        result = fencebench("compile", "--emit=asm", str(trial))
        if result.returncode == 0:
            return None
        message = first_error(result.stderr)
        more = [line for line in answers(message) if line not in lead]
        if result.returncode < 0 or not more:
            return message if result.returncode >= 0 else "CRASH"
        lead += more
    return message


def ask(path):
    text = path.read_text(errors="replace")
    if is_micro(text) or re.search(r"/(vpto|vmi\w*)/", str(path)):
        return "micro-ISA", ""
    if "func" not in text:
        return "without a function", ""
    if expects_error(text):
        return "expects an error", ""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        printed = folder / "printed.pto"
        result = fencebench("compile", str(path), "-o", str(printed))
        if result.returncode:
            return "not read", first_error(result.stderr)
        if fencebench("diff", str(path), str(printed)).returncode:
            return "printed differs", ""
        why = compiled(path, text, folder)
    return ("runs", "") if why is None else ("refused", why)


def kind_of(reason):
    reason = re.sub(r"'%[^']*'|%\w+", "a value", reason)
    reason = re.sub(r"; give --arg.*", "", reason)
    return re.sub(r"\d+", "N", reason)


def main():
    base = pathlib.Path(sys.argv[1])
    files = sorted(base.rglob("*.pto"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(ask, files))
    count = collections.Counter(outcome for outcome, _ in found)
    tile = len(files) - sum(count[x] for x in ("micro-ISA", "expects an error", "without a function"))
    read = count["runs"] + count["refused"]
    comm = [i for i, f in enumerate(files) if "pto.comm." in f.read_text(errors="replace") and found[i][0] in ("runs", "refused")]
    print("# The assembler's own files\n\nWritten by `make conformance PTOAS=DIR`: every `.pto` file of a checkout.\n")
    print("| files | |\n|---|--:|")
    print(f"| all | {len(files)} |\n| of the micro-ISA | {count['micro-ISA']} |")
    print(f"| without a function | {count['without a function']} |")
    print(f"| that expect an error | {count['expects an error']} |\n| left: tile level, valid | {tile} |")
    print(f"| read, and printed back equal | {read} |\n| become a machine program | {count['runs']} |")
    print(f"| refused with a reason | {count['refused']} |\n| not read | {count['not read']} |")
    print(f"| printed differs | {count['printed differs']} |")
    print(f"| with communication | {len(comm)} |\n| of these a machine program | {sum(found[i][0] == 'runs' for i in comm)} |")
    for outcome, title in (("not read", "Not read"), ("printed differs", "Printed differs")):
        rows = [(f, why) for f, (o, why) in zip(files, found) if o == outcome]
        if rows:
            print(f"\n## {title}\n\n| file | |\n|---|---|")
            for f, why in rows:
                print(f"| {f.relative_to(base)} | {why} |".replace("||", "| |"))
    print("\n## Why files are refused\n\n| files | reason |\n|--:|---|")
    reasons = collections.Counter(kind_of(why) for o, why in found if o == "refused")
    for reason, n in reasons.most_common():
        print(f"| {n} | {reason.replace('|', '/')} |")


main()
