A0 = [1, 1]
A1 = [A0, A0]
A2 = [A1, A1]
def f():
    x = A2
    y = (x, x)
    z = (y, y)
