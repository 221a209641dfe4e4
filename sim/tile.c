/* SPDX-License-Identifier: MIT */
/* Tile operations: what they read of a view, and the order in which they write. */
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "isa/arithmetic.h"
#include "sim/internal.h"

struct view {
    const struct tile *t;
    uint8_t *data;
};

static int64_t at(struct view v, int r, int c)
{
    int row = v.t->rows == 1 ? 0 : r % v.t->rows, col = v.t->cols == 1 ? 0 : c % v.t->cols;
    return elem_load(v.data + ((size_t)row * (size_t)tile_pitch(v.t) + (size_t)col) *
                                  (size_t)elem_size(v.t->elem),
                     v.t->elem);
}

static void put(struct view v, int r, int c, int64_t bits)
{
    elem_store(v.data +
                   ((size_t)r * (size_t)tile_pitch(v.t) + (size_t)c) * (size_t)elem_size(v.t->elem),
               v.t->elem, bits);
}

static uint64_t view_hash(struct view v, uint64_t seed)
{
    size_t size = (size_t)elem_size(v.t->elem), row = (size_t)v.t->cols * size;
    for (int r = 0; r < v.t->rows; r++)
        seed = XXH3_64bits_withSeed(v.data + (size_t)r * (size_t)tile_pitch(v.t) * size, row, seed);
    return seed;
}

/* Small finite values: equal operands give equal results, and unequal ones almost surely differ. */
static int64_t opaque_value(uint64_t hash, enum elem e)
{
    return elem_convert((int64_t)(hash % 251), ELEM_I64, e);
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
    enum elem e = src.t->elem;
    for (int r = 0; r < dst.t->rows; r++) {
        int64_t acc = at(src, r, 0);
        for (int c = 1; c < src.t->cols; c++)
            acc = tile_element(k, acc, at(src, r, c), e, e);
        put(dst, r, 0, elem_convert(acc, e, dst.t->elem));
    }
}

static uint8_t *byte_of(struct view v, size_t n)
{
    size_t size = (size_t)elem_size(v.t->elem), row = (size_t)v.t->cols * size;
    return v.data + n / row * (size_t)tile_pitch(v.t) * size + n % row;
}

static size_t view_bytes(struct view v)
{
    return (size_t)v.t->rows * (size_t)v.t->cols * (size_t)elem_size(v.t->elem);
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
                put(dst, r, c, elem_convert(at(src, (int)row, (int)col), src.t->elem, dst.t->elem));
            else
                put(dst, (int)row, (int)col, elem_convert(at(src, r, c), src.t->elem, dst.t->elem));
        }
}

/* A place counts from where the source begins in memory; what lies outside of it is unspecified. */
static void run_places(struct view dst, struct view src, struct view places)
{
    enum elem e = src.t->elem;
    int64_t room = (int64_t)(src.t->rows - 1) * tile_pitch(src.t) + src.t->cols;
    for (int r = 0; r < dst.t->rows; r++)
        for (int c = 0; c < dst.t->cols; c++) {
            int64_t place = at(places, r, c);
            bool inside = place >= 0 && place < room;
            put(dst, r, c,
                inside ? elem_load(src.data + (size_t)place * (size_t)elem_size(e), e)
                       : opaque_value((uint64_t)place, e));
        }
}

static bool alike(struct view x, struct view y)
{
    return x.t->elem == y.t->elem && x.t->rows == y.t->rows && x.t->cols == y.t->cols;
}

/* The first `cols` elements of a row, from a view that is alike: bytes, whatever they mean. */
static void copy_row(struct view dst, struct view src, int r, int cols)
{
    size_t size = (size_t)elem_size(dst.t->elem);
    uint8_t *to = dst.data + (size_t)r * (size_t)tile_pitch(dst.t) * size;
    const uint8_t *from = src.data + (size_t)r * (size_t)tile_pitch(src.t) * size;
    if (to != from)
        memmove(to, from, (size_t)cols * size);
}

