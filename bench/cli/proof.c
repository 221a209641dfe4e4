/* SPDX-License-Identifier: MIT */
#include "bench/cli/proof.h"

#include "bench/cli/commands.h"

enum {
    KEY_STATES = 0x280,
    KEY_MEMORY,
    PROOF_RUNS = 200,
    QUICK_RUNS = 16,
    PROOF_STATES = 500 * 1000
};

static const struct argp_option proof_options[] = {
    {"max-states", KEY_STATES, "N", 0,
     "States of one exploration (default 500000); beyond that --runs decide, with their bound", 3},
    {"max-memory", KEY_MEMORY, "BYTES", 0,
     "Memory of one exploration; K, M or G may follow (default: no limit)", 3},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct proof *p = s->input;
    switch (key) {
    case KEY_STATES:
        p->plan.max_states = option_number(arg, "--max-states", 1, UINT32_MAX, s);
        return 0;
    case KEY_MEMORY:
        p->plan.max_memory = option_bytes(arg, "--max-memory", s);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp proof_argp = {proof_options, parse, NULL, NULL, NULL, NULL, NULL};

const struct argp_child proof_children[] = {
    {&compile_argp, 0, "Compiling:", 1},
    {&sampling_argp, 0,
     "Running (default models here: a2a3,a2a3-blocking,a2a3-evict; runs: 200):", 2},
    {&proof_argp, 0, "Proving:", 3},
    {0}};

void proof_init(struct proof *p)
{
    options_init(&p->o);
    p->o.x.runs = PROOF_RUNS;
    p->plan = (struct clean_plan){.quick = QUICK_RUNS, .max_states = PROOF_STATES};
}

bool proof_key(struct proof *p, int key, char *arg, struct argp_state *s)
{
    return options_key(&p->o, proof_children, key, arg, s, 1, 1);
}

/* Sites and files are those of one program: of contracts with equally many cores. */
static bool is_one(const struct proof *p, const char *command)
{
    const struct kase *first = p->cases.items;
    vec_foreach (const struct kase, k, &p->cases)
        if (k->program != first->program)
            return diag_error(p->o.x.diag, first->kernel->source, (struct span){0},
                              "%s takes contracts with one number of cores per rank: %s has %d and "
                              "%s %d",
                              command, first->contract->name, first->contract->cores_per_rank,
                              k->contract->name, k->contract->cores_per_rank);
    return true;
}

int proof_exit_code(const struct clean_answer *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x[i].kind != CLEAN_PROVED)
            return EXIT_LIMIT;
    return EXIT_CLEAN;
}

bool proof_cases(struct proof *p, const char *command)
{
    static const char *const usual[] = {"a2a3", "a2a3-blocking", "a2a3-evict"};
    struct options *o = &p->o;
    kases all = {0};
    bool named = o->x.model_names.len > 0;
    for (size_t i = 0; !named && i < sizeof usual / sizeof *usual; i++)
        vec_push(&o->arena, &o->x.model_names, usual[i]);
    o->x.one_program = true;
    if (!options_finish(o) || !cases_make(&o->x, &all, NULL))
        return false;
    if (o->x.ranks.len > 1)
        return diag_error(&o->diag, all.items[0].kernel->source, (struct span){0},
                          "%s takes one number of ranks; these are %zu", command, o->x.ranks.len);
    vec_foreach (const struct kase, k, &all)
        if (k->nranks == all.items[0].nranks)
            vec_push(&o->arena, &p->cases, *k);
    return is_one(p, command);
}
