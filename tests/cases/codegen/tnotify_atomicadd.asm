ld sig_ctx[2]@0
ld sig_ctx[4]@0
ld sig_ctx[5]@0
dcci sig[0]@1 ; macro
st.atomic sig[0]@1, 5
dcci sig[0]@1 ; macro
dsb ; macro
barrier all ; macro
