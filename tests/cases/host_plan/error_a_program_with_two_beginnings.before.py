# test: frame=host_plan ranks=1
# a program with two beginnings
    def main(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], pl.INT32]]):
        self.apart(x, y, device=0)
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def other(self):
        n = 1
