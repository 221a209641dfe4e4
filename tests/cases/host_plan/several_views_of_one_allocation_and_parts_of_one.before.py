# test: frame=host_plan ranks=2
# several views of one allocation, and parts of one
    def main(self):
        buf = pld.alloc_window_buffer(128)
        w = pld.window(buf, [4, 8], dtype=pl.INT32)
        v = pld.window(buf, [1, 8], dtype=pl.INT32)
        for r in pl.range(2):
            self.one(pl.tensor.slice(w, [1, 8], [r + 1, 0]), device=r)
        self.one(v, device=0)
