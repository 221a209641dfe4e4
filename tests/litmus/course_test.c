/* SPDX-License-Identifier: MIT */
/*
 * Programs with a course (sim/course.h): which have one, and that a step which is taken alone because
 * of it commutes with every other. That verdicts are the same with and without is tested in
 * tests/litmus/verdicts_test.c.
 */
#include "sim/course.h"

#include "base/rng.h"
#include "sim/explore/explore.h"
#include "sim/explore/pack.h"
#include "sim/explore/persistent.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- which programs have one ---- */

static const struct {
    const char *kernel;
    int nranks;
    const char *why; /* there is none; NULL: there is */
} programs[] = {
    {"put_ring", 3, NULL},
    {"mesh_allreduce", 3, NULL},
    {"self_notify_credit_reset", 2, NULL}, /* a signal that goes back to 0 */
    {"expert_dispatch", 2, NULL},
    {"host/allreduce_ring", 3, NULL}, /* tasks after tasks */
    {"scalar_publish", 2, NULL},
    /* three ranks of which two write the same words */
    {"scalar_publish", 3, "it has findings where memory is coherent"},
    {"host/signal_reuse", 2, "it has findings where memory is coherent"},
    {"lanes_through_memory", 2, NULL},
    {"lanes_push_ring", 2, NULL},
};

Test(course, of_kernels)
{
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct arena a = {0};
        struct trial t = {.kernel = programs[i].kernel,
                          .model = "a2a3",
                          .toolchain = "ptoas-0.57",
                          .nranks = programs[i].nranks};
        const char *why = "it has one";
        struct course *c = course_find(trial_compile(&a, &t), rig_contract(&a, "a2a3"), 0, &why);
        expect_text(programs[i].kernel, c ? "a course" : why,
                    programs[i].why ? programs[i].why : "a course");
        course_free(c);
        arena_free(&a);
    }
}

/* One core adds 1 to u, the other takes 1 away, waits for u as it says, and reads u. */
static const struct {
    const char *wait, *why;
} compared[] = {
    {"wait.dev u@1 >= 0", NULL},
    /* Without the other's add u is -1: less than 0, but without a sign the largest number. */
    {"wait.dev u@1 u>= 0", "it has findings where memory is coherent"},
    {"wait.dev u@1 u>= -1", "it has findings where memory is coherent"},
    {"wait.dev u@1 == 0", NULL},
};

Test(course, of_what_waits_compare)
{
    for (size_t i = 0; i < COUNT(compared); i++) {
        struct arena a = {0};
        const char *why = "it has one";
        const struct litmus_test *t =
            rig_test(&a, arena_printf(&a,
                                      "GM COMPARED\n{ u; ranks = 2 }\nP0 | P1 ;\n"
                                      "notify.add u@1, 1 | notify.add u@1, -1 ;\n | %s ;\n"
                                      " | ld r0, u@1 ;\nexists (u@1=0)\n",
                                      compared[i].wait));
        struct course *c = course_find(t->program, rig_contract(&a, "a2a3"), 0, &why);
        expect_text(compared[i].wait, c ? "a course" : why,
                    compared[i].why ? compared[i].why : "a course");
        course_free(c);
        arena_free(&a);
    }
}

/* ---- steps that are taken alone ---- */

enum { STEPS = 400, MAX_ENABLED = 256, QUIET_AT_LEAST = 20 };

struct walk {
    struct machine *m;
    struct packer *packer;
    struct pack_buffer state, ab, ba;
    const char *name;
    int pipes, deliveries; /* steps alone of which the course told */
};

static void keep(const struct pack_buffer *from, struct pack_buffer *to)
{
    to->len = 0;
    pack_bytes(to, from->data, from->len);
}

static void fire(struct walk *w, struct transition t)
{
    machine_fire(w->m, t);
    pack_step(w->packer, w->m, t);
}

