ld v_ctx[2]@0
st v[0]@0, 0
