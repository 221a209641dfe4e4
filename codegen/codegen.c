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

static bool is_group(const struct ir_func *f)
{
    return f->type == IR_FUNC_GROUP;
}

/* A kernel that no other calls is launched by itself, or as a lane of the Group that calls it. */
static bool is_launched(const struct gen *g, const struct ir_func *f)
{
    if (is_group(f))
        return true;
    return ir_func_is_incore(f) && !pass_is_called(g->prog, f, ir_func_is_incore) &&
           !pass_is_called(g->prog, f, is_group);
}

static bool choose_launches(struct gen *g, launch_list *out)
{
    vec_foreach (const struct directive_task, task, &g->dir->tasks) {
        const struct ir_func *f = ir_find_func(g->prog, task->name);
        if (!f || (!ir_func_is_incore(f) && !is_group(f)))
            return diag_error(
                g->d, g->prog->source, task->span,
                "the directive 'tasks' names '%s', which is no InCore function of this file",
                task->name);
        if (!lanes_add_launch(g, f, out))
            return false;
    }
    vec_foreach (struct ir_func *, f, &g->prog->funcs)
        if (!g->dir->tasks.len && is_launched(g, *f) && !lanes_add_launch(g, *f, out))
            return false;
    return out->len ||
           diag_error(g->d, g->prog->source, (struct span){0},
                      "holds no InCore function (type=pl.FunctionType.InCore, AIC or AIV) to run");
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

static bool lay_out(struct gen *g, uint64_t *bytes)
{
    uint64_t used = build_lay_out(g->regions.items, g->regions.len, g->opt->window_align);
    add_peer_arrays(g);
    return build_memory_bytes(used, g->opt->nranks, g->prog->source, bytes, g->d);
}

/* ---- initial memory ---- */

static void fill_ctx(const struct gen *g, const struct region *ctx, const struct region *window,
                     uint8_t *memory, int rank)
{
    uint64_t bases[MAX_RANKS];
    for (int r = 0; r < g->opt->nranks; r++)
        bases[r] = gm_addr(r, window->offset);
    build_fill_ctx(memory + ctx->offset, rank, g->opt->nranks, bases);
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
                build_fill_region(r, r->kind == REGION_LOCAL && !r->uninitialised, p->gm_init[rank],
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

struct program *gen_program(struct gen *g, const char *name, int nranks, const place_list *places)
{
    const struct code *c = build_code(&g->build);
    struct program *p =
        build_program(&g->build, g->prog->name ? g->prog->name : name, g->prog->source, nranks);
    launch_add_cores(g->arena, p, c, places);
    return p;
}

/* ---- a file without a host ---- */

struct kernel_gen {
    struct gen g;
    launch_list launches;
    param_list params;
    uint64_t bytes;   /* of memory on each rank */
    int64_t **values; /* what the argument registers of a rank's cores hold at first */
    bool together;    /* some launch is on several cores at once */
    int block_reg;    /* then: the first of the registers with a block's index, their number, and
                       * the lane */
    place_list places;
};

static bool find_pipes(struct kernel_gen *k)
{
    vec_foreach (struct launch, l, &k->launches)
        vec_foreach (const struct launch_member, m, &l->members)
            if (!cross_find_pipes(&k->g, m->func, l->func->name, l->blocks, &l->pipes))
                return false;
    return true;
}

static bool prepare(struct kernel_gen *k)
{
    struct gen *g = &k->g;
    if (!gen_globals(g) || !choose_launches(g, &k->launches) ||
        !gen_collect_params(g, &k->launches, &k->params) || !gen_known_bindings(g, &k->params) ||
        !find_pipes(k) || !lay_out(g, &k->bytes))
        return false;
    k->values = arena_array(g->arena, int64_t *, (size_t)g->opt->nranks);
    for (int r = 0; r < g->opt->nranks; r++)
        k->values[r] =
            arena_array(g->arena, int64_t, g->regions.len + k->params.len + LAUNCH_REGISTERS + 1);
    if (!gen_bind_params(g, &k->params, k->values))
        return false;
    vec_foreach (const struct launch, l, &k->launches)
        k->together |= l->together;
    if (k->together) {
        k->block_reg = gen_reg(g, "block_idx");
        gen_reg(g, "block_num");
        gen_reg(g, "lane");
    }
    return true;
}

static void set_indices(struct kernel_gen *k, const struct launch *l, const struct launch_member *m)
{
    struct gen *g = &k->g;
    g->block_index = l->blocks > 1 ? reg_operand(k->block_reg) : imm_operand(0);
    g->block_count = imm_operand(l->blocks);
    g->pipes = l->pipes;
    g->lane_index = m->dual ? reg_operand(k->block_reg + 2) : imm_operand(0);
}

static bool gen_code(struct kernel_gen *k)
{
    struct gen *g = &k->g;
    vec_foreach (struct ir_func *, f, &g->prog->funcs)
        if (ir_func_is_incore(*f))
            gen_count(g, *f);
    vec_foreach (const struct launch, l, &k->launches)
        vec_foreach (const struct launch_member, m, &l->members) {
            set_indices(k, l, m);
            if (!gen_task(g, m->func))
                return false;
            if (k->together)
                gen_simple(g, I_END);
        }
    if (!k->together)
        gen_simple(g, I_END);
    if (g->opt->toolchain->auto_sync)
        auto_sync(&g->build);
    return true;
}

/* ---- what runs, for who prints it ---- */

static void add_start(struct kernel_gen *k, struct run_lane *lane, struct start s)
{
    vec_push(k->g.arena, &lane->starts, s);
}

static const int64_t *values_of(const struct kernel_gen *k, int reg)
{
    int n = k->g.opt->nranks;
    int64_t *values = arena_array(k->g.arena, int64_t, (size_t)n);
    for (int r = 0; r < n; r++)
        values[r] = k->values[r][reg];
    return values;
}

/* Pointers to the regions, then scalars, then the block's numbers. */
static void note_starts(struct kernel_gen *k, const struct launch *l, const struct launch_member *m,
                        struct run_lane *lane)
{
    const int64_t *zeros = arena_array(k->g.arena, int64_t, (size_t)k->g.opt->nranks);
    int reg = 0, pointers = (int)k->g.regions.len - gen_window_count(&k->g);
    for (; reg < pointers; reg++)
        add_start(k, lane, (struct start){START_POINTER, reg, reg, ELEM_I64, zeros});
    vec_foreach (const struct param, p, &k->params) {
        const struct ir_type *t = p->p->var->type;
        if (p->region >= 0 || !t || t->kind != IR_TYPE_SCALAR)
            continue;
        enum elem e = ir_dtype_is_float(t->dtype) ? ELEM_F32 : ELEM_I64;
        add_start(k, lane, (struct start){START_NUMBER, reg, -1, e, values_of(k, reg)});
        reg++;
    }
    if (l->blocks > 1)
        add_start(k, lane, (struct start){START_BLOCK, k->block_reg, -1, ELEM_I64, NULL});
    if (m->dual)
        add_start(k, lane, (struct start){START_VECTOR, k->block_reg + 2, -1, ELEM_I64, NULL});
}

static void note_runs(struct kernel_gen *k)
{
    struct builder *b = &k->g.build;
    int task = 0;
    vec_foreach (const struct launch, l, &k->launches) {
        struct task_run run = {.name = l->func->name,
                               .blocks = l->blocks,
                               .at = l->func->span,
                               .nafter = b->runs.len > 0};
        run.after = arena_new(k->g.arena, int);
        *run.after = (int)b->runs.len - 1;
        vec_foreach (const struct launch_member, m, &l->members) {
            struct run_lane lane = {.task = task++, .cube = m->kind == LANE_AIC, .dual = m->dual};
            note_starts(k, l, m, &lane);
            vec_push(k->g.arena, &run.lanes, lane);
        }
        vec_push(k->g.arena, &b->runs, run);
    }
}

/* ---- its cores ---- */

/* A launch begins when the one before has ended. */
static struct program *program_of_launches(struct kernel_gen *k)
{
    struct gen *g = &k->g;
    struct core_launch *items = arena_array(g->arena, struct core_launch, k->launches.len);
    int task = 0;
    for (size_t i = 0; i < k->launches.len; i++) {
        const struct launch *l = &k->launches.items[i];
        struct launch_lane *lanes = arena_array(g->arena, struct launch_lane, l->members.len);
        for (size_t m = 0; m < l->members.len; m++)
            lanes[m] = (struct launch_lane){l->members.items[m].kind == LANE_AIC,
                                            l->members.items[m].dual};
        int *before = arena_new(g->arena, int);
        *before = (int)i - 1;
        items[i] = (struct core_launch){.task = task,
                                        .lanes = lanes,
                                        .nlanes = (int)l->members.len,
                                        .blocks = l->blocks,
                                        .after = before,
                                        .nafter = i > 0};
        task += (int)l->members.len;
    }
    struct launch_set set = {g->arena, items, (int)k->launches.len, k->values, g->nargs};
    launch_find_places(&set, &k->places);
    struct program *p = gen_program(g, "kernel", g->opt->nranks, &k->places);
    launch_dispatch(&set, p, build_task_entries(&g->build), &k->places);
    return p;
}

static struct program *program_of_one_core(struct kernel_gen *k)
{
    struct gen *g = &k->g;
    launch_add_place(g->arena, &k->places, (struct core_place){0, LANE_NONE});
    struct program *p = gen_program(g, "kernel", g->opt->nranks, &k->places);
    for (int r = 0; r < p->ncores; r++) {
        p->cores[r].args = k->values[r];
        p->cores[r].nargs = g->nargs;
    }
    return p;
}

static struct program *kernel_codegen(struct arena *a, const struct ir_program *p,
                                      const struct directives *dir, const struct codegen_options *o,
                                      struct diag *d)
{
    struct kernel_gen k = {.g = {.arena = a,
                                 .toolchain = o->toolchain,
                                 .prog = p,
                                 .opt = o,
                                 .dir = dir,
                                 .d = d,
                                 .site = -1,
                                 .origin = ORIGIN_USER}};
    if (!prepare(&k) || !gen_code(&k))
        return NULL;
    struct program *out = k.together ? program_of_launches(&k) : program_of_one_core(&k);
    out->gm_bytes = k.bytes;
    out->grain = grain_of(&k.g);
    fill_memory(&k.g, out);
    note_runs(&k);
    if (o->built)
        o->built(o->built_ctx, &k.g.build, out);
    return out;
}

struct program *codegen(struct arena *a, const struct ir_program *p, const struct directives *dir,
                        const struct codegen_options *o, struct diag *d)
{
    /* Tasks that the file names run without its host. */
    const struct ir_func *entry = dir->tasks.len ? NULL : host_entry(p, d);
    if (d->failed)
        return NULL;
    if (!entry && !dir->tasks.len)
        entry = host_chip_entry(p);
    if (!entry)
        return kernel_codegen(a, p, dir, o, d);
    const struct host_plan *plan = host_plan_make(a, p, entry, dir, o, d);
    return plan ? host_codegen(a, p, plan, dir, o, d) : NULL;
}
