/* SPDX-License-Identifier: MIT */
/* What a compiled program holds beside its instructions, which tests/cases/codegen shows: the sites of
 * a sweep, initial memory, and the limits of memory. */
#include "tests/codegen/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the sites of a sweep ---- */

/* "W1 region cacheinvalid, line 9, after tensor.write, marker 0". */
static const char *site_text(struct arena *a, const struct program *p, int i)
{
    const struct site *s = &p->sites[i];
    return arena_printf(a, "%s %s, line %d, after %s, marker %d", origin_name(s->origin), s->what,
                        s->span.line, s->anchor ? s->anchor : "-", s->marker);
}

Test(codegen, sites)
{
    static const char *const expected[] = {
        "W1 region cacheinvalid, line 9, after tensor.write, marker 0",
        "W1 fence: barrier all, line 9, after tensor.write, marker 1",
        "W1 fence: dsb, line 9, after tensor.write, marker 1",
        "macro TNOTIFY dcci before the store, line 10, after tensor.write, marker 3",
        "macro TNOTIFY dcci after the store, line 10, after tensor.write, marker 4",
        "macro TNOTIFY dsb, line 10, after tensor.write, marker 5",
        "macro TNOTIFY barrier all, line 10, after tensor.write, marker 6",
        "R1 cacheinvalid all, line 11, after pld.system.wait, marker 7",
        "tail kernel tail: barrier all, line 8, after end of kernel, marker 8",
        "tail kernel tail: cacheinvalid all, line 8, after end of kernel, marker 8",
        "tail kernel tail: dsb, line 8, after end of kernel, marker 8",
    };
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    t.kernel_tail = TAIL_BARRIER_DCCI_DSB;
    const struct program *p = rig_marked_body(&a, "sites",
                                              "pl.write(win, [0, 0], 1)\n"
                                              "pld.system.notify(sig, 4 - n, [0, 0], 1, op=0)\n"
                                              "pld.system.wait(sig, [0, 0], 1, cmp=1)\n",
                                              &t);
    cr_assert((size_t)p->nsites == COUNT(expected), "%d sites", p->nsites);
    for (int i = 0; i < p->nsites; i++)
        expect_text(expected[i], site_text(&a, p, i), expected[i]);
    arena_free(&a);
}

/* Without a site no instruction of that site acts, and nothing else changes. */
Test(codegen, a_removed_site_is_a_nop)
{
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    const struct program *p = rig_marked_body(&a, "removed", "pl.write(win, [0, 0], 1)\n", &t);
    bool removed[] = {false, true, false};
    cr_assert(p->nsites == 3);
    const struct program *without = program_without(p, removed, &a);
    int gone = 0;
    for (int i = 0; i < p->cores[0].code->count; i++) {
        const struct insn *x = &p->cores[0].code->insns[i], *y = &without->cores[0].code->insns[i];
        bool marked = y->flags & INSN_REMOVED;
        cr_expect(marked == (x->op == I_BARRIER) && !(x->flags & INSN_REMOVED), "instruction %d",
                  i);
        gone += marked;
    }
    cr_expect(gone == 1);
    arena_free(&a);
}

/* ---- parameters and initial memory (docs/kernels.md) ---- */

Test(codegen, initial_memory)
{
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    const struct program *p = rig_body(&a, "memory", "pl.write(out, [0, 0], 1)\n", &t);
    for (int r = 0; r < RIG_RANKS; r++)
        for (int i = 0; i < p->nregions; i++) {
            const struct region *g = &p->regions[i];
            const uint8_t *at = p->gm_init[r] + g->offset;
            if (g->kind == REGION_CTX)
                continue;
            cr_expect(g->offset % 64 == 0, "%s does not begin a line", g->name);
            for (int e = 0; e < (int)(g->size / 4); e++) {
                int32_t word;
                float real;
                memcpy(&word, at + 4 * e, sizeof word);
                memcpy(&real, at + 4 * e, sizeof real);
                int got = g->elem == ELEM_F32 ? (int)real : word;
                int want = g->kind == REGION_WINDOW ? 0 : rig_input(e, r);
                cr_expect(got == want, "%s[%d]@%d is %d, expected %d", g->name, e, r, got, want);
            }
        }
    arena_free(&a);
}

