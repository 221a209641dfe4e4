# test: frame=host_plan ranks=1
# slots of one domain share a line at 32 bytes
    def main(self):
        a = pld.alloc_window_buffer(32)
        b = pld.alloc_window_buffer(32)
        wa = pld.window(a, [1, 8], dtype=pl.INT32)
        wb = pld.window(b, [1, 8], dtype=pl.INT32)
        self.one(wa, device=0)
        self.one(wb, device=0)
