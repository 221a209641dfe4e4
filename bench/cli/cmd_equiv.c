/* SPDX-License-Identifier: MIT */
/* fencebench equiv: do two litmus tests have the same final states? */
#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"
#include "bench/campaign/batching.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/report/output.h"
#include "bench/report/report.h"

static const char *const side_names[SIDES] = {"A", "B"};
static const int exit_codes[] = {
    [EQUIV_EQUAL] = EXIT_CLEAN, [EQUIV_DIFFER] = EXIT_FINDINGS, [EQUIV_UNKNOWN] = EXIT_LIMIT};
ROW_EACH(exit_codes, EQUIV_ANSWERS);

struct equiv {
    struct options o;
    struct litmus_settings settings;
    const char *observe; /* NAME,.. or NULL: what both conditions observe */
    bool batching, summary;
    const struct litmus_test *tests[SIDES];
};

/* ---- options ---- */

enum {
    KEY_TOOLCHAIN = 0x200,
    KEY_MAX_STATES,
    KEY_MAX_MEMORY,
    KEY_OBSERVE,
    KEY_BATCHING,
    KEY_SUMMARY
};

static const struct argp_option equiv_options[] = {
    {"toolchain", KEY_TOOLCHAIN, "NAME", 0,
     "Toolchain profile: decides what 'fence' becomes (default ptoas-0.57)", 1},
    {"observe", KEY_OBSERVE, "NAME,..", 0,
     "Compare the final values of these, such as 1:r0 or x[3]@1, whatever the conditions say", 1},
    {"batching", KEY_BATCHING, NULL, 0,
     "Compare the two forms of consume sides: an invalidate behind each wait, and one behind the "
     "run of waits; of the files' tests, or without files of a generated family",
     1},
    {"summary", KEY_SUMMARY, NULL, 0, "With --batching: no line for each pair", 1},
    {"max-states", KEY_MAX_STATES, "N", 0,
     "Give up, with answer unknown, beyond N machine states of one test (default: no limit)", 3},
    {"max-memory", KEY_MAX_MEMORY, "BYTES", 0,
     "Give up beyond this much memory for one test; K, M or G may follow (default 4G)", 3},
    {0},
};

static const struct argp_child children[] = {{&comparing_argp, 0, "Running:", 2}, {0}};

static void check_names(const char *names, struct argp_state *s)
{
    for (const char *p = names; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("_.:@[],", *p))
            argp_error(s, "--observe=%s: expected names such as 1:r0,x[3]@1", names);
}

static void check_usage(const struct equiv *e, struct argp_state *s)
{
    if (!e->batching && e->o.x.files.len != SIDES)
        argp_error(s, "expected two litmus files, got %zu", e->o.x.files.len);
    if (e->batching && e->observe)
        argp_error(s, "--observe: with --batching, what is compared follows from the test");
    if (!e->batching && e->summary)
        argp_error(s, "--summary: only --batching prints one");
    if (e->o.x.ranks.len)
        argp_error(s, "-P: a litmus test fixes its ranks itself");
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct equiv *e = s->input;
    switch (key) {
    case ARGP_KEY_INIT:
        s->child_inputs[0] = &e->o;
        return 0;
    case KEY_TOOLCHAIN:
        e->o.x.toolchain_name = arg;
        return 0;
    case KEY_OBSERVE:
        check_names(arg, s);
        e->observe = arg;
        return 0;
    case KEY_MAX_STATES:
        e->settings.max_states = option_number(arg, "--max-states", 1, UINT64_MAX / 2, s);
        return 0;
    case KEY_MAX_MEMORY:
        e->settings.max_memory = option_bytes(arg, "--max-memory", s);
        return 0;
    case KEY_BATCHING:
        e->batching = true;
        return 0;
    case KEY_SUMMARY:
        e->summary = true;
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&e->o.arena, &e->o.x.files, arg);
        return 0;
    case ARGP_KEY_END:
        check_usage(e, s);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    equiv_options,
    parse,
    "A.litmus B.litmus\n--batching [FILE|DIR...]",
    "Explore two litmus tests completely and compare their final states, under each machine "
    "contract.\vA final state is the values of the names that the conditions observe, and whether "
    "the test ended in a deadlock; what a condition claims does not matter. Both conditions must "
    "observe the same names, unless --observe says what to compare.\n\n"
    "With --batching, both tests are made of one: in every run of waits and invalidates, the "
    "invalidates stand behind each wait, or once behind the last. A line says for each pair under "
    "which contracts the forms are equal, and how they differ; a table counts, and of each kind of "
    "difference one pair is shown with the states that only one form has. Every model is compared "
    "unless --model says which.\n\n"
    "Exit code: 0 equal under every model, 1 different under some, 2 bad usage or input, 3 a limit "
    "was hit before an answer.",
    children,
    NULL,
    NULL};

