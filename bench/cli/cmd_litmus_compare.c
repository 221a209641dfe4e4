/* SPDX-License-Identifier: MIT */
/* fencebench litmus compare: in what two logs differ. */
#include <argp.h>
#include <string.h>

#include "bench/cli/commands.h"
#include "bench/report/litmus_log.h"

enum { SIDES = 2 };

struct comparison {
    struct arena arena;
    struct diag diag;
    VEC(const char *) paths;
    struct logged_tests logs[SIDES];
    bool by_model; /* a test's name does not tell it from the others of its log */
    int equal, differ, verdicts, unknown, only[SIDES];
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct comparison *c = s->input;
    if (key == ARGP_KEY_ARG)
        vec_push(&c->arena, &c->paths, arg);
    else if (key == ARGP_KEY_END && c->paths.len != SIDES)
        argp_error(s, "expected two logs to compare");
    else if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static const struct argp argp = {
    NULL,
    parse,
    "A.log B.log",
    "Compare two logs, of this program, herd or litmus: final states that only one has, other "
    "verdicts, tests that only one has. Where a log has a test under several models, tests are "
    "told apart by name and model, else by name.\v"
    "Exit code: 0 all tests have equal states, 1 some differ or are in one log only, 2 bad usage "
    "or "
    "a log cannot be read, 3 nothing differs but where a limit was hit.",
    NULL,
    NULL,
    NULL};

/* ---- pairs ---- */

static bool same_key(const struct comparison *c, const struct logged_test *x,
                     const struct logged_test *y)
{
    if (strcmp(x->name, y->name))
        return false;
    return !c->by_model ||
           (x->model && y->model ? !strcmp(x->model, y->model) : x->model == y->model);
}

static const struct logged_test *find(const struct comparison *c, int side,
                                      const struct logged_test *like)
{
    vec_foreach (const struct logged_test, t, &c->logs[side].tests)
        if (same_key(c, t, like))
            return t;
    return NULL;
}

/* Do two tests of one log have the same key? */
static const struct logged_test *twice(const struct comparison *c, int side)
{
    vec_foreach (const struct logged_test, t, &c->logs[side].tests)
        if (find(c, side, t) != t)
            return t;
    return NULL;
}

static bool keys_differ(struct comparison *c)
{
    c->by_model = twice(c, 0) || twice(c, 1);
    for (int i = 0; i < SIDES; i++) {
        const struct logged_test *t = twice(c, i);
        if (t)
            return diag_file(&c->diag, c->logs[i].path, "has the test %s twice%s%s", t->name,
                             t->model ? " under " : "", t->model ? t->model : "");
    }
    return true;
}

/* ---- reporting ---- */

static bool has_state(const struct logged_test *t, const char *state)
{
    vec_foreach (const char *, s, &t->states)
        if (!strcmp(*s, state))
            return true;
    return false;
}

/* States that `has` has and the other test lacks. */
static int count_only(const struct logged_test *has, const struct logged_test *lacks)
{
    int n = 0;
    vec_foreach (const char *, s, &has->states)
        n += !has_state(lacks, *s);
    return n;
}

static void print_only(char side, const struct logged_test *has, const struct logged_test *lacks)
{
    vec_foreach (const char *, s, &has->states)
        if (!has_state(lacks, *s))
            printf("    %c only: %s%s\n", side, **s ? *s : "(a state without names)",
                   lacks->limited ? " (a limit was hit in the other)" : "");
}

static void print_key(const struct comparison *c, const struct logged_test *t)
{
    printf("%s%s%s: ", t->name, c->by_model && t->model ? " " : "",
           c->by_model && t->model ? t->model : "");
}

static void compare_pair(struct comparison *c, const struct logged_test *a,
                         const struct logged_test *b)
{
    int only_a = count_only(a, b), only_b = count_only(b, a);
    bool verdict = strcmp(a->verdict, b->verdict) != 0;
    if (!only_a && !only_b && !verdict) {
        c->equal += !a->limited && !b->limited;
        c->unknown += a->limited || b->limited;
        return;
    }
    /* What one side lacks because it was given up early is no difference. */
    bool open = (!only_a || b->limited) && (!only_b || a->limited) && (a->limited || b->limited);
    c->unknown += open;
    c->differ += !open;
    c->verdicts += !open && verdict;
    print_key(c, a);
    if (verdict)
        printf("%s in A, %s in B\n", *a->verdict ? a->verdict : "no verdict",
               *b->verdict ? b->verdict : "no verdict");
    else
        printf("other states\n");
    print_only('A', a, b);
    print_only('B', b, a);
}

static void compare_all(struct comparison *c)
{
    vec_foreach (const struct logged_test, a, &c->logs[0].tests) {
        const struct logged_test *b = find(c, 1, a);
        if (b) {
            compare_pair(c, a, b);
            continue;
        }
        c->only[0]++;
        print_key(c, a);
        printf("in A only\n");
    }
    vec_foreach (const struct logged_test, b, &c->logs[1].tests)
        if (!find(c, 0, b)) {
            c->only[1]++;
            print_key(c, b);
            printf("in B only\n");
        }
}

static int compare(struct comparison *c)
{
    for (int i = 0; i < SIDES; i++)
        if (!litmus_log_read(&c->arena, c->paths.items[i], &c->logs[i], &c->diag))
            return EXIT_USAGE;
    if (!keys_differ(c))
        return EXIT_USAGE;
    compare_all(c);
    printf("Summary %d equal, %d differ (%d in their verdict), %d unknown, %d in A only, %d in B "
           "only\n",
           c->equal, c->differ, c->verdicts, c->unknown, c->only[0], c->only[1]);
    if (c->differ || c->only[0] || c->only[1])
        return EXIT_FINDINGS;
    return c->unknown ? EXIT_LIMIT : EXIT_CLEAN;
}

int cmd_litmus_compare(int argc, char **argv)
{
    char name[] = "fencebench litmus compare";
    struct comparison c = {0};
    c.diag.arena = &c.arena;
    argv[0] = name;
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    int code = compare(&c);
    diag_print(&c.diag, stderr);
    arena_free(&c.arena);
    return code;
}
