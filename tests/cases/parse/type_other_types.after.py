w: pl.Array[4, pl.TASK_ID] = pl.test.mystery()
