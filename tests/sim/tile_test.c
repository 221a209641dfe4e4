/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of scalars and tiles. Conversions of half precision are held against integer reasoning
 * on the bits, over every bit pattern.
 */
#include <math.h>

#include "tests/sim/rig.h"

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t convert(int64_t bits, enum elem from, enum elem to)
{
    return (uint32_t)alu_eval(ALU_CVT, bits, 0, from, to);
}

/* ---- half precision ---- */

/* fp32 bits of an fp16: the exponent is rebiased, a subnormal is shifted up until it is normal. */
static uint32_t widen_fp16(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    if (exponent == 31)
        return sign | 0x7f800000 | mantissa << 13;
    if (exponent == 0 && mantissa == 0)
        return sign;
    int shift = 0;
    for (; exponent == 0 && !(mantissa & 0x400); shift++)
        mantissa <<= 1;
    uint32_t biased = (exponent ? exponent : 1) + 127 - 15 - (uint32_t)shift;
    return sign | biased << 23 | (mantissa & 0x3ff) << 13;
}

static uint32_t widen_bf16(uint32_t h)
{
    return h << 16;
}

static const struct half {
    const char *name;
    enum elem elem;
    uint32_t (*widen)(uint32_t h);
    uint32_t infinity;
} halves[] = {{"fp16", ELEM_F16, widen_fp16, 0x7c00}, {"bf16", ELEM_BF16, widen_bf16, 0x7f80}};
enum { HALVES = sizeof halves / sizeof *halves };

static bool is_nan(const struct half *k, uint32_t h)
{
    return (h & 0x7fff) > k->infinity;
}

Test(tile, half_precision_round_trip)
{
    for (int k = 0; k < HALVES; k++) {
        int wrong = 0;
        for (uint32_t h = 0; h < 0x10000; h++) {
            uint32_t wide = convert(h, halves[k].elem, ELEM_F32);
            uint32_t back = convert(wide, ELEM_F32, halves[k].elem);
            if (is_nan(&halves[k], h))
                wrong += !isnan(float_of(wide)) || !is_nan(&halves[k], back);
            else
                wrong += wide != halves[k].widen(h) || back != h;
        }
        cr_expect(wrong == 0, "%s: %d of 65536 patterns", halves[k].name, wrong);
    }
}

/* Between two neighbours: the half-way point goes to the even one, all else to the nearer. */
Test(tile, half_precision_rounds_to_nearest_even)
{
    for (int k = 0; k < HALVES; k++) {
        int wrong = 0;
        for (uint32_t h = 0; h < halves[k].infinity; h++) {
            double low = float_of(halves[k].widen(h));
            double high = h + 1 < halves[k].infinity ? float_of(halves[k].widen(h + 1))
                                                     : 2 * low - float_of(halves[k].widen(h - 1));
            float middle = (float)((low + high) / 2);
            uint32_t even = h & 1 ? h + 1 : h;
            struct {
                float at;
                uint32_t expected;
            } cases[] = {
                {middle, even}, {nextafterf(middle, 0), h}, {nextafterf(middle, INFINITY), h + 1}};
            if (halves[k].elem == ELEM_BF16 && h == 0)
                continue; /* its middle is no fp32 number with neighbours on both sides of it */
            for (int c = 0; c < 3; c++) {
                uint32_t bits = bits_of(cases[c].at);
                wrong += convert(bits, ELEM_F32, halves[k].elem) != cases[c].expected;
                wrong += convert(bits | 0x80000000, ELEM_F32, halves[k].elem) !=
                         (cases[c].expected | 0x8000);
            }
        }
        cr_expect(wrong == 0, "%s: %d roundings", halves[k].name, wrong);
    }
}

/* ---- conversions and scalar arithmetic ---- */

