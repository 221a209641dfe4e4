# test: frame=bare_kernel
# A name keeps its type: a value of that type is the same variable, and so is one that the text gives that type. INDEX goes
# with every integer: the other one of the two is the variable's type, and a literal takes it.
y = n
y = -y
y: pl.Scalar[pl.INT32] = i + 1
z: pl.Scalar[pl.INDEX] = n
z = n
w: pl.Scalar[pl.INT64] = 7
w = pl.const(8, pl.INT64)
t = pl.load(x, [0, 0], [1, 64])
t = pl.load(x, [1, 0], [1, 64])
