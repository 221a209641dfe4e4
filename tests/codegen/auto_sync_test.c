/* SPDX-License-Identifier: MIT */
/*
 * What the assembler's pass inserts (pypto-ops-facts 4). Functions are written as a list of steps:
 *
 *     load a X     MTE2 writes tile a from X      store a X   MTE3 reads it      fix a X   FIX does
 *     add c a b    V writes c from a and b        mm c a b    the same on M
 *     read a       the scalar unit reads          write a     and writes an element
 *     ld X, st X   scalar accesses of memory      put X Y     a library macro, by way of tile s
 *     notify X, poll X, dcci X, fence, barrier    what is no operation for the pass
 *     v>mte3       a set_flag and its wait_flag of the kernel's own
 *     loop ( .. ), if ( .. ), if ( .. ) else ( .. ), break, continue
 *
 * X, Y are arguments, X@ the copy of one that a peer has; without one the memory is of no argument.
 * Tile A is an accumulator, L a long one. Loops and ifs come out as branches: "test; bz L1" is the
 * test of a loop, "test; jmp L0" its step. A flag's id is shown when it is not 2.
 */
#include "base/rng.h"
#include "base/strbuf.h"
#include "codegen/internal.h"
#include "sim/driver.h"
#include "sim/oracle.h"
#include "tests/codegen/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- from text to instructions ---- */

struct script {
    struct gen g;
    const char *p; /* the rest of the text */
};

static const char *next_word(struct script *s, size_t *len)
{
    s->p += strspn(s->p, " ;");
    const char *word = s->p;
    *len = strcspn(word, " ;");
    s->p += *len;
    return word;
}

static bool is_word(const char *word, size_t len, const char *text)
{
    return strlen(text) == len && !strncmp(word, text, len);
}

static bool takes(struct script *s, const char *text)
{
    size_t len;
    const char *before = s->p, *word = next_word(s, &len);
    if (is_word(word, len, text))
        return true;
    s->p = before;
    return false;
}

static int next_tile(struct script *s)
{
    struct gen *g = &s->g;
    size_t len;
    const char *name = next_word(s, &len);
    for (size_t i = 0; i < g->tiles.len; i++)
        if (is_word(name, len, g->tiles.items[i].name))
            return (int)i;
    /* A capital is an accumulator, L a long tile. */
    bool acc = *name == 'A', large = *name == 'L';
    return gen_tile(g, arena_strndup(g->arena, name, len), large ? 16 : 1, large ? 64 : 8, ELEM_I32,
                    acc ? IR_SPACE_ACC : IR_SPACE_VEC);
}

/* The memory that the step names, if it does. */
static struct gm_use next_memory(struct script *s)
{
    if (s->p[0] != ' ' || s->p[1] < 'X')
        return (struct gm_use){.root = NO_REG};
    size_t len;
    const char *name = next_word(s, &len);
    return (struct gm_use){.root = 100 + *name, .peer = len > 1};
}

static void emit_access(struct script *s, struct insn i, struct gm_use use)
{
    gen_emit(&s->g, i);
    s->g.gm_uses.items[s->g.gm_uses.len - 1] = use;
}

static void emit_dma(struct script *s, enum insn_op op, int tile, struct gm_use use, bool macro)
{
    struct dma d = {.tile = tile,
                    .rows = imm_operand(1),
                    .cols = imm_operand(8),
                    .elem = ELEM_I32,
                    .macro = macro};
    vec_push(s->g.arena, &s->g.dmas, d);
    struct insn i = gen_insn(&s->g, op);
    i.aux = (int32_t)s->g.dmas.len - 1;
    emit_access(s, i, use);
}

static void dma_step(struct script *s, enum insn_op op)
{
    int tile = next_tile(s);
    emit_dma(s, op, tile, next_memory(s), false);
}

static void tile_step(struct script *s, enum insn_op op)
{
    struct insn i = gen_insn(&s->g, op);
    i.aux = next_tile(s);
    i.rd = op == I_TILE_LD ? 0 : NO_REG;
    gen_emit(&s->g, i);
}

static void memory_step(struct script *s, enum insn_op op)
{
    struct insn i = gen_insn(&s->g, op);
    i.flags = op == I_ST_ATOMIC ? INSN_NOTIFY : 0;
    emit_access(s, i, next_memory(s));
}

static void fence_step(struct script *s, enum insn_op op)
{
    s->g.origin = ORIGIN_W1;
    gen_barrier(&s->g, PIPE_ALL);
    gen_simple(&s->g, op);
    s->g.origin = ORIGIN_USER;
}

static void barrier_step(struct script *s, enum insn_op op)
{
    (void)op;
    gen_barrier(&s->g, PIPE_ALL);
}

static void emit_flags(struct gen *g, enum pipe from, enum pipe to, int id)
{
    gen_emit(g, insn_flag(gen_like(g), I_SET_FLAG, from, to, id));
    gen_emit(g, insn_flag(gen_like(g), I_WAIT_FLAG, from, to, id));
}

/* As code generation writes TPUT: load, flag, store, flag. */
static void put_step(struct script *s, enum insn_op op)
{
    struct gen *g = &s->g;
    struct macro_code m = {.first = gen_here(g)};
    struct gm_use to = next_memory(s), from = next_memory(s);
    const char *rest = s->p;
    s->p = "s";
    int tile = next_tile(s);
    s->p = rest;
    g->origin = ORIGIN_MACRO;
    emit_dma(s, I_MTE2, tile, from, true);
    emit_flags(g, PIPE_MTE2, PIPE_MTE3, 0);
    emit_dma(s, op, tile, to, true);
    emit_flags(g, PIPE_MTE3, PIPE_MTE2, 1);
    g->origin = ORIGIN_USER;
    m.end = gen_here(g);
    vec_push(g->arena, &g->macros, m);
}

static void add_step(struct script *s, enum insn_op op)
{
    (void)op;
    int dst = next_tile(s), src[2] = {next_tile(s), 0};
    src[1] = next_tile(s);
    gen_tile_op(&s->g, TILE_ADD, "add", PIPE_V, dst, src, 2, imm_operand(0));
}

