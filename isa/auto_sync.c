/* SPDX-License-Identifier: MIT */
/*
 * What the assembler's synchronisation pass inserts into a function (pypto-ops-facts 4): flag pairs
 * between pipes and barriers in one pipe, for dependences through tiles and, by toolchain, through
 * memory of one argument. This file reads the code into the pass's view of a function
 * (auto_sync_internal.h) and writes the code anew; isa/sync_pairs.c decides.
 *
 * A flag says that an operation has left its pipe. It makes no data visible and no cache fresh.
 */
#include <string.h>

#include "isa/auto_sync_internal.h"

enum { NONE = -1 };

/* ---- the view of a function ---- */

struct reader {
    struct sync_function f;
    struct builder *b;
    const struct toolchain *k;
    const int *flow_at, *macro_at; /* per instruction: index of what begins there, or NONE */
    VEC(int) open;                 /* elements that open the flows around */
    const int *buffer;             /* as in struct sync_function */
    bool explicit;                 /* flags of the kernel's own */
};

static int object_of(const struct reader *r, const struct gm_use *u)
{
    int gm = r->k->auto_sync_gm;
    bool seen = u->root != NO_REG && gm != SYNC_GM_NONE && (!u->peer || gm == SYNC_GM_ROOT_ADDPTR);
    return seen ? (int)r->b->tiles.len + u->root : NONE;
}

/* Of a view the tile in whose memory it lies. */
static int tile_of(const struct reader *r, int tile)
{
    return tile_home(r->b->tiles.items, tile);
}

static void add_read(struct sync_element *e, int object)
{
    if (object != NONE)
        e->reads[e->nreads++] = object;
}

/* False for what is no element. A notify's stores are none. */
static bool node_of(const struct reader *r, int at, struct sync_element *e)
{
    const struct insn *i = &r->b->code.items[at];
    int memory = object_of(r, &r->b->gm_uses.items[at]);
    *e = (struct sync_element){
        .unit = PIPE_S, .begin = at, .end = at + 1, .macro = NONE, .write = NONE};
    switch (i->op) {
    case I_MTE2:
        e->unit = PIPE_MTE2;
        e->load = !r->b->dmas.items[i->aux].macro;
        e->write = tile_of(r, r->b->dmas.items[i->aux].tile);
        add_read(e, memory);
        return true;
    case I_MTE3:
    case I_FIX:
        e->unit = i->op == I_MTE3 ? PIPE_MTE3 : PIPE_FIX;
        e->write = memory;
        add_read(e, tile_of(r, r->b->dmas.items[i->aux].tile));
        return true;
    case I_TILE_OP: {
        const struct tile_op *t = &r->b->tile_ops.items[i->aux];
        e->unit = t->pipe;
        e->copy = !strcmp(t->name, BUILD_COPY);
        e->write = tile_of(r, t->dst);
        for (int k = 0; k < t->nsrc; k++)
            add_read(e, tile_of(r, t->src[k]));
        return true;
    }
    case I_TILE_LD:
        add_read(e, tile_of(r, i->aux));
        return true;
    case I_TILE_ST:
        e->write = tile_of(r, i->aux);
        return true;
    case I_LD:
        add_read(e, memory);
        return r->k->auto_sync_scalar;
    case I_ST:
        e->write = memory;
        return r->k->auto_sync_scalar && !(i->flags & INSN_NOTIFY);
    default:
        return false;
    }
}

static int add_element(struct reader *r, struct sync_element e)
{
    e.region = r->open.len ? r->open.items[r->open.len - 1] : NONE;
    e.depth = (int)r->open.len;
    vec_push(r->b->arena, &r->f.elements, e);
    return (int)r->f.elements.len - 1;
}

/* Its load and its store; the pieces of a large transfer are alike. */
static void add_macro(struct reader *r, int index)
{
    const struct macro_code *m = &r->b->macros.items[index];
    bool seen[I_OP_COUNT] = {false};
    struct sync_element e;
    for (int at = m->first; at < m->end; at++) {
        int op = r->b->code.items[at].op;
        if (seen[op] || !node_of(r, at, &e))
            continue;
        seen[op] = true;
        e.begin = m->first;
        e.end = m->end;
        e.macro = index;
        add_element(r, e);
    }
}

