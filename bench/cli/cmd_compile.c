/* SPDX-License-Identifier: MIT */
/* fencebench compile: show what the passes and code generation make of a kernel. */
#include <stdlib.h>
#include <string.h>

#include "bench/cli/commands.h"
#include "bench/campaign/compiled.h"
#include "bench/cli/options.h"
#include "bench/report/output.h"
#include "ir/print.h"

enum { KEY_BEFORE = 0x200, KEY_AFTER, KEY_EMIT, KEY_VERIFY, KEY_LIST };

struct compile {
    struct options o;
    const char *before, *after, *output;
    enum { EMIT_IR, EMIT_ASM, EMIT_PTO, EMIT_COUNT } emit;
    bool list;
    FILE *out;
};

static const char *const emit_names[] = {"ir", "asm", "pto"};

static const struct argp_option compile_only[] = {
    {"print-before", KEY_BEFORE, "PASS|all", 0,
     "Print the program before a pass of this run, or before each, instead of at the end", 3},
    {"print-after", KEY_AFTER, "PASS|all", 0,
     "Print the program after a pass of this run, or after each, instead of at the end", 3},
    {"verify-each", KEY_VERIFY, NULL, 0,
     "After each pass verify the program and what the pass promises, and check that its text reads "
     "back as the same program (default off)",
     3},
    {"emit", KEY_EMIT, "ir|asm|pto", 0,
     "Print the tree (default), the machine program, or the kernel as the compiler's .pto text", 3},
    {"list-programs", KEY_LIST, NULL, 0,
     "Print the programs of the file, with the lines where they stand and the parameters that need "
     "a "
     "value from outside, and nothing else",
     3},
    {"ranks", 'P', "N", 0, "Number of ranks (default: the kernel's first, or 2)", 3},
    {"output", 'o', "FILE", 0, "Write to FILE instead of standard output", 3},
    {0},
};

static const struct argp_child children[] = {{&compile_argp, 0, "Compiling:", 1}, {0}};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct compile *c = s->input;
    switch (key) {
    case KEY_BEFORE:
        c->before = arg;
        return 0;
    case KEY_AFTER:
        c->after = arg;
        return 0;
    case KEY_VERIFY:
        c->o.x.kernel.pass.verify_each = true;
        return 0;
    case KEY_EMIT:
        c->emit = option_choice(arg, "--emit", emit_names, EMIT_COUNT, s);
        return 0;
    case KEY_LIST:
        c->list = true;
        return 0;
    case 'P':
        vec_push(&c->o.arena, &c->o.x.ranks, (int)option_number(arg, "-P", 1, MAX_RANKS, s));
        return 0;
    case 'o':
        c->output = arg;
        return 0;
    default:
        return options_key(&c->o, children, key, arg, s, 1, 1) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    compile_only,
    parse,
    "FILE",
    "Run the passes over a kernel and print the result. Passes run in the order of --passes, by "
    "default all in the order of 'fencebench passes'. A pass whose requirement no earlier pass "
    "and not the program itself meets is refused before anything runs. What is printed before and "
    "after passes stands behind a line '# ---- before PASS' or '# ---- after PASS' each, and each "
    "of "
    "several programs behind a line '# ---- program NAME'.",
    children,
    NULL,
    NULL};

static void print_program(struct compile *c, const char *when, const struct pass *pass,
                          const struct ir_program *p)
{
    fprintf(c->out, "# ---- %s %s\n%s", when, pass->name, ir_print(&c->o.arena, p));
}

static bool is_asked(const char *name, const struct pass *pass)
{
    return name && (!strcmp(name, "all") || !strcmp(name, pass->name));
}

static void print_before(void *ctx, const struct pass *pass, const struct ir_program *p)
{
    struct compile *c = ctx;
    if (is_asked(c->before, pass))
        print_program(c, "before", pass, p);
}

static void print_after(void *ctx, const struct pass *pass, const struct ir_program *p)
{
    struct compile *c = ctx;
    if (is_asked(c->after, pass))
        print_program(c, "after", pass, p);
}

/* True when a pass to print at is one that runs; otherwise nothing would be printed. */
static bool will_run(struct compile *c, const char *option, const char *name)
{
    const struct kernel_options *k = &c->o.x.kernel;
    if (!name || !strcmp(name, "all"))
        return true;
    const struct pass *pass = pass_find(name, &c->o.diag);
    if (!pass)
        return false;
    bool runs = !k->passes;
    for (size_t i = 0; k->passes && i < k->npasses; i++)
        runs |= !strcmp(k->passes[i], name);
    return (runs && (k->pass.markers || !pass->inserts_markers)) ||
           diag_error(&c->o.diag, NULL, (struct span){0}, "--%s=%s: the pass does not run", option,
                      name);
}

