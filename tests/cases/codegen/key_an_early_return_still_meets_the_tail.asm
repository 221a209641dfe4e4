barrier all ; tail
