/* SPDX-License-Identifier: MIT */
/*
 * One generator per operator, found through a table (pypto-facts 6). Tile arithmetic that the
 * machine knows has its kind in a second table; any other registered tile operator becomes an
 * uninterpreted function of its operands.
 */
#include <string.h>

#include "codegen/internal.h"

typedef struct value (*generator)(struct gen *g, const struct ir_expr *e,
                                  const struct ir_var *target);

static const struct value none = {.kind = VAL_VOID};

/* Pieces of a transfer that are written out; elements of a tensor that is loaded as a whole. */
enum { MAX_PIECES = 64, MAX_STAGED = 1 << 24 };

/* ---- arguments ---- */

static const struct tensor *tensor_arg(struct gen *g, const struct ir_expr *e)
{
    struct value v = gen_expr(g, e, NULL);
    if (!g->d->failed && v.kind != VAL_TENSOR)
        gen_error(g, e->span, "expected a tensor");
    return g->d->failed ? NULL : v.tensor;
}

static const ir_exprs *tuple_arg(struct gen *g, const struct ir_expr *e, int len)
{
    if (!e || (e->kind != IR_TUPLE && e->kind != IR_LIST)) {
        gen_error(g, e ? e->span : g->span, "expected a tuple of integers");
        return NULL;
    }
    if (len >= 0 && e->items.len != (size_t)len) {
        gen_error(g, e->span, "expected %d entries, one per dimension", len);
        return NULL;
    }
    return &e->items;
}

static const ir_exprs *drop_arg(const struct ir_call *call)
{
    const struct ir_expr *e = ir_call_arg(call, "drop_dims");
    return e && (e->kind == IR_TUPLE || e->kind == IR_LIST) ? &e->items : NULL;
}

/* ---- addresses ---- */

static struct operand scaled(struct gen *g, struct operand o, int64_t factor)
{
    return gen_alu(g, ALU_MUL, o, imm_operand(factor));
}

/* Byte offset of an element from the tensor's first one. */
static struct operand element_offset(struct gen *g, const struct tensor *t, const ir_exprs *index)
{
    struct operand sum = imm_operand(0);
    for (int i = 0; i < t->ndims; i++) {
        struct operand at;
        if (!gen_int(g, index->items[i], &at))
            return sum;
        sum = gen_alu(g, ALU_ADD, scaled(g, at, t->stride[i] * elem_size(t->elem)), sum);
    }
    return sum;
}

/* An address as a register and constant bytes on top. */
static struct operand address(struct gen *g, const struct tensor *t, struct operand offset)
{
    struct operand a = t->base;
    if (offset.reg == NO_REG) {
        a.imm += offset.imm;
        return a;
    }
    int64_t fixed = a.imm;
    a.imm = 0;
    a = gen_alu(g, ALU_ADD, a, offset);
    a.imm = fixed;
    return a;
}

static struct operand plus(struct gen *g, struct operand addr, struct operand delta)
{
    struct operand sum = gen_alu(g, ALU_ADD, reg_operand(addr.reg), delta);
    sum.imm = addr.imm;
    return sum;
}

static struct operand load_i64(struct gen *g, struct operand addr, int region)
{
    struct insn i = insn_access(gen_insn(g, I_LD), I_LD, addr, ELEM_I64, region);
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    return reg_operand(i.rd);
}

/* Bytes from this rank's copy of a window to the peer's: three cached loads (pypto-facts 6). */
static struct operand peer_delta(struct gen *g, const struct tensor *t, const struct ir_expr *peer)
{
    struct operand p;
    if (t->ctx == NO_REG) {
        gen_error(g, peer->span, "this tensor is no window: it has no copy on a peer");
        return imm_operand(0);
    }
    if (!gen_int(g, peer, &p))
        return imm_operand(0);
    enum origin_kind origin = g->origin;
    const char *what = g->what;
    g->what = "peer address";
    int region = t->peers;
    struct operand ctx = reg_operand(t->ctx), slot = ctx;
    slot.imm = CTX_RANK_SLOT;
    struct operand pair = load_i64(g, slot, -1);
    struct operand mine = scaled(g, gen_alu(g, ALU_AND, pair, imm_operand(0xffffffff)), 8);
    struct operand local = gen_alu(g, ALU_ADD, ctx, mine);
    local.imm = CTX_WINDOWS;
    local = load_i64(g, local, region);
    struct operand remote = gen_alu(g, ALU_ADD, ctx, scaled(g, p, 8));
    remote.imm += CTX_WINDOWS;
    remote = load_i64(g, remote, region);
    g->origin = origin;
    g->what = what;
    return gen_alu(g, ALU_SUB, remote, local);
}

/* ---- two-dimensional transfers ---- */

struct region_arg {
    struct operand addr, rows, cols;
    int64_t gm_stride; /* bytes between rows */
    bool peer;         /* of the copy that a peer has */
};

static struct operand extent_of(const struct tensor *t, int i)
{
    return t->run_time ? t->extent[i] : imm_operand(t->shape[i]);
}

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

static bool region_of(struct gen *g, const struct tensor *t, const struct ir_expr *offsets,
                      const struct ir_expr *shape, struct region_arg *out)
{
    const ir_exprs *at = tuple_arg(g, offsets, t->ndims), *ext = tuple_arg(g, shape, t->ndims);
    if (!at || !ext || !gen_int(g, ext->items[t->ndims - 1], &out->cols) ||
        !region_rows(g, t, ext, out, shape->span))
        return false;
    if (!has_rows(g, t, shape->span))
        return false;
    if (out->gm_stride == 0 && out->cols.reg == NO_REG)
        out->gm_stride = out->cols.imm * elem_size(t->elem);
    out->addr = address(g, t, element_offset(g, t, at));
    out->peer = false;
    return !g->d->failed;
}

/* The same region of the peer's copy. */
static void to_peer(struct gen *g, const struct tensor *t, const struct ir_expr *peer,
                    struct region_arg *r)
{
    r->addr = plus(g, r->addr, peer_delta(g, t, peer));
    r->peer = true;
}

static bool whole_of(struct gen *g, const struct tensor *t, struct region_arg *out, struct span at)
{
    struct operand extents[MAX_DIMS];
    for (int i = 0; i < t->ndims; i++)
        extents[i] = extent_of(t, i);
    *out = (struct region_arg){.addr = t->base, .cols = extents[t->ndims - 1]};
    return has_rows(g, t, at) && rows_of(g, t, extents, out, at);
}

