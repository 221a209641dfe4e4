/* SPDX-License-Identifier: MIT */
/* The module: functions, their arguments, constants and the directives that bind them. */
#include "pto/emit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "pto/emit_internal.h"

bool emitter_error(struct emitter *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(e->d, e->p->source, e->at ? e->at->span : (struct span){0}, fmt, ap);
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

/* ---- arguments ---- */

/* Each core's first registers point to the regions, in their order; then come scalars. Behind the
 * contexts stand their arrays once more, which no argument points to. */
static int region_count(const struct program *p)
{
    const struct core_desc *c = &p->cores[0];
    int n = 0;
    while (n < p->nregions && n < c->nargs &&
           c->args[n] == (int64_t)gm_addr(c->rank, p->regions[n].offset))
        n++;
    return n;
}

struct argument {
    int region, reg; /* of a scalar its register */
    const char *type;
};
typedef VEC(struct argument) argument_list;

/* Tensors, then scalars, then contexts (pto-facts 1.3). */
static argument_list arguments_of(struct emitter *e)
{
    argument_list list = {0};
    int n = region_count(e->p);
    for (int i = 0; i < n; i++)
        if (e->p->regions[i].kind != REGION_CTX)
            vec_push(e->arena, &list,
                     ((struct argument){i, -1,
                                        arena_printf(e->arena, "!pto.ptr<%s>",
                                                     emitter_elem(e->p->regions[i].elem))}));
    for (int r = n; r < e->p->cores[0].nargs; r++)
        vec_push(e->arena, &list, ((struct argument){-1, r, "index"}));
    for (int i = 0; i < n; i++)
        if (e->p->regions[i].kind == REGION_CTX)
            vec_push(e->arena, &list, ((struct argument){i, -1, "!pto.ptr<i64>"}));
    return list;
}

static void bind_arguments(struct emitter *e, const argument_list *list)
{
    for (size_t i = 0; i < list->len; i++) {
        const struct argument *a = &list->items[i];
        const char *name = arena_printf(e->arena, "%%arg%zu", i);
        if (a->region < 0)
            e->regs[a->reg] = emitter_number(name, VALUE_INDEX);
        else
            e->regs[a->region] =
                (struct value){.kind = VALUE_POINTER, .base = name, .region = a->region};
    }
}

/* One expression for all ranks. */
static const char *expression(struct emitter *e, int reg)
{
    const struct program *p = e->p;
    int64_t first = p->cores[0].args[reg];
    bool same = true, rank = true;
    struct strbuf b = strbuf_make(e->arena);
    for (int i = 0; i < p->ncores; i++) {
        int64_t x = p->cores[i].args[reg];
        same &= x == first;
        rank &= x == p->cores[i].rank;
        strbuf_addf(&b, "%s%" PRId64 "*(rank==%d)", i ? "+" : "", x, p->cores[i].rank);
    }
    return same ? arena_printf(e->arena, "%" PRId64, first) : rank ? "rank" : b.text;
}

/* ---- functions ---- */

static void add_directives(struct emitter *e, const argument_list *list, struct strbuf *out)
{
    strbuf_addf(out, "// fencebench: ranks %d\n", e->p->nranks);
    for (size_t i = 0; i < list->len; i++) {
        const struct argument *a = &list->items[i];
        const struct region *r = a->region < 0 ? NULL : &e->p->regions[a->region];
        if (!r)
            strbuf_addf(out, "// fencebench: arg arg%zu=%s\n", i, expression(e, a->reg));
        else if (r->kind != REGION_CTX)
            strbuf_addf(out, "// fencebench: %s arg%zu\n// fencebench: size arg%zu=%" PRIu64 "\n",
                        r->kind == REGION_WINDOW ? "window" : "local", i, i,
                        r->size / (uint64_t)elem_size(r->elem));
    }
}

/* The view that names a tensor. */
static void name_tensors(struct emitter *e, const argument_list *list)
{
    for (size_t i = 0; i < list->len; i++) {
        const struct argument *a = &list->items[i];
        const struct region *r = a->region < 0 ? NULL : &e->p->regions[a->region];
        if (!r || r->kind == REGION_CTX)
            continue;
        const char *n =
            emitter_constant(e, (int64_t)(r->size / (uint64_t)elem_size(r->elem)), "index");
        emitter_line(
            e,
            "%%%s__ssa_v0_view = pto.make_tensor_view %%arg%zu, shape = [%s, %s], strides = "
            "[%s, %s] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?x%s>",
            r->name, i, emitter_constant(e, 1, "index"), n, n, emitter_constant(e, 1, "index"),
            emitter_elem(r->elem));
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
    return "vector";
}

static bool emit_function(struct emitter *e, const argument_list *list, int first, int end,
                          struct strbuf *out)
{
    const struct insn *code = e->b->code.items;
    e->constants.len = e->constant_names.len = 0;
    e->regs = arena_array(e->arena, struct value, e->b->reg_names.len + 1);
    e->spaces = arena_array(e->arena, const char *, e->b->tiles.len + 1);
    e->tile_types = arena_array(e->arena, const char *, e->b->tiles.len + 1);
    e->body = strbuf_make(e->arena);
    e->next = 0;
    e->depth = 1;
    e->at = NULL;
    bind_arguments(e, list);
    name_tensors(e, list);
    emitter_tiles(e, first, end);
    if (!emitter_range(e, first + 1, end))
        return false;
    strbuf_addf(out, "  func.func @%s(", e->p->tasks[code[first].imm]);
    for (size_t i = 0; i < list->len; i++)
        strbuf_addf(out, "%s%%arg%zu: %s", i ? ", " : "", i, list->items[i].type);
    strbuf_addf(out, ") attributes {pto.kernel_kind = #pto.kernel_kind<%s>} {\n",
                kind_of(e, first, end));
    vec_foreach (const char *, c, &e->constants)
        strbuf_add(out, *c);
    strbuf_add(out, e->body.len ? e->body.text : "");
    strbuf_add(out, "  return\n  }\n");
    return true;
}

const char *pto_emit(struct arena *a, const struct builder *b, const struct program *p,
                     struct diag *d)
{
    struct emitter e = {.arena = a, .b = b, .p = p, .d = d};
    struct strbuf out = strbuf_make(a);
    if (p->nsteps || p->cores[0].dispatches) {
        emitter_error(&e, "runs on several cores; kernels of one core are printed as .pto");
        return NULL;
    }
    argument_list list = arguments_of(&e);
    add_directives(&e, &list, &out);
    strbuf_add(&out, "module attributes {pto.target_arch = \"a2a3\"} {\n");
    int end, count = (int)b->code.len;
    for (int first = 0; first < count; first = end) {
        for (end = first + 1; end < count && !insn_any(&b->code.items[end], CLASS_TASK); end++)
            ;
        if (b->code.items[first].op == I_TASK && !emit_function(&e, &list, first, end, &out))
            return NULL;
    }
    strbuf_add(&out, "}\n");
    return out.text;
}
