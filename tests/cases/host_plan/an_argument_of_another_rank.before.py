# test: frame=host_plan ranks=2
# an argument of another rank is its address (pypto-front-facts 2.7): [8] for a parameter [1, 8]
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [8], dtype=pl.INT32)
        self.one(w, device=0)
