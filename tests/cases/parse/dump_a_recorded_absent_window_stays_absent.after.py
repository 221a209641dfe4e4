y: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a")] = pl._dump.call('tensor.view', [win, [256]], pld.DistributedTensor[[256], pl.FP32])