static struct dma *emit_dma(struct gen *g, enum insn_op op, const struct tensor *t, int tile,
                            const struct region_arg *r)
{
    const struct tile *x = &g->tiles.items[tile];
    struct dma d = {.tile = tile,
                    .rows = r->rows,
                    .cols = r->cols,
                    .elem = t->elem,
                    .converts = x->elem != t->elem,
                    .held = x->elem,
                    .gm_stride = r->gm_stride,
                    .tile_stride = (int64_t)tile_pitch(x) * elem_size(x->elem)};
    d.address = r->addr;
    if (r->addr.imm && r->addr.reg != NO_REG) {
        struct insn i = gen_insn(g, I_ALU);
        i.sub = ALU_ADD;
        i.ra = r->addr.reg;
        i.imm = r->addr.imm;
        i.rd = gen_reg(g, NULL);
        gen_emit(g, i);
        d.address = reg_operand(i.rd);
    }
    vec_push(g->arena, &g->dmas, d);
    struct insn i = gen_insn(g, op);
    i.aux = (int32_t)g->dmas.len - 1;
    i.region = t->region;
    gen_emit(g, i);
    gen_accesses(g, t, r->peer);
    return &g->dmas.items[g->dmas.len - 1];
}

static bool check_fits(struct gen *g, int tile, const struct region_arg *r, struct span at)
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

/* ---- tile.load, tile.store, remote_load, remote_store ---- */

/*
 * The columns that lie in the tensor. A load rounded up to 32 bytes reaches up to 15 FP16 elements
 * beyond it, into memory that the communication domain keeps free: nobody writes there, and what is
 * read is cut off before it is used (pypto-front-facts 3.7).
 */
static struct operand within_row(struct gen *g, const struct tensor *t,
                                 const struct ir_expr *offsets, struct operand cols)
{
    const ir_exprs *at = tuple_arg(g, offsets, t->ndims);
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
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, tensor));
    if (!t)
        return none;
    const struct ir_expr *valid = ir_call_arg(&e->call, peer ? "valid_shape" : "valid_shapes");
    const struct ir_expr *whole = ir_call_arg(&e->call, shape);
    struct region_arg r;
    if (!region_of(g, t, ir_call_arg(&e->call, "offsets"), valid ? valid : whole, &r) ||
        (valid && !first_rows(g, valid, whole)))
        return none;
    int tile = gen_result_tile(g, e, target);
    if (g->d->failed || !check_fits(g, tile, &r, e->span))
        return none;
    if (peer)
        to_peer(g, t, peer, &r);
    struct operand cols = r.cols;
    if (peer && ir_call_int(&e->call, "allow_physical_tail_padding"))
        r.cols = within_row(g, t, ir_call_arg(&e->call, "offsets"), cols);
    if (g->d->failed)
        return none;
    struct dma *d = emit_dma(g, I_MTE2, t, tile, &r);
    flatten(g, d, &r);
    if (d->tile_stride == (int64_t)tile_pitch(&g->tiles.items[tile]) * elem_size(d->elem))
        gen_set_valid(g, tile, r.rows, cols);
    else
        gen_set_whole(g, tile);
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

static struct value gen_load(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    return load_tile(g, e, target, "tensor", "shapes", NULL);
}

static struct value gen_remote_load(struct gen *g, const struct ir_expr *e,
                                    const struct ir_var *target)
{
    return load_tile(g, e, target, "target", "shape", ir_call_arg(&e->call, "peer"));
}

/* Rows of a tensor into a part of a tile, whose place is known. */
static struct value gen_gather_row(struct gen *g, const struct ir_expr *e,
                                   const struct ir_var *target)
{
    const struct ir_expr *into = ir_call_arg(&e->call, "dst"),
                         *valid = ir_call_arg(&e->call, "valid_shape"),
                         *shape = ir_call_arg(&e->call, "shapes");
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "src"));
    const ir_exprs *at = t ? tuple_arg(g, ir_call_arg(&e->call, "dst_offset"), 2) : NULL;
    int64_t row = 0, col = 0;
    struct region_arg r;
    if (!at || !gen_const(g, at->items[0], "a row of a tile", &row) ||
        !gen_const(g, at->items[1], "a column of a tile", &col) ||
        !region_of(g, t, ir_call_arg(&e->call, "src_offset"), valid ? valid : shape, &r))
        return none;
    int tile = gen_shared_arg(g, into, target);
    if (!g->d->failed && ir_call_int(&e->call, "transpose"))
        gen_error(g, e->span, "loading rows as columns of a tile is not modelled");
    if (g->d->failed || !check_fits(g, tile, &r, e->span))
        return none;
    const struct tile *to = &g->tiles.items[tile];
    emit_dma(g, I_MTE2, t, tile, &r)->tile_offset =
        (row * tile_pitch(to) + col) * elem_size(to->elem);
    gen_set_whole(g, tile);
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

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

static const ir_exprs *shape_of(const struct ir_expr *e)
{
    return e->type ? &e->type->shape : NULL;
}

/* The region that a tile covers in a tensor: its shape, with leading 1s. */
static bool tile_region(struct gen *g, const struct tensor *t, const ir_exprs *shape, int tile,
                        const struct ir_expr *offsets, struct region_arg *out)
{
    const ir_exprs *at = tuple_arg(g, offsets, t->ndims);
    if (!at || !has_rows(g, t, offsets->span))
        return false;
    const struct tile *s = &g->tiles.items[tile];
    int64_t row_stride = t->ndims > 1 ? t->stride[t->ndims - 2] : s->cols;
    *out = (struct region_arg){.rows = imm_operand(s->rows),
                               .cols = imm_operand(s->cols),
                               .gm_stride = row_stride * elem_size(t->elem)};
    if (shape && shape->len > 2 && !tile_rows(g, t, shape, offsets->span, out))
        return false;
    out->addr = address(g, t, element_offset(g, t, at));
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

static struct value gen_store(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "output_tensor"));
    int tile = t ? gen_tile_arg(g, ir_call_arg(&e->call, "tile")) : 0;
    struct region_arg r;
    const struct ir_expr *shapes = ir_call_arg(&e->call, "shapes");
    if (!t || g->d->failed)
        return none;
    bool ok = shapes
                  ? region_of(g, t, ir_call_arg(&e->call, "offsets"), shapes, &r)
                  : tile_region(g, t, shape_of(ir_call_arg(&e->call, "tile")), tile,
                                ir_call_arg(&e->call, "offsets"), &r) &&
                        gen_valid_extents(g, ir_call_arg(&e->call, "tile"), tile, &r.rows, &r.cols);
    if (!ok || !can_store(g, tile, t) || !check_fits(g, tile, &r, e->span))
        return none;
    struct dma *d = emit_dma(g, store_op(g, tile), t, tile, &r);
    flatten(g, d, &r);
    d->atomic_add = ir_call_int(&e->call, "atomic") == 1;
    return (struct value){.kind = VAL_TENSOR, .tensor = t};
}

