/* SPDX-License-Identifier: MIT */
/* fencebench diff: are two programs equal but for names, and if not, where do they first differ? */
#include <argp.h>
#include <jansson.h>

#include <string.h>

#include "bench/campaign/compiled.h"
#include "bench/cli/commands.h"
#include "codegen/kernel.h"
#include "bench/cli/options.h"
#include "bench/report/output.h"
#include "ir/equal.h"

struct comparison {
    struct arena arena;
    struct diag diag;
    const char *files[2], *names[2]; /* of programs, or NULL */
    size_t nfiles;
    VEC(struct binding) args;
    int nranks;
    const struct source *sources[2];
    const struct ir_program *programs[2];
    const struct pto_file *compiled[2]; /* of .pto files, in place of programs */
    bool json;
};

enum { KEY_JSON = 0x200, KEY_PROGRAM, KEY_ARG };

static const struct argp_option options[] = {
    {"program", KEY_PROGRAM, "NAME[,NAME]", 0,
     "The program of each file, or of the first and the second one", 0},
    {"arg", KEY_ARG, "NAME=VALUE", 0, "Value of a name around the programs", 0},
    {"ranks", 'P', "N", 0, "Number of ranks that programs are made for (default 2)", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON instead of text (default off)", 0},
    {0},
};

static void name_programs(struct comparison *c, char *names)
{
    char *comma = strchr(names, ',');
    c->names[0] = c->names[1] = names;
    if (comma) {
        *comma = '\0';
        c->names[1] = comma + 1;
    }
}

static void add_arg(struct comparison *c, const char *text)
{
    struct binding b;
    if (binding_parse(&c->arena, text, &b, &c->diag))
        vec_push(&c->arena, &c->args, b);
}

/* Two programs of one file are compared when the names say which. */
static void check_usage(struct comparison *c, struct argp_state *s)
{
    if (c->nfiles == 1 && c->names[0] != c->names[1])
        c->files[1] = c->files[0];
    else if (c->nfiles < 2)
        argp_error(s, "expected two files");
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct comparison *c = s->input;
    switch (key) {
    case KEY_JSON:
        c->json = true;
        return 0;
    case KEY_PROGRAM:
        name_programs(c, arena_strndup(&c->arena, arg, strlen(arg)));
        return 0;
    case KEY_ARG:
        add_arg(c, arg);
        return 0;
    case 'P':
        c->nranks = (int)option_number(arg, "-P", 1, MAX_RANKS, s);
        return 0;
    case ARGP_KEY_ARG:
        if (s->arg_num >= 2)
            argp_error(s, "expected two files, found a third one: %s", arg);
        c->files[c->nfiles++] = arg;
        return 0;
    case ARGP_KEY_END:
        check_usage(c, s);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "A B\nFILE --program=A,B",
    "Compare two programs by structure, of kernel files or of compiled .pto files: names of "
    "variables, comments and spelling do not count, "
    "types, keywords, attributes and windows do. Prints the first difference with its place in "
    "both files. Exit code 0: equal, 1: different, 2: a file cannot be read.",
    NULL,
    NULL,
    NULL};

static bool load(struct comparison *c)
{
    struct kernel_options o = {.args = c->args.items, .nargs = c->args.len};
    for (int i = 0; i < 2 && !c->diag.failed; i++) {
        const struct kernel_file *f = kernel_file_read(&c->arena, c->files[i], &c->diag);
        ir_units units = {0};
        const struct ir_unit *u = NULL;
        if (f && c->names[i] && ir_file_choose(&c->arena, f->text, c->names[i], &units, &c->diag))
            u = &units.items[0];
        else if (f && !c->names[i])
            u = ir_file_only(&c->arena, f->text, &c->diag);
        c->programs[i] = u ? kernel_parse(&c->arena, f, u, &o, c->nranks, &c->diag) : NULL;
        c->sources[i] = c->programs[i] ? c->programs[i]->source : NULL;
    }
    return !c->diag.failed;
}

static bool load_compiled(struct comparison *c)
{
    for (int i = 0; i < 2; i++) {
        if (!compiled_is(c->files[i]))
            return diag_file(&c->diag, c->files[i], "is no .pto file, but the other one is");
        c->sources[i] = source_read(&c->arena, c->files[i], &c->diag);
        c->compiled[i] = c->sources[i] ? pto_read(&c->arena, c->sources[i], &c->diag) : NULL;
        if (!c->compiled[i])
            return false;
    }
    return true;
}

/* Either kind of file: the first difference in the words of one. */
static bool compare(struct comparison *c, struct ir_difference *d)
{
    if (!c->compiled[0])
        return ir_compare(c->programs[0], c->programs[1], d);
    struct pto_difference p = {.arena = &c->arena};
    bool equal = pto_equal(c->compiled[0], c->compiled[1], &p);
    d->words = p.words;
    d->at_a = p.at_a;
    d->at_b = p.at_b;
    return equal;
}

static void print_place(struct comparison *c, int side, struct span at)
{
    if (at.line > 0)
        fputs(diag_place(c->sources[side], at, &c->arena), stdout);
}

static void print_text(struct comparison *c, bool equal, const struct ir_difference *d)
{
    if (equal) {
        printf("equal\n");
        return;
    }
    if (d->func)
        printf("function '%s': ", d->func);
    printf("%s\n", d->words);
    print_place(c, 0, d->at_a);
    print_place(c, 1, d->at_b);
}

static json_t *place_json(struct comparison *c, int side, struct span at)
{
    struct source_line line = source_place(c->sources[side], at.line);
    return json_pack("{ss si si}", "file", line.file, "line", line.line, "column", at.col);
}

static void print_json(struct comparison *c, bool equal, const struct ir_difference *d)
{
    json_t *o = json_pack("{sb}", "equal", equal);
    if (!equal) {
        json_object_set_new(o, "function", d->func ? json_string(d->func) : json_null());
        json_object_set_new(o, "difference", json_string(d->words));
        json_object_set_new(o, "a", place_json(c, 0, d->at_a));
        json_object_set_new(o, "b", place_json(c, 1, d->at_b));
    }
    output_json(o);
}

int cmd_diff(int argc, char **argv)
{
    struct comparison c = {.nranks = 2};
    c.diag.arena = &c.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    bool compiled = c.files[0] && (compiled_is(c.files[0]) || compiled_is(c.files[1]));
    bool ok = compiled ? load_compiled(&c) : load(&c), equal = false;
    if (ok) {
        struct ir_difference d = {.arena = &c.arena};
        equal = compare(&c, &d);
        (c.json ? print_json : print_text)(&c, equal, &d);
    }
    diag_print(&c.diag, stderr);
    arena_free(&c.arena);
    return !ok ? EXIT_USAGE : equal ? EXIT_CLEAN : EXIT_FINDINGS;
}
