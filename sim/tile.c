/* SPDX-License-Identifier: MIT */
/* Element arithmetic of the scalar unit and of tiles. fp16 and bf16 compute in fp32 and round to
 * nearest even. */
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "sim/internal.h"

static const struct {
    const char *name;
    int size;
    bool is_float;
} elems[ELEM_COUNT] = {
    [ELEM_I8] = {"int8", 1, false},   [ELEM_U8] = {"uint8", 1, false},
    [ELEM_I16] = {"int16", 2, false}, [ELEM_I32] = {"int32", 4, false},
    [ELEM_I64] = {"int64", 8, false}, [ELEM_F16] = {"fp16", 2, true},
    [ELEM_BF16] = {"bf16", 2, true},  [ELEM_F32] = {"fp32", 4, true},
};

int elem_size(enum elem e)
{
    return elems[e].size;
}

const char *elem_name(enum elem e)
{
    return elems[e].name;
}

static float float_of_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t bits_of_float(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float bf16_to_float(uint16_t h)
{
    return float_of_bits((uint32_t)h << 16);
}

static uint16_t bf16_of_float(float f)
{
    uint32_t u = bits_of_float(f);
    if ((u & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(u >> 16 | 0x40); /* quiet NaN */
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static float fp16_to_float(uint16_t h)
{
    int exponent = h >> 10 & 31;
    float mantissa = (float)(h & 1023), sign = h & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31)
        return h & 1023 ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexpf(mantissa, -24);
    return sign * ldexpf(1024.0f + mantissa, exponent - 25);
}

static uint16_t fp16_of_float(float f)
{
    uint16_t sign = signbit(f) ? 0x8000 : 0;
    if (isnan(f))
        return sign | 0x7e00;
    f = fabsf(f);
    if (f == 0)
        return sign;
    if (f >= 65520.0f)
        return sign | 0x7c00;
    int exponent;
    frexpf(f, &exponent);
    /* One unit in the last place is 2^(exponent-11) for normal numbers and 2^-24 below them. */
    int scale = exponent < -13 ? 24 : 11 - exponent;
    uint32_t n = (uint32_t)rintf(ldexpf(f, scale));
    return sign | (uint16_t)(exponent < -13 ? n : n + (uint32_t)((exponent + 13) << 10));
}

int64_t elem_load(const void *p, enum elem e)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
    } v = {0};
    memcpy(&v, p, (size_t)elems[e].size);
    switch (e) {
    case ELEM_I8:
        return v.i8;
    case ELEM_U8:
        return v.u8;
    case ELEM_I16:
        return v.i16;
    case ELEM_F16:
    case ELEM_BF16:
        return v.u16;
    case ELEM_I32:
        return v.i32;
    case ELEM_F32:
        return v.u32;
    default:
        return v.i64;
    }
}

void elem_store(void *p, enum elem e, int64_t bits)
{
    memcpy(p, &bits, (size_t)elems[e].size); /* little-endian hosts only, as Debian's are */
}

static float to_float(int64_t bits, enum elem e)
{
    switch (e) {
    case ELEM_F32:
        return float_of_bits((uint32_t)bits);
    case ELEM_F16:
        return fp16_to_float((uint16_t)bits);
    case ELEM_BF16:
        return bf16_to_float((uint16_t)bits);
    default:
        return (float)bits;
    }
}

static int64_t of_float(float f, enum elem e)
{
    switch (e) {
    case ELEM_F32:
        return bits_of_float(f);
    case ELEM_F16:
        return fp16_of_float(f);
    case ELEM_BF16:
        return bf16_of_float(f);
    default:
        return isfinite(f) && fabsf(f) < 9.2e18f ? (int64_t)f : 0;
    }
}

double elem_value(const void *p, enum elem e)
{
    int64_t bits = elem_load(p, e);
    return elems[e].is_float ? (double)to_float(bits, e) : (double)bits;
}

/* To the element's width, sign-extended for signed integers. */
static int64_t wrap(int64_t v, enum elem e)
{
    uint8_t buffer[8];
    elem_store(buffer, e, v);
    return elem_load(buffer, e);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    if (b == 0 || (b == -1 && a == INT64_MIN))
        return 0;
    int64_t q = a / b;
    return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}

static int64_t wadd(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t wsub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t wmul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* The product may lie beyond the numbers that there are; the difference does not. */
static int64_t floor_mod(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : wsub(a, wmul(b, floor_div(a, b)));
}

static int64_t convert(int64_t bits, enum elem from, enum elem to)
{
    if (elems[from].is_float || elems[to].is_float)
        return of_float(to_float(bits, from), to);
    return wrap(bits, to);
}

static int64_t alu_float(enum alu op, float x, float y)
{
    switch (op) {
    case ALU_FADD:
        return bits_of_float(x + y);
    case ALU_FSUB:
        return bits_of_float(x - y);
    case ALU_FMUL:
        return bits_of_float(x * y);
    case ALU_FDIV:
        return bits_of_float(x / y);
    case ALU_FMIN:
        return bits_of_float(fminf(x, y));
    case ALU_FMAX:
        return bits_of_float(fmaxf(x, y));
    case ALU_FEQ:
        return x == y;
    case ALU_FNE:
        return x != y;
    case ALU_FLT:
        return x < y;
    case ALU_FLE:
        return x <= y;
    case ALU_FGT:
        return x > y;
    case ALU_FGE:
        return x >= y;
    case ALU_FNEG:
        return bits_of_float(-x);
    default:
        return bits_of_float(fabsf(x));
    }
}

int64_t alu_eval(enum alu op, int64_t a, int64_t b, enum elem from, enum elem to)
{
    switch (op) {
    case ALU_ADD:
        return wadd(a, b);
    case ALU_SUB:
        return wsub(a, b);
    case ALU_MUL:
        return wmul(a, b);
    case ALU_FLOORDIV:
        return floor_div(a, b);
    case ALU_MOD:
        return floor_mod(a, b);
    case ALU_MIN:
        return a < b ? a : b;
    case ALU_MAX:
        return a > b ? a : b;
    case ALU_AND:
        return a & b;
    case ALU_OR:
        return a | b;
    case ALU_XOR:
        return a ^ b;
    case ALU_SHL:
        return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b);
    case ALU_SHR:
        return a >> (b < 0 || b > 63 ? 63 : b);
    case ALU_EQ:
        return a == b;
    case ALU_NE:
        return a != b;
    case ALU_LT:
        return a < b;
    case ALU_LE:
        return a <= b;
    case ALU_GT:
        return a > b;
    case ALU_GE:
        return a >= b;
    case ALU_LAND:
        return a && b;
    case ALU_LOR:
        return a || b;
    case ALU_LXOR:
        return !a != !b;
    case ALU_NEG:
        return wsub(0, a);
    case ALU_NOT:
        return !a;
    case ALU_BITNOT:
        return ~a;
    case ALU_ABS:
        return a < 0 ? wsub(0, a) : a;
    case ALU_CVT:
        return convert(a, from, to);
    default:
        return alu_float(op, float_of_bits((uint32_t)a), float_of_bits((uint32_t)b));
    }
}

void elem_add(void *p, enum elem e, int64_t bits)
{
    int64_t old = elem_load(p, e);
    if (elems[e].is_float)
        elem_store(p, e, of_float(to_float(old, e) + to_float(bits, e), e));
    else
        elem_store(p, e, wadd(old, bits));
}

/* ---- tile operations ---- */

static int64_t combine(enum tile_op_kind k, int64_t a, int64_t b, enum elem e)
{
    if (elems[e].is_float) {
        float x = to_float(a, e), y = to_float(b, e), r = x;
        switch (k) {
        case TILE_ADD:
        case TILE_ADDS:
        case TILE_ROW_SUM:
            r = x + y;
            break;
        case TILE_SUB:
        case TILE_SUBS:
            r = x - y;
            break;
        case TILE_MUL:
        case TILE_MULS:
            r = x * y;
            break;
        case TILE_DIV:
        case TILE_DIVS:
            r = x / y;
            break;
        case TILE_MAX:
        case TILE_MAXS:
        case TILE_ROW_MAX:
            r = fmaxf(x, y);
            break;
        default:
            r = fminf(x, y);
            break;
        }
        return of_float(r, e);
    }
    switch (k) {
    case TILE_ADD:
    case TILE_ADDS:
    case TILE_ROW_SUM:
        return wrap(wadd(a, b), e);
    case TILE_SUB:
    case TILE_SUBS:
        return wrap(wsub(a, b), e);
    case TILE_MUL:
    case TILE_MULS:
        return wrap(wmul(a, b), e);
    case TILE_DIV:
    case TILE_DIVS:
        return b ? wrap(a / b, e) : 0;
    case TILE_MAX:
    case TILE_MAXS:
    case TILE_ROW_MAX:
        return a > b ? a : b;
    default:
        return a < b ? a : b;
    }
}

static int64_t unary(enum tile_op_kind k, int64_t a, enum elem from, enum elem to)
{
    bool is_float = elems[from].is_float;
    switch (k) {
    case TILE_NEG:
        return is_float ? of_float(-to_float(a, from), to) : wrap(wsub(0, a), to);
    case TILE_ABS:
        return is_float ? of_float(fabsf(to_float(a, from)), to) : wrap(a < 0 ? wsub(0, a) : a, to);
    case TILE_RELU:
        return is_float ? of_float(fmaxf(to_float(a, from), 0), to) : (a > 0 ? a : 0);
    default:
        return convert(a, from, to);
    }
}

struct view {
    const struct tile *t;
    uint8_t *data;
};

static int64_t at(struct view v, int r, int c)
{
    int row = v.t->rows == 1 ? 0 : r % v.t->rows, col = v.t->cols == 1 ? 0 : c % v.t->cols;
    return elem_load(v.data + ((size_t)row * (size_t)tile_pitch(v.t) + (size_t)col) *
                                  (size_t)elems[v.t->elem].size,
                     v.t->elem);
}

static void put(struct view v, int r, int c, int64_t bits)
{
    elem_store(v.data + ((size_t)r * (size_t)tile_pitch(v.t) + (size_t)c) *
                            (size_t)elems[v.t->elem].size,
               v.t->elem, bits);
}

static uint64_t view_hash(struct view v, uint64_t seed)
{
    size_t size = (size_t)elems[v.t->elem].size, row = (size_t)v.t->cols * size;
    for (int r = 0; r < v.t->rows; r++)
        seed = XXH3_64bits_withSeed(v.data + (size_t)r * (size_t)tile_pitch(v.t) * size, row, seed);
    return seed;
}

/* Small finite values: equal operands give equal results, and unequal ones almost surely differ. */
static int64_t opaque_value(uint64_t hash, enum elem e)
{
    return convert((int64_t)(hash % 251), ELEM_I64, e);
}

/* Elementwise on the vector unit where all shapes are equal; else each element depends on all. */
static void run_uninterpreted(const struct tile_op *op, struct view dst, const struct view *src,
                              int64_t scalar)
{
    int first = op->kind == TILE_ACCUMULATE && scalar != 0;
    bool elementwise = op->nsrc > 0 && op->pipe != PIPE_M;
    for (int s = 0; s < op->nsrc; s++)
        elementwise &= src[s].t->rows == dst.t->rows && src[s].t->cols == dst.t->cols;
    uint64_t whole = XXH3_64bits_withSeed(op->name, strlen(op->name), (uint64_t)scalar);
    for (int s = first; s < op->nsrc && !elementwise; s++)
        whole = view_hash(src[s], whole);
    for (int r = 0; r < dst.t->rows; r++)
        for (int c = 0; c < dst.t->cols; c++) {
            int64_t in[TILE_MAX_SRC + 2] = {r, c};
            size_t n = 2;
            if (elementwise) {
                n = 0;
                for (int s = first; s < op->nsrc; s++)
                    in[n++] = at(src[s], r, c);
            }
            put(dst, r, c,
                opaque_value(XXH3_64bits_withSeed(in, n * sizeof *in, whole), dst.t->elem));
        }
}

static void run_rows(enum tile_op_kind k, struct view dst, struct view src)
{
    for (int r = 0; r < dst.t->rows; r++) {
        int64_t acc = at(src, r, 0);
        for (int c = 1; c < src.t->cols; c++)
            acc = combine(k, acc, at(src, r, c), src.t->elem);
        put(dst, r, 0, convert(acc, src.t->elem, dst.t->elem));
    }
}

static uint8_t *byte_of(struct view v, size_t n)
{
    size_t size = (size_t)elems[v.t->elem].size, row = (size_t)v.t->cols * size;
    return v.data + n / row * (size_t)tile_pitch(v.t) * size + n % row;
}

static size_t view_bytes(struct view v)
{
    return (size_t)v.t->rows * (size_t)v.t->cols * (size_t)elems[v.t->elem].size;
}

/* The same bytes in the order of the rows. */
static void run_reshape(struct view dst, struct view src)
{
    size_t n = view_bytes(dst) < view_bytes(src) ? view_bytes(dst) : view_bytes(src);
    for (size_t k = 0; k < n; k++)
        *byte_of(dst, k) = *byte_of(src, k);
}

/* From or to the part that begins at the row and column given at issue. What lies outside stays. */
static void run_part(enum tile_op_kind k, struct view dst, struct view src,
                     const struct pipe_op *issued)
{
    struct view small = k == TILE_PART ? dst : src, large = k == TILE_PART ? src : dst;
    for (int r = 0; r < small.t->rows; r++)
        for (int c = 0; c < small.t->cols; c++) {
            int64_t row = (int64_t)issued->rows + r, col = (int64_t)issued->cols + c;
            if (row >= large.t->rows || col >= large.t->cols)
                continue;
            if (k == TILE_PART)
                put(dst, r, c, convert(at(src, (int)row, (int)col), src.t->elem, dst.t->elem));
            else
                put(dst, (int)row, (int)col, convert(at(src, r, c), src.t->elem, dst.t->elem));
        }
}

static void run_fillpad(struct view dst, struct view src, const struct pipe_op *issued)
{
    for (int r = 0; r < dst.t->rows; r++)
        for (int c = 0; c < dst.t->cols; c++) {
            bool valid = (uint32_t)r < issued->rows && (uint32_t)c < issued->cols;
            put(dst, r, c, valid ? at(src, r, c) : issued->scalar);
        }
}

/* The common case of equal shapes and fp32, where most simulated arithmetic is spent. */
static bool run_fp32(enum tile_op_kind k, struct view dst, const struct view *src)
{
    size_t n = (size_t)dst.t->rows * (size_t)dst.t->cols;
    if (k != TILE_ADD || dst.t->elem != ELEM_F32 || dst.t->pitch)
        return false;
    for (int s = 0; s < 2; s++)
        if (src[s].t->elem != ELEM_F32 || src[s].t->pitch || src[s].t->rows != dst.t->rows ||
            src[s].t->cols != dst.t->cols)
            return false;
    float *d = (float *)(void *)dst.data;
    const float *x = (const float *)(const void *)src[0].data,
                *y = (const float *)(const void *)src[1].data;
    for (size_t i = 0; i < n; i++)
        d[i] = x[i] + y[i];
    return true;
}

void tile_op_run(const struct code *code, uint8_t *tiles, const struct tile_op *op,
                 const struct pipe_op *issued)
{
    int64_t scalar = issued->scalar;
    struct view dst = {&code->tiles[op->dst], tiles + code->tiles[op->dst].offset},
                src[TILE_MAX_SRC];
    for (int s = 0; s < op->nsrc; s++)
        src[s] = (struct view){&code->tiles[op->src[s]], tiles + code->tiles[op->src[s]].offset};
    if (op->kind >= TILE_UNINTERPRETED) {
        run_uninterpreted(op, dst, src, scalar);
        return;
    }
    if (op->kind == TILE_RESHAPE) {
        run_reshape(dst, src[0]);
        return;
    }
    if (op->kind == TILE_PART || op->kind == TILE_INSERT) {
        run_part(op->kind, dst, src[op->kind == TILE_INSERT], issued);
        return;
    }
    if (op->kind == TILE_ROW_SUM || op->kind == TILE_ROW_MAX || op->kind == TILE_ROW_MIN) {
        run_rows(op->kind, dst, src[0]);
        return;
    }
    if (op->kind == TILE_FILLPAD) {
        run_fillpad(dst, src[0], issued);
        return;
    }
    if (run_fp32(op->kind, dst, src))
        return;
    for (int r = 0; r < dst.t->rows; r++)
        for (int c = 0; c < dst.t->cols; c++) {
            int64_t v;
            if (op->kind == TILE_FILL)
                v = scalar;
            else if (op->kind == TILE_RAMP || op->kind == TILE_RAMP_DOWN)
                v = wrap(op->kind == TILE_RAMP ? wadd(scalar, c) : wsub(scalar, c), dst.t->elem);
            else if (op->nsrc == 2)
                v = combine(op->kind, at(src[0], r, c), at(src[1], r, c), dst.t->elem);
            else if (op->kind >= TILE_ADDS && op->kind <= TILE_MINS)
                v = combine(op->kind, at(src[0], r, c), scalar, dst.t->elem);
            else
                v = unary(op->kind, at(src[0], r, c), src[0].t->elem, dst.t->elem);
            put(dst, r, c, v);
        }
}
