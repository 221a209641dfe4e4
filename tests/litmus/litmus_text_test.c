/* SPDX-License-Identifier: MIT */
/* The litmus language: text to program, canonical text, and every error with its caret. */
#include "base/rng.h"
#include "base/strbuf.h"
#include "litmus/herd.h"
#include "litmus/tree.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- instructions ---- */

/* Windows of the rows below: x at byte 0 (two lines), y at 128, s and u on the line at 192. */
static const char frame[] =
    "GM t\n{ x[32]; y = 5; line s, u[3] }\nP0 | P1 ;\n%s | ;\nexists (true)\n";

struct insn_row {
    const char *cell, *listing;
};

static const struct insn_row insn_rows[] = {
    {"ld r0, x", "ld r0, [x[0]@0]"},
    {"ld r63, x[31]@1", "ld r63, [x[31]@1]"},
    {"st y, 7", "st [y[0]@0], 7"},
    {"st y@1, r3", "st [y[0]@1], r3"},
    {"st y, -2147483648", "st [y[0]@0], -2147483648"},
    {"st y, 2147483647", "st [y[0]@0], 2147483647"},
    {"st y, 0xffffffff", "st [y[0]@0], -1"},
    {"st.atomic s@1, 2", "st.atomic [s[0]@1], 2"},
    {"ld.dev r1, u[2]", "ld.dev r1, [u[2]@0]"},
    {"st.dev u[1], r1", "st.dev [u[1]@0], r1"},
    {"dcci x[16]", "dcci [x[16]@0]"},
    {"dcci all", "dcci all"},
    {"dsb", "dsb"},
    {"nop", "nop"},
    {"barrier all", "barrier all"},
    {"barrier v", "barrier v"},
    {"barrier m", "barrier m"},
    {"barrier mte1", "barrier mte1"},
    {"barrier mte2", "barrier mte2"},
    {"barrier mte3", "barrier mte3"},
    {"barrier fix", "barrier fix"},
    {"set_flag mte2, mte3, 0", "set_flag mte2, mte3, 0"},
    {"set_flag s, fix, 15", "set_flag s, fix, 15"},
    {"wait_flag mte3, s, 7", "wait_flag mte3, s, 7"},
    {"mte2 t3, x[5]@1", "mte2 t3, [x[5]@1], 1 x 1 int32"},
    {"mte3 x, 4", "mte3 [x[0]@0], 4"},
    {"mte3 x, r2", "mte3 [x[0]@0], r2"},
    {"mte3 x@1, t0", "mte3 [x[0]@1], t0, 1 x 1 int32"},
    {"mte3.add x, -1", "mte3.add [x[0]@0], -1"},
    {"fix y@1, 3", "fix [y[0]@1], 3"},
    {"fix.add y, t1", "fix.add [y[0]@0], t1, 1 x 1 int32"},
    {"wait s >= 1", "poll [s[0]@0] >= 1"},
    {"wait s@1 == r4", "poll [s[0]@1] == r4"},
    /* hw-facts 1.1 */
    {"notify.add s@1, 1", "dcci [s[0]@1]; st.atomic [s[0]@1], 1; dcci [s[0]@1]; dsb; barrier all"},
    {"notify.set s@1, r0", "dcci [s[0]@1]; st [s[0]@1], r0; dcci [s[0]@1]; dsb; barrier all"},
    /* hw-facts 1.3, single shot: no barrier, nothing holds the scalar unit */
    {"tput x@1, y",
     "mte2 stage, [y[0]@0], 1 x 1 int32; set_flag mte2, mte3, 0; wait_flag mte2, mte3, 0; "
     "mte3 [x[0]@1], stage, 1 x 1 int32; set_flag mte3, mte2, 1; wait_flag mte3, mte2, 1"},
    {"tget y, x[3]@1",
     "mte2 stage, [x[3]@1], 1 x 1 int32; set_flag mte2, mte3, 0; wait_flag mte2, mte3, 0; "
     "mte3 [y[0]@0], stage, 1 x 1 int32; set_flag mte3, mte2, 1; wait_flag mte3, mte2, 1"},
    {"m1: dsb", "dsb"},
    /* flags between cores: pypto-ops-facts 3.4, 3.5 */
    {"wait.dev s >= 2", "poll.dev [s[0]@0] >= 2"},
    {"wait.dev s u>= 2", "poll.dev [s[0]@0] u>= 2"},
    {"set_cross mte3, 2, 0", "set_cross mte3, mode 2, 0"},
    {"set_cross s, 0, 15", "set_cross s, mode 0, 15"},
    {"wait_cross 7", "wait_cross 7"},
    {"set_atomic add", "set_atomic add"},
    {"set_atomic none", "set_atomic none"},
    {"syncall aiv_only", "barrier all; set_cross mte3, mode 0, 14; wait_cross 14"},
    {"syncall aic_only", "barrier all; set_cross fix, mode 0, 11; wait_cross 11"},
    {"syncall mix", "barrier all; set_cross mte3, mode 2, 12; wait_cross 13"},
    {"syncall.soft s, 3",
     "barrier all; dsb; ld.dev r0, [s[0]@0]; dcci [s[0]@0]; st.atomic [s[0]@0], 1; dcci [s[0]@0]; "
     "dsb; div r0, r0, 3; add r0, r0, 1; mul r0, r0, 3; poll.dev [s[0]@0] >= r0; dsb; barrier all"},
};

Test(litmus_parse, instructions)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(insn_rows); i++) {
        const struct insn_row *r = &insn_rows[i];
        struct litmus_test *t = rig_test(&a, arena_printf(&a, frame, r->cell));
        expect_text(r->cell, rig_listing(&a, t->program, 0), r->listing);
        expect_text("the empty cell", rig_listing(&a, t->program, 1), "");
    }
    arena_free(&a);
}

/* A cube core meets the others of its kind for its vector cores too; its lane and cluster are those
 * that its column names. */
Test(litmus_parse, lanes)
{
    struct arena a = {0};
    const struct program *p =
        rig_test(&a, "GM t { s } P0.aic | P0.2.aiv1 | P0.1.aiv0 ; syncall mix | nop | nop ; "
                     "exists (true)")
            ->program;
    expect_text("mix", rig_listing(&a, p, 0),
                "barrier all; wait_cross 12; set_cross fix, mode 0, 11; wait_cross 11; set_cross "
                "mte3, mode 2, 13");
    static const struct {
        enum lane lane;
        int cluster, index;
        const char *name;
    } cores[] = {
        {LANE_AIC, 0, 0, "0.aic"}, {LANE_AIV1, 2, 8, "0.2.aiv1"}, {LANE_AIV0, 1, 4, "0.1.aiv0"}};
    for (int c = 0; c < 3; c++) {
        const struct core_desc *x = &p->cores[c];
        cr_expect(x->lane == cores[c].lane && x->cluster == cores[c].cluster &&
                      x->index == cores[c].index,
                  "%s is core %d of cluster %d", cores[c].name, x->index, x->cluster);
        expect_text("name", program_core_name(p, c, &a), cores[c].name);
    }
    arena_free(&a);
}