static const struct {
    const char *name;
    enum alu op;
    int64_t a, b;
    enum elem from, to;
    int64_t expected;
} alu_rows[] = {
    {"add wraps", ALU_ADD, INT64_MAX, 1, 0, 0, INT64_MIN},
    {"sub wraps", ALU_SUB, INT64_MIN, 1, 0, 0, INT64_MAX},
    {"mul", ALU_MUL, -3, 5, 0, 0, -15},
    {"floor division rounds down", ALU_FLOORDIV, -7, 2, 0, 0, -4},
    {"floor division of two negatives", ALU_FLOORDIV, -7, -2, 0, 0, 3},
    {"floor division without rest", ALU_FLOORDIV, -8, 2, 0, 0, -4},
    {"compiled division rounds towards zero", ALU_TRUNCDIV, -7, 2, 0, 0, -3},
    {"compiled rest has the dividend's sign", ALU_TRUNCMOD, -7, 2, 0, 0, -1},
    {"compiled rest by a negative", ALU_TRUNCMOD, 7, -2, 0, 0, 1},
    {"modulo has the divisor's sign", ALU_MOD, -7, 2, 0, 0, 1},
    {"modulo by a negative", ALU_MOD, 7, -2, 0, 0, -1},
    {"min", ALU_MIN, -1, 1, 0, 0, -1},
    {"max", ALU_MAX, -1, 1, 0, 0, 1},
    {"shift left", ALU_SHL, 3, 4, 0, 0, 48},
    {"shift right keeps the sign", ALU_SHR, -8, 1, 0, 0, -4},
    {"equal", ALU_EQ, 4, 4, 0, 0, 1},
    {"not equal", ALU_EQ, 4, 5, 0, 0, 0},
    {"less", ALU_LT, -1, 0, 0, 0, 1},
    {"less or equal", ALU_LE, 1, 0, 0, 0, 0},
    {"logical and", ALU_LAND, 2, 4, 0, 0, 1},
    {"logical or", ALU_LOR, 0, 0, 0, 0, 0},
    {"logical xor", ALU_LXOR, 2, 4, 0, 0, 0},
    {"not", ALU_NOT, 5, 0, 0, 0, 0},
    {"bitwise not", ALU_BITNOT, 5, 0, 0, 0, -6},
    {"abs", ALU_ABS, -5, 0, 0, 0, 5},
    {"neg", ALU_NEG, 5, 0, 0, 0, -5},
    {"fp32 add", ALU_FADD, 0x3fc00000, 0x40100000, 0, 0, 0x40700000}, /* 1.5 + 2.25 = 3.75 */
    {"fp32 mul", ALU_FMUL, 0x3fc00000, 0x40000000, 0, 0, 0x40400000}, /* 1.5 * 2 = 3 */
    {"fp32 less", ALU_FLT, 0xbf800000, 0x3f800000, 0, 0, 1},          /* -1 < 1 */
    {"fp32 nan is no number", ALU_FEQ, 0x7fc00000, 0x7fc00000, 0, 0, 0},
    {"int8 from int32 wraps", ALU_CVT, 200, 0, ELEM_I32, ELEM_I8, -56},
    {"uint8 from int32 wraps", ALU_CVT, -1, 0, ELEM_I32, ELEM_U8, 255},
    {"int32 from int64 wraps", ALU_CVT, (int64_t)1 << 32 | 7, 0, ELEM_I64, ELEM_I32, 7},
    {"fp32 from int32", ALU_CVT, -3, 0, ELEM_I32, ELEM_F32, 0xc0400000},
    {"int32 from fp32", ALU_CVT, 0xc0400000, 0, ELEM_F32, ELEM_I32, -3},
    {"fp16 overflows to infinity", ALU_CVT, 0x477ff000, 0, ELEM_F32, ELEM_F16, 0x7c00}, /* 65520 */
    {"fp16 largest", ALU_CVT, 0x477fefff, 0, ELEM_F32, ELEM_F16, 0x7bff},
    {"fp16 to bf16", ALU_CVT, 0x3e00, 0, ELEM_F16, ELEM_BF16, 0x3fc0}, /* 1.5 */
};

