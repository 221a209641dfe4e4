/* SPDX-License-Identifier: MIT */
/*
 * Promela models of litmus tests: whole texts, rule by rule what stands in them and what does not,
 * the form of all models of the catalogue, and what cannot be translated.
 */
#include "litmus/promela/promela.h"

#include <ctype.h>
#include <fts.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "tests/case_files.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- whole texts ---- */

static const char store_load[] = "GM A\n{ x = 5 }\nP0 ;\nst x, 1 ;\nld r0, x ;\nexists (0:r0=1)\n";
static const char *model_of(struct arena *a, const char *text, const struct contract *k)
{
    struct diag d = {.arena = a};
    const char *model = litmus_promela(a, rig_test(a, text), k, &d);
    cr_assert(model, "%s", diag_text(&d, a));
    return model;
}

static void answer(struct case_file *c, void *ctx)
{
    (void)ctx;
    const char *contract = case_option(c, "contract");
    cr_assert(contract, "%s: contract=?", c->path);
    case_answer(c, ".pml", model_of(c->arena, c->source->text, rig_contract(c->arena, contract)));
}

Test(cases, promela)
{
    cr_expect(expect_cases("promela", answer, NULL));
}

/* ---- rule by rule ---- */

/* A contract key that no shipped contract has. */
enum change {
    AS_IT_IS,
    WORDS,       /* writeback = word */
    TAIL,        /* dcci_unaligned = tail_only */
    DSB_SCALARS, /* dsb_waits = scalar */
    DSB_ALL,     /* dsb_waits = all_dma */
    EGRESS,      /* ack = egress */
    REGISTER     /* st_dev = register */
};

static const struct contract *changed(struct arena *a, const char *model, enum change change)
{
    struct contract *k = arena_dup(a, rig_contract(a, model), sizeof *k);
    k->writeback = change == WORDS ? WRITEBACK_WORD : k->writeback;
    k->dcci_unaligned = change == TAIL ? DCCI_TAIL_ONLY : k->dcci_unaligned;
    k->dsb_waits = change == DSB_SCALARS ? DSB_SCALAR
                   : change == DSB_ALL   ? DSB_ALL_DMA
                                         : k->dsb_waits;
    k->ack = change == EGRESS ? ACK_EGRESS : k->ack;
    k->st_dev = change == REGISTER ? ST_DEV_REGISTER : k->st_dev;
    return k;
}

struct rule_row {
    const char *what, *model;
    enum change change;
    const char *cells; /* P0's and P1's column, without the row's end */
    const char *has, *lacks;
};

/* Locations: x of two lines, y and z on one line, s. */
static const char rule_frame[] = "GM t\n{ x[32]; line y, z; s; ranks = 2 }\nP0 | P1 ;\n%s ;\n"
                                 "exists (%s)\n";

