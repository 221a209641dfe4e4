dsb ; by hand
