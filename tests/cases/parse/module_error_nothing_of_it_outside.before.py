# what belongs to the program is held to its language, wherever it stands
# nothing of it outside
@pl.function
def f():
    y = M
print(M)
