/* SPDX-License-Identifier: MIT */
/*
 * Our kernels as the compiler's text: printed, read, printed again equal, and lowered they do what
 * code generation makes of them, instruction by instruction, the assembler's synchronisation
 * included; each lane of each task, for programs of several cores and of a host too. That
 * synchronisation is not the same where the assembler sees more in the text than in the source: arguments of
 * what is a library there, copies of tiles that are two names of one buffer there, and the end of a branch
 * where that returns.
 */
#include <glob.h>

#include "base/strbuf.h"
#include "codegen/kernel.h"
#include "pto/compile.h"
#include "pto/emit.h"
#include "tests/pto/effects.h"
#include "tests/support.h"

/* What has no such form, and why. */
#define NO_WAIT   "error: this wait has no form in .pto" /* the runtime polls: pypto-ops-facts 5.1 */
#define NO_MACRO  "8:9: error: 'tile.mgather' is not printed as .pto"
#define NO_RENAME "8:13: error: 'tile.reshape' on tiles is not printed as .pto"
#define NO_DOMAIN                                                                                  \
    "error: the windows of 'comm_d0' are not those of all ranks, which tasks of a .pto file "      \
    "cannot say"
static const struct {
    const char *path, *why;
} refused[] = {
    {"kernels/host/deferred.py", "22:9: " NO_WAIT},
    {"kernels/host/multi_group.py", NO_DOMAIN},
    {"tests/cases/codegen_memory/call_return_inside_a_loop_leaves_the_callee_only.before.py",
     "16:17: error: a branch of this form is not printed as .pto"},
    {"tests/cases/codegen_memory/gather_in_planes_along_the_last_dimension.before.py",
     "8:13: error: 'tile.assemble' on tiles is not printed as .pto"},
    {"tests/cases/codegen_memory/gather_in_planes_along_the_planes.before.py", NO_RENAME},
    {"tests/cases/codegen_memory/gather_in_planes_along_the_rows.before.py", NO_RENAME},
    {"tests/cases/codegen_memory/mgather_elements_into_l1.before.py", NO_MACRO},
    {"tests/cases/codegen_memory/mgather_rows_into_l1.before.py", NO_MACRO},
    {"tests/cases/codegen_memory/mgather_rows_into_l1_in_part.before.py",
     "10:9: error: 'tile.mgather' is not printed as .pto"},
    {"tests/cases/codegen_memory/mgather_rows_past_the_end_into_l1.before.py", NO_MACRO},
    {"tests/cases/expand_mixed_kernel/a_deferred_waiter.before.py", "11:17: " NO_WAIT},
    {"tests/cases/expand_mixed_kernel/a_deferred_waiter_again.before.py", "8:9: " NO_WAIT},
    {"tests/cases/expand_mixed_kernel/a_deferred_waiter_of_64_conditions.before.py",
     "9:13: " NO_WAIT},
    {"tests/cases/host_plan/deferred_tasks_have_cores_of_their_own.before.py", NO_DOMAIN},
    {"tests/cases/host_plan/deferred_tasks_that_a_window_orders.before.py", NO_DOMAIN},
    {"tests/cases/parse/module_jit_functions.before.py",
     "8:5: error: rank 1 is given other tasks than rank 0, which tasks of a .pto file cannot say"},
    {"tests/files/pto/half.py",
     "16:9: error: a scalar argument that is no whole number is not said in a .pto file"},
};

struct emission {
    struct arena *arena;
    const char *text;
    const struct task_run *runs;
    size_t nruns;
    struct directives said; /* in the text */
    int nranks;
    struct diag d;
};

static void emit(void *ctx, const struct builder *b, const struct program *p)
{
    struct emission *e = ctx;
    e->text = pto_emit(e->arena, b, p, &e->d);
    e->runs = b->runs.items;
    e->nruns = b->runs.len;
    e->nranks = p->nranks;
}

static const struct program *try_compile(struct arena *a, const char *path,
                                         const struct toolchain *t, struct emission *e,
                                         struct diag *d)
{
    const struct kernel *k = kernel_load(a, path, d);
    struct kernel_options o = {.pass = PASS_OPTIONS_DEFAULT, .toolchain = t};
    if (e) {
        *e = (struct emission){.arena = a, .d = {.arena = a}};
        o.built = emit;
        o.built_ctx = e;
    }
    int ranks = k && k->directives.ranks.len ? k->directives.ranks.items[0] : 2;
    return k ? kernel_compile(a, k, &o, ranks, d) : NULL;
}

