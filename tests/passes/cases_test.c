/* SPDX-License-Identifier: MIT */
/*
 * The cases of tests/cases that passes answer. The folder of a pass has its name, in lower case with
 * underscores; `# test: passes=A,B` runs others than that pass, `rules=proposed` another set of
 * rules, and what batch=none makes stands in NAME.batch_none.after.py where it is different.
 *
 * Whatever a case is about, the laws of passes hold: see expect_laws.
 */
#include <ctype.h>
#include <glob.h>

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/pass.h"
#include "tests/case_files.h"
#include "tests/support.h"

enum { MAX_RUN = 8 };

struct run {
    const char *names[MAX_RUN];
    size_t n;
    struct pass_options options;
};

/* "InsertCommFence" -> "insert_comm_fence", "ConvertToSSA" -> "convert_to_ssa". */
static const char *folder_of(struct arena *a, const char *pass)
{
    struct strbuf b = strbuf_make(a);
    for (const char *p = pass; *p; p++) {
        bool starts = p > pass && isupper((unsigned char)*p) &&
                      (islower((unsigned char)p[-1]) || islower((unsigned char)p[1]));
        strbuf_addf(&b, starts ? "_%c" : "%c", tolower((unsigned char)*p));
    }
    return b.text;
}

static struct run run_of(struct case_file *c, const char *pass)
{
    struct run r = {.options = PASS_OPTIONS_DEFAULT};
    const char *passes = case_option(c, "passes"), *rules = case_option(c, "rules");
    char *rest, *list = arena_strdup(c->arena, passes ? passes : pass);
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        cr_assert(r.n < MAX_RUN);
        r.names[r.n++] = name;
    }
    cr_assert(!rules || strcmp(rules, "proposed") == 0, "%s: rules=%s", c->path, rules);
    r.options.rules = rules ? PASS_RULES_PROPOSED : PASS_RULES_COMPILER;
    r.options.verify_each = true;
    return r;
}

static bool runs(const struct run *r, const char *pass)
{
    bool found = false;
    for (size_t i = 0; i < r->n; i++)
        found |= strcmp(r->names[i], pass) == 0;
    return found;
}

static void expect_shared(const struct case_file *c, const struct ir_program *before,
                          const struct ir_program *after)
{
    for (size_t i = 0; i < before->funcs.len; i++)
        cr_expect_eq(before->funcs.items[i], after->funcs.items[i], "%s: %s is copied without need",
                     c->path, before->funcs.items[i]->name);
}

/* What a pass makes passes it unchanged, and then nothing is copied; the program that it was given
 * is what it was. What it makes verifies and reads back (passes_run). */
static void expect_laws(struct case_file *c, const struct run *r, const struct ir_program *given,
                        const char *given_text, const struct ir_program *made)
{
    struct diag d = {.arena = c->arena};
    const struct ir_program *again =
        passes_run(c->arena, made, r->names, r->n, &r->options, NULL, &d);
    cr_assert(again, "%s: the second run: %s", c->path, diag_text(&d, c->arena));
    const char *text = ir_print(c->arena, made);
    cr_expect(ir_equal(made, again), "%s: the second run makes another program", c->path);
    expect_text(c->path, ir_print(c->arena, again), text);
    expect_text(c->path, ir_print(c->arena, given), given_text);
    expect_shared(c, made, again);
    if (strcmp(text, given_text) == 0)
        expect_shared(c, given, made);
    if (runs(r, "MaterializeCommDomainScopes"))
        cr_expect(verify_property(made, IR_PROPERTY_COMM_DOMAIN_SCOPES, &d), "%s: %s", c->path,
                  diag_text(&d, c->arena));
}

/* A pass is given what the verifier accepts. Where a case shows that a pass says something of its own
 * about what the verifier refuses first, `unverified=RULE` names the verifier's rule. */
static void expect_verified(struct case_file *c, const struct ir_program *p, struct pass_options *o)
{
    struct diag d = {.arena = c->arena};
    const char *rule = case_option(c, "unverified");
    bool verified = verify_program(p, &d);
    cr_assert(verified == !rule, "%s: %s", c->path,
              verified ? "the verifier accepts it" : diag_text(&d, c->arena));
    cr_expect(!rule || strstr(d.message, arena_printf(c->arena, "[%s]", rule)), "%s: %s", c->path,
              d.message);
    o->verify_each = verified;
}

/* What a run shows of its program; NULL behind an error, which is answered. */
static const char *run(struct case_file *c, struct run *r)
{
    struct diag d = {.arena = c->arena};
    const struct ir_program *p = ir_parse(c->arena, c->source, &d);
    cr_assert(p, "%s", diag_text(&d, c->arena));
    expect_verified(c, p, &r->options);
    const char *text = ir_print(c->arena, p);
    const struct ir_program *made = passes_run(c->arena, p, r->names, r->n, &r->options, NULL, &d);
    cr_expect((made == NULL) == d.failed, "%s: an error and only an error is reported", c->path);
    if (!made) {
        case_answer_error(c, &d);
        return NULL;
    }
    expect_laws(c, r, p, text, made);
    return case_shown(c, ir_print(c->arena, made));
}

static void answer(struct case_file *c, void *pass)
{
    struct run r = run_of(c, pass);
    const char *text = run(c, &r);
    if (!text)
        return;
    case_answer(c, ".after.py", text);
    if (!runs(&r, "InsertCommFence"))
        return;
    r.options.batch = PASS_BATCH_NONE;
    const char *each = run(c, &r);
    if (each && strcmp(each, text) != 0)
        case_answer(c, ".batch_none.after.py", each);
}

Test(cases, passes)
{
    struct arena a = {0};
    for (size_t i = 0; i < pass_count; i++) {
        char *pass = arena_strdup(&a, passes[i].name);
        cr_expect(expect_cases(folder_of(&a, pass), answer, pass), "%s has no case", pass);
    }
    arena_free(&a);
}

/* Cases in a folder that nobody reads would never fail. */
Test(cases, every_folder_is_read)
{
    static const char *const others[] = {"frames",         "parse",     "codegen",
                                         "codegen_memory", "host_plan", "promela"};
    struct arena a = {0};
    glob_t found;
    cr_assert(glob("tests/cases/*/", 0, NULL, &found) == 0);
    for (size_t f = 0; f < found.gl_pathc; f++) {
        const char *path = found.gl_pathv[f];
        bool read = false;
        for (size_t i = 0; i < pass_count; i++)
            read |= strcmp(path,
                           arena_printf(&a, "tests/cases/%s/", folder_of(&a, passes[i].name))) == 0;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            read |= strcmp(path, arena_printf(&a, "tests/cases/%s/", others[i])) == 0;
        cr_expect(read, "%s: neither a pass nor a suite is called so", path);
    }
    globfree(&found);
    arena_free(&a);
}
