/* SPDX-License-Identifier: MIT */
/* fencebench lint: markers that can be missing, from the machine program alone (docs/lint.md). */
#include <string.h>
#include <time.h>

#include "bench/campaign/compiled.h"
#include "bench/campaign/litmus_files.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/cli/reporting.h"
#include "bench/report/report.h"
#include "isa/lint/lint.h"
#include "litmus/test.h"

struct lint_command {
    struct options o;
    json_t *results, *errors;
    size_t cases, clean;
    bool failed; /* some program could not be compiled */
};

static const struct argp_child children[] = {{&compile_argp, 0, "Compiling:", 1},
                                             {&look_argp, 0, "Machines:", 2},
                                             {&report_argp, 0, NULL, 4},
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct lint_command *c = s->input;
    return options_key(&c->o, children, key, arg, s, 1, SIZE_MAX) ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    NULL,
    parse,
    "FILE...",
    "Look for drains, cleans, fences and invalidates that can be missing in kernels, compiled ones "
    "too (.pto), and litmus tests (FILE.litmus, or a folder of them), without running them: in "
    "time linear in their size. "
    "What 'explore' finds of these kinds is found here too, and some that no run shows; 'explore' "
    "and 'check' decide. A finding begins with file:line:column: error:, or warning: where "
    "whether two addresses share a line is not known.",
    children,
    NULL,
    NULL};

static struct source_line line_of(const struct program *p, int line)
{
    return p->source ? source_place(p->source, line) : (struct source_line){NULL, line};
}

static void print_finding(struct lint_command *c, const struct program *p,
                          const struct lint_finding *f)
{
    const struct insn *at = &p->cores[f->core].code->insns[f->at];
    struct source_line l = line_of(p, at->span.line ? at->span.line : 1);
    printf("%s:%d:%d: %s: %s\n", l.file ? l.file : "?", l.line, at->span.line ? at->span.col : 1,
           f->sure ? "error" : "warning", lint_text(&c->o.arena, p, f));
}

static json_t *place_json(struct arena *a, const struct program *p, const struct lint_finding *f,
                          int insn)
{
    if (insn < 0)
        return json_null();
    const struct insn *i = &p->cores[f->core].code->insns[insn];
    struct source_line l = line_of(p, i->span.line);
    return json_pack("{s:s?, s:i, s:i, s:s?, s:s}", "file", l.file, "line", l.line, "column",
                     i->span.col, "source", report_source(a, p, PLACE(f->core, insn)), "operation",
                     i->what ? i->what : insn_op_name(insn_acts(i)));
}

static json_t *finding_json(struct lint_command *c, const struct program *p,
                            const struct lint_finding *f)
{
    const char *text = lint_text(&c->o.arena, p, f);
    return json_pack("{s:s, s:s, s:b, s:s, s:s, s:o, s:o, s:o, s:s?, s:s}", "verdict",
                     lint_rule_name(f->rule), "rule", lint_rule_name(f->rule), "sure", f->sure,
                     "level", f->sure ? "error" : "warning", "message", text, "at",
                     place_json(&c->o.arena, p, f, f->at), "access",
                     place_json(&c->o.arena, p, f, f->access), "partial",
                     place_json(&c->o.arena, p, f, f->partial), "region",
                     f->region < 0 ? NULL : p->regions[f->region].name, "text", text);
}

static void look(struct lint_command *c, const char *name, const struct program *p,
                 const struct contract *k)
{
    struct arena a = {0};
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    struct lint_report r = lint_program(&a, p, k);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    c->cases++;
    c->clean += r.count == 0;
    json_t *list = json_array();
    for (int i = 0; i < r.count; i++)
        json_array_append_new(list, finding_json(c, p, &r.items[i]));
    json_array_append_new(
        c->results,
        json_pack("{s:s, s:s, s:s?, s:i, s:s, s:s, s:s, s:f, s:o}", "kernel", name, "program", name,
                  "file", p->source ? p->source->name : NULL, "ranks", p->nranks, "model", k->name,
                  "toolchain", c->o.x.toolchain_name, "answer", r.count ? "findings" : "clean",
                  "seconds", seconds, "findings", list));
    if (!c->o.json) {
        printf("%s  P=%d  %s: %s\n", name, p->nranks, k->name,
               r.count ? arena_printf(&a, "%d finding%s", r.count, r.count > 1 ? "s" : "")
                       : "nothing is missing");
        for (int i = 0; i < r.count; i++)
            print_finding(c, p, &r.items[i]);
    }
    arena_free(&a);
}

/* An error in one program does not hide what is found in others. */
static void complain(struct lint_command *c, const struct diag *d)
{
    c->failed = true;
    diag_print(d, stderr);
    json_array_append_new(c->errors, error_json(d));
}

