ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
barrier all ; codegen
mte2 s <- x[0]@0, 1 x 16
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
mte3 win[0]@1 <- s, 1 x 16
set_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 1 ; macro
barrier mte3 ; codegen
dcci win[0]@1 ; codegen
