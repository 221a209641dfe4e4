# operators on values of names, and literals between them, are computed; literals alone and what holds
# a variable stay (pypto-front-facts 2.2)
K = 6
T = (3, 4)
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, n: pl.Scalar[pl.INDEX]):
        pl.test.use(K * 4, -K, K / 4, (2 + 3) * K, K ** 2, K & 3, K << 1, K % 4, 7 // 2, n + K * 2, K < 7, not K, K // 0, T[1], T)
        K = n
        pl.test.use(K * 4)
