barrier all ; by hand
dsb ; by hand
