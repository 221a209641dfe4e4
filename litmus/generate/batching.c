/* SPDX-License-Identifier: MIT */
#include "litmus/generate/batching.h"

#include "base/strbuf.h"
#include "base/table.h"
#include "litmus/print.h"

const char *batching_form_name(enum batching_form f)
{
    static const char *const names[] = {[BATCHING_EACH] = "each", [BATCHING_ONCE] = "once"};
    ROW_EACH(names, BATCHING_FORMS);
    return names[f];
}

/* ---- runs ---- */

static bool is_wait(const struct litmus_insn *i)
{
    return i->op->insn == I_POLL;
}

static bool is_invalidate(const struct litmus_insn *i)
{
    return i->op->insn == I_DCCI;
}

struct invalidate_run {
    size_t length; /* instructions; 0: none */
    size_t waits;
};

static struct invalidate_run run_at(const struct litmus_column *c, size_t from)
{
    struct invalidate_run r = {0};
    for (; from + r.length < c->insns.len; r.length++) {
        const struct litmus_insn *i = &c->insns.items[from + r.length];
        if (!is_wait(i) && (!is_invalidate(i) || !r.waits))
            break;
        r.waits += is_wait(i);
    }
    return r.length > 1 ? r : (struct invalidate_run){0};
}

/* The start of the first run at or behind `from`; the column's end when there is none. */
static size_t next_run(const struct litmus_column *c, size_t from)
{
    while (from < c->insns.len && !run_at(c, from).length)
        from++;
    return from;
}

int batching_runs(const struct litmus_test *t)
{
    int runs = 0;
    vec_foreach (const struct litmus_column, c, &t->tree->columns)
        for (size_t at = next_run(c, 0); at < c->insns.len;
             at = next_run(c, at + run_at(c, at).length))
            runs++;
    return runs;
}

/* ---- rewriting ---- */

typedef VEC(struct litmus_insn) insns;

static bool same_target(const struct litmus_insn *x, const struct litmus_insn *y)
{
    const struct litmus_operand *a = &x->args[0], *b = &y->args[0];
    return a->kind == b->kind &&
           (a->kind == LK_ALL || (a->loc.var == b->loc.var && a->loc.index == b->loc.index &&
                                  a->loc.rank == b->loc.rank));
}

static bool holds_target(const insns *list, const struct litmus_insn *i)
{
    vec_foreach (const struct litmus_insn, have, list)
        if (same_target(have, i))
            return true;
    return false;
}

static insns invalidates_of(struct arena *a, const struct litmus_insn *insn, size_t n)
{
    insns list = {0};
    for (size_t i = 0; i < n; i++)
        if (is_invalidate(&insn[i]) && !holds_target(&list, &insn[i]))
            vec_push(a, &list, insn[i]);
    if (!list.len)
        vec_push(a, &list,
                 (struct litmus_insn){.op = litmus_op_find("dcci"),
                                      .args = {{.kind = LK_ALL}},
                                      .span = insn[n - 1].span});
    return list;
}

static void put(struct arena *a, struct litmus_column *out, const struct litmus_insn *i)
{
    struct litmus_insn copy = *i;
    copy.label = NULL;
    vec_push(a, &out->insns, copy);
}

static void put_run(struct arena *a, struct litmus_column *out, const struct litmus_insn *insn,
                    struct invalidate_run r, enum batching_form f)
{
    insns invalidates = invalidates_of(a, insn, r.length);
    for (size_t i = 0, seen = 0; i < r.length; i++) {
        if (!is_wait(&insn[i]))
            continue;
        put(a, out, &insn[i]);
        if (++seen < r.waits && f == BATCHING_ONCE)
            continue;
        vec_foreach (const struct litmus_insn, invalidate, &invalidates)
            put(a, out, invalidate);
    }
}

static struct litmus_column column_form(struct arena *a, const struct litmus_column *c,
                                        enum batching_form f)
{
    struct litmus_column out = *c;
    out.insns.items = NULL;
    out.insns.len = out.insns.cap = 0;
    for (size_t at = 0; at < c->insns.len;) {
        struct invalidate_run r = run_at(c, at);
        bool several = r.waits > 1;
        if (several)
            put_run(a, &out, &c->insns.items[at], r, f);
        else
            put(a, &out, &c->insns.items[at]);
        at += several ? r.length : 1;
    }
    return out;
}

/* ---- what is observed ---- */

/* A notify stores as its macro does (hw-facts 1.1); the signal's value is no data. */
static bool stores_data(const struct litmus_op *op)
{
    bool notifies = op->origin == ORIGIN_MACRO && (op->insn == I_ST || op->insn == I_ST_ATOMIC);
    return op->wants[0] == WANT_LOC && op->insn != I_POLL && !notifies;
}