/* dcci of the peer's line: the peer address is known only here (pypto-facts 6, workarounds). */
static void peer_cacheinvalid(struct gen *g, struct operand addr)
{
    if (g->library)
        return;
    enum origin_kind origin = g->origin;
    g->origin = ORIGIN_CODEGEN;
    gen_site_begin(g, "peer cacheinvalid", -1);
    gen_emit(g, insn_access(gen_insn(g, I_DCCI), I_DCCI, addr, ELEM_I8, -1));
    gen_site_end(g);
    g->origin = origin;
}

static void extra_barrier(struct gen *g, int kind, const char *what)
{
    static const enum pipe pipes[] = {
        [EXTRA_PIPE_V] = PIPE_V, [EXTRA_PIPE_MTE3] = PIPE_MTE3, [EXTRA_PIPE_ALL] = PIPE_ALL};
    if (kind == EXTRA_NONE || g->library)
        return;
    enum origin_kind origin = g->origin;
    g->origin = ORIGIN_CODEGEN;
    gen_site_begin(g, what, -1);
    gen_barrier(g, pipes[kind]);
    gen_site_end(g);
    g->origin = origin;
}

static struct value gen_remote_store(struct gen *g, const struct ir_expr *e,
                                     const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "target"));
    int tile = t ? gen_tile_arg(g, ir_call_arg(&e->call, "src_tile")) : 0;
    struct region_arg r;
    const struct ir_expr *src = ir_call_arg(&e->call, "src_tile");
    if (!t || g->d->failed ||
        !tile_region(g, t, shape_of(src), tile, ir_call_arg(&e->call, "offsets"), &r) ||
        !gen_valid_extents(g, src, tile, &r.rows, &r.cols) || !can_store(g, tile, t))
        return none;
    to_peer(g, t, ir_call_arg(&e->call, "peer"), &r);
    if (g->d->failed)
        return none;
    struct dma *d = emit_dma(g, store_op(g, tile), t, tile, &r);
    d->atomic_add = ir_call_int(&e->call, "atomic") == 1;
    peer_cacheinvalid(g, r.addr);
    return none;
}

/* All of a tensor in a tile of its own; its extents, where only the run knows them, in r. */
static bool load_whole(struct gen *g, const struct tensor *t, const char *name, struct span at,
                       int *tile, struct region_arg *r)
{
    int64_t rows = 1;
    if (!whole_of(g, t, r, at))
        return false;
    for (int i = 0; i < t->ndims - 1; i++)
        rows *= t->shape[i];
    if (rows * t->shape[t->ndims - 1] > MAX_STAGED)
        return gen_error(g, at, "a tensor of this shape does not fit a core");
    *tile = gen_tile(g, name, (int)rows, (int)t->shape[t->ndims - 1], t->elem, IR_SPACE_VEC);
    emit_dma(g, I_MTE2, t, *tile, r);
    gen_set_valid(g, *tile, r->rows, r->cols);
    return true;
}

/* A tensor is loaded as a whole, and goes from there (pypto-front-facts 3.4). */
static struct value gen_tensor_remote_store(struct gen *g, const struct ir_expr *e,
                                            const struct ir_var *target)
{
    (void)target;
    const struct tensor *src = tensor_arg(g, ir_call_arg(&e->call, "src"));
    const struct tensor *t = src ? tensor_arg(g, ir_call_arg(&e->call, "target")) : NULL;
    struct region_arg r;
    int tile;
    if (!t || !load_whole(g, src, "staged", e->span, &tile, &r))
        return none;
    const ir_exprs *shape = shape_of(ir_call_arg(&e->call, "src"));
    struct operand extents[] = {r.rows, r.cols};
    if (!tile_region(g, t, shape, tile, ir_call_arg(&e->call, "offsets"), &r) ||
        !can_store(g, tile, t))
        return none;
    r.rows = extents[0];
    r.cols = extents[1];
    to_peer(g, t, ir_call_arg(&e->call, "peer"), &r);
    if (g->d->failed)
        return none;
    struct dma *d = emit_dma(g, I_MTE3, t, tile, &r);
    d->atomic_add = ir_call_int(&e->call, "atomic") == 1;
    peer_cacheinvalid(g, r.addr);
    return none;
}

/* The store that it becomes; a slice that is its source is loaded where it stands
 * (pypto-front-facts 3.4). */
static struct value gen_assemble(struct gen *g, const struct ir_expr *e,
                                 const struct ir_var *target)
{
    (void)target;
    const struct ir_expr *from = ir_call_arg(&e->call, "source");
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "target"));
    struct value v = t ? gen_expr(g, from, NULL) : none;
    struct region_arg r, whole;
    if (g->d->failed)
        return none;
    int tile = v.tile;
    if (v.kind == VAL_TENSOR && !load_whole(g, v.tensor, "assembled", e->span, &tile, &whole))
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
    emit_dma(g, store_op(g, tile), t, tile, &r)->atomic_add = ir_call_int(&e->call, "atomic") == 1;
    return (struct value){.kind = VAL_TENSOR, .tensor = t};
}

/* ---- put and get: TPUT and TGET (hw-facts 1.3) ---- */

struct copy {
    const struct tensor *from, *to;
    struct region_arg src, dst;
    int stage[2], nstages; /* two: while one is stored, the other one is loaded */
    int used[2];           /* the site of the flag that says when a stage is free again, or -1 */
    bool atomic;
};