static void matrix_step(struct script *s, enum insn_op op)
{
    (void)op;
    int dst = next_tile(s), src[2] = {next_tile(s), 0};
    src[1] = next_tile(s);
    gen_tile_op(&s->g, TILE_ADD, "mm", PIPE_M, dst, src, 2, imm_operand(0));
}

static void read_block(struct script *s);

static void loop_step(struct script *s, enum insn_op op)
{
    struct gen *g = &s->g;
    struct loop loop = {.outer = g->loop};
    g->loop = &loop;
    int top = gen_here(g);
    gen_simple(g, op);
    int exit = gen_branch(g, I_BZ, 0);
    read_block(s);
    gen_patch_all(g, &loop.continues);
    gen_simple(g, op); /* the step */
    gen_branch_to(g, I_JMP, NO_REG, top);
    gen_patch_here(g, exit);
    gen_patch_all(g, &loop.breaks);
    vec_push(g->arena, &g->flows, (struct flow_code){top, exit + 1, gen_here(g), true});
    g->loop = loop.outer;
}

static void if_step(struct script *s, enum insn_op op)
{
    struct gen *g = &s->g;
    int skip = gen_branch(g, op, 0), middle = -1;
    read_block(s);
    if (takes(s, "else")) {
        int end = gen_branch(g, I_JMP, NO_REG);
        gen_patch_here(g, skip);
        middle = gen_here(g);
        read_block(s);
        gen_patch_here(g, end);
    } else {
        gen_patch_here(g, skip);
    }
    int end = gen_here(g);
    vec_push(g->arena, &g->flows, (struct flow_code){skip, middle < 0 ? end : middle, end, false});
}

static void break_step(struct script *s, enum insn_op op)
{
    int jump = gen_branch(&s->g, op, NO_REG);
    vec_push(s->g.arena, &s->g.loop->breaks.at, jump);
}

static void continue_step(struct script *s, enum insn_op op)
{
    int jump = gen_branch(&s->g, op, NO_REG);
    vec_push(s->g.arena, &s->g.loop->continues.at, jump);
}

static const struct step_kind {
    const char *name;
    enum insn_op op;
    void (*emit)(struct script *s, enum insn_op op);
} step_kinds[] = {
    {"load", I_MTE2, dma_step},
    {"store", I_MTE3, dma_step},
    {"fix", I_FIX, dma_step},
    {"read", I_TILE_LD, tile_step},
    {"write", I_TILE_ST, tile_step},
    {"ld", I_LD, memory_step},
    {"st", I_ST, memory_step},
    {"notify", I_ST_ATOMIC, memory_step},
    {"poll", I_POLL, memory_step},
    {"dcci", I_DCCI, memory_step},
    {"fence", I_DSB, fence_step},
    {"barrier", I_BARRIER, barrier_step},
    {"put", I_MTE3, put_step},
    {"add", I_TILE_OP, add_step},
    {"mm", I_TILE_OP, matrix_step},
    {"loop", I_NOP, loop_step},
    {"if", I_BZ, if_step},
    {"break", I_JMP, break_step},
    {"continue", I_JMP, continue_step},
};

static enum pipe pipe_named(const char *name, size_t len)
{
    for (int p = 0; p <= PIPE_S; p++)
        if (is_word(name, len, pipe_name((enum pipe)p)))
            return (enum pipe)p;
    cr_assert(false, "no pipe '%.*s'", (int)len, name);
    return PIPE_S;
}

static void read_step(struct script *s)
{
    size_t len;
    const char *word = next_word(s, &len), *flag = memchr(word, '>', len);
    for (size_t i = 0; i < COUNT(step_kinds); i++)
        if (is_word(word, len, step_kinds[i].name)) {
            step_kinds[i].emit(s, step_kinds[i].op);
            return;
        }
    cr_assert(flag, "no step '%.*s'", (int)len, word);
    emit_flags(&s->g, pipe_named(word, (size_t)(flag - word)),
               pipe_named(flag + 1, len - (size_t)(flag + 1 - word)), 3);
}

static void read_steps(struct script *s)
{
    while (*(s->p += strspn(s->p, " ;")) && *s->p != ')')
        read_step(s);
}

static void read_block(struct script *s)
{
    cr_assert(takes(s, "("));
    read_steps(s);
    cr_assert(takes(s, ")"));
}

static void read_script(struct script *s, struct arena *a, const struct codegen_options *o,
                        const char *text)
{
    *s = (struct script){
        .g = {.arena = a, .opt = o, .toolchain = o->toolchain, .site = -1, .origin = ORIGIN_USER},
        .p = text};
    gen_reg(&s->g, "cond");
    read_steps(s);
    gen_simple(&s->g, I_END);
}

/* ---- and back ---- */

static bool is_jump(const struct insn *i)
{
    return i->op == I_BZ || i->op == I_JMP;
}

/* Labels are numbered by their place. */
static int label_at(const struct gen *g, int index)
{
    int label = 0;
    for (int at = 0; at <= index; at++) {
        bool target = false;
        vec_foreach (const struct insn, i, &g->code)
            target |= is_jump(i) && i->imm == at;
        if (target && at == index)
            return label;
        label += target;
    }
    return -1;
}

static void print_memory(struct strbuf *b, const struct gen *g, int at)
{
    const struct gm_use *u = &g->gm_uses.items[at];
    if (u->root != NO_REG)
        strbuf_addf(b, " %c%s", u->root - 100, u->peer ? "@" : "");
}