static void observe_word(struct arena *a, struct litmus_test *t, const struct litmus_column *c,
                         const struct litmus_loc *l)
{
    struct litmus_loc at = *l;
    if (at.rank == OWN_RANK)
        at.rank = c->rank;
    struct litmus_cond *n = arena_new(a, struct litmus_cond);
    *n = (struct litmus_cond){.kind = LITMUS_MEM,
                              .addr = litmus_loc_addr(t->tree, &at, at.rank),
                              .name = litmus_loc_text(a, t->tree, &at)};
    litmus_observe(a, t, n);
}

static void observe_loaded(struct arena *a, struct litmus_test *t, int core,
                           const struct litmus_insn *i)
{
    const struct litmus_column *c = &t->tree->columns.items[core];
    bool tile = i->op->wants[0] == WANT_TILE;
    const char *cell =
        c->core ? arena_printf(a, "%d.%d", c->rank, c->core) : arena_printf(a, "%d", c->rank);
    struct litmus_cond *n = arena_new(a, struct litmus_cond);
    *n = (struct litmus_cond){
        .kind = tile ? LITMUS_TILE : LITMUS_REG,
        .core = core,
        .reg = i->args[0].value,
        .name = arena_printf(a, "%s:%c%d", cell, tile ? 't' : 'r', (int)i->args[0].value)};
    litmus_observe(a, t, n);
}

static void observe_all(struct arena *a, struct litmus_test *t)
{
    for (size_t core = 0; core < t->tree->columns.len; core++) {
        const struct litmus_column *c = &t->tree->columns.items[core];
        size_t first = next_run(c, 0);
        for (size_t i = 0; i < c->insns.len; i++) {
            const struct litmus_insn *insn = &c->insns.items[i];
            enum litmus_want to = insn->op->wants[0];
            if (i > first && (to == WANT_SCALAR || to == WANT_TILE))
                observe_loaded(a, t, (int)core, insn);
            if (stores_data(insn->op))
                observe_word(a, t, c, &insn->args[0].loc);
        }
    }
}

/* A condition whose only use is the names in it. */
static void set_condition(struct arena *a, struct litmus_test *t)
{
    struct strbuf b = strbuf_make(a);
    const struct litmus_cond *all = NULL;
    vec_foreach (const struct litmus_cond *, c, &t->observed) {
        struct litmus_cond *both = arena_new(a, struct litmus_cond);
        struct litmus_cond *zero = arena_dup(a, *c, sizeof **c);
        zero->value = 0;
        *both = (struct litmus_cond){.kind = LITMUS_AND, .lhs = all, .rhs = zero};
        all = all ? both : zero;
        strbuf_addf(&b, "%s%s=0", b.len ? " /\\ " : "(", zero->name);
    }
    t->quantifier = LITMUS_EXISTS;
    t->cond = all ? all : arena_new(a, struct litmus_cond); /* LITMUS_TRUE */
    t->cond_text = all ? arena_printf(a, "%s)", b.text) : "(true)";
}

/* ---- forms ---- */

static bool fits(const struct litmus_test *t, const struct litmus_column *c, enum batching_form f,
                 struct diag *d)
{
    return c->insns.len <= LITMUS_ROWS ||
           diag_error(d, t->source, (struct span){0},
                      "with the invalidates behind %s, it has %zu rows; a table has at most %d",
                      f == BATCHING_EACH ? "each wait" : "the last wait", c->insns.len,
                      LITMUS_ROWS);
}

const struct litmus_test *batching_form_of(struct arena *a, const struct litmus_test *t,
                                           enum batching_form f, struct diag *d)
{
    struct litmus_test *v = arena_new(a, struct litmus_test);
    struct litmus_tree *tree = arena_dup(a, t->tree, sizeof *t->tree);
    tree->columns.items = NULL;
    tree->columns.len = tree->columns.cap = 0;
    vec_foreach (const struct litmus_column, c, &t->tree->columns) {
        struct litmus_column out = column_form(a, c, f);
        if (!fits(t, &out, f, d))
            return NULL;
        vec_push(a, &tree->columns, out);
    }
    *v = (struct litmus_test){.name = arena_printf(a, "%s-%s", t->name, batching_form_name(f)),
                              .source = t->source,
                              .tree = tree,
                              .toolchain = t->toolchain,
                              .filter = t->filter};
    vec_foreach (const struct litmus_cond *, c, &t->observed)
        litmus_observe(a, v, *c);
    observe_all(a, v);
    set_condition(a, v);
    litmus_finish(a, v);
    return v;
}
