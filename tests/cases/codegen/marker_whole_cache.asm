dcci all ; by hand
