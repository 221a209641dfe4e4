/* SPDX-License-Identifier: MIT */
/* From a file to a program: its tasks, memory and cores. */
#include "pto/compile.h"

#include <stdarg.h>
#include <string.h>

#include "pto/lower.h"
#include "pto/words.h"

bool lower_error(struct lower *l, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(l->d, l->file->source, at, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- memory ---- */

static bool counts(const struct lower *l, int region)
{
    vec_foreach (const struct pto_arg, a, &l->args)
        if (a->region == region && a->counts)
            return true;
    return false;
}

static bool fill_memory(struct lower *l, struct program *p)
{
    int windows = 0;
    vec_foreach (const struct region, r, &l->regions)
        windows += r->kind == REGION_WINDOW;
    p->gm_init = arena_array(l->arena, uint8_t *, (size_t)p->nranks);
    for (int rank = 0; rank < p->nranks; rank++) {
        uint8_t *memory = p->gm_init[rank] = arena_alloc(l->arena, p->gm_bytes);
        for (int i = 0; i < (int)l->regions.len; i++) {
            const struct region *r = &l->regions.items[i];
            uint64_t bases[MAX_RANKS];
            if (r->kind != REGION_CTX) {
                bool input = r->kind == REGION_LOCAL && !r->uninitialised && !counts(l, i);
                build_fill_region(r, input, memory, rank);
                continue;
            }
            for (int k = 0; k < p->nranks; k++)
                bases[k] = gm_addr(k, l->regions.items[i - windows].offset);
            build_fill_ctx(memory + r->offset, rank, p->nranks, bases);
        }
    }
    return bind_contents(l, p->gm_init);
}

static int grain_of(const struct lower *l)
{
    int grain = 4;
    vec_foreach (const struct region, r, &l->regions)
        if (elem_size(r->elem) < grain)
            grain = elem_size(r->elem);
    return grain;
}

/* ---- the program ---- */

static const char *file_stem(struct arena *a, const char *path)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    const char *suffix = strrchr(base, '.');
    return arena_strndup(a, base,
                         suffix && suffix != base ? (size_t)(suffix - base) : strlen(base));
}

static bool lower_tasks(struct lower *l)
{
    for (int i = 0; i < (int)l->lanes.len; i++) {
        if (!lower_lane(l, i))
            return false;
        if (l->together)
            build_simple(&l->build, I_END);
    }
    if (!l->together)
        build_simple(&l->build, I_END);
    if (l->toolchain->auto_sync)
        auto_sync(&l->build);
    return true;
}

static void add_single_cores(struct lower *l, struct program *p, int64_t **values, int nargs)
{
    place_list places = {0};
    launch_add_place(l->arena, &places, (struct core_place){0, LANE_NONE});
    launch_add_cores(l->arena, p, build_code(&l->build), &places);
    for (int r = 0; r < p->ncores; r++) {
        p->cores[r].args = values[r];
        p->cores[r].nargs = nargs;
    }
}

static void add_launches(struct lower *l, struct program *p, int64_t **values, int nargs)
{
    struct core_launch *items = arena_array(l->arena, struct core_launch, l->launches.len);
    struct launch_lane *lanes = arena_array(l->arena, struct launch_lane, l->lanes.len);
    for (size_t i = 0; i < l->lanes.len; i++)
        lanes[i] = (struct launch_lane){l->lanes.items[i].cube, l->lanes.items[i].dual};
    for (size_t i = 0; i < l->launches.len; i++) {
        const struct task *t = &l->launches.items[i];
        bool single = t->blocks == 1 && t->nlanes == 1 && !lanes[t->first_lane].dual;
        int cores = single && l->o->cores_per_rank ? l->o->cores_per_rank : 1;
        items[i] = (struct core_launch){.task = t->first_lane,
                                        .lanes = &lanes[t->first_lane],
                                        .nlanes = t->nlanes,
                                        .blocks = t->blocks,
                                        .first_core = (int)i % cores,
                                        .after = t->after,
                                        .nafter = t->nafter};
    }
    struct launch_set set = {l->arena, items, (int)l->launches.len, values, nargs};
    place_list places = {0};
    launch_find_places(&set, &places);
    launch_add_cores(l->arena, p, build_code(&l->build), &places);
    launch_dispatch(&set, p, build_task_entries(&l->build), &places);
}

static struct program *program_of(struct lower *l, uint64_t bytes, int64_t **values, int nargs)
{
    struct program *p =
        build_program(&l->build, file_stem(l->arena, l->file->path), l->file->source, l->o->nranks);
    (l->together ? add_launches : add_single_cores)(l, p, values, nargs);
    p->written = l->written.items;
    p->nwritten = (int)l->written.len;
    p->gm_bytes = bytes;
    p->grain = grain_of(l);
    return fill_memory(l, p) ? p : NULL;
}

struct program *pto_compile(struct arena *a, const struct pto_file *f, const struct pto_options *o,
                            struct diag *d)
{
    struct lower l = {.arena = a,
                      .toolchain = o->toolchain,
                      .site = -1,
                      .origin = ORIGIN_USER,
                      .file = f,
                      .o = o,
                      .d = d,
                      .slots = {.arena = a},
                      .handed = {.arena = a},
                      .homes = {.arena = a}};
    uint64_t bytes;
    int64_t **values = arena_array(a, int64_t *, (size_t)o->nranks);
    if (!tasks_choose(&l))
        return NULL;
    for (int t = 0; t < (int)l.launches.len; t++)
        if (!bind_recognise(&l, t))
            return NULL;
    if (!bind_contexts(&l))
        return NULL;
    for (int r = 0; r < o->nranks; r++)
        values[r] = arena_array(a, int64_t, 3 * l.args.len + LAUNCH_REGISTERS + 1);
    if (!bind_arguments(&l, &bytes, values))
        return NULL;
    int nargs = (int)l.reg_names.len;
    if (l.together) {
        l.block_reg = build_reg(&l.build, "block_idx");
        build_reg(&l.build, "block_num");
        build_reg(&l.build, "lane");
    }
    /* Words last: of what is not run anyway the reason says more. */
    bool ok = lower_tasks(&l) && pto_words_known(f, d);
    return ok ? program_of(&l, bytes, values, nargs) : NULL;
}
