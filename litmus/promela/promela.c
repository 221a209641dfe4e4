/* SPDX-License-Identifier: MIT */
#include "litmus/promela/promela.h"

#include <inttypes.h>
#include <string.h>

#include "litmus/promela/internal.h"

/* ---- head ---- */

static void print_head(struct strbuf *b, const struct pml *p)
{
    const struct litmus_test *t = p->test;
    strbuf_addf(b,
                "/*\n * %s under the contract %s, toolchain %s.\n"
                " * gm_x_at1 is x in rank 1's memory, P0_x_at1 the copy in P0's cache.\n */\n\n",
                t->name, p->contract->name, t->toolchain->name);
    VEC(const char *) names = {0};
    vec_foreach (const struct pml_form, f, &p->forms) {
        bool known = false;
        vec_foreach (const char *, n, &names)
            known |= !strcmp(*n, f->name);
        if (!known)
            vec_push(p->arena, &names, f->name);
    }
    vec_foreach (const char *, n, &names)
        strbuf_addf(b, "%s%s", n == names.items ? "mtype = { " : ", ", *n);
    strbuf_add(b, names.len ? " };\n\n" : "");
}

static void print_memory(struct strbuf *b, const struct pml *p)
{
    vec_foreach (const struct pml_word, w, &p->words) {
        strbuf_addf(b, "%s gm_%s", p->word_type, w->name);
        if (w->initial)
            strbuf_addf(b, " = %" PRId32, w->initial);
        strbuf_add(b, ";\n");
    }
    strbuf_add(b, p->words.len ? "\n" : "");
}

/* Variables that deliveries go through are no part of a state. (pan has a `mask` of its own.) */
static void print_channels(struct strbuf *b, const struct pml *p)
{
    int most = 0;
    bool masked = false;
    vec_foreach (const struct pml_channel, c, &p->channels) {
        strbuf_addf(b, "chan %s = [%d] of { mtype%s", c->name, c->capacity,
                    c->masked ? ", int" : "");
        for (int i = 0; i < c->values; i++)
            strbuf_addf(b, ", %s", p->word_type);
        strbuf_add(b, " };\n");
        most = c->values > most ? c->values : most;
        masked |= c->masked;
    }
    for (int i = 0; i < most; i++)
        strbuf_addf(b, "hidden %s v%d;\n", p->word_type, i);
    strbuf_add(b, masked ? "hidden int carried;\n\n" : most ? "\n" : "");
}

/* ---- the end of a run ---- */

static void print_at_end(struct strbuf *b, const struct pml *p)
{
    strbuf_add(b, "/* Every core has ended, pipes and fabric are empty. */\n#define AT_END (true");
    for (int c = 0; c < p->program->ncores; c++) {
        strbuf_addf(b, " && %s_ended", p->cores[c]);
        for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
            if (pml_pipe_used(p, c, pipe))
                strbuf_addf(b, " && %s_queue == 0", pml_process(p, c, pipe));
    }
    vec_foreach (const struct pml_channel, c, &p->channels)
        strbuf_addf(b, " && len(%s) == 0", c->name);
    strbuf_add(b, ")\n\n");
    if (p->evicts)
        strbuf_add(b, "/* Lines leave on their own after that too, until memory is looked at. */\n"
                      "bool over;\n#define ENDED (over || AT_END)\n\n");
}

/* The run has ended: memory may be looked at. */
static const char *ended(const struct pml *p)
{
    return p->evicts ? "ENDED" : "AT_END";
}

/* "(P0_ended || (P0@at3 && !(guard)) ...)". */
static void add_stuck(struct strbuf *b, const struct pml *p, const pml_blocks *blocks, int core,
                      int pipe)
{
    const char *process = pml_process(p, core, pipe);
    strbuf_addf(b, pipe < 0 ? " && (%s_ended" : " && (%s_queue == 0", process);
    vec_foreach (const struct pml_block, x, blocks)
        if (x->core == core && x->pipe == pipe)
            strbuf_addf(b, " || (%s@%s && !(%s))", process, x->label, x->guard);
    strbuf_add(b, ")");
}

/* Where lines move on their own, something can nearly always happen: a deadlock is then a state in
 * which only clean lines can leave, and lines come. */
static void print_stuck(struct strbuf *b, const struct pml *p, const pml_blocks *blocks)
{
    strbuf_add(b, "/* Nothing can happen but evictions of clean lines, and prefetches. */\n"
                  "#define STUCK (!");
    strbuf_add(b, ended(p));
    vec_foreach (const struct pml_channel, c, &p->channels)
        strbuf_addf(b, " && len(%s) == 0", c->name);
    pml_add_all_clean(b, p);
    for (int c = 0; c < p->program->ncores; c++)
        for (int pipe = -1; pipe < PIPE_COUNT; pipe++)
            if (pipe < 0 || pml_pipe_used(p, c, pipe))
                add_stuck(b, p, blocks, c, pipe);
    strbuf_add(b, ")\n\n");
}

