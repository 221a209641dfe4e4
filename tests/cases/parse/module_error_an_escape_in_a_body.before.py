# what belongs to the program is held to its language, wherever it stands
# an escape in a body
@pl.function
def f():
    x = pl.test.mystery("\q")
