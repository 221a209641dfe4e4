ld sig_ctx[2]@0
ld sig_ctx[4]@0
ld sig_ctx[5]@0
dcci sig[2]@1 ; macro
st sig[2]@1, 7
dcci sig[2]@1 ; macro
dsb ; macro
barrier all ; macro
