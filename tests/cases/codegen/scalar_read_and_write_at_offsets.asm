ld x[19]@0
st win[37]@0, 6
