# test: frame=host_plan ranks=2 arg=n=rank
# a scalar that differs by rank
    def main(self, n: pl.Scalar[pl.INT32]):
        m = n
