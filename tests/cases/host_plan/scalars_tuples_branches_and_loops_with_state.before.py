# test: frame=host_plan ranks=2
# scalars, tuples, branches and loops with state
    def main(self):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        pair = (3, 5)
        n = pair[0] + pair[1] // 2
        for r, (acc,) in pl.range(2, init_values=(n,)):
            if r == 1:
                step = pl.yield_(acc - 4)
            else:
                step = pl.yield_(1)
            self.count(w, step, device=r)
            last = pl.yield_(acc)
        for (left,) in pl.while_(init_values=(last,)):
            pl.cond(left > 4)
            self.count(w, left - 4, device=0)
            after = pl.yield_(left // 5)