/* MTE3 has left stage k; the load of what comes next into it, or the end, waits for that. */
static void stage_flag(struct gen *g, struct copy *c, int k, enum insn_op op)
{
    g->origin = ORIGIN_MACRO;
    if (op == I_SET_FLAG)
        c->used[k] = gen_site_begin(g, "flag pair MTE3 to MTE2", -1);
    g->site = c->used[k];
    gen_emit(g, macro_free(gen_insn(g, op), op, k));
    gen_site_end(g);
    if (op == I_WAIT_FLAG)
        c->used[k] = -1;
    g->origin = ORIGIN_USER;
}

/* One piece through stage k: load, flag, store, flag. The last flag holds MTE2, not the scalar
 * unit. */
static void copy_piece(struct gen *g, struct copy *c, const struct region_arg *src,
                       const struct region_arg *dst, bool chunked, int k)
{
    if (c->used[k] >= 0)
        stage_flag(g, c, k, I_WAIT_FLAG);
    g->origin = ORIGIN_USER;
    struct dma *d = emit_dma(g, I_MTE2, c->from, c->stage[k], src);
    d->macro = true;
    if (src->cols.reg == NO_REG) /* the stage is one flat buffer */
        d->tile_stride = src->cols.imm * elem_size(d->elem);
    int64_t stride = d->tile_stride;
    g->origin = ORIGIN_MACRO;
    struct macro_step loaded[MACRO_STEPS];
    gen_steps(g, loaded, macro_loaded(gen_insn(g, I_NOP), loaded), false);
    if (chunked) {
        gen_site_begin(g, "barrier all between chunks", -1);
        gen_barrier(g, PIPE_ALL);
        gen_site_end(g);
    }
    g->origin = ORIGIN_USER;
    d = emit_dma(g, I_MTE3, c->to, c->stage[k], dst);
    d->macro = true;
    d->tile_stride = stride;
    d->atomic_add = c->atomic;
    stage_flag(g, c, k, I_SET_FLAG);
    if (c->nstages == 1 || !chunked)
        stage_flag(g, c, k, I_WAIT_FLAG);
}

static struct region_arg sub_region(struct gen *g, const struct region_arg *r, int64_t row,
                                    int64_t col, int64_t rows, int64_t cols, int size)
{
    struct region_arg s = *r;
    (void)g;
    s.addr.imm += row * r->gm_stride + col * size;
    s.rows = imm_operand(rows);
    s.cols = imm_operand(cols);
    return s;
}

/* A part whose place and extents are known at run time. */
static struct region_arg moved_region(struct gen *g, const struct region_arg *r, struct operand row,
                                      struct operand col, struct operand rows, struct operand cols,
                                      int size)
{
    struct region_arg s = *r;
    s.addr = plus(g, s.addr, scaled(g, row, r->gm_stride));
    s.addr = plus(g, s.addr, scaled(g, col, size));
    s.rows = rows;
    s.cols = cols;
    return s;
}

/* for (*at = 0; *at < end; *at += step): the branch that leaves, to be closed by end_chunks. */
static int begin_chunks(struct gen *g, int *at, struct operand end)
{
    *at = gen_reg(g, NULL);
    gen_move(g, *at, imm_operand(0));
    return gen_branch(g, I_BZ, gen_alu(g, ALU_LT, reg_operand(*at), end).reg);
}

static void end_chunks(struct gen *g, int at, int leave, int64_t step)
{
    gen_step(g, at, step);
    gen_branch_to(g, I_JMP, NO_REG, leave - 1); /* the comparison */
    gen_patch_here(g, leave);
}

static struct operand rest(struct gen *g, struct operand extent, int at, int64_t most)
{
    return gen_alu(g, ALU_MIN, gen_alu(g, ALU_SUB, extent, reg_operand(at)), imm_operand(most));
}

/* Extents known at run time: in one piece if the stage holds it, else in chunks of the stage's rows
 * and columns. */
static void copy_at_run_time(struct gen *g, struct copy *c)
{
    const struct tile stage = g->tiles.items[c->stage[0]];
    int size = elem_size(c->from->elem), row, col;
    struct operand rows = reg_operand(gen_in_reg(g, c->src.rows)),
                   cols = reg_operand(gen_in_reg(g, c->src.cols)),
                   low = gen_alu(g, ALU_LE, rows, imm_operand(stage.rows)),
                   narrow = gen_alu(g, ALU_LE, cols, imm_operand(stage.cols));
    int large = gen_branch(g, I_BZ, gen_alu(g, ALU_LAND, low, narrow).reg);
    c->nstages = 1;
    copy_piece(g, c, &c->src, &c->dst, false, 0);
    int done = gen_branch(g, I_JMP, NO_REG);
    gen_patch_here(g, large);
    int last_row = begin_chunks(g, &row, rows), last_col = begin_chunks(g, &col, cols);
    struct operand h = rest(g, rows, row, stage.rows), w = rest(g, cols, col, stage.cols);
    struct region_arg src =
                          moved_region(g, &c->src, reg_operand(row), reg_operand(col), h, w, size),
                      dst =
                          moved_region(g, &c->dst, reg_operand(row), reg_operand(col), h, w, size);
    copy_piece(g, c, &src, &dst, true, 0);
    end_chunks(g, col, last_col, stage.cols);
    end_chunks(g, row, last_row, stage.rows);
    gen_patch_here(g, done);
}

/* A transfer larger than its stage goes in chunks of the stage's rows and columns, or of whole rows
 * if the stage is wider. Very many of them are a loop. */
static void copy_pieces(struct gen *g, struct copy *c)
{
    const struct tile *stage = &g->tiles.items[c->stage[0]];
    int64_t capacity = (int64_t)stage->rows * stage->cols, rows = c->src.rows.imm,
            cols = c->src.cols.imm;
    bool known = c->src.rows.reg == NO_REG && c->src.cols.reg == NO_REG;
    if (!known) {
        copy_at_run_time(g, c);
        return;
    }
    if (rows * cols <= capacity) {
        copy_piece(g, c, &c->src, &c->dst, false, 0);
        return;
    }
    bool narrow = stage->cols <= cols;
    int64_t wide = narrow ? stage->cols : cols, high = narrow ? stage->rows : capacity / wide;
    if (((rows + high - 1) / high) * ((cols + wide - 1) / wide) > MAX_PIECES) {
        copy_at_run_time(g, c);
        return;
    }
    int size = elem_size(c->from->elem), n = 0;
    for (int64_t r = 0; r < rows; r += high)
        for (int64_t k = 0; k < cols; k += wide, n++) {
            int64_t h = rows - r < high ? rows - r : high, w = cols - k < wide ? cols - k : wide;
            struct region_arg src = sub_region(g, &c->src, r, k, h, w, size);
            struct region_arg dst = sub_region(g, &c->dst, r, k, h, w, size);
            copy_piece(g, c, &src, &dst, true, n % c->nstages);
        }
    for (int k = 0; k < 2; k++)
        if (c->used[k] >= 0)
            stage_flag(g, c, k, I_WAIT_FLAG);
}

