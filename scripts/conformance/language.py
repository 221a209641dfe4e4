# SPDX-License-Identifier: MIT
"""What the compiler's Python tests find in place of its front end.

Their modules run as they are, on stand-ins: a decorated class or function is cut out of its source, the values that it
takes from the code around it are put in, and fencebench reads it. Passes, comparisons and verifications of programs are
fencebench's too. What a test asks beyond that (the IR as Python objects, torch, a device) ends it as not comparable.
"""
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap

import pytest

FENCEBENCH = os.environ["FENCEBENCH"]
HEAD = "import pypto.language as pl\nimport pypto.language.distributed as pld\n"
BITS = {"BOOL": 8, "INT4": 4, "INT8": 8, "INT16": 16, "INT32": 32, "INT64": 64, "UINT4": 4, "UINT8": 8, "UINT16": 16,
        "UINT32": 32, "UINT64": 64, "FP4": 4, "FP8": 8, "FP16": 16, "BF16": 16, "FP32": 32, "INDEX": 64, "HF4": 4,
        "HF8": 8, "FP8E4M3FN": 8, "FP8E5M2": 8, "FP4E2M1": 4, "FP8E8M0": 8}
# Enumerators as numbers (pypto-facts 2).
ENUMERATORS = {"pld.NotifyOp.AtomicAdd": 0, "pld.NotifyOp.Set": 1, "pld.WaitCmp.Eq": 0, "pld.WaitCmp.Ge": 1}


class State:
    """test: the id of what runs now; running: inside a test, where what has no stand-in ends the test."""
    test, running, events, folder = "", False, [], tempfile.mkdtemp(prefix="conformance-")


def record(kind, name, ok, why=""):
    State.events.append({"test": State.test, "kind": kind, "name": name, "ok": ok, "why": why.strip()})


def not_comparable(what):
    if State.running:
        pytest.skip("not comparable: " + what)
    return Opaque(what)


def fencebench(*arguments):
    done = subprocess.run([FENCEBENCH, *arguments], capture_output=True, text=True, timeout=600, errors="replace")
    return done.returncode, done.stdout, done.stderr


# ---- names ----

class Opaque:
    """Something of which only the name is known. Inside a test it may be passed on, but not asked for anything."""

    def __init__(self, path):
        self.__dict__["path"] = path

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Opaque(self.path + "." + name)

    def __call__(self, *arguments, **keywords):
        return not_comparable(self.path)

    def __getitem__(self, key):
        return Opaque(self.path)

    def __iter__(self):
        not_comparable(self.path)
        return iter(())

    def __mro_entries__(self, bases):
        return (object,)

    def __or__(self, other):
        return Opaque(self.path)

    __ror__ = __or__

    def __enter__(self):
        return self

    def __exit__(self, *what):
        return False

    def __instancecheck__(self, other):
        return bool(not_comparable(f"isinstance of {self.path}")) and False

    def __eq__(self, other):
        return isinstance(other, Opaque) and other.path == self.path

    def __hash__(self):
        return hash(self.path)


class Lenient(Opaque):
    """The same for libraries that programs do not use: everything goes, also inside a test."""

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Lenient(self.path + "." + name)

    def __call__(self, *arguments, **keywords):
        return Lenient(self.path)


class Name(Opaque):
    """A name of the language: a type, an enumerator, a dimension. It may be computed with, as text."""

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Name(self.path + "." + name)

    def __call__(self, *arguments, **keywords):
        dtype = self.path.split(".")[-2:]
        if dtype[1:] == ["get_byte"] and dtype[0] in BITS:
            return BITS[dtype[0]] // 8
        if dtype[1:] == ["get_bit"] and dtype[0] in BITS:
            return BITS[dtype[0]]
        try:
            written = [text_of(a) for a in arguments] + [f"{k}={text_of(v)}" for k, v in keywords.items()]
        except NoText:  # a helper of the compiler's own, asked while a module is read
            return Lenient(self.path)
        return Name(f"{self.path}({', '.join(written)})")

    def __getitem__(self, key):
        return Name(f"{self.path}[{text_of(key, bare=True)}]")


    def __int__(self):
        return ENUMERATORS[self.path] if self.path in ENUMERATORS else not_comparable(f"int({self.path})")


class NoText(Exception):
    """A captured value that no text of the language spells."""


def text_of(value, bare=False):
    """The value as a program spells it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        inner = ", ".join(text_of(v) for v in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return inner if bare else f"({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, Dynamic):
        return value.path
    if isinstance(value, Name):
        return value.path
    raise NoText(type(value).__name__)


def arithmetic(symbol):
    def left(self, other):
        return Name(f"({self.path} {symbol} {text_of(other)})")

    def right(self, other):
        return Name(f"({text_of(other)} {symbol} {self.path})")
    return left, right


for method, symbol in {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "truediv": "/", "mod": "%"}.items():
    left, right = arithmetic(symbol)
    setattr(Name, f"__{method}__", left)
    setattr(Name, f"__r{method}__", right)


class Dynamic(Name):
    """pl.dynamic("N")."""


# ---- errors ----

class Errors(dict):
    """The compiler's error classes, made when they are first named. A refusal is of all of them."""

    def __missing__(self, name):
        self[name] = type(name, (Exception,), {"__getattr__": lambda e, n: not_comparable(f"{name}.{n}")})
        return self[name]

    def refusal(self, text):
        bases = tuple(self.values()) + (ValueError, TypeError, RuntimeError)
        return type("Refused", bases, {})(text)