static void print_step(struct strbuf *b, const struct gen *g, int at)
{
    const struct insn *i = &g->code.items[at];
    const struct tile_op *t = i->op == I_TILE_OP ? &g->tile_ops.items[i->aux] : NULL;
    switch (i->op) {
    case I_BZ:
    case I_JMP:
        strbuf_addf(b, "%s L%d", insn_op_name((enum insn_op)i->op), label_at(g, (int)i->imm));
        return;
    case I_SET_FLAG:
    case I_WAIT_FLAG:
        strbuf_addf(b, "%s %s>%s", i->op == I_SET_FLAG ? "set" : "wait",
                    pipe_name((enum pipe)i->pa), pipe_name((enum pipe)i->pb));
        if (i->imm != 2)
            strbuf_addf(b, ".%d", (int)i->imm);
        return;
    case I_BARRIER:
        strbuf_addf(b, "barrier%s%s", i->pa == PIPE_ALL ? "" : " ",
                    i->pa == PIPE_ALL ? "" : pipe_name((enum pipe)i->pa));
        return;
    case I_TILE_OP:
        strbuf_addf(b, "%s %s %s %s", t->name, g->tiles.items[t->dst].name,
                    g->tiles.items[t->src[0]].name, g->tiles.items[t->src[1]].name);
        return;
    default:
        strbuf_add(b, i->op == I_NOP ? "test" : i->op == I_DSB ? "dsb" : "");
    }
    for (size_t k = 0; k < COUNT(step_kinds); k++)
        if (i->op == step_kinds[k].op && step_kinds[k].emit == tile_step)
            strbuf_addf(b, "%s %s", step_kinds[k].name, g->tiles.items[i->aux].name);
        else if (i->op == step_kinds[k].op && step_kinds[k].emit == dma_step)
            strbuf_addf(b, "%s %s", step_kinds[k].name,
                        g->tiles.items[g->dmas.items[i->aux].tile].name);
        else if (i->op == step_kinds[k].op && step_kinds[k].emit == memory_step)
            strbuf_add(b, step_kinds[k].name);
    print_memory(b, g, at);
}

static const char *print_script(const struct gen *g)
{
    struct strbuf b = strbuf_make(g->arena);
    for (int at = 0; at < (int)g->code.len; at++) {
        bool end = g->code.items[at].op == I_END;
        if (end && label_at(g, at) < 0)
            break;
        strbuf_add(&b, b.len ? "; " : "");
        if (label_at(g, at) >= 0)
            strbuf_addf(&b, "L%d:%s", label_at(g, at), end ? "" : " ");
        if (!end)
            print_step(&b, g, at);
    }
    return b.text;
}

/* ---- the rows ---- */

struct sync_row {
    const char *name, *before, *after; /* after NULL: as before */
};

/* gm, scalar: of the toolchain. Rows without a loop or an if come out as they are when nothing is
 * inserted. */
static void expect_synced(const struct sync_row *rows, size_t n, int gm, bool scalar)
{
    struct toolchain k = {.auto_sync = true, .auto_sync_gm = gm, .auto_sync_scalar = scalar};
    struct codegen_options o = {.toolchain = &k};
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct script s;
        read_script(&s, &a, &o, rows[i].before);
        const char *before = print_script(&s.g);
        auto_sync(&s.g.build);
        expect_text(rows[i].name, print_script(&s.g), rows[i].after ? rows[i].after : before);
        cr_expect(s.g.code.len == s.g.gm_uses.len, "%s", rows[i].name);
        arena_free(&a);
    }
}

static void expect_pairs(const struct sync_row *rows, size_t n)
{
    expect_synced(rows, n, SYNC_GM_ROOT_ADDPTR, true);
}

Test(auto_sync, tiles)
{
    static const struct sync_row rows[] = {
        {"load, vector", "load a; add b a a", "load a; set mte2>v; wait mte2>v; add b a a"},
        {"vector, store", "add b a a; store b", "add b a a; set v>mte3; wait v>mte3; store b"},
        {"load, store", "load a; store a", "load a; set mte2>mte3; wait mte2>mte3; store a"},
        {"load, matrix", "load a; mm c a a", "load a; set mte2>m; wait mte2>m; mm c a a"},
        {"matrix, fix", "mm A b b; fix A", "mm A b b; set m>fix; wait m>fix; fix A"},
        {"load, scalar", "load a; read a", "load a; set mte2>s; wait mte2>s; read a"},
        {"scalar, vector", "write a; add b a a", "write a; set s>v; wait s>v; add b a a"},
        {"write after read: store, load", "store a; load a",
         "store a; set mte3>mte2; wait mte3>mte2; load a"},
        {"write after read: vector, load", "add b a a; load a",
         "add b a a; set v>mte2; wait v>mte2; load a"},
        {"write after read: store, scalar", "store a; write a",
         "store a; set mte3>s; wait mte3>s; write a"},
        {"write after read: the second source", "add b a c; load c",
         "add b a c; set v>mte2; wait v>mte2; load c"},
        {"write after write: load, vector", "load a; add a b b",
         "load a; set mte2>v; wait mte2>v; add a b b"},
        {"an accumulator that two units read", "fix A; mm c A A",
         "fix A; set fix>m; wait fix>m; mm c A A"},
        {"other tiles", "load a; add b c c; store d", NULL},
        {"two units that read a tile", "add b a a; store a", NULL},
        {"the scalar unit with itself", "write a; read a; write a", NULL},
        {"one operation", "load a", NULL},
    };
    expect_pairs(rows, COUNT(rows));
}

