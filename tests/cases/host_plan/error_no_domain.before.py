# test: frame=host_plan ranks=1 passes=none
# no domain
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        self.one(w, device=0)
