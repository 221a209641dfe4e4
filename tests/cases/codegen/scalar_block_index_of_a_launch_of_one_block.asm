st out[0]@0, 0
st out[1]@0, 1