/* In one pipe: a barrier (pypto-ops-facts 4.4). */
Test(auto_sync, one_pipe)
{
    static const struct sync_row rows[] = {
        {"read after write", "add b a a; add c b b", "add b a a; barrier v; add c b b"},
        {"write after read", "add b a a; add a c c", "add b a a; barrier v; add a c c"},
        {"two loads into a tile", "load a X; load a X", NULL},
        {"two stores of a tile", "store a X; store a Y", NULL},
        {"two stores to one argument", "store a X; store b X",
         "store a X; barrier mte3; store b X"},
        {"two stores of an accumulator", "fix A X; fix A X", "fix A X; barrier fix; fix A X"},
        {"a long chain", "add L a a; add b L L", NULL},
        {"a long tile that is written again", "add L a a; add L b b",
         "add L a a; barrier v; add L b b"},
        {"a long tile that is changed", "add L a a; add L L b", "add L a a; barrier v; add L L b"},
        {"on the cube", "mm c a a; mm d c c", "mm c a a; barrier m; mm d c c"},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, memory_of_one_argument)
{
    static const struct sync_row rows[] = {
        {"store, load", "store a X; load b X",
         "store a X; set mte3>mte2; wait mte3>mte2; load b X"},
        {"load, store", "load a X; store b X",
         "load a X; set mte2>mte3; wait mte2>mte3; store b X"},
        {"fix, load", "fix A X; load b X", "fix A X; set fix>mte2; wait fix>mte2; load b X"},
        {"own copy, peer's copy", "store a X; load b X@",
         "store a X; set mte3>mte2; wait mte3>mte2; load b X@"},
        {"two loads", "load a X; load b X", NULL},
        {"different arguments", "store a X; load b Y; load c", NULL},
        {"store, put of it", "store a X; put Y@ X",
         "store a X; set mte3>mte2; wait mte3>mte2; load s X; set mte2>mte3.0; wait mte2>mte3.0; "
         "store s Y@; set mte3>mte2.1; wait mte3>mte2.1"},
        {"load, then get into it", "load a X; put X Y@",
         "load a X; set mte2>mte3; wait mte2>mte3; load s Y@; set mte2>mte3.0; wait mte2>mte3.0; "
         "store s X; set mte3>mte2.1; wait mte3>mte2.1"},
        {"get, then load", "put X Y@; load a X",
         "load s Y@; set mte2>mte3.0; wait mte2>mte3.0; store s X; set mte3>mte2.1; "
         "wait mte3>mte2.1; set mte3>mte2; wait mte3>mte2; load a X"},
        {"store, scalar load", "store a X; ld X", "store a X; set mte3>s; wait mte3>s; ld X"},
        {"scalar store, load", "st X; load a X", "st X; set s>mte2; wait s>mte2; load a X"},
        {"scalar store, store", "st X; store a X", "st X; set s>mte3; wait s>mte3; store a X"},
        {"load, scalar store", "load a X; st X", "load a X; set mte2>s; wait mte2>s; st X"},
        {"scalar store, scalar load", "st X; ld X", NULL},
        {"scalar accesses of different arguments", "store a X; ld Y; st Y; ld", NULL},
    };
    expect_pairs(rows, COUNT(rows));
}

/* These are no operations of the pass: nothing is ordered with them, and nothing by them. */
Test(auto_sync, notifies_waits_and_markers)
{
    static const struct sync_row rows[] = {
        {"store, notify", "store a X; notify X", NULL},
        {"store, notify of a peer", "store a X; notify X@", NULL},
        {"load, notify", "load a X; notify X", NULL},
        {"wait, load", "poll X; load a X", NULL},
        {"wait, store", "poll X; store a X", NULL},
        {"store, invalidate, store", "store a X; dcci X; store b Y", NULL},
        {"across a fence", "store a X; fence; load b X",
         "store a X; set mte3>mte2; barrier; dsb; wait mte3>mte2; load b X"},
        {"across a notify and a wait", "store a X; notify Y; poll Y; load b X",
         "store a X; set mte3>mte2; notify Y; poll Y; wait mte3>mte2; load b X"},
        {"tiles across a barrier", "load a; barrier; add b a a",
         "load a; set mte2>v; barrier; wait mte2>v; add b a a"},
    };
    expect_pairs(rows, COUNT(rows));
}

/* What the versions before 07-27 do not see (pypto-ops-facts 4.3). */
Test(auto_sync, older_versions)
{
    static const struct sync_row root[] = {
        {"store, load", "store a X; load b X",
         "store a X; set mte3>mte2; wait mte3>mte2; load b X"},
        {"own copy, peer's copy", "store a X; load b X@", NULL},
        {"peer's copy twice", "store a X@; load b X@; store c X@", NULL},
        {"store, put of it", "store a X; put X@ X",
         "store a X; set mte3>mte2; wait mte3>mte2; load s X; set mte2>mte3.0; wait mte2>mte3.0; "
         "store s X@; set mte3>mte2.1; wait mte3>mte2.1"},
        {"store, scalar load", "store a X; ld X", NULL},
        {"scalar store, load", "st X; load a X", NULL},
        {"tiles and the scalar unit", "load a; read a", "load a; set mte2>s; wait mte2>s; read a"},
    };
    static const struct sync_row tiles[] = {
        {"store, load", "store a X; load b X; store c X", NULL},
        {"tiles", "load a X; store a X", "load a X; set mte2>mte3; wait mte2>mte3; store a X"},
    };
    expect_synced(root, COUNT(root), SYNC_GM_ROOT, false);
    expect_synced(tiles, COUNT(tiles), SYNC_GM_NONE, false);
}

Test(auto_sync, what_is_left_alone)
{
    static const struct sync_row rows[] = {
        {"flags of its own", "load a X; mte2>v; store b X; add c a a",
         "load a X; set mte2>v.3; wait mte2>v.3; store b X; add c a a"},
        {"one macro alone has two phases", "put X@ Y",
         "load s Y; set mte2>mte3.0; wait mte2>mte3.0; store s X@; set mte3>mte2.1; "
         "wait mte3>mte2.1"},
    };
    expect_pairs(rows, COUNT(rows));
}

/* The set stands behind the earlier operation, not in front of the later one: what comes between
 * is not waited for. */
Test(auto_sync, one_pair_serves_what_it_covers)
{
    static const struct sync_row rows[] = {
        {"the latest of a pipe", "load a; load b; add c a b",
         "load a; load b; set mte2>v; wait mte2>v; add c a b"},
        {"what is loaded behind it is not waited for", "load a; load b; add c a a",
         "load a; set mte2>v; load b; wait mte2>v; add c a a"},
        {"and needs a pair of its own", "load a; load b; add c a a; add d b b",
         "load a; set mte2>v; load b; set mte2>v.3; wait mte2>v; add c a a; wait mte2>v.3; "
         "add d b b"},
        {"an earlier load is covered", "load b; load a; add c a a; add d b b",
         "load b; load a; set mte2>v; wait mte2>v; add c a a; add d b b"},
        {"a scalar read waits for its load only", "load a; load b; read a; notify X",
         "load a; set mte2>s; load b; wait mte2>s; read a; notify X"},
        {"by way of a third pipe", "load a; add b a a; store b; store a",
         "load a; set mte2>v; wait mte2>v; add b a a; set v>mte3; wait v>mte3; store b; store a"},
        {"not by way of a pair in front", "load a; add b a a; store a",
         "load a; set mte2>v; set mte2>mte3; wait mte2>v; add b a a; wait mte2>mte3; store a"},
        {"each pipe needs its own", "load a; mm c d d; add b a c",
         "load a; set mte2>v; mm c d d; set m>v; wait m>v; wait mte2>v; add b a c"},
        {"ids are taken again", "load a; add b a a; load c; add d c c",
         "load a; set mte2>v; wait mte2>v; add b a a; load c; set mte2>v; wait mte2>v; add d c c"},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, branches)
{
    static const struct sync_row rows[] = {
        {"written in one, used behind it", "if ( add b a a ); store b",
         "bz L0; add b a a; L0: set v>mte3; wait v>mte3; store b"},
        {"written before, used in one", "add b a a; if ( store b )",
         "add b a a; set v>mte3; wait v>mte3; bz L0; store b; L0:"},
        {"both in one", "if ( load a; add b a a ); add c d d",
         "bz L0; load a; set mte2>v; wait mte2>v; add b a a; L0: add c d d"},
        {"written in both, by two pipes", "if ( load b ) else ( add b a a ); store b",
         "bz L0; load b; jmp L1; L0: add b a a; L1: set mte2>mte3; set v>mte3; wait mte2>mte3; "
         "wait v>mte3; store b"},
        {"one branch is no way to the other", "if ( load a ) else ( add b a a )",
         "bz L0; load a; jmp L1; L0: add b a a; L1:"},
        {"a pair in one covers what that one did", "if ( load a; add b a a ); add c a a",
         "bz L0; load a; set mte2>v; wait mte2>v; add b a a; L0: add c a a"},
        {"and nothing else", "load a; if ( load b; add c b b ); add d a a",
         "load a; set mte2>v.3; bz L0; load b; set mte2>v; wait mte2>v; add c b b; L0: "
         "wait mte2>v.3; add d a a"},
        {"pairs in both cover what follows",
         "load a; if ( store a X ) else ( store a Y ); store a Z",
         "load a; set mte2>mte3; wait mte2>mte3; bz L0; store a X; jmp L1; L0: store a Y; "
         "L1: store a Z"},
        {"in an if in an if", "load a; if ( if ( add b a a ) )",
         "load a; set mte2>v; wait mte2>v; bz L0; bz L0; add b a a; L0:"},
        {"out of an if in an if", "if ( if ( load a ) ); add b a a",
         "bz L0; bz L0; load a; L0: set mte2>v; wait mte2>v; add b a a"},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, loops)
{
    static const struct sync_row rows[] = {
        {"store, then load of the next turn", "loop ( load a; store a )",
         "set mte3>mte2; L0: test; bz L1; wait mte3>mte2; load a; set mte2>mte3; wait mte2>mte3; "
         "store a; set mte3>mte2; test; jmp L0; L1: wait mte3>mte2"},
        {"memory of one argument, turn to turn", "loop ( load a X; store b X )",
         "set mte3>mte2; L0: test; bz L1; wait mte3>mte2; load a X; set mte2>mte3; "
         "wait mte2>mte3; store b X; set mte3>mte2; test; jmp L0; L1: wait mte3>mte2"},
        {"one operation with itself", "loop ( store a X ); load b",
         "L0: test; bz L1; barrier mte3; store a X; test; jmp L0; L1: load b"},
        {"before the loop", "load a; loop ( add b a a )",
         "load a; set mte2>v; wait mte2>v; L0: test; bz L1; barrier v; add b a a; test; jmp L0; "
         "L1:"},
        {"behind the loop", "loop ( add b a a ); store b",
         "L0: test; bz L1; barrier v; add b a a; test; jmp L0; L1: set v>mte3; wait v>mte3; "
         "store b"},
        {"other tiles in each half", "loop ( load a; store b )", NULL},
        {"of two loops", "loop ( load a ); loop ( add b a a )",
         "L0: test; bz L1; load a; test; jmp L0; L1: set mte2>v; wait mte2>v; L2: test; bz L3; "
         "barrier v; add b a a; test; jmp L2; L3:"},
        {"a branch of the next turn", "loop ( if ( read a; store a ); load a )",
         "set mte2>s; set mte2>mte3; L0: test; bz L2; wait mte2>s; wait mte2>mte3; bz L1; read a; "
         "store a; L1: set mte3>mte2; set s>mte2; wait mte3>mte2; wait s>mte2; load a; "
         "set mte2>s; set mte2>mte3; test; jmp L0; L2: wait mte2>s; wait mte2>mte3"},
    };
    expect_pairs(rows, COUNT(rows));
}

/* A loop that is left early: both halves stand in front of the later operation. */
Test(auto_sync, early_ends)
{
    static const struct sync_row rows[] = {
        {"break", "loop ( load a; if ( break ); store a )",
         "L0: test; bz L2; set mte3>mte2; wait mte3>mte2; load a; bz L1; jmp L2; "
         "L1: set mte2>mte3; wait mte2>mte3; store a; test; jmp L0; L2:"},
        {"continue", "loop ( load a; if ( continue ); store a )",
         "L0: test; bz L3; set mte3>mte2; wait mte3>mte2; load a; bz L1; jmp L2; "
         "L1: set mte2>mte3; wait mte2>mte3; store a; L2: test; jmp L0; L3:"},
        {"continue at the end is none", "loop ( load a; if ( store a; continue ) )",
         "set mte3>mte2; L0: test; bz L2; wait mte3>mte2; load a; set mte2>mte3; "
         "wait mte2>mte3; bz L1; store a; jmp L1; L1: set mte3>mte2; test; jmp L0; "
         "L2: wait mte3>mte2"},
    };
    expect_pairs(rows, COUNT(rows));
}

/* Each pair that is alive at the same time has an id of its own; when there is none left, the wait
 * becomes a barrier. */
Test(auto_sync, events_run_out)
{
    struct arena a = {0};
    struct toolchain k = {.auto_sync = true};
    struct codegen_options o = {.toolchain = &k};
    struct strbuf text = strbuf_make(&a);
    struct script s;
    int barriers = 0;
    enum { PAIRS = 20, EVENTS = MAX_FLAG_IDS - 2 };
    for (int i = 0; i < PAIRS; i++)
        strbuf_addf(&text, "load t%d; ", i);
    for (int i = 0; i < PAIRS; i++)
        strbuf_addf(&text, "store t%d; ", i);
    read_script(&s, &a, &o, text.text);
    auto_sync(&s.g.build);
    uint32_t open = 0;
    vec_foreach (const struct insn, i, &s.g.code) {
        barriers += i->op == I_BARRIER;
        if (i->op == I_SET_FLAG) {
            cr_expect(!(open >> i->imm & 1), "two pairs have event %d", (int)i->imm);
            open |= 1u << i->imm;
        }
        if (i->op == I_WAIT_FLAG)
            open &= ~(1u << i->imm);
    }
    cr_expect(open == 0 && barriers == PAIRS - EVENTS, "%d barriers", barriers);
    arena_free(&a);
}

/* ---- which argument an access of a kernel is of ---- */

/* "mte3>mte2 2-3": the pairs by the lines of their two operations, as their waits stand; a barrier
 * as "mte3 3". */
static const char *pairs_text(struct arena *a, const struct program *p, int first_line)
{
    struct strbuf b = strbuf_make(a);
    const struct code *c = p->cores[0].code;
    for (const struct insn *i = c->insns; i < c->insns + c->count; i++) {
        const struct insn *set = c->insns;
        if (i->origin != ORIGIN_AUTO_SYNC || i->op == I_SET_FLAG)
            continue;
        while (set < i && !(set->op == I_SET_FLAG && set->site == i->site))
            set++;
        strbuf_addf(&b, "%s%s", b.len ? ", " : "", pipe_name((enum pipe)i->pa));
        if (i->op == I_WAIT_FLAG)
            strbuf_addf(&b, ">%s %d-%d", pipe_name((enum pipe)i->pb),
                        set->span.line - first_line + 1, i->span.line - first_line + 1);
        else
            strbuf_addf(&b, " %d", i->span.line - first_line + 1);
    }
    return b.text;
}

static struct toolchain synced_toolchain(struct arena *a, int gm, bool scalar)
{
    struct toolchain t = rig_toolchain(a);
    t.auto_sync = true;
    t.auto_sync_gm = gm;
    t.auto_sync_scalar = scalar;
    return t;
}

#define OTHER "1 - pld.system.rank(pld.system.get_comm_ctx(win))"
#define FULL  "t = pl.tile.full([1, 16], dtype=pl.INT32, value=1)\npl.store(t, [0, 0], "

struct root_row {
    const char *name, *functions, *body, *pairs;
};

/* Line 1 fills a tile, line 2 stores it: "v>mte3 1-2" comes from that. */
static void expect_roots(const struct root_row *rows, size_t n, int gm, bool scalar)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = synced_toolchain(&a, gm, scalar);
        const char *functions = rows[i].functions ? rows[i].functions : "";
        const struct program *p =
            rig_compile(&a, rig_text(&a, functions, rows[i].body), &t, RIG_RANKS, &d);
        cr_assert(p, "%s: %s", rows[i].name, diag_text(&d, &a));
        expect_text(rows[i].name, pairs_text(&a, p, RIG_BODY_LINE), rows[i].pairs);
        arena_free(&a);
    }
}

Test(auto_sync, arguments_of_a_kernel)
{
    static const struct root_row rows[] = {
        {"another row of the argument", NULL, FULL "out)\nu = pl.load(out, [1, 0], [1, 16])\n",
         "v>mte3 1-2, mte3>mte2 2-3"},
        {"a slice", NULL,
         FULL "out)\ns = pl.slice(out, [1, 16], [1, 0])\nu = pl.load(s, [0, 0], [1, 16])\n",
         "v>mte3 1-2, mte3>mte2 2-4"},
        {"another shape", NULL,
         FULL "out)\ns = pl.reshape(out, [2, 32])\nu = pl.load(s, [1, 0], [1, 16])\n",
         "v>mte3 1-2, mte3>mte2 2-4"},
        {"what a store returns", NULL,
         "t = pl.tile.full([1, 16], dtype=pl.INT32, value=1)\n"
         "s = pl.store(t, [0, 0], out)\nu = pl.load(s, [0, 0], [1, 16])\n",
         "v>mte3 1-2, mte3>mte2 2-3"},
        {"another argument", NULL, FULL "out)\nu = pl.load(win, [0, 0], [1, 16])\n", "v>mte3 1-2"},
        {"a peer's copy of the window", NULL,
         FULL "win)\nu = pld.tile.remote_load(win, " OTHER ", [1, 0], [1, 16])\n",
         "v>mte3 1-2, mte3>mte2 2-3"},
        {"a store to a peer's copy", NULL,
         FULL "win)\npld.tile.remote_store(t, win, " OTHER ", [1, 0])\n", "v>mte3 1-2, mte3 3"},
        {"a put from it", NULL,
         FULL "out)\nstage = pl.tile.create([4, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)\n"
              "pld.tile.put(win, " OTHER ", out, stage, atomic=pld.AtomicType.None_)\n",
         "v>mte3 1-2, mte3>mte2 2-4"},
        {"a get into it", NULL,
         "stage = pl.tile.create([4, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)\n"
         "u = pl.load(out, [0, 0], [1, 16])\n"
         "pld.tile.get(out, " OTHER ", win, stage)\n",
         "mte2>mte3 2-3"},
        {"scalar load", NULL, FULL "out)\npl.write(half, [0, 0], pl.read(out, [3, 0]))\n",
         "v>mte3 1-2, mte3>s 2-3"},
        {"scalar load of another argument", NULL,
         FULL "out)\npl.write(half, [0, 0], pl.read(x, [3, 0]))\n", "v>mte3 1-2"},
        {"a called function",
         "    @pl.function(type=pl.FunctionType.InCore)\n"
         "    def g(self, y: pl.InOut[pl.Tensor[[4, 16], pl.INT32]]):\n"
         "        u = pl.load(y, [0, 0], [1, 16])\n",
         FULL "out)\nself.g(out)\n", "v>mte3 1-2, mte3>mte2 2-6"},
    };
    expect_roots(rows, COUNT(rows), SYNC_GM_ROOT_ADDPTR, true);
}

Test(auto_sync, arguments_before_peers_and_scalars_counted)
{
    static const struct root_row rows[] = {
        {"another row of the argument", NULL, FULL "out)\nu = pl.load(out, [1, 0], [1, 16])\n",
         "v>mte3 1-2, mte3>mte2 2-3"},
        {"a peer's copy of the window", NULL,
         FULL "win)\nu = pld.tile.remote_load(win, " OTHER ", [1, 0], [1, 16])\n", "v>mte3 1-2"},
        {"scalar load", NULL, FULL "out)\npl.write(half, [0, 0], pl.read(out, [3, 0]))\n",
         "v>mte3 1-2"},
    };
    expect_roots(rows, COUNT(rows), SYNC_GM_ROOT, false);
}

/* Two arguments are two, also when the host passes one tensor twice. */
Test(auto_sync, one_tensor_as_two_arguments)
{
    static const char text[] = "import pypto.language as pl\n"
                               "@pl.program\n"
                               "class T:\n"
                               "    @pl.function(type=pl.FunctionType.InCore)\n"
                               "    def k(self, a: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], "
                               "b: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):\n"
                               "        t = pl.load(a, [0, 0], [1, 16])\n"
                               "        pl.store(t, [0, 0], a)\n"
                               "        u = pl.load(b, [0, 0], [1, 16])\n"
                               "        v = pl.load(a, [0, 0], [1, 16])\n"
                               "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                               "    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):\n"
                               "        self.k(x, x)\n"
                               "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
                               "    def main(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):\n"
                               "        self.chip(x, device=0)\n";
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct toolchain t = synced_toolchain(&a, SYNC_GM_ROOT_ADDPTR, true);
    const struct program *p = rig_compile(&a, text, &t, 1, &d);
    cr_assert(p, "%s", diag_text(&d, &a));
    expect_text("pairs", pairs_text(&a, p, 6), "mte2>mte3 1-2, mte3>mte2 2-4");
    arena_free(&a);
}

