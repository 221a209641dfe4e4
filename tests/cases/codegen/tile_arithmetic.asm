v.fill t, 9
v.muls u, t, 3
v.sub w, u, t
v.row_sum m, w
