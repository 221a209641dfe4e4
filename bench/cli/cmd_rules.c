/* SPDX-License-Identifier: MIT */
/* fencebench rules: what a program of the kernel language must keep, as the verifier reports it. */
#include <jansson.h>
#include <string.h>

#include "bench/cli/commands.h"
#include "bench/cli/listing.h"
#include "bench/report/output.h"
#include "ir/rules.h"
#include "passes/properties.h"

struct rule_selection {
    struct listing l;
    VEC(const struct ir_rule_row *) rules;
};

static const struct listing_command command = {
    .doc =
        "List the rules of the kernel language, or the named ones: the name that an error ends in, "
        "what it is about (for the rules of a property, the property), the section of the facts it "
        "rests on, and its message, in which <words> stand for what was found.",
    .names = "[NAME..]",
    .markdown = "Print the tables of docs/rules.md (default off)",
};

static bool choose(struct rule_selection *c)
{
    const char *known[IR_RULE_COUNT];
    for (size_t i = 0; i < IR_RULE_COUNT; i++) {
        known[i] = ir_rules[i].name;
        if (!c->l.names.len)
            vec_push(&c->l.arena, &c->rules, &ir_rules[i]);
    }
    vec_foreach (const char *, name, &c->l.names) {
        const struct ir_rule_row *rule = ir_rule_find(*name);
        if (!rule)
            return listing_unknown(&c->l, "rule", *name, known, IR_RULE_COUNT);
        vec_push(&c->l.arena, &c->rules, rule);
    }
    return true;
}

static int width_of(const struct rule_selection *c)
{
    size_t width = 0;
    vec_foreach (const struct ir_rule_row *, r, &c->rules)
        width = strlen((*r)->name) > width ? strlen((*r)->name) : width;
    return (int)width;
}

static void print_text(const struct rule_selection *c)
{
    int width = width_of(c);
    printf("%-*s %-28s %-8s %s\n", width, "NAME", "ABOUT", "FACTS", "MESSAGE");
    vec_foreach (const struct ir_rule_row *, r, &c->rules)
        printf("%-*s %-28s %-8s %s\n", width, (*r)->name, (*r)->group, (*r)->fact, (*r)->message);
}

static void print_properties(void)
{
    printf("### Properties\n\n| property | what holds | facts |\n|---|---|---|\n");
    for (size_t i = 0; i < property_count(); i++) {
        struct property_row row = property_row(i);
        printf("| %s | %s | %s |\n", row.name, row.doc, row.fact);
    }
}

/* One table a group; rules of a group stand together. */
static void print_markdown(const struct rule_selection *c)
{
    const char *group = "";
    print_properties();
    vec_foreach (const struct ir_rule_row *, r, &c->rules) {
        if (strcmp((*r)->group, group) != 0) {
            group = (*r)->group;
            printf("\n### Rules: %s\n\n| rule | facts | message |\n|---|---|---|\n", group);
        }
        printf("| %s | %s | `%s` |\n", (*r)->name, (*r)->fact, (*r)->message);
    }
}

static void print_json(const struct rule_selection *c)
{
    json_t *list = json_array();
    vec_foreach (const struct ir_rule_row *, r, &c->rules)
        json_array_append_new(list,
                              json_pack("{ss ss ss ss}", "name", (*r)->name, "group", (*r)->group,
                                        "fact", (*r)->fact, "message", (*r)->message));
    output_json(list);
}

static void (*const printers[])(const struct rule_selection *c) = {
    [LISTING_TEXT] = print_text,
    [LISTING_JSON] = print_json,
    [LISTING_MARKDOWN] = print_markdown,
};

int cmd_rules(int argc, char **argv)
{
    struct rule_selection c = {0};
    listing_parse(&c.l, &command, argc, argv);
    bool ok = choose(&c);
    if (ok)
        printers[c.l.format](&c);
    return listing_end(&c.l, ok);
}
