/* SPDX-License-Identifier: MIT */
#include "bench/campaign/expect.h"

#include <ctype.h>
#include <string.h>

#include "base/stop.h"
#include "base/strbuf.h"

/* "stale" begins "stale read", and "stale-read" is that. */
static bool is_verdict(const char *word, const char *name)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (word[i] != name[i] && !(word[i] == '-' && name[i] == ' '))
            return false;
    return !name[n] || name[n] == ' ';
}

static bool verdict_known(const struct expectation *x, const struct source *src, struct diag *d)
{
    const char *names[2 * V_COUNT + 1] = {"clean"};
    bool known = !strcmp(x->verdict.name, names[0]);
    for (int v = 0; v < V_COUNT; v++) {
        char *name = arena_strdup(d->arena, verdict_name((enum verdict)v));
        known |= is_verdict(x->verdict.name, name);
        for (char *p = name; *p; p++)
            *p = *p == ' ' ? '-' : *p;
        names[2 * v + 1] = name;
        names[2 * v + 2] = arena_strndup(d->arena, name, strcspn(name, "-"));
    }
    return known || diag_error(d, src, x->verdict.span, "expected 'clean' or a verdict%s",
                               diag_hint(d->arena, x->verdict.name, names, 2 * V_COUNT + 1));
}

bool expect_known(const struct kernel *k, const char *dir, struct diag *d)
{
    const char *const *names = NULL;
    size_t n = k->directives.expects.len ? contract_list(d->arena, dir, &names) : 0;
    vec_foreach (const struct expectation, x, &k->directives.expects) {
        bool known = false;
        for (size_t i = 0; i < n; i++)
            known |= !strcmp(names[i], x->model.name);
        if (!known)
            return diag_error(d, k->source, x->model.span, "no model '%s'%s", x->model.name,
                              diag_hint(d->arena, x->model.name, names, n));
        if (!verdict_known(x, k->source, d))
            return false;
    }
    return true;
}

static bool as_usual(const struct kase *k)
{
    const struct kernel_options *o = &k->of->kernel;
    return !k->removed && !k->mutated && o->pass.markers && o->pass.batch == PASS_BATCH_LOOPS &&
           o->pass.rules == PASS_RULES_COMPILER && !o->passes && !o->nargs;
}

/* A word of the site's name or of its marker's, or its origin. */
static bool site_is(const struct program *p, const struct site *s, const char *word)
{
    const char *const names[] = {s->what, p->sites[s->marker].what, origin_name(s->origin)};
    size_t n = strlen(word);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (const char *at = strstr(names[i], word); at; at = strstr(at + 1, word))
            if (!n || ((at == names[i] || !isalnum((unsigned char)at[-1])) &&
                       !isalnum((unsigned char)at[n])))
                return true;
    return false;
}

/* "fence (W2), barrier before TPUT (codegen)": what can be removed of a line. */
static const char *sites_of_line(const struct kase *k, int line)
{
    struct strbuf b = strbuf_make(k->of->arena);
    for (int i = 0; i < k->program->nsites; i++) {
        const struct site *s = &k->program->sites[i];
        if (s->span.line == line)
            strbuf_addf(&b, "%s%s (%s)", b.len ? ", " : "", s->what, origin_name(s->origin));
    }
    return b.len ? b.text : "none";
}

/* The case without the sites that x names. */
static bool without(const struct kase *k, const struct expectation *x, struct kase *out,
                    struct diag *d)
{
    const struct program *p = k->program;
    const char *word = x->site ? x->site : "";
    bool *removed = arena_array(k->of->arena, bool, (size_t)p->nsites + 1), any = false;
    for (int i = 0; i < p->nsites; i++)
        any |= removed[i] = p->sites[i].span.line == x->line && site_is(p, &p->sites[i], word);
    if (!any)
        return diag_error(d, k->kernel->source, x->at, "no site '%s' on line %d, which has: %s",
                          word, x->line, sites_of_line(k, x->line));
    *out = kase_without(k, removed);
    out->glance = (struct glance){0};
    case_run_more(out, k->tally.runs);
    case_glance(out, GLANCE_FEW);
    return true;
}

/* The case shows a finding of that verdict; NULL: of any. */
static bool shows(const struct kase *k, const char *word)
{
    bool any =
        k->glance.found && (!word || is_verdict(word, verdict_name(k->glance.first.verdict)));
    for (int v = 0; v < V_COUNT; v++)
        any |=
            k->tally.verdict_runs[v] && (!word || is_verdict(word, verdict_name((enum verdict)v)));
    return any;
}

static const char *shown_by(const struct kase *k)
{
    return k->tally.failed   ? verdict_name(tally_verdict(&k->tally))
           : k->glance.found ? verdict_name(k->glance.first.verdict)
                             : "clean";
}

bool expect_check(const struct kase *k, expected_list *out, struct diag *d)
{
    if (!as_usual(k) || stop_wanted() || case_partial(k))
        return true;
    vec_foreach (const struct expectation, x, &k->kernel->directives.expects) {
        struct kase other = *k;
        if (strcmp(x->model.name, k->contract->name) != 0)
            continue;
        if (x->line && !without(k, x, &other, d))
            return false;
        if (stop_wanted())
            return true;
        bool clean = !strcmp(x->verdict.name, "clean");
        struct expected e = {x, clean ? !shows(&other, NULL) : shows(&other, x->verdict.name),
                             shown_by(&other)};
        vec_push(k->of->arena, out, e);
    }
    return true;
}

bool expect_covers(const struct kase *k, const expected_list *list)
{
    for (int v = 0; v < V_COUNT; v++) {
        bool named = !k->tally.verdict_runs[v] &&
                     !(k->glance.found && k->glance.first.verdict == (enum verdict)v);
        vec_foreach (const struct expected, e, list)
            named |=
                !e->what->line && is_verdict(e->what->verdict.name, verdict_name((enum verdict)v));
        if (!named)
            return false;
    }
    return true;
}