/* ---- tests ---- */

/* The test with another condition, whose only use is the names in it. */
static const struct source *observing(struct arena *a, const struct litmus_test *t,
                                      const char *names)
{
    struct strbuf b = strbuf_make(a);
    strbuf_addn(&b, t->source->text, t->cond_from);
    strbuf_add(&b, "exists (");
    for (const char *p = names; *p; p++) {
        if (*p == ',')
            strbuf_add(&b, "=0 /\\ ");
        else
            strbuf_addn(&b, p, 1);
    }
    strbuf_add(&b, "=0)\n");
    return source_from_string(a, t->source->name, b.text);
}

static const struct litmus_test *read_test(struct equiv *e, const char *path)
{
    struct options *o = &e->o;
    const struct source *src = source_read(&o->arena, path, &o->diag);
    const struct litmus_test *t =
        src ? litmus_parse(&o->arena, src, o->x.kernel.toolchain, &o->diag) : NULL;
    if (!t || !e->observe)
        return t;
    return litmus_parse(&o->arena, observing(&o->arena, t, e->observe), o->x.kernel.toolchain,
                        &o->diag);
}

static bool observes(const struct litmus_test *t, const char *name)
{
    vec_foreach (const struct litmus_cond *, c, &t->observed)
        if (!strcmp((*c)->name, name))
            return true;
    return false;
}

static bool speaks_of_deadlock(const struct litmus_cond *c)
{
    return c &&
           (c->kind == LITMUS_DEADLOCK || speaks_of_deadlock(c->lhs) || speaks_of_deadlock(c->rhs));
}

/* "a,b": the names that both observe, in their byte order. */
static const char *shared_names(struct arena *a, const struct litmus_test *x,
                                const struct litmus_test *y, const char *between)
{
    struct strbuf b = strbuf_make(a);
    vec_foreach (const struct litmus_cond *, c, &x->observed)
        if (observes(y, (*c)->name))
            strbuf_addf(&b, "%s%s", b.len ? between : "", (*c)->name);
    return b.text;
}

/* x's condition must observe nothing that y's does not. */
static bool covered(struct equiv *e, const struct litmus_test *x, const struct litmus_test *y)
{
    const char *shared = shared_names(&e->o.arena, x, y, ",");
    vec_foreach (const struct litmus_cond *, c, &x->observed)
        if (!observes(y, (*c)->name))
            return diag_error(&e->o.diag, x->source, (struct span){0},
                              "its condition observes '%s', that of %s does not; write the same "
                              "names in both, or compare a choice of them with --observe=%s",
                              (*c)->name, y->source->name, *shared ? shared : "NAME,..");
    return true;
}

static bool read_tests(struct equiv *e)
{
    for (int i = 0; i < SIDES; i++)
        if (!(e->tests[i] = read_test(e, e->o.x.files.items[i])))
            return false;
    const struct litmus_test *a = e->tests[0], *b = e->tests[1];
    if (!covered(e, a, b) || !covered(e, b, a))
        return false;
    /* Equal because nothing was compared: such an answer proves nothing. */
    return a->observed.len || speaks_of_deadlock(a->cond) || speaks_of_deadlock(b->cond) ||
           diag_error(&e->o.diag, a->source, (struct span){0},
                      "the conditions observe nothing to compare; say what with --observe=NAME,..");
}

