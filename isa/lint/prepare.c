/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "isa/lint/internal.h"

static int by_offset(const void *x, const void *y)
{
    const struct span_of_memory *a = x, *b = y;
    return (a->lo > b->lo) - (a->lo < b->lo);
}

/* Those that share a line become one; the number that is left. */
static int merge(struct span_of_memory *s, int n)
{
    int kept = 0;
    qsort(s, (size_t)n, sizeof *s, by_offset);
    for (int i = 0; i < n; i++) {
        if (kept && s[i].lo < s[kept - 1].hi)
            s[kept - 1].hi = s[i].hi > s[kept - 1].hi ? s[i].hi : s[kept - 1].hi;
        else
            s[kept++] = s[i];
    }
    return kept;
}

/* The lines that accesses reach together are one piece; where that would be many, regions. */
static void find_pieces(struct lint *l)
{
    int n = l->p->nregions, naccesses = 0;
    for (int g = 0; g < l->ngroups; g++)
        naccesses += l->groups[g].code->count;
    struct span_of_memory *s =
        arena_array(&l->scratch, struct span_of_memory, (size_t)(naccesses + n) + 1);
    int at = 0;
    for (int g = 0; g < l->ngroups; g++)
        for (int pc = 0; pc < l->groups[g].code->count; pc++) {
            struct reach r = l->reaches[g][pc];
            if (r.nowhere || !insn_any(&l->groups[g].code->insns[pc], CLASS_LOAD | CLASS_STORE))
                continue;
            r = lines_of(l, r);
            s[at++] = (struct span_of_memory){r.lo, r.hi};
        }
    l->size.npieces = merge(s, at);
    if (l->size.npieces > MAX_PIECES) {
        for (int i = 0; i < n; i++) {
            const struct region *g = &l->p->regions[i];
            struct reach r = {.lo = (int64_t)g->offset, .hi = (int64_t)(g->offset + g->size)};
            r = lines_of(l, r);
            s[l->size.npieces + i] = (struct span_of_memory){r.lo, r.hi};
        }
        l->size.npieces = merge(s, l->size.npieces + n);
    }
    l->spans = s;
    l->size.nwords = (l->size.npieces * PIECE_BITS + 63) / 64;
}

static bool same_group(const struct core_desc *x, const struct core_desc *y)
{
    return x->code == y->code && x->index == y->index && x->lane == y->lane &&
           !x->dispatches == !y->dispatches;
}

static void find_groups(struct lint *l)
{
    const struct program *p = l->p;
    l->groups = arena_array(&l->scratch, struct core_group, (size_t)p->ncores + 1);
    l->ranks = arena_array(&l->scratch, uint64_t, (size_t)p->ncores + 1);
    for (int c = 0; c < p->ncores; c++) {
        int g = 0;
        while (g < l->ngroups && !same_group(&p->cores[l->groups[g].cores[0]], &p->cores[c]))
            g++;
        struct core_group *to = &l->groups[g];
        if (g == l->ngroups) {
            int *cores = arena_array(&l->scratch, int, (size_t)(p->ncores - c));
            *to = (struct core_group){.code = p->cores[c].code, .cores = cores};
            l->ngroups++;
        }
        ((int *)(uintptr_t)to->cores)[to->ncores++] = c;
        l->ranks[g] |= (uint64_t)1 << p->cores[c].rank;
    }
}

/* More groups than there are bits are one. */
static uint64_t bit_of_group(int g)
{
    return (uint64_t)1 << (g < 63 ? g : 63);
}

static bool releases(const struct insn *i)
{
    return i->flags & INSN_NOTIFY || insn_acts(i) == I_SET_CROSS;
}

/* An instruction that may come behind a wait on some way. */
static bool *find_later(struct lint *l, const struct code *c)
{
    bool *later = arena_array(&l->scratch, bool, (size_t)c->count + 1);
    for (bool more = true; more;) {
        more = false;
        for (int pc = 0; pc < c->count; pc++) {
            const struct insn *i = &c->insns[pc];
            if (!later[pc] && !insn_acquires(i))
                continue;
            if (insn_any(i, CLASS_BRANCH)) {
                more |= !later[i->imm] && i->imm <= pc;
                later[i->imm] = true;
            }
            if (insn_acts(i) != I_JMP && insn_acts(i) != I_END)
                later[pc + 1] = true;
        }
    }
    return later;
}