static const struct rule_row rules[] = {
    /* channels (docs/machine.md, deliver) */
    {"per path", "a2a3", AS_IT_IS, "st x@1, 1 | ; mte3 y@1, 1 |", "chan P0_dma_to1 = [1]",
     "_line_"},
    {"per pair", "a2a3-fifo", AS_IT_IS, "st x@1, 1 | ; mte3 y@1, 1 |", "chan P0_to1 = [2]",
     "_dma_to"},
    {"per line and path", "weakest", AS_IT_IS, "st.dev y@1, 1 | ; mte3 z@1, 1 |",
     "chan P0_scalar_line_y_at1 = [1] of { mtype, byte };\n"
     "chan P0_dma_line_y_at1 = [1] of { mtype, byte };",
     "_to1"},
    {"register writes", "a2a3", REGISTER, "st y@1, 1 | ; st.dev s@1, 1 |",
     "chan P0_register_to1 = [1]", "P0_scalar_to1 = [2]"},
    {"apart from all others to the rank", "a2a3-fifo", REGISTER, "mte3 y@1, 1 | ; st.dev s@1, 1 |",
     "chan P0_to1 = [1] of { mtype, byte };\nchan P0_register_to1 = [1]", "P0_to1 = [2]"},
    {"and per line", "weakest", REGISTER, "st.dev y@1, 1 | ; st.dev z@1, 1 |",
     "chan P0_register_line_y_at1 = [2]", "_scalar"},
    /* a message for each store at the most */
    {"bound", "a2a3", AS_IT_IS, "st y@1, 1 | ; st z@1, 1 | ; st.dev x@1, 1 |",
     "chan P0_scalar_to1 = [3] of { mtype, byte, byte };", "[4]"},
    /* write-backs */
    {"word", "a2a3", WORDS, "st y, 1 | ; st z, 1 | ; dcci y |", "P0_y_at0_dirty | 2",
     "P0_y_at0_dirty = true"},
    {"only the words that are dirty land", "a2a3", WORDS, "st y, 1 | ; st z, 1 | ; dcci y |",
     "?line_y_at0, carried, v0, v1; gm_y_at0 = (carried & 1 -> v0 : gm_y_at0)", "gm_y_at0, gm_"},
    {"tail", "a2a3", TAIL, "st y, 1 | ; st z, 1 | ; dcci z |", "P0_y_at0_clean(2);", "clean(3)"},
    {"align down", "a2a3", WORDS, "st y, 1 | ; st z, 1 | ; dcci z |", "P0_y_at0_clean(3);",
     "clean(2)"},
    {"adds before the write", "a2a3", AS_IT_IS, "st y, 1 | ; st.atomic z, 1 |",
     "       P0_y_at0_pending = false\n    :: else\n    fi;\n    if\n    :: P0_y_at0_dirty ->",
     "skip"},
    /* misses */
    {"a fill waits for own messages", "a2a3", AS_IT_IS, "st y, 1 | ; ld r0, z |",
     "(P0_y_at0_valid || P0_y_at0_flying == 0);",
     "P1_"
     "y_at0"},
    {"none can be", "a2a3", AS_IT_IS, "ld r0, z |", "P0_r0 = P0_z_at0;", "flying"},
    {"dead register", "a2a3", AS_IT_IS, "ld r1, z |", "P0_z_at0_valid = true", "P0_r1"},
    /* dsb */
    {"dsb, posted", "a2a3", AS_IT_IS, "mte3 s@1, 1 | ; dsb |", "(P0_s_at1_dma_flying == 0);",
     "(P0_mte3_queue == 0)"},
    {"dsb, scalar", "a2a3", DSB_SCALARS, "mte3 s@1, 1 | ; dsb |", "P0_dma_to1!put_s_at1, 1;",
     "flying"},
    {"dsb, all", "a2a3", DSB_ALL, "mte3 s@1, 1 | ; dsb |",
     "(P0_s_at1_dma_flying == 0) && (P0_mte3_queue == 0);", "at0:"},
    {"dsb, egress", "a2a3", EGRESS, "mte3 s@1, 1 | ; mte3 s, 1 | ; dsb |",
     "(P0_s_at0_dma_flying == 0);", "P0_s_at1_dma_flying"},
    /* barriers */
    {"barrier, queue local", "a2a3", AS_IT_IS, "mte3 s, 1 | ; barrier mte3 |", "P0_mte3_queue++",
     "(P0_mte3_queue == 0)"},
    {"barrier, blocking", "a2a3-blocking", AS_IT_IS, "mte3 s, 1 | ; barrier mte3 |",
     "(P0_mte3_queue == 0);", "_flying"},
    {"barrier of another pipe", "a2a3-blocking", AS_IT_IS, "mte3 s, 1 | ; barrier mte2 |",
     "P0_mte3_queue++", "(P0_mte3_queue == 0)"},
    {"barrier all", "a2a3", AS_IT_IS, "mte3 s, 1 | ; barrier all |", "(P0_mte3_queue == 0);",
     "dsb"},
    /* pipes */
    {"a register is read at issue", "a2a3", AS_IT_IS, "ld r0, x | ; mte3 s, r0 |",
     "P0_mte3_v0 = P0_r0;", "put_s_at0, P0_r0"},
    {"a tile when the operation runs", "a2a3", AS_IT_IS, "mte2 t0, x | ; mte3 s, t0 |",
     "P0_dma_to0!put_s_at0, P0_t0", "v0 ="},
    {"a flag holds a pipe", "a2a3", AS_IT_IS,
     "mte2 t0, x | ; set_flag mte2, mte3, 3 | ; wait_flag mte2, mte3, 3 | ; mte3 s, t0 |",
     "(P0_mte3_queue > 0) && (P0_flag_mte2_mte3_3 > 0);", "P0_mte2_queue == 0);"},
    {"a flag holds the scalar unit", "sc", AS_IT_IS,
     "set_flag mte2, s, 3 | ; wait_flag mte2, s, 3 |",
     "(P0_flag_mte2_s_3 > 0);\n        P0_flag_mte2_s_3--;", "queue"},
    /* spontaneous steps */
    {"evictions", "a2a3-evict", AS_IT_IS, "st y, 1 | ; ld r0, x |", "active proctype P0_cache()",
     "!P0_x_0_at0_valid); P0_x_0_at0_have()"},
    {"evictions after the end", "a2a3-evict", AS_IT_IS, "st y, 1 |",
     "    :: d_step { ((!P0_ended && (P0_y_at0_valid)) || P0_y_at0_dirty); over = ENDED; "
     "P0_y_at0_clean() }",
     "(AT_END ||"},
    {"none where lines stay", "a2a3", AS_IT_IS, "st y, 1 |", "#define AT_END (true", "over"},
    {"prefetches", "weakest", AS_IT_IS, "st y, 1 | ; ld r0, x |",
     "(!P0_ended && !P0_x_0_at0_valid); P0_x_0_at0_have() }", "(!P0_ended && !P0_y_at0_valid"},
    {"neither", "a2a3", AS_IT_IS, "st y, 1 | ; ld r0, x |", "timeout", "STUCK"},
    {"where a core may be stuck", "weakest", AS_IT_IS, "wait s >= 1 |",
     "(P0_ended || (P0@at1 && !((gm_s_at0 >= 1))))", "timeout"},
    /* values */
    {"byte", "sc", AS_IT_IS, "st x, 254 | ; st.atomic x, 1 |", "byte gm_x_0_at0;", "short"},
    {"short", "sc", AS_IT_IS, "st x, 255 | ; st.atomic x, 1 |", "short gm_x_0_at0;", "byte gm"},
    {"negative", "sc", AS_IT_IS, "st x, -1 |", "short gm_x_0_at0;", "byte gm"},
    {"int", "sc", AS_IT_IS, "st x, 32767 | ; st.atomic x, 1 |", "int gm_x_0_at0;", "short"},
    {"an add of a register may double", "sc", AS_IT_IS,
     "st x, 200 | ; ld r0, x | ; st.atomic x, r0 |", "short gm_x_0_at0;", "byte gm"},
};

