# test: frame=split
# once the scope is gone, nothing else says that the cube does not notify (pypto-ops-facts 3.2)
        for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
            if lane == 0:
                pld.system.notify(s, 1, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.notify(s, 1, [1, 0], 1, op=pld.NotifyOp.AtomicAdd)
