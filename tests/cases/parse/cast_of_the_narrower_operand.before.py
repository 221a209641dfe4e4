# test: frame=bare_kernel
# The narrower operand is cast to the type of the wider one (pypto-front-facts 2.3), whichever side it stands on; a literal
# is an INDEX. The result has the wider type, but for a comparison.
a = n + 1
c = i * n
d = n < i
e = n == 3
g = pl.min(n, i)
h = n << 2
q = pl.const(1, pl.INT8) - n
l = f * pl.const(2, pl.FP16)
m = pl.add(n, i)
