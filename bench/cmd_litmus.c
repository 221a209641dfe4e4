/* SPDX-License-Identifier: MIT */
/* fencebench litmus: final states of small tests, and whether they are the expected ones. */
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/commands.h"
#include "bench/litmus_promote.h"
#include "bench/report.h"

struct litmus {
    struct options o;
    struct litmus_settings settings;
    bool kinds, promote;
    VEC(struct litmus_job) jobs; /* those of one test stand together */
};

/* ---- options ---- */

enum { KEY_TOOLCHAIN = 0x200, KEY_EXPLORE, KEY_MAX_STATES, KEY_MAX_MEMORY, KEY_KINDS, KEY_PROMOTE };

static const struct argp_option litmus_options[] = {
    {"toolchain", KEY_TOOLCHAIN, "NAME", 0,
     "Toolchain profile: decides what 'fence' becomes (default ptoas-0.57)", 1},
    {"explore", KEY_EXPLORE, NULL, 0,
     "Visit every reachable state instead of sampling: verdicts are proofs", 3},
    {"max-states", KEY_MAX_STATES, "N", 0,
     "Explore: give up, with verdict unknown, beyond N machine states (default: no limit)", 3},
    {"max-memory", KEY_MAX_MEMORY, "MIB", 0,
     "Explore: give up beyond this much memory, in MiB (default 4096)", 3},
    {"kinds", KEY_KINDS, NULL, 0,
     "Print only 'NAME Verdict' lines ('NAME MODEL Verdict' with several models)", 4},
    {"promote", KEY_PROMOTE, NULL, 0,
     "Rewrite the expect lines of the files as the verdicts show, and print what changed", 4},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct litmus *l = s->input;
    switch (key) {
    case ARGP_KEY_INIT:
        s->child_inputs[0] = &l->o;
        return 0;
    case KEY_TOOLCHAIN:
        l->o.toolchain_name = arg;
        return 0;
    case KEY_EXPLORE:
        l->settings.explore = true;
        return 0;
    case KEY_MAX_STATES:
        l->settings.max_states = option_number(arg, "--max-states", 1, UINT64_MAX / 2, s);
        return 0;
    case KEY_MAX_MEMORY:
        l->settings.max_memory = option_number(arg, "--max-memory", 1, 1 << 24, s) << 20;
        return 0;
    case KEY_KINDS:
        l->kinds = true;
        return 0;
    case KEY_PROMOTE:
        l->promote = true;
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&l->o.arena, &l->o.files, arg);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(s, "expected at least one litmus file or folder");
        return 0;
    case ARGP_KEY_END:
        if (l->o.ranks.len)
            argp_error(s, "-P: a litmus test fixes its ranks itself");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&run_argp, 0, "Running:", 2}, {0}};
static const struct argp litmus_argp = {
    litmus_options,
    parse,
    "FILE|DIR...",
    "Run litmus tests and print their final states as a log. Folders are searched for *.litmus.\v"
    "Verdicts are about the condition's proposition: Never, Sometimes or Always true in the final "
    "states. An 'expect MODEL [-LABEL] VERDICT ;' line of a test is compared with what was seen "
    "under "
    "that model; with a label, the instruction so labelled is removed and the variant is called "
    "NAME-LABEL. Sampling cannot refute 'Sometimes': it reports 'not seen', which is no failure. A "
    "test without an expectation for a model fails there when a ~exists or forall condition is not "
    "met; an exists condition asks a question and never fails.\n\n"
    "Exit code: 0 all as expected, 1 a verdict is contradicted or a condition not met, 2 bad usage "
    "or "
    "input, 3 a limit was hit before an answer.",
    children,
    NULL,
    NULL};

/* ---- files ---- */

static int by_bytes(const FTSENT **x, const FTSENT **y)
{
    return strcmp((*x)->fts_name, (*y)->fts_name);
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), k = strlen(suffix);
    return n > k && !strcmp(name + n - k, suffix);
}

static bool walk_failed(struct diag *d, const char *path, int error)
{
    struct source src = {.name = path, .text = ""};
    return diag_error(d, &src, (struct span){0}, "cannot read: %s", strerror(error));
}

