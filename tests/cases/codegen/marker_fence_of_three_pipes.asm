barrier mte2 ; by hand
barrier mte3 ; by hand
barrier fix ; by hand
dsb ; by hand
