# test: frame=bare_kernel
# nested loops do not
for j in pl.range(2):
    for j in pl.range(3):
        y = j
    z = j
