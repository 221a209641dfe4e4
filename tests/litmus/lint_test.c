/* SPDX-License-Identifier: MIT */
/*
 * What a run or an exploration finds that a marker would repair, the static check finds too: at the
 * notify or the access where it shows, or of the access whose effect is missing. On all kernels,
 * with markers and without, on every kernel without one of its sites, and on random programs.
 *
 * SOAK=N looks at N times as many (`make properties`).
 */
#include <glob.h>

#include "isa/lint/lint.h"
#include "base/strbuf.h"
#include "sim/explore/explore.h"
#include "sim/diagnosis.h"
#include "sim/driver.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/random_kernel.h"
#include "tests/litmus/random_litmus.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum {
    KERNEL_SEEDS = 12,
    MUTANT_SEEDS = 3,
    RANDOM_KERNELS = 150,
    RANDOM_HOST_PROGRAMS = 60,
    RANDOM_TESTS = 300,
    MAX_STATES = 1500,
    MAX_TRANSITIONS = 2000000
};

static const char *const models[] = {"a2a3", "a2a3-blocking", "a2a3-fifo", "a2a3-evict", "weakest"};

/* ---- a program, what is found in it, and what the check finds ---- */

struct subject {
    struct arena arena;
    const char *name, *text; /* text: or NULL */
    const struct program *program;
    const struct contract *contract;
    struct lint_report lint;
    int found, missed;
};

static bool is_at(const struct subject *s, const struct lint_finding *x, struct place at)
{
    const struct program *p = s->program;
    return at.core >= 0 && p->cores[x->core].code == p->cores[at.core].code && x->at == at.insn;
}

/* A queued load that others overwrite is told from a store that they do not see. */
static bool same_kind(const struct subject *s, const struct lint_finding *x, struct place from)
{
    const struct program *p = s->program;
    const struct insn *access = &p->cores[x->core].code->insns[x->access],
                      *first = &p->cores[from.core].code->insns[from.insn];
    bool load = x->rule == LINT_DRAIN && insn_any(access, CLASS_LOAD);
    return insn_any(first, CLASS_LOAD) ? load : !load;
}

/* One finding of the check stands for all accesses of a piece of memory at one place. Where the
 * place is not known, which an exploration may not keep, it is one about the same memory. */
static bool reported(const struct subject *s, const struct finding *f)
{
    const struct region *g = program_region_at(s->program, gm_offset(f->addr));
    for (int i = 0; i < s->lint.count; i++) {
        const struct lint_finding *x = &s->lint.items[i];
        bool same = x->region >= 0 && g == &s->program->regions[x->region];
        bool here = is_at(s, x, f->edge.to) || is_at(s, x, f->edge.release) ||
                    (f->edge.release.core < 0 && same);
        if (here && same_kind(s, x, f->edge.from))
            return true;
    }
    return false;
}

/* A marker may repair it: memory that was read or written in another order than the text's. */
static bool counts(const struct subject *s, const struct finding *f)
{
    struct remedy candidates[REMEDY_CANDIDATES];
    bool kind =
        f->verdict == V_STALE_READ || f->verdict == V_OVERRUN_READ || f->verdict == V_LOST_WRITE;
    return kind && f->tile < 0 && f->where != W_OVERWRITTEN && f->where != W_RACED &&
           diagnose(s->program, s->contract, f, true, candidates) > 0;
}

static void expect_reported(struct subject *s, const struct finding *f)
{
    if (!counts(s, f))
        return;
    s->found++;
    if (reported(s, f))
        return;
    s->missed++;
    const struct program *p = s->program;
    struct arena *a = &s->arena;
    struct strbuf b = strbuf_make(a);
    struct remedy candidates[REMEDY_CANDIDATES];
    diagnose(p, s->contract, f, true, candidates);
    for (int i = 0; i < s->lint.count; i++)
        strbuf_addf(&b, "\n  %s", lint_text(a, p, &s->lint.items[i]));
    cr_expect(s->missed > 1, "%s, %s: %s at %s, %s; %s; the check says:%s\n%s", s->name,
              s->contract->name, verdict_name(f->verdict), program_where(p, f->addr, a),
              where_name(f->where), remedy_text(p, &candidates[0], a), b.text,
              s->text ? s->text : "");
}

static void expect_all(struct subject *s, const struct oracle *o)
{
    int n;
    const struct finding *f = oracle_findings(o, &n);
    for (int i = 0; i < n; i++)
        expect_reported(s, &f[i]);
}

static void check_runs(struct subject *s, uint64_t seeds)
{
    struct oracle *oracle = oracle_new(s->program);
    struct machine *m = machine_new(s->program, s->contract,
                                    (struct machine_options){.oracle = oracle, .kernel = true});
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct drive_options o = {
            .seed = seed, .max_transitions = MAX_TRANSITIONS, .adversary = true};
        struct drive_result r = {0};
        machine_reset(m);
        drive_timed(m, &o, &r);
        if (!r.timed_out)
            oracle_finish(oracle, m);
        expect_all(s, oracle);
    }
    machine_free(m);
    oracle_free(oracle);
}

