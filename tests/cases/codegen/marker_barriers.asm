barrier v ; by hand
barrier m ; by hand
barrier all ; by hand