/* One behind which a notify may come. */
static bool *find_told(struct lint *l, const struct code *c)
{
    bool *told = arena_array(&l->scratch, bool, (size_t)c->count + 1);
    for (bool more = true; more;) {
        more = false;
        for (int pc = c->count - 1; pc >= 0; pc--) {
            const struct insn *i = &c->insns[pc];
            bool on = insn_acts(i) != I_JMP && insn_acts(i) != I_END && pc + 1 < c->count;
            bool now = on && (told[pc + 1] || releases(&c->insns[pc + 1]));
            if (insn_any(i, CLASS_BRANCH))
                now |= told[i->imm] || releases(&c->insns[i->imm]);
            more |= now && !told[pc];
            told[pc] |= now;
        }
    }
    return told;
}

static void find_uses(struct lint *l, int g)
{
    const struct code *c = l->groups[g].code;
    bool tasks = l->p->cores[l->groups[g].cores[0]].dispatches;
    const bool *later = find_later(l, c), *told = find_told(l, c);
    for (int pc = 0; pc < c->count; pc++) {
        const struct insn *i = &c->insns[pc];
        const struct reach *r = &l->reaches[g][pc];
        uint64_t bit = bit_of_group(g);
        l->polls_peers |= insn_all(i, CLASS_LOAD | CLASS_ORDER) && r->rank != RANK_OWN;
        if (r->nowhere || !insn_any(i, CLASS_LOAD | CLASS_STORE))
            continue;
        uint64_t late = later[pc] || tasks ? bit : 0, early = told[pc] || tasks ? bit : 0;
        for (int p = 0; p < l->size.npieces; p++) {
            struct use *u = &l->uses[p];
            int side = side_of(r);
            if (!in_piece(l, p, r))
                continue;
            u->touches_later[side] |= late;
            u->writes_later[side] |= insn_any(i, CLASS_STORE) ? late : 0;
            u->writes_told[side] |= insn_any(i, CLASS_STORE) ? early : 0;
        }
    }
}

/* Groups of which a core, another than that which runs the group's code, uses a piece on that
 * side. */
static bool by_others(const struct lint *l, const uint64_t use[SIDES], int side)
{
    const struct core_group *mine = &l->groups[l->group];
    for (int h = 0; h < l->ngroups; h++) {
        bool own = use[SIDE_OWN] & bit_of_group(h), other = use[SIDE_OTHER] & bit_of_group(h);
        bool alone = h == l->group && mine->ncores == 1;
        if (other && !alone)
            return true;
        bool elsewhere =
            side == SIDE_OTHER ? !alone : h != l->group && l->ranks[h] & l->ranks[l->group];
        if (own && elsewhere)
            return true;
    }
    return false;
}

static void find_flags(struct lint *l)
{
    int numbers[PIPE_COUNT + 1][PIPE_COUNT + 1][MAX_FLAG_IDS] = {0};
    l->flags = arena_array(&l->scratch, int, (size_t)l->code->count + 1);
    l->size.nflags = 0;
    for (int pc = 0; pc < l->code->count; pc++) {
        const struct insn *i = &l->code->insns[pc];
        if (!insn_any(i, CLASS_FLAG))
            continue;
        int *number = &numbers[i->pa][i->pb][i->imm];
        *number = *number ? *number : ++l->size.nflags;
        l->flags[pc] = *number - 1;
    }
}

