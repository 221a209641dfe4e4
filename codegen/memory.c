/* SPDX-License-Identifier: MIT */
/* Addresses in tensors and in the copies of peers, contexts, and scalar reads and writes. */
#include <string.h>

#include "codegen/internal.h"

/* ---- arguments ---- */

const struct tensor *gen_tensor_arg(struct gen *g, const struct ir_expr *e)
{
    struct value v = gen_expr(g, e, NULL);
    if (!g->d->failed && v.kind != VAL_TENSOR)
        gen_error(g, e->span, "expected a tensor");
    return g->d->failed ? NULL : v.tensor;
}

const ir_exprs *gen_tuple_arg(struct gen *g, const struct ir_expr *e, int len)
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

struct operand gen_extent(const struct tensor *t, int i)
{
    return t->run_time ? t->extent[i] : imm_operand(t->shape[i]);
}

bool gen_is_dense(const struct tensor *t)
{
    int64_t dense = 1;
    for (int i = t->ndims - 1; i >= 0; i--) {
        if ((t->shape[i] != 1 && t->stride[i] != dense) || (i && gen_extent(t, i).reg != NO_REG))
            return false;
        dense *= t->shape[i];
    }
    return true;
}

/* ---- addresses ---- */

/* Byte offset of an element from the tensor's first one. */
static struct operand element_offset(struct gen *g, const struct tensor *t, const ir_exprs *index)
{
    struct operand sum = imm_operand(0);
    for (int i = 0; i < t->ndims; i++) {
        struct operand at;
        if (!gen_int(g, index->items[i], &at))
            return sum;
        sum = gen_alu(g, ALU_ADD, gen_scaled(g, at, t->stride[i] * elem_size(t->elem)), sum);
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

struct operand gen_element_address(struct gen *g, const struct tensor *t, const ir_exprs *index)
{
    return address(g, t, element_offset(g, t, index));
}

/* ---- contexts ---- */

static struct operand load_i64(struct gen *g, struct operand addr, int region)
{
    struct insn i = insn_access(gen_like(g), I_LD, addr, ELEM_I64, region);
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    return reg_operand(i.rd);
}

/* The rank in the low half, the number of ranks in the high one. */
static struct operand load_rank_pair(struct gen *g, struct operand ctx)
{
    ctx.imm = CTX_RANK_SLOT;
    return load_i64(g, ctx, -1);
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
    const char *what = g->what;
    g->what = "peer address";
    int region = t->peers;
    struct operand ctx = reg_operand(t->ctx), pair = load_rank_pair(g, ctx);
    struct operand mine = gen_scaled(g, gen_alu(g, ALU_AND, pair, imm_operand(0xffffffff)), 8);
    struct operand local = gen_alu(g, ALU_ADD, ctx, mine);
    local.imm = CTX_WINDOWS;
    local = load_i64(g, local, region);
    struct operand remote = gen_alu(g, ALU_ADD, ctx, gen_scaled(g, p, 8));
    remote.imm += CTX_WINDOWS;
    remote = load_i64(g, remote, region);
    g->what = what;
    return gen_alu(g, ALU_SUB, remote, local);
}

struct operand gen_peer_address(struct gen *g, struct operand addr, const struct tensor *t,
                                const struct ir_expr *peer)
{
    return gen_plus(g, addr, peer_delta(g, t, peer));
}

struct value gen_get_ctx(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = gen_tensor_arg(g, e->call.args.items[0]);
    if (t && t->ctx == NO_REG)
        gen_error(g, e->span, "this tensor is no window: it has no communication context");
    return t && !g->d->failed ? (struct value){.kind = VAL_CTX, .op = reg_operand(t->ctx)} : none;
}

struct value gen_rank(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    struct value ctx = gen_expr(g, e->call.args.items[0], NULL);
    if (!g->d->failed && ctx.kind != VAL_CTX)
        gen_error(g, e->span, "expects a CommCtx");
    if (g->d->failed)
        return none;
    struct operand pair = load_rank_pair(g, ctx.op);
    bool nranks = !strcmp(e->call.op->name, "pld.system.nranks");
    return (struct value){.kind = VAL_INT,
                          .op = nranks ? gen_alu(g, ALU_SHR, pair, imm_operand(32))
                                       : gen_alu(g, ALU_AND, pair, imm_operand(0xffffffff))};
}

/* ---- scalar accesses ---- */

struct insn gen_scalar_access(struct gen *g, enum insn_op op, const struct tensor *t,
                              struct operand addr)
{
    return insn_access(gen_like(g), op, addr, t->elem, t->region);
}

/* Byte offset of the element that is number `flat` in the order of the rows. */
static struct operand flat_offset(struct gen *g, const struct tensor *t, struct operand flat)
{
    struct operand sum = imm_operand(0);
    if (gen_is_dense(t))
        return gen_scaled(g, flat, elem_size(t->elem));
    for (int i = t->ndims - 1; i >= 0; i--) {
        struct operand extent = gen_extent(t, i), at = i ? gen_alu(g, ALU_MOD, flat, extent) : flat;
        flat = gen_alu(g, ALU_FLOORDIV, flat, extent);
        sum = gen_alu(g, ALU_ADD, gen_scaled(g, at, t->stride[i] * elem_size(t->elem)), sum);
    }
    return sum;
}

struct operand gen_flat_address(struct gen *g, const struct tensor *t, struct operand flat)
{
    return address(g, t, flat_offset(g, t, flat));
}

/* Address of tensor[indices]; one integer is a flat index. */
static struct operand cell(struct gen *g, const struct tensor *t, const struct ir_expr *index)
{
    struct operand flat;
    if (index && index->kind != IR_TUPLE && index->kind != IR_LIST) {
        if (!gen_int(g, index, &flat))
            return flat;
        return gen_flat_address(g, t, flat);
    }
    const ir_exprs *at = gen_tuple_arg(g, index, t->ndims);
    return at ? gen_element_address(g, t, at) : imm_operand(0);
}

struct value gen_read(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "tensor"));
    if (!t)
        return none;
    struct operand addr = cell(g, t, ir_call_arg(&e->call, "indices"));
    if (g->d->failed)
        return none;
    struct insn i = gen_scalar_access(g, I_LD, t, addr);
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    gen_accesses(g, t, false);
    return gen_from_elem(g, i.rd, t->elem);
}

struct value gen_write(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "tensor"));
    struct operand addr = t ? cell(g, t, ir_call_arg(&e->call, "indices")) : imm_operand(0);
    struct value v = t ? gen_expr(g, ir_call_arg(&e->call, "value"), NULL) : none;
    if (g->d->failed)
        return none;
    if (v.kind != VAL_INT && v.kind != VAL_FLOAT) {
        gen_error(g, e->span, "expected a scalar to write");
        return none;
    }
    struct operand bits = gen_to_elem(g, v, t->elem);
    gen_emit(g, insn_with(gen_scalar_access(g, I_ST, t, addr), bits));
    gen_accesses(g, t, false);
    return (struct value){.kind = VAL_TENSOR, .tensor = t};
}

struct value gen_tile_read(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
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
        const ir_exprs *list = gen_tuple_arg(g, index, 2);
        at = list ? element_offset(g, &flat, list) : at;
    } else if (gen_int(g, index, &at) && g->tiles.items[tile].pitch) { /* a part: row by row */
        struct operand cols = imm_operand(g->tiles.items[tile].cols);
        at = gen_alu(g, ALU_ADD, gen_scaled(g, gen_alu(g, ALU_FLOORDIV, at, cols), flat.stride[0]),
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
