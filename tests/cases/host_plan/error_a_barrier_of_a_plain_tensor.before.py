# test: frame=host_plan ranks=1 passes=none
# a barrier of a plain tensor
    def main(self, d: pl.Tensor[[1, 8], pl.FP32]):
        pld.tensor.barrier(d)
