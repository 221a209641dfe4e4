# what belongs to the program is held to its language, wherever it stands
# a string of another kind in a body
@pl.function
def f():
    x = pl.test.mystery(f"a")