static void on_finding(void *ctx, const struct machine *m)
{
    expect_all(ctx, m->oracle);
}

static void on_restart(void *ctx)
{
    (void)ctx;
}

static void check_states(struct subject *s)
{
    struct explore_options o = {.threads = 1,
                                .reduction = true,
                                .max_states = MAX_STATES,
                                .oracle = true,
                                .on_finding = on_finding,
                                .on_restart = on_restart,
                                .ctx = s};
    struct explore_result r;
    explore(s->program, s->contract, &o, &r);
}

static void look(struct subject *s)
{
    s->lint = lint_program(&s->arena, s->program, s->contract);
}

/* ---- kernels ---- */

static int kernel_found;

static void check_kernel(const char *name, int nranks, const char *model, const char *toolchain,
                         bool markers_off, bool explored)
{
    struct trial t = {.kernel = name,
                      .model = model,
                      .toolchain = toolchain,
                      .nranks = nranks,
                      .batch = PASS_BATCH_LOOPS,
                      .markers_off = markers_off};
    struct subject s = {.name = name};
    s.program = trial_compile(&s.arena, &t);
    s.contract = rig_contract(&s.arena, model);
    look(&s);
    check_runs(&s, (uint64_t)soaked(KERNEL_SEEDS));
    if (explored)
        check_states(&s);
    kernel_found += s.found;
    arena_free(&s.arena);
}

Test(lint, misses_nothing_in_kernels, .timeout = 600)
{
    static const char *const toolchains[] = {"ptoas-0.57", "ptoas-0.50", "proposed-drain"};
    struct arena a = {0};
    const char *const *names;
    size_t n = kernel_names(&a, &names);
    for (size_t k = 0; k < n; k++)
        for (size_t m = 0; m < COUNT(models); m++)
            for (int off = 0; off < 2; off++) {
                const int *ranks;
                kernel_ranks(&a, names[k], &ranks);
                check_kernel(names[k], ranks[0], models[m], toolchains[(k + m) % 3], off,
                             m == k % 2);
            }
    cr_expect(kernel_found > 100, "%d findings", kernel_found);
    arena_free(&a);
}

/* One site at a time is gone. */
static int check_mutants(const char *name, int nranks)
{
    struct trial t = {.kernel = name,
                      .model = "a2a3",
                      .toolchain = "ptoas-0.57",
                      .nranks = nranks,
                      .batch = PASS_BATCH_LOOPS};
    struct arena a = {0};
    const struct program *p = trial_compile(&a, &t);
    int found = 0;
    for (int site = 0; site < p->nsites; site++) {
        struct subject s = {.name = arena_printf(&a, "%s without site %d", name, site)};
        bool *removed = arena_array(&s.arena, bool, (size_t)p->nsites);
        removed[site] = true;
        s.program = program_without(p, removed, &s.arena);
        s.contract = rig_contract(&s.arena, models[site % (int)COUNT(models)]);
        look(&s);
        check_runs(&s, (uint64_t)soaked(MUTANT_SEEDS));
        found += s.found;
        arena_free(&s.arena);
    }
    arena_free(&a);
    return found;
}

Test(lint, misses_nothing_in_mutants, .timeout = 600)
{
    struct arena a = {0};
    const char *const *names;
    size_t n = kernel_names(&a, &names);
    int found = 0;
    for (size_t k = 0; k < n; k++) {
        const int *ranks;
        kernel_ranks(&a, names[k], &ranks);
        found += check_mutants(names[k], ranks[0]);
    }
    cr_expect(found > 50, "%d findings", found);
    arena_free(&a);
}

/* ---- random programs ---- */

static int check_random(uint64_t seed, bool host)
{
    static const char *const toolchains[] = {"ptoas-0.57", "kernels/host/no_tail.toolchain",
                                             "ptoas-0.50", "kernels/host/assembler_tail.toolchain",
                                             "proposed"};
    struct subject s = {0};
    s.text = (host ? random_host_program : random_kernel)(&s.arena, seed);
    s.name = arena_printf(&s.arena, "%s %d", host ? "host program" : "kernel", (int)seed);
    struct trial t = {.kernel = s.name,
                      .text = s.text,
                      .toolchain = toolchains[seed / 5 % COUNT(toolchains)],
                      .nranks = RANDOM_KERNEL_RANKS,
                      .cores_per_rank = host ? 1 + (int)(seed / 7 % 2) : 1,
                      .markers_off = seed / 2 % 2};
    s.program = trial_compile(&s.arena, &t);
    struct contract *k =
        arena_dup(&s.arena, rig_contract(&s.arena, models[seed % COUNT(models)]), sizeof *k);
    k->task_entry_invalidate = (int)(seed / 3 % 3);
    k->cores_per_rank = t.cores_per_rank;
    s.contract = k;
    look(&s);
    check_states(&s);
    check_runs(&s, 2);
    int found = s.found;
    arena_free(&s.arena);
    return found;
}

