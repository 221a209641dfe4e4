# test: frame=bare_kernel
# Of two operands as wide the left one decides, and nothing is cast between INDEX and INT64 (pypto-front-facts 2.3).
w = pl.const(4, pl.INT64)
a = n + pl.const(1, pl.UINT32)
c = pl.const(1, pl.UINT32) + n
d = i + w
e = w - i
g = pl.const(1, pl.UINT64) + i
h = w < i
