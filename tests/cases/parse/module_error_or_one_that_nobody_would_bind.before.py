# what belongs to the program is held to its language, wherever it stands
# or one that nobody would bind
@pl.function
def f():
    x = 1
print(x)
    z = 3
