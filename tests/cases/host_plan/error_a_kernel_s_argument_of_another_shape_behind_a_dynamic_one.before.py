# test: frame=host_plan ranks=1
# a kernel's argument of another shape, behind a dynamic one
    def main(self):
        buf = pld.alloc_window_buffer(64)
        w = pld.window(buf, [1, 16], dtype=pl.INT32)
        self.loose(w, device=0)
