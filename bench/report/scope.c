/* SPDX-License-Identifier: MIT */
#include "bench/report/scope.h"

#include "bench/report/report.h"

/* Directives of the file, and what the command line says in their place. */
static json_t *inputs_json(const struct kase *k)
{
    const struct experiment *x = k->of;
    json_t *values = json_object();
    vec_foreach (const struct binding, b, &k->kernel->directives.args)
        json_object_set_new(values, b->name, json_string(b->expr));
    for (size_t i = 0; i < x->kernel.nargs; i++)
        json_object_set_new(values, x->kernel.args[i].name, json_string(x->kernel.args[i].expr));
    return values;
}

static json_t *compiled_json(const struct kase *k)
{
    const struct kernel_options *o = &k->of->kernel;
    json_t *passes = o->passes ? json_array() : json_string("all");
    for (size_t i = 0; o->passes && i < o->npasses; i++)
        json_array_append_new(passes, json_string(o->passes[i]));
    return json_pack("{s:b, s:s, s:s, s:o, s:s?, s:s?}", "markers", o->pass.markers, "batch",
                     pass_batch_names[o->pass.batch], "rules",
                     o->pass.rules == PASS_RULES_PROPOSED ? "proposed" : "compiler", "passes",
                     passes, "removed", k->removed, "mutated", k->mutated);
}

/* What stands beside any answer, and what this one leaves open. */
static json_t *not_modelled_json(const struct kase *k, const struct scope_looked *l)
{
    static const char *const always[] = {
        "other numbers of ranks, extents and arguments than those above",
        "real hardware: the contract is a hypothesis about it (docs/trust.md)",
        "a second level of cache, SDMA and URMA engines (docs/machine.md)",
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        json_array_append_new(list, json_string(always[i]));
    if (!l->complete)
        json_array_append_new(list, json_string(l->runs ? "schedules that these runs did not draw"
                                                        : "states beyond the limit"));
    const char *names;
    int n = report_uninterpreted(k->of->arena, k->program, &names);
    if (n)
        json_array_append_new(
            list,
            json_string(arena_printf(k->of->arena,
                                     "the arithmetic of %d operators, which are functions of their "
                                     "operands' bits: %s",
                                     n, names)));
    return list;
}

static json_t *runs_json(const struct kase *k, const struct scope_looked *l)
{
    const struct experiment *x = k->of;
    if (!l->runs)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:s, s:s?}", "count", (json_int_t)l->runs, "wanted",
                     (json_int_t)(l->runs > x->runs ? l->runs : x->runs), "first_seed",
                     (json_int_t)x->seed, "driver", drivers[x->runner.driver].name, "timing",
                     x->runner.driver != DRIVER_TIMED ? NULL
                     : x->runner.adversary            ? "adversary"
                                                      : "typical");
}

json_t *scope_json(const struct kase *k, const struct scope_looked *l)
{
    json_t *states =
        l->states ? json_pack("{s:I, s:b}", "count", (json_int_t)l->states, "complete", l->complete)
                  : json_null();
    json_t *bound = l->failed || !l->runs ? json_null()
                                          : json_pack("{s:f, s:f}", "rate_below",
                                                      clean_bound(l->runs), "confidence", 0.95);
    return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "ranks", k->nranks,
                     "contract", k->contract->name, "toolchain", k->of->toolchain_name, "compiled",
                     compiled_json(k), "inputs", inputs_json(k), "runs", runs_json(k, l), "states",
                     states, "bound", bound, "not_modelled", not_modelled_json(k, l));
}
