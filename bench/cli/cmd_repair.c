/* SPDX-License-Identifier: MIT */
/* fencebench repair: the markers that a kernel lacks, as a patch of its file. */
#include <inttypes.h>

#include "bench/campaign/repair.h"
#include "base/stop.h"
#include "bench/cli/commands.h"
#include "bench/cli/proof.h"
#include "bench/report/clean_report.h"
#include "bench/report/output.h"
#include "bench/report/patch.h"

struct repair_command {
    struct proof p; /* first: argp children get it as struct options */
    const char *output;
    struct clean_answer *whole; /* of each case of the file as it is */
    bool failed;                /* it has findings in one of them */
    struct repair r;
    const struct kase *compiled; /* with the compiler's own markers, where the file has none */
    struct expense before, after, compiler;
    const char *patch;
};

static const struct argp_option repair_options[] = {
    {"output", 'o', "FILE", 0, "Write the patch there, not behind the report", 3},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct repair_command *c = s->input;
    if (key == 'o') {
        c->output = arg;
        return 0;
    }
    return proof_key(&c->p, key, arg, s) ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    repair_options,
    parse,
    "FILE",
    "Find markers with which a kernel is clean under every contract: remedies of what fails, "
    "written "
    "beside its statements, and then without those that it does not need; proved by exploration "
    "where the states fit. Prints a patch for 'patch -p0'.",
    proof_children,
    NULL,
    NULL};

/* ---- searching ---- */

static void judge_whole(struct repair_command *c)
{
    const kases *all = &c->p.cases;
    c->whole = arena_array(&c->p.o.arena, struct clean_answer, all->len);
    for (size_t i = 0; i < all->len; i++) {
        kases one = {.items = &all->items[i], .len = 1};
        kases_clean(&one, &c->p.plan, &c->whole[i]);
        c->failed |= c->whole[i].kind == CLEAN_NOT;
    }
}

/* What the compiler's own markers cost, where the kernel was compiled without them. */
static bool compile_with_markers(struct repair_command *c)
{
    struct options *o = &c->p.o;
    const struct kase *k = c->p.cases.items;
    if (o->x.kernel.pass.markers || k->kernel->front)
        return true;
    struct experiment *marked = arena_dup(&o->arena, &o->x, sizeof *marked);
    struct kernel_options options = case_compilation(k).options;
    options.pass.markers = marked->kernel.pass.markers = true;
    const struct program *p = kernel_compile(&o->arena, k->kernel, &options, k->nranks, &o->diag);
    if (!p)
        return false;
    struct kase *with = arena_new(&o->arena, struct kase);
    *with = kase_make(marked, k->kernel, k->nranks, p, k->golden, k->contract);
    c->compiler = kase_expense(with);
    c->compiled = with;
    return true;
}

static bool repair(struct repair_command *c)
{
    static const remedy_calls none;
    struct arena *a = &c->p.o.arena;
    const struct kase *k = c->p.cases.items;
    if (stop_wanted())
        c->r = (struct repair){.cases = c->p.cases, .stopped = true};
    else if (c->failed)
        repair_find(&c->p.cases, &c->p.plan, &c->r);
    else
        c->r = (struct repair){.cases = c->p.cases, .answers = c->whole, .unclean = c->p.cases.len};
    c->before = kase_expense(k);
    c->after = kase_expense(c->r.cases.items);
    c->patch = patch_text(a, k->kernel->source, repair_clean(&c->r) ? &c->r.calls : &none);
    return compile_with_markers(c) &&
           (!c->output || output_text(c->output, c->patch, &c->p.o.diag));
}

/* ---- output ---- */

static void print_answers(const char *title, const kases *cases, const struct clean_answer *x,
                          size_t n)
{
    printf("%s:\n", title);
    for (size_t i = 0; i < n; i++) {
        const struct kase *k = &cases->items[i];
        printf("  %-18s %s\n", k->contract->name, report_clean_answer(k, &x[i]));
    }
}

static void print_expense(const char *what, const struct expense *e)
{
    printf("  %-18s %8.2f flushes and %6.2f fences per rank, %8.0f cycles\n", what, e->flushes,
           e->fences, e->cycles);
}

