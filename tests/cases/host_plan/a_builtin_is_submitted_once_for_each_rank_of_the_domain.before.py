# test: frame=host_plan ranks=2
# a builtin is submitted once for each rank of the domain
    def main(self):
        data = pld.alloc_window_buffer(32)
        cells = pld.alloc_window_buffer(8)
        w = pld.window(data, [1, 8], dtype=pl.FP32)
        s = pld.window(cells, [2, 1], dtype=pl.INT32)
        v = pld.window(data, [1, 8], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            self.one(v, device=r)
        pld.tensor.allreduce(w, s, op=pld.ReduceOp.Sum)
