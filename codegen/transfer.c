/* SPDX-License-Identifier: MIT */
/* Transfers between tensors and tiles: load, store, remote_load, remote_store, assemble. */
#include "codegen/internal.h"

/* Elements of a tensor that is loaded as a whole. */
enum { MAX_STAGED = 1 << 24 };

/* ---- two-dimensional transfers ---- */

/* Rows of a region: all dimensions but the last, which must be evenly spaced in memory. */
static bool rows_of(struct gen *g, const struct tensor *t, const struct operand *extents,
                    struct region_arg *out, struct span at)
{
    int64_t rows = 1, stride = 0, extent;
    out->rows = imm_operand(1);
    int outer = -1; /* innermost row dimension with more than one entry */
    for (int i = t->ndims - 2; i >= 0; i--) {
        struct operand n = extents[i];
        if (n.reg == NO_REG && n.imm == 1)
            continue;
        bool even = outer < 0 || (out->rows.reg == NO_REG && t->stride[i] == stride * rows);
        if (!even || (outer >= 0 && n.reg != NO_REG))
            return gen_error(
                g, at,
                "the rows of this region are not evenly spaced; a transfer has two dimensions");
        extent = n.imm;
        if (outer < 0) {
            stride = t->stride[i];
            out->rows = n;
            rows = n.reg == NO_REG ? extent : 0;
        } else {
            rows *= extent;
            out->rows = imm_operand(rows);
        }
        outer = i;
    }
    out->gm_stride = stride * elem_size(t->elem);
    return true;
}

static bool region_rows(struct gen *g, const struct tensor *t, const ir_exprs *shape,
                        struct region_arg *out, struct span at)
{
    struct operand extents[MAX_DIMS];
    for (int i = 0; i < t->ndims - 1; i++)
        if (!gen_int(g, shape->items[i], &extents[i]))
            return false;
    return rows_of(g, t, extents, out, at);
}

/* A transfer moves rows whose elements lie one behind the other. */
static bool has_rows(struct gen *g, const struct tensor *t, struct span at)
{
    return t->stride[t->ndims - 1] == 1 || t->shape[t->ndims - 1] == 1 ||
           gen_error(g, at, "the innermost dimension of a transfer must be dense");
}

bool gen_region(struct gen *g, const struct tensor *t, const struct ir_expr *offsets,
                const struct ir_expr *shape, struct region_arg *out)
{
    const ir_exprs *at = gen_tuple_arg(g, offsets, t->ndims),
                   *ext = gen_tuple_arg(g, shape, t->ndims);
    if (!at || !ext || !gen_int(g, ext->items[t->ndims - 1], &out->cols) ||
        !region_rows(g, t, ext, out, shape->span))
        return false;
    if (!has_rows(g, t, shape->span))
        return false;
    if (out->gm_stride == 0 && out->cols.reg == NO_REG)
        out->gm_stride = out->cols.imm * elem_size(t->elem);
    out->addr = gen_element_address(g, t, at);
    out->peer = false;
    return !g->d->failed;
}

void gen_to_peer(struct gen *g, const struct tensor *t, const struct ir_expr *peer,
                 struct region_arg *r)
{
    r->addr = gen_peer_address(g, r->addr, t, peer);
    r->peer = true;
}

bool gen_whole_region(struct gen *g, const struct tensor *t, struct region_arg *out, struct span at)
{
    struct operand extents[MAX_DIMS];
    for (int i = 0; i < t->ndims; i++)
        extents[i] = gen_extent(t, i);
    *out = (struct region_arg){.addr = t->base, .cols = extents[t->ndims - 1]};
    return has_rows(g, t, at) && rows_of(g, t, extents, out, at);
}

struct gm_rows gen_rows(const struct tensor *t, const struct region_arg *r)
{
    return (struct gm_rows){.addr = r->addr,
                            .rows = r->rows,
                            .cols = r->cols,
                            .gm_stride = r->gm_stride,
                            .elem = t->elem,
                            .region = t->region,
                            .use = {t->root, r->peer}};
}

struct dma *gen_dma(struct gen *g, enum insn_op op, const struct tensor *t, int tile,
                    const struct region_arg *r)
{
    struct gm_rows rows = gen_rows(t, r);
    return build_dma(gen_builder(g), op, tile, &rows);
}