Test(tile, scalar_arithmetic)
{
    for (size_t i = 0; i < sizeof alu_rows / sizeof *alu_rows; i++) {
        int64_t actual = alu_eval(alu_rows[i].op, alu_rows[i].a, alu_rows[i].b, alu_rows[i].from,
                                  alu_rows[i].to);
        cr_expect(actual == alu_rows[i].expected, "%s: %lld", alu_rows[i].name, (long long)actual);
    }
}

/* ---- tile operations ---- */

enum { SIDE = 4 };

struct shape {
    int rows, cols;
    enum elem elem;
};

/* One operation: values are integers, converted to the elements of the tiles. Absent sources have
 * no rows. */
struct tile_row {
    const char *name;
    enum tile_op_kind kind;
    struct shape dst, src[2];
    int64_t in[2][SIDE], scalar;
    int64_t out[SIDE];
};

#define I32(r, c)                                                                                  \
    {                                                                                              \
        r, c, ELEM_I32                                                                             \
    }
#define I8(r, c)                                                                                   \
    {                                                                                              \
        r, c, ELEM_I8                                                                              \
    }
#define F32(r, c)                                                                                  \
    {                                                                                              \
        r, c, ELEM_F32                                                                             \
    }
#define F16(r, c)                                                                                  \
    {                                                                                              \
        r, c, ELEM_F16                                                                             \
    }
#define BF16(r, c)                                                                                 \
    {                                                                                              \
        r, c, ELEM_BF16                                                                            \
    }
#define NONE                                                                                       \
    {                                                                                              \
        0, 0, ELEM_I32                                                                             \
    }