/* `fence` is the toolchain's (hw-facts 1.7); nothing else is. */
Test(litmus_parse, fence_by_toolchain)
{
    static const struct {
        const char *toolchain, *fence;
    } rows[] = {
        {"ptoas-0.50", "barrier mte2; barrier mte3; barrier fix; dsb"},
        {"ptoas-0.52", "barrier mte2; barrier mte3; barrier fix; dsb"},
        {"ptoas-0.57", "barrier all; dsb"},
        {"proposed", "barrier all; dsb"},
    };
    static const char notify[] =
        "dcci [s[0]@1]; st.atomic [s[0]@1], 1; dcci [s[0]@1]; dsb; barrier all";
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct toolchain *k = rig_toolchain(&a, rows[i].toolchain);
        const struct source *src = source_from_string(
            &a, "t.litmus", "GM t { s } P0 | P1 ; fence | notify.add s@1, 1 ; exists (true)");
        struct diag d = {.arena = &a};
        struct litmus_test *t = litmus_parse(&a, src, k, &d);
        cr_assert(t, "%s", diag_text(&d, &a));
        expect_text(rows[i].toolchain, rig_listing(&a, t->program, 0), rows[i].fence);
        expect_text(rows[i].toolchain, rig_listing(&a, t->program, 1), notify);
    }
    arena_free(&a);
}

/* An immediate DMA store is one pipe operation and needs no tile; registers are numbered as
 * written. */
Test(litmus_parse, registers_and_tiles)
{
    struct arena a = {0};
    struct litmus_test *t = rig_test(
        &a, "GM t { x } P0 | P1 ; mte3 x, 1 | tput x, x ; ld r2, x | mte2 t1, x ; exists (true)");
    const struct code *c0 = t->program->cores[0].code, *c1 = t->program->cores[1].code;
    cr_expect_eq(c0->ntiles, 0);
    cr_expect_eq(c0->nregs, 3);
    cr_expect_eq(c1->nregs, 0);
    cr_expect_eq(c1->ntiles, 3, "t0, t1 and the stage");
    cr_expect_eq(c1->tile_bytes, 12);
    cr_expect_eq(c0->ndmas, 1);
    cr_expect(c0->dmas[0].immediate);
    arena_free(&a);
}

/* ---- sites, spans, notifies ---- */

Test(litmus_parse, every_instruction_is_one_site)
{
    struct arena a = {0};
    struct litmus_test *t =
        rig_test(&a, "GM t\n{ x; s }\nP0 | P1 ;\nst x, 1 | a: wait s >= 1 ;\n"
                     "b: notify.add s@1, 1 | ;\n | c.1: ld r0, x ;\nexists (true)\n");
    const struct program *p = t->program;
    struct strbuf b = strbuf_make(&a);
    for (int c = 0; c < p->ncores; c++)
        for (int i = 0; i < p->cores[c].code->count; i++) {
            const struct insn *n = &p->cores[c].code->insns[i];
            strbuf_addf(&b, "%d:%d:%d+%d%s%s ", n->site, n->span.line, n->span.col, n->span.len,
                        n->flags & INSN_NOTIFY ? " notify" : "", n->op == I_END ? " end" : "");
        }
    expect_text("site:line:column+length", b.text,
                "0:4:1+7 1:5:4+17 1:5:4+17 notify 1:5:4+17 1:5:4+17 1:5:4+17 -1:0:0+0 end "
                "2:4:14+11 3:6:9+8 -1:0:0+0 end ");
    cr_expect_eq(p->nsites, 4);
    expect_text("site text", p->sites[1].what, "notify.add s@1, 1");
    cr_expect_eq(t->labels.len, 3);
    cr_expect_eq(t->labels.items[0].site, 2, "a");
    cr_expect_eq(t->labels.items[1].site, 1, "b");
    cr_expect_eq(t->labels.items[2].site, 3, "c.1");
    arena_free(&a);
}

Test(litmus_parse, removing_a_label)
{
    struct arena a = {0};
    struct litmus_test *t =
        rig_test(&a, "GM t { x; s } P0 ; st x, 1 ; m: notify.add s, 1 ; n: dsb ; exists (true)");
    const struct litmus_test *v = litmus_without(&a, t, "m");
    const struct code *c = v->program->cores[0].code;
    expect_text("name", v->name, "t-m");
    for (int i = 0; i < c->count; i++)
        cr_expect_eq(!!(c->insns[i].flags & INSN_REMOVED), i >= 1 && i <= 5, "instruction %d", i);
    for (int i = 0; i < t->program->cores[0].code->count; i++)
        cr_expect(!(t->program->cores[0].code->insns[i].flags & INSN_REMOVED), "the test itself");
    cr_expect_neq(v->hash, t->hash);
    cr_expect_neq(v->hash, litmus_without(&a, t, "n")->hash);
    cr_expect_eq(v->hash, litmus_without(&a, t, "m")->hash);
    arena_free(&a);
}

/* ---- layout ---- */

struct layout_row {
    const char *init;
    int ranks;
    const char *regions; /* name:offset+bytes */
    int32_t first;       /* word at offset 0 of the last rank */
};

static const struct layout_row layout_rows[] = {
    {"{ }", 1, "", 0},
    {"{ x }", 1, "x:0+4", 0},
    {"{ x = 9; }", 1, "x:0+4", 9},
    {"{ x = -3; ranks = 4 }", 4, "x:0+4", -3},
    {"{ ranks = 1; x }", 1, "x:0+4", 0},
    {"{ x; y }", 1, "x:0+4 y:64+4", 0},
    {"{ x[16]; y }", 1, "x:0+64 y:64+4", 0},
    {"{ x[17]; y }", 1, "x:0+68 y:128+4", 0},
    {"{ line a, b[4], c; d }", 1, "a:0+4 b:4+16 c:20+4 d:64+4", 0},
    {"{ line a = 2, b[15] }", 1, "a:0+4 b:4+60", 2},
    {"{ line a }", 1, "a:0+4", 0},
    {"{ s; v; mte2 }", 1, "s:0+4 v:64+4 mte2:128+4", 0}, /* pipes are no keywords here */
};

Test(litmus_parse, layout)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(layout_rows); i++) {
        const struct layout_row *r = &layout_rows[i];
        const char *text = arena_printf(&a, "GM t %s P0 ; nop ; exists (true)", r->init);
        const struct program *p = rig_test(&a, text)->program;
        struct strbuf b = strbuf_make(&a);
        for (int g = 0; g < p->nregions; g++)
            strbuf_addf(&b, "%s%s:%d+%d", g ? " " : "", p->regions[g].name,
                        (int)p->regions[g].offset, (int)p->regions[g].size);
        int32_t first;
        memcpy(&first, p->gm_init[p->nranks - 1], sizeof first);
        expect_text(r->init, b.text, r->regions);
        cr_expect_eq(p->nranks, r->ranks, "%s: %d ranks", r->init, p->nranks);
        cr_expect_eq(first, r->first, "%s: starts at %d", r->init, first);
        cr_expect_eq(p->grain, 4);
        for (int g = 0; g < p->nregions; g++)
            cr_expect(!p->regions[g].output && !p->regions[g].uninitialised);
    }
    arena_free(&a);
}

