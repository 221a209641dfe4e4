/* SPDX-License-Identifier: MIT */
/*
 * The operations of I_ALU, one row each; whoever includes this defines
 *
 *     ALU(id, name, compares, result)
 *
 * compares: a comparison of integers, 0 or 1. result: of the integers a and b, whose bits as fp32
 * are x and y; isa/arithmetic.c has the functions.
 */
// clang-format off
ALU(ADD,      "add",    false, wadd(a, b))
ALU(SUB,      "sub",    false, wsub(a, b))
ALU(MUL,      "mul",    false, wmul(a, b))
ALU(FLOORDIV, "div",    false, floor_div(a, b))
ALU(MOD,      "mod",    false, floor_mod(a, b))
ALU(TRUNCDIV, "sdiv",   false, trunc_div(a, b))
ALU(TRUNCMOD, "srem",   false, trunc_mod(a, b))
ALU(MIN,      "min",    false, a < b ? a : b)
ALU(MAX,      "max",    false, a > b ? a : b)
ALU(AND,      "and",    false, a & b)
ALU(OR,       "or",     false, a | b)
ALU(XOR,      "xor",    false, a ^ b)
ALU(SHL,      "shl",    false, b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b))
ALU(SHR,      "shr",    false, a >> (b < 0 || b > 63 ? 63 : b))
ALU(EQ,       "eq",     true,  a == b)
ALU(NE,       "ne",     true,  a != b)
ALU(LT,       "lt",     true,  a < b)
ALU(LE,       "le",     true,  a <= b)
ALU(GT,       "gt",     true,  a > b)
ALU(GE,       "ge",     true,  a >= b)
ALU(LAND,     "land",   false, a && b)
ALU(LOR,      "lor",    false, a || b)
ALU(LXOR,     "lxor",   false, !a != !b)
ALU(NEG,      "neg",    false, wsub(0, a))
ALU(NOT,      "not",    false, !a)
ALU(BITNOT,   "bitnot", false, ~a)
ALU(ABS,      "abs",    false, a < 0 ? wsub(0, a) : a)
ALU(FADD,     "fadd",   false, bits_of_float(x + y))
ALU(FSUB,     "fsub",   false, bits_of_float(x - y))
ALU(FMUL,     "fmul",   false, bits_of_float(x * y))
ALU(FDIV,     "fdiv",   false, bits_of_float(x / y))
ALU(FMIN,     "fmin",   false, bits_of_float(fminf(x, y)))
ALU(FMAX,     "fmax",   false, bits_of_float(fmaxf(x, y)))
ALU(FEQ,      "feq",    false, x == y)
ALU(FNE,      "fne",    false, x != y)
ALU(FLT,      "flt",    false, x < y)
ALU(FLE,      "fle",    false, x <= y)
ALU(FGT,      "fgt",    false, x > y)
ALU(FGE,      "fge",    false, x >= y)
ALU(FNEG,     "fneg",   false, bits_of_float(-x))
ALU(FABS,     "fabs",   false, bits_of_float(fabsf(x)))
ALU(CVT,      "cvt",    false, elem_convert(a, from, to))
// clang-format on