static void copy_region(struct gen *g, struct copy *c)
{
    struct macro_code m = {.first = gen_here(g)};
    copy_pieces(g, c);
    m.end = gen_here(g);
    if (m.end > m.first)
        vec_push(g->arena, &g->macros, m);
}

/* Rows or columns of the stage that is made for the tensor form: those of the transfer, no more
 * than the chunk (pypto-front-facts 3.4). */
static bool stage_extent(struct gen *g, const struct ir_expr *e, const char *chunk,
                         struct operand extent, int64_t *out)
{
    int64_t most = ir_call_int(&e->call, chunk);
    if (most == 0 && extent.reg != NO_REG)
        return gen_error(g, e->span,
                         "a transfer without a stage tile needs a fixed shape, or chunk_rows and "
                         "chunk_cols");
    *out = extent.reg != NO_REG || (most && most < extent.imm) ? most : extent.imm;
    return true;
}

static bool choose_stages(struct gen *g, const struct ir_expr *e, struct copy *c)
{
    const struct ir_expr *given[] = {ir_call_arg(&e->call, "stage"),
                                     ir_call_arg(&e->call, "stage2")};
    int64_t rows = 0, cols = 0;
    c->nstages = given[1] || ir_call_int(&e->call, "pipeline") ? 2 : 1;
    c->used[0] = c->used[1] = -1;
    if (!given[0] && (!stage_extent(g, e, "chunk_rows", c->src.rows, &rows) ||
                      !stage_extent(g, e, "chunk_cols", c->src.cols, &cols)))
        return false;
    for (int k = 0; k < c->nstages; k++) {
        c->stage[k] = given[k] ? gen_tile_arg(g, given[k])
                               : gen_tile(g, k ? "stage2" : "stage", (int)rows, (int)cols,
                                          c->from->elem, IR_SPACE_VEC);
        if (g->d->failed)
            return false;
        enum elem held = g->tiles.items[c->stage[k]].elem;
        if (held != c->from->elem)
            return gen_error(g, e->span, "the stage holds %s, the source %s", elem_name(held),
                             elem_name(c->from->elem));
    }
    return true;
}

static bool copy_args(struct gen *g, const struct ir_expr *e, struct copy *c)
{
    c->to = tensor_arg(g, ir_call_arg(&e->call, "dst"));
    c->from = c->to ? tensor_arg(g, ir_call_arg(&e->call, "src")) : NULL;
    if (!c->from)
        return false;
    const struct ir_expr *shape = ir_call_arg(&e->call, "shape");
    bool ok = shape
                  ? region_of(g, c->to, ir_call_arg(&e->call, "dst_offsets"), shape, &c->dst) &&
                        region_of(g, c->from, ir_call_arg(&e->call, "src_offsets"), shape, &c->src)
                  : whole_of(g, c->to, &c->dst, e->span) && whole_of(g, c->from, &c->src, e->span);
    if (!ok)
        return false;
    return choose_stages(g, e, c);
}

static struct value gen_put(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct toolchain *k = g->opt->toolchain;
    struct copy c = {.atomic = ir_call_int(&e->call, "atomic") == 1};
    if (!copy_args(g, e, &c))
        return none;
    to_peer(g, c.to, ir_call_arg(&e->call, "peer"), &c.dst);
    if (g->d->failed)
        return none;
    extra_barrier(g, k->put_pre_barrier, "barrier before TPUT");
    copy_region(g, &c);
    extra_barrier(g, k->put_tail_barrier, "barrier after TPUT");
    peer_cacheinvalid(g, c.dst.addr);
    return none;
}

static struct value gen_get(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct toolchain *k = g->opt->toolchain;
    struct copy c = {0};
    if (!copy_args(g, e, &c))
        return none;
    to_peer(g, c.from, ir_call_arg(&e->call, "peer"), &c.src);
    if (g->d->failed)
        return none;
    extra_barrier(g, k->get_pre_barrier, "barrier before TGET");
    copy_region(g, &c);
    extra_barrier(g, k->get_tail_barrier, "barrier after TGET");
    return none;
}

/* ---- scalar accesses ---- */

static struct insn scalar_access(struct gen *g, enum insn_op op, const struct tensor *t,
                                 struct operand addr)
{
    return insn_access(gen_insn(g, op), op, addr, t->elem, t->region);
}

static bool is_dense(const struct tensor *t)
{
    int64_t dense = 1;
    for (int i = t->ndims - 1; i >= 0; i--) {
        if ((t->shape[i] != 1 && t->stride[i] != dense) || (i && extent_of(t, i).reg != NO_REG))
            return false;
        dense *= t->shape[i];
    }
    return true;
}

/* Byte offset of the element that is number `flat` in the order of the rows. */
static struct operand flat_offset(struct gen *g, const struct tensor *t, struct operand flat)
{
    struct operand sum = imm_operand(0);
    if (is_dense(t))
        return scaled(g, flat, elem_size(t->elem));
    for (int i = t->ndims - 1; i >= 0; i--) {
        struct operand extent = extent_of(t, i), at = i ? gen_alu(g, ALU_MOD, flat, extent) : flat;
        flat = gen_alu(g, ALU_FLOORDIV, flat, extent);
        sum = gen_alu(g, ALU_ADD, scaled(g, at, t->stride[i] * elem_size(t->elem)), sum);
    }
    return sum;
}

