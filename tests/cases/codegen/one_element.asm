ld x[18]@0
st out[0]@0, 7
