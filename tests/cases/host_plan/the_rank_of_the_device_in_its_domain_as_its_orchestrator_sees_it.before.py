# test: frame=host_plan ranks=3
# the rank of the device in its domain, as its orchestrator sees it
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        for r in pl.range(1, 3):
            self.numbered(w, device=r)
