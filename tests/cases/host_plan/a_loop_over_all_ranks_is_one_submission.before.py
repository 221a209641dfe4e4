# test: frame=host_plan ranks=2
# a loop over all ranks is one submission
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            self.one(w, device=r)
