ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
barrier all ; codegen
mte2 stage <- win[0]@1, 1 x 16
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 out[0]@0 <- stage, 1 x 16
set_flag mte3, mte2, 1 ; macro
mte2 stage2 <- win[16]@1, 1 x 16
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 out[16]@0 <- stage2, 1 x 16
set_flag mte3, mte2, 0 ; macro
wait_flag mte3, mte2, 1 ; macro
mte2 stage <- win[32]@1, 1 x 16
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 out[32]@0 <- stage, 1 x 16
set_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 0 ; macro
mte2 stage2 <- win[48]@1, 1 x 16
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 out[48]@0 <- stage2, 1 x 16
set_flag mte3, mte2, 0 ; macro
wait_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 0 ; macro
barrier all ; codegen
