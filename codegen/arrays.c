/* SPDX-License-Identifier: MIT */
/*
 * Arrays on a core's stack (pypto-ops-facts 1.2): memory that the scalar unit alone reads and
 * writes, here a tile of one row that no other unit touches.
 */
#include <string.h>

#include "codegen/internal.h"

enum { MAX_ARRAY = 1 << 16 };

struct value gen_array_create(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    const struct ir_expr *dtype = ir_kwarg_find(&e->call.kwargs, "dtype");
    bool named = dtype && dtype->kind == IR_NAME && strncmp(dtype->name, "pl.", 3) == 0;
    int64_t extent;
    enum elem elem;
    if (!gen_const(g, ir_call_arg(&e->call, "extent"), "the extent of an array", &extent) ||
        !gen_elem(g, named ? ir_dtype_parse(dtype->name + 3) : IR_DTYPE_NONE, e->span, &elem))
        return none;
    if (extent < 1 || extent > MAX_ARRAY) {
        gen_error(g, e->span, "an array has 1 to %d elements, not %lld", MAX_ARRAY,
                  (long long)extent);
        return none;
    }
    int tile = gen_tile(g, target ? target->name : "array", 1, (int)extent, elem, IR_SPACE_VEC);
    gen_set_whole(g, tile);
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

/* The access of the element that e names. */
static struct insn element(struct gen *g, const struct ir_expr *e, enum insn_op op, int tile)
{
    struct operand at = imm_operand(0);
    gen_int(g, ir_call_arg(&e->call, "index"), &at);
    struct insn i = gen_insn(g, op);
    i.aux = tile;
    i.ra = at.reg;
    i.imm = at.imm;
    return i;
}

struct value gen_array_get(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    int tile = gen_tile_arg(g, ir_call_arg(&e->call, "array"));
    if (g->d->failed)
        return none;
    struct insn i = element(g, e, I_TILE_LD, tile);
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    return gen_from_elem(g, i.rd, g->tiles.items[tile].elem);
}

/* In place: the new value is the same memory under another name. */
struct value gen_array_update(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    int tile = gen_tile_arg(g, ir_call_arg(&e->call, "array"));
    if (g->d->failed)
        return none;
    struct operand bits = gen_to_elem(g, gen_expr(g, ir_call_arg(&e->call, "value"), NULL),
                                      g->tiles.items[tile].elem);
    struct insn i = element(g, e, I_TILE_ST, tile);
    if (g->d->failed)
        return none;
    gen_emit(g, insn_with(i, bits));
    return (struct value){.kind = VAL_TILE, .tile = tile};
}