/* Address of tensor[indices]; one integer is a flat index. */
static struct operand cell(struct gen *g, const struct tensor *t, const struct ir_expr *index)
{
    struct operand flat;
    if (index && index->kind != IR_TUPLE && index->kind != IR_LIST) {
        if (!gen_int(g, index, &flat))
            return flat;
        return address(g, t, flat_offset(g, t, flat));
    }
    const ir_exprs *at = tuple_arg(g, index, t->ndims);
    return at ? address(g, t, element_offset(g, t, at)) : imm_operand(0);
}

static struct value gen_read(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "tensor"));
    if (!t)
        return none;
    struct operand addr = cell(g, t, ir_call_arg(&e->call, "indices"));
    if (g->d->failed)
        return none;
    struct insn i = scalar_access(g, I_LD, t, addr);
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    gen_accesses(g, t, false);
    return gen_from_elem(g, i.rd, t->elem);
}

static struct value gen_write(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "tensor"));
    struct operand addr = t ? cell(g, t, ir_call_arg(&e->call, "indices")) : imm_operand(0);
    struct value v = t ? gen_expr(g, ir_call_arg(&e->call, "value"), NULL) : none;
    if (g->d->failed)
        return none;
    if (v.kind != VAL_INT && v.kind != VAL_FLOAT) {
        gen_error(g, e->span, "expected a scalar to write");
        return none;
    }
    struct operand bits = gen_to_elem(g, v, t->elem);
    gen_emit(g, insn_with(scalar_access(g, I_ST, t, addr), bits));
    gen_accesses(g, t, false);
    return (struct value){.kind = VAL_TENSOR, .tensor = t};
}

static struct value gen_tile_read(struct gen *g, const struct ir_expr *e,
                                  const struct ir_var *target)
{
    (void)target;
    int tile = gen_tile_arg(g, ir_call_arg(&e->call, "tile"));
    const struct ir_expr *index = ir_call_arg(&e->call, "indices");
    if (g->d->failed)
        return none;
    struct tensor flat = {.ndims = 2,
                          .elem = ELEM_I8,
                          .stride = {tile_pitch(&g->tiles.items[tile]), 1},
                          .ctx = NO_REG,
                          .base = imm_operand(0)};
    struct operand at = imm_operand(0);
    if (index->kind == IR_TUPLE || index->kind == IR_LIST) {
        const ir_exprs *list = tuple_arg(g, index, 2);
        at = list ? element_offset(g, &flat, list) : at;
    } else if (gen_int(g, index, &at) && g->tiles.items[tile].pitch) { /* a part: row by row */
        struct operand cols = imm_operand(g->tiles.items[tile].cols);
        at = gen_alu(g, ALU_ADD, scaled(g, gen_alu(g, ALU_FLOORDIV, at, cols), flat.stride[0]),
                     gen_alu(g, ALU_MOD, at, cols));
    }
    if (g->d->failed)
        return none;
    struct insn i = gen_insn(g, e->call.args.len > 2 ? I_TILE_ST : I_TILE_LD);
    i.aux = tile;
    i.ra = at.reg;
    i.imm = at.imm;
    enum elem elem = g->tiles.items[tile].elem;
    if (i.op == I_TILE_ST) {
        struct operand bits =
            gen_to_elem(g, gen_expr(g, ir_call_arg(&e->call, "value"), NULL), elem);
        gen_emit(g, insn_with(i, bits));
        return (struct value){.kind = VAL_TILE, .tile = tile};
    }
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    return gen_from_elem(g, i.rd, elem);
}

/* ---- TNOTIFY and TWAIT (hw-facts 1.1, 1.2) ---- */

static struct value gen_notify(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "target"));
    const ir_exprs *at = t ? tuple_arg(g, ir_call_arg(&e->call, "offsets"), t->ndims) : NULL;
    if (!at)
        return none;
    struct operand addr = address(g, t, element_offset(g, t, at)), value;
    if (t->elem != ELEM_I32)
        gen_error(g, e->span, "a signal is INT32");
    if (g->d->failed || !gen_int(g, ir_call_arg(&e->call, "value"), &value))
        return none;
    addr = plus(g, addr, peer_delta(g, t, ir_call_arg(&e->call, "peer")));
    if (g->d->failed)
        return none;
    extra_barrier(g, g->opt->toolchain->notify_pre_barrier, "barrier before TNOTIFY");
    g->what = "TNOTIFY";
    enum insn_op op = ir_call_int(&e->call, "op") == 1 ? I_ST : I_ST_ATOMIC;
    struct insn store = insn_with(scalar_access(g, op, t, addr), value);
    struct macro_step steps[MACRO_STEPS];
    g->origin = ORIGIN_MACRO;
    gen_steps(g, steps, macro_notify(gen_insn(g, I_NOP), store, steps), false);
    g->origin = ORIGIN_USER;
    return none;
}

static struct value gen_wait(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "signal"));
    const ir_exprs *at = t ? tuple_arg(g, ir_call_arg(&e->call, "offsets"), t->ndims) : NULL;
    struct operand expected;
    if (!at || !gen_int(g, ir_call_arg(&e->call, "expected"), &expected))
        return none;
    struct operand addr = address(g, t, element_offset(g, t, at));
    if (!g->d->failed && t->elem != ELEM_I32)
        gen_error(g, e->span, "a signal is INT32");
    if (g->d->failed)
        return none;
    g->what = "TWAIT";
    gen_emit(g, macro_wait(gen_insn(g, I_POLL), addr, t->region,
                           ir_call_int(&e->call, "cmp") == 1 ? CMP_GE : CMP_EQ, expected));
    return none;
}

/* ---- contexts ---- */

static struct value gen_get_ctx(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, e->call.args.items[0]);
    if (t && t->ctx == NO_REG)
        gen_error(g, e->span, "this tensor is no window: it has no communication context");
    return t && !g->d->failed ? (struct value){.kind = VAL_CTX, .op = reg_operand(t->ctx)} : none;
}

static struct value gen_rank(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    struct value ctx = gen_expr(g, e->call.args.items[0], NULL);
    if (!g->d->failed && ctx.kind != VAL_CTX)
        gen_error(g, e->span, "expects a CommCtx");
    if (g->d->failed)
        return none;
    struct operand slot = ctx.op;
    slot.imm = CTX_RANK_SLOT;
    struct operand pair = load_i64(g, slot, -1);
    bool nranks = !strcmp(e->call.op->name, "pld.system.nranks");
    return (struct value){.kind = VAL_INT,
                          .op = nranks ? gen_alu(g, ALU_SHR, pair, imm_operand(32))
                                       : gen_alu(g, ALU_AND, pair, imm_operand(0xffffffff))};
}