/* ---- random tile programs ---- */

enum { PROGRAMS = 120, SEEDS = 4, MAX_DEPTH = 3, MAX_TRANSITIONS = 200 * 1000 };

/* What random programs do with what they store: nothing, read it back, or read it back behind a
 * fence. */
enum read_back { READS_NOTHING, READS_BACK, READS_BEHIND_FENCE };

struct author {
    struct rng rng;
    struct strbuf text;
    enum read_back read_back;
    int depth, loops, in_loops;
};

static const char *pick(struct author *w, const char *const *names, size_t n)
{
    return names[rng_below(&w->rng, n)];
}

static const char *tile_name(struct author *w)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "g"};
    return pick(w, names, w->read_back ? COUNT(names) : 3);
}

static int below(struct author *w, int n)
{
    return (int)rng_below(&w->rng, (uint64_t)n);
}

static void start_line(struct author *w)
{
    strbuf_pad(&w->text, ' ', 4 * (size_t)w->depth);
}

static void write_block(struct author *w, int steps);

static void write_nested(struct author *w, bool loop)
{
    w->depth++;
    w->in_loops += loop;
    write_block(w, 1 + below(w, 4));
    w->in_loops -= loop;
    w->depth--;
}

/* Few rows, so that loads and stores meet. */
static void write_transfer(struct author *w, bool load)
{
    static const char *const tensors[] = {"out", "win"};
    const char *tensor = w->read_back ? pick(w, tensors, COUNT(tensors)) : load ? "x" : "out";
    int row = below(w, w->read_back ? 2 : 4);
    if (load && w->read_back == READS_BEHIND_FENCE) {
        strbuf_add(&w->text, "pl.system.fence()\n");
        start_line(w);
    }
    if (load)
        strbuf_addf(&w->text, "%s = pl.load(%s, [%d, 0], [1, 16])\n", tile_name(w), tensor, row);
    else
        strbuf_addf(&w->text, "pl.store(%s, [%d, 0], %s)\n", tile_name(w), row, tensor);
}