/* One program of a file. */
static bool compile_unit(struct compile *c, const struct kernel_file *f, const struct ir_unit *u,
                         struct diag *d)
{
    struct options *o = &c->o;
    const int *ranks;
    experiment_ranks(&o->x, f, &ranks);
    const struct kernel *k = kernel_of(&o->arena, f, u, &o->x.kernel, ranks[0], d);
    if (!k)
        return false;
    if (c->emit == EMIT_PTO) {
        const char *text = kernel_as_compiled(&o->arena, k, &o->x.kernel, ranks[0], d);
        if (text)
            fputs(text, c->out);
    } else if (c->emit == EMIT_ASM) {
        const struct program *p = kernel_compile(&o->arena, k, &o->x.kernel, ranks[0], d);
        if (p)
            fputs(program_print(p, &o->arena), c->out);
    } else {
        const struct ir_program *p = kernel_lower(&o->arena, k, &o->x.kernel, ranks[0], d);
        if (p && !c->before && !c->after)
            fputs(ir_print(&o->arena, p), c->out);
    }
    return !d->failed;
}

static void print_lines(const struct compile *c, const struct source *s, const struct ir_unit *u)
{
    struct source_line first = source_place(s, u->span.line), last = source_place(s, u->last_line);
    fprintf(c->out, "  lines %d-%d", first.line, last.line);
    if (strcmp(first.file, s->name))
        fprintf(c->out, " of %s", first.file);
}

static void print_list(struct compile *c, const struct kernel_file *f, const ir_units *units)
{
    vec_foreach (const struct ir_unit, u, units) {
        fprintf(c->out, "%s", *u->path ? u->path : f->name);
        if (u->span.line)
            print_lines(c, f->source, u);
        if (*u->needs)
            fprintf(c->out, "  needs %s", u->needs);
        fputc('\n', c->out);
    }
    if (*f->text->passed_over)
        fprintf(c->out, "# passed over: %s\n", f->text->passed_over);
}

/* An error in one program does not hide the others. */
static bool compile_units(struct compile *c, const struct kernel_file *f, const ir_units *units)
{
    bool ok = true;
    vec_foreach (const struct ir_unit, u, units) {
        struct diag d = {.arena = &c->o.arena};
        if (units->len > 1)
            fprintf(c->out, "# ---- program %s\n", u->path);
        ok &= compile_unit(c, f, u, &d);
        diag_print(&d, stderr);
    }
    return ok;
}

/* A compiled kernel has no passes left: it is printed as it was read, or as the machine program. */
static bool compile_compiled(struct compile *c, const char *path)
{
    struct options *o = &c->o;
    const int *ranks;
    const struct kernel *k = compiled_load(&o->arena, path, &o->x.kernel, &o->diag);
    if (!k)
        return false;
    if (c->before || c->after || c->list)
        return diag_error(&o->diag, k->source, (struct span){0},
                          "no passes run on a compiled kernel; expected --emit alone");
    experiment_ranks(&o->x, k->file, &ranks);
    if (c->emit != EMIT_ASM) {
        fputs(pto_print(&o->arena, compiled_file(k)), c->out);
        return true;
    }
    const struct program *p = kernel_compile(&o->arena, k, &o->x.kernel, ranks[0], &o->diag);
    if (p)
        fputs(program_print(p, &o->arena), c->out);
    return p != NULL;
}

/* What the text of a program does not say stands in lines of its file, without which a file of the
 * printed program could not be run. What is expected of it is about lines that it has no more. */
static void print_directives(const struct compile *c, const struct source *s)
{
    static const char lead[] = "# fencebench:";
    for (const char *p = s->text; *p; p += p[strcspn(p, "\n")] ? strcspn(p, "\n") + 1 : strlen(p))
        if (!strncmp(p, lead, sizeof lead - 1) &&
            strncmp(p + sizeof lead - 1 + strspn(p + sizeof lead - 1, " \t"), "expect", 6) != 0)
            fprintf(c->out, "%.*s\n", (int)strcspn(p, "\r\n"), p);
}

static bool compile(struct compile *c)
{
    struct options *o = &c->o;
    if (compiled_is(o->x.files.items[0]))
        return compile_compiled(c, o->x.files.items[0]);
    ir_units units = {0};
    o->x.kernel.hooks = (struct pass_hooks){print_before, print_after, c};
    if (!will_run(c, "print-before", c->before) || !will_run(c, "print-after", c->after))
        return false;
    const struct kernel_file *f = kernel_file_read(&o->arena, o->x.files.items[0], &o->diag);
    if (!f || !experiment_units(&o->x, f, &units))
        return false;
    if (c->output && !c->list && c->emit == EMIT_IR)
        print_directives(c, f->source);
    if (!c->list)
        return compile_units(c, f, &units);
    print_list(c, f, &units);
    return true;
}

int cmd_compile(int argc, char **argv)
{
    struct compile c = {0};
    options_init(&c.o);
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    struct output out;
    bool ok = options_finish(&c.o) && output_open(&out, c.output, &c.o.diag);
    if (ok) {
        c.out = out.file;
        ok = compile(&c);
        ok = output_close(&out, ok, &c.o.diag) && ok;
    }
    return options_end(&c.o, ok ? EXIT_CLEAN : EXIT_USAGE);
}