errors = Errors()


# ---- programs ----

class Program:
    """A program as text in a file. The first time that it is used fencebench has to read it and to print it so that the
    print reads back as the same."""

    by = ()  # the passes that made it

    def __init__(self, text, name):
        self.text, self.__name__ = text, name
        self.path = os.path.join(State.folder, f"{len(State.events):06}-{name}.py")
        with open(self.path, "w") as f:
            f.write(text)
        self.read()

    def read(self):
        code, printed, why = fencebench("compile", self.path, "--passes=none")
        if code == 0:
            again = self.path + ".printed.py"
            with open(again, "w") as f:
                f.write(printed)
            same = fencebench("diff", self.path, again)
            record("round trip", self.__name__, same[0] == 0, same[1] + same[2])
        record("read", self.__name__, code == 0, why)
        if code != 0:
            raise errors.refusal(why)
        self.printed = printed

    def as_python(self, *arguments, **keywords):
        return self.printed

    def __str__(self):
        return self.printed

    @property
    def name(self):
        return self.__name__

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return not_comparable("Program." + name)


class Function(Program):
    """A function outside of a program."""

    def __init__(self, text, name, source):
        super().__init__(text, name)
        self.source = source

    def renamed(self):
        path = self.path + ".f.py"
        with open(path, "w") as f:
            f.write(re.sub(rf"^def {self.__name__}\b", "def f", self.text, flags=re.M))
        return path


class Captured:
    """A function whose text goes along with what calls it (pl.inline)."""

    def __init__(self, source, name):
        self.source, self.__name__ = source, name


modules = {}


def parsed(path):
    if path not in modules:
        with open(path) as f:
            source = f.read()
        modules[path] = (source.splitlines(), ast.parse(source))
    return modules[path]


def decorated(frame, kind):
    """The class or function whose decorator the frame evaluates."""
    lines, tree = parsed(frame.f_code.co_filename)
    for node in ast.walk(tree):
        if isinstance(node, kind) and any(d.lineno <= frame.f_lineno <= d.end_lineno for d in node.decorator_list):
            return lines, node
    pytest.skip("not comparable: no source")


