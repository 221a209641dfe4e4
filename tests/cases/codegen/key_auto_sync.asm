mte2 t <- x[0]@0, 1 x 16
set_flag mte2, mte3, 2 ; auto-sync
wait_flag mte2, mte3, 2 ; auto-sync
mte3 out[0]@0 <- t, 1 x 16
