/* SPDX-License-Identifier: MIT */
#include "sim/values.h"

#include <stdlib.h>
#include <string.h>

/* Operands with more pairs of values are taken as ranges. */
enum { MAX_PAIRS = 8 * VALUES_MAX };

struct values values_one(struct arena *a, int64_t v)
{
    return (struct values){1, v, v, arena_dup(a, &v, sizeof v)};
}

struct values values_range(int64_t low, int64_t high)
{
    return (struct values){.count = low <= high ? VALUES_RANGE : 0, .low = low, .high = high};
}

struct values values_all(void)
{
    return values_range(INT64_MIN, INT64_MAX);
}

struct values values_of_elem(enum elem e)
{
    switch (e) {
    case ELEM_I8:
        return values_range(INT8_MIN, INT8_MAX);
    case ELEM_U8:
        return values_range(0, UINT8_MAX);
    case ELEM_I16:
        return values_range(INT16_MIN, INT16_MAX);
    case ELEM_F16:
    case ELEM_BF16:
        return values_range(0, UINT16_MAX);
    case ELEM_I32:
        return values_range(INT32_MIN, INT32_MAX);
    case ELEM_F32:
        return values_range(0, UINT32_MAX);
    default:
        return values_all();
    }
}

bool values_equal(const struct values *x, const struct values *y)
{
    if (x->count != y->count)
        return false;
    if (x->count == VALUES_RANGE)
        return x->low == y->low && x->high == y->high;
    return x->items == y->items || !memcmp(x->items, y->items, sizeof *x->items * (size_t)x->count);
}