static const struct tile_row tile_rows[] = {
    {"copy", TILE_COPY, I32(2, 2), {I32(2, 2), NONE}, {{1, 2, 3, 4}}, 0, {1, 2, 3, 4}},
    {"fill", TILE_FILL, I32(2, 2), {NONE, NONE}, {{0}}, 7, {7, 7, 7, 7}},
    {"add int32",
     TILE_ADD,
     I32(2, 2),
     {I32(2, 2), I32(2, 2)},
     {{1, 2, 3, 4}, {10, 20, 30, 40}},
     0,
     {11, 22, 33, 44}},
    {"add fp32",
     TILE_ADD,
     F32(1, 4),
     {F32(1, 4), F32(1, 4)},
     {{1, 2, 3, 4}, {10, 20, 30, -40}},
     0,
     {11, 22, 33, -36}},
    {"add fp16 rounds to even: 2048 + 1",
     TILE_ADD,
     F16(1, 4),
     {F16(1, 4), F16(1, 4)},
     {{2048, 2048, 2050, 1}, {1, 3, 1, 1}},
     0,
     {2048, 2052, 2052, 2}},
    {"add bf16 rounds to even: 256 + 1",
     TILE_ADD,
     BF16(1, 4),
     {BF16(1, 4), BF16(1, 4)},
     {{256, 256, 258, 1}, {1, 3, 1, 1}},
     0,
     {256, 260, 260, 2}},
    {"add int8 wraps",
     TILE_ADD,
     I8(1, 4),
     {I8(1, 4), I8(1, 4)},
     {{100, -100, 127, 1}, {100, -100, 1, 1}},
     0,
     {-56, 56, -128, 2}},
    {"sub",
     TILE_SUB,
     I32(1, 4),
     {I32(1, 4), I32(1, 4)},
     {{1, 2, 3, 4}, {4, 3, 2, 1}},
     0,
     {-3, -1, 1, 3}},
    {"mul int32",
     TILE_MUL,
     I32(1, 4),
     {I32(1, 4), I32(1, 4)},
     {{1, 2, 3, -4}, {4, 3, 2, 1}},
     0,
     {4, 6, 6, -4}},
    {"mul fp16",
     TILE_MUL,
     F16(1, 4),
     {F16(1, 4), F16(1, 4)},
     {{1, 2, 3, -4}, {4, 3, 2, 1}},
     0,
     {4, 6, 6, -4}},
    {"div fp32",
     TILE_DIV,
     F32(1, 4),
     {F32(1, 4), F32(1, 4)},
     {{8, 6, 9, -4}, {4, 3, 3, 1}},
     0,
     {2, 2, 3, -4}},
    {"max",
     TILE_MAX,
     F32(1, 4),
     {F32(1, 4), F32(1, 4)},
     {{1, 2, 3, -4}, {4, 1, 2, -5}},
     0,
     {4, 2, 3, -4}},
    {"min",
     TILE_MIN,
     I32(1, 4),
     {I32(1, 4), I32(1, 4)},
     {{1, 2, 3, -4}, {4, 1, 2, -5}},
     0,
     {1, 1, 2, -5}},
    {"add a scalar", TILE_ADDS, I32(2, 2), {I32(2, 2), NONE}, {{1, 2, 3, 4}}, 10, {11, 12, 13, 14}},
    {"multiply by a scalar",
     TILE_MULS,
     F32(2, 2),
     {F32(2, 2), NONE},
     {{1, 2, 3, 4}},
     2,
     {2, 4, 6, 8}},
    {"neg", TILE_NEG, I32(1, 4), {I32(1, 4), NONE}, {{1, -2, 0, 4}}, 0, {-1, 2, 0, -4}},
    {"abs", TILE_ABS, F16(1, 4), {F16(1, 4), NONE}, {{1, -2, 0, 4}}, 0, {1, 2, 0, 4}},
    {"relu", TILE_RELU, BF16(1, 4), {BF16(1, 4), NONE}, {{1, -2, 0, 4}}, 0, {1, 0, 0, 4}},
    {"row sum", TILE_ROW_SUM, I32(2, 1), {I32(2, 2), NONE}, {{1, 2, 30, 40}}, 0, {3, 70}},
    {"row sum fp32", TILE_ROW_SUM, F32(1, 1), {F32(1, 4), NONE}, {{1, 2, 3, -40}}, 0, {-34}},
    {"row max", TILE_ROW_MAX, I32(2, 1), {I32(2, 2), NONE}, {{1, 2, -30, -40}}, 0, {2, -30}},
    {"row min", TILE_ROW_MIN, F32(2, 1), {F32(2, 2), NONE}, {{1, 2, -30, -40}}, 0, {1, -40}},
    {"cast fp16 to fp32",
     TILE_CAST,
     F32(1, 4),
     {F16(1, 4), NONE},
     {{1, -2, 2048, 0}},
     0,
     {1, -2, 2048, 0}},
    {"cast fp32 to bf16",
     TILE_CAST,
     BF16(1, 4),
     {F32(1, 4), NONE},
     {{257, 259, -3, 0}},
     0,
     {256, 260, -3, 0}},
    {"cast int32 to fp32",
     TILE_CAST,
     F32(1, 4),
     {I32(1, 4), NONE},
     {{1, -2, 3, 0}},
     0,
     {1, -2, 3, 0}},
    {"cast fp32 to int32",
     TILE_CAST,
     I32(1, 4),
     {F32(1, 4), NONE},
     {{1, -2, 3, 0}},
     0,
     {1, -2, 3, 0}},
    {"add a row to each row",
     TILE_ADD,
     I32(2, 2),
     {I32(2, 2), I32(1, 2)},
     {{1, 2, 3, 4}, {10, 20}},
     0,
     {11, 22, 13, 24}},
    {"gather from all rows",
     TILE_GATHER,
     I32(2, 2),
     {I32(2, 2), I32(2, 2)},
     {{10, 20, 30, 40}, {3, 0, 1, 3}},
     0,
     {40, 10, 20, 40}},
    {"gather more of FP16 than there is",
     TILE_GATHER,
     F16(1, 4),
     {F16(1, 2), I32(1, 4)},
     {{5, 7}, {1, 1, 0, 1}},
     0,
     {7, 7, 5, 7}},
    {"add a column to each column",
     TILE_ADD,
     I32(2, 2),
     {I32(2, 2), I32(2, 1)},
     {{1, 2, 3, 4}, {10, 20}},
     0,
     {11, 12, 23, 24}},
};

