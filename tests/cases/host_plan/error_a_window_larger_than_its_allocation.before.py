# test: frame=host_plan ranks=1
# a window larger than its allocation
    def main(self):
        buf = pld.alloc_window_buffer(16)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        self.one(w, device=0)
