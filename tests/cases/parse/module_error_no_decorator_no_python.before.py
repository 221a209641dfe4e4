# what belongs to the program is held to its language, wherever it stands
# no decorator, no Python
def golden(a):
    return a
