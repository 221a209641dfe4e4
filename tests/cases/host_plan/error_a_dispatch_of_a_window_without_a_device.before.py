# test: frame=host_plan ranks=2
# a window belongs to the ranks of its domain: its dispatch needs a device (pypto-front-facts 2.7)
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        self.one(w, device=0)
        self.one(w)
