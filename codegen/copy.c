/* SPDX-License-Identifier: MIT */
/* put and get: what TPUT and TGET (isa/copy.c) copy, and what the toolchain puts around them. */
#include "codegen/internal.h"

struct copy {
    const struct tensor *from, *to;
    struct region_arg src, dst;
    int stage[2], nstages;
    bool atomic;
};

static void copy_region(struct gen *g, const struct copy *c)
{
    struct macro_copy m = {.src = gen_rows(c->from, &c->src),
                           .dst = gen_rows(c->to, &c->dst),
                           .stage = {c->stage[0], c->stage[1]},
                           .nstages = c->nstages,
                           .atomic = c->atomic};
    build_copy(gen_builder(g), &m);
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
    c->to = gen_tensor_arg(g, ir_call_arg(&e->call, "dst"));
    c->from = c->to ? gen_tensor_arg(g, ir_call_arg(&e->call, "src")) : NULL;
    if (!c->from)
        return false;
    const struct ir_expr *shape = ir_call_arg(&e->call, "shape");
    bool ok = shape
                  ? gen_region(g, c->to, ir_call_arg(&e->call, "dst_offsets"), shape, &c->dst) &&
                        gen_region(g, c->from, ir_call_arg(&e->call, "src_offsets"), shape, &c->src)
                  : gen_whole_region(g, c->to, &c->dst, e->span) &&
                        gen_whole_region(g, c->from, &c->src, e->span);
    if (!ok)
        return false;
    return choose_stages(g, e, c);
}

struct value gen_put(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct toolchain *k = g->opt->toolchain;
    struct copy c = {.atomic = ir_call_int(&e->call, "atomic") == 1};
    if (!copy_args(g, e, &c))
        return none;
    gen_to_peer(g, c.to, ir_call_arg(&e->call, "peer"), &c.dst);
    if (g->d->failed)
        return none;
    gen_extra_barrier(g, k->put_pre_barrier, "barrier before TPUT");
    copy_region(g, &c);
    gen_extra_barrier(g, k->put_tail_barrier, "barrier after TPUT");
    gen_peer_cacheinvalid(g, c.dst.addr);
    return none;
}

struct value gen_get(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct toolchain *k = g->opt->toolchain;
    struct copy c = {0};
    if (!copy_args(g, e, &c))
        return none;
    gen_to_peer(g, c.from, ir_call_arg(&e->call, "peer"), &c.src);
    if (g->d->failed)
        return none;
    gen_extra_barrier(g, k->get_pre_barrier, "barrier before TGET");
    copy_region(g, &c);
    gen_extra_barrier(g, k->get_tail_barrier, "barrier after TGET");
    return none;
}