/* What the host gives to which core depends on how many the machine has. */
static const struct program *compiled(struct lint_command *c, const struct kernel *k, int nranks,
                                      int cores, struct diag *d)
{
    struct kernel_options options = c->o.x.kernel;
    options.cores_per_rank = cores;
    return kernel_compile(&c->o.arena, k, &options, nranks, d);
}

static void look_at_unit(struct lint_command *c, const struct kernel_file *f,
                         const struct ir_unit *u)
{
    struct options *o = &c->o;
    const int *ranks;
    size_t n = experiment_ranks(&o->x, f, &ranks);
    for (size_t i = 0; i < n; i++) {
        struct diag d = {.arena = &o->arena};
        const struct kernel *k = kernel_of(&o->arena, f, u, &o->x.kernel, ranks[i], &d);
        const struct program *p = NULL;
        int cores = 0;
        vec_foreach (const struct contract *, model, &o->x.models) {
            if (k && (!p || cores != (*model)->cores_per_rank))
                p = compiled(c, k, ranks[i], cores = (*model)->cores_per_rank, &d);
            if (!p) {
                complain(c, &d);
                return;
            }
            look(c, k->name, p, *model);
        }
    }
}

static bool look_at_kernels(struct lint_command *c, const char *path)
{
    struct options *o = &c->o;
    ir_units units = {0};
    const struct kernel_file *f = kernel_file_read(&o->arena, path, &o->diag);
    if (!f || !experiment_units(&o->x, f, &units))
        return false;
    kernel_file_note(f);
    vec_foreach (const struct ir_unit, u, &units)
        look_at_unit(c, f, u);
    return true;
}

/* A compiled kernel: what the machine has of cores does not change it. */
static bool look_at_compiled(struct lint_command *c, const char *path)
{
    struct options *o = &c->o;
    const int *ranks;
    const struct kernel *k = compiled_load(&o->arena, path, &o->x.kernel, &o->diag);
    if (!k)
        return false;
    size_t n = experiment_ranks(&o->x, k->file, &ranks);
    for (size_t i = 0; i < n; i++) {
        struct diag d = {.arena = &o->arena};
        const struct program *p = compiled(c, k, ranks[i], 1, &d);
        if (!p) {
            complain(c, &d);
            return true;
        }
        vec_foreach (const struct contract *, model, &o->x.models)
            look(c, k->name, p, *model);
    }
    return true;
}

static bool look_at_tests(struct lint_command *c, const char *path)
{
    struct options *o = &c->o;
    const char *const *files;
    size_t n;
    if (!litmus_files(path, &files, &n, &o->diag))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct source *src = source_read(&o->arena, files[i], &o->diag);
        const struct litmus_test *t =
            src ? litmus_parse(&o->arena, src, o->x.kernel.toolchain, &o->diag) : NULL;
        if (!t)
            return false;
        vec_foreach (const struct contract *, k, &o->x.models)
            look(c, t->name, t->program, *k);
    }
    return true;
}

/* Standard input has no name that tells: a test begins with its architecture. */
static bool is_kernel(struct lint_command *c, const char *path)
{
    size_t n = strlen(path);
    const struct source *s = strcmp(path, "-") ? NULL : source_read(&c->o.arena, path, &c->o.diag);
    if (s)
        return strncmp(s->text + strspn(s->text, " \t\r\n"), "GM ", 3) != 0;
    return n > 3 && !strcmp(path + n - 3, ".py");
}

static bool look_at_file(struct lint_command *c, const char *path)
{
    if (is_kernel(c, path))
        return look_at_kernels(c, path);
    return (compiled_is(path) ? look_at_compiled : look_at_tests)(c, path);
}

static json_t *report_of(struct lint_command *c)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", JSON_SCHEMA, "command", "lint", "build",
                     build_id(), "results", c->results, "errors", c->errors);
}

static int finish(struct lint_command *c, bool ok)
{
    if (!ok && c->o.diag.failed)
        json_array_append_new(c->errors, error_json(&c->o.diag));
    if (!c->o.json && ok && c->cases > 1)
        printf("%zu cases: %zu without findings, %zu with\n", c->cases, c->clean,
               c->cases - c->clean);
    int code = !ok || c->failed ? EXIT_USAGE : c->clean < c->cases ? EXIT_FINDINGS : EXIT_CLEAN;
    return options_end(&c->o, reporting_end(&c->o, report_of(c), code));
}

int cmd_lint(int argc, char **argv)
{
    struct lint_command c = {.results = json_array(), .errors = json_array()};
    options_init(&c.o);
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    bool ok = options_finish(&c.o);
    for (size_t i = 0; ok && i < c.o.x.files.len; i++)
        ok = look_at_file(&c, c.o.x.files.items[i]);
    return finish(&c, ok);
}
