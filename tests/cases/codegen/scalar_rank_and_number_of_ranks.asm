ld win_ctx[2]@0
ld win_ctx[2]@0
st out[0]@0, 0
st out[1]@0, 2
