# what belongs to the program is held to its language, wherever it stands
# two programs
@pl.program
class A:
    pass
@pl.program
class B:
    pass