/* Ranks follow from the columns, wherever they are not given. */
Test(litmus_parse, ranks_in_use)
{
    static const struct {
        const char *text;
        int ranks, cores;
    } rows[] = {
        {"GM t { x } P0 ; nop ; exists (true)", 1, 1},
        {"GM t { x } P2 ; nop ; exists (true)", 3, 1},
        {"GM t { x } P2 ; st x@1, 1 ; exists (x@0=0)", 3, 1},
        {"GM t { x } P0 | P4 ; st x@3, 1 | ; exists (true)", 5, 2},
        {"GM t { x; ranks = 5 } P0 ; st x@4, 1 ; exists (x@3=0)", 5, 1},
        {"GM t { x } P0.1 | P0 | P1.3 ; nop | | ; exists (true)", 2, 3},
    };
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct program *p = rig_test(&a, rows[i].text)->program;
        cr_expect_eq(p->nranks, rows[i].ranks, "%s: %d ranks", rows[i].text, p->nranks);
        cr_expect_eq(p->ncores, rows[i].cores, "%s: %d cores", rows[i].text, p->ncores);
    }
    const struct program *p = rig_test(&a, rows[5].text)->program;
    cr_expect(p->cores[0].rank == 0 && p->cores[0].index == 1);
    cr_expect(p->cores[1].rank == 0 && p->cores[1].index == 0);
    cr_expect(p->cores[2].rank == 1 && p->cores[2].index == 3);
    arena_free(&a);
}

/* ---- conditions ---- */

struct cond_row {
    const char *written, *canonical, *observed;
};

static const struct cond_row cond_rows[] = {
    {"exists (0:r0=1)", "exists (0:r0=1)", "0:r0"},
    {"exists 0:r0=1", "exists (0:r0=1)", "0:r0"},
    {"forall (0.0:r0 = 0x10)", "forall (0:r0=16)", "0:r0"},
    {"~exists (0.1:t2=-4)", "~exists (0.1:t2=-4)", "0.1:t2"},
    {"~ exists (y=1)", "~exists (y=1)", "y"},
    {"exists (y@0=1)", "exists (y@0=1)", "y@0"},
    {"exists (y[0]=1)", "exists (y=1)", "y"},
    {"exists (x=1)", "exists (x[0]=1)", "x[0]"},
    {"exists (x[3]@1=7)", "exists (x[3]@1=7)", "x[3]@1"},
    {"exists (true)", "exists (true)", ""},
    {"exists (deadlock=1)", "exists (deadlock=1)", ""},
    /* ~ binds tightest, then /\, then \/; both to the left */
    {"exists (y=1 \\/ y=2 /\\ y=3)", "exists (y=1 \\/ y=2 /\\ y=3)", "y"},
    {"exists ((y=1 \\/ y=2) /\\ y=3)", "exists ((y=1 \\/ y=2) /\\ y=3)", "y"},
    {"exists (y=1 /\\ (y=2 /\\ y=3))", "exists (y=1 /\\ (y=2 /\\ y=3))", "y"},
    {"exists ((y=1 /\\ y=2) /\\ y=3)", "exists (y=1 /\\ y=2 /\\ y=3)", "y"},
    {"exists ~y=1 /\\ y=2", "exists (~y=1 /\\ y=2)", "y"},
    {"exists ~(y=1 /\\ y=2)", "exists (~(y=1 /\\ y=2))", "y"},
    {"exists ~~y=1", "exists (~~y=1)", "y"},
    /* what a state shows: each place once, in byte order */
    {"exists (y=1 /\\ 0:r0=1 /\\ y@1=1 /\\ y=2 /\\ y@0=3)",
     "exists (y=1 /\\ 0:r0=1 /\\ y@1=1 /\\ y=2 /\\ y@0=3)", "0:r0 y y@1"},
    {"exists (0:r10=1 /\\ 0:r2=1 /\\ 0:r1=1)", "exists (0:r10=1 /\\ 0:r2=1 /\\ 0:r1=1)",
     "0:r1 0:r10 0:r2"},
};

Test(litmus_parse, conditions)
{
    static const char text[] = "GM t { x[4]; y; ranks = 2 } P0 | P0.1 ; ld r0, x | mte2 t2, x ; "
                               "ld r1, x | ; ld r2, x | ; ld r10, x | ; %s";
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(cond_rows); i++) {
        const struct cond_row *r = &cond_rows[i];
        struct litmus_test *t = rig_test(&a, arena_printf(&a, text, r->written));
        const char *printed = litmus_print(&a, t),
                   *line = strrchr(arena_strndup(&a, printed, strlen(printed) - 1), '\n');
        expect_text(r->written, line + 1, r->canonical);
        struct strbuf b = strbuf_make(&a);
        vec_foreach (const struct litmus_cond *, c, &t->observed)
            strbuf_addf(&b, "%s%s", b.len ? " " : "", (*c)->name);
        expect_text(r->written, b.text, r->observed);
    }
    arena_free(&a);
}

/* The condition in a log is as written, on one line. */
Test(litmus_parse, condition_text)
{
    struct arena a = {0};
    struct litmus_test *t =
        rig_test(&a, "GM t { y } P0 ; nop ;\n~exists\n  (y =1 (* why *) /\\\n\ty=2)\n# end");
    expect_text("condition", t->cond_text, "(y =1 /\\ y=2)");
    arena_free(&a);
}

/* ---- canonical text ---- */

static const char full[] =
    "GM MP+full.1[a]-b/c_2\n"
    "\"what it is about; # no comment (* nor this *)\" (* a (* nested *) comment *)\n"
    "{ x[32]; y = 5;   line s, u[3], v = -1; # to the end of the line ; }\n ranks=3 }\n"
    "P0 | P1.0 | P1.1 ;\n"
    "a:mte3 x[3]@1,1|ld r9,x[3]|;\n"
    "|wait s>=1|b: tput y@2, y;\n"
    "set_flag s, mte3, 2||nop;\n"
    "expect a2a3 Never;\n"
    "filter y =5 locations [x[3]@1 ;1:r9]\n"
    "expect a2a3-blocking -a Sometimes ;\n"
    "expect sc -b Always ;\n"
    "~exists (1:r9=0 \\/ deadlock=1)";

static const char full_canonical[] = "GM MP+full.1[a]-b/c_2\n"
                                     "\"what it is about; # no comment (* nor this *)\"\n"
                                     "{ x[32]; y = 5; line s, u[3], v = -1; ranks = 3 }\n"
                                     " P0                  | P1          | P1.1           ;\n"
                                     " a: mte3 x[3]@1, 1   | ld r9, x[3] | b: tput y@2, y ;\n"
                                     " set_flag s, mte3, 2 | wait s >= 1 | nop            ;\n"
                                     "expect a2a3 Never ;\n"
                                     "expect a2a3-blocking -a Sometimes ;\n"
                                     "expect sc -b Always ;\n"
                                     "locations [x[3]@1; 1:r9;]\n"
                                     "filter (y=5)\n"
                                     "~exists (1:r9=0 \\/ deadlock=1)\n";

