# Sizes that functions of the file compute from the command line and the environment: there is no command when a file is read,
# and no variable, so the functions come to their defaults. tile("rows") is 4, as nothing of sys.argv is "--rows"; WIDTH is what
# int() makes of the default "16"; LIMIT is 2, since None is false; even(5) is 6 and even(4) is 4.
import os
import sys

import pypto.language as pl

FALLBACK = 4


def tile(name: str, default: int = FALLBACK) -> int:
    """The number behind --name."""
    flag = f"--{name}"
    for i, word in enumerate(sys.argv):
        if word == flag and i + 1 < len(sys.argv):
            return int(sys.argv[i + 1])
    return default


def option(name, default=None):
    for word in sys.argv[1:]:
        if word.startswith(name):
            return int(word)
    return default


def even(n):
    if n % 2 == 0:
        return n
    else:
        more = n + 1
    return more


ROWS = tile("rows")
WIDTH = int(os.environ.get("WIDTH", "16"))
LIMIT = option("limit") or 2
MODE = os.getenv("MODE")
DEPTH = even(5) if MODE is None else 1
SAME = even(4)


@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[ROWS, WIDTH], pl.FP32], b: pl.Tensor[[LIMIT, DEPTH], pl.FP32], c: pl.Tensor[[SAME, 8], pl.FP32]):
    t = pl.load(a, [0, 0], [ROWS, WIDTH])
