/* SPDX-License-Identifier: MIT */
#include "bench/cli/listing.h"

#include <argp.h>

#include "bench/cli/commands.h"

enum { KEY_JSON = 0x100, KEY_MARKDOWN, KEY_EXTRA, MAX_OPTIONS = 4 };

struct parsing {
    struct listing *l;
    const struct listing_command *command;
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct parsing *p = s->input;
    switch (key) {
    case KEY_JSON:
        p->l->format = LISTING_JSON;
        return 0;
    case KEY_MARKDOWN:
        p->l->format = LISTING_MARKDOWN;
        return 0;
    case KEY_EXTRA:
        p->l->extra = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!p->command->names)
            return ARGP_ERR_UNKNOWN;
        vec_push(&p->l->arena, &p->l->names, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void listing_parse(struct listing *l, const struct listing_command *c, int argc, char **argv)
{
    struct argp_option options[MAX_OPTIONS] = {
        {"json", KEY_JSON, NULL, 0, "Print JSON instead of text (default off)", 0}};
    int n = 1;
    if (c->markdown)
        options[n++] = (struct argp_option){"markdown", KEY_MARKDOWN, NULL, 0, c->markdown, 0};
    if (c->extra)
        options[n++] = (struct argp_option){c->extra, KEY_EXTRA, NULL, 0, c->extra_doc, 0};
    const struct argp argp = {options, parse, c->names, c->doc, NULL, NULL, NULL};
    struct parsing p = {.l = l, .command = c};
    l->diag.arena = &l->arena;
    argp_parse(&argp, argc, argv, 0, NULL, &p);
}

bool listing_unknown(struct listing *l, const char *what, const char *name,
                     const char *const *known, size_t n)
{
    return diag_error(&l->diag, NULL, (struct span){0}, "no %s '%s'%s", what, name,
                      diag_hint(&l->arena, name, known, n));
}

int listing_end(struct listing *l, bool ok)
{
    if (!ok)
        diag_print(&l->diag, stderr);
    arena_free(&l->arena);
    return ok ? EXIT_CLEAN : EXIT_USAGE;
}