Test(litmus_parse, canonical_text)
{
    struct arena a = {0};
    struct litmus_test *t = rig_test(&a, full), *again = rig_test(&a, full_canonical);
    expect_text("canonical", litmus_print(&a, t), full_canonical);
    expect_text("canonical of canonical", litmus_print(&a, again), full_canonical);
    cr_expect_eq(t->hash, again->hash);
    arena_free(&a);
}

/* Every instruction of the table above survives the round trip as well. */
Test(litmus_parse, round_trip)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(insn_rows); i++) {
        struct litmus_test *t = rig_test(&a, arena_printf(&a, frame, insn_rows[i].cell));
        struct litmus_test *again = rig_test(&a, litmus_print(&a, t));
        cr_expect_eq(t->hash, again->hash, "%s", insn_rows[i].cell);
        expect_text(insn_rows[i].cell, rig_listing(&a, again->program, 0), insn_rows[i].listing);
    }
    arena_free(&a);
}

/* Equal tests have equal hashes whatever they are called; other programs and conditions have
 * others. */
Test(litmus_parse, hash)
{
    static const struct {
        const char *text;
        bool equal;
    } rows[] = {
        {"GM t { x } P0 ; st x, 1 ; exists (x=1)", true},
        {"GM other \"doc\"\n{ x; ranks = 1 }\nP0.0 ;\nm: st x[0], 0x1 ;\nexpect sc Never ;\nexists "
         "x=1",
         true},
        {"GM t { x } P0 ; st x, 2 ; exists (x=1)", false},
        {"GM t { x } P0 ; st x, 1 ; exists (x=2)", false},
        {"GM t { x } P0 ; st x, 1 ; forall (x=1)", false},
        {"GM t { x = 1 } P0 ; st x, 1 ; exists (x=1)", false},
        {"GM t { x; ranks = 2 } P0 ; st x, 1 ; exists (x=1)", false},
        {"GM t { x } P0 ; st x, 1 ; dsb ; exists (x=1)", false},
        {"GM t { x; y } P0 ; st x, 1 ; exists (x=1)", false},
        {"GM t { x } P0 ; st x, 1 ; locations [x] exists (x=1)", false},
        {"GM t { x } P0 ; st x, 1 ; filter (x=1) exists (x=1)", false},
    };
    struct arena a = {0};
    uint64_t hash = rig_test(&a, rows[0].text)->hash;
    for (size_t i = 1; i < COUNT(rows); i++)
        cr_expect_eq(rig_test(&a, rows[i].text)->hash == hash, rows[i].equal, "%s", rows[i].text);
    struct diag d = {.arena = &a};
    const struct source *src = source_from_string(&a, "t", rows[0].text);
    cr_expect_neq(litmus_parse(&a, src, rig_toolchain(&a, "ptoas-0.52"), &d)->hash, hash);
    arena_free(&a);
}

/* ---- errors ---- */

struct error_row {
    const char *name, *text, *message;
};

#define HEAD "GM t\n{ x[4]; y; ranks = 2 }\nP0 | P1 ;\n"
#define TAIL "\nexists (true)\n"
/* One bad cell in the first column, on line 4. */
#define CELL(cell) HEAD cell " | nop ;" TAIL
#define AT(where, message, line, caret)                                                            \
    "t.litmus:" where ": error: " message "\n" line "\n      | " caret "\n"

