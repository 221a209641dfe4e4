/* SPDX-License-Identifier: MIT */
/*
 * Flag pairs for tile dependences. Programs are written as a list of steps:
 *
 *     load a       MTE2 writes tile a           store a   MTE3 reads it       fix a    FIX reads it
 *     add c a b    V writes c from a and b      mm c a b  the same on M
 *     read a       the scalar unit reads        write a   and writes an element
 *     barrier      of all pipes                 v>mte3    a set_flag and its wait_flag
 *     bz L0, bnz L0, jmp L0, L0:                branches and their targets
 *
 * What comes out is written in the same way, so that a row reads as before and after.
 */
#include "base/rng.h"
#include "base/strbuf.h"
#include "passes/codegen_internal.h"
#include "sim/driver.h"
#include "sim/oracle.h"
#include "tests/passes/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- from text to instructions ---- */

enum { MAX_LABELS = 4, MAX_STEPS = 64 };

struct script {
    struct gen g;
    int label[MAX_LABELS]; /* instruction, or -1 */
};

static int tile_named(struct gen *g, const char *name, size_t len)
{
    for (size_t i = 0; i < g->tiles.len; i++)
        if (strlen(g->tiles.items[i].name) == len && !strncmp(g->tiles.items[i].name, name, len))
            return (int)i;
    return gen_tile(g, arena_strndup(g->arena, name, len), 1, 8, ELEM_I32, false);
}

static const char *next_word(const char **p, size_t *len)
{
    *p += strspn(*p, " ");
    const char *word = *p;
    *len = strcspn(word, " ;");
    *p += *len;
    return word;
}

static int next_tile(struct gen *g, const char **p)
{
    size_t len;
    const char *word = next_word(p, &len);
    return tile_named(g, word, len);
}

static void emit_dma(struct gen *g, enum insn_op op, int tile)
{
    struct dma d = {.tile = tile, .rows = imm_operand(1), .cols = imm_operand(8), .elem = ELEM_I32};
    vec_push(g->arena, &g->dmas, d);
    struct insn i = insn_make(g, op);
    i.aux = (int32_t)g->dmas.len - 1;
    gen_emit(g, i);
}

static void emit_tile_access(struct gen *g, enum insn_op op, int tile)
{
    struct insn i = insn_make(g, op);
    i.aux = tile;
    i.rd = op == I_TILE_LD ? 0 : NO_REG;
    gen_emit(g, i);
}

static enum pipe pipe_named(const char *name, size_t len)
{
    for (int p = 0; p <= PIPE_S; p++)
        if (strlen(pipe_name((enum pipe)p)) == len && !strncmp(pipe_name((enum pipe)p), name, len))
            return (enum pipe)p;
    cr_assert(false, "no pipe '%.*s'", (int)len, name);
    return PIPE_S;
}

/* Steps with one tile, and how they are issued. */
static const struct {
    const char *name;
    enum insn_op op;
    void (*emit)(struct gen *g, enum insn_op op, int tile);
} tile_steps[] = {
    {"load", I_MTE2, emit_dma},
    {"store", I_MTE3, emit_dma},
    {"fix", I_FIX, emit_dma},
    {"read", I_TILE_LD, emit_tile_access},
    {"write", I_TILE_ST, emit_tile_access},
};

static const struct {
    const char *name;
    enum insn_op op;
} branches[] = {{"bz", I_BZ}, {"bnz", I_BNZ}, {"jmp", I_JMP}};

static bool is_word(const char *word, size_t len, const char *text)
{
    return strlen(text) == len && !strncmp(word, text, len);
}

/* One step, or the label in front of it. A branch holds the number of its label until all are
 * known. */