static const struct program *compile(struct arena *a, const char *path, const struct toolchain *t,
                                     struct emission *e)
{
    struct diag d = {.arena = a};
    const struct program *p = try_compile(a, path, t, e, &d);
    cr_assert(p, "%s", diag_text(&d, a));
    return p;
}

/* ---- what the directives in the text say ---- */

static enum pto_answer value_of(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    const struct emission *e = ctx;
    vec_foreach (const struct binding, b, &e->said.args)
        if (!strcmp(b->name, name))
            return binding_eval(e->arena, b, rank, e->nranks, out, d) ? PTO_GIVEN : PTO_WRONG;
    return PTO_UNKNOWN;
}

static struct pto_task *tasks_of(struct emission *e, const struct source *s)
{
    struct pto_task *tasks = arena_array(e->arena, struct pto_task, e->said.tasks.len + 1);
    for (size_t i = 0; i < e->said.tasks.len; i++) {
        const struct directive_task *t = &e->said.tasks.items[i];
        size_t n = t->after.len;
        struct pto_task *out = &tasks[i];
        *out = (struct pto_task){.name = t->name, .source = s, .blocks = t->blocks ? t->blocks : 1};
        out->after = arena_array(e->arena, const char *, n + 1);
        out->after_at = arena_array(e->arena, struct span, n + 1);
        if (!t->ordered && i)
            out->after[out->nafter++] = tasks[i - 1].name;
        for (size_t k = 0; k < n && strcmp(t->after.items[0].name, "nothing"); k++)
            out->after[out->nafter++] = t->after.items[k].name;
    }
    return tasks;
}

/* ---- comparing ---- */

/* Whose each marker is, which the text does not say and its shape tells. */
static const char *origins(struct arena *a, const struct program *p)
{
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < p->nsites; i++)
        if (origin_is_rule(p->sites[i].origin) || p->sites[i].origin == ORIGIN_CODEGEN)
            strbuf_addf(&b, "%s %s\n", origin_name(p->sites[i].origin), p->sites[i].what);
    return b.len ? b.text : "";
}

static bool is_copy(const struct code *c, int at)
{
    const struct insn *i = &c->insns[at];
    return i->op == I_TILE_OP && !strcmp(c->tile_ops[i->aux].name, BUILD_COPY);
}

/* At the end of a branch, in front of the jump that ends it. */
static bool is_return(const struct code *c, int at)
{
    return c->insns[at].op == I_JMP && c->insns[at + 1].op == I_JMP;
}

/* The assembler sees the same in the text as in the source. */
static bool same_for_assembler(const struct program *p, const char *run, int task)
{
    const struct code *c = p->cores[0].code;
    int at = 0;
    if (!strncmp(run, "builtin.", strlen("builtin.")))
        return false;
    while (c->insns[at].op != I_TASK || c->insns[at].imm != task)
        at++;
    for (at++; at < c->count && !insn_any(&c->insns[at], CLASS_TASK); at++)
        if (is_copy(c, at) || is_return(c, at))
            return false;
    return true;
}

/* Names that the text has as they are. */
static bool plain_names(const struct program *p)
{
    for (int i = 0; i < p->nregions; i++)
        if (strstr(p->regions[i].name, "__"))
            return false;
    return true;
}

/* Programs with the assembler's synchronisation, and without. */
struct pair {
    const struct program *ours[2], *theirs[2];
};

/* Tasks of the text stand in the order of the runs, the cube core's lane first. */
static void expect_same_tasks(struct arena *a, const char *path, const struct emission *e,
                              const struct pair *x)
{
    int task = 0;
    for (size_t i = 0; i < e->nruns; i++)
        for (int cube = 1; cube >= 0; cube--)
            vec_foreach (const struct run_lane, lane, &e->runs[i].lanes) {
                if (lane->cube != cube)
                    continue;
                int plain = !same_for_assembler(x->ours[1], e->runs[i].name, lane->task);
                bool regions = plain_names(x->ours[0]);
                const char *is = task_effects_at(a, x->theirs[plain], task++, regions);
                expect_text(arena_printf(a, "%s, %s", path, e->runs[i].name),
                            is ? is : "no such task",
                            task_effects_at(a, x->ours[plain], lane->task, regions));
            }
    cr_expect_eq(x->theirs[0]->ntasks, task, "%s has %d tasks", path, x->theirs[0]->ntasks);
}

static void expect_refusal(struct arena *a, const char *path, const struct diag *d)
{
    const char *why = "no reason that is known";
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(refused[i].path, path))
            why = refused[i].why;
    const char *is = diag_text(d, a), *place = arena_printf(a, "%s:", path);
    cr_expect(!strncmp(is, place, strlen(place)) && strstr(is, why), "%s: %s", path, is);
}