static const struct error_row error_rows[] = {
    /* suggestions */
    {"a misspelt quantifier", HEAD "st y, 1 | ;\nexist (y=1)\n",
     AT("5:1", "unknown instruction 'exist'; did you mean 'exists'?", "    5 | exist (y=1)",
        "^~~~~")},
    {"a misspelt expectation", HEAD "st y, 1 | ;\nexpct sc Never ;\nexists (y=1)\n",
     AT("5:1", "unknown instruction 'expct'; did you mean 'expect'?", "    5 | expct sc Never ;",
        "^~~~~")},
    {"a misspelt verdict", HEAD "st y, 1 | ;\nexpect sc Nver ;\nexists (y=1)\n",
     AT("5:11", "expected Never, Sometimes or Always, found 'Nver'; did you mean 'Never'?",
        "    5 | expect sc Nver ;", "          ^~~~")},
    {"a misspelt pipe", CELL("barrier mte"),
     AT("4:9",
        "expected a pipe (v, mte1, mte2, mte3, m or fix) or 'all', found 'mte'; did you mean "
        "'mte1'?",
        "    4 | barrier mte | nop ;", "        ^~~")},
    {"a misspelt deadlock", HEAD "st y, 1 | ;\nexists (deadlok=1)\n",
     AT("5:9", "'deadlok' is not declared between '{' and '}'; did you mean 'deadlock'?",
        "    5 | exists (deadlok=1)", "        ^~~~~~~")},
    {"deadlock in a cell", CELL("st deadlok, 1"),
     AT("4:4", "'deadlok' is not declared between '{' and '}'", "    4 | st deadlok, 1 | nop ;",
        "   ^~~~~~~")},
    /* "rank = 3" would be a location, and the test have two ranks */
    {"misspelt ranks", "GM t\n{ x; rank = 3 }\nP0 | P1 ;\nst x, 1 | ;\nexists (x=1)\n",
     AT("2:6", "nothing uses the location 'rank'; did you mean 'ranks'?", "    2 | { x; rank = 3 }",
        "     ^~~~")},
    {"misspelt ranks that are missed", "GM t\n{ x; ranxs = 3 }\nP0 ;\nst x@2, 1 ;\nexists (x=1)\n",
     AT("2:6", "nothing uses the location 'ranxs'; did you mean 'ranks'?",
        "    2 | { x; ranxs = 3 }", "     ^~~~~")},
    {"a row without an end", HEAD "st y, 1 |\n| dsb ;\nexists (y=1)\n",
     AT("4:10", "expected ';' at the end of the row, found '|'", "    4 | st y, 1 |",
        "         ^")},
    {"the last row without an end", HEAD "st y, 1 |\nexists (y=1)\n",
     AT("4:10", "expected ';' at the end of the row, found 'exists'", "    4 | st y, 1 |",
        "         ^")},
    /* locations and filter */
    {"no bracket", HEAD "st y, 1 | ;\nlocations y;\nexists (true)\n",
     AT("5:11", "expected '[' after 'locations', found 'y'", "    5 | locations y;",
        "          ^")},
    {"no location", HEAD "st y, 1 | ;\nlocations [];\nexists (true)\n",
     AT("5:12", "expected a location or register to show, such as x@1 or 1:r0, found ']'",
        "    5 | locations [];", "           ^")},
    {"undeclared", HEAD "st y, 1 | ;\nlocations [z;]\nexists (true)\n",
     AT("5:12", "'z' is not declared between '{' and '}'; did you mean 'x'?",
        "    5 | locations [z;]", "           ^")},
    {"a value in locations", HEAD "st y, 1 | ;\nlocations [y=1]\nexists (true)\n",
     AT("5:13", "expected ']' or ';' after a location to show, found '='",
        "    5 | locations [y=1]", "            ^")},
    {"twice", HEAD "st y, 1 | ;\nlocations [y]\nlocations [x]\nexists (true)\n",
     AT("6:1", "a test has 'locations' once", "    6 | locations [x]", "^~~~~~~~~")},
    {"two filters", HEAD "st y, 1 | ;\nfilter (y=1)\nfilter (y=2)\nexists (true)\n",
     AT("6:1", "a test has 'filter' once", "    6 | filter (y=2)", "^~~~~~")},
    {"no filter", HEAD "st y, 1 | ;\nfilter\nexists (true)\n",
     AT("6:1", "'exists' is not declared between '{' and '}'", "    6 | exists (true)", "^~~~~~")},
    /* header */
    {"empty", "",
     AT("1:1", "expected 'GM' and the name of the test, found the end of the file", "    1 | ",
        "^")},
    {"other architecture", "AArch64 t\n",
     AT("1:1", "expected 'GM' and the name of the test, found 'AArch64'", "    1 | AArch64 t",
        "^~~~~~~")},
    {"no name", "GM { x }",
     AT("1:4", "expected the name of the test after 'GM', found '{'", "    1 | GM { x }", "   ^")},
    {"odd name", "GM a,b { x }",
     AT("1:4", "a name consists of letters, digits and the characters _ / . - + [ ]",
        "    1 | GM a,b { x }", "   ^~~")},
    {"string", "GM t \"doc\n{ x }",
     AT("1:6", "this string does not end on its line", "    1 | GM t \"doc", "     ^")},
    {"comment", "GM t\n(* doc\n{ x }",
     AT("2:1", "this comment does not end; expected '*)'", "    2 | (* doc", "^~")},
    /* initial block */
    {"no block", "GM t\nP0 ;\n",
     AT("1:5", "expected '{' and the declarations of the test, found 'P0'", "    1 | GM t",
        "    ^")},
    {"number for a name", "GM t\n{ 4 }",
     AT("2:3", "expected a name to declare, found '4'", "    2 | { 4 }", "  ^")},
    {"register for a name", "GM t\n{ r1 }",
     AT("2:3", "'r1' cannot be declared: it has a meaning of its own", "    2 | { r1 }", "  ^~")},
    {"word for a name", "GM t\n{ all }",
     AT("2:3", "'all' cannot be declared: it has a meaning of its own", "    2 | { all }",
        "  ^~~")},
    {"twice", "GM t\n{ x; line y, x }",
     AT("2:14", "'x' is declared twice", "    2 | { x; line y, x }", "             ^")},
    {"no semicolon", "GM t\n{ x y }",
     AT("2:5", "expected ';' or '}' after a declaration, found 'y'", "    2 | { x y }", "    ^")},
    {"no words", "GM t\n{ x[0] }",
     AT("2:5", "an array has 1 to 4096 words", "    2 | { x[0] }", "    ^")},
    {"many words", "GM t\n{ x[4097] }",
     AT("2:5", "an array has 1 to 4096 words", "    2 | { x[4097] }", "    ^~~~")},
    {"large window", "GM t\n{ x[4096]; y }",
     AT("2:12", "the names up to here need more than 16384 bytes", "    2 | { x[4096]; y }",
        "           ^")},
    {"array value", "GM t\n{ x[4] = 1 }",
     AT("2:8", "expected ';' or '}' after a declaration, found '='", "    2 | { x[4] = 1 }",
        "       ^")},
    {"large value", "GM t\n{ x = 2147483648 }",
     AT("2:7", "expected an int32 after '=', found '2147483648'", "    2 | { x = 2147483648 }",
        "      ^~~~~~~~~~")},
    {"long line", "GM t\n{ line a, b[16] }",
     AT("2:8", "the names of this line need 68 bytes, a line has 64", "    2 | { line a, b[16] }",
        "       ^~~~~~~~")},
    {"ranks twice", "GM t\n{ ranks = 1; ranks = 2 }",
     AT("2:14", "'ranks' is given twice", "    2 | { ranks = 1; ranks = 2 }",
        "             ^~~~~")},
    {"no ranks", "GM t\n{ ranks = 0 }",
     AT("2:11", "a test has 1 to 1024 ranks", "    2 | { ranks = 0 }", "          ^")},
    {"many ranks", "GM t\n{ ranks = 1025 }",
     AT("2:11", "a test has 1 to 1024 ranks", "    2 | { ranks = 1025 }", "          ^~~~")},
    /* columns */
    {"no column", "GM t\n{ x }\nst x, 1 ;",
     AT("3:1", "expected a core such as P0, P1.0 or P0.aiv1, found 'st'", "    3 | st x, 1 ;",
        "^~")},
    {"column twice", "GM t\n{ x }\nP0 | P0.0 ;",
     AT("3:6", "core 0 of rank 0 has a column already", "    3 | P0 | P0.0 ;", "     ^~~~")},
    {"no such lane", "GM t\n{ x }\nP0.aiv2 ;",
     AT("3:1",
        "expected a core such as P0, P1.0 or P0.aiv1, found 'P0.aiv2'; did you mean 'P0.aiv0'?",
        "    3 | P0.aiv2 ;", "^~~~~~~")},
    {"lane twice", "GM t\n{ x }\nP0.aiv1 | P0.0.aiv1 ;",
     AT("3:11", "core 2 of rank 0 has a column already", "    3 | P0.aiv1 | P0.0.aiv1 ;",
        "          ^~~~~~~~~")},
    {"mode of a set", "GM t\n{ x }\nP0.aiv1 ;\nset_cross mte3, 3, 0 ;",
     AT("4:17", "expected a mode from 0 to 2, found '3'", "    4 | set_cross mte3, 3, 0 ;",
        "                ^")},
    {"who meets", "GM t\n{ x }\nP0.aiv1 ;\nsyncall all ;",
     AT("4:9", "expected aiv_only, aic_only or mix, found 'all'", "    4 | syncall all ;",
        "        ^~~")},
    {"how many meet", "GM t\n{ x }\nP0.aiv1 ;\nsyncall.soft x, 0 ;",
     AT("4:17", "expected a number of cores from 1 to 32, found '0'", "    4 | syncall.soft x, 0 ;",
        "                ^")},
    {"rank of a column", "GM t\n{ ranks = 2 }\nP2 ;",
     AT("3:1", "rank 2 is out of range: the test has ranks 0 to 1", "    3 | P2 ;", "^~")},
    {"large rank", "GM t\n{ }\nP1024 ;",
     AT("3:1", "rank 1024 is out of range: a test has at most 1024 ranks", "    3 | P1024 ;",
        "^~~~~")},
    {"many cores", "GM t\n{ }\nP0.32 ;",
     AT("3:1", "a test has at most 32 cores", "    3 | P0.32 ;", "^~~~~")},
    {"unended columns", "GM t\n{ x }\nP0 | P1\nst x, 1 | ;",
     AT("3:8", "expected ';' or '|' after a core, found 'st'", "    3 | P0 | P1", "       ^")},
    {"no instruction", "GM t\n{ x }\nP0 | P1 ;\n | ;\nexists (true)",
     AT("3:1", "the table has no instruction", "    3 | P0 | P1 ;", "^~")},
    /* rows */
    {"few cells", HEAD "nop ;" TAIL,
     AT("4:5", "this row has 1 cell, the table 2 columns", "    4 | nop ;", "    ^")},
    {"many cells", HEAD "nop | nop | nop ;" TAIL,
     AT("4:11", "this row has more cells than the table's 2 columns", "    4 | nop | nop | nop ;",
        "          ^")},
    {"no semicolon in a row", HEAD "nop | nop\nnop | nop ;" TAIL,
     AT("4:10", "expected ';' at the end of the row, found 'nop'", "    4 | nop | nop",
        "         ^")},
    {"no bar", HEAD "nop nop | nop ;" TAIL,
     AT("4:5", "expected '|' or the rest of the cell, found 'nop'", "    4 | nop nop | nop ;",
        "    ^~~")},
    {"unknown instruction", CELL("ldd r0, x"),
     AT("4:1", "unknown instruction 'ldd'; did you mean 'ld'?", "    4 | ldd r0, x | nop ;",
        "^~~")},
    {"nothing near", CELL("frobnicate x"),
     AT("4:1", "unknown instruction 'frobnicate'", "    4 | frobnicate x | nop ;", "^~~~~~~~~~")},
    {"mark for an instruction", CELL("= x"),
     AT("4:1", "expected an instruction, found '='", "    4 | = x | nop ;", "^")},
    {"label alone", CELL("a:"),
     AT("4:4", "expected an instruction after the label, found '|'", "    4 | a: | nop ;", "   ^")},
    {"label twice", HEAD "a: nop | a: nop ;" TAIL,
     AT("4:10", "the label 'a' stands on line 4 already", "    4 | a: nop | a: nop ;",
        "         ^")},
    {"label that is a number", CELL("1: nop"),
     AT("4:1", "expected a label that starts with a letter, found '1'", "    4 | 1: nop | nop ;",
        "^")},
    /* operands */
    {"undeclared", CELL("st z, 1"),
     AT("4:4", "'z' is not declared between '{' and '}'; did you mean 'x'?",
        "    4 | st z, 1 | nop ;", "   ^")},
    {"undeclared, nothing near", CELL("st signal, 1"),
     AT("4:4", "'signal' is not declared between '{' and '}'", "    4 | st signal, 1 | nop ;",
        "   ^~~~~~")},
    {"index", CELL("st x[4], 1"),
     AT("4:6", "index 4 is out of range: 'x' has 4 words", "    4 | st x[4], 1 | nop ;", "     ^")},
    {"negative index", CELL("st x[-1], 1"),
     AT("4:6", "index -1 is out of range: 'x' has 4 words", "    4 | st x[-1], 1 | nop ;",
        "     ^~")},
    {"index of a word", CELL("st y[1], 1"),
     AT("4:6", "index 1 is out of range: 'y' has 1 word", "    4 | st y[1], 1 | nop ;", "     ^")},
    {"register for an index", CELL("st x[r0], 1"),
     AT("4:6", "expected an index, found 'r0'", "    4 | st x[r0], 1 | nop ;", "     ^~")},
    {"rank of a location", CELL("st x@2, 1"),
     AT("4:6", "rank 2 is out of range: the test has ranks 0 to 1", "    4 | st x@2, 1 | nop ;",
        "     ^")},
    {"rank that no column has", "GM t\n{ x }\nP0 | P1 ;\nst x@2, 1 | nop ;\nexists (true)",
     AT("4:6", "no column is of rank 2: a rank without one needs 'ranks = 3' between '{' and '}'",
        "    4 | st x@2, 1 | nop ;", "     ^")},
    {"rank of the condition that no column has", "GM t\n{ x }\nP0 ;\nnop ;\nexists (x@1=0)",
     AT("5:11", "no column is of rank 1: a rank without one needs 'ranks = 2' between '{' and '}'",
        "    5 | exists (x@1=0)", "          ^")},
    {"negative rank", CELL("st x@-1, 1"),
     AT("4:6", "a rank is not negative", "    4 | st x@-1, 1 | nop ;", "     ^~")},
    {"no rank", CELL("st x@, 1"),
     AT("4:6", "expected a rank after '@', found ','", "    4 | st x@, 1 | nop ;", "     ^")},
    {"no comma", CELL("st x 1"),
     AT("4:6", "expected ',' before the next operand, found '1'", "    4 | st x 1 | nop ;",
        "     ^")},
    {"no operand", CELL("st x,"),
     AT("4:7", "expected an integer or a scalar register (r0 to r63), found '|'",
        "    4 | st x, | nop ;", "      ^")},
    {"too many operands", CELL("dsb all"),
     AT("4:5", "expected '|' or the rest of the cell, found 'all'", "    4 | dsb all | nop ;",
        "    ^~~")},
    {"tile in a scalar load", CELL("ld t0, x"),
     AT("4:4", "expected a scalar register (r0 to r63), found 't0'", "    4 | ld t0, x | nop ;",
        "   ^~")},
    {"scalar in a DMA load", CELL("mte2 r0, x"),
     AT("4:6", "expected a tile register (t0 to t63), found 'r0'", "    4 | mte2 r0, x | nop ;",
        "     ^~")},
    {"tile in a scalar store", CELL("st x, t0"),
     AT("4:7", "expected an integer or a scalar register (r0 to r63), found 't0'",
        "    4 | st x, t0 | nop ;", "      ^~")},
    {"location for a value", CELL("st x, y"),
     AT("4:7", "expected an integer or a scalar register (r0 to r63), found 'y'",
        "    4 | st x, y | nop ;", "      ^")},
    {"location in a DMA store", CELL("mte3 x, y"),
     AT("4:9", "expected an integer or a register (r0 to r63, t0 to t63), found 'y'",
        "    4 | mte3 x, y | nop ;", "        ^")},
    {"value for a location", CELL("st 1, x"),
     AT("4:4", "expected a location, found '1'", "    4 | st 1, x | nop ;", "   ^")},
    {"register number", CELL("ld r64, x"),
     AT("4:4", "expected a scalar register (r0 to r63), found 'r64'", "    4 | ld r64, x | nop ;",
        "   ^~~")},
    {"leading zero", CELL("ld r00, x"),
     AT("4:4", "expected a scalar register (r0 to r63), found 'r00'", "    4 | ld r00, x | nop ;",
        "   ^~~")},
    {"large integer", CELL("st x, 4294967296"),
     AT("4:7", "expected an integer or a scalar register (r0 to r63), found '4294967296'",
        "    4 | st x, 4294967296 | nop ;", "      ^~~~~~~~~~")},
    {"dcci of a number", CELL("dcci 3"),
     AT("4:6", "expected a location or 'all', found '3'", "    4 | dcci 3 | nop ;", "     ^")},
    {"barrier of s", CELL("barrier s"),
     AT("4:9", "expected a pipe (v, mte1, mte2, mte3, m or fix) or 'all', found 's'",
        "    4 | barrier s | nop ;", "        ^")},
    {"flag of all", CELL("set_flag all, v, 0"),
     AT("4:10", "expected a pipe (v, mte1, mte2, mte3, m or fix) or 's', found 'all'",
        "    4 | set_flag all, v, 0 | nop ;", "         ^~~")},
    {"flag to itself", CELL("wait_flag s, s, 0"),
     AT("4:14", "a flag goes from one pipe to another one", "    4 | wait_flag s, s, 0 | nop ;",
        "             ^")},
    {"flag id", CELL("set_flag s, v, 16"),
     AT("4:16", "expected a flag id from 0 to 15, found '16'", "    4 | set_flag s, v, 16 | nop ;",
        "               ^~")},
    {"comparison", CELL("wait y, 1"),
     AT("4:7", "expected '>=' or '==' after the signal, found ','", "    4 | wait y, 1 | nop ;",
        "      ^")},
    {"character", CELL("st x, $"),
     AT("4:7", "unexpected character '$'", "    4 | st x, $ | nop ;", "      ^")},
    {"byte", CELL("st x, \x7f"),
     AT("4:7", "unexpected byte 0x7f", "    4 | st x, \x7f | nop ;", "      ^")},
    /* expectations */
    {"no model", HEAD "nop | ;\nexpect ;" TAIL,
     AT("5:8", "expected the name of a machine contract after 'expect', found ';'",
        "    5 | expect ;", "       ^")},
    {"no verdict", HEAD "nop | ;\nexpect sc Maybe ;" TAIL,
     AT("5:11", "expected Never, Sometimes or Always, found 'Maybe'", "    5 | expect sc Maybe ;",
        "          ^~~~~")},
    {"unknown label", HEAD "m1: nop | ;\nexpect sc -m2 Never ;" TAIL,
     AT("5:11", "no instruction has the label 'm2'; did you mean 'm1'?",
        "    5 | expect sc -m2 Never ;", "          ^~~")},
    {"expected twice", HEAD "nop | ;\nexpect sc Never ;\nexpect sc Always ;" TAIL,
     AT("6:1", "there is an expectation for this on line 5 already", "    6 | expect sc Always ;",
        "^~~~~~~~~~~~~~~~~~")},
    {"open expectation", HEAD "nop | ;\nexpect sc Never" TAIL,
     AT("5:16", "expected ';' after an expectation, found 'exists'", "    5 | expect sc Never",
        "               ^")},
    /* conditions */
    {"no condition", HEAD "nop | ;\n",
     AT("4:8", "expected a condition: 'exists', '~exists' or 'forall', found the end of the file",
        "    4 | nop | ;", "       ^")},
    {"row behind an expectation", HEAD "nop | ;\nexpect sc Never ;\nnop | ;",
     AT("6:1", "expected a condition: 'exists', '~exists' or 'forall', found 'nop'",
        "    6 | nop | ;", "^~~")},
    {"only a tilde", HEAD "nop | ;\n~(true)",
     AT("5:2", "expected 'exists' after '~', found '('", "    5 | ~(true)", " ^")},
    {"~forall", HEAD "nop | ;\n~forall (true)",
     AT("5:2", "expected 'exists' after '~', found 'forall'", "    5 | ~forall (true)", " ^~~~~~")},
    {"empty condition", HEAD "nop | ;\nexists ()",
     AT("5:9", "expected a condition such as 1:r0=0, x[3]@1=7, deadlock=1 or true, found ')'",
        "    5 | exists ()", "        ^")},
    {"open parenthesis", HEAD "nop | ;\nexists (true",
     AT("5:13", "expected ')' or a connective (/\\, \\/), found the end of the file",
        "    5 | exists (true", "            ^")},
    {"text behind", HEAD "nop | ;\nexists (true) nop",
     AT("5:15", "expected the end of the file after the condition, found 'nop'",
        "    5 | exists (true) nop", "              ^~~")},
    {"second condition", HEAD "nop | ;\nexists (true)\nforall (x[0]=1)",
     AT("6:1", "a test has one condition; this one would never be evaluated",
        "    6 | forall (x[0]=1)", "^~~~~~")},
    {"second condition, negated", HEAD "nop | ;\nexists (true) ~exists (y=1)",
     AT("5:15", "a test has one condition; this one would never be evaluated",
        "    5 | exists (true) ~exists (y=1)", "              ^")},
    {"no such core", HEAD "ld r0, x | ;\nexists (2:r0=0)",
     AT("5:9", "the table has no column P2", "    5 | exists (2:r0=0)", "        ^")},
    {"no such core of a rank", HEAD "ld r0, x | ;\nexists (0.1:r0=0)",
     AT("5:9", "the table has no column P0.1", "    5 | exists (0.1:r0=0)", "        ^~~")},
    {"unknown register", HEAD "ld r0, x | ;\nexists (0:r1=0)",
     AT("5:11", "no instruction of P0 uses r1", "    5 | exists (0:r1=0)", "          ^~")},
    {"register of another core", HEAD "ld r0, x | ;\nexists (1:r0=0)",
     AT("5:11", "no instruction of P1 uses r0", "    5 | exists (1:r0=0)", "          ^~")},
    {"unknown tile", HEAD "ld r0, x | ;\nexists (0:t0=0)",
     AT("5:11", "no instruction of P0 uses t0", "    5 | exists (0:t0=0)", "          ^~")},
    {"no register", HEAD "ld r0, x | ;\nexists (0:x=0)",
     AT("5:11", "expected a register (r0 to r63, t0 to t63), found 'x'", "    5 | exists (0:x=0)",
        "          ^")},
    {"location out of range", HEAD "nop | ;\nexists (x[4]=0)",
     AT("5:11", "index 4 is out of range: 'x' has 4 words", "    5 | exists (x[4]=0)",
        "          ^")},
    {"undeclared in a condition", HEAD "nop | ;\nexists (z=0)",
     AT("5:9", "'z' is not declared between '{' and '}'; did you mean 'x'?", "    5 | exists (z=0)",
        "        ^")},
    {"no value", HEAD "nop | ;\nexists (x)",
     AT("5:10", "expected '=' and the final value, found ')'", "    5 | exists (x)", "         ^")},
    {"register for a value", HEAD "nop | ;\nexists (x=r0)",
     AT("5:11", "expected an int32, found 'r0'", "    5 | exists (x=r0)", "          ^~")},
    {"deadlock", HEAD "nop | ;\nexists (deadlock=2)",
     AT("5:9", "deadlock is 0 or 1", "    5 | exists (deadlock=2)", "        ^~~~~~~~~~")},
};