def bound_in(function):
    """Names that a function binds itself."""
    arguments = function.args
    names = {a.arg for a in arguments.args + arguments.kwonlyargs + arguments.posonlyargs}
    return names | {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def free_names(node, bound=frozenset()):
    """Name nodes that a class or function takes from around it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for outside in node.decorator_list + [a.annotation for a in node.args.args if a.annotation] + \
                node.args.defaults + ([node.returns] if node.returns else []):
            yield from free_names(outside, bound)
        bound = bound | bound_in(node)
        for statement in node.body:
            yield from free_names(statement, bound)
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in bound:
            yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from free_names(child, bound)


def cut(frame, kind):
    """(text in front, text, name) of what is decorated: captured values in place of their names, captured functions and
    dynamic dimensions in front."""
    lines, node = decorated(frame, kind)
    first = min(d.lineno for d in node.decorator_list)
    text = [line.encode() for line in lines[first - 1:node.end_lineno]]
    scope = {**frame.f_globals, **frame.f_locals}
    members = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} if isinstance(node, ast.ClassDef) else set()
    front, places = {}, []
    for n in free_names(node):
        value = scope.get(n.id)
        called = isinstance(value, (Function, Captured))
        if n.id not in scope or n.id in ("pl", "pld") or n.id in members and not called:
            continue
        if called:
            front[id(value)] = value.source
            if n.id != value.__name__:
                front[n.id] = f"{n.id} = {value.__name__}\n"
        elif isinstance(value, Dynamic):
            front[n.id] = f'{n.id} = pl.dynamic({value.path!r})\n'
        elif callable(value) and not isinstance(value, Name):
            continue
        else:
            places.append((n.lineno - first, n.col_offset, n.end_col_offset, text_of(value)))
    for line, start, end, value in sorted(places, reverse=True):
        text[line] = text[line][:start] + value.encode() + text[line][end:]
    return "".join(front.values()), textwrap.dedent(b"\n".join(text).decode()) + "\n", node.name


def spelled(source):
    """The decorators as the head names them, whatever the module calls them."""
    return re.sub(r"^@(\w+\.)?(program|function|inline)\b", r"@pl.\2", source, flags=re.M)


def is_method(frame):
    return "__qualname__" in frame.f_locals and "__module__" in frame.f_locals


def caller():
    return sys._getframe(2)


def program(cls=None, **keywords):
    frame = caller()

    def make(cls):
        try:
            front, text, name = cut(frame, ast.ClassDef)
        except NoText as e:
            return not_comparable(f"a captured {e}")
        return Program(HEAD + front + spelled(text), name)
    return make(cls) if cls is not None else make


def function(func=None, **keywords):
    frame = caller()

    def make(func):
        if is_method(frame):
            return func
        try:
            front, text, name = cut(frame, ast.FunctionDef)
        except NoText as e:
            return not_comparable(f"a captured {e}")
        source = front + spelled(text)
        return Function(HEAD + source, name, source)
    return make(func) if func is not None else make


def inline(func=None, **keywords):
    frame = caller()

    def make(func):
        front, text, name = cut(frame, ast.FunctionDef)
        return Captured(front + spelled(text), name)
    return make(func) if func is not None else make


def parse_program(code, *arguments, **keywords):
    named = re.search(r"^class (\w+)", code, re.M)
    return Program(textwrap.dedent(code), named.group(1) if named else "text")


def loads_program(path, *arguments, **keywords):
    with open(path) as f:
        return parse_program(f.read())


# ---- passes ----

OURS = {p["name"].lower(): p["name"] for p in json.loads(fencebench("passes", "--json")[1])}


class Pass:
    def __init__(self, name):
        self.spelling, self.ours = name, OURS.get(name.replace("_", ""))

    def __call__(self, *arguments, **keywords):
        return self if not arguments else self.run(*arguments)

    def run(self, p):
        if not self.ours:
            return not_comparable("pass " + self.spelling)
        if not isinstance(p, Program):
            return not_comparable("a pass on no program")
        code, out, why = fencebench("compile", p.path, "--passes=" + self.ours, "--batch=none")
        if code != 0:
            record("refused by " + self.ours, p.__name__, False, why)
            raise errors.refusal(why)
        after = Program(out, p.__name__)
        after.by = p.by + (self.ours,)
        return after

    def get_name(self):
        return self.ours or not_comparable("pass " + self.spelling)

    def __getattr__(self, name):
        return not_comparable("Pass." + name)


class PassContext:
    def __init__(self, *arguments, **keywords):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *what):
        return False


class PassPipeline:
    def __init__(self):
        self.passes = []

    def add_pass(self, p):
        self.passes.append(p)

    def run(self, p):
        for each in self.passes:
            p = each(p)
        return p


def differs(a, b):
    """None for equal programs, or where they differ. A name of a pass in a comparison's kind says whose work it is."""
    if not isinstance(a, Program) or not isinstance(b, Program):
        return not_comparable("a comparison of no programs")
    paths = [a.path, b.path]
    if isinstance(a, Function) and isinstance(b, Function):
        paths = [p.renamed() for p in (a, b)]  # a program's functions are compared by name, two of none are not
    code, out, why = fencebench("diff", *paths)
    if code == 2:
        raise errors.refusal(why)
    return out if code else None


def assert_structural_equal(a, b, *arguments, **keywords):
    difference = differs(a, b)
    by = getattr(a, "by", ()) or getattr(b, "by", ())
    if difference is None or isinstance(difference, str):
        record("equal after " + by[-1] if by else "equal", a.__name__, difference is None, difference or "")
    if difference is not None:
        raise ValueError(difference)  # what the compiler raises, and tests of inequality wait for


def structural_equal(a, b, *arguments, **keywords):
    return differs(a, b) is None


def verify_properties(names, p, *arguments):
    chosen = [getattr(n, "path", "").split(".")[-1] for n in (names if isinstance(names, (list, set)) else [])]
    known = fencebench("verify", p.path, "--property=" + ",".join(chosen)) if chosen else (2, "", "")
    if known[0] == 2:
        return not_comparable("properties " + ", ".join(chosen))
    if known[0] == 1:
        raise errors.refusal(known[1])


# ---- compiling and running ----

# What a test gives its program with its data: "PROGRAM<tab>--arg=NAME=VALUE".
with open(os.path.join(os.path.dirname(__file__), "arguments.tsv")) as table:
    ARGUMENTS = dict(line.rstrip("\n").split("\t") for line in table if not line.startswith("#"))


def check(p, ranks):
    given = ARGUMENTS.get(p.__name__, "").split()
    code, out, why = fencebench("check", p.path, f"-P{ranks}", "--runs=20", "--driver=timed", *given)
    record(f"check, P = {ranks}", p.__name__, code in (0, 1), why or out.partition("\n")[0])


class DistributedConfig:
    def __init__(self, device_ids=(), **keywords):
        self.device_ids = device_ids


def compile_program(p, *arguments, distributed_config=None, **keywords):
    devices = getattr(distributed_config, "device_ids", ())
    if isinstance(p, Program):
        for ranks in (len(devices),) if devices else (2, 4):
            check(p, ranks)
    return not_comparable("a compiled program")
