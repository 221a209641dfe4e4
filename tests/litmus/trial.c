/* SPDX-License-Identifier: MIT */
#include "tests/litmus/trial.h"

#include <glob.h>

#include "base/strbuf.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "tests/support.h"

static const char models[] = "models", kernels[] = "kernels";
enum { MAX_TRANSITIONS = 20 * 1000 * 1000 };

/* ---- compiling ---- */

static struct kernel *load(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    struct kernel *k = kernel_load(a, arena_printf(a, "%s/%s.py", kernels, name), &d);
    cr_assert(k, "%s", diag_text(&d, a));
    return k;
}

static struct kernel *parse(struct arena *a, const char *name, const char *text)
{
    struct diag d = {.arena = a};
    struct kernel *k = arena_new(a, struct kernel);
    *k = (struct kernel){.path = name, .name = name, .source = source_from_string(a, name, text)};
    bool good = directives_scan(a, k->source, &k->directives, &d) &&
                (k->program = ir_parse(a, k->source, &d)) && verify_program(k->program, &d);
    cr_assert(good, "%s", diag_text(&d, a));
    return k;
}

static const struct contract *contract_named(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    const struct contract *c = contract_load(a, models, name, &d);
    cr_assert(c, "%s", diag_text(&d, a));
    return c;
}

const struct program *trial_compile(struct arena *a, const struct trial *t)
{
    struct diag d = {.arena = a};
    struct binding args[TRIAL_ARGS];
    struct kernel_options o = {
        .pass = {.batch = t->batch, .rules = t->rules, .markers = !t->markers_off},
        .toolchain = toolchain_load(a, models, t->toolchain, &d),
        .args = args,
        .cores_per_rank = t->cores_per_rank};
    while (o.nargs < TRIAL_ARGS && t->args[o.nargs] &&
           binding_parse(a, t->args[o.nargs], &args[o.nargs], &d))
        o.nargs++;
    const struct kernel *k = t->text ? parse(a, t->kernel, t->text) : load(a, t->kernel);
    const struct program *p = d.failed ? NULL : kernel_compile(a, k, &o, t->nranks, &d);
    cr_assert(p, "%s P=%d: %s", t->kernel, t->nranks, diag_text(&d, a));
    return p;
}

/* ---- running ---- */

struct run {
    const struct program *program;
    struct oracle *oracle;
    struct machine *machine;
    uint8_t **golden; /* memory after the sc run, per rank; NULL: nothing to compare with */
};

static void run_open(struct run *r, const struct program *p, const struct contract *c)
{
    *r = (struct run){.program = p, .oracle = oracle_new(p)};
    r->machine = machine_new(p, c, (struct machine_options){.oracle = r->oracle, .kernel = true});
}

static void run_close(struct run *r)
{
    machine_free(r->machine);
    oracle_free(r->oracle);
}

static struct drive_result run_seed(struct run *r, uint64_t seed, bool adversary)
{
    struct drive_options o = {
        .seed = seed, .max_transitions = MAX_TRANSITIONS, .adversary = adversary};
    struct drive_result result = {0};
    machine_reset(r->machine);
    drive_timed(r->machine, &o, &result);
    cr_assert(!result.timed_out, "%s: seed %llu does not end", r->program->name,
              (unsigned long long)seed);
    oracle_finish(r->oracle, r->machine);
    return result;
}

static uint8_t **golden_memory(struct arena *a, const struct program *p)
{
    struct run r;
    run_open(&r, p, contract_named(a, "sc"));
    run_seed(&r, 1, false);
    cr_assert(machine_at_end(r.machine), "%s: the sc run does not end", p->name);
    uint8_t **memory = arena_array(a, uint8_t *, (size_t)p->nranks);
    for (int rank = 0; rank < p->nranks; rank++)
        memory[rank] = arena_dup(a, r.machine->gm[rank], p->gm_bytes);
    run_close(&r);
    return memory;
}

static bool outputs_equal(const struct run *r)
{
    const struct program *p = r->program;
    for (int i = 0; i < p->nregions; i++)
        for (int rank = 0; p->regions[i].output && rank < p->nranks; rank++)
            if (memcmp(r->machine->gm[rank] + p->regions[i].offset,
                       r->golden[rank] + p->regions[i].offset, p->regions[i].size))
                return false;
    return true;
}

/* ---- collecting ---- */

static bool has(const char *const *items, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(items[i], text))
            return true;
    return false;
}

static void note(struct outcome *o, const char *kind, const char *story)
{
    if (!has(o->kinds.items, o->kinds.len, kind))
        vec_push(&o->arena, &o->kinds, kind);
    if (!has(o->stories.items, o->stories.len, story))
        vec_push(&o->arena, &o->stories, story);
}

static const char *operation(const struct program *p, struct place at)
{
    const struct insn *i =
        at.core < 0 || at.insn < 0 ? NULL : &p->cores[at.core].code->insns[at.insn];
    return i ? i->what ? i->what : insn_op_name((enum insn_op)i->op) : "-";
}