/* Files below dir in byte order of their names, folder by folder. */
static bool add_folder(struct options *o, const char *dir, const char *const **files, size_t *n)
{
    VEC(const char *) found = {0};
    char *const roots[] = {arena_strdup(&o->arena, dir), NULL};
    FTS *walk = fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, by_bytes);
    if (!walk)
        return walk_failed(&o->diag, roots[0], errno);
    FTSENT *at;
    while (!o->diag.failed && (at = fts_read(walk))) {
        if (at->fts_info == FTS_F && has_suffix(at->fts_name, ".litmus"))
            vec_push(&o->arena, &found, arena_strdup(&o->arena, at->fts_path));
        else if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || at->fts_info == FTS_NS)
            walk_failed(&o->diag, arena_strdup(&o->arena, at->fts_path), at->fts_errno);
    }
    fts_close(walk);
    *files = found.items;
    *n = found.len;
    struct source src = {.name = roots[0], .text = ""};
    return !o->diag.failed &&
           (found.len || diag_error(&o->diag, &src, (struct span){0}, "holds no file *.litmus"));
}

/* ---- jobs ---- */

/* A misspelt model would never be run: its expectation could not fail. */
static bool check_models(struct options *o, const struct litmus_test *t)
{
    const char *const *names;
    size_t n = contract_list(&o->arena, bench_models_dir(&o->arena), &names);
    vec_foreach (const struct litmus_expect, x, &t->expects) {
        bool known = false;
        for (size_t i = 0; i < n; i++)
            known |= !strcmp(names[i], x->model);
        vec_foreach (const struct contract *, k, &o->models)
            known |= !strcmp((*k)->name, x->model);
        if (known)
            continue;
        const char *near = diag_nearest(x->model, names, n);
        return diag_error(&o->diag, t->source, x->model_at, "no machine contract '%s'%s%s%s",
                          x->model, near ? "; did you mean '" : "", near ? near : "",
                          near ? "'?" : "");
    }
    return true;
}

static void add_jobs(struct litmus *l, const struct litmus_test *t, const struct contract *k)
{
    struct litmus_job base = {.test = t, .base = t, .contract = k};
    vec_foreach (const struct litmus_expect, x, &t->expects)
        if (!x->label && !strcmp(x->model, k->name))
            base.expect = x;
    vec_push(&l->o.arena, &l->jobs, base);
    vec_foreach (const struct litmus_expect, x, &t->expects)
        if (x->label && !strcmp(x->model, k->name))
            vec_push(&l->o.arena, &l->jobs,
                     (struct litmus_job){.test = litmus_without(&l->o.arena, t, x->label),
                                         .base = t,
                                         .expect = x,
                                         .contract = k});
}

static bool add_file(struct litmus *l, const char *path)
{
    struct options *o = &l->o;
    const struct source *src = source_read(&o->arena, path, &o->diag);
    const struct litmus_test *t =
        src ? litmus_parse(&o->arena, src, o->kernel.toolchain, &o->diag) : NULL;
    if (!t || !check_models(o, t))
        return false;
    vec_foreach (const struct contract *, k, &o->models)
        add_jobs(l, t, *k);
    return true;
}

static bool add_argument(struct litmus *l, const char *path)
{
    struct stat st;
    const char *const *files = &path;
    size_t n = 1;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !add_folder(&l->o, path, &files, &n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!add_file(l, files[i]))
            return false;
    return true;
}

/* ---- running ---- */

struct pool {
    struct litmus *l;
    atomic_size_t next;
    pthread_mutex_t lock;
    pthread_cond_t done;
};

