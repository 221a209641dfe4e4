# test: frame=host_plan ranks=1 arg=ROUNDS=1
# a constant of the program from outside
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        for i in pl.range(ROUNDS):
            self.one(w, device=0)