/* A register that is loaded is observed, so that the load matters; r1 is not. */
static const char *observed(const struct rule_row *r)
{
    return strstr(r->cells, "ld r0") ? "0:r0=1" : "s=1";
}

Test(promela, rules)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(rules); i++) {
        const struct rule_row *r = &rules[i];
        const char *model = model_of(&a, arena_printf(&a, rule_frame, r->cells, observed(r)),
                                     changed(&a, r->model, r->change));
        cr_expect(strstr(model, r->has), "%s: no '%s' in\n%s", r->what, r->has, model);
        cr_expect(!strstr(model, r->lacks), "%s: '%s' in\n%s", r->what, r->lacks, model);
    }
    arena_free(&a);
}

/* A removed instruction leaves its place, and nothing that only it needed. */
Test(promela, removed_instruction)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct litmus_test *t = rig_test(&a, "GM t\n{ x }\nP0 ;\nm: st x, 1 ;\nexists (x=1)\n");
    const char *model =
        litmus_promela(&a, litmus_without(&a, t, "m"), rig_contract(&a, "a2a3"), &d);
    cr_assert(model, "%s", diag_text(&d, &a));
    cr_expect(strstr(model, "t-m under"), "%s", model);
    cr_expect(!strstr(model, "dirty") && !strstr(model, "chan"), "%s", model);
    arena_free(&a);
}

