# test: frame=host_plan ranks=3
# overlapping domains
    def main(self):
        a = pld.alloc_window_buffer(32)
        b = pld.alloc_window_buffer(32)
        wa = pld.window(a, [1, 8], dtype=pl.INT32)
        wb = pld.window(b, [1, 8], dtype=pl.INT32)
        for r in pl.range(2):
            self.one(wa, device=r)
        for r in pl.range(1, 3):
            self.one(wb, device=r)
