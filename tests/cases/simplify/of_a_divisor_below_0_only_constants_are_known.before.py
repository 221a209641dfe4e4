# test: frame=simplify
# arithmetic
# of a divisor below 0 only constants are known: // rounds down, and % has its sign
pl.test.use(7 // -2, 7 % -2, -7 // -2, -7 % -2, i // -4, i % -4, i // -1, i % -1)