static const struct program *read_back(struct emission *e, const struct pto_file *f,
                                       const struct toolchain *t)
{
    struct diag d = {.arena = e->arena};
    struct pto_options o = {.toolchain = t,
                            .nranks = e->nranks,
                            .tasks = tasks_of(e, f->source),
                            .ntasks = e->said.tasks.len,
                            .value = value_of,
                            .ctx = e};
    const struct program *p = pto_compile(e->arena, f, &o, &d);
    cr_assert(p, "%s", diag_text(&d, e->arena));
    return p;
}

static void expect_same(struct arena *a, const char *path, const struct toolchain *t)
{
    struct toolchain plain = *t;
    struct emission e;
    struct pair x;
    plain.auto_sync = false;
    x.ours[1] = compile(a, path, &plain, &e);
    if (!e.text) {
        expect_refusal(a, path, &e.d);
        return;
    }
    x.ours[0] = compile(a, path, t, NULL);
    struct diag d = {.arena = a};
    const struct source *s = source_from_string(a, path, e.text);
    cr_assert(directives_scan_behind(a, s, "// fencebench:", &e.said, &d), "%s", diag_text(&d, a));
    const struct pto_file *f = pto_read(a, s, &d);
    cr_assert(f, "%s", diag_text(&d, a));
    x.theirs[0] = read_back(&e, f, t);
    x.theirs[1] = read_back(&e, f, &plain);
    const struct pto_file *again = pto_read(a, source_from_string(a, path, pto_print(a, f)), &d);
    struct pto_difference difference = {.arena = a};
    cr_expect(again && pto_equal(f, again, &difference), "%s: %s", path, difference.words);
    if (!x.ours[0]
             ->nsteps) /* a host program's tasks share code, and hand over what are no windows */
        expect_text(path, origins(a, x.theirs[0]), origins(a, x.ours[0]));
    expect_same_tasks(a, path, &e, &x);
}

static void expect_all_same(const char *pattern)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct toolchain *t = toolchain_load(&a, "models", "ptoas-0.57", &d);
    glob_t found;
    cr_assert(t, "%s", diag_text(&d, &a));
    cr_assert(!glob(pattern, 0, NULL, &found));
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct arena own = {0};
        expect_same(&own, found.gl_pathv[i], t);
        arena_free(&own);
    }
    globfree(&found);
    arena_free(&a);
}

Test(pto_emit, kernels_go_through_the_front_end)
{
    expect_all_same("kernels/*.py");
}

Test(pto_emit, host_programs_go_through_the_front_end)
{
    static const char *const folders[] = {"kernels/host/*.py", "kernels/programs/*.py",
                                          "kernels/measured/*.py"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        expect_all_same(folders[i]);
}

/* Small kernels with all that there is: those cases of code generation and of the passes that compile
 * without values from outside. */
static int expect_cases_same(const char *folder, const struct toolchain *t)
{
    struct toolchain plain = *t;
    struct arena a = {0};
    glob_t found;
    int same = 0;
    plain.auto_sync = false;
    cr_assert(!glob(arena_printf(&a, "tests/cases/%s/*.before.py", folder), 0, NULL, &found));
    for (size_t k = 0; k < found.gl_pathc; k++) {
        struct arena own = {0};
        struct diag unread = {.arena = &own};
        struct emission e;
        if (try_compile(&own, found.gl_pathv[k], &plain, &e, &unread)) {
            same++;
            expect_same(&own, found.gl_pathv[k], t);
        }
        arena_free(&own);
    }
    globfree(&found);
    arena_free(&a);
    return same;
}

Test(pto_emit, cases_go_through_the_front_end, .timeout = 300)
{
    static const char *const folders[] = {"codegen_memory",      "expand_mixed_kernel",
                                          "split_vector_kernel", "convert_tensor_to_tile_ops",
                                          "insert_comm_fence",   "host_plan"};
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct toolchain *t = toolchain_load(&a, "models", "ptoas-0.57", &d);
    int compared = 0;
    cr_assert(t, "%s", diag_text(&d, &a));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        compared += expect_cases_same(folders[i], t);
    cr_expect(compared >= 60, "%d cases compile", compared);
    arena_free(&a);
}

Test(pto_emit, refused)
{
    static const char *const others[] = {"tests/cases/parse/module_jit_functions.before.py",
                                         "tests/files/pto/half.py"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_all_same(others[i]);
}
