# test: frame=host_plan ranks=2
# the elements of the parameter have to be there
    def main(self):
        buf = pld.alloc_window_buffer(16)
        w = pld.window(buf, [4], dtype=pl.INT32)
        self.one(w, device=0)
