/* SPDX-License-Identifier: MIT */
/* fencebench verify: does a program keep the rules, and which properties does it have? No pass
 * runs. */
#include <argp.h>
#include <jansson.h>
#include <string.h>

#include "base/vec.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/report/output.h"
#include "codegen/kernel.h"
#include "ir/verify.h"
#include "passes/properties.h"

struct verification {
    struct arena arena;
    struct diag diag;
    VEC(const char *) files;
    VEC(const char *) programs; /* names; none: all of each file */
    VEC(struct binding) args;
    int nranks;
    VEC(size_t) properties; /* what was asked for; none: all, and none has to hold */
    json_t *list;           /* one object a file, or NULL for text */
    bool broken;
};

enum { KEY_PROPERTY = 0x200, KEY_JSON, KEY_PROGRAM, KEY_ARG, DEFAULT_RANKS = 2 };

static const struct argp_option options[] = {
    {"property", KEY_PROPERTY, "NAME,..", 0,
     "Properties that must hold (default: report all of them)", 0},
    {"program", KEY_PROGRAM, "NAME,..", 0, "Programs of each file (default: all)", 0},
    {"arg", KEY_ARG, "NAME=VALUE", 0, "Value of a name around the programs", 0},
    {"ranks", 'P', "N", 0, "Number of ranks that programs are made for (default 2)", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON instead of text (default off)", 0},
    {0},
};

static void add_properties(struct verification *v, char *names, struct argp_state *s)
{
    const char **known = arena_array(&v->arena, const char *, property_count());
    for (size_t i = 0; i < property_count(); i++)
        known[i] = property_row(i).name;
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        size_t i = property_find(name);
        if (i == property_count())
            argp_error(s, "--property=%s: no such property%s", name,
                       diag_hint(&v->arena, name, known, property_count()));
        vec_push(&v->arena, &v->properties, i);
    }
}

static void add_arg(struct verification *v, const char *text)
{
    struct binding b;
    if (binding_parse(&v->arena, text, &b, &v->diag))
        vec_push(&v->arena, &v->args, b);
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct verification *v = s->input;
    switch (key) {
    case KEY_PROPERTY:
        add_properties(v, arena_strdup(&v->arena, arg), s);
        return 0;
    case KEY_PROGRAM:
        for (char *name = strtok(arena_strdup(&v->arena, arg), ","); name; name = strtok(NULL, ","))
            vec_push(&v->arena, &v->programs, name);
        return 0;
    case KEY_ARG:
        add_arg(v, arg);
        return 0;
    case 'P':
        v->nranks = (int)option_number(arg, "-P", 1, MAX_RANKS, s);
        return 0;
    case KEY_JSON:
        v->list = v->list ? v->list : json_array();
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&v->arena, &v->files, arg);
        return 0;
    case ARGP_KEY_END:
        if (!v->files.len)
            argp_error(s, "expected a file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "FILE...",
    "Check that programs keep every rule ('fencebench rules') and have the properties that passes "
    "require and produce, as they stand: no pass runs. Exit code 0: the rules and the named "
    "properties hold, 1: one does not, 2: a file cannot be read.",
    NULL,
    NULL,
    NULL};

static void print_text(const char *name, bool holds, const struct diag *d)
{
    printf("  %-28s %s\n", name, holds ? "yes" : "no");
    if (!holds)
        diag_print(d, stdout);
}

static json_t *result_json(const char *name, bool holds, const struct diag *d)
{
    json_t *o = json_pack("{ss sb}", "name", name, "holds", holds);
    if (!holds)
        json_object_update_new(o, json_pack("{ss ss? si si}", "message", d->message, "file",
                                            d->file, "line", d->span.line, "column", d->span.col));
    return o;
}

/* Says whether what d is about holds: d is filled when it does not. */
static void report(json_t *results, const char *name, const struct diag *d)
{
    if (results)
        json_array_append_new(results, result_json(name, !d->failed, d));
    else
        print_text(name, !d->failed, d);
}

static void verify_unit(struct verification *v, const char *path, const struct ir_program *p)
{
    json_t *results = v->list ? json_array() : NULL;
    struct diag rules = {.arena = &v->arena};
    if (!results)
        printf("%s\n", path);
    v->broken |= !verify_program(p, &rules);
    report(results, "rules", &rules);
    size_t asked = v->properties.len;
    for (size_t i = 0; i < (asked ? asked : property_count()); i++) {
        struct diag d = {.arena = &v->arena};
        size_t property = asked ? v->properties.items[i] : i;
        v->broken |= !property_holds(property, p, &d) && asked;
        report(results, property_row(property).name, &d);
    }
    if (v->list)
        json_array_append_new(v->list, json_pack("{ss so}", "file", path, "results", results));
}

static bool verify_file(struct verification *v, const char *path)
{
    struct kernel_options o = {.args = v->args.items, .nargs = v->args.len};
    const struct kernel_file *f = kernel_file_read(&v->arena, path, &v->diag);
    ir_units chosen = {0};
    vec_foreach (const char *, name, &v->programs)
        if (f && !ir_file_choose(&v->arena, f->text, *name, &chosen, &v->diag))
            return false;
    if (f && !v->programs.len) {
        kernel_file_note(f);
        chosen = f->text->units;
    }
    vec_foreach (struct ir_unit, u, &chosen) {
        bool several = f->text->units.len > 1;
        const struct ir_program *p = kernel_parse(&v->arena, f, u, &o, v->nranks, &v->diag);
        if (!p)
            return false;
        verify_unit(v, several ? arena_printf(&v->arena, "%s:%s", path, u->path) : path, p);
    }
    return f != NULL;
}

int cmd_verify(int argc, char **argv)
{
    struct verification v = {.nranks = DEFAULT_RANKS};
    v.diag.arena = &v.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &v);
    vec_foreach (const char *, path, &v.files)
        if (v.diag.failed || !verify_file(&v, *path))
            break;
    bool ok = !v.diag.failed;
    if (v.list && ok)
        output_json(v.list);
    else
        json_decref(v.list);
    diag_print(&v.diag, stderr);
    arena_free(&v.arena);
    return !ok ? EXIT_USAGE : v.broken ? EXIT_FINDINGS : EXIT_CLEAN;
}