/* Names that Promela cannot tell apart stay apart: x[3], and a name x_3. */
Test(promela, names)
{
    struct arena a = {0};
    const char *model = model_of(
        &a, "GM t\n{ x[4]; x_3 }\nP0 ;\nst x[3], 1 ;\nst x_3, 2 ;\nexists (x[3]=1 /\\ x_3=2)\n",
        rig_contract(&a, "sc"));
    cr_expect(strstr(model, "gm_x_3_at0 = 1;") && strstr(model, "gm_w1_x_3_at0 = 2;"), "%s", model);
    arena_free(&a);
}

/* ---- the catalogue ---- */

static const char *const contracts[] = {"sc",        "benign",     "a2a3",   "a2a3-blocking",
                                        "a2a3-fifo", "a2a3-evict", "weakest"};

static bool is_declaration(const char *line)
{
    static const char *const starts[] = {"byte ", "bool ",  "short ",  "int ",
                                         "chan ", "hidden", "inline ", "active proctype "};
    for (size_t i = 0; i < COUNT(starts); i++)
        if (!strncmp(line, starts[i], strlen(starts[i])))
            return true;
    return false;
}

/* The name of a declaration is its last word in front of the first of "=;(". */
static void add_declared(struct strbuf *names, const char *line)
{
    const char *end = line + strcspn(line, "=;(\n"), *from;
    while (end > line && end[-1] == ' ')
        end--;
    for (from = end; from > line && from[-1] != ' ';)
        from--;
    strbuf_addf(names, " %.*s ", (int)(end - from), from);
}

/* Core and memory names that are used and not declared. */
static const char *undeclared(struct arena *a, const char *model)
{
    struct strbuf names = strbuf_make(a);
    for (const char *line = model; *line; line += strcspn(line, "\n") + 1)
        if (is_declaration(line))
            add_declared(&names, line);
    for (const char *c = strstr(model, "/* ----"), *start; c && *c; c++) {
        start = c;
        while (isalnum((unsigned char)*c) || *c == '_')
            c++;
        bool ours =
            (*start == 'P' && isdigit((unsigned char)start[1])) || !strncmp(start, "gm_", 3);
        const char *word = arena_printf(a, " %.*s ", (int)(c - start), start);
        bool fresh = start == model || !isalnum((unsigned char)start[-1]);
        if (ours && fresh && !strstr(names.text, word))
            return word;
        if (!*c)
            break;
    }
    return NULL;
}

