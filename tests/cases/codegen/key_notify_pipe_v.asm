ld sig_ctx[2]@0
ld sig_ctx[4]@0
ld sig_ctx[5]@0
barrier v ; codegen
dcci sig[0]@1 ; macro
st.atomic sig[0]@1, 1
dcci sig[0]@1 ; macro
dsb ; macro
barrier all ; macro
