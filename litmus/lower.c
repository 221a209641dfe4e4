/* SPDX-License-Identifier: MIT */
/* Source tree -> machine program. */
#include <string.h>

#include "base/strbuf.h"
#include "litmus/tree.h"
#include "models/contract.h"

uint64_t litmus_loc_addr(const struct litmus_tree *t, const struct litmus_loc *l, int rank)
{
    uint64_t offset = t->vars.items[l->var].offset + (uint64_t)(l->index * LITMUS_WORD);
    return gm_addr(l->rank == OWN_RANK ? rank : l->rank, offset);
}

static void lower_regions(struct program *p, const struct litmus_tree *t)
{
    p->nregions = (int)t->vars.len;
    p->regions = arena_array(p->arena, struct region, t->vars.len + 1);
    for (size_t i = 0; i < t->vars.len; i++) {
        const struct litmus_var *v = &t->vars.items[i];
        p->regions[i] = (struct region){.name = v->name,
                                        .kind = REGION_WINDOW,
                                        .offset = v->offset,
                                        .size = (uint64_t)(v->words * LITMUS_WORD),
                                        .elem = ELEM_I32};
    }
}

/* Memory ends at a multiple of the longest line that a contract may have. */
static void lower_memory(struct program *p, const struct litmus_tree *t)
{
    uint64_t step = CONTRACT_MAX_LINE, bytes = t->bytes ? t->bytes : step;
    p->gm_bytes = (bytes + step - 1) / step * step;
    p->gm_init = arena_array(p->arena, uint8_t *, (size_t)p->nranks);
    for (int r = 0; r < p->nranks; r++) {
        p->gm_init[r] = arena_alloc(p->arena, p->gm_bytes);
        vec_foreach (const struct litmus_var, v, &t->vars)
            memcpy(p->gm_init[r] + v->offset, &v->initial, sizeof v->initial);
    }
}

static void add_site(struct program *p, const struct litmus_insn *i, const char *func,
                     const char *what)
{
    p->sites[p->nsites] = (struct site){
        .origin = i->op->origin, .marker = p->nsites, .what = what, .span = i->span, .func = func};
    p->nsites++;
}

/* One tile of one word per register, then the stage. */
static void lower_tiles(struct arena *a, struct code *c, int registers, bool stage)
{
    c->ntiles = registers + stage;
    c->tile_bytes = c->ntiles * LITMUS_WORD;
    c->tiles = arena_array(a, struct tile, (size_t)c->ntiles + 1);
    for (int n = 0; n < c->ntiles; n++)
        c->tiles[n] = (struct tile){.name = n < registers ? arena_printf(a, "t%d", n) : "stage",
                                    .rows = 1,
                                    .cols = 1,
                                    .elem = ELEM_I32,
                                    .offset = n * LITMUS_WORD};
}

static const struct code *lower_column(struct program *p, const struct litmus_tree *t,
                                       const struct litmus_column *column,
                                       const struct toolchain *k)
{
    struct arena *a = p->arena;
    struct litmus_emitter e = {
        .arena = a, .tree = t, .toolchain = k, .column = column, .tiles = column->tiles};
    const struct core_desc core = litmus_core(column);
    const char *func = core.lane == LANE_NONE ? arena_printf(a, "P%d.%d", core.rank, core.index)
                                              : arena_printf(a, "P%s", core_desc_name(&core, a));
    const struct insn blank = INSN_BLANK;
    vec_foreach (const struct litmus_insn, i, &column->insns) {
        e.like = blank;
        e.like.origin = (uint8_t)i->op->origin;
        e.like.site = p->nsites;
        e.like.span = i->span;
        e.like.what = litmus_insn_text(a, t, i);
        add_site(p, i, func, e.like.what);
        i->op->emit(&e, i);
    }
    vec_push(a, &e.insns, insn_make(blank, I_END));
    struct code *c = arena_new(a, struct code);
    *c = (struct code){.insns = e.insns.items,
                       .count = (int)e.insns.len,
                       .nregs = column->regs + e.scratch,
                       .dmas = e.dmas.items,
                       .ndmas = (int)e.dmas.len};
    lower_tiles(a, c, column->tiles, e.stage);
    return c;
}

struct program *litmus_lower(struct arena *a, const char *name, const struct source *src,
                             const struct litmus_tree *t, const struct toolchain *k)
{
    struct program *p = arena_new(a, struct program);
    *p = (struct program){.name = name,
                          .source = src,
                          .nranks = t->ranks,
                          .ncores = (int)t->columns.len,
                          .grain = LITMUS_WORD,
                          .arena = a};
    lower_regions(p, t);
    lower_memory(p, t);
    size_t sites = 0;
    vec_foreach (const struct litmus_column, c, &t->columns)
        sites += c->insns.len;
    p->sites = arena_array(a, struct site, sites + 1);
    p->cores = arena_array(a, struct core_desc, t->columns.len);
    for (size_t i = 0; i < t->columns.len; i++) {
        const struct litmus_column *c = &t->columns.items[i];
        p->cores[i] = litmus_core(c);
        p->cores[i].code = lower_column(p, t, c, k);
    }
    return p;
}
