ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
barrier all ; codegen
mte2 stage <- x[0]@0, 4 x 16
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
mte3 win[0]@1 <- stage, 4 x 16
set_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 1 ; macro
barrier all ; codegen
dcci win[0]@1 ; codegen
