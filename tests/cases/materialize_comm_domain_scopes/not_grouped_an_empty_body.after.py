for r in pl.range(pld.system.world_size()):
    pass
