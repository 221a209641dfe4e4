mte2 t <- f[0]@0, 4 x 4
set_flag mte2, s, 2 ; auto-sync
wait_flag mte2, s, 2 ; auto-sync
s.rename u, t
set_flag s, mte3, 2 ; auto-sync
wait_flag s, mte3, 2 ; auto-sync
mte3 fout[0]@0 <- u, 2 x 8