static int by_value(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* The set of list[n], which is put into order; a range when they are too many to be told apart. */
static struct values values_of_list(struct arena *a, int64_t *list, int n)
{
    if (n == 0)
        return (struct values){0};
    qsort(list, (size_t)n, sizeof *list, by_value);
    int kept = 1;
    for (int i = 1; i < n; i++)
        if (list[i] != list[kept - 1])
            list[kept++] = list[i];
    if (kept > VALUES_MAX)
        return values_range(list[0], list[kept - 1]);
    return (struct values){kept, list[0], list[kept - 1],
                           arena_dup(a, list, sizeof *list * (size_t)kept)};
}

static int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static int64_t larger(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

struct values values_join(struct arena *a, const struct values *x, const struct values *y)
{
    if (x->count == 0)
        return *y;
    if (y->count == 0 || values_equal(x, y))
        return *x;
    if (x->count == VALUES_RANGE || y->count == VALUES_RANGE)
        return values_range(smaller(x->low, y->low), larger(x->high, y->high));
    int64_t list[2 * VALUES_MAX];
    memcpy(list, x->items, sizeof *list * (size_t)x->count);
    memcpy(list + x->count, y->items, sizeof *list * (size_t)y->count);
    return values_of_list(a, list, x->count + y->count);
}

/* ---- arithmetic on ranges ---- */

/* The range from the smallest to the largest of four corners, unless one of them overflowed. */
static struct values corners(const __int128 c[4])
{
    __int128 low = c[0], high = c[0];
    for (int i = 1; i < 4; i++) {
        low = c[i] < low ? c[i] : low;
        high = c[i] > high ? c[i] : high;
    }
    if (low < INT64_MIN || high > INT64_MAX)
        return values_all();
    return values_range((int64_t)low, (int64_t)high);
}

/* Of an operation that is monotone in each operand. */
static struct values monotone(enum alu op, const struct values *x, const struct values *y)
{
    const int64_t a[] = {x->low, x->low, x->high, x->high};
    const int64_t b[] = {y->low, y->high, y->low, y->high};
    __int128 c[4];
    for (int i = 0; i < 4; i++)
        switch (op) {
        case ALU_ADD:
            c[i] = (__int128)a[i] + b[i];
            break;
        case ALU_SUB:
            c[i] = (__int128)a[i] - b[i];
            break;
        case ALU_MUL:
            c[i] = (__int128)a[i] * b[i];
            break;
        case ALU_SHL:
            c[i] = (__int128)a[i] * ((__int128)1 << b[i]);
            break;
        default: /* without overflow */
            c[i] = alu_eval(op, a[i], b[i], ELEM_I64, ELEM_I64);
        }
    return corners(c);
}

/* x & y with one operand that is not negative lies between zero and that operand. */
static struct values range_and(const struct values *x, const struct values *y)
{
    if (x->low < 0 && y->low < 0)
        return values_all();
    int64_t high = INT64_MAX;
    if (x->low >= 0)
        high = smaller(high, x->high);
    if (y->low >= 0)
        high = smaller(high, y->high);
    return values_range(0, high);
}

static struct values range_cvt(const struct values *x, enum elem from, enum elem to)
{
    struct values target = values_of_elem(to);
    if (elem_is_float(from) && !elem_is_float(to))
        return values_all(); /* what a float is cut to is not held to the element's width */
    bool fits = x->low >= target.low && x->high <= target.high;
    return !elem_is_float(to) && fits ? *x : target;
}

static struct values range_alu(enum alu op, const struct values *x, const struct values *y,
                               enum elem from, enum elem to)
{
    switch (op) {
    case ALU_ADD:
    case ALU_SUB:
    case ALU_MUL:
    case ALU_MIN:
    case ALU_MAX:
        return monotone(op, x, y);
    case ALU_FLOORDIV:
    case ALU_TRUNCDIV:
        return y->low > 0 ? monotone(op, x, y) : values_all();
    case ALU_SHL:
    case ALU_SHR:
        return y->low >= 0 && y->high < 63 ? monotone(op, x, y) : values_all();
    case ALU_MOD:
        return y->low > 0 ? values_range(0, y->high - 1) : values_all();
    case ALU_TRUNCMOD:
        return y->low > 0 && y->high < INT64_MAX
                   ? values_range(x->low < 0 ? 1 - y->high : 0, y->high - 1)
                   : values_all();
    case ALU_AND:
        return range_and(x, y);
    case ALU_CVT:
        return range_cvt(x, from, to);
    case ALU_EQ:
    case ALU_NE:
    case ALU_LT:
    case ALU_LE:
    case ALU_GT:
    case ALU_GE:
    case ALU_LAND:
    case ALU_LOR:
    case ALU_LXOR:
    case ALU_NOT:
    case ALU_FEQ:
    case ALU_FNE:
    case ALU_FLT:
    case ALU_FLE:
    case ALU_FGT:
    case ALU_FGE:
        return values_range(0, 1);
    default:
        return values_all();
    }
}

/* A range of few values, as these. */
static struct values told_apart(struct arena *a, struct values v)
{
    int64_t list[VALUES_MAX];
    uint64_t more = (uint64_t)v.high - (uint64_t)v.low;
    if (v.count != VALUES_RANGE || more >= VALUES_MAX)
        return v;
    for (int k = 0; k <= (int)more; k++)
        list[k] = v.low + k;
    return values_of_list(a, list, (int)more + 1);
}

struct values values_alu(struct arena *a, enum alu op, const struct values *x,
                         const struct values *y, enum elem from, enum elem to)
{
    if (x->count == 0 || y->count == 0)
        return (struct values){0};
    if (x->count == VALUES_RANGE || y->count == VALUES_RANGE || x->count * y->count > MAX_PAIRS)
        return told_apart(a, range_alu(op, x, y, from, to));
    int64_t list[MAX_PAIRS];
    int n = 0;
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++)
            list[n++] = alu_eval(op, x->items[i], y->items[k], from, to);
    return values_of_list(a, list, n);
}

/* ---- what a comparison tells ---- */

static enum alu negated(enum alu op)
{
    static const uint8_t other[ALU_COUNT] = {
        [ALU_EQ] = ALU_NE, [ALU_NE] = ALU_EQ, [ALU_LT] = ALU_GE,
        [ALU_GE] = ALU_LT, [ALU_LE] = ALU_GT, [ALU_GT] = ALU_LE,
    };
    return (enum alu)other[op];
}

static struct values range_where(enum alu op, const struct values *x, const struct values *y)
{
    int64_t low = x->low, high = x->high;
    switch (op) {
    case ALU_LT:
        high = y->high > INT64_MIN ? smaller(high, y->high - 1) : high;
        break;
    case ALU_LE:
        high = smaller(high, y->high);
        break;
    case ALU_GT:
        low = y->low < INT64_MAX ? larger(low, y->low + 1) : low;
        break;
    case ALU_GE:
        low = larger(low, y->low);
        break;
    case ALU_EQ:
        low = larger(low, y->low);
        high = smaller(high, y->high);
        break;
    default:
        break;
    }
    return values_range(low, high);
}

/* Some value b of y makes a <op> b true. */
static bool satisfiable(enum alu op, int64_t a, const struct values *y)
{
    if (y->count == VALUES_RANGE) {
        struct values one = {.count = VALUES_RANGE, .low = a, .high = a};
        bool nothing_else = y->low == y->high && y->low == a;
        return op == ALU_NE ? !nothing_else : range_where(op, &one, y).count != 0;
    }
    for (int k = 0; k < y->count; k++)
        if (alu_eval(op, a, y->items[k], ELEM_I64, ELEM_I64))
            return true;
    return false;
}

struct values values_where(struct arena *a, enum alu op, const struct values *x,
                           const struct values *y, bool truth)
{
    if (!alu_compares(op) || x->count == 0 || y->count == 0)
        return *x;
    if (!truth)
        op = negated(op);
    if (x->count == VALUES_RANGE)
        return range_where(op, x, y);
    int64_t list[VALUES_MAX];
    int n = 0;
    for (int i = 0; i < x->count; i++)
        if (satisfiable(op, x->items[i], y))
            list[n++] = x->items[i];
    return n == x->count ? *x : values_of_list(a, list, n);
}
