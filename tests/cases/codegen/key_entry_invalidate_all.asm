dcci all ; entry
st out[0]@0, 1