static bool is_float(enum elem e)
{
    return e == ELEM_F16 || e == ELEM_BF16 || e == ELEM_F32;
}

static int64_t element(int64_t value, enum elem e)
{
    return is_float(e) ? convert(value, ELEM_I64, e) : value;
}

static int fill_source(struct builder *b, const struct shape *s, const int64_t *values)
{
    if (!s->rows)
        return -1;
    int t = tile_of(b, s->rows, s->cols, s->elem);
    for (int i = 0; i < s->rows * s->cols; i++)
        tile_st(b, t, i, element(values[i], s->elem));
    return t;
}

static void run_all(struct rig *r)
{
    struct drive_options o = {.seed = 1};
    struct drive_result result = {0};
    drive_random(r->machine, &o, &result);
}

Test(tile, operations)
{
    for (size_t i = 0; i < sizeof tile_rows / sizeof *tile_rows; i++) {
        const struct tile_row *row = &tile_rows[i];
        struct rig r = {0};
        struct builder b = {.arena = &r.arena};
        var(&b, "x", 1);
        core(&b, 0);
        int dst = tile_of(&b, row->dst.rows, row->dst.cols, row->dst.elem);
        int src0 = fill_source(&b, &row->src[0], row->in[0]);
        int src1 = fill_source(&b, &row->src[1], row->in[1]);
        tile_op(&b, row->kind, dst, src0, src1);
        last_tile_op(&b)->scalar.imm = element(row->scalar, row->dst.elem);
        barrier(&b, PIPE_ALL);
        for (int k = 0; k < row->dst.rows * row->dst.cols; k++)
            tile_ld(&b, k, dst, k);
        rig_open_program(&r, built(&b), "a2a3", NULL, false);
        run_all(&r);
        cr_expect(machine_at_end(r.machine), "%s: ends", row->name);
        for (int k = 0; k < row->dst.rows * row->dst.cols; k++)
            cr_expect(r.machine->cores[0].regs[k] == element(row->out[k], row->dst.elem),
                      "%s: element %d holds %llx", row->name, k,
                      (long long)r.machine->cores[0].regs[k]);
        rig_close(&r);
    }
}

/* What is not valid of the source becomes the padding: another tile's, or the source's own, with
 * extents that a register may hold. */
Test(tile, fillpad)
{
    static const struct {
        int rows, cols;
        int64_t out[SIDE];
    } rows[] = {
        {2, 2, {1, 2, 3, 4}},
        {1, 2, {1, 2, 9, 9}},
        {2, 1, {1, 9, 3, 9}},
        {0, 2, {9, 9, 9, 9}},
    };
    static const int64_t in[SIDE] = {1, 2, 3, 4};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int in_place = 0; in_place < 2; in_place++) {
            struct rig r = {0};
            struct builder b = {.arena = &r.arena};
            const struct shape square = I32(2, 2);
            var(&b, "x", 1);
            core(&b, 0);
            int src = fill_source(&b, &square, in);
            int dst = in_place ? src : tile_of(&b, 2, 2, ELEM_I32);
            li(&b, SIDE, rows[i].cols);
            tile_op(&b, TILE_FILLPAD, dst, src, -1);
            struct tile_op *op = last_tile_op(&b);
            op->scalar.imm = 9;
            op->rows = (struct operand){NO_REG, rows[i].rows};
            op->cols = (struct operand){SIDE, 0};
            barrier(&b, PIPE_ALL);
            for (int k = 0; k < SIDE; k++)
                tile_ld(&b, k, dst, k);
            rig_open_program(&r, built(&b), "a2a3", NULL, false);
            run_all(&r);
            for (int k = 0; k < SIDE; k++)
                cr_expect(r.machine->cores[0].regs[k] == rows[i].out[k],
                          "%d x %d: element %d holds %lld", rows[i].rows, rows[i].cols, k,
                          (long long)r.machine->cores[0].regs[k]);
            rig_close(&r);
        }
}

