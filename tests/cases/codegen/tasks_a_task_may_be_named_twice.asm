st out[0]@0, 1
barrier all ; tail
st out[0]@0, 1
barrier all ; tail
