/* SPDX-License-Identifier: MIT */
/* fencebench diff: are two programs equal but for names, and if not, where do they first differ? */
#include <argp.h>
#include <jansson.h>

#include "bench/cli/commands.h"
#include "bench/report/output.h"
#include "ir/equal.h"
#include "ir/parse.h"

struct comparison {
    struct arena arena;
    struct diag diag;
    const char *files[2];
    const struct ir_program *programs[2];
    bool json;
};

enum { KEY_JSON = 0x200 };

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON instead of text (default off)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct comparison *c = s->input;
    switch (key) {
    case KEY_JSON:
        c->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (s->arg_num >= 2)
            argp_error(s, "expected two files, found a third one: %s", arg);
        c->files[s->arg_num] = arg;
        return 0;
    case ARGP_KEY_END:
        if (s->arg_num < 2)
            argp_error(s, "expected two files");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "A B",
    "Compare two programs by structure: names of variables, comments and spelling do not count, "
    "types, keywords, attributes and windows do. Prints the first difference with its place in "
    "both files. Exit code 0: equal, 1: different, 2: a file cannot be read.",
    NULL,
    NULL,
    NULL};

static bool load(struct comparison *c)
{
    for (int i = 0; i < 2; i++) {
        const struct source *src = source_read(&c->arena, c->files[i], &c->diag);
        c->programs[i] = src ? ir_parse(&c->arena, src, &c->diag) : NULL;
        if (!c->programs[i])
            return false;
    }
    return true;
}

static void print_place(struct comparison *c, int side, struct span at)
{
    if (at.line > 0)
        fputs(diag_place(c->programs[side]->source, at, &c->arena), stdout);
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
    return json_pack("{ss si si}", "file", c->files[side], "line", at.line, "column", at.col);
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
    struct comparison c = {0};
    c.diag.arena = &c.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    bool ok = load(&c), equal = false;
    if (ok) {
        struct ir_difference d = {.arena = &c.arena};
        equal = ir_compare(c.programs[0], c.programs[1], &d);
        (c.json ? print_json : print_text)(&c, equal, &d);
    }
    diag_print(&c.diag, stderr);
    arena_free(&c.arena);
    return !ok ? EXIT_USAGE : equal ? EXIT_CLEAN : EXIT_FINDINGS;
}