Test(litmus_parse, errors)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(error_rows); i++) {
        struct diag d = {.arena = &a};
        const struct error_row *r = &error_rows[i];
        struct litmus_test *t = rig_parse(&a, r->text, &d);
        cr_expect(!t, "%s: accepted", r->name);
        expect_text(r->name, diag_text(&d, &a), r->message);
    }
    arena_free(&a);
}

/* ---- bounds ---- */

/* head, n times item with its number, tail. */
static const char *repeated(struct arena *a, const char *head, const char *item, int n,
                            const char *tail)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, head);
    for (int i = 0; i < n; i++)
        strbuf_add(&b, item);
    strbuf_add(&b, tail);
    return b.text;
}

struct bound_row {
    const char *name, *head, *item, *tail;
    int most; /* that many are accepted, one more is not */
    const char *message;
};

static const struct bound_row bound_rows[] = {
    {"rows", "GM t { } P0 ;\n", "nop ;\n", "exists (true)", LITMUS_ROWS,
     "a table has at most 200 rows"},
    {"atoms", "GM t { } P0 ; nop ; exists true", " /\\ true", "", LITMUS_ATOMS - 1,
     "a condition has at most 256 atoms"},
    {"parentheses", "GM t { } P0 ; nop ; exists ", "(", "true", LITMUS_NESTING,
     "a condition nests at most 100 deep"},
    {"negations", "GM t { } P0 ; nop ; exists ", "~", "true", LITMUS_NESTING,
     "a condition nests at most 100 deep"},
};

