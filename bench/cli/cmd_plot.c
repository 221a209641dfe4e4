/* SPDX-License-Identifier: MIT */
/* fencebench plot: pictures from the CSV files of flushes and sweep. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/plot/plot.h"

enum { KEY_KIND = 0x100, KEY_OUT, KEY_PAYLOAD, KEY_WHERE, KEY_SCRIPT };

struct plotting {
    struct arena arena;
    struct diag diag;
    struct plot_options options;
    bool kind_given, script;
    const char *out;
    VEC(struct plot_filter) filters;
    VEC(const char *) paths;
};

static const struct argp_option options[] = {
    {"kind", KEY_KIND, "KIND", 0,
     "'flushes', 'time', 'payload', 'breakdown' or 'refills' (from the CSV of `flushes`), "
     "'heatmap' "
     "(from the CSV of `sweep`); no default",
     0},
    {"out", KEY_OUT, "BASE", 0, "Write BASE.svg and BASE.png (default: the kind)", 0},
    {"payload", KEY_PAYLOAD, "BYTES", 0,
     "flushes, time: show kernels at this payload (default: the largest one that most kernels "
     "have)",
     0},
    {"where", KEY_WHERE, "COLUMN=TEXT", 0,
     "Only rows whose column holds TEXT; repeatable (default: all rows)", 0},
    {"script", KEY_SCRIPT, NULL, 0,
     "Print the gnuplot script of the SVG instead of drawing (default off)", 0},
    {0},
};

static void set_kind(struct plotting *p, const char *text, struct argp_state *s)
{
    const char *names[PLOT_KINDS];
    for (int k = 0; k < PLOT_KINDS; k++) {
        names[k] = plot_kind_name((enum plot_kind)k);
        if (strcmp(text, names[k]))
            continue;
        p->options.kind = (enum plot_kind)k;
        p->kind_given = true;
        return;
    }
    option_no_value(text, "--kind", names, PLOT_KINDS, s);
}

static void set_payload(struct plotting *p, const char *text, struct argp_state *s)
{
    char *end;
    errno = 0;
    long long bytes = strtoll(text, &end, 10);
    if (end == text || *end || errno || bytes < 0)
        argp_error(s, "--payload=%s: expected a number of bytes", text);
    p->options.payload = (double)bytes;
}

static void add_filter(struct plotting *p, const char *text, struct argp_state *s)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        argp_error(s, "--where=%s: expected COLUMN=TEXT", text);
    const char *column = arena_strndup(&p->arena, text, (size_t)(equals - text));
    vec_push(&p->arena, &p->filters, (struct plot_filter){column, equals + 1});
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct plotting *p = s->input;
    switch (key) {
    case KEY_KIND:
        set_kind(p, arg, s);
        return 0;
    case KEY_OUT:
        p->out = arg;
        return 0;
    case KEY_PAYLOAD:
        set_payload(p, arg, s);
        return 0;
    case KEY_WHERE:
        add_filter(p, arg, s);
        return 0;
    case KEY_SCRIPT:
        p->script = true;
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&p->arena, &p->paths, arg);
        return 0;
    case ARGP_KEY_END:
        if (!p->kind_given)
            argp_error(s, "expected --kind: a picture's kind");
        if (!p->paths.len)
            argp_error(s, "expected at least one CSV file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,  parse,
    "CSV...", "Draw what `flushes` or `sweep` wrote with --csv, as SVG and PNG. Needs gnuplot.",
    NULL,     NULL,
    NULL};

static bool plot(struct plotting *p)
{
    struct arena *a = &p->arena;
    const struct source **files = arena_array(a, const struct source *, p->paths.len);
    for (size_t i = 0; i < p->paths.len; i++) {
        files[i] = source_read(a, p->paths.items[i], &p->diag);
        if (!files[i])
            return false;
    }
    p->options.filters = p->filters.items;
    p->options.nfilters = p->filters.len;
    if (!p->script)
        return plot_write(a, files, p->paths.len, &p->options,
                          p->out ? p->out : plot_kind_name(p->options.kind), &p->diag);
    const char *script = plot_script(a, files, p->paths.len, &p->options, PLOT_SVG, &p->diag);
    if (script)
        printf("%s", script);
    return script != NULL;
}

int cmd_plot(int argc, char **argv)
{
    struct plotting p = {.options = {.payload = -1}};
    p.diag.arena = &p.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &p);
    bool ok = plot(&p);
    diag_print(&p.diag, stderr);
    arena_free(&p.arena);
    return ok ? EXIT_CLEAN : EXIT_USAGE;
}
