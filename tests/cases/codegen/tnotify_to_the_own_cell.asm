ld sig_ctx[2]@0
ld sig_ctx[4]@0
ld sig_ctx[4]@0
dcci sig[1]@0 ; macro
st.atomic sig[1]@0, -2
dcci sig[1]@0 ; macro
dsb ; macro
barrier all ; macro
