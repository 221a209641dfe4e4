/* SPDX-License-Identifier: MIT */
#include "bench/cli/replay.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/cli/options.h"

typedef VEC(char *) words;

/* A line as a shell splits it that knows quotes and backslashes alone. */
static words split(struct arena *a, const char *line)
{
    words out = {0};
    while (*(line += strspn(line, " "))) {
        struct strbuf w = strbuf_make(a);
        for (char quote = 0; *line && (quote || *line != ' '); line++) {
            if (!quote && *line == '\\' && line[1])
                strbuf_addn(&w, ++line, 1);
            else if (*line == '\'')
                quote = quote ? 0 : *line;
            else
                strbuf_addn(&w, line, 1);
        }
        vec_push(a, &out, w.text);
    }
    return out;
}

static const struct argp_child children[] = {
    {&compile_argp, 0, NULL, 0}, {&single_argp, 0, NULL, 0}, {&mutant_argp, 0, NULL, 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    return options_key(s->input, children, key, arg, s, 1, 1) ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {NULL, parse, NULL, NULL, children, NULL, NULL};

static void run_case(struct options *o, struct kase *k,
                     void (*look)(void *ctx, const struct run_graph *g), void *ctx)
{
    struct run_graph g = {0};
    struct access_watch watch = {.fn = graph_step, .ctx = &g};
    k->options.max_transitions = REPLAY_TRANSITIONS;
    struct runner *r = runner_new(k->program, k->contract, k->golden, k->options);
    runner_on_step(r, access_watch_step, &watch);
    if (runner_run(r, o->x.seed, &k->tally, &o->arena)) {
        access_watch_end(&watch, runner_machine(r));
        look(ctx, &g);
    }
    graph_free(&g);
    arena_free(&watch.arena);
    runner_free(r);
}

/* The command line is one that a report printed: what is wrong with it ends no more than this. */
bool replay_run(struct arena *a, const char *command, uint64_t seed,
                void (*look)(void *ctx, const struct run_graph *g), void *ctx, const char **why)
{
    static const char start[] = "fencebench run ";
    *why = "no line of a run";
    if (strncmp(command, start, sizeof start - 1) != 0)
        return false;
    words w = split(a, command + strlen("fencebench "));
    vec_push(a, &w, arena_printf(a, "--seed=%" PRIu64, seed));
    struct options o;
    options_init(&o);
    o.x.runs = 1;
    o.x.kernel.pass.note = NULL;
    kases cases = {0};
    if (argp_parse(&argp, (int)w.len, w.items, ARGP_SILENT, NULL, &o) || o.x.files.len != 1 ||
        !options_finish(&o) || !cases_make_one(&o.x, "run", &cases) ||
        !options_mutant(&o, &cases.items[0]))
        *why = o.diag.failed ? arena_strdup(a, o.diag.message) : "its options are unknown here";
    else
        *why = NULL;
    if (!*why)
        run_case(&o, &cases.items[0], look, ctx);
    arena_free(&o.arena);
    return !*why;
}