static void print_left(struct repair_command *c)
{
    const struct repair *r = &c->r;
    const struct kase *k = &r->cases.items[r->unclean];
    const struct finding *f = &r->answers[r->unclean].finding;
    printf("this stays, under %s%s:\n%s\n", k->contract->name,
           r->calls.len ? ", with what repaired other findings" : "",
           report_headline(&c->p.o.arena, k->program, f));
    report_places(stdout, &c->p.o.arena, k->program, f);
    if (r->why)
        printf("      %-9s %s\n", "remedy", r->why);
}

static void print_text(struct repair_command *c)
{
    const struct kase *k = c->p.cases.items;
    const struct repair *r = &c->r;
    bool clean = repair_clean(r);
    const char *markers = k->kernel->front               ? "of the file"
                          : c->p.o.x.kernel.pass.markers ? "on"
                                                         : "off";
    printf("%s P=%d %s, markers %s: ", k->kernel->name, k->nranks, c->p.o.x.toolchain_name,
           markers);
    if (!c->failed && clean)
        printf("clean as it is\n");
    else if (clean)
        printf("clean with %zu call%s\n", r->calls.len, r->calls.len == 1 ? "" : "s");
    else
        printf(r->stopped ? "not repaired yet\n" : "not repaired\n");
    print_answers("as it is", &c->p.cases, c->whole, c->p.cases.len);
    if (clean && c->failed)
        print_answers("repaired", &r->cases, r->answers, r->cases.len);
    if (!clean) {
        if (!r->stopped)
            print_left(c);
        return;
    }
    printf("in %d usual runs under %s:\n", EXPENSE_RUNS, k->contract->name);
    print_expense("as it is", &c->before);
    if (c->failed)
        print_expense("repaired", &c->after);
    if (c->compiled)
        print_expense("compiler's markers", &c->compiler);
    if (!c->output)
        printf("%s", c->patch);
}

static json_t *calls_json(const struct source *s, const remedy_calls *calls)
{
    json_t *list = json_array();
    vec_foreach (const struct remedy_call, c, calls) {
        struct source_line at = source_place(s, c->line);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i, s:i}", "call", c->call, "where",
                                              c->after ? "after" : "before", "file", at.file,
                                              "line", at.line, "column", c->col));
    }
    return list;
}

static void print_json(struct repair_command *c)
{
    const struct kase *k = c->p.cases.items;
    const struct repair *r = &c->r;
    bool clean = repair_clean(r);
    size_t judged = r->stopped ? 0 : clean ? r->cases.len : r->unclean + 1;
    output_json(json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:b, s:b, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o}",
        "schema", JSON_SCHEMA, "command", "repair", "build", build_id(), "kernel", k->kernel->name,
        "file", k->kernel->path, "ranks", k->nranks, "toolchain", c->p.o.x.toolchain_name,
        "markers", c->p.o.x.kernel.pass.markers, "clean", clean, "whole",
        report_clean_answers_json(&c->p.cases, c->whole, c->p.cases.len), "repaired",
        report_clean_answers_json(&r->cases, r->answers, judged), "calls",
        calls_json(k->kernel->source, &r->calls), "patch", c->patch, "before",
        report_expense_json(&c->before), "after", report_expense_json(&c->after), "compiler",
        c->compiled ? report_expense_json(&c->compiler) : json_null(), "interrupted",
        options_stopped_json("calls", r->calls.len)));
}

static int exit_code(const struct repair_command *c)
{
    const struct repair *r = &c->r;
    if (!repair_clean(r))
        return EXIT_FINDINGS;
    return proof_exit_code(r->answers, r->cases.len);
}

static int run(struct repair_command *c)
{
    if (!proof_cases(&c->p, "repair"))
        return EXIT_USAGE;
    const struct kase *k = c->p.cases.items;
    judge_whole(c);
    if (!case_judged(k, c->failed, k->golden->checked, &c->p.o.diag) || !repair(c))
        return EXIT_USAGE;
    (c->p.o.json ? print_json : print_text)(c);
    options_say_stopped(repair_clean(&c->r) ? "a repair was found" : "a part of the search");
    return exit_code(c);
}

int cmd_repair(int argc, char **argv)
{
    struct repair_command c = {0};
    proof_init(&c.p);
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    return options_end(&c.p.o, run(&c));
}