static void write_step(struct author *w)
{
    static const char *const operators[] = {"add", "sub", "mul"};
    struct strbuf *b = &w->text;
    int kind = below(w, w->depth < MAX_DEPTH ? 13 : 10);
    start_line(w);
    if (kind < 3 || (w->read_back && kind < 5))
        write_transfer(w, kind < 3);
    else if (kind < 6)
        strbuf_addf(b, "%s = pl.tile.%s(%s, %s)\n", tile_name(w),
                    pick(w, operators, COUNT(operators)), tile_name(w), tile_name(w));
    else if (kind < 8)
        write_transfer(w, false);
    else if (kind == 8)
        strbuf_addf(b, "pl.write(half, [%d, %d], pl.tile.read(%s, [0, %d]))\n", below(w, 2),
                    below(w, 8), tile_name(w), below(w, 16));
    else if (kind == 9)
        strbuf_addf(b, "pl.tile.write(%s, [0, %d], n + %d)\n", tile_name(w), below(w, 16),
                    below(w, 9));
    else if (kind == 10)
        strbuf_addf(b, "for i%d in pl.range(%d):\n", w->loops++, below(w, 4));
    else if (kind == 12 && w->in_loops)
        strbuf_addf(b, "if n == %d:\n%*s%s\n", 3 + below(w, 3), 4 * (w->depth + 1), "",
                    below(w, 2) ? "break" : "continue");
    else
        strbuf_addf(b, "if n == %d:\n", 3 + below(w, 3));
    if (kind >= 10 && !(kind == 12 && w->in_loops))
        write_nested(w, kind == 10);
}

