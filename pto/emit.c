/* SPDX-License-Identifier: MIT */
/* The module: functions, constants, and what runs. */
#include "pto/emit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "pto/compile.h"
#include "pto/emit_internal.h"

bool emitter_error(struct emitter *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(e->d, e->p->source, e->at ? e->at->span : e->run->at, fmt, ap);
    va_end(ap);
    return false;
}

const char *emitter_new(struct emitter *e)
{
    return arena_printf(e->arena, "%%%d", e->next++);
}

/* The compiler notes the author's place behind what reaches memory or orders. */
static void add_place(struct emitter *e, const char *line)
{
    const char *op = strstr(line, "pto.");
    bool control = strstr(line, "scf.") || !strncmp(line, "}", 1) || !strncmp(line, "^", 1);
    if (!op || control || !e->at || !e->at->span.line || strstr(line, "alloc_tile"))
        return;
    struct source_line at = source_place(e->p->source, e->at->span.line);
    strbuf_addf(&e->body, " loc(\"%s\":%d:%d)", at.file, at.line, e->at->span.col);
}

void emitter_line(struct emitter *e, const char *fmt, ...)
{
    va_list ap;
    size_t from = e->body.len;
    char text[2048];
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    strbuf_pad(&e->body, ' ', 2 * (size_t)e->depth);
    strbuf_add(&e->body, text);
    add_place(e, e->body.text + from + 2 * (size_t)e->depth);
    strbuf_add(&e->body, "\n");
}

const char *emitter_constant(struct emitter *e, int64_t n, const char *type)
{
    bool real = strchr("fb", *type) != NULL;
    const char *name = real ? arena_printf(e->arena, "%%cst%" PRIx64 "_%s", (uint64_t)n, type)
                            : arena_printf(e->arena, "%%c%s%" PRIu64 "_%s", n < 0 ? "n" : "",
                                           n < 0 ? -(uint64_t)n : (uint64_t)n, type);
    vec_foreach (const char *, known, &e->constant_names)
        if (!strcmp(*known, name))
            return *known;
    vec_push(e->arena, &e->constant_names, name);
    vec_push(
        e->arena, &e->constants,
        real ? arena_printf(e->arena, "  %s = arith.constant 0x%" PRIX64 " : %s\n", name,
                            (uint64_t)n, type)
             : arena_printf(e->arena, "  %s = arith.constant %" PRId64 " : %s\n", name, n, type));
    return name;
}

/* ---- functions ---- */

/* The view that names a tensor. */
static void name_tensors(struct emitter *e)
{
    vec_foreach (const struct argument, a, &e->args) {
        if (a->kind != ARGUMENT_TENSOR)
            continue;
        const struct region *r = &e->p->regions[a->region];
        const char *n =
            emitter_constant(e, (int64_t)(r->size / (uint64_t)elem_size(r->elem)), "index");
        emitter_line(e,
                     "%%%s__ssa_v0_view = pto.make_tensor_view %s, shape = [%s, %s], strides = "
                     "[%s, %s] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?x%s>",
                     e->region_names[a->region], a->name, emitter_constant(e, 1, "index"), n, n,
                     emitter_constant(e, 1, "index"), emitter_elem(r->elem));
    }
}

static const char *kind_of(const struct emitter *e, int first, int end)
{
    for (int i = first; i < end; i++) {
        const struct insn *x = &e->b->code.items[i];
        int pipe = x->op == I_TILE_OP ? (int)e->b->tile_ops.items[x->aux].pipe : PIPE_V;
        if (x->op == I_FIX || pipe == PIPE_M || pipe == PIPE_MTE1)
            return "cube";
    }
    return e->lane->cube ? "cube" : "vector";
}

static bool emit_function(struct emitter *e, const char *name, struct strbuf *out)
{
    int first = emitter_code_of(e, e->lane), end = emitter_code_end(e, first);
    const bool *used = emitter_used(e, e->lane);
    e->constants.len = e->constant_names.len = e->popped.len = 0;
    e->passed = NULL;
    e->regs = arena_array(e->arena, struct value, e->b->reg_names.len + 1);
    e->tile_types = arena_array(e->arena, const char *, e->b->tiles.len + 1);
    e->needed = emitter_needed(e, first, end);
    e->valid = arena_array(e->arena, struct tile_valid, e->b->tiles.len + 1);
    e->tile_names = arena_array(e->arena, const char *, e->b->tiles.len + 1);
    e->body = strbuf_make(e->arena);
    e->next = 0;
    e->depth = 1;
    e->at = NULL;
    emitter_bind(e, used);
    name_tensors(e);
    emitter_tiles(e, first, end);
    if (!emitter_range(e, first + 1, end))
        return false;
    strbuf_addf(out, "  func.func @%s(", name);
    emitter_signature(e, used, out);
    strbuf_addf(out, ") attributes {pto.kernel_kind = #pto.kernel_kind<%s>} {\n",
                kind_of(e, first, end));
    vec_foreach (const char *, c, &e->constants)
        strbuf_add(out, *c);
    strbuf_add(out, e->body.len ? e->body.text : "");
    strbuf_add(out, "  return\n  }\n");
    return true;
}

