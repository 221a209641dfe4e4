# test: arg=n=nranks+1 ranks=3
# values of the Python around a program (pypto-front-facts 1.4): they stand in its tree as numbers,
# element types, members of enums and texts
import os
A, (B, C) = 1, (2, 3)
D = [4, 5, 6]
E = {"n": 7}
LEN = len(D) + max(D) - min(D) + sum(D) + abs(-1) + round(1.6) + int(2.9)
F = 2.5 if A == 1 and not B > 2 else 3
G = "yes" if "x" in ("x", "y") and D is not None else "no"
X = Y = 9
X += 1
DT = pl.FP16 if G == "yes" else pl.FP32
OP = pld.AtomicType.Add
H: int = -(A << 4) // 3 % 5
BYTES = 2 * pl.FP32.get_byte()
def build(n, rows=D[1], dtype=pl.FP32, *, deep=True):
    """A factory."""
    if deep:
        cols = rows * 2
    else:
        raise ValueError("flat")
    if n > 100:
        raise ValueError("too many")
    elif n > 2:
        mode = "large"
    else:
        mode = "small"
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[n, rows], dtype], y: pl.Tensor[[cols, LEN], DT], w: pl.InOut[pld.DistributedTensor[[16], pl.FP32]]):
            pl.test.use(F, mode, H, BYTES, E["n"], D[-1], A + B * C, SIZE=D, op=OP, flag=deep)
            t = pl.load(w, [0], [n * 4])
            pld.tensor.put(w, peer=1, src=w, atomic=OP)
            n = 1
            pl.test.use(n + 1)
    return Prog
