/* SPDX-License-Identifier: MIT */
#include "sim/patch.h"

#include <string.h>

struct rewriting {
    const struct code *old;
    const struct insertion *list;
    size_t n;
    struct code *code;
    int *first; /* new index of what stands in front of each old instruction, or of itself */
    int *self;  /* new index of each old instruction */
};

static void add(struct rewriting *w, int at, bool behind)
{
    for (size_t k = 0; k < w->n; k++) {
        const struct insertion *i = &w->list[k];
        if (i->code != w->old || i->at != at || i->behind != behind)
            continue;
        struct insn *to = &w->code->insns[w->code->count++];
        *to = i->insn;
        to->flags |= INSN_ADDED;
        to->site = -1;
    }
}

static struct rewriting rewrite(const struct code *old, const struct insertion *list, size_t n,
                                struct arena *a)
{
    size_t count = (size_t)old->count;
    struct rewriting w = {.old = old,
                          .list = list,
                          .n = n,
                          .code = arena_dup(a, old, sizeof *old),
                          .first = arena_array(a, int, count + 1),
                          .self = arena_array(a, int, count + 1)};
    w.code->insns = arena_array(a, struct insn, count + n);
    w.code->count = 0;
    for (int i = 0; i < old->count; i++) {
        w.first[i] = w.code->count;
        add(&w, i, false);
        w.self[i] = w.code->count;
        w.code->insns[w.code->count++] = old->insns[i];
        add(&w, i, true);
    }
    for (int i = 0; i < old->count; i++)
        if (insn_kinds[old->insns[i].op].classes & CLASS_BRANCH)
            w.code->insns[w.self[i]].imm = w.first[old->insns[i].imm];
    return w;
}

static const struct dispatch *moved_dispatches(const struct core_desc *c, const int *self,
                                               struct arena *a)
{
    if (!c->dispatches)
        return NULL;
    struct dispatch *d = arena_dup(a, c->dispatches, sizeof *d * (size_t)c->ndispatches);
    for (int i = 0; i < c->ndispatches; i++)
        d[i].entry = self[d[i].entry];
    return d;
}

/* The first core with the same code. */
static int first_with_code(const struct program *p, int core)
{
    int c = 0;
    while (p->cores[c].code != p->cores[core].code)
        c++;
    return c;
}

struct program *program_insert(const struct program *p, const struct insertion *list, size_t n,
                               struct arena *a)
{
    struct program *copy = arena_dup(a, p, sizeof *p);
    copy->cores = arena_dup(a, p->cores, sizeof *p->cores * (size_t)p->ncores);
    struct rewriting *w = arena_array(a, struct rewriting, (size_t)p->ncores);
    for (int c = 0; c < p->ncores; c++) {
        int first = first_with_code(p, c);
        w[c] = first < c ? w[first] : rewrite(p->cores[c].code, list, n, a);
        copy->cores[c].code = w[c].code;
        copy->cores[c].dispatches = moved_dispatches(&p->cores[c], w[c].self, a);
    }
    return copy;
}

int program_original(const struct program *patched, int core, int insn)
{
    if (core < 0 || insn < 0)
        return -1;
    const struct insn *insns = patched->cores[core].code->insns;
    int added = 0;
    for (int i = 0; i < insn; i++)
        added += (insns[i].flags & INSN_ADDED) != 0;
    return insns[insn].flags & INSN_ADDED ? -1 : insn - added;
}