static const struct region *region_named(const struct program *p, const char *name)
{
    for (int i = 0; i < p->nregions; i++)
        if (!strcmp(p->regions[i].name, name))
            return &p->regions[i];
    return NULL;
}

/* rankId at 16, rankNum at 20, bases of the windows from 32 on (pypto-facts 6). */
Test(codegen, contexts)
{
    static const char *const windows[] = {"win", "half", "fwin", "sig"};
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    const struct program *p = rig_body(&a, "contexts", "pl.write(out, [0, 0], 1)\n", &t);
    for (size_t w = 0; w < COUNT(windows); w++) {
        const struct region *window = region_named(p, windows[w]),
                            *g = region_named(p, arena_printf(&a, "%s_ctx", windows[w]));
        cr_assert(window && g, "%s has no context", windows[w]);
        cr_expect(window->kind == REGION_WINDOW && g->kind == REGION_CTX && g->offset % 64 == 0);
        for (int r = 0; r < RIG_RANKS; r++) {
            uint32_t id, count;
            uint64_t base[RIG_RANKS];
            memcpy(&id, p->gm_init[r] + g->offset + 16, sizeof id);
            memcpy(&count, p->gm_init[r] + g->offset + 20, sizeof count);
            memcpy(base, p->gm_init[r] + g->offset + 32, sizeof base);
            cr_expect(id == (uint32_t)r && count == RIG_RANKS, "%s on rank %d", g->name, r);
            for (int peer = 0; peer < RIG_RANKS; peer++)
                cr_expect(base[peer] == gm_addr(peer, window->offset), "%s[%d]@%d", g->name, peer,
                          r);
        }
    }
    arena_free(&a);
}

static const char one_function[] = "%s"
                                   "import pypto.language as pl\n"
                                   "import pypto.language.distributed as pld\n"
                                   "ROWS = 2\n"
                                   "@pl.program\n"
                                   "class T:\n"
                                   "    @pl.function(type=pl.FunctionType.%s)\n"
                                   "    def k(self, x: pl.InOut[pl.Tensor[%s, pl.INT32]]%s):\n"
                                   "        pl.write(x, [0, 0], 1)\n";

/* The machine's memory is limited for all ranks together. */
Test(codegen, memory_of_all_ranks)
{
    static const struct {
        int nranks;
        bool fits;
    } rows[] = {{1, true}, {2, true}, {16, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        const char *text = arena_printf(&a, one_function, "", "InCore", "[4096, 4096]", "");
        const struct program *p = rig_compile(&a, text, &t, rows[i].nranks, &d);
        cr_expect((p != NULL) == rows[i].fits, "P=%d: %s", rows[i].nranks, diag_text(&d, &a));
        if (!rows[i].fits)
            cr_expect(d.failed &&
                          strstr(d.message, "bytes of memory on each of 16 ranks; the machine "
                                            "holds 1073741824 in all"),
                      "P=%d: %s", rows[i].nranks, d.message);
        arena_free(&a);
    }
}

/* After binding, every dimension is a positive integer (docs/kernels.md). */
Test(codegen, dimensions_are_positive)
{
    static const struct {
        const char *rows;
        bool good;
    } rows[] = {{"1", true}, {"0", false}, {"-1", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        const char *directive = arena_printf(&a, "# fencebench: arg ROWS=%s\n", rows[i].rows);
        const char *text = arena_printf(&a, one_function, directive, "InCore", "[ROWS, 16]", "");
        const struct program *p = rig_compile(&a, text, &t, RIG_RANKS, &d);
        cr_expect((p != NULL) == rows[i].good, "ROWS=%s: %s", rows[i].rows, diag_text(&d, &a));
        arena_free(&a);
    }
}