static const char *value_name(const struct pml *p, const struct litmus_cond *c)
{
    if (c->kind == LITMUS_MEM)
        return arena_printf(p->arena, "gm_%s", p->words.items[pml_word_at(p, c->addr)].name);
    const char *core = p->cores[c->core];
    return c->kind == LITMUS_REG ? arena_printf(p->arena, "%s_r%d", core, c->reg)
                                 : arena_printf(p->arena, "%s_t%d", core, c->reg);
}

static void add_condition(struct strbuf *b, const struct pml *p, const struct litmus_cond *c)
{
    switch (c->kind) {
    case LITMUS_TRUE:
        strbuf_add(b, "true");
        return;
    case LITMUS_DEADLOCK:
        strbuf_addf(b, "%s%s", c->value ? "!" : "", ended(p));
        return;
    case LITMUS_NOT:
        strbuf_add(b, "!(");
        add_condition(b, p, c->lhs);
        strbuf_add(b, ")");
        return;
    case LITMUS_AND:
    case LITMUS_OR:
        strbuf_add(b, "(");
        add_condition(b, p, c->lhs);
        strbuf_add(b, c->kind == LITMUS_AND ? " && " : " || ");
        add_condition(b, p, c->rhs);
        strbuf_add(b, ")");
        return;
    default:
        strbuf_addf(b, "%s == %" PRId32, value_name(p, c), c->value);
    }
}

/* The observer only looks: it stays where it is, so that no state is counted twice. */
static void print_observer(struct strbuf *b, const struct pml *p)
{
    strbuf_addf(
        b,
        "/* Final states, as litmus logs write them. */\n"
        "active proctype observer() {\n    do\n    :: atomic { %s;\n        if\n        :: ",
        p->spontaneous ? arena_printf(p->arena, "(%s || STUCK)", ended(p)) : "timeout");
    add_condition(b, p, p->test->cond);
    strbuf_add(b, " -> printf(\"final *>\")\n        :: else -> printf(\"final :>\")\n"
                  "        fi;\n");
    strbuf_add(b, "        printf(\"");
    vec_foreach (const struct litmus_cond *, c, &p->test->observed)
        strbuf_addf(b, "%s%s=%%d;", c == p->test->observed.items ? "" : " ", (*c)->name);
    strbuf_add(b, "\"");
    vec_foreach (const struct litmus_cond *, c, &p->test->observed)
        strbuf_addf(b, ", %s", value_name(p, *c));
    strbuf_addf(b,
                ");\n        if\n        :: %s -> printf(\"\\n\")\n"
                "        :: else -> printf(\"%sdeadlock=1;\\n\")\n        fi }\n    od\n}\n",
                ended(p), p->test->observed.len ? " " : "");
}

/* ---- everything ---- */

static bool is_known(const struct contract *k, const struct litmus_test *t, struct diag *d)
{
    const char *rule = NULL;
    if (!k->coherent && k->partial_line_dma == PARTIAL_READ_MODIFY_WRITE)
        rule = "partial_line_dma = read_modify_write";
    if (!k->coherent && k->dma_block != DMA_BLOCK_NONE)
        rule = "dma_block = 32";
    if (!k->coherent && k->dma_chunk_order == CHUNKS_ANY && k->fabric == FABRIC_PER_PAIR)
        rule = "dma_chunk_order = any with fabric = per_pair";
    if (t->filter)
        return diag_error(d, t->source, (struct span){0},
                          "the test has a filter, which the Promela model does not know");
    return !rule || diag_error(d, t->source, (struct span){0},
                               "the contract %s has %s, which the Promela model does not know",
                               k->name, rule);
}

const char *litmus_promela(struct arena *a, const struct litmus_test *t, const struct contract *k,
                           struct diag *d)
{
    struct pml p = {.arena = a, .test = t, .program = t->program, .contract = k};
    if (!is_known(k, t, d) || !pml_plan(&p, d))
        return NULL;
    struct strbuf b = strbuf_make(a);
    pml_blocks blocks = {0};
    print_head(&b, &p);
    print_memory(&b, &p);
    print_channels(&b, &p);
    pml_print_cross(&b, &p);
    struct strbuf cores = strbuf_make(a);
    for (int c = 0; c < p.program->ncores; c++)
        pml_print_core(&cores, &p, c, &blocks);
    print_at_end(&b, &p);
    strbuf_add(&b, cores.text);
    pml_print_fabric(&b, &p);
    for (int c = 0; c < p.program->ncores; c++)
        pml_print_spontaneous(&b, &p, c);
    if (p.spontaneous)
        print_stuck(&b, &p, &blocks);
    print_observer(&b, &p);
    return b.text;
}