static void write_block(struct author *w, int steps)
{
    for (int i = 0; i < steps; i++)
        write_step(w);
}

static const char *write_program(struct arena *a, uint64_t seed, enum read_back read_back)
{
    struct author w = {.rng = rng_make(seed, 1), .text = strbuf_make(a), .read_back = read_back};
    for (int i = 0; i < (read_back ? 6 : 3); i++)
        strbuf_addf(&w.text, "%c = pl.load(x, [%d, 0], [1, 16])\n", "abcdeg"[i], i % 4);
    write_block(&w, 12);
    strbuf_add(&w.text, "pl.store(a, [0, 0], out)\npl.store(b, [1, 0], out)\n"
                        "pl.store(c, [2, 0], out)\n");
    return w.text.text;
}

typedef void driver(struct machine *m, const struct drive_options *o, struct drive_result *r);

/* Only what a flag does not promise: a store that has left its pipe and not arrived. */
static bool only_in_flight(const struct finding *f, int n)
{
    for (int i = 0; i < n; i++)
        if (f[i].verdict != V_STALE_READ || f[i].where != W_IN_FLIGHT)
            return false;
    return true;
}

/* One run; memory of all ranks in row order is appended to out. Returns the findings as text, or
 * NULL. */
static const char *run_once(struct arena *a, const struct program *p, const char *model,
                            driver *drive, uint64_t seed, bool flight, struct strbuf *memory)
{
    struct diag d = {.arena = a};
    const struct contract *c = contract_load(a, "models", model, &d);
    cr_assert(c, "%s", diag_text(&d, a));
    struct oracle *o = oracle_new(p);
    struct machine *m = machine_new(p, c, (struct machine_options){.oracle = o, .kernel = true});
    struct drive_options options = {
        .seed = seed, .max_transitions = MAX_TRANSITIONS, .adversary = true};
    struct drive_result result = {0};
    machine_reset(m);
    drive(m, &options, &result);
    oracle_finish(o, m);
    int n;
    const struct finding *f = oracle_findings(o, &n);
    const char *found =
        n ? arena_printf(a, "%s, %s", verdict_name(f[0].verdict), where_name(f[0].where)) : NULL;
    if (flight && only_in_flight(f, n))
        found = NULL;
    if (result.timed_out)
        found = "does not end";
    for (int r = 0; r < p->nranks; r++)
        for (int i = 0; i < p->nregions; i++)
            if (p->regions[i].output)
                strbuf_addn(memory, (const char *)m->gm[r] + p->regions[i].offset,
                            p->regions[i].size);
    machine_free(m);
    oracle_free(o);
    return found;
}