Test(litmus_parse, bounds)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(bound_rows); i++) {
        const struct bound_row *r = &bound_rows[i];
        bool closes = r->item[0] == '(';
        const char *tail = closes ? repeated(&a, r->tail, ")", r->most, "") : r->tail;
        rig_test(&a, repeated(&a, r->head, r->item, r->most, tail));
        struct diag d = {.arena = &a};
        cr_expect(!rig_parse(&a, repeated(&a, r->head, r->item, r->most + 1, tail), &d), "%s",
                  r->name);
        expect_text(r->name, d.message, r->message);
    }
    arena_free(&a);
}

Test(litmus_parse, as_many_cores_as_allowed)
{
    struct arena a = {0};
    struct strbuf b = strbuf_make(&a);
    strbuf_add(&b, "GM t { } P0");
    for (int i = 1; i < LITMUS_CORES; i++)
        strbuf_addf(&b, " | P%d", i);
    const char *rest = repeated(&a, " ;\nnop", "|", LITMUS_CORES - 1, " ; exists (true)");
    cr_expect_eq(rig_test(&a, arena_printf(&a, "%s%s", b.text, rest))->program->ncores,
                 LITMUS_CORES);
    struct diag d = {.arena = &a};
    cr_expect(!rig_parse(&a, arena_printf(&a, "%s | P%d ;", b.text, LITMUS_CORES), &d));
    expect_text("one more", d.message, "a test has at most 32 cores");
    arena_free(&a);
}