/* The I_END at which the task of an entry ends is the next one. */
static void find_tasks(struct lint *l)
{
    const struct core_group *g = &l->groups[l->group];
    l->tasks = arena_array(&l->scratch, struct task, (size_t)l->code->count + 1);
    for (int n = 0; n < g->ncores; n++) {
        const struct core_desc *desc = &l->p->cores[g->cores[n]];
        for (int d = 0; d < desc->ndispatches; d++) {
            const struct dispatch *t = &desc->dispatches[d];
            l->tasks[t->entry].waits |= t->nafter > 0;
            l->tasks[t->entry].awaited |= t->awaited;
            l->tasks[t->entry].last |= d + 1 == desc->ndispatches;
        }
    }
    struct task now = {.last = !l->p->cores[g->cores[0]].dispatches};
    for (int pc = 0; pc < l->code->count; pc++) {
        enum insn_op op = insn_acts(&l->code->insns[pc]);
        if (op == I_TASK && l->leader[pc])
            now = l->p->cores[g->cores[0]].dispatches ? l->tasks[pc] : now;
        if (op == I_END)
            l->tasks[pc] = now;
    }
}

static void find_leaders(struct lint *l)
{
    const struct code *c = l->code;
    const struct core_group *g = &l->groups[l->group];
    l->leader = arena_array(&l->scratch, bool, (size_t)c->count + 1);
    l->blocks = arena_array(&l->scratch, struct block, (size_t)c->count + 1);
    l->leader[0] = true;
    for (int pc = 0; pc < c->count; pc++)
        if (insn_any(&c->insns[pc], CLASS_BRANCH))
            l->leader[c->insns[pc].imm] = l->leader[pc + 1] = true;
    for (int n = 0; n < g->ncores; n++)
        for (int d = 0; d < l->p->cores[g->cores[n]].ndispatches; d++)
            l->leader[l->p->cores[g->cores[n]].dispatches[d].entry] = true;
}

/* Where lines come on their own, those that loads of the core name. */
static void find_named(struct lint *l)
{
    l->named = arena_array(&l->scratch, struct piece, (size_t)l->size.npieces + 1);
    for (int pc = 0; pc < l->code->count && l->k->prefetch == PREFETCH_SPONTANEOUS; pc++) {
        const struct insn *i = &l->code->insns[pc];
        const struct reach *r = &l->reach[pc];
        for (int p = 0; insn_acts(i) == I_LD && p < l->size.npieces; p++)
            if (in_piece(l, p, r)) {
                struct fact *f = &l->named[p].facts[side_of(r)][CACHED];
                fact_raise(f, r, pc);
                f->base = NO_REG;
            }
    }
}

void lint_prepare_group(struct lint *l, int g)
{
    size_t n = (size_t)l->size.npieces + 1;
    l->group = g;
    l->code = l->groups[g].code;
    l->reach = l->reaches[g];
    l->written = arena_alloc(&l->scratch, sizeof *l->written * n);
    l->overwritten = arena_alloc(&l->scratch, sizeof *l->overwritten * n);
    l->touched = arena_alloc(&l->scratch, sizeof *l->touched * n);
    l->is_base = arena_array(&l->scratch, bool, (size_t)l->code->nregs + 1);
    for (int p = 0; p < l->size.npieces; p++)
        for (int side = 0; side < SIDES; side++) {
            l->written[p][side] = by_others(l, l->uses[p].writes_told, side);
            l->overwritten[p][side] = by_others(l, l->uses[p].writes_later, side);
            l->touched[p][side] = by_others(l, l->uses[p].touches_later, side);
        }
    for (int pc = 0; pc < l->code->count; pc++)
        if (!l->reach[pc].nowhere && l->reach[pc].base != NO_REG)
            l->is_base[l->reach[pc].base] = true;
    find_leaders(l);
    find_flags(l);
    find_tasks(l);
    find_named(l);
    l->between = (struct block){0};
    l->now = facts_new(&l->scratch, l->size);
}

void lint_prepare(struct lint *l)
{
    find_groups(l);
    l->reaches = arena_array(&l->scratch, struct reach *, (size_t)l->ngroups + 1);
    for (int g = 0; g < l->ngroups; g++)
        l->reaches[g] = reach_find(&l->scratch, l->p, &l->groups[g]);
    find_pieces(l);
    l->uses = arena_array(&l->scratch, struct use, (size_t)l->size.npieces + 1);
    for (int g = 0; g < l->ngroups; g++)
        find_uses(l, g);
}