/* ---- tasks ---- */

/* Each waits for the one in front of it. */
static bool is_chain(const struct builder *b)
{
    for (int i = 0; i < (int)b->runs.len; i++)
        if (b->runs.items[i].nafter != (i > 0) || (i > 0 && b->runs.items[i].after[0] != i - 1))
            return false;
    return true;
}

static bool same_starts(const struct emitter *e, const struct run_lane *x, const struct run_lane *y)
{
    bool same = x->task == y->task && x->starts.len == y->starts.len;
    for (size_t i = 0; same && i < x->starts.len; i++) {
        const struct start *s = &x->starts.items[i], *t = &y->starts.items[i];
        same = s->kind == t->kind && s->region == t->region;
        for (int r = 0; same && !emitter_is_hidden(s) && r < e->p->nranks; r++)
            same = s->values[r] == t->values[r];
    }
    return same;
}

/* In a chain of tasks one may run a second time: the first one that is like it, or itself. */
static int first_like(const struct emitter *e, int run, bool chain)
{
    const struct task_run *runs = e->b->runs.items, *x = &runs[run];
    for (int i = 0; i < run && chain; i++) {
        const struct task_run *y = &runs[i];
        bool same = x->blocks == y->blocks && x->lanes.len == y->lanes.len;
        for (size_t k = 0; same && k < x->lanes.len; k++)
            same = same_starts(e, &x->lanes.items[k], &y->lanes.items[k]);
        if (same)
            return i;
    }
    return run;
}

static bool name_tasks(struct emitter *e, bool chain, const char **names)
{
    size_t n = 0;
    const char **taken = arena_array(e->arena, const char *, e->b->runs.len + 1);
    bool said = !chain;
    for (int i = 0; i < (int)e->b->runs.len; i++) {
        const struct task_run *run = &e->b->runs.items[i];
        int like = first_like(e, i, chain);
        names[i] = like < i ? names[like] : emitter_unused_name(e, taken, n, run->name);
        if (like == i)
            taken[n++] = names[i];
        said |= like < i || run->blocks > 1 || pto_stem_length(names[i]);
    }
    return said;
}

static void add_tasks(struct emitter *e, bool chain, const char *const *names, struct strbuf *out)
{
    strbuf_add(out, "// fencebench: tasks ");
    for (int i = 0; i < (int)e->b->runs.len; i++) {
        const struct task_run *run = &e->b->runs.items[i];
        strbuf_addf(out, "%s%s", i ? ", " : "", names[i]);
        if (run->blocks > 1)
            strbuf_addf(out, " blocks %d", run->blocks);
        if (chain || (!i && !run->nafter))
            continue;
        strbuf_add(out, run->nafter ? " after" : " after nothing");
        for (int k = 0; k < run->nafter; k++)
            strbuf_addf(out, " %s", names[run->after[k]]);
    }
    strbuf_add(out, "\n");
}

static bool emit_run(struct emitter *e, const char *name, struct strbuf *said, struct strbuf *out)
{
    e->task = name;
    e->at = NULL;
    emitter_arguments(e);
    if (!emitter_directives(e, said))
        return false;
    vec_foreach (const struct run_lane, lane, &e->run->lanes) {
        e->lane = lane;
        const char *end = e->run->lanes.len == 1 ? "" : lane->cube ? "_aic" : "_aiv";
        if (!emit_function(e, arena_printf(e->arena, "%s%s", name, end), out))
            return false;
    }
    return true;
}

static bool emit_runs(struct emitter *e, struct strbuf *said, struct strbuf *out)
{
    bool chain = is_chain(e->b);
    const char **names = arena_array(e->arena, const char *, e->b->runs.len + 1);
    strbuf_addf(said, "// fencebench: ranks %d\n", e->p->nranks);
    if (name_tasks(e, chain, names))
        add_tasks(e, chain, names, said);
    for (int i = 0; i < (int)e->b->runs.len; i++) {
        e->run = &e->b->runs.items[i];
        if (first_like(e, i, chain) == i && !emit_run(e, names[i], said, out))
            return false;
    }
    return true;
}

const char *pto_emit(struct arena *a, const struct builder *b, const struct program *p,
                     struct diag *d)
{
    struct emitter e = {.arena = a, .b = b, .p = p, .d = d};
    struct strbuf said = strbuf_make(a), out = strbuf_make(a);
    if (b->no_runs) {
        diag_error(d, p->source, b->no_runs_at, "%s, which tasks of a .pto file cannot say",
                   b->no_runs);
        return NULL;
    }
    emitter_name_regions(&e);
    if (!emit_runs(&e, &said, &out))
        return NULL;
    return arena_printf(a, "%smodule attributes {pto.target_arch = \"a2a3\"} {\n%s}\n", said.text,
                        out.text);
}