Test(lint, misses_nothing_in_random_kernels, .timeout = 600)
{
    int found = 0;
    for (int seed = 0; seed < soaked(RANDOM_KERNELS); seed++)
        found += check_random((uint64_t)seed, false);
    cr_expect(found > 20, "%d findings", found);
}

Test(lint, misses_nothing_in_random_host_programs, .timeout = 600)
{
    int found = 0;
    for (int seed = 0; seed < soaked(RANDOM_HOST_PROGRAMS); seed++)
        found += check_random((uint64_t)seed, true);
    cr_expect(found > 5, "%d findings", found);
}

/* Whatever a program does, the check ends, and says nothing of a coherent machine. */
Test(lint, takes_any_program)
{
    struct arena a = {0};
    int findings = 0;
    for (int seed = 0; seed < RANDOM_TESTS; seed++) {
        const struct litmus_test *t = rig_test(&a, random_litmus(&a, (uint64_t)seed));
        const char *model = models[seed % (int)COUNT(models)];
        findings += lint_program(&a, t->program, rig_contract(&a, model)).count;
        cr_expect(lint_program(&a, t->program, rig_contract(&a, "sc")).count == 0);
    }
    cr_expect(findings > RANDOM_TESTS / 10, "%d findings", findings);
    arena_free(&a);
}

/* ---- the catalogue: where a marker's removal changes what can be seen, the check says so ---- */

/* Of the site there are barriers, dsb and dcci alone. */
static bool is_marker(const struct program *p, int site)
{
    bool marker = false;
    for (int c = 0; c < p->ncores; c++)
        for (int n = 0; n < p->cores[c].code->count; n++) {
            const struct insn *i = &p->cores[c].code->insns[n];
            if (i->site != site)
                continue;
            marker = i->op == I_DCCI || i->op == I_DCCI_ALL || i->op == I_DSB || i->op == I_BARRIER;
            if (!marker)
                return false;
        }
    return marker;
}

/* Cores tell each other by notifies, and not by stores that are ordinary for lint. */
static bool notifies(const struct program *p)
{
    bool some = false;
    for (int c = 0; c < p->ncores; c++)
        for (int n = 0; n < p->cores[c].code->count; n++)
            some |= p->cores[c].code->insns[n].flags & INSN_NOTIFY;
    for (int c = 0; c < p->ncores; c++)
        for (int n = 0; n < p->cores[c].code->count; n++) {
            const struct insn *i = &p->cores[c].code->insns[n];
            for (int d = 0; insn_acquires(i) && d < p->ncores; d++)
                for (int m = 0; m < p->cores[d].code->count; m++) {
                    const struct insn *w = &p->cores[d].code->insns[m];
                    if (insn_any(w, CLASS_STORE) && !(w->flags & INSN_NOTIFY) &&
                        w->region == i->region)
                        return false;
                }
        }
    return some;
}

static int site_of(const struct litmus_test *t, const char *label)
{
    vec_foreach (const struct litmus_label, l, &t->labels)
        if (!strcmp(l->name, label))
            return l->site;
    return -1;
}

static enum litmus_verdict whole(const struct litmus_test *t, const char *model)
{
    vec_foreach (const struct litmus_expect, e, &t->expects)
        if (!e->label && !strcmp(e->model, model))
            return e->verdict;
    return LITMUS_UNKNOWN;
}

static void check_labels(struct arena *a, const struct litmus_test *t, int *seen)
{
    if (!notifies(t->program))
        return;
    vec_foreach (const struct litmus_expect, e, &t->expects) {
        enum litmus_verdict with = whole(t, e->model);
        if (!e->label || !is_marker(t->program, site_of(t, e->label)) || with == LITMUS_UNKNOWN ||
            with == e->verdict)
            continue;
        const struct contract *k = rig_contract(a, e->model);
        const struct litmus_test *v = litmus_without(a, t, e->label);
        ++*seen;
        cr_expect(k->coherent || lint_program(a, v->program, k).count > 0,
                  "%s under %s: nothing is missing without %s", t->name, e->model, e->label);
    }
}

Test(lint, labels_of_the_catalogue)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    glob_t g;
    int seen = 0;
    cr_assert(glob("litmus/catalogue/*/*.litmus", 0, NULL, &g) == 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        const struct source *src = source_read(&a, g.gl_pathv[i], &d);
        const struct litmus_test *t = litmus_parse(&a, src, rig_toolchain(&a, "ptoas-0.57"), &d);
        cr_assert(t, "%s", diag_text(&d, &a));
        check_labels(&a, t, &seen);
    }
    cr_expect(seen > 100, "%d removals", seen);
    globfree(&g);
    arena_free(&a);
}
