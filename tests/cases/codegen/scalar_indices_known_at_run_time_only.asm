st out[23]@0, 3