bool gen_check_fits(struct gen *g, int tile, const struct region_arg *r, struct span at)
{
    const struct tile *t = &g->tiles.items[tile];
    if (r->cols.reg == NO_REG && r->rows.reg == NO_REG &&
        (r->cols.imm > t->cols || r->rows.imm > t->rows) &&
        r->rows.imm * r->cols.imm > (int64_t)t->rows * t->cols)
        return gen_error(g, at, "the region has %lld x %lld elements, its tile only %d x %d",
                         (long long)r->rows.imm, (long long)r->cols.imm, t->rows, t->cols);
    return true;
}

/* A tile whose rows are shorter than the region's is used as one flat buffer. */
static void flatten(const struct gen *g, struct dma *d, const struct region_arg *r)
{
    const struct tile *t = &g->tiles.items[d->tile];
    if (r->cols.reg == NO_REG &&
        (r->cols.imm > t->cols || (r->rows.reg == NO_REG && r->rows.imm > t->rows)))
        d->tile_stride = r->cols.imm * elem_size(t->elem);
}

/* ---- loads ---- */

/*
 * The columns that lie in the tensor. A load rounded up to 32 bytes reaches up to 15 FP16 elements
 * beyond it, into memory that the communication domain keeps free: nobody writes there, and what is
 * read is cut off before it is used (pypto-front-facts 3.7).
 */
static struct operand within_row(struct gen *g, const struct tensor *t,
                                 const struct ir_expr *offsets, struct operand cols)
{
    const ir_exprs *at = gen_tuple_arg(g, offsets, t->ndims);
    struct operand first;
    if (!at || !gen_int(g, at->items[t->ndims - 1], &first))
        return cols;
    return gen_alu(g, ALU_MIN, cols,
                   gen_alu(g, ALU_SUB, imm_operand(t->shape[t->ndims - 1]), first));
}

/* The valid part of a tile must be its first rows, which lie one behind the other: in a dimension
 * of rows that has another one around it, all are valid. */
static bool first_rows(struct gen *g, const struct ir_expr *valid, const struct ir_expr *shape)
{
    bool around = false;
    for (size_t i = 0; i + 1 < valid->items.len && i < shape->items.len; i++) {
        struct operand v, n;
        if (!gen_int(g, valid->items.items[i], &v) || !gen_int(g, shape->items.items[i], &n))
            return false;
        if (around && (v.reg != n.reg || v.imm != n.imm))
            return gen_error(g, valid->items.items[i]->span,
                             "the valid part of this tile is not its first rows");
        around |= v.reg != NO_REG || v.imm != 1;
    }
    return true;
}

static struct value load_tile(struct gen *g, const struct ir_expr *e, const struct ir_var *target,
                              const char *tensor, const char *shape, const struct ir_expr *peer)
{
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, tensor));
    if (!t)
        return none;
    const struct ir_expr *valid = ir_call_arg(&e->call, peer ? "valid_shape" : "valid_shapes");
    const struct ir_expr *whole = ir_call_arg(&e->call, shape);
    struct region_arg r;
    if (!gen_region(g, t, ir_call_arg(&e->call, "offsets"), valid ? valid : whole, &r) ||
        (valid && !first_rows(g, valid, whole)))
        return none;
    int tile = gen_result_tile(g, e, target);
    if (g->d->failed || !gen_check_fits(g, tile, &r, e->span))
        return none;
    if (peer)
        gen_to_peer(g, t, peer, &r);
    struct operand cols = r.cols;
    if (peer && ir_call_int(&e->call, "allow_physical_tail_padding"))
        r.cols = within_row(g, t, ir_call_arg(&e->call, "offsets"), cols);
    if (g->d->failed)
        return none;
    struct dma *d = gen_dma(g, I_MTE2, t, tile, &r);
    flatten(g, d, &r);
    if (d->tile_stride == (int64_t)tile_pitch(&g->tiles.items[tile]) * elem_size(d->elem))
        gen_set_valid(g, tile, r.rows, cols);
    else
        gen_set_whole(g, tile);
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

struct value gen_load(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    return load_tile(g, e, target, "tensor", "shapes", NULL);
}

struct value gen_remote_load(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    return load_tile(g, e, target, "target", "shape", ir_call_arg(&e->call, "peer"));
}

