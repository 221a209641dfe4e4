/* SPDX-License-Identifier: MIT */
/*
 * One generator per operator, found through a table (pypto-facts 6). Operators that it has no row
 * for work on tiles: codegen/tiles.c.
 */
#include <string.h>

#include "codegen/internal.h"

static struct value gen_block_index(struct gen *g, const struct ir_expr *e,
                                    const struct ir_var *target)
{
    (void)target;
    const char *name = e->call.op->name;
    name = strrchr(name, '.') + 1;
    struct operand o = !strcmp(name, "get_block_num")   ? g->block_count
                       : !strcmp(name, "get_block_idx") ? g->block_index
                                                        : g->lane_index;
    return (struct value){.kind = VAL_INT, .op = o};
}

/* A prefetch into the second cache, which all cores share, changes no data and orders nothing
 * (pypto-ops-facts 6): the wait for it is over at once. */
static struct value gen_prefetch_wait(struct gen *g, const struct ir_expr *e,
                                      const struct ir_var *target)
{
    (void)g, (void)e, (void)target;
    return (struct value){.kind = VAL_INT, .op = imm_operand(1)};
}

/* ---- the table ---- */

static const struct {
    const char *name;
    gen_operator *gen;
} generators[] = {
    {"tile.load", gen_load},
    {"tile.store", gen_store},
    {"tile.read", gen_tile_read},
    {"tile.write", gen_tile_read},
    {"tile.alloc", gen_no_code},
    {"tile.gather_row", gen_gather_row},
    {"tile.mgather", gen_mgather},
    {"tile.mscatter", gen_mscatter},
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
    {"array.create", gen_array_create},
    {"array.get_element", gen_array_get},
    {"array.update_element", gen_array_update},
    {"pld.tile.remote_load", gen_remote_load},
    {"pld.tile.remote_store", gen_remote_store},
    {"pld.tensor.remote_store", gen_tensor_remote_store},
    {"pld.tile.put", gen_put},
    {"pld.tensor.put", gen_put},
    {"pld.tile.get", gen_get},
    {"pld.tensor.get", gen_get},
    {"pld.system.notify", gen_notify},
    {"pld.system.wait", gen_wait},
    {"pld.system.defer_wait", gen_defer_wait},
    {"pld.system.get_comm_ctx", gen_get_ctx},
    {"pld.system.rank", gen_rank},
    {"pld.system.nranks", gen_rank},
    {"system.cacheinvalid", gen_cacheinvalid},
    {"system.fence", gen_fence},
    {"system.sync_src", gen_event},
    {"system.sync_dst", gen_event},
    {"system.set_ffts", gen_no_code},
    {"system.sync_set", gen_sync_set},
    {"system.sync_wait", gen_sync_wait},
    {"system.syncall", gen_syncall},
    {"system.reserve_buffer", gen_buffer},
    {"system.import_peer_buffer", gen_buffer},
    {"system.aic_initialize_pipe", gen_initialize_pipe},
    {"system.aiv_initialize_pipe", gen_initialize_pipe},
    {"system.tfree_to_aic", gen_tfree},
    {"system.tfree_to_aiv", gen_tfree},
    {"tile.tpush_to_aic", gen_tpush},
    {"tile.tpush_to_aiv", gen_tpush},
    {"tile.tpop_from_aic", gen_tpop},
    {"tile.tpop_from_aiv", gen_tpop},
    {"system.bar_v", gen_bar},
    {"system.bar_m", gen_bar},
    {"system.bar_all", gen_bar},
    {"prefetch.make_context", gen_no_code},
    {"prefetch.session", gen_no_code},
    {"prefetch.async_prefetch", gen_no_code},
    {"prefetch.wait", gen_prefetch_wait},
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
    gen_operator *found = gen_tile_operator;
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (!strcmp(generators[i].name, c->op->name))
            found = generators[i].gen;
    struct value v = found(g, e, target);
    g->what = outer;
    return v;
}
