/* SPDX-License-Identifier: MIT */
#include "litmus/promela/steps.h"

#include <string.h>

/* ---- building ---- */

struct pml_step *pml_new_step(struct pml_writer *w, bool merged)
{
    const struct insn *i = w->insn;
    const char *name = insn_op_name((enum insn_op)i->op), *what = i->what ? i->what : name;
    bool plain = !strncmp(what, name, strlen(name));
    vec_push(w->arena, &w->steps,
             (struct pml_step){
                 .comment = plain ? what : arena_printf(w->arena, "%s: %s", what, name),
                 .guard = strbuf_make(w->arena),
                 .effects = strbuf_make(w->arena),
                 .merged = merged && w->steps.len,
             });
    w->group += !w->steps.items[w->steps.len - 1].merged;
    return &w->steps.items[w->steps.len - 1];
}

void pml_require(struct pml_step *s, const char *condition)
{
    if (condition)
        strbuf_addf(&s->guard, "%s(%s)", s->guard.len ? " && " : "", condition);
}

void pml_effect(struct pml_step *s, const char *statement)
{
    if (statement)
        strbuf_addf(&s->effects, "        %s;\n", statement);
}

const char *pml_register(const struct pml_writer *w, int reg)
{
    return arena_printf(w->arena, "%s_r%d", w->p->cores[w->core], reg);
}

const char *pml_tile(const struct pml_writer *w, int tile)
{
    return arena_printf(w->arena, "%s_%s", w->p->cores[w->core], w->code->tiles[tile].name);
}

const char *pml_queue(const struct pml_writer *w, int pipe)
{
    return arena_printf(w->arena, "%s_queue", pml_process(w->p, w->core, pipe));
}

/* May the operation join the last step of its pipe? Flags wait or are raised around operations. */
static bool joins(const struct pml_step *last, const struct insn *i, int group)
{
    if (!last || last->group != group || i->op == I_WAIT_FLAG || i->op == I_SET_CROSS)
        return false;
    return i->op == I_SET_FLAG || last->last->op == I_WAIT_FLAG;
}

struct pml_step *pml_enqueue(struct pml_writer *w, int pipe, struct pml_step *scalar)
{
    size_t n = w->pipes[pipe].steps.len;
    struct pml_step *last = n ? &w->pipes[pipe].steps.items[n - 1] : NULL;
    if (joins(last, w->insn, w->group)) {
        last->comment = arena_printf(w->arena, "%s; %s", last->comment, scalar->comment);
        last->last = w->insn;
        return last;
    }
    struct pml_step s = {.comment = scalar->comment,
                         .guard = strbuf_make(w->arena),
                         .effects = strbuf_make(w->arena),
                         .last = w->insn,
                         .group = w->group};
    pml_require(&s, arena_printf(w->arena, "%s > 0", pml_queue(w, pipe)));
    pml_effect(scalar, arena_printf(w->arena, "%s++", pml_queue(w, pipe)));
    vec_push(w->arena, &w->pipes[pipe].steps, s);
    return &w->pipes[pipe].steps.items[n];
}

void pml_declare(struct pml_writer *w, const char *type, const char *name)
{
    const char *line = arena_printf(w->arena, "%s %s;\n", type, name);
    if (!strstr(w->variables.text, line))
        strbuf_add(&w->variables, line);
}

/* ---- text ---- */

/* One d_step of the steps from *s on that were merged into it. Comments alone make none. */
static const struct pml_step *print_step(struct strbuf *b, struct pml_writer *w,
                                         const struct pml_step *s, const struct pml_step *end,
                                         int pipe, int number)
{
    const struct pml_step *next = s + 1;
    bool acts = s->guard.len || s->effects.len;
    for (; next < end && next->merged; next++)
        acts |= next->effects.len > 0;
    const char *label = "";
    if (w->p->spontaneous && s->waits && s->guard.len) {
        const char *name = arena_printf(w->arena, "at%d", number);
        vec_push(w->arena, w->blocks,
                 (struct pml_block){
                     .core = w->core, .pipe = pipe, .label = name, .guard = s->guard.text});
        label = arena_printf(w->arena, "%s: ", name);
    }
    if (acts)
        strbuf_addf(b, "    %sd_step {\n", label);
    for (const struct pml_step *x = s; x < next; x++) {
        strbuf_addf(b, "%s/* %s */\n", acts ? "        " : "    ", x->comment);
        if (x->guard.len)
            strbuf_addf(b, "        %s;\n", x->guard.text);
        strbuf_add(b, x->effects.text);
    }
    if (acts && pipe >= 0)
        strbuf_addf(b, "        %s--;\n", pml_queue(w, pipe));
    if (acts)
        strbuf_add(b, "    };\n");
    return next;
}

/* A process does not end: its death would be a step of its own. */
static void print_process(struct strbuf *b, struct pml_writer *w, const struct pml_step *s,
                          size_t n, int pipe)
{
    const struct pml_step *end = s + n;
    strbuf_addf(b, "active proctype %s() {\n", pml_process(w->p, w->core, pipe));
    for (int number = 0; s < end; number++)
        s = print_step(b, w, s, end, pipe, number);
    strbuf_add(b, "    false\n}\n\n");
}

static void declare_registers(struct pml_writer *w)
{
    const struct pml *p = w->p;
    for (int reg = 0; reg < w->code->nregs; reg++)
        if (pml_register_used(p, w->core, reg))
            pml_declare(w, p->word_type, pml_register(w, reg));
    for (int tile = 0; tile < w->code->ntiles; tile++)
        if (pml_tile_used(p, w->core, tile))
            pml_declare(w, p->word_type, pml_tile(w, tile));
    for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
        if (pml_pipe_used(p, w->core, pipe))
            pml_declare(w, "byte", pml_queue(w, pipe));
}

const char *pml_process(const struct pml *p, int core, int pipe)
{
    return pipe < 0 ? p->cores[core]
                    : arena_printf(p->arena, "%s_%s", p->cores[core], pipe_name(pipe));
}

void pml_print_core(struct strbuf *b, const struct pml *p, int core, pml_blocks *blocks)
{
    const struct core_desc *x = &p->program->cores[core];
    struct pml_writer w = {.p = p,
                           .arena = p->arena,
                           .core = core,
                           .code = x->code,
                           .variables = strbuf_make(p->arena),
                           .blocks = blocks};
    pml_declare(&w, "bool", arena_printf(p->arena, "%s_ended", p->cores[core]));
    declare_registers(&w);
    for (int i = 0; i < x->code->count; i++) {
        w.insn = &x->code->insns[i];
        pml_translate(&w);
    }
    strbuf_addf(b, "/* ---- core %d of rank %d ---- */\n\n%s", x->index, x->rank, w.variables.text);
    pml_print_copies(b, p, core);
    strbuf_add(b, "\n");
    print_process(b, &w, w.steps.items, w.steps.len, -1);
    for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
        if (w.pipes[pipe].steps.len)
            print_process(b, &w, w.pipes[pipe].steps.items, w.pipes[pipe].steps.len, pipe);
}
