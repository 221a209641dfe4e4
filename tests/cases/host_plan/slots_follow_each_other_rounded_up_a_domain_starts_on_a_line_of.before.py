# test: frame=host_plan ranks=2
# slots follow each other, rounded up; a domain starts on a line of its own
    def main(self):
        a = pld.alloc_window_buffer(33)
        b = pld.alloc_window_buffer(32)
        c = pld.alloc_window_buffer(40)
        wa = pld.window(a, [1, 8], dtype=pl.INT32)
        wb = pld.window(b, [1, 8], dtype=pl.INT32)
        wc = pld.window(c, [1, 8], dtype=pl.INT32)
        self.one(wa, device=0)
        self.one(wb, device=0)
        self.one(wc, device=1)
