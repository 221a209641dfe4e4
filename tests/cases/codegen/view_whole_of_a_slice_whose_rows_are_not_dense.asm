ld half_ctx[2]@0
ld half_ctx[4]@0
ld half_ctx[5]@0
barrier all ; codegen
mte2 s <- x[8]@0, 1 x 8
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 half[0]@1 <- s, 1 x 8
set_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 1 ; macro
mte2 s <- x[24]@0, 1 x 8
set_flag mte2, mte3, 0 ; macro
wait_flag mte2, mte3, 0 ; macro
barrier all ; macro
mte3 half[8]@1 <- s, 1 x 8
set_flag mte3, mte2, 1 ; macro
wait_flag mte3, mte2, 1 ; macro
barrier all ; codegen
dcci half[0]@1 ; codegen