static int count_of(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

/* Comments quote the test: they go first. */
static const char *without_comments(struct arena *a, const char *model)
{
    struct strbuf b = strbuf_make(a);
    for (const char *open; (open = strstr(model, "/*")); model = strstr(open, "*/") + 2) {
        strbuf_addn(&b, model, (size_t)(open - model));
        strbuf_add(&b, strncmp(open, "/* ----", 7) ? "" : "/* ----");
    }
    strbuf_add(&b, model);
    return b.text;
}

static void check_form(struct arena *a, const struct litmus_test *t, const struct contract *k)
{
    struct diag d = {.arena = a};
    const char *model = litmus_promela(a, t, k, &d);
    cr_assert(model, "%s %s: %s", t->name, k->name, diag_text(&d, a));
    cr_expect_str_eq(litmus_promela(a, t, k, &d), model, "%s %s: not deterministic", t->name,
                     k->name);
    const char *code = without_comments(a, model);
    static const char *const pairs[][2] = {
        {"{", "}"}, {"(", ")"}, {" if\n", " fi"}, {" do\n", " od"}};
    for (size_t i = 0; i < COUNT(pairs); i++)
        cr_expect_eq(count_of(code, pairs[i][0]), count_of(code, pairs[i][1]),
                     "%s %s: '%s' and '%s' do not pair", t->name, k->name, pairs[i][0],
                     pairs[i][1]);
    const char *word = undeclared(a, code);
    cr_expect(!word, "%s %s:%s is not declared", t->name, k->name, word ? word : "");
    cr_expect_eq(count_of(code, "_ended = true"), t->program->ncores, "%s %s: a core does not end",
                 t->name, k->name);
    cr_expect_eq(count_of(code, "active proctype observer()"), 1);
}

Test(promela, form_of_the_catalogue, .timeout = 120)
{
    char *const roots[] = {"litmus/catalogue", NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    cr_assert(walk);
    int models = 0;
    for (FTSENT *at; (at = fts_read(walk));) {
        const char *dot = strrchr(at->fts_name, '.');
        if (at->fts_info != FTS_F || !dot || strcmp(dot, ".litmus"))
            continue;
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct source *src = source_read(&a, at->fts_path, &d);
        const struct litmus_test *t =
            src ? litmus_parse(&a, src, rig_toolchain(&a, "ptoas-0.57"), &d) : NULL;
        cr_assert(t, "%s", diag_text(&d, &a));
        for (size_t i = 0; i < COUNT(contracts); i++, models++)
            check_form(&a, t, rig_contract(&a, contracts[i]));
        arena_free(&a);
    }
    fts_close(walk);
    cr_expect_gt(models, 1000, "only %d models", models);
}

/* ---- what cannot be translated ---- */

static void expect_refusal(const struct litmus_test *t, const struct contract *k, struct arena *a,
                           const char *error)
{
    struct diag d = {.arena = a};
    cr_expect(!litmus_promela(a, t, k, &d), "%s: translated", error);
    expect_text(error, diag_text(&d, a), error);
}

Test(promela, contract_not_known)
{
    struct arena a = {0};
    struct litmus_test *t = rig_test(&a, store_load);
    struct contract *k = arena_dup(&a, rig_contract(&a, "a2a3"), sizeof *k);
    k->partial_line_dma = PARTIAL_READ_MODIFY_WRITE;
    expect_refusal(t, k, &a,
                   "t.litmus: error: the contract a2a3 has partial_line_dma = read_modify_write, "
                   "which the Promela model does not know\n");
    k->partial_line_dma = PARTIAL_BYTE_EXACT;
    k->fabric = FABRIC_PER_PAIR;
    k->dma_chunk_order = CHUNKS_ANY;
    expect_refusal(t, k, &a,
                   "t.litmus: error: the contract a2a3 has dma_chunk_order = any with fabric = "
                   "per_pair, which the Promela model does not know\n");
    /* sc has neither DMA messages nor a fabric */
    k->coherent = true;
    struct diag d = {.arena = &a};
    cr_expect(litmus_promela(&a, t, k, &d), "%s", diag_text(&d, &a));
    arena_free(&a);
}

/* 32 cores with 7 processes each, and the two of the model: Promela numbers them in a byte, so
 * there is no room for those of the caches. */
static const char *crowd(struct arena *a)
{
    static const char *const pipes[] = {"v", "mte1", "mte2", "mte3", "m", "fix"};
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "GM crowd\n{ x; ranks = 32 }\n");
    for (int rank = 0; rank < 32; rank++)
        strbuf_addf(&b, "%sP%d", rank ? " | " : "", rank);
    for (size_t i = 0; i < COUNT(pipes); i++)
        for (int rank = 0; rank < 32; rank++)
            strbuf_addf(&b, "%sset_flag %s, s, 0", rank ? " | " : " ;\n", pipes[i]);
    strbuf_add(&b, " ;\nexists (x=0)\n");
    return b.text;
}

Test(promela, too_many_processes)
{
    struct arena a = {0};
    struct litmus_test *t = rig_test(&a, crowd(&a));
    expect_refusal(t, rig_contract(&a, "weakest"), &a,
                   "t.litmus: error: the Promela model of crowd: 258 processes and 0 kinds of "
                   "messages, at most 255 of each are possible\n");
    struct diag d = {.arena = &a};
    cr_expect(litmus_promela(&a, t, rig_contract(&a, "a2a3"), &d), "%s", diag_text(&d, &a));
    arena_free(&a);
}