static bool in_order(struct walk *w, struct transition a, struct transition b,
                     struct pack_buffer *out)
{
    pack_load(w->packer, w->m, w->state.data);
    fire(w, a);
    bool both = transition_enabled(w->m, b);
    if (both)
        fire(w, b);
    keep(pack_store(w->packer, w->m), out);
    return both;
}

static void check_alone(struct walk *w, struct transition alone, const struct transition *t, int n)
{
    for (int i = 0; i < n; i++) {
        if (t[i].kind == alone.kind && t[i].core == alone.core && t[i].pipe == alone.pipe &&
            t[i].index == alone.index)
            continue;
        bool both = in_order(w, alone, t[i], &w->ab) && in_order(w, t[i], alone, &w->ba);
        cr_expect(both && w->ab.len == w->ba.len && !memcmp(w->ab.data, w->ba.data, w->ab.len),
                  "%s: the order of a step alone, of kind %d, and one of kind %d matters", w->name,
                  alone.kind, t[i].kind);
    }
    pack_load(w->packer, w->m, w->state.data);
}

/* Until the run ends or something is found. */
static void walk(struct walk *w, struct rng *rng)
{
    struct transition t[MAX_ENABLED], alone;
    for (int step = 0, n, found = 0; step < STEPS && !found; step++) {
        keep(pack_store(w->packer, w->m), &w->state);
        pack_load(w->packer, w->m, w->state.data);
        if ((n = machine_enabled(w->m, t, MAX_ENABLED)) == 0)
            break;
        if (persistent_step(w->m, &alone)) {
            check_alone(w, alone, t, n);
            w->deliveries += alone.kind == T_DELIVER;
            w->pipes += alone.kind == T_PIPE;
        }
        fire(w, t[rng_below(rng, (uint64_t)n)]);
        oracle_findings(w->m->oracle, &found);
    }
}

static const struct {
    const char *kernel;
    int nranks;
} walked[] = {{"put_ring", 2},        {"mesh_allreduce", 3},      {"all_to_all", 2},
              {"relay", 3},           {"broadcast_get", 2},       {"reduce_scatter", 3},
              {"allgather_put", 2},   {"host/allreduce_ring", 3}, {"two_kernel", 3},
              {"lanes_push_ring", 2}, {"lanes_through_memory", 2}};

Test(course, steps_alone_commute_with_all_others)
{
    int pipes = 0, deliveries = 0;
    struct rng rng = rng_make(3, 0);
    for (size_t i = 0; i < 2 * COUNT(walked); i++) {
        struct arena a = {0};
        struct trial t = {.kernel = walked[i / 2].kernel,
                          .model = "a2a3",
                          .toolchain = "ptoas-0.57",
                          .nranks = walked[i / 2].nranks,
                          .markers_off = i % 2};
        const struct program *p = trial_compile(&a, &t);
        bool room;
        struct contract k = explore_contract(p, rig_contract(&a, "a2a3"), &room);
        const char *why;
        struct course *c = course_find(p, &k, 0, &why);
        cr_assert(c, "%s: %s", walked[i / 2].kernel, why);
        struct oracle *o = course_oracle(c, true);
        struct walk w = {.name = walked[i / 2].kernel};
        w.m = machine_new(p, &k, (struct machine_options){.oracle = o, .kernel = true});
        for (int run = 0; run < soaked(4); run++) {
            machine_reset(w.m);
            w.packer = packer_new(w.m);
            walk(&w, &rng);
            packer_free(w.packer);
        }
        pipes += w.pipes;
        deliveries += w.deliveries;
        machine_free(w.m);
        oracle_free(o);
        course_free(c);
        pack_buffer_free(&w.state);
        pack_buffer_free(&w.ab);
        pack_buffer_free(&w.ba);
        arena_free(&a);
    }
    cr_expect(pipes > QUIET_AT_LEAST && deliveries > QUIET_AT_LEAST,
              "only %d pipe steps and %d deliveries were alone", pipes, deliveries);
}
