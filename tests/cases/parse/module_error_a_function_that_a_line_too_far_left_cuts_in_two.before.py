# what belongs to the program is held to its language, wherever it stands
# a function that a line too far left cuts in two
@pl.function
def f():
    x = 1
y = 2
    z = 3