static void open_flow(struct reader *r, const struct flow_code *w)
{
    struct sync_element e = {.kind = w->loop ? SYNC_LOOP : SYNC_IF, .begin = w->begin};
    int index = add_element(r, e);
    r->f.elements.items[index].first = index;
    vec_push(r->b->arena, &r->open, index);
}

static const struct flow_code *innermost(const struct reader *r)
{
    if (!r->open.len)
        return NULL;
    const struct sync_element *e = &r->f.elements.items[r->open.items[r->open.len - 1]];
    return &r->b->flows.items[r->flow_at[r->f.elements.items[e->first].begin]];
}

/* Ends of flows, and the else parts, at an instruction. */
static void close_flows(struct reader *r, int at)
{
    for (const struct flow_code *w = innermost(r); w; w = innermost(r)) {
        bool ends = w->end == at, turns = !ends && !w->loop && w->middle == at;
        int first = r->f.elements.items[r->open.items[r->open.len - 1]].first;
        if (!ends && !turns)
            return;
        r->open.len--;
        struct sync_element e = {.kind = turns     ? SYNC_ELSE
                                         : w->loop ? SYNC_LOOP_END
                                                   : SYNC_IF_END,
                                 .begin = at,
                                 .end = at,
                                 .first = first,
                                 .middle = r->f.elements.items[first].middle};
        int index = add_element(r, e);
        struct sync_element *opener = &r->f.elements.items[first];
        if (turns) {
            opener->middle = index;
            vec_push(r->b->arena, &r->open, index);
            return;
        }
        opener->last = index;
        r->f.elements.items[index].last = index;
        if (!opener->middle)
            opener->middle = r->f.elements.items[index].middle = index;
    }
}

/* ---- jumps ---- */

/* A jump that ifs and loops are made of. */
static bool is_structural(const struct reader *r, int at)
{
    vec_foreach (const struct flow_code, w, &r->b->flows) {
        bool of_loop = w->loop && (at == w->middle - 1 || at == w->end - 1),
             of_if = !w->loop && (at == w->begin || (w->middle < w->end && at == w->middle - 1));
        if (of_loop || of_if)
            return true;
    }
    return false;
}

/* A jump to the next instruction is none, one of a site is a marker's own loop. */
static bool leaves_early(const struct reader *r, int at)
{
    const struct insn *i = &r->b->code.items[at];
    return insn_any(i, CLASS_BRANCH) && i->imm != at + 1 && i->site < 0 && !is_structural(r, at);
}

/* The test of a loop is made once more often than its body. */
static bool in_test(const struct reader *r, int at)
{
    const struct flow_code *w = innermost(r);
    return w && w->loop && at < w->middle;
}

static struct sync_function read_function(struct reader *r, int first, int end)
{
    struct sync_element e;
    r->f = (struct sync_function){.b = r->b, .buffer = r->buffer};
    r->open.len = 0;
    r->explicit = false;
    for (int at = first; at < end; at++) {
        const struct insn *i = &r->b->code.items[at];
        bool flag = insn_any(i, CLASS_FLAG);
        close_flows(r, at);
        if (r->flow_at[at] != NONE)
            open_flow(r, &r->b->flows.items[r->flow_at[at]]);
        if (r->macro_at[at] != NONE) {
            add_macro(r, r->macro_at[at]);
            at = r->b->macros.items[r->macro_at[at]].end - 1;
            continue;
        }
        r->explicit |= flag;
        r->f.irregular |= leaves_early(r, at);
        if (!node_of(r, at, &e))
            continue;
        r->f.irregular |= in_test(r, at);
        add_element(r, e);
    }
    close_flows(r, end);
    return r->f;
}

/* ---- the code anew ---- */

struct code_writer {
    struct builder *b;
    const struct insn *old;
    const struct gm_use *old_uses;
    int *moved, *land, *jump; /* per old instruction: its place; where a jump to it goes; where its
                                 own jump goes when that is elsewhere, or NONE */
    int at;                   /* next to be copied */
};