static void note_finding(struct outcome *o, const struct program *p, const struct finding *f)
{
    const char *kind =
        f->where == W_NONE
            ? verdict_name(f->verdict)
            : arena_printf(&o->arena, "%s, %s%s", verdict_name(f->verdict), where_name(f->where),
                           f->late ? " (posted after the notify)" : "");
    const char *story = arena_printf(&o->arena, "%s: %s > %s > %s", kind, operation(p, f->producer),
                                     operation(p, f->wait), operation(p, f->reader));
    note(o, kind, story);
}

static void note_counters(struct outcome *o, const struct run *r)
{
    for (int c = 0; c < r->program->ncores; c++) {
        const struct core_stats *s = &r->machine->stats[c];
        struct per_core now = {s->dcci_all[ORIGIN_R1] + s->dcci_all[ORIGIN_HAND], s->polls,
                               s->notifies, true};
        if (o->runs == 0 && c == 0)
            o->core = now;
        o->core.all_equal &= now.flushes == o->core.flushes && now.waits == o->core.waits &&
                             now.notifies == o->core.notifies;
        o->publishes += s->fences[ORIGIN_W1] + s->fences[ORIGIN_W2] + s->fences[ORIGIN_W3];
    }
}

static void note_run(struct outcome *o, const struct run *r, const struct drive_result *result)
{
    int n;
    const struct finding *f = oracle_findings(r->oracle, &n);
    bool verdicts[V_COUNT] = {0};
    for (int i = 0; i < n; i++) {
        note_finding(o, r->program, &f[i]);
        verdicts[f[i].verdict] = true;
    }
    if (n == 0 && !outputs_equal(r)) {
        note(o, verdict_name(V_WRONG_RESULT), verdict_name(V_WRONG_RESULT));
        verdicts[V_WRONG_RESULT] = true;
    }
    bool failed = false;
    for (int v = 0; v < V_COUNT; v++) {
        o->found[v] += verdicts[v];
        failed |= verdicts[v];
    }
    note_counters(o, r);
    o->runs++;
    o->failed += failed;
    o->checked += oracle_checked(r->oracle);
    o->cycles += result->cycles;
    o->transitions += result->transitions;
}

void trial_run(const struct trial *t, struct outcome *o)
{
    struct arena a = {0};
    const struct program *p = trial_compile(&a, t);
    struct run r;
    run_open(&r, p, contract_named(&a, t->model));
    r.golden = golden_memory(&a, p);
    for (uint64_t seed = 1; seed <= t->seeds; seed++) {
        struct drive_result result = run_seed(&r, seed, !t->typical);
        note_run(o, &r, &result);
    }
    run_close(&r);
    arena_free(&a);
}

struct trial_memory trial_memory(struct arena *a, const struct trial *t)
{
    const struct program *p = trial_compile(a, t);
    return (struct trial_memory){p, golden_memory(a, p)};
}

const double *trial_tensor(struct arena *a, const struct trial_memory *m, const char *tensor,
                           int rank, size_t *count)
{
    for (int i = 0; i < m->program->nregions; i++) {
        const struct region *r = &m->program->regions[i];
        if (strcmp(r->name, tensor) != 0)
            continue;
        size_t size = (size_t)elem_size(r->elem);
        *count = r->size / size;
        double *values = arena_array(a, double, *count);
        for (size_t k = 0; k < *count; k++)
            values[k] = elem_value(m->bytes[rank] + r->offset + k * size, r->elem);
        return values;
    }
    cr_assert(false, "%s has no tensor %s", m->program->name, tensor);
    return NULL;
}

void outcome_free(struct outcome *o)
{
    arena_free(&o->arena);
}

bool outcome_has_kind(const struct outcome *o, const char *kind)
{
    return has(o->kinds.items, o->kinds.len, kind);
}

bool outcome_has_story(const struct outcome *o, const char *story)
{
    return has(o->stories.items, o->stories.len, story);
}

const char *outcome_text(struct outcome *o)
{
    struct strbuf b = strbuf_make(&o->arena);
    vec_foreach (const char *, kind, &o->kinds)
        strbuf_addf(&b, "%s%s", kind == o->kinds.items ? "" : "; ", *kind);
    return o->kinds.len ? b.text : "clean";
}

/* ---- the folder ---- */

size_t kernel_names(struct arena *a, const char *const **names)
{
    glob_t g;
    cr_assert(glob(arena_printf(a, "%s/*.py", kernels), 0, NULL, &g) == 0, "no kernels in %s",
              kernels);
    const char **list = arena_array(a, const char *, g.gl_pathc);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        const char *base = g.gl_pathv[i] + sizeof kernels;
        list[i] = arena_strndup(a, base, strlen(base) - strlen(".py"));
    }
    *names = list;
    size_t n = g.gl_pathc;
    globfree(&g);
    return n;
}

size_t kernel_ranks(struct arena *a, const char *kernel, const int **ranks)
{
    const struct kernel *k = load(a, kernel);
    cr_assert(k->directives.ranks.len, "%s names no rank counts", kernel);
    *ranks = k->directives.ranks.items;
    return k->directives.ranks.len;
}
