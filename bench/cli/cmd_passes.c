/* SPDX-License-Identifier: MIT */
/* fencebench passes: the pass table as the pass manager sees it. */
#include <jansson.h>

#include "base/strbuf.h"
#include "bench/cli/commands.h"
#include "bench/cli/listing.h"
#include "bench/report/output.h"
#include "passes/pass.h"

static const struct listing_command command = {
    .doc = "List the passes in the order in which they run by default: what each does, which "
           "functions it may change, which property it needs and which one it produces.",
    .markdown = "Print the table of docs/passes.md (default off)",
};

static const struct {
    enum pass_functions kind;
    const char *name;
} kinds[] = {{PASS_HOST, "host"}, {PASS_CHIP, "chip"}, {PASS_CORE, "core"}, {PASS_OTHER, "other"}};

/* "host, chip", or "all". */
static const char *functions_text(struct arena *a, enum pass_functions functions)
{
    struct strbuf b = strbuf_make(a);
    if (functions == PASS_EVERY)
        return "all";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (functions & kinds[i].kind)
            strbuf_addf(&b, "%s%s", b.len ? ", " : "", kinds[i].name);
    return b.text;
}

static const char *or_dash(const char *text)
{
    return text ? text : "-";
}

static void print_text(struct arena *a)
{
    printf("%-28s %-9s %s\n    REQUIRES -> PRODUCES\n", "NAME", "FUNCTIONS", "DOC (FACTS)");
    for (size_t i = 0; i < pass_count; i++) {
        const struct pass *p = &passes[i];
        printf("%-28s %-9s %s (%s)\n    %s -> %s\n", p->name, functions_text(a, p->functions),
               p->doc, p->fact, or_dash(p->requires), or_dash(p->produces));
    }
}

static void print_markdown(struct arena *a)
{
    printf("| pass | what it does | functions | requires | produces | rests on |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < pass_count; i++) {
        const struct pass *p = &passes[i];
        printf("| %s | %s | %s | %s | %s | %s |\n", p->name, p->doc,
               functions_text(a, p->functions), or_dash(p->requires), or_dash(p->produces),
               p->fact);
    }
}

static json_t *functions_json(enum pass_functions functions)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (functions & kinds[i].kind)
            json_array_append_new(list, json_string(kinds[i].name));
    return list;
}

static void print_json(struct arena *a)
{
    json_t *list = json_array();
    (void)a;
    for (size_t i = 0; i < pass_count; i++) {
        const struct pass *p = &passes[i];
        json_array_append_new(list,
                              json_pack("{ss ss ss so ss? ss? sb}", "name", p->name, "doc", p->doc,
                                        "fact", p->fact, "functions", functions_json(p->functions),
                                        "requires", p->requires, "produces", p->produces,
                                        "inserts_markers", p->inserts_markers));
    }
    output_json(list);
}

static void (*const printers[])(struct arena *a) = {
    [LISTING_TEXT] = print_text,
    [LISTING_JSON] = print_json,
    [LISTING_MARKDOWN] = print_markdown,
};

int cmd_passes(int argc, char **argv)
{
    struct listing l = {0};
    listing_parse(&l, &command, argc, argv);
    printers[l.format](&l.arena);
    return listing_end(&l, true);
}
