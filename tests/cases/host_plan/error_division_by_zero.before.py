# test: frame=host_plan ranks=1
# division by zero
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        n = 1
        for i in pl.range(4 // (n - n)):
            self.one(w, device=0)
        self.one(w, device=0)
