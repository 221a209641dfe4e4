mte2 t <- f[0]@0, 4 x 4
set_flag mte2, mte3, 2 ; auto-sync
wait_flag mte2, mte3, 2 ; auto-sync
mte3 fout[0]@0 <- u, 2 x 4
