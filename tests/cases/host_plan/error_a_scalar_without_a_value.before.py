# test: frame=host_plan ranks=1
# a scalar without a value
    def main(self, n: pl.Scalar[pl.INT32]):
        m = n