/* ---- markers ---- */

static void region_lines(struct gen *g, struct operand addr, struct operand bytes)
{
    struct insn i = insn_access(gen_insn(g, I_DCCI), I_DCCI, addr, ELEM_I8, -1);
    if (g->library || g->opt->toolchain->region_cacheinvalid == REGION_BASE_LINE) {
        gen_emit(g, i);
        return;
    }
    /* for (p = base aligned down; p < end; p += line) dcci [p] */
    struct operand base = gen_alu(g, ALU_ADD, reg_operand(addr.reg), imm_operand(addr.imm));
    int p = gen_reg(g, NULL);
    struct operand end = gen_alu(g, ALU_ADD, base, bytes);
    gen_move(g, p, gen_alu(g, ALU_AND, base, imm_operand(-CACHE_LINE)));
    int top = gen_here(g);
    i.ra = p;
    i.imm = 0;
    gen_emit(g, i);
    gen_step(g, p, CACHE_LINE);
    struct operand more = gen_alu(g, ALU_LT, reg_operand(p), end);
    gen_branch_to(g, I_BNZ, more.reg, top);
}

/* From the first to behind the last byte of a region with those extents. */
static bool region_bytes(struct gen *g, const struct tensor *t, const ir_exprs *shape,
                         struct operand *bytes)
{
    *bytes = imm_operand(elem_size(t->elem));
    for (int i = 0; i < t->ndims; i++) {
        struct operand extent;
        if (!gen_int(g, shape->items[i], &extent))
            return false;
        struct operand more = gen_alu(g, ALU_MUL, gen_alu(g, ALU_SUB, extent, imm_operand(1)),
                                      imm_operand(t->stride[i] * elem_size(t->elem)));
        *bytes = gen_alu(g, ALU_ADD, *bytes, more);
    }
    return true;
}

static struct value gen_cacheinvalid(struct gen *g, const struct ir_expr *e,
                                     const struct ir_var *target)
{
    (void)target;
    if (e->call.args.len == 0) {
        gen_site_begin(g, "cacheinvalid all", -1);
        gen_simple(g, I_DCCI_ALL);
        gen_site_end(g);
        return none;
    }
    const struct tensor *t = tensor_arg(g, ir_call_arg(&e->call, "tensor"));
    const ir_exprs *at = t ? tuple_arg(g, ir_call_arg(&e->call, "offsets"), t->ndims) : NULL;
    const ir_exprs *shape = at ? tuple_arg(g, ir_call_arg(&e->call, "shapes"), t->ndims) : NULL;
    bool nothing = g->opt->toolchain->region_cacheinvalid == REGION_NOTHING && !g->library;
    if (!shape || nothing)
        return none;
    struct operand bytes;
    gen_site_begin(g, "region cacheinvalid", -1);
    if (region_bytes(g, t, shape, &bytes))
        region_lines(g, address(g, t, element_offset(g, t, at)), bytes);
    gen_site_end(g);
    return none;
}

static struct value gen_fence(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)e, (void)target;
    enum fence_form form = g->library ? FENCE_ALL : (enum fence_form)g->opt->toolchain->fence;
    struct macro_step steps[MACRO_STEPS];
    gen_steps(g, steps, macro_fence(gen_insn(g, I_NOP), form, steps), true);
    return none;
}

/* The kernel's own event between two pipes. */
static struct value gen_event(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    /* As pl.PipeType counts them. */
    static const enum pipe pipes[] = {PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M,
                                      PIPE_V,    PIPE_S,    PIPE_FIX};
    int64_t from = ir_call_int(&e->call, "set_pipe"), to = ir_call_int(&e->call, "wait_pipe"),
            id = ir_call_int(&e->call, "event_id"), n = sizeof pipes / sizeof *pipes;
    (void)target;
    if (from < 0 || from >= n || to < 0 || to >= n || from == to || id < 0 || id >= MAX_FLAG_IDS) {
        gen_error(g, e->span, "an event stands between two pipes and has a number below %d",
                  MAX_FLAG_IDS);
        return none;
    }
    bool set = !strcmp(e->call.op->name, "system.sync_src");
    enum insn_op op = set ? I_SET_FLAG : I_WAIT_FLAG;
    gen_site_begin(g, set ? "sync_src" : "sync_dst", -1);
    gen_emit(g, insn_flag(gen_insn(g, op), op, pipes[from], pipes[to], (int)id));
    gen_site_end(g);
    return none;
}

static struct value gen_bar(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const char *name = e->call.op->name;
    enum pipe pipe = !strcmp(name, "system.bar_v")   ? PIPE_V
                     : !strcmp(name, "system.bar_m") ? PIPE_M
                                                     : PIPE_ALL;
    gen_site_begin(g, name + strlen("system."), -1);
    gen_barrier(g, pipe);
    gen_site_end(g);
    return none;
}

/* ---- views ---- */

/* The view under the layout that the call states: none, or the one that its rows have already. */
static struct value relaid(struct gen *g, const struct ir_expr *e, struct tensor *view)
{
    const struct ir_expr *layout = ir_kwarg_find(&e->call.kwargs, "layout");
    bool shaped = ir_call_arg(&e->call, "shape");
    if (!shaped && layout && !is_dense(view))
        gen_error(g, e->span, "a tensor whose rows lie apart cannot take another layout");
    else if ((shaped || layout) && !gen_layout_strides(layout, view))
        gen_error(g, layout->span, "code generation has no tensors of layout %s", layout->name);
    return g->d->failed ? none : (struct value){.kind = VAL_TENSOR, .tensor = view};
}

/* A slice that is the source of an assemble is loaded where it stands. */
static struct value sliced(struct gen *g, const struct ir_expr *e, const struct ir_var *target,
                           struct tensor *view)
{
    const ir_exprs *drop = drop_arg(&e->call);
    int kept = 0, tile;
    struct region_arg r;
    for (int i = 0; drop && i < view->ndims; i++) {
        bool gone = false;
        vec_foreach (struct ir_expr *, d, drop)
            gone |= (*d)->kind == IR_INT && (*d)->integer.value == i;
        if (gone)
            continue;
        view->shape[kept] = view->shape[i];
        view->stride[kept] = view->stride[i];
        view->extent[kept++] = view->extent[i];
    }
    if (drop && drop->len)
        view->ndims = kept ? kept : 1;
    if (!target || !gen_slot(g, target)->loaded)
        return (struct value){.kind = VAL_TENSOR, .tensor = view};
    bool ok = load_whole(g, view, target->name, e->span, &tile, &r);
    return ok ? (struct value){.kind = VAL_TILE, .tile = tile} : none;
}