static void *work(void *arg)
{
    struct pool *p = arg;
    for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->l->jobs.len;) {
        struct litmus_job *j = &p->l->jobs.items[i];
        litmus_collect(j->test, j->contract, &p->l->settings, &j->outcome);
        pthread_mutex_lock(&p->lock);
        j->done = true;
        pthread_cond_broadcast(&p->done);
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

static void await(struct pool *p, const struct litmus_job *j)
{
    pthread_mutex_lock(&p->lock);
    while (!j->done)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

/* Reports the jobs in their order as they end, whatever order they end in. */
static void run_jobs(struct litmus *l, void (*report)(struct litmus *l, const struct litmus_job *j))
{
    struct pool p = {.l = l, .lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
    int n = l->o.threads < (int)l->jobs.len ? l->o.threads : (int)l->jobs.len, started = 0;
    /* A single test is explored by all threads, many tests by one thread each. */
    l->settings.threads = l->o.threads / n;
    pthread_t *threads = arena_array(&l->o.arena, pthread_t, (size_t)n);
    while (started < n && pthread_create(&threads[started], NULL, work, &p) == 0)
        started++;
    if (!started)
        work(&p);
    struct progress progress = progress_start();
    progress.tty &= !isatty(STDOUT_FILENO);
    for (size_t i = 0; i < l->jobs.len; i++) {
        const struct litmus_job *j = &l->jobs.items[i];
        await(&p, j);
        if (report)
            report(l, j);
        progress_show(&progress, (int)i + 1, (int)l->jobs.len, litmus_job_failed(j));
    }
    progress_end(&progress);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- reporting ---- */

static void report_log(struct litmus *l, const struct litmus_job *j)
{
    litmus_report_log(stdout, &l->o, &l->settings, j);
}

static void report_kind(struct litmus *l, const struct litmus_job *j)
{
    bool several = l->o.models.len > 1;
    printf("%s%s%s %s\n", j->test->name, several ? " " : "", several ? j->contract->name : "",
           litmus_verdict_name(j->outcome.verdict));
}

static void print_json(struct litmus *l)
{
    json_t *list = json_array();
    vec_foreach (const struct litmus_job, j, &l->jobs)
        json_array_append_new(list, litmus_report_json(&l->o, &l->settings, j));
    json_t *top = json_pack("{s:i, s:s, s:s, s:o}", "schema", JSON_SCHEMA, "command", "litmus",
                            "build", build_id(), "results", list);
    json_dumpf(top, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(top);
}

static void print_summary(const struct litmus *l)
{
    uint64_t by[AGREE_NO + 1] = {0}, unmet = 0;
    vec_foreach (const struct litmus_job, j, &l->jobs) {
        by[litmus_job_agreement(j)]++;
        unmet += !j->expect && litmus_job_failed(j);
    }
    printf("Summary %zu results: %" PRIu64 " as expected, %" PRIu64 " contradicted, %" PRIu64
           " not seen, %" PRIu64 " unknown, %" PRIu64 " without an expectation (%" PRIu64
           " with a condition not met)\n",
           l->jobs.len, by[AGREE_YES], by[AGREE_NO], by[AGREE_NOT_SEEN], by[AGREE_UNKNOWN],
           by[AGREE_NONE], unmet);
}

static bool promote_all(struct litmus *l)
{
    for (size_t i = 0, n; i < l->jobs.len; i += n) {
        for (n = 1; i + n < l->jobs.len && l->jobs.items[i + n].base == l->jobs.items[i].base;)
            n++;
        if (!litmus_promote(stdout, &l->o.arena, &l->jobs.items[i], n, &l->o.diag))
            return false;
    }
    return true;
}

static int exit_code(const struct litmus *l)
{
    int code = EXIT_CLEAN;
    vec_foreach (const struct litmus_job, j, &l->jobs) {
        if (litmus_job_failed(j))
            return EXIT_FINDINGS;
        if (litmus_job_unknown(j))
            code = EXIT_LIMIT;
    }
    return code;
}

static int run(struct litmus *l)
{
    l->settings.runs = l->o.runs;
    l->settings.seed = l->o.seed;
    l->settings.runner = l->o.runner;
    bool log = !l->o.json && !l->kinds && !l->promote;
    run_jobs(l, log ? report_log : l->kinds && !l->o.json ? report_kind : NULL);
    if (l->o.json)
        print_json(l);
    else if (log && l->jobs.len > 1)
        print_summary(l);
    if (l->promote && !promote_all(l))
        return EXIT_USAGE;
    return exit_code(l);
}

int cmd_litmus(int argc, char **argv)
{
    struct litmus l = {.settings = {.max_memory = (uint64_t)4096 << 20}};
    options_init(&l.o);
    argp_parse(&litmus_argp, argc, argv, 0, NULL, &l);
    bool ok = options_finish(&l.o);
    for (size_t i = 0; ok && i < l.o.files.len; i++)
        ok = add_argument(&l, l.o.files.items[i]);
    int code = ok ? run(&l) : EXIT_USAGE;
    diag_print(&l.o.diag, stderr);
    vec_foreach (struct litmus_job, j, &l.jobs)
        arena_free(&j->outcome.arena);
    options_free(&l.o);
    return code;
}
