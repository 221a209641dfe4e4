/* SPDX-License-Identifier: MIT */
/* fencebench rules: what a program of the kernel language must keep, as the verifier reports it. */
#include <argp.h>
#include <jansson.h>
#include <string.h>

#include "bench/commands.h"
#include "ir/rules.h"
#include "ir/verify.h"

enum { KEY_JSON = 0x100, KEY_MARKDOWN };

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_MARKDOWN };

struct listing {
    struct arena arena;
    struct diag diag;
    enum format format;
    VEC(const char *) names;
    VEC(const struct ir_rule_row *) rules;
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON instead of text (default off)", 0},
    {"markdown", KEY_MARKDOWN, NULL, 0, "Print the tables of docs/rules.md (default off)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct listing *l = s->input;
    switch (key) {
    case KEY_JSON:
        l->format = FORMAT_JSON;
        return 0;
    case KEY_MARKDOWN:
        l->format = FORMAT_MARKDOWN;
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&l->arena, &l->names, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[NAME..]",
    "List the rules of the kernel language, or the named ones: the name that an error ends in, "
    "what it is about (for the rules of a property, the property), the section of the facts it "
    "rests on, and its message, in which <words> stand for what was found.",
    NULL,
    NULL,
    NULL};

static bool choose(struct listing *l)
{
    const char *known[IR_RULE_COUNT];
    for (size_t i = 0; i < IR_RULE_COUNT; i++) {
        known[i] = ir_rules[i].name;
        if (!l->names.len)
            vec_push(&l->arena, &l->rules, &ir_rules[i]);
    }
    vec_foreach (const char *, name, &l->names) {
        const struct ir_rule_row *rule = ir_rule_find(*name);
        const char *near = rule ? NULL : diag_nearest(*name, known, IR_RULE_COUNT);
        if (!rule)
            return diag_error(&l->diag, NULL, (struct span){0}, "no rule '%s'%s%s%s", *name,
                              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        vec_push(&l->arena, &l->rules, rule);
    }
    return true;
}

static int width_of(const struct listing *l)
{
    size_t width = 0;
    vec_foreach (const struct ir_rule_row *, r, &l->rules)
        width = strlen((*r)->name) > width ? strlen((*r)->name) : width;
    return (int)width;
}

static void print_text(const struct listing *l)
{
    int width = width_of(l);
    printf("%-*s %-28s %-8s %s\n", width, "NAME", "ABOUT", "FACTS", "MESSAGE");
    vec_foreach (const struct ir_rule_row *, r, &l->rules)
        printf("%-*s %-28s %-8s %s\n", width, (*r)->name, (*r)->group, (*r)->fact, (*r)->message);
}

static void print_properties(void)
{
    printf("### Properties\n\n| property | what holds | facts |\n|---|---|---|\n");
    for (size_t i = 0; i < IR_PROPERTY_COUNT; i++)
        printf("| %s | %s | %s |\n", ir_properties[i].name, ir_properties[i].doc,
               ir_properties[i].fact);
}

/* One table a group; rules of a group stand together. */
static void print_markdown(const struct listing *l)
{
    const char *group = "";
    print_properties();
    vec_foreach (const struct ir_rule_row *, r, &l->rules) {
        if (strcmp((*r)->group, group) != 0) {
            group = (*r)->group;
            printf("\n### Rules: %s\n\n| rule | facts | message |\n|---|---|---|\n", group);
        }
        printf("| %s | %s | `%s` |\n", (*r)->name, (*r)->fact, (*r)->message);
    }
}

static void print_json(const struct listing *l)
{
    json_t *list = json_array();
    vec_foreach (const struct ir_rule_row *, r, &l->rules)
        json_array_append_new(list,
                              json_pack("{ss ss ss ss}", "name", (*r)->name, "group", (*r)->group,
                                        "fact", (*r)->fact, "message", (*r)->message));
    json_dumpf(list, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(list);
}

static void (*const printers[])(const struct listing *l) = {
    [FORMAT_TEXT] = print_text,
    [FORMAT_JSON] = print_json,
    [FORMAT_MARKDOWN] = print_markdown,
};

int cmd_rules(int argc, char **argv)
{
    struct listing l = {0};
    l.diag.arena = &l.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &l);
    bool ok = choose(&l);
    if (ok)
        printers[l.format](&l);
    else
        diag_print(&l.diag, stderr);
    arena_free(&l.arena);
    return ok ? EXIT_CLEAN : EXIT_USAGE;
}