bool gen_load_whole(struct gen *g, const struct tensor *t, const char *name, struct span at,
                    int *tile, struct region_arg *r)
{
    int64_t rows = 1;
    if (!gen_whole_region(g, t, r, at))
        return false;
    for (int i = 0; i < t->ndims - 1; i++)
        rows *= t->shape[i];
    if (rows * t->shape[t->ndims - 1] > MAX_STAGED)
        return gen_error(g, at, "a tensor of this shape does not fit a core");
    *tile = gen_tile(g, name, (int)rows, (int)t->shape[t->ndims - 1], t->elem, IR_SPACE_VEC);
    gen_dma(g, I_MTE2, t, *tile, r);
    gen_set_valid(g, *tile, r->rows, r->cols);
    return true;
}

/* ---- stores ---- */

/* The rows of a shape of more than two dimensions, as they lie in the tensor. */
static bool tile_rows(struct gen *g, const struct tensor *t, const ir_exprs *shape, struct span at,
                      struct region_arg *out)
{
    ir_exprs padded = {0};
    if (shape->len > (size_t)t->ndims)
        return gen_error(g, at, "the tile has %zu dimensions, the tensor %d", shape->len, t->ndims);
    for (size_t i = shape->len; i < (size_t)t->ndims; i++)
        vec_push(g->arena, &padded, ir_int(g->arena, 1, IR_INDEX, at));
    vec_foreach (struct ir_expr *, e, shape)
        vec_push(g->arena, &padded, *e);
    return region_rows(g, t, &padded, out, at);
}

/* A matrix goes on in the next plane where the rows of one end. */
static bool runs_on(struct gen *g, const struct tensor *t, int64_t rows, struct span at)
{
    int d = t->ndims - 2;
    return d < 1 || rows <= t->shape[d] || t->stride[d - 1] == t->stride[d] * t->shape[d] ||
           gen_error(g, at, "the rows that this tile is stored to are not evenly spaced");
}

static const ir_exprs *shape_of(const struct ir_expr *e)
{
    return e->type ? &e->type->shape : NULL;
}

/* The region that a tile covers in a tensor: its shape, with leading 1s. */
static bool tile_region(struct gen *g, const struct tensor *t, const ir_exprs *shape, int tile,
                        const struct ir_expr *offsets, struct region_arg *out)
{
    const ir_exprs *at = gen_tuple_arg(g, offsets, t->ndims);
    if (!at || !has_rows(g, t, offsets->span))
        return false;
    const struct tile *s = &g->tiles.items[tile];
    int64_t row_stride = t->ndims > 1 ? t->stride[t->ndims - 2] : s->cols;
    *out = (struct region_arg){.rows = imm_operand(s->rows),
                               .cols = imm_operand(s->cols),
                               .gm_stride = row_stride * elem_size(t->elem)};
    bool box = shape && shape->len > 2;
    if (box ? !tile_rows(g, t, shape, offsets->span, out) : !runs_on(g, t, s->rows, offsets->span))
        return false;
    out->addr = gen_element_address(g, t, at);
    return !g->d->failed;
}

/* FIX converts what it stores from the accumulator; what it can store is a table of the backend
 * (pypto-ops-facts 2.5). */
static bool can_store(struct gen *g, int tile, const struct tensor *t)
{
    static const bool fix[ELEM_COUNT] = {
        [ELEM_I32] = true, [ELEM_F32] = true, [ELEM_F16] = true, [ELEM_BF16] = true};
    enum elem held = g->tiles.items[tile].elem;
    if (g->spaces.items[tile] == IR_SPACE_ACC)
        return fix[t->elem] ||
               gen_error(g, g->span,
                         "the accumulator is stored as INT32, FP32, FP16 or BF16, not as %s",
                         elem_name(t->elem));
    return held == t->elem || gen_error(g, g->span, "the tile holds %s, the tensor %s",
                                        elem_name(held), elem_name(t->elem));
}

static enum insn_op store_op(const struct gen *g, int tile)
{
    return g->spaces.items[tile] == IR_SPACE_ACC ? I_FIX : I_MTE3;
}

