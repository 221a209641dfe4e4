/* SPDX-License-Identifier: MIT */
#include "bench/report/litmus_promote.h"

#include "base/strbuf.h"
#include "bench/report/output.h"

/* Bytes from .. to of the source become text. */
struct edit {
    size_t from, to;
    const char *text;
    const struct litmus_expect *expect; /* NULL: a line that is new */
};

struct edits {
    struct arena *arena;
    VEC(struct edit) items;
};

static enum litmus_verdict shown(const struct litmus_job *j)
{
    const struct litmus_outcome *o = &j->outcome;
    bool refuted = j->expect && litmus_job_agreement(j) == AGREE_NO;
    return o->complete || refuted || o->verdict == LITMUS_SOMETIMES ? o->verdict : LITMUS_UNKNOWN;
}

static void propose(struct edits *e, const struct litmus_job *j)
{
    enum litmus_verdict v = shown(j);
    const char *word = litmus_verdict_name(v);
    if (v == LITMUS_UNKNOWN || (j->expect && j->expect->verdict == v))
        return;
    if (j->expect) {
        vec_push(e->arena, &e->items,
                 (struct edit){j->expect->from, j->expect->to, word, j->expect});
        return;
    }
    size_t at = j->base->cond_from;
    const char *line = arena_printf(e->arena, "expect %s %s ;\n", j->contract->name, word);
    vec_push(e->arena, &e->items, (struct edit){at, at, line, NULL});
}

/* In the order of the source; lines at one place stay in the order of the jobs. */
static void sort_edits(struct edits *e)
{
    struct edit *x = e->items.items;
    for (size_t i = 1; i < e->items.len; i++)
        for (size_t k = i; k > 0 && x[k - 1].from > x[k].from; k--) {
            struct edit swap = x[k];
            x[k] = x[k - 1];
            x[k - 1] = swap;
        }
}

static const char *apply(struct edits *e, const struct source *src)
{
    struct strbuf b = strbuf_make(e->arena);
    size_t at = 0;
    vec_foreach (const struct edit, x, &e->items) {
        strbuf_addn(&b, src->text + at, x->from - at);
        strbuf_add(&b, x->text);
        at = x->to;
    }
    strbuf_addn(&b, src->text + at, src->len - at);
    return b.text;
}

static void print_change(FILE *out, const struct edit *x)
{
    if (!x->expect) {
        fprintf(out, "+%s", x->text);
        return;
    }
    const char *dash = x->expect->label ? " -" : "",
               *label = x->expect->label ? x->expect->label : "";
    fprintf(out, "-expect %s%s%s %s ;\n", x->expect->model, dash, label,
            litmus_verdict_name(x->expect->verdict));
    fprintf(out, "+expect %s%s%s %s ;\n", x->expect->model, dash, label, x->text);
}

bool litmus_promote(FILE *out, struct arena *a, const struct litmus_job *jobs, size_t n,
                    struct diag *d)
{
    struct edits e = {.arena = a};
    const struct source *src = jobs[0].base->source;
    for (size_t i = 0; i < n; i++)
        propose(&e, &jobs[i]);
    if (!e.items.len)
        return true;
    sort_edits(&e);
    if (!output_text(src->name, apply(&e, src), d))
        return false;
    fprintf(out, "--- %s\n+++ %s\n", src->name, src->name);
    vec_foreach (const struct edit, x, &e.items)
        print_change(out, x);
    return true;
}
