/* SPDX-License-Identifier: MIT */
#include "bench/campaign/remedy_words.h"

#include <string.h>

#include "base/strbuf.h"
#include "bench/campaign/remedy_compiled.h"
#include "ir/ops.h"
#include "ir/print.h"
#include "passes/rewrite.h"

struct words {
    struct arena *arena;
    const struct kernel *kernel;
    const struct toolchain *toolchain;
    const struct program *program;
    struct remedy_found *found;
};

/* ---- the text of the file ---- */

static const char *line_start(const struct source *s, int line)
{
    const char *at = s->text;
    for (int n = 1; at && n < line; n++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at;
}

/* Behind the string literal at p. */
static const char *skip_string(const char *p)
{
    char quote = *p;
    bool triple = p[1] == quote && p[2] == quote;
    for (p += triple ? 3 : 1; *p; p++) {
        if (*p == '\\' && p[1])
            p++;
        else if (*p == quote && (!triple || (p[1] == quote && p[2] == quote)))
            return p + (triple ? 3 : 1);
        else if (*p == '\n' && !triple)
            return p;
    }
    return p;
}

/* The last line of the simple statement that starts on `line`: brackets may span lines. */
static int statement_end(const struct source *s, int line)
{
    const char *p = line_start(s, line);
    int depth = 0;
    while (p && *p) {
        if (*p == '"' || *p == '\'') {
            const char *from = p;
            p = skip_string(p);
            for (; from < p; from++)
                line += *from == '\n';
            continue;
        }
        if (*p == '#')
            p += strcspn(p, "\n");
        if (*p == '\\' && p[1] == '\n') {
            p += 2;
            line++;
            continue;
        }
        depth += *p == '(' || *p == '[' || *p == '{';
        depth -= *p == ')' || *p == ']' || *p == '}';
        if (*p == '\n' && depth <= 0)
            return line;
        line += *p == '\n';
        p += *p != '\0';
    }
    return line;
}

static bool starts_with(const char *text, const char *const *words)
{
    text += strspn(text, " \t");
    for (; *words; words++) {
        size_t n = strlen(*words);
        if (!strncmp(text, *words, n) && !(text[n] == '_' || (text[n] >= 'a' && text[n] <= 'z')))
            return true;
    }
    return false;
}

static bool line_has(const char *text, const char *word)
{
    return memmem(text, strcspn(text, "\n"), word, strlen(word)) != NULL;
}

/* A statement of its own can stand in front of the line's statement, or behind it. Calls in the
 * condition of a loop are made once, in front of it (FlattenCallExpr). */
static bool takes_statement(const struct source *s, int line, bool behind)
{
    static const char *const none_before[] = {"elif", "else", NULL};
    static const char *const none_behind[] = {"if",   "elif",   "else",  "while",    "for",
                                              "with", "return", "break", "continue", NULL};
    const char *text = line_start(s, line);
    if (!text)
        return false;
    return behind ? !starts_with(text, none_behind) && !line_has(text, "pl.yield_")
                  : !starts_with(text, none_before);
}

static int indent_of(const char *text)
{
    return (int)strspn(text, " ");
}

static bool is_blank(const char *text)
{
    return strchr("\n#", text[strspn(text, " \t")]) != NULL;
}

/* The line of the statement whose block one with that indent is in, in front of `line`; 0: none. */
static int header_of(const struct source *s, int line, int indent)
{
    while (--line > 0) {
        const char *text = line_start(s, line);
        if (!is_blank(text) && indent_of(text) < indent)
            return line;
    }
    return 0;
}

/* The last line of a header's block. */
static int block_end(const struct source *s, int header)
{
    int end = header, indent = indent_of(line_start(s, header));
    const char *text;
    for (int n = header + 1; (text = line_start(s, n)) && *text; n++) {
        if (is_blank(text))
            continue;
        if (indent_of(text) <= indent)
            break;
        end = n;
    }
    return end;
}

bool remedy_outward(const struct kernel *k, const struct remedy_call *c, struct remedy_call *out)
{
    static const char *const loops[] = {"for", "while", NULL}, *const choices[] = {"if", NULL};
    const struct source *s = k->source;
    if (k->front)
        return compiled_outward(k, c, out);
    int indent = c->col - 1;
    for (int h = c->line; (h = header_of(s, h, indent)) > 0;) {
        const char *text = line_start(s, h);
        indent = indent_of(text);
        if (starts_with(text, loops)) {
            *out = *c;
            out->col = indent + 1;
            out->line = c->after ? block_end(s, h) : h;
            return true;
        }
        if (!starts_with(text, choices))
            return false;
    }
    return false;
}

/* ---- places ---- */

static const struct insn *insn_of(const struct program *p, struct place at)
{
    return at.core < 0 || at.insn < 0 ? NULL : &p->cores[at.core].code->insns[at.insn];
}

static bool in_one_statement(const struct program *p, struct place x, struct place y)
{
    const struct insn *i = insn_of(p, x), *k = insn_of(p, y);
    return i && k && p->cores[x.core].code == p->cores[y.core].code &&
           i->span.line == k->span.line && i->span.col == k->span.col && y.insn > x.insn;
}

/* The part of the way that the step stands on lies inside of one statement. */
static bool is_inside(const struct program *p, const struct edge *e, const struct remedy_step *s)
{
    const struct insn *acquire = insn_of(p, e->acquire);
    bool through = acquire && insn_acquires(acquire);
    if (s->marker == MARKER_INVALIDATE)
        return in_one_statement(p, through ? e->acquire : e->from, e->to);
    return in_one_statement(p, e->from, e->kind == EDGE_SIGNAL ? e->release : e->to);
}

/* The statement that ends a block in the text, however deep; NULL for an empty one. */
static const struct ir_stmt *last_statement(const ir_block *block)
{
    const struct ir_stmt *s = NULL;
    ir_block *children[PASS_MAX_BLOCKS];
    for (size_t n = 1; n && block->len; block = n ? children[n - 1] : block) {
        s = block->items[block->len - 1];
        n = pass_child_blocks(block->items[block->len - 1], children);
    }
    return s;
}

static enum walk count_return(const struct ir_stmt *s, void *ctx)
{
    *(int *)ctx += s->kind == IR_RETURN;
    return WALK_INTO;
}

/* The only way out of the function is its end. */
static bool ends_once(const struct ir_func *f)
{
    int returns = 0;
    pass_find_stmt(&f->body, count_return, &returns);
    return returns == (f->body.len && f->body.items[f->body.len - 1]->kind == IR_RETURN);
}

/* Behind the body of the function whose task ends at the instruction, or in front of its return,
 * unless that has the access itself. */
static bool task_spot(const struct words *w, const struct edge *e, struct place end,
                      struct remedy_spot *out)
{
    const struct insn *insns = w->program->cores[end.core].code->insns;
    int i = end.insn - 1;
    while (i > 0 && insns[i].op != I_TASK)
        i--;
    if (w->kernel->front)
        return insns[i].op == I_TASK &&
               compiled_task_end(w->kernel, w->program->tasks[insns[i].imm], out);
    const struct ir_func *f =
        insns[i].op == I_TASK ? ir_find_func(w->kernel->program, w->program->tasks[insns[i].imm])
                              : NULL;
    const struct ir_stmt *last = f && ends_once(f) ? last_statement(&f->body) : NULL;
    if (!last ||
        (last->kind == IR_RETURN && insn_of(w->program, e->from)->span.line == last->span.line))
        return false;
    int col = f->body.items[0]->span.col;
    *out = last->kind == IR_RETURN
               ? (struct remedy_spot){last->span.line, col, false}
               : (struct remedy_spot){statement_end(w->kernel->source, last->span.line), col, true};
    return true;
}

/* A statement of the file, not of library code. */
static bool beside(const struct kernel *k, const struct insn *i, bool behind,
                   struct remedy_spot *out)
{
    const struct source *src = k->source;
    if (k->front)
        return i && compiled_beside(k, i->span, behind, out);
    if (!i || !i->span.line || !i->what || !strncmp(i->what, "builtin.", strlen("builtin.")) ||
        !takes_statement(src, i->span.line, behind))
        return false;
    *out = (struct remedy_spot){behind ? statement_end(src, i->span.line) : i->span.line,
                                1 + (int)strspn(line_start(src, i->span.line), " "), behind};
    return true;
}

bool remedy_beside(const struct kernel *k, const struct program *p, struct place at, bool behind,
                   struct remedy_call *out)
{
    struct remedy_spot spot;
    if (!beside(k, insn_of(p, at), behind, &spot))
        return false;
    *out = (struct remedy_call){.after = spot.after, .line = spot.line, .col = spot.col};
    return true;
}

static bool spot_of(const struct words *w, const struct edge *e, const struct remedy_step *s,
                    struct remedy_spot *out)
{
    const struct insn *i = insn_of(w->program, s->at);
    if (!s->behind && insn_any(i, CLASS_TASK))
        return task_spot(w, e, s->at, out);
    return !is_inside(w->program, e, s) && beside(w->kernel, i, s->behind, out);
}

/* ---- calls ---- */

const struct remedy_language *remedy_language_of(const struct kernel *k)
{
    static const struct remedy_language language = {"pl.system.bar_all()", "pl.system.fence()",
                                                    "pl.system.cacheinvalid()"},
                                        compiled = {
                                            "pto.barrier <PIPE_ALL>",
                                            "pto.fence.barrier_all #pto.fence_scope<gm>",
                                            "pto.cmo.cacheinvalid all #pto.address_space<gm>"};
    return k->front ? &compiled : &language;
}

struct wanted {
    struct span at;
    const char *op;
    const struct ir_call *found;
    int count;
};

static enum walk is_statement(const struct ir_stmt *s, void *ctx)
{
    const struct wanted *w = ctx;
    return s->span.line == w->at.line && s->span.col == w->at.col ? WALK_FOUND : WALK_INTO;
}

static bool see_call(const struct ir_expr *e, void *ctx)
{
    struct wanted *w = ctx;
    if (e->kind == IR_CALL && e->call.op && !strcmp(e->call.op->name, w->op)) {
        w->found = &e->call;
        w->count++;
    }
    return true;
}

/* The call of the file that the access was compiled from; NULL when it is not the only one. */
static const struct ir_call *call_of(const struct words *w, const struct insn *i)
{
    struct wanted wanted = {.at = i->span, .op = i->what};
    const struct ir_stmt *s = NULL;
    for (size_t f = 0; !s && f < w->kernel->program->funcs.len; f++)
        s = pass_find_stmt(&w->kernel->program->funcs.items[f]->body, is_statement, &wanted);
    if (s)
        pass_walk_stmt(s, see_call, &wanted);
    return wanted.count == 1 ? wanted.found : NULL;
}

/* An expression that can be said again. */
static bool is_plain(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    return e->kind != IR_CALL;
}

/* cacheinvalid of the element that a scalar access names, or of all lines. */
static const char *cacheinvalid(const struct words *w, const struct remedy_step *s)
{
    const char *all = remedy_language_of(w->kernel)->invalidate;
    bool lines = w->toolchain->region_cacheinvalid != REGION_NOTHING;
    if (w->kernel->front && lines && !s->all) {
        const char *one = compiled_line(w->arena, w->kernel, insn_of(w->program, s->at)->span);
        return one ? one : all;
    }
    const struct ir_call *c = s->all || !lines ? NULL : call_of(w, insn_of(w->program, s->at));
    const struct ir_expr *tensor = c ? ir_call_arg(c, "tensor") : NULL,
                         *index = c ? ir_call_arg(c, "indices") : NULL;
    if (!tensor || tensor->kind != IR_VAR || !index ||
        (index->kind != IR_TUPLE && index->kind != IR_LIST))
        return all;
    struct strbuf shape = strbuf_make(w->arena), at = strbuf_make(w->arena);
    for (size_t i = 0; i < index->items.len; i++) {
        if (!ir_walk_expr(index->items.items[i], is_plain, NULL))
            return all;
        strbuf_add(&shape, i ? ", 1" : "1");
        strbuf_addf(&at, "%s%s", i ? ", " : "", ir_print_expr(w->arena, index->items.items[i]));
    }
    return arena_printf(w->arena, "pl.system.cacheinvalid(%s, [%s], [%s])", tensor->var->name,
                        shape.text, at.text);
}

static void add(struct words *w, struct remedy_spot spot, const char *call)
{
    struct remedy_found *f = w->found;
    struct remedy_call c = {call, spot.after, spot.line, spot.col};
    for (int i = 0; i < f->ncalls; i++)
        if (f->calls[i].line == c.line && f->calls[i].after == c.after &&
            !strcmp(f->calls[i].call, call))
            return;
    if (f->ncalls < REMEDY_CALLS)
        f->calls[f->ncalls++] = c;
}

/* What a step has behind it at its own place. */
enum closing {
    OPEN,
    FENCED, /* a dsb of the remedy */
    PASSED  /* nothing: it relies on a dsb further on */
};

/* A fence behind what the core has queued, whichever barrier a step's dsb relied on: that may be
 * one of the statement in front of which the call stands. */
static void add_fence(struct words *w, struct remedy_spot spot, const struct edge *e)
{
    const struct insn *from = insn_of(w->program, e->from);
    bool queued = insn_pipe(w->program->cores[e->from.core].code, from) != PIPE_S;
    if (queued && w->toolchain->fence != FENCE_ALL)
        add(w, spot, remedy_language_of(w->kernel)->drain);
    add(w, spot, remedy_language_of(w->kernel)->fence);
}

/* The calls of one step. Where a clean or a drain relies on a dsb further on, the pass would put
 * its markers, that dsb among them, between it and the write: it brings a fence of its own. */
static void add_step(struct words *w, struct remedy_spot spot, const struct edge *e,
                     const struct remedy_step *s, enum closing closing)
{
    switch (s->marker) {
    case MARKER_FLAG:
        add(w, spot, remedy_language_of(w->kernel)->drain);
        break;
    case MARKER_CLEAN:
        add(w, spot, cacheinvalid(w, s));
        if (closing == PASSED)
            add_fence(w, spot, e);
        break;
    case MARKER_DRAIN:
        if (closing == OPEN)
            add(w, spot, remedy_language_of(w->kernel)->drain);
        else if (closing == PASSED)
            add_fence(w, spot, e);
        break;
    case MARKER_DSB:
        add_fence(w, spot, e);
        break;
    default:
        add(w, spot, cacheinvalid(w, s));
    }
}

static bool same_place(const struct remedy_step *x, const struct remedy_step *y)
{
    return x->at.core == y->at.core && x->at.insn == y->at.insn && x->behind == y->behind;
}

static enum closing closing_of(const struct words *w, const struct remedy *r, int step)
{
    const struct remedy_step *s = &r->steps[step];
    for (int k = step + 1; k < r->nsteps; k++)
        if (r->steps[k].marker == MARKER_DSB && same_place(s, &r->steps[k]))
            return FENCED;
    return insn_any(insn_of(w->program, r->edge.from), CLASS_STORE) && s->behind && !r->edge.tile
               ? PASSED
               : OPEN;
}

static bool add_remedy(struct words *w, const struct remedy *r)
{
    for (int i = 0; i < r->nsteps; i++) {
        struct remedy_spot spot;
        if (!spot_of(w, &r->edge, &r->steps[i], &spot))
            return false;
        add_step(w, spot, &r->edge, &r->steps[i], closing_of(w, r, i));
    }
    return true;
}

void remedy_add_calls(struct arena *a, const struct kernel *k, const struct toolchain *t,
                      const struct program *p, struct remedy_found *r)
{
    struct words w = {a, k, t, p, r};
    r->ncalls = 0;
    for (int i = 0; i < r->nremedies; i++)
        if (!add_remedy(&w, &r->remedies[i])) {
            r->ncalls = 0;
            return;
        }
}

const char *remedy_calls_text(struct arena *a, const struct source *src,
                              const struct remedy_found *r)
{
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < r->ncalls; i++) {
        const struct remedy_call *c = &r->calls[i], *next = c + 1;
        bool more = i + 1 < r->ncalls;
        strbuf_add(&b, c->call);
        if (more && next->line == c->line && next->after == c->after)
            strbuf_add(&b, ", ");
        else
            strbuf_addf(&b, " %s %s%s", c->after ? "after" : "before",
                        source_line_words(a, src, c->line), more ? "; " : "");
    }
    return r->ncalls ? b.text : NULL;
}