/* ---- broken text never does worse than an error ---- */

/* Parses; a test that parses must print, and print again, to itself. */
static void survives(const char *text)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct litmus_test *t = rig_parse(&a, text, &d);
    cr_assert(t || d.failed, "neither a test nor an error:\n%s", text);
    if (t) {
        const char *printed = litmus_print(&a, t);
        expect_text(text, litmus_print(&a, rig_test(&a, printed)), printed);
    } else {
        cr_expect(strstr(diag_text(&d, &a), "^"), "an error without a place:\n%s", text);
    }
    arena_free(&a);
}

Test(litmus_parse, truncated_at_every_byte)
{
    struct arena a = {0};
    for (size_t n = 0; n <= strlen(full); n++)
        survives(arena_strndup(&a, full, n));
    arena_free(&a);
}

Test(litmus_parse, mutated)
{
    static const char bytes[] = "|;:,@[](){}=~\"#*/\\ \n-.0r9PxsGMt\x80";
    struct arena a = {0};
    struct rng rng = rng_make(1, 0);
    for (int run = 0; run < 4000; run++) {
        char *text = arena_strdup(&a, full);
        for (int k = (int)rng_below(&rng, 4); k >= 0; k--)
            text[rng_below(&rng, sizeof full - 1)] = bytes[rng_below(&rng, sizeof bytes - 1)];
        survives(text);
    }
    arena_free(&a);
}

Test(litmus, answers_have_names)
{
    EXPECT_NAMES(litmus_quantifier_name, enum litmus_quantifier, LITMUS_QUANTIFIER_COUNT);
    EXPECT_NAMES(litmus_kind_name, enum litmus_quantifier, LITMUS_QUANTIFIER_COUNT);
    EXPECT_NAMES(litmus_verdict_name, enum litmus_verdict, LITMUS_VERDICT_COUNT);
}

/* ---- herd's spelling ---- */

/* Names that herd's readers of logs accept (grammar: herdtools7, tools/lexLog_tools.mll and
 * lib/stateLexer.mll), and that stay different from each other. */
static const struct {
    const char *written, *herd;
} herd_rows[] = {
    {"0:r0=1", "(0:r0=1)"},
    {"0.1:t2=-4", "(0:c1.t2=-4)"},
    {"1.aiv0:t0=1", "(1:aiv0.t0=1)"},
    {"1.2.aic:t0=1", "(1:c2.aic.t0=1)"},
    {"y=1", "(y=1)"},
    {"x[3]@1=7", "(x.1[3]=7)"},
    {"y@1=1 \\/ ~y@0=1", "(y.1=1 \\/ ~y.0=1)"},
    /* "y.2" is a name of its own */
    {"y.2=1 /\\ y@2=1", "(y.2=1 /\\ _y.2=1)"},
    /* words of the grammar, and what would end the states */
    {"and=1 /\\ P1=1", "(_and=1 /\\ _P1=1)"},
    {"Node=1 /\\ Node@1=2", "(_Node=1 /\\ _Node.1=2)"},
    {"and@1=1", "(and.1=1)"},
    {"deadlock=1 /\\ true", "(deadlock=1 /\\ true)"},
};

Test(litmus_herd, names)
{
    static const char text[] =
        "GM t { x[4]; y; y.2; and; P1; Node; ranks = 3 } P0 | P0.1 | P1.aiv0 | P1.2.aic ; "
        "ld r0, x | mte2 t2, x | mte2 t0, x | mte2 t0, x ; exists (%s)";
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(herd_rows); i++) {
        struct litmus_test *t = rig_test(&a, arena_printf(&a, text, herd_rows[i].written));
        expect_text(herd_rows[i].written, litmus_herd_condition(&a, t), herd_rows[i].herd);
    }
    arena_free(&a);
}

/* The values stay with their names, which are in the order of the names as written. */
Test(litmus_herd, states)
{
    struct arena a = {0};
    struct litmus_test *t =
        rig_test(&a, "GM t { x; y } P0 | P0.1 | P1 ; ld r0, x | ld r0, x | nop ;"
                     "exists (x@1=1 /\\ 0.1:r0=2 /\\ 0:r0=3)");
    expect_text("a state", litmus_herd_state(&a, t, "0.1:r0=-2; 0:r0=3; x@1=1;"),
                "0:c1.r0=-2; 0:r0=3; x.1=1;");
    expect_text("stuck", litmus_herd_state(&a, t, "0.1:r0=-2; 0:r0=3; x@1=1; deadlock=1;"),
                "0:c1.r0=-2; 0:r0=3; x.1=1; deadlock=1;");
    t = rig_test(&a, "GM t { x } P0 ; nop ; exists (deadlock=1)");
    expect_text("nothing", litmus_herd_state(&a, t, ""), "");
    expect_text("only stuck", litmus_herd_state(&a, t, "deadlock=1;"), "deadlock=1;");
    arena_free(&a);
}
