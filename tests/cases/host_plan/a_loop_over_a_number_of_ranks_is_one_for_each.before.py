# test: frame=host_plan ranks=2
# a loop over a number of ranks is one for each
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        for r in pl.range(2):
            self.one(w, device=r)