/* The common case of one type and shape, where a large payload spends its time otherwise. */
static bool run_copy(enum tile_op_kind k, struct view dst, struct view src)
{
    if (k != TILE_COPY || !alike(dst, src))
        return false;
    for (int r = 0; r < dst.t->rows; r++)
        copy_row(dst, src, r, dst.t->cols);
    return true;
}

static void run_fillpad(struct view dst, struct view src, const struct pipe_op *issued)
{
    bool bytes = alike(dst, src);
    for (int r = 0; r < dst.t->rows; r++) {
        uint32_t valid = (uint32_t)r < issued->rows ? issued->cols : 0;
        int cols = valid < (uint32_t)dst.t->cols ? (int)valid : dst.t->cols, c = 0;
        if (bytes)
            copy_row(dst, src, r, c = cols);
        for (; c < dst.t->cols; c++)
            put(dst, r, c, c < cols ? at(src, r, c) : issued->scalar);
    }
}

/* The common case of equal shapes and fp32, where most simulated arithmetic is spent. */
static bool run_fp32(enum tile_op_kind k, struct view dst, const struct view *src)
{
    size_t n = (size_t)dst.t->rows * (size_t)dst.t->cols;
    if (k != TILE_ADD || dst.t->elem != ELEM_F32 || dst.t->pitch || src[0].t->pitch ||
        src[1].t->pitch || !alike(dst, src[0]) || !alike(dst, src[1]))
        return false;
    float *d = (float *)(void *)dst.data;
    const float *x = (const float *)(const void *)src[0].data,
                *y = (const float *)(const void *)src[1].data;
    for (size_t i = 0; i < n; i++)
        d[i] = x[i] + y[i];
    return true;
}

/* What a and b of an element are; a fill counts in integers, whatever the tile holds. */
static void run_elements(const struct tile_op *op, struct view dst, const struct view *src,
                         int64_t scalar)
{
    enum tile_form form = (enum tile_form)tile_op_rows[op->kind].form;
    enum elem to = dst.t->elem, from = form == FORM_FILL                            ? ELEM_I64
                                       : form == FORM_BINARY || form == FORM_SCALAR ? to
                                                                                    : src->t->elem;
    for (int r = 0; r < dst.t->rows; r++)
        for (int c = 0; c < dst.t->cols; c++) {
            int64_t a = form == FORM_FILL ? scalar : at(src[0], r, c), b = form == FORM_FILL ? c
                                                                           : form == FORM_BINARY
                                                                               ? at(src[1], r, c)
                                                                               : scalar;
            if (form == FORM_FILL)
                put(dst, r, c, elem_wrap(tile_element(op->kind, a, b, from, from), to));
            else
                put(dst, r, c, tile_element(op->kind, a, b, from, to));
        }
}

/* Operations that are not made element by element. */
static void run_own(const struct tile_op *op, struct view dst, const struct view *src,
                    const struct pipe_op *issued)
{
    switch (op->kind) {
    case TILE_RESHAPE:
        run_reshape(dst, src[0]);
        break;
    case TILE_PART:
    case TILE_INSERT:
        run_part(op->kind, dst, src[op->kind == TILE_INSERT], issued);
        break;
    default:
        run_fillpad(dst, src[0], issued);
        break;
    }
}

void tile_op_run(const struct code *code, uint8_t *tiles, const struct tile_op *op,
                 const struct pipe_op *issued)
{
    struct view dst = {&code->tiles[op->dst], tiles + code->tiles[op->dst].offset},
                src[TILE_MAX_SRC];
    for (int s = 0; s < op->nsrc; s++)
        src[s] = (struct view){&code->tiles[op->src[s]], tiles + code->tiles[op->src[s]].offset};
    switch (tile_op_rows[op->kind].form) {
    case FORM_OPAQUE:
        run_uninterpreted(op, dst, src, issued->scalar);
        break;
    case FORM_OWN:
        run_own(op, dst, src, issued);
        break;
    case FORM_PLACES:
        run_places(dst, src[0], src[1]);
        break;
    case FORM_ROWS:
        run_rows(op->kind, dst, src[0]);
        break;
    default:
        if (!run_fp32(op->kind, dst, src) && !run_copy(op->kind, dst, src[0]))
            run_elements(op, dst, src, issued->scalar);
    }
}
