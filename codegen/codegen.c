/* SPDX-License-Identifier: MIT */
/* From a kernel file to a program: its tasks, the layout of memory, and what that holds at first. */
#include "codegen/codegen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "codegen/internal.h"
#include "codegen/host/host.h"
#include "passes/rewrite.h"

bool gen_error(struct gen *g, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(g->d, g->prog->source, at, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- which functions are tasks ---- */

static bool choose_tasks(struct gen *g, task_list *out)
{
    vec_foreach (const struct directive_name, task, &g->dir->tasks) {
        const struct ir_func *f = ir_find_func(g->prog, task->name);
        if (!f || !ir_func_is_incore(f))
            return diag_error(
                g->d, g->prog->source, task->span,
                "the directive 'tasks' names '%s', which is no InCore function of this file",
                task->name);
        vec_push(g->arena, out, f);
    }
    vec_foreach (struct ir_func *, f, &g->prog->funcs)
        if (!g->dir->tasks.len && ir_func_is_incore(*f) &&
            !pass_is_called(g->prog, *f, ir_func_is_incore))
            vec_push(g->arena, out, *f);
    if (!out->len)
        return diag_error(
            g->d, g->prog->source, (struct span){0},
            "holds no InCore function (type=pl.FunctionType.InCore, AIC or AIV) to run");
    return lanes_check_tasks(g, out);
}

/* ---- layout of memory ---- */

/* The array of window bases of each context, for checked accesses by peer number; behind all other
 * regions. */
static void add_peer_arrays(struct gen *g)
{
    size_t n = g->regions.len;
    for (size_t i = 0; i < n; i++) {
        const struct region *ctx = &g->regions.items[i];
        if (ctx->kind != REGION_CTX)
            continue;
        struct region array = {.name = arena_printf(g->arena, "%s.windows", ctx->name),
                               .kind = REGION_CTX,
                               .offset = ctx->offset + CTX_WINDOWS,
                               .size = 8 * (uint64_t)g->opt->nranks,
                               .elem = ELEM_I64};
        vec_push(g->arena, &g->regions, array);
    }
}

bool gen_memory_bytes(struct gen *g, uint64_t used, int nranks, uint64_t *bytes)
{
    *bytes = align_up(used, 256) + 256;
    if (*bytes * (uint64_t)nranks > MAX_MEMORY)
        return diag_error(g->d, g->prog->source, (struct span){0},
                          "needs %" PRIu64
                          " bytes of memory on each of %d ranks; the machine holds %d in all",
                          *bytes, nranks, MAX_MEMORY);
    return true;
}

static bool lay_out(struct gen *g, uint64_t *bytes)
{
    uint64_t at = 0, window = g->opt->window_align ? (uint64_t)g->opt->window_align : CACHE_LINE;
    vec_foreach (struct region, r, &g->regions) {
        at = align_up(at, r->kind == REGION_WINDOW ? window : CACHE_LINE);
        r->offset = at;
        at += r->size;
    }
    add_peer_arrays(g);
    return gen_memory_bytes(g, at, g->opt->nranks, bytes);
}

/* ---- initial memory ---- */

int64_t gen_pattern(enum elem e, uint64_t i, int rank)
{
    return alu_eval(ALU_CVT, (int64_t)((5 * i + 3 * (uint64_t)rank) % 7 + 1), 0, ELEM_I64, e);
}

static void fill_region(const struct region *r, bool input, uint8_t *memory, int rank)
{
    int size = elem_size(r->elem);
    if (r->uninitialised)
        memset(memory + r->offset, UNINITIALISED_BYTE, r->size);
    for (uint64_t i = 0; input && i < r->size / (uint64_t)size; i++) {
        int64_t bits = gen_pattern(r->elem, i, rank);
        memcpy(memory + r->offset + i * (uint64_t)size, &bits, (size_t)size);
    }
}

void gen_fill_ctx(uint8_t *ctx, int rank, int nranks, const uint64_t *bases)
{
    uint64_t pair = (uint64_t)(uint32_t)rank | (uint64_t)nranks << 32;
    memcpy(ctx + CTX_RANK_SLOT, &pair, sizeof pair);
    memcpy(ctx + CTX_WINDOWS, bases, sizeof *bases * (size_t)nranks);
}

static void fill_ctx(const struct gen *g, const struct region *ctx, const struct region *window,
                     uint8_t *memory, int rank)
{
    uint64_t bases[MAX_RANKS];
    for (int r = 0; r < g->opt->nranks; r++)
        bases[r] = gm_addr(r, window->offset);
    gen_fill_ctx(memory + ctx->offset, rank, g->opt->nranks, bases);
}

static void fill_memory(const struct gen *g, struct program *p)
{
    p->gm_init = arena_array(g->arena, uint8_t *, (size_t)p->nranks);
    size_t windows = (size_t)gen_window_count(g);
    for (int rank = 0; rank < p->nranks; rank++) {
        p->gm_init[rank] = arena_alloc(g->arena, p->gm_bytes);
        for (size_t i = 0; i < g->regions.len; i++) {
            const struct region *r = &g->regions.items[i];
            if (r->kind == REGION_CTX && i < 2 * windows)
                fill_ctx(g, r, &g->regions.items[i - windows], p->gm_init[rank], rank);
            else
                fill_region(r, r->kind == REGION_LOCAL && !r->uninitialised, p->gm_init[rank],
                            rank);
        }
    }
}

/* ---- the program ---- */

static int grain_of(const struct gen *g)
{
    int grain = 4;
    vec_foreach (const struct region, r, &g->regions)
        if (elem_size(r->elem) < grain)
            grain = elem_size(r->elem);
    return grain;
}

static bool adds_floats(const struct gen *g)
{
    vec_foreach (const struct dma, d, &g->dmas)
        if (d->atomic_add && (d->elem == ELEM_F32 || d->elem == ELEM_F16 || d->elem == ELEM_BF16))
            return true;
    return false;
}

static struct code *code_of(struct gen *g)
{
    struct code *c = arena_new(g->arena, struct code);
    *c = (struct code){.insns = g->code.items,
                       .count = (int)g->code.len,
                       .nregs = (int)g->reg_names.len,
                       .dmas = g->dmas.items,
                       .ndmas = (int)g->dmas.len,
                       .tile_ops = g->tile_ops.items,
                       .ntile_ops = (int)g->tile_ops.len,
                       .tiles = g->tiles.items,
                       .ntiles = (int)g->tiles.len,
                       .tile_bytes = g->tile_bytes,
                       .reg_names = g->reg_names.items,
                       .loops = g->loops.items,
                       .nloops = (int)g->loops.len};
    return c;
}

struct program *gen_program(struct gen *g, const char *name, int nranks, int cores_per_rank)
{
    struct program *p = arena_new(g->arena, struct program);
    const struct code *c = code_of(g);
    *p = (struct program){.name = g->prog->name ? g->prog->name : name,
                          .source = g->prog->source,
                          .nranks = nranks,
                          .ncores = nranks * cores_per_rank,
                          .regions = g->regions.items,
                          .nregions = (int)g->regions.len,
                          .float_adds = adds_floats(g),
                          .sites = g->sites.items,
                          .nsites = (int)g->sites.len,
                          .tasks = g->tasks.items,
                          .ntasks = (int)g->tasks.len,
                          .arena = g->arena};
    p->cores = arena_array(g->arena, struct core_desc, (size_t)p->ncores);
    for (int i = 0; i < p->ncores; i++)
        p->cores[i] =
            (struct core_desc){.rank = i / cores_per_rank, .index = i % cores_per_rank, .code = c};
    return p;
}

static struct program *finish(struct gen *g, uint64_t gm_bytes, int64_t **values)
{
    struct program *p = gen_program(g, "kernel", g->opt->nranks, 1);
    p->gm_bytes = gm_bytes;
    p->grain = grain_of(g);
    for (int r = 0; r < p->ncores; r++) {
        p->cores[r].args = values[r];
        p->cores[r].nargs = g->nargs;
    }
    fill_memory(g, p);
    return p;
}

static struct program *kernel_codegen(struct arena *a, const struct ir_program *p,
                                      const struct directives *dir, const struct codegen_options *o,
                                      struct diag *d)
{
    struct gen g = {.arena = a,
                    .prog = p,
                    .opt = o,
                    .dir = dir,
                    .d = d,
                    .site = -1,
                    .origin = ORIGIN_USER,
                    .block_index = imm_operand(0),
                    .block_count = imm_operand(1)};
    task_list tasks = {0};
    param_list params = {0};
    uint64_t bytes;
    if (!gen_globals(&g) || !choose_tasks(&g, &tasks) || !gen_collect_params(&g, &tasks, &params) ||
        !gen_known_bindings(&g, &params) || !lay_out(&g, &bytes))
        return NULL;
    int64_t **values = arena_array(a, int64_t *, (size_t)o->nranks);
    for (int r = 0; r < o->nranks; r++)
        values[r] = arena_array(a, int64_t, g.regions.len + params.len + 1);
    if (!gen_bind_params(&g, &params, values))
        return NULL;
    vec_foreach (struct ir_func *, f, &p->funcs)
        if (ir_func_is_incore(*f))
            gen_count(&g, *f);
    for (size_t i = 0; i < tasks.len; i++)
        if (!gen_task(&g, tasks.items[i]))
            return NULL;
    gen_simple(&g, I_END);
    if (o->toolchain->auto_sync)
        auto_sync(&g);
    return finish(&g, bytes, values);
}

struct program *codegen(struct arena *a, const struct ir_program *p, const struct directives *dir,
                        const struct codegen_options *o, struct diag *d)
{
    /* Tasks that the file names run without its host. */
    const struct ir_func *entry = dir->tasks.len ? NULL : host_entry(p, d);
    if (d->failed)
        return NULL;
    if (!entry)
        return kernel_codegen(a, p, dir, o, d);
    const struct host_plan *plan = host_plan_make(a, p, entry, dir, o, d);
    return plan ? host_codegen(a, p, plan, dir, o, d) : NULL;
}