/* ---- operators without an implementation: a fixed function of operand bits and name ---- */

static int64_t opaque(const char *name, int64_t a, int64_t b_value, int64_t scalar)
{
    struct rig r = {0};
    struct builder b = {.arena = &r.arena};
    var(&b, "x", 1);
    core(&b, 0);
    int dst = tile(&b, 1), x = tile(&b, 1), y = tile(&b, 1);
    tile_st(&b, x, 0, a);
    tile_st(&b, y, 0, b_value);
    tile_op(&b, TILE_UNINTERPRETED, dst, x, y);
    last_tile_op(&b)->name = name;
    last_tile_op(&b)->scalar.imm = scalar;
    barrier(&b, PIPE_ALL);
    tile_ld(&b, 0, dst, 0);
    rig_open_program(&r, built(&b), "a2a3", NULL, false);
    run_all(&r);
    int64_t value = r.machine->cores[0].regs[0];
    rig_close(&r);
    return value;
}

/* How many of 50 pairs of results differ, when one thing is changed. */
static int differing(const char *name, int64_t b, int64_t scalar)
{
    int n = 0;
    for (int64_t a = 0; a < 50; a++)
        n += opaque("softmax", a, 1, 2) != opaque(name, a, b, scalar);
    return n;
}

Test(tile, uninterpreted_operations)
{
    cr_expect(differing("softmax", 1, 2) == 0, "equal inputs give equal outputs");
    cr_expect(differing("gelu", 1, 2) > 40, "another name gives others");
    cr_expect(differing("softmax", 3, 2) > 40, "another operand gives others");
    cr_expect(differing("softmax", 1, 4) > 40, "another scalar gives others");
}

/* ---- atomic adds of each element type land in memory ---- */

static const struct {
    enum elem elem;
    int64_t before, added, after;
} add_rows[] = {
    {ELEM_I32, 5, -7, -2},
    {ELEM_F32, 0x3fc00000, 0x40100000, 0x40700000}, /* 1.5 + 2.25 = 3.75 */
    {ELEM_F16, 0x3e00, 0x4080, 0x4380},             /* the same in fp16 */
    {ELEM_BF16, 0x3fc0, 0x4010, 0x4070},            /* the same in bf16 */
};

Test(tile, atomic_adds_use_the_element_s_arithmetic)
{
    for (size_t i = 0; i < sizeof add_rows / sizeof *add_rows; i++) {
        struct rig r = {0};
        struct builder b = {.arena = &r.arena, .grain = 2};
        struct loc x = var(&b, "x", 1);
        initially(&b, x, (int32_t)add_rows[i].before);
        core(&b, 0);
        int t = tile_of(&b, 1, 1, add_rows[i].elem);
        tile_st(&b, t, 0, add_rows[i].added);
        mte3_add(&b, x, t);
        rig_open_program(&r, built(&b), "a2a3", NULL, true);
        run_all(&r);
        uint32_t mask = elem_size(add_rows[i].elem) == 2 ? 0xffff : 0xffffffff, actual;
        memcpy(&actual, r.machine->gm[0] + x.offset, sizeof actual);
        cr_expect((actual & mask) == ((uint32_t)add_rows[i].after & mask), "%s: %x",
                  elem_name(add_rows[i].elem), actual);
        rig_close(&r);
    }
}
