/* SPDX-License-Identifier: MIT */
/* Little-endian hosts only, as Debian's are. */
#include "isa/arithmetic.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/table.h"

static const struct {
    const char *name;
    int size;
    bool is_float;
} elems[] = {
    [ELEM_I8] = {"int8", 1, false},   [ELEM_U8] = {"uint8", 1, false},
    [ELEM_I16] = {"int16", 2, false}, [ELEM_I32] = {"int32", 4, false},
    [ELEM_I64] = {"int64", 8, false}, [ELEM_F16] = {"fp16", 2, true},
    [ELEM_BF16] = {"bf16", 2, true},  [ELEM_F32] = {"fp32", 4, true},
};
ROW_EACH(elems, ELEM_COUNT);

int elem_size(enum elem e)
{
    return elems[e].size;
}

const char *elem_name(enum elem e)
{
    return elems[e].name;
}

bool elem_is_float(enum elem e)
{
    return elems[e].is_float;
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
    memcpy(p, &bits, (size_t)elems[e].size);
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

int64_t elem_wrap(int64_t v, enum elem e)
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

/* What compiled kernels divide with (arith.divsi, arith.remsi): towards zero, the rest has the sign of
 * what was divided. */
static int64_t trunc_div(int64_t a, int64_t b)
{
    return b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a / b;
}

static int64_t trunc_mod(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
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

int64_t elem_convert(int64_t bits, enum elem from, enum elem to)
{
    if (elems[from].is_float || elems[to].is_float)
        return of_float(to_float(bits, from), to);
    return elem_wrap(bits, to);
}

/* Toward zero, as tiles divide. */
static int64_t cut_div(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? wsub(0, a) : a / b;
}

static const struct {
    const char *name;
    bool compares;
} alus[] = {
#define ALU(id, name, compares, result) [ALU_##id] = {name, compares},
#include "isa/alu.h"
#undef ALU
};
ROW_EACH(alus, ALU_COUNT);

const char *alu_name(enum alu op)
{
    return alus[op].name;
}

bool alu_compares(enum alu op)
{
    return alus[op].compares;
}

int64_t alu_eval(enum alu op, int64_t a, int64_t b, enum elem from, enum elem to)
{
    float x = float_of_bits((uint32_t)a), y = float_of_bits((uint32_t)b);
    switch (op) {
#define ALU(id, name, compares, result)                                                            \
    case ALU_##id:                                                                                 \
        return result;
#include "isa/alu.h"
#undef ALU
    default:
        return 0;
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

const struct tile_op_row tile_op_rows[] = {
#define TILE(id, name, op, form, takes, integer, real) [TILE_##id] = {name, op, form, takes},
#include "isa/tiles.h"
#undef TILE
};
ROW_EACH(tile_op_rows, TILE_OP_COUNT);

static float element_float(enum tile_op_kind k, float x, float y)
{
    switch (k) {
#define TILE(id, name, op, form, takes, integer, real)                                             \
    case TILE_##id:                                                                                \
        return real;
#include "isa/tiles.h"
#undef TILE
    default:
        return x;
    }
}

static int64_t element_integer(enum tile_op_kind k, int64_t a, int64_t b)
{
    switch (k) {
#define TILE(id, name, op, form, takes, integer, real)                                             \
    case TILE_##id:                                                                                \
        return integer;
#include "isa/tiles.h"
#undef TILE
    default:
        return a;
    }
}

/* Halves go to the even neighbour by rint, away from zero by round; all that is not whole goes to
 * the odd one by odd. Without a mode what follows the point is cut. */
static float whole(float x, enum cast_mode mode)
{
    float cut = truncf(x);
    switch (mode) {
    case CAST_RINT:
        return rintf(x);
    case CAST_ROUND:
        return roundf(x);
    case CAST_FLOOR:
        return floorf(x);
    case CAST_CEIL:
        return ceilf(x);
    case CAST_ODD:
        return cut != x && fmodf(cut, 2) == 0 ? cut + copysignf(1, x) : cut;
    default:
        return cut;
    }
}

int64_t tile_element(enum tile_op_kind k, int64_t a, int64_t b, enum elem from, enum elem to)
{
    if (k == TILE_CAST && elem_is_float(from) && !elem_is_float(to))
        return of_float(whole(to_float(a, from), (enum cast_mode)b), to);
    if (tile_op_rows[k].form == FORM_CONVERT)
        return elem_convert(a, from, to);
    if (elem_is_float(from))
        return of_float(element_float(k, to_float(a, from), to_float(b, from)), to);
    return elem_wrap(element_integer(k, a, b), to);
}
