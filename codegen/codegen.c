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
    vec_foreach (const struct directive_name, task, &g->dir->tasks) {
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
    int per_rank = (int)places->len;
    p->ncores = nranks * per_rank;
    p->cores = arena_array(g->arena, struct core_desc, (size_t)p->ncores);
    for (int i = 0; i < p->ncores; i++) {
        const struct core_place *at = &places->items[i % per_rank];
        p->cores[i] = (struct core_desc){.rank = i / per_rank,
                                         .index = i % per_rank,
                                         .cluster = at->cluster,
                                         .lane = at->lane,
                                         .code = c};
    }
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

enum { LAUNCH_REGISTERS = 3 };

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

/* ---- its cores ---- */

/* A core's part of a launch. */
struct part {
    int task; /* index of its name */
    struct core_place at;
    int block, lane;
    int core; /* of its rank */
};
typedef VEC(struct part) part_list;

static void parts_of(struct kernel_gen *k, const struct launch *l, int task, part_list *out)
{
    for (size_t i = 0; i < l->members.len; i++) {
        const struct launch_member *m = &l->members.items[i];
        bool cluster = m->dual || l->members.len > 1;
        for (int block = 0; block < l->blocks; block++)
            for (int lane = 0; lane <= (m->dual ? 1 : 0); lane++) {
                struct part p = {task + (int)i,
                                 lanes_place(m->kind == LANE_AIC, cluster, block, lane), block,
                                 lane, 0};
                p.core = lanes_add_place(k->g.arena, &k->places, p.at);
                vec_push(k->g.arena, out, p);
            }
    }
}

static const int64_t *part_args(const struct kernel_gen *k, int rank, const struct launch *l,
                                const struct part *p)
{
    int64_t *args = arena_dup(k->g.arena, k->values[rank],
                              sizeof *args * (size_t)(k->g.nargs + LAUNCH_REGISTERS));
    args[k->block_reg] = p->block;
    args[k->block_reg + 1] = l->blocks;
    args[k->block_reg + 2] = p->lane;
    return args;
}

struct schedule {
    struct program *p;
    struct dispatch **lists; /* of each core */
    const int *entries;
};

/* The launch begins when all parts of the one before have ended. */
static void add_parts(struct kernel_gen *k, struct schedule *s, int rank, const struct launch *l,
                      const part_list *now, const struct task_ref *before, int nbefore)
{
    int first = rank * (int)k->places.len;
    vec_foreach (const struct part, at, now) {
        struct core_desc *core = &s->p->cores[first + at->core];
        struct dispatch *d = &s->lists[first + at->core][core->ndispatches++];
        struct task_ref *after = arena_array(k->g.arena, struct task_ref, (size_t)nbefore + 1);
        *d = (struct dispatch){.entry = s->entries[at->task],
                               .nargs = k->g.nargs + LAUNCH_REGISTERS,
                               .args = part_args(k, rank, l, at),
                               .after = after};
        for (int i = 0; i < nbefore; i++)
            if (before[i].core != first + at->core) {
                after[d->nafter++] = before[i];
                s->lists[before[i].core][before[i].index].awaited = true;
            }
    }
}

static void add_rank(struct kernel_gen *k, struct schedule *s, int rank, const part_list *parts)
{
    struct task_ref *before = NULL;
    int nbefore = 0, first = rank * (int)k->places.len;
    for (size_t i = 0; i < k->launches.len; i++) {
        add_parts(k, s, rank, &k->launches.items[i], &parts[i], before, nbefore);
        before = arena_array(k->g.arena, struct task_ref, parts[i].len);
        nbefore = 0;
        vec_foreach (const struct part, at, &parts[i]) {
            int core = first + at->core;
            before[nbefore++] = (struct task_ref){core, s->p->cores[core].ndispatches - 1};
        }
    }
}

static struct program *program_of_launches(struct kernel_gen *k)
{
    struct gen *g = &k->g;
    part_list *parts = arena_array(g->arena, part_list, k->launches.len);
    int task = 0;
    for (size_t i = 0; i < k->launches.len; i++) {
        parts_of(k, &k->launches.items[i], task, &parts[i]);
        task += (int)k->launches.items[i].members.len;
    }
    struct schedule s = {.p = gen_program(g, "kernel", g->opt->nranks, &k->places),
                         .entries = build_task_entries(&g->build)};
    s.lists = arena_array(g->arena, struct dispatch *, (size_t)s.p->ncores);
    for (int c = 0; c < s.p->ncores; c++) {
        s.lists[c] = arena_array(g->arena, struct dispatch, k->launches.len + 1);
        s.p->cores[c].dispatches = s.lists[c];
    }
    for (int r = 0; r < g->opt->nranks; r++)
        add_rank(k, &s, r, parts);
    return s.p;
}

static struct program *program_of_one_core(struct kernel_gen *k)
{
    struct gen *g = &k->g;
    lanes_add_place(g->arena, &k->places, (struct core_place){0, LANE_NONE});
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