static void read_step(struct script *s, const char **p)
{
    struct gen *g = &s->g;
    size_t len;
    const char *word = next_word(p, &len), *flag = memchr(word, '>', len);
    for (size_t i = 0; i < COUNT(tile_steps); i++)
        if (is_word(word, len, tile_steps[i].name)) {
            tile_steps[i].emit(g, tile_steps[i].op, next_tile(g, p));
            return;
        }
    for (size_t i = 0; i < COUNT(branches); i++)
        if (is_word(word, len, branches[i].name)) {
            word = next_word(p, &len);
            gen_branch_to(g, branches[i].op, 0, word[1] - '0');
            return;
        }
    if (word[len - 1] == ':') {
        s->label[word[1] - '0'] = gen_here(g);
        read_step(s, p);
    } else if (flag) {
        gen_flags(g, pipe_named(word, (size_t)(flag - word)),
                  pipe_named(flag + 1, len - (size_t)(flag + 1 - word)), 3);
    } else if (is_word(word, len, "barrier")) {
        gen_barrier(g, PIPE_ALL);
    } else {
        bool matrix = is_word(word, len, "mm");
        cr_assert(matrix || is_word(word, len, "add"), "no step '%.*s'", (int)len, word);
        int dst = next_tile(g, p), src[2] = {next_tile(g, p), next_tile(g, p)};
        gen_tile_op(g, TILE_ADD, matrix ? "mm" : "add", matrix ? PIPE_M : PIPE_V, dst, src, 2,
                    imm_operand(0));
    }
}

static void read_script(struct script *s, struct arena *a, const char *text)
{
    *s = (struct script){.g = {.arena = a, .site = -1, .origin = ORIGIN_USER}};
    gen_reg(&s->g, "cond");
    for (const char *p = text; *p; p += *p == ';')
        read_step(s, &p);
    gen_simple(&s->g, I_END);
    vec_foreach (struct insn, i, &s->g.code)
        if (i->op == I_BZ || i->op == I_BNZ || i->op == I_JMP)
            i->imm = s->label[i->imm];
}

/* ---- and back ---- */

/* Labels are numbered by their place. */
static int label_at(const struct gen *g, int index)
{
    int label = 0;
    for (int at = 0; at <= index; at++) {
        bool target = false;
        vec_foreach (struct insn, i, &g->code)
            target |= (i->op == I_BZ || i->op == I_BNZ || i->op == I_JMP) && i->imm == at;
        if (target && at == index)
            return label;
        label += target;
    }
    return -1;
}

static void print_step(struct strbuf *b, const struct gen *g, const struct insn *i)
{
    for (size_t k = 0; k < COUNT(tile_steps); k++)
        if (i->op == tile_steps[k].op) {
            bool dma = tile_steps[k].emit == emit_dma;
            strbuf_addf(b, "%s %s", tile_steps[k].name,
                        g->tiles.items[dma ? g->dmas.items[i->aux].tile : i->aux].name);
        }
    for (size_t k = 0; k < COUNT(branches); k++)
        if (i->op == branches[k].op)
            strbuf_addf(b, "%s L%d", branches[k].name, label_at(g, (int)i->imm));
    if (i->op == I_SET_FLAG)
        strbuf_addf(b, "%s>%s", pipe_name((enum pipe)i->pa), pipe_name((enum pipe)i->pb));
    if (i->op == I_BARRIER)
        strbuf_add(b, "barrier");
    if (i->op == I_TILE_OP) {
        const struct tile_op *t = &g->tile_ops.items[i->aux];
        strbuf_addf(b, "%s %s %s %s", t->name, g->tiles.items[t->dst].name,
                    g->tiles.items[t->src[0]].name, g->tiles.items[t->src[1]].name);
    }
}

static const char *print_script(const struct gen *g)
{
    struct strbuf b = strbuf_make(g->arena);
    for (int n = 0; n < (int)g->code.len; n++) {
        const struct insn *i = &g->code.items[n];
        if (i->op == I_END)
            break;
        if (i->op == I_WAIT_FLAG) { /* the second half of the pair in front of it */
            const struct insn *set = i - 1;
            cr_expect(n > 0 && set->op == I_SET_FLAG && set->pa == i->pa && set->pb == i->pb &&
                          set->imm == i->imm && label_at(g, n) < 0,
                      "a wait_flag without its set_flag");
            continue;
        }
        strbuf_add(&b, b.len ? "; " : "");
        if (label_at(g, n) >= 0)
            strbuf_addf(&b, "L%d: ", label_at(g, n));
        print_step(&b, g, i);
    }
    return b.text;
}

