/* SPDX-License-Identifier: MIT */
/* fencebench generate: systematic litmus tests into a folder. */
#include <argp.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/report/output.h"
#include "litmus/generate/generate.h"

struct generate {
    struct arena arena;
    struct diag diag;
    int max_edges;
    const char *family, *folder;
    const char *cycle, *home;
};

enum { KEY_MAX_EDGES = 0x100, KEY_FAMILY, KEY_CYCLE, KEY_HOME };

static const struct argp_option generate_options[] = {
    {"max-edges", KEY_MAX_EDGES, "N", 0, "Longest cycle, 2 to 6 edges (default 6)", 0},
    {"family", KEY_FAMILY, "NAME", 0, "Only the cycles of one family (default: all)", 0},
    {"cycle", KEY_CYCLE, "WORDS", 0,
     "Only the test of this cycle, such as 'st line.dsbdWN Sig linedAR Fre', or of a family's; "
     "without -o it is printed",
     0},
    {"home", KEY_HOME, "from|to|third", 0,
     "Of the cycle: the rank where its locations live (default to)", 0},
    {"output", 'o', "DIR", 0, "Folder to write to; it is made when it does not exist", 0},
    {0},
};

static void list_families(struct strbuf *b)
{
    for (int i = 0; litmus_family_name(i); i++)
        strbuf_addf(b, "%s%s", i ? ", " : "", litmus_family_name(i));
}

static const char *family_hint(struct generate *g, const char *name)
{
    VEC(const char *) names = {0};
    for (int i = 0; litmus_family_name(i); i++)
        vec_push(&g->arena, &names, litmus_family_name(i));
    return diag_hint(&g->arena, name, names.items, names.len);
}

static void check_family(struct generate *g, struct argp_state *s)
{
    struct strbuf b = strbuf_make(&g->arena);
    list_families(&b);
    int edges = litmus_family_edges(g->family);
    if (!edges)
        argp_error(s, "--family: no family '%s'%s; there are %s", g->family,
                   family_hint(g, g->family), b.text);
    if (edges > g->max_edges)
        argp_error(s, "--family=%s: its cycle has %d edges, --max-edges is %d", g->family, edges,
                   g->max_edges);
}

static void check_usage(struct generate *g, struct argp_state *s)
{
    if (g->cycle && (g->family || g->max_edges))
        argp_error(s, "--cycle is one test: it excludes --family and --max-edges");
    if (g->home && !g->cycle)
        argp_error(s, "--home needs --cycle");
    if (g->folder ? !*g->folder : !g->cycle)
        argp_error(s, "expected -o DIR, the folder to write the tests to");
    g->max_edges = g->max_edges ? g->max_edges : GENERATE_MAX_EDGES;
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct generate *g = s->input;
    switch (key) {
    case KEY_MAX_EDGES:
        g->max_edges =
            (int)option_number(arg, "--max-edges", GENERATE_MIN_EDGES, GENERATE_MAX_EDGES, s);
        return 0;
    case KEY_FAMILY:
        g->family = arg;
        return 0;
    case 'o':
        g->folder = arg;
        return 0;
    case KEY_CYCLE:
        g->cycle = arg;
        return 0;
    case KEY_HOME:
        g->home = arg;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(s, "unexpected argument '%s'", arg);
        return 0;
    case ARGP_KEY_END:
        check_usage(g, s);
        if (g->family)
            check_family(g, s);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *filter_help(int key, const char *text, void *input)
{
    struct generate *g = input;
    if (key != ARGP_KEY_HELP_EXTRA || !g)
        return (char *)text;
    struct strbuf b = strbuf_make(&g->arena);
    strbuf_add(&b, "Families: ");
    list_families(&b);
    return strdup(b.text); /* argp frees it */
}

static const struct argp argp = {
    generate_options,
    parse,
    "-o DIR\n--cycle=WORDS [-o DIR]",
    "Write systematic litmus tests, each in DIR/NAME.litmus: cycles of communication and program "
    "order, with a choice of agents, homes and placements of markers, which NAME states. Existing "
    "files of these names are replaced, others stay.\v"
    "Exit code: 0 written, 2 bad usage, or a file cannot be written.",
    NULL,
    filter_help,
    NULL};

static bool write_all(struct generate *g)
{
    struct generated_tests all = {0};
    if (!g->cycle) {
        all = litmus_generate(&g->arena, g->max_edges, g->family);
    } else {
        struct generated one;
        if (!litmus_generate_cycle(&g->arena, g->cycle, g->home ? g->home : "to", &one, &g->diag))
            return false;
        vec_push(&g->arena, &all.tests, one);
    }
    if (!g->folder)
        return fputs(all.tests.items[0].text, stdout) >= 0;
    if (!output_folder(g->folder, &g->diag))
        return false;
    vec_foreach (struct generated, t, &all.tests)
        if (!output_text(arena_printf(&g->arena, "%s/%s.litmus", g->folder, t->name), t->text,
                         &g->diag))
            return false;
    printf("%zu test%s in %s\n", all.tests.len, all.tests.len == 1 ? "" : "s", g->folder);
    return true;
}

int cmd_generate(int argc, char **argv)
{
    struct generate g = {0};
    g.diag.arena = &g.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &g);
    int code = write_all(&g) ? EXIT_CLEAN : EXIT_USAGE;
    diag_print(&g.diag, stderr);
    arena_free(&g.arena);
    return code;
}
