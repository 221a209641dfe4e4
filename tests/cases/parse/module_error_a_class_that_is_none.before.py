# what belongs to the program is held to its language, wherever it stands
# a class that is none
@pl.function
def f():
    x = 1
  y = 2
