s.ramp t, 7
v.add u, t, t
