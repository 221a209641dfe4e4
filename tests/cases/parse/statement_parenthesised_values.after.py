return i, n