static struct value gen_tensor_view(struct gen *g, const struct ir_expr *e,
                                    const struct ir_var *target)
{
    const struct tensor *t = tensor_arg(g, e->call.args.items[0]);
    const struct ir_expr *offset = ir_call_arg(&e->call, "offset"),
                         *given = ir_call_arg(&e->call, "shape");
    bool slice = !strcmp(e->call.op->name, "tensor.slice");
    const ir_exprs *shape = t && (given || slice) ? tuple_arg(g, given, -1) : NULL;
    if (!t || g->d->failed)
        return none;
    struct tensor *view = arena_dup(g->arena, t, sizeof *t);
    if (!shape)
        return relaid(g, e, view);
    if (offset) {
        const ir_exprs *at = tuple_arg(g, offset, t->ndims);
        if (!at)
            return none;
        view->base = address(g, t, element_offset(g, t, at));
    }
    if (!slice && !is_dense(t)) {
        gen_error(g, e->span, "a part of a tensor whose rows lie apart cannot take another shape");
        return none;
    }
    if (shape->len > MAX_DIMS || (slice && shape->len != (size_t)t->ndims)) {
        gen_error(g, e->span, "a slice keeps the %d dimensions of its tensor", t->ndims);
        return none;
    }
    view->ndims = (int)shape->len;
    bool run_time = false;
    for (int i = view->ndims - 1; i >= 0; i--) {
        struct operand extent = imm_operand(0);
        if (!slice && !gen_const(g, shape->items[i], "the extent of a view", &extent.imm))
            return none;
        if (slice && !gen_int(g, shape->items[i], &extent))
            return none;
        /* An extent that only a run knows is at most the tensor's. */
        view->shape[i] = extent.reg == NO_REG ? extent.imm : t->shape[i];
        view->extent[i] = extent.reg == NO_REG ? extent : gen_copy(g, extent);
        run_time |= extent.reg != NO_REG;
    }
    view->run_time = slice && run_time;
    return slice ? sliced(g, e, target, view) : relaid(g, e, view);
}

static struct value gen_dim(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = tensor_arg(g, e->call.args.items[0]);
    int64_t axis = 0;
    if (!t || !gen_const(g, e->call.args.items[1], "the axis", &axis))
        return none;
    if (axis < 0 || axis >= t->ndims) {
        gen_error(g, e->span, "the tensor has no axis %lld", (long long)axis);
        return none;
    }
    return (struct value){.kind = VAL_INT, .op = extent_of(t, (int)axis)};
}

static struct value gen_block_index(struct gen *g, const struct ir_expr *e,
                                    const struct ir_var *target)
{
    (void)target;
    const char *name = e->call.op->name;
    name = strrchr(name, '.') + 1;
    struct operand o = !strcmp(name, "get_block_num")   ? g->block_count
                       : !strcmp(name, "get_block_idx") ? g->block_index
                                                        : imm_operand(0);
    return (struct value){.kind = VAL_INT, .op = o};
}

/* Memory of tiles, which the printed form names: each tile here has memory of its own. */
static struct value gen_tile_alloc(struct gen *g, const struct ir_expr *e,
                                   const struct ir_var *target)
{
    (void)g, (void)e, (void)target;
    return none;
}

/* ---- tables ---- */

static const struct {
    const char *name;
    generator gen;
} generators[] = {
    {"tile.load", gen_load},
    {"tile.store", gen_store},
    {"tile.read", gen_tile_read},
    {"tile.write", gen_tile_read},
    {"tile.alloc", gen_tile_alloc},
    {"tile.gather_row", gen_gather_row},
    {"tensor.get_block_idx", gen_block_index},
    {"tensor.get_subblock_idx", gen_block_index},
    {"tensor.get_block_num", gen_block_index},
    {"tile.get_block_idx", gen_block_index},
    {"tile.get_subblock_idx", gen_block_index},
    {"tile.get_block_num", gen_block_index},
    {"tensor.read", gen_read},
    {"tensor.write", gen_write},
    {"tensor.slice", gen_tensor_view},
    {"tensor.view", gen_tensor_view},
    {"tensor.reshape", gen_tensor_view},
    {"tensor.assemble", gen_assemble},
    {"tensor.dim", gen_dim},
    {"pld.tile.remote_load", gen_remote_load},
    {"pld.tile.remote_store", gen_remote_store},
    {"pld.tensor.remote_store", gen_tensor_remote_store},
    {"pld.tile.put", gen_put},
    {"pld.tensor.put", gen_put},
    {"pld.tile.get", gen_get},
    {"pld.tensor.get", gen_get},
    {"pld.system.notify", gen_notify},
    {"pld.system.wait", gen_wait},
    {"pld.system.get_comm_ctx", gen_get_ctx},
    {"pld.system.rank", gen_rank},
    {"pld.system.nranks", gen_rank},
    {"system.cacheinvalid", gen_cacheinvalid},
    {"system.fence", gen_fence},
    {"system.sync_src", gen_event},
    {"system.sync_dst", gen_event},
    {"system.bar_v", gen_bar},
    {"system.bar_m", gen_bar},
    {"system.bar_all", gen_bar},
};

struct value gen_call(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    const struct ir_call *c = &e->call;
    if (c->callee == IR_CALLEE_USER)
        return gen_inline_call(g, c, e->span);
    if (c->callee != IR_CALLEE_OP) {
        gen_error(g, e->span, "'%s' is not known to code generation", c->name);
        return none;
    }
    const char *outer = g->what;
    g->what = c->op->name;
    struct value v = none;
    generator found = NULL;
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (!strcmp(generators[i].name, c->op->name))
            found = generators[i].gen;
    if (found)
        v = found(g, e, target);
    else
        v = gen_tile_operator(g, e, target);
    g->what = outer;
    return v;
}