static void copy_to(struct code_writer *w, int end)
{
    for (; w->at < end; w->at++) {
        if (w->land[w->at] == NONE)
            w->land[w->at] = build_here(w->b);
        w->moved[w->at] = build_here(w->b);
        build_emit(w->b, w->old[w->at]);
        w->b->gm_uses.items[w->b->gm_uses.len - 1] = w->old_uses[w->at];
    }
    if (w->land[end] == NONE)
        w->land[end] = build_here(w->b);
}

/* Opens the sync's site, at the place of node `at`. */
static void begin_sync(struct code_writer *w, const struct sync_function *f, struct sync *s, int at)
{
    struct builder *b = w->b;
    const struct insn *now = &w->old[f->elements.items[s->now].begin];
    b->span = now->span;
    b->origin = ORIGIN_AUTO_SYNC;
    b->what = now->what;
    b->anchor = now->what;
    if (s->site < 0)
        s->site = build_site_begin(b, s->kind == SYNC_BARRIER ? "pipe barrier" : "flag pair", NONE);
    b->span = w->old[f->elements.items[at].begin].span;
    b->site = s->site;
}

static void write_flag(struct code_writer *w, const struct sync_function *f, struct sync *s,
                       enum insn_op op)
{
    begin_sync(w, f, s, op == I_SET_FLAG ? s->front : s->now);
    build_emit(w->b, insn_flag(build_like(w->b), op, s->from, s->to, s->id));
    build_site_end(w->b);
}

static void write_before(struct code_writer *w, const struct sync_function *f,
                         const sync_list *list)
{
    vec_foreach (const int, index, list) {
        struct sync *s = &f->syncs.items[*index];
        if (s->kind == SYNC_BARRIER) {
            begin_sync(w, f, s, s->now);
            build_barrier(w->b, s->to);
            build_site_end(w->b);
            continue;
        }
        if (s->kind == SYNC_ADJACENT)
            write_flag(w, f, s, I_SET_FLAG);
        write_flag(w, f, s, I_WAIT_FLAG);
    }
}

static void write_after(struct code_writer *w, const struct sync_function *f, const sync_list *list)
{
    vec_foreach (const int, index, list)
        if (f->syncs.items[*index].kind == SYNC_PAIR)
            write_flag(w, f, &f->syncs.items[*index], I_SET_FLAG);
}

static void write_carried(struct code_writer *w, const struct sync_function *f, enum insn_op op)
{
    vec_foreach (struct sync, s, &f->syncs)
        if (s->carried)
            write_flag(w, f, s, op);
}

/* What is executed on the way into an if or loop stands in front of where its own jumps go, what is
 * executed on the way out behind. */
static void write_flow(struct code_writer *w, const struct sync_function *f, struct sync_element *e)
{
    const struct sync_element *opener = &f->elements.items[e->first],
                              *middle = &f->elements.items[opener->middle];
    if (e->kind == SYNC_IF_END)
        w->jump[middle == e ? opener->begin : middle->begin - 1] = build_here(w->b);
    if (e->kind == SYNC_LOOP_END)
        w->jump[e->begin - 1] = opener->end;
    write_before(w, f, &e->before);
    write_after(w, f, &e->after);
    if (e->kind == SYNC_LOOP)
        e->end = build_here(w->b); /* where the next turn starts, in the new code */
}

/* A node, or the phases of a macro. Returns the element behind it. */
static size_t write_node(struct code_writer *w, const struct sync_function *f, size_t i)
{
    const struct sync_element *e = f->elements.items;
    size_t end = i + 1;
    while (e[i].macro != NONE && end < f->elements.len && e[end].kind == SYNC_NODE &&
           e[end].macro == e[i].macro)
        end++;
    for (size_t k = i; k < end; k++)
        write_before(w, f, &e[k].before);
    copy_to(w, e[i].end);
    for (size_t k = i; k < end; k++)
        write_after(w, f, &e[k].after);
    return end;
}