enum sync { SYNC_OFF, SYNC_TILES, SYNC_ALL };

static const struct program *random_program(struct arena *a, uint64_t seed,
                                            enum read_back read_back, enum sync sync)
{
    struct toolchain t = rig_toolchain(a);
    t.kernel_tail = TAIL_BARRIER_DCCI_DSB;
    t.auto_sync = sync != SYNC_OFF;
    t.auto_sync_gm = sync == SYNC_ALL ? SYNC_GM_ROOT_ADDPTR : SYNC_GM_NONE;
    return rig_body(a, "random program", write_program(a, seed, read_back), &t);
}

static void expect_as_under_sc(uint64_t number, enum read_back read_back, driver *drive,
                               const char *name)
{
    struct arena a = {0};
    const struct program *p = random_program(&a, number, read_back, SYNC_ALL);
    struct strbuf golden = strbuf_make(&a);
    bool flight = read_back == READS_BACK;
    const char *found = run_once(&a, p, "sc", drive_timed, 1, false, &golden);
    cr_expect(!found, "program %llu under sc: %s", (unsigned long long)number, found);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct strbuf memory = strbuf_make(&a);
        found = run_once(&a, p, "a2a3", drive, seed, flight, &memory);
        cr_expect(!found, "program %llu, %s, seed %llu: %s\n%s", (unsigned long long)number, name,
                  (unsigned long long)seed, found, write_program(&a, number, read_back));
        bool same = memory.len == golden.len && !memcmp(memory.text, golden.text, golden.len);
        cr_expect(flight || same, "program %llu, %s, seed %llu: other memory than under sc\n%s",
                  (unsigned long long)number, name, (unsigned long long)seed,
                  write_program(&a, number, read_back));
    }
    arena_free(&a);
}

static void expect_programs_as_under_sc(enum read_back read_back)
{
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        expect_as_under_sc(number, read_back, drive_timed, "timed");
        expect_as_under_sc(number, read_back, drive_random, "random");
    }
}

Test(auto_sync, random_programs_end_as_under_sc, .timeout = 300)
{
    expect_programs_as_under_sc(READS_NOTHING);
}

/* With a fence behind each store only loads that are late can go wrong. */
Test(auto_sync, random_programs_that_fence_end_as_under_sc, .timeout = 300)
{
    expect_programs_as_under_sc(READS_BEHIND_FENCE);
}

/* A flag makes nothing visible: a load may miss what is in flight, and nothing else. */
Test(auto_sync, random_programs_miss_what_is_in_flight_only, .timeout = 300)
{
    expect_programs_as_under_sc(READS_BACK);
}

/* Programs of which some run finds something. */
static int programs_that_fail(enum read_back read_back, enum sync sync)
{
    int failed = 0;
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        struct arena a = {0};
        struct strbuf memory = strbuf_make(&a);
        const struct program *p = random_program(&a, number, read_back, sync);
        bool found = false;
        for (uint64_t seed = 1; seed <= SEEDS && !found; seed++)
            found = run_once(&a, p, "a2a3", drive_timed, seed, read_back == READS_BACK, &memory) !=
                    NULL;
        failed += found;
        arena_free(&a);
    }
    return failed;
}

/* The programs of the tests above need the pairs. */
Test(auto_sync, random_programs_fail_without_pairs, .timeout = 300)
{
    int tiles = programs_that_fail(READS_NOTHING, SYNC_OFF),
        fenced = programs_that_fail(READS_BEHIND_FENCE, SYNC_TILES),
        read = programs_that_fail(READS_BACK, SYNC_TILES);
    cr_expect(tiles > PROGRAMS / 2, "tiles: %d of %d programs", tiles, PROGRAMS);
    cr_expect(fenced > PROGRAMS / 8, "fenced: %d of %d programs", fenced, PROGRAMS);
    cr_expect(read > PROGRAMS / 4, "read back: %d of %d programs", read, PROGRAMS);
}
