ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
barrier all ; codegen
mte2 stage <- x[0]@0, 1 x 8
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 win[0]@1 <- stage, 1 x 8
set_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 1 ; macro
mte2 stage <- x[8]@0, 1 x 4
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 win[8]@1 <- stage, 1 x 4
set_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 1 ; macro
barrier all ; codegen
dcci win[0]@1 ; codegen
