# test: frame=host_plan ranks=2
# the ordering token of a domain orders a rank's dispatches, and no other rank's
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        for call in pl.range(2):
            for r in pl.range(pld.world_size()):
                self.one(w, device=r)