/* ---- the rows ---- */

struct sync_row {
    const char *name, *before, *after; /* after NULL: as before */
};

static void expect_pairs(const struct sync_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct script s;
        read_script(&s, &a, rows[i].before);
        expect_text(rows[i].name, print_script(&s.g), rows[i].before);
        auto_sync(&s.g);
        expect_text(rows[i].name, print_script(&s.g),
                    rows[i].after ? rows[i].after : rows[i].before);
        arena_free(&a);
    }
}

Test(auto_sync, read_after_write)
{
    static const struct sync_row rows[] = {
        {"load, vector", "load a; add b a a", "load a; mte2>v; add b a a"},
        {"vector, store", "add b a a; store b", "add b a a; v>mte3; store b"},
        {"load, store", "load a; store a", "load a; mte2>mte3; store a"},
        {"load, matrix", "load a; mm c a a", "load a; mte2>m; mm c a a"},
        {"matrix, fix", "mm c a a; fix c", "mm c a a; m>fix; fix c"},
        {"matrix, vector", "mm c a a; add d c c", "mm c a a; m>v; add d c c"},
        {"load, scalar", "load a; read a", "load a; mte2>s; read a"},
        {"vector, scalar", "add b a a; read b", "add b a a; v>s; read b"},
        {"a chain", "load a; add b a a; store b", "load a; mte2>v; add b a a; v>mte3; store b"},
        {"two sources of two pipes", "load a; mm c d d; add b a c",
         "load a; mm c d d; mte2>v; m>v; add b a c"},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, write_after_read)
{
    static const struct sync_row rows[] = {
        {"store, load", "store a; load a", "store a; mte3>mte2; load a"},
        {"vector, load", "add b a a; load a", "add b a a; v>mte2; load a"},
        {"store, vector", "store b; add b a a", "store b; mte3>v; add b a a"},
        {"fix, matrix", "fix c; mm c a a", "fix c; fix>m; mm c a a"},
        {"vector, scalar", "add b a a; write a", "add b a a; v>s; write a"},
        {"store, scalar", "store a; write a", "store a; mte3>s; write a"},
        {"the second source", "add b a c; load c", "add b a c; v>mte2; load c"},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, write_after_write)
{
    static const struct sync_row rows[] = {
        {"load, vector", "load a; add a b b", "load a; mte2>v; add a b b"},
        {"vector, load", "add a b b; load a", "add a b b; v>mte2; load a"},
        {"matrix, vector", "mm c a a; add c b b", "mm c a a; m>v; add c b b"},
        {"load, scalar", "load a; write a", "load a; mte2>s; write a"},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, nothing_where_nothing_is_needed)
{
    static const struct sync_row rows[] = {
        {"the same pipe, read after write", "add b a a; add c b b", NULL},
        {"the same pipe, write after read", "add b a a; add a c c", NULL},
        {"the same pipe, write after write", "load a; load a", NULL},
        {"other tiles", "load a; add b c c; store d", NULL},
        {"two pipes that read", "add b a a; store a", NULL},
        {"behind a barrier", "load a; barrier; add b a a; barrier; store b; barrier; load a", NULL},
        {"behind a pair", "load a; mte2>v; add b a a", NULL},
        {"the scalar unit is never behind", "write a; add b a a", NULL},
        {"what nobody reaches", "jmp L0; load a; add b a a; L0: store c", NULL},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, one_pair_serves_what_it_covers)
{
    static const struct sync_row rows[] = {
        {"two tiles of one pipe", "load a; load b; add c a b", "load a; load b; mte2>v; add c a b"},
        {"two uses", "load a; add b a a; add c a a", "load a; mte2>v; add b a a; add c a a"},
        {"another tile loaded before the pair", "load a; load d; add b a a; add c d d",
         "load a; load d; mte2>v; add b a a; add c d d"},
        {"another tile loaded after the pair", "load a; add b a a; load d; add c d d",
         "load a; mte2>v; add b a a; load d; mte2>v; add c d d"},
        {"each pipe needs its own", "load a; add b a a; store a",
         "load a; mte2>v; add b a a; mte2>mte3; store a"},
        {"a pair the other way round", "load a; v>mte2; add b a a",
         "load a; v>mte2; mte2>v; add b a a"},
        {"a pair in front", "mte2>v; load a; add b a a", "mte2>v; load a; mte2>v; add b a a"},
        {"a barrier in front", "barrier; load a; add b a a", "barrier; load a; mte2>v; add b a a"},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, branches)
{
    static const struct sync_row rows[] = {
        {"written on one path, used behind both", "bz L0; add b a a; L0: store b",
         "bz L0; add b a a; L0: v>mte3; store b"},
        {"written on both paths by two pipes", "bz L0; load b; jmp L1; L0: add b a a; L1: store b",
         "bz L0; load b; jmp L1; L0: add b a a; L1: v>mte3; mte2>mte3; store b"},
        {"a pair on one path does not cover the other", "load a; bz L0; add b a a; L0: add c a a",
         "load a; bz L0; mte2>v; add b a a; L0: mte2>v; add c a a"},
        {"pairs on both paths cover what follows",
         "load a; bz L0; add b a a; jmp L1; L0: add c a a; L1: add d a a",
         "load a; bz L0; mte2>v; add b a a; jmp L1; L0: mte2>v; add c a a; L1: add d a a"},
        {"a barrier on one path does not cover the other", "load a; bz L0; barrier; L0: add b a a",
         "load a; bz L0; barrier; L0: mte2>v; add b a a"},
        {"other tiles on the other path", "bz L0; load c; jmp L1; L0: load d; L1: add b a a", NULL},
    };
    expect_pairs(rows, COUNT(rows));
}

Test(auto_sync, loops)
{
    static const struct sync_row rows[] = {
        {"store, then load of the next round", "L0: load a; store a; bnz L0",
         "L0: mte3>mte2; load a; mte2>mte3; store a; bnz L0"},
        {"vector, then load of the next round", "L0: load a; add b a a; bnz L0",
         "L0: v>mte2; load a; mte2>v; add b a a; bnz L0"},
        {"accumulator, stored behind the loop", "L0: load r; add c c r; bnz L0; store c",
         "L0: v>mte2; load r; mte2>v; add c c r; bnz L0; v>mte3; store c"},
        {"one pipe only", "L0: add b b a; bnz L0", NULL},
        {"other tiles in each half", "L0: load a; store b; bnz L0", NULL},
        {"around an inner loop", "L0: load a; L1: add b b a; bnz L1; bnz L0",
         "L0: v>mte2; load a; L1: mte2>v; add b b a; bnz L1; bnz L0"},
        {"with the test on top", "L0: bz L1; load a; store a; jmp L0; L1: load a",
         "L0: bz L1; mte3>mte2; load a; mte2>mte3; store a; jmp L0; L1: mte3>mte2; load a"},
    };
    expect_pairs(rows, COUNT(rows));
}

/* ---- random tile programs ---- */

enum { PROGRAMS = 120, SEEDS = 4, MAX_DEPTH = 3, MAX_TRANSITIONS = 200 * 1000 };

struct author {
    struct rng rng;
    struct strbuf text;
    int depth, loops, left;
};

static const char *pick(struct author *w, const char *const *names, size_t n)
{
    return names[rng_below(&w->rng, n)];
}

static const char *tile_name(struct author *w)
{
    static const char *const names[] = {"a", "b", "c"};
    return pick(w, names, COUNT(names));
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

/* No step reads what the program stores: only the order of tiles can go wrong. */
static void write_step(struct author *w)
{
    static const char *const operators[] = {"add", "sub", "mul"};
    struct strbuf *b = &w->text;
    int kind = below(w, w->depth < MAX_DEPTH ? 12 : 10);
    start_line(w);
    if (kind < 3)
        strbuf_addf(b, "%s = pl.load(x, [%d, 0], [1, 16])\n", tile_name(w), below(w, 4));
    else if (kind < 6)
        strbuf_addf(b, "%s = pl.tile.%s(%s, %s)\n", tile_name(w),
                    pick(w, operators, COUNT(operators)), tile_name(w), tile_name(w));
    else if (kind < 8)
        strbuf_addf(b, "pl.store(%s, [%d, 0], out)\n", tile_name(w), below(w, 4));
    else if (kind == 8)
        strbuf_addf(b, "pl.write(half, [%d, %d], pl.tile.read(%s, [0, %d]))\n", below(w, 2),
                    below(w, 8), tile_name(w), below(w, 16));
    else if (kind == 9)
        strbuf_addf(b, "pl.tile.write(%s, [0, %d], n + %d)\n", tile_name(w), below(w, 16),
                    below(w, 9));
    else if (kind == 10)
        strbuf_addf(b, "for i%d in pl.range(%d):\n", w->loops++, below(w, 4));
    else
        strbuf_addf(b, "if n == %d:\n", 3 + below(w, 3));
    if (kind >= 10) {
        w->depth++;
        write_block(w, 1 + below(w, 4));
        w->depth--;
    }
}

static void write_block(struct author *w, int steps)
{
    for (int i = 0; i < steps; i++)
        write_step(w);
}

static const char *write_program(struct arena *a, uint64_t seed)
{
    struct author w = {.rng = rng_make(seed, 1), .text = strbuf_make(a)};
    strbuf_add(&w.text, "a = pl.load(x, [0, 0], [1, 16])\nb = pl.load(x, [1, 0], [1, 16])\n"
                        "c = pl.load(x, [2, 0], [1, 16])\n");
    write_block(&w, 12);
    strbuf_add(&w.text, "pl.store(a, [0, 0], out)\npl.store(b, [1, 0], out)\n"
                        "pl.store(c, [2, 0], out)\n");
    return w.text.text;
}

typedef void driver(struct machine *m, const struct drive_options *o, struct drive_result *r);

/* One run; memory of all ranks in row order is appended to out. Returns the findings as text, or
 * NULL. */
static const char *run_once(struct arena *a, const struct program *p, const char *model,
                            driver *drive, uint64_t seed, struct strbuf *memory)
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

static const struct program *random_program(struct arena *a, uint64_t seed, bool sync)
{
    struct toolchain t = rig_toolchain(a);
    t.kernel_tail = TAIL_BARRIER_DCCI_DSB;
    t.auto_sync = sync;
    return rig_body(a, "random program", write_program(a, seed), &t);
}

static void expect_as_under_sc(uint64_t number, driver *drive, const char *name)
{
    struct arena a = {0};
    const struct program *p = random_program(&a, number, true);
    struct strbuf golden = strbuf_make(&a);
    const char *found = run_once(&a, p, "sc", drive_timed, 1, &golden);
    cr_expect(!found, "program %llu under sc: %s", (unsigned long long)number, found);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct strbuf memory = strbuf_make(&a);
        found = run_once(&a, p, "a2a3", drive, seed, &memory);
        cr_expect(!found, "program %llu, %s, seed %llu: %s\n%s", (unsigned long long)number, name,
                  (unsigned long long)seed, found, write_program(&a, number));
        cr_expect(memory.len == golden.len && !memcmp(memory.text, golden.text, golden.len),
                  "program %llu, %s, seed %llu: other memory than under sc\n%s",
                  (unsigned long long)number, name, (unsigned long long)seed,
                  write_program(&a, number));
    }
    arena_free(&a);
}

Test(auto_sync, random_programs_end_as_under_sc, .timeout = 300)
{
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        expect_as_under_sc(number, drive_timed, "timed");
        expect_as_under_sc(number, drive_random, "random");
    }
}

/* The programs of the test above need the pairs: without them the oracle sees tiles used too early
 * or too late. */
Test(auto_sync, random_programs_fail_without_pairs, .timeout = 300)
{
    int tile_findings = 0;
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        struct arena a = {0};
        struct strbuf memory = strbuf_make(&a);
        const struct program *p = random_program(&a, number, false);
        const char *found = run_once(&a, p, "a2a3", drive_timed, 1, &memory);
        tile_findings += found && strstr(found, where_name(W_TILE)) != NULL;
        arena_free(&a);
    }
    cr_expect(tile_findings > PROGRAMS / 2, "%d of %d programs", tile_findings, PROGRAMS);
}