/* ---- reporting ---- */

static void print_head(struct equiv *e)
{
    for (int i = 0; i < SIDES; i++)
        printf("%s %s (%s)\n", side_names[i], e->tests[i]->source->name, e->tests[i]->name);
    const char *names = shared_names(&e->o.arena, e->tests[0], e->tests[1], " ");
    printf("Observing %s, toolchain %s\n", *names ? names : "deadlock", e->o.x.toolchain_name);
}

static void print_comparison(const struct equivalence *c)
{
    printf("%-14s %s", c->contract->name, equivalence_name(c->answer));
    if (c->answer == EQUIV_EQUAL)
        printf(" (%zu state%s)\n", c->both, c->both == 1 ? "" : "s");
    else if (c->answer == EQUIV_UNKNOWN)
        printf(": a limit was hit, at %" PRIu64 " machine states of A and %" PRIu64 " of B\n",
               c->outcomes[0].machine_states, c->outcomes[1].machine_states);
    else
        printf(": %zu in A only, %zu in B only, %zu in both%s\n", c->only[0].len, c->only[1].len,
               c->both, c->complete ? "" : "; a limit was hit, there may be more");
    for (int i = 0; i < SIDES; i++)
        vec_foreach (const char *, state, &c->only[i])
            printf("    %s only: %s\n", side_names[i], equivalence_state(*state));
    fflush(stdout);
}

static json_t *test_json(const struct litmus_test *t)
{
    return json_pack("{s:s, s:s}", "name", t->name, "file", t->source->name);
}

static void print_json(struct equiv *e, json_t *results)
{
    json_t *names = json_array();
    vec_foreach (const struct litmus_cond *, c, &e->tests[0]->observed)
        json_array_append_new(names, json_string((*c)->name));
    json_t *top = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "schema", JSON_SCHEMA, "command", "equiv",
        "build", build_id(), "toolchain", e->o.x.toolchain_name, "a", test_json(e->tests[0]), "b",
        test_json(e->tests[1]), "observed", names, "results", results, "interrupted",
        options_stopped_json("results", json_array_size(results)));
    output_json(top);
}

static int run(struct equiv *e)
{
    bool seen[EQUIV_ANSWERS] = {0};
    json_t *results = json_array();
    e->settings.threads = e->o.x.threads;
    if (!e->o.json)
        print_head(e);
    vec_foreach (const struct contract *, k, &e->o.x.models) {
        struct equivalence c;
        equivalence_compare(e->tests, *k, &e->settings, &c);
        seen[c.answer] = true;
        if (e->o.json)
            json_array_append_new(results, equivalence_json(&c));
        else
            print_comparison(&c);
        equivalence_free(&c);
    }
    if (e->o.json)
        print_json(e, results);
    else
        json_decref(results);
    return exit_codes[equivalence_of_all(seen)];
}

static int compare_files(struct equiv *e)
{
    return options_finish(&e->o) && read_tests(e) ? run(e) : EXIT_USAGE;
}

static int compare_forms(struct equiv *e)
{
    enum equivalence_answer answer;
    struct batching b = {
        .x = &e->o.x, .settings = e->settings, .json = e->o.json, .summary = e->summary};
    if (!e->o.x.model_names.len)
        options_all_models(&e->o);
    return options_finish(&e->o) && batching_compare(&b, &answer) ? exit_codes[answer] : EXIT_USAGE;
}

int cmd_equiv(int argc, char **argv)
{
    struct equiv e = {.settings = {.explore = true, .max_memory = (uint64_t)4096 << 20}};
    options_init(&e.o);
    argp_parse(&argp, argc, argv, 0, NULL, &e);
    int code = (e.batching ? compare_forms : compare_files)(&e);
    options_say_stopped("a part of the comparison");
    return options_end(&e.o, code);
}