struct value gen_store(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "output_tensor"));
    int tile = t ? gen_tile_arg(g, ir_call_arg(&e->call, "tile")) : 0;
    struct region_arg r;
    const struct ir_expr *shapes = ir_call_arg(&e->call, "shapes");
    if (!t || g->d->failed)
        return none;
    bool ok = shapes
                  ? gen_region(g, t, ir_call_arg(&e->call, "offsets"), shapes, &r)
                  : tile_region(g, t, shape_of(ir_call_arg(&e->call, "tile")), tile,
                                ir_call_arg(&e->call, "offsets"), &r) &&
                        gen_valid_extents(g, ir_call_arg(&e->call, "tile"), tile, &r.rows, &r.cols);
    if (!ok || !can_store(g, tile, t) || !gen_check_fits(g, tile, &r, e->span))
        return none;
    struct dma *d = gen_dma(g, store_op(g, tile), t, tile, &r);
    flatten(g, d, &r);
    d->atomic_add = ir_call_int(&e->call, "atomic") == 1;
    return (struct value){.kind = VAL_TENSOR, .tensor = t};
}

/* r: the part of t, of which the peer's copy is meant. */
static struct value store_to_peer(struct gen *g, const struct ir_expr *e, const struct tensor *t,
                                  int tile, struct region_arg r)
{
    gen_to_peer(g, t, ir_call_arg(&e->call, "peer"), &r);
    if (g->d->failed)
        return none;
    struct dma *d = gen_dma(g, store_op(g, tile), t, tile, &r);
    d->atomic_add = ir_call_int(&e->call, "atomic") == 1;
    gen_peer_cacheinvalid(g, r.addr);
    return none;
}

struct value gen_remote_store(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "target"));
    int tile = t ? gen_tile_arg(g, ir_call_arg(&e->call, "src_tile")) : 0;
    struct region_arg r;
    const struct ir_expr *src = ir_call_arg(&e->call, "src_tile");
    if (!t || g->d->failed ||
        !tile_region(g, t, shape_of(src), tile, ir_call_arg(&e->call, "offsets"), &r) ||
        !gen_valid_extents(g, src, tile, &r.rows, &r.cols) || !can_store(g, tile, t))
        return none;
    return store_to_peer(g, e, t, tile, r);
}

/* A tensor is loaded as a whole, and goes from there (pypto-front-facts 3.4). */
struct value gen_tensor_remote_store(struct gen *g, const struct ir_expr *e,
                                     const struct ir_var *target)
{
    (void)target;
    const struct tensor *src = gen_tensor_arg(g, ir_call_arg(&e->call, "src"));
    const struct tensor *t = src ? gen_tensor_arg(g, ir_call_arg(&e->call, "target")) : NULL;
    struct region_arg r;
    int tile;
    if (!t || !gen_load_whole(g, src, "staged", e->span, &tile, &r))
        return none;
    const ir_exprs *shape = shape_of(ir_call_arg(&e->call, "src"));
    struct operand extents[] = {r.rows, r.cols};
    if (!tile_region(g, t, shape, tile, ir_call_arg(&e->call, "offsets"), &r) ||
        !can_store(g, tile, t))
        return none;
    r.rows = extents[0];
    r.cols = extents[1];
    return store_to_peer(g, e, t, tile, r);
}

/* The store that it becomes; a slice that is its source is loaded where it stands
 * (pypto-front-facts 3.4). */
struct value gen_assemble(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct ir_expr *from = ir_call_arg(&e->call, "source");
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "target"));
    struct value v = t ? gen_expr(g, from, NULL) : none;
    struct region_arg r, whole;
    if (g->d->failed)
        return none;
    int tile = v.tile;
    if (v.kind == VAL_TENSOR && !gen_load_whole(g, v.tensor, "assembled", e->span, &tile, &whole))
        return none;
    if (v.kind != VAL_TENSOR && v.kind != VAL_TILE) {
        gen_error(g, from->span, "expected a tile or a tensor");
        return none;
    }
    struct tile_valid valid = g->tile_valid.items[tile];
    if (v.kind == VAL_TENSOR)
        valid = (struct tile_valid){whole.rows, whole.cols, false};
    if (!tile_region(g, t, shape_of(from), tile, ir_call_arg(&e->call, "offset"), &r) ||
        !can_store(g, tile, t))
        return none;
    r.rows = valid.rows;
    r.cols = valid.cols;
    gen_dma(g, store_op(g, tile), t, tile, &r)->atomic_add = ir_call_int(&e->call, "atomic") == 1;
    return (struct value){.kind = VAL_TENSOR, .tensor = t};
}
