/* SPDX-License-Identifier: MIT */
/* Pairs are made, explored, and sorted into classes. */
#include "bench/campaign/batching.h"

#include <string.h>
#include <unistd.h>

#include "base/pool.h"
#include "bench/campaign/campaign.h"
#include "bench/campaign/litmus_files.h"

/* ---- pairs ---- */

static void add_case(struct batching *b, struct batching_case c)
{
    c.same = c.forms[BATCHING_EACH]->hash == c.forms[BATCHING_ONCE]->hash;
    c.results = arena_array(b->x->arena, struct equivalence, b->x->models.len);
    vec_push(b->x->arena, &b->cases, c);
}

static const struct litmus_test *parse(const struct experiment *x, const struct source *src)
{
    return src ? litmus_parse(x->arena, src, x->kernel.toolchain, x->diag) : NULL;
}

static bool add_family(struct batching *b)
{
    const struct experiment *x = b->x;
    struct batching_pairs all = batching_family(x->arena);
    vec_foreach (const struct batching_pair, p, &all.pairs) {
        struct batching_case c = {.name = p->name, .at = p->at};
        for (int f = 0; f < BATCHING_FORMS; f++) {
            c.forms[f] = parse(x, source_from_string(x->arena, p->name, p->text[f]));
            if (!c.forms[f])
                return false;
        }
        add_case(b, c);
    }
    return true;
}

static bool add_file(struct batching *b, const char *path)
{
    const struct experiment *x = b->x;
    const struct litmus_test *t = parse(x, source_read(x->arena, path, x->diag));
    if (!t)
        return false;
    b->tests++;
    if (!batching_runs(t))
        return true;
    struct batching_case c = {.name = t->name};
    for (int f = 0; f < BATCHING_FORMS; f++) {
        c.forms[f] = batching_form_of(x->arena, t, (enum batching_form)f, x->diag);
        if (!c.forms[f])
            return false;
    }
    add_case(b, c);
    return true;
}

static bool add_argument(struct batching *b, const char *path)
{
    const char *const *files;
    size_t n;
    if (!litmus_files(path, &files, &n, b->x->diag))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!add_file(b, files[i]))
            return false;
    return true;
}

/* A comparison of nothing proves nothing. */
static bool add_cases(struct batching *b)
{
    const struct experiment *x = b->x;
    if (!x->files.len)
        return add_family(b);
    vec_foreach (const char *, path, &x->files)
        if (!add_argument(b, *path))
            return false;
    return b->cases.len || diag_file(x->diag, x->files.items[0],
                                     "no test here has a run of waits: two waits, or a wait and "
                                     "a dcci, one behind the other");
}

/* ---- exploring ---- */

struct batching_run {
    struct batching *b;
    struct progress progress;
};

static void work(void *ctx, size_t i)
{
    struct batching *b = ((struct batching_run *)ctx)->b;
    size_t models = b->x->models.len;
    const struct batching_case *c = &b->cases.items[i / models];
    const struct contract *k = b->x->models.items[i % models];
    struct equivalence *e = &c->results[i % models];
    if (c->same)
        *e = (struct equivalence){.contract = k, .complete = true, .answer = EQUIV_EQUAL};
    else
        equivalence_compare(c->forms, k, &b->settings, e);
    /* Only the texts of a difference are looked at again. */
    if (e->answer == EQUIV_EQUAL)
        equivalence_free(e);
}

static void done(void *ctx, size_t i)
{
    struct batching_run *r = ctx;
    struct batching *b = r->b;
    size_t models = b->x->models.len;
    const struct batching_case *c = &b->cases.items[i / models];
    if (i % models + 1 == models && !b->summary && !b->json)
        batching_report_case(b, c);
    progress_show(&r->progress, 1, c->results[i % models].answer == EQUIV_DIFFER);
}

static void explore_all(struct batching *b)
{
    size_t jobs = b->cases.len * b->x->models.len;
    int threads = b->x->threads < (int)jobs ? b->x->threads : (int)jobs;
    b->settings.threads = b->x->threads / threads;
    struct batching_run r = {.b = b, .progress = progress_start(jobs, "pairs")};
    r.progress.tty &= !isatty(STDOUT_FILENO) || b->summary || b->json;
    pool_each(&(struct pool_items){
        .n = jobs, .threads = threads, .in_order = true, .work = work, .done = done, .ctx = &r});
    progress_end(&r.progress);
}

/* ---- classes ---- */

static bool hangs(const char *state)
{
    static const char mark[] = "deadlock=1;";
    size_t n = strlen(state), k = sizeof mark - 1;
    return n >= k && !strcmp(state + n - k, mark);
}

/* Which form has final states of its own, and whether some of them are hangs: two bits a form. */
static unsigned signature_of(const struct equivalence *e)
{
    unsigned bits = 0;
    for (int f = 0; f < BATCHING_FORMS; f++)
        vec_foreach (const char *, state, &e->only[f])
            bits |= (hangs(*state) ? 2u : 1u) << 2 * f;
    return bits;
}

static bool compare_alike(const struct batching *b, const struct batching_case *x,
                          const struct batching_case *y)
{
    for (size_t m = 0; m < b->x->models.len; m++) {
        const struct equivalence *ex = &x->results[m], *ey = &y->results[m];
        if (ex->answer != ey->answer || signature_of(ex) != signature_of(ey))
            return false;
    }
    return true;
}

static bool differs(const struct batching *b, const struct batching_case *c)
{
    for (size_t m = 0; m < b->x->models.len; m++)
        if (c->results[m].answer == EQUIV_DIFFER)
            return true;
    return false;
}

static void classify(struct batching *b)
{
    vec_foreach (const struct batching_case, c, &b->cases) {
        if (!differs(b, c))
            continue;
        size_t i = 0;
        while (i < b->classes.len && !compare_alike(b, b->classes.items[i].cases.items[0], c))
            i++;
        if (i == b->classes.len)
            vec_push(b->x->arena, &b->classes, (struct batching_class){0});
        vec_push(b->x->arena, &b->classes.items[i].cases, c);
    }
}

/* Cases of the class with the very states of c on either side. */
static size_t twins(const struct batching *b, const struct batching_class *class,
                    const struct batching_case *c)
{
    size_t n = 0;
    vec_foreach (const struct batching_case *, other, &class->cases) {
        size_t m = 0;
        while (m < b->x->models.len && equivalence_same(&c->results[m], &(*other)->results[m]))
            m++;
        n += m == b->x->models.len;
    }
    return n;
}

static void represent(struct batching *b)
{
    vec_foreach (struct batching_class, class, &b->classes) {
        size_t most = 0;
        vec_foreach (const struct batching_case *, c, &class->cases) {
            size_t n = twins(b, class, *c);
            if (n > most)
                class->typical = *c;
            most = n > most ? n : most;
        }
    }
}

/* ---- the comparison ---- */

static enum equivalence_answer answer_of(const struct batching *b)
{
    bool seen[EQUIV_ANSWERS] = {0};
    vec_foreach (const struct batching_case, c, &b->cases)
        for (size_t m = 0; m < b->x->models.len; m++)
            seen[c->results[m].answer] = true;
    return equivalence_of_all(seen);
}

bool batching_compare(struct batching *b, enum equivalence_answer *answer)
{
    if (!add_cases(b))
        return false;
    explore_all(b);
    classify(b);
    represent(b);
    (b->json ? batching_report_json : batching_report_summary)(b);
    *answer = answer_of(b);
    vec_foreach (const struct batching_case, c, &b->cases)
        for (size_t m = 0; m < b->x->models.len; m++)
            equivalence_free(&c->results[m]);
    return true;
}