static void write_function(struct code_writer *w, struct sync_function *f)
{
    copy_to(w, f->elements.items[0].begin);
    write_carried(w, f, I_SET_FLAG);
    for (size_t i = 0; i < f->elements.len;) {
        struct sync_element *e = &f->elements.items[i];
        copy_to(w, e->begin);
        if (e->kind == SYNC_NODE)
            i = write_node(w, f, i);
        else
            write_flow(w, f, &f->elements.items[i++]);
    }
    write_carried(w, f, I_WAIT_FLAG);
}

static void patch_jumps(const struct code_writer *w, int count)
{
    for (int at = 0; at < count; at++)
        if (insn_any(&w->old[at], CLASS_BRANCH))
            w->b->code.items[w->moved[at]].imm =
                w->jump[at] != NONE ? w->jump[at] : w->land[w->old[at].imm];
}

/* ---- the pass ---- */

static int *per_instruction(struct builder *b)
{
    int *list = arena_array(b->arena, int, b->code.len + 1);
    for (size_t i = 0; i <= b->code.len; i++)
        list[i] = NONE;
    return list;
}

/* Tiles between which a BUILD_COPY moves are one buffer. */
static const int *buffers(struct builder *b)
{
    int n = (int)b->tiles.len, *buffer = arena_array(b->arena, int, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        buffer[i] = i;
    vec_foreach (const struct tile_op, t, &b->tile_ops) {
        bool copy = !strcmp(t->name, BUILD_COPY);
        int from = copy ? buffer[tile_home(b->tiles.items, t->src[0])] : NONE,
            to = buffer[tile_home(b->tiles.items, t->dst)];
        for (int i = 0; copy && i < n; i++)
            buffer[i] = buffer[i] == from ? to : buffer[i];
    }
    return buffer;
}

static int function_end(const struct builder *b, int first)
{
    int at = first + 1;
    while (at < (int)b->code.len && b->code.items[at].op != I_TASK && b->code.items[at].op != I_END)
        at++;
    return at;
}

static struct reader reader_of(struct builder *b)
{
    int *flow_at = per_instruction(b), *macro_at = per_instruction(b);
    for (size_t i = 0; i < b->flows.len; i++)
        flow_at[b->flows.items[i].begin] = (int)i;
    for (size_t i = 0; i < b->macros.len; i++)
        macro_at[b->macros.items[i].first] = (int)i;
    return (struct reader){
        .b = b, .k = b->toolchain, .flow_at = flow_at, .macro_at = macro_at, .buffer = buffers(b)};
}

/* One with flags of its own is left alone, and so is one operation (pypto-ops-facts 4.1). */
static bool is_left_alone(const struct reader *r)
{
    size_t nodes = 0;
    vec_foreach (const struct sync_element, e, &r->f.elements)
        nodes += e->kind == SYNC_NODE;
    return r->explicit || nodes < 2;
}

bool auto_sync_leaves_alone(struct builder *b, int first)
{
    struct reader r = reader_of(b);
    read_function(&r, first, build_here(b));
    return is_left_alone(&r);
}

void auto_sync(struct builder *b)
{
    int count = (int)b->code.len;
    struct reader r = reader_of(b);
    struct code_writer w = {.b = b,
                            .old = b->code.items,
                            .old_uses = b->gm_uses.items,
                            .moved = per_instruction(b),
                            .land = per_instruction(b),
                            .jump = per_instruction(b)};
    VEC(struct sync_function) functions = {0};
    for (int first = 0; first < count; first = function_end(b, first)) {
        struct sync_function f = read_function(&r, first, function_end(b, first));
        if (is_left_alone(&r))
            continue;
        sync_pairs_find(&f);
        vec_push(b->arena, &functions, f);
    }
    memset(&b->code, 0, sizeof b->code);
    memset(&b->gm_uses, 0, sizeof b->gm_uses);
    vec_foreach (struct sync_function, f, &functions)
        write_function(&w, f);
    copy_to(&w, count);
    patch_jumps(&w, count);
    b->origin = ORIGIN_USER;
}
