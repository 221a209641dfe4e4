/* SPDX-License-Identifier: MIT */
/* Runs the cases of the verifier and takes stock: every rule is broken by one and just kept by
 * another. */
#include "tests/ir/verify_cases.h"

#include <glob.h>

#include "ir/rules.h"

/* What reading and verifying say of a case. */
static const char *verdict(struct arena *a, const struct verify_group *g,
                           const struct verify_case *c)
{
    struct diag d = {.arena = a};
    const char *text = g->bodies ? kernel_text(a, c->text) : c->text, *error;
    struct ir_program *p = parse_text(a, text, &error);
    if (!p)
        return short_error(a, error);
    if (c->change)
        c->change(p);
    bool ok = g->property == IR_PROPERTY_COUNT ? verify_program(p, &d)
                                               : verify_property(p, g->property, &d);
    cr_expect(ok == !d.failed, "%s: an error and only an error is reported", c->name);
    return ok ? "well formed" : short_error(a, diag_text(&d, a));
}

static void run(const struct verify_group *groups, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < groups[i].n; j++) {
            struct arena a = {0};
            const struct verify_case *c = &groups[i].cases[j];
            const char *name = arena_printf(&a, "%s: %s", groups[i].name, c->name);
            expect_text(name, verdict(&a, &groups[i], c), c->error ? c->error : "well formed");
            arena_free(&a);
        }
}

Test(verify, operators)
{
    run(verify_operator_groups, verify_operator_group_count);
}

Test(verify, rows_of_the_argument_tables)
{
    run(verify_table_groups, verify_table_group_count);
}

Test(verify, programs)
{
    run(verify_program_groups, verify_program_group_count);
}

Test(verify, scopes_and_launches)
{
    run(verify_scope_groups, verify_scope_group_count);
}

Test(verify, properties)
{
    run(verify_property_groups, verify_property_group_count);
}

/* Every program that comes with the repository is well formed. */
static void expect_well_formed(const char *path)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *src = source_read(&a, path, &d);
    struct ir_program *p = src ? ir_parse(&a, src, &d) : NULL;
    cr_expect(p && verify_program(p, &d), "%s", diag_text(&d, &a));
    arena_free(&a);
}

Test(verify, programs_of_the_repository)
{
    static const char *const patterns[] = {"kernels/*.py", "kernels/host/*.py",
                                           "tests/cases/*/program_*.before.py"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        cr_assert(glob(patterns[i], 0, NULL, &found) == 0, "%s: no files", patterns[i]);
        for (size_t f = 0; f < found.gl_pathc; f++)
            expect_well_formed(found.gl_pathv[f]);
        globfree(&found);
    }
}

/* ---- the rules themselves ---- */

struct stock {
    bool broken, kept;
};

static void take_stock(struct stock *s, const struct ir_rule_row *rule,
                       const struct verify_group *groups, size_t n)
{
    struct arena a = {0};
    const char *ending = arena_printf(&a, " [%s]", rule->name);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < groups[i].n; j++) {
            const struct verify_case *c = &groups[i].cases[j];
            size_t len = c->error ? strlen(c->error) : 0, end = strlen(ending);
            s->broken |= len > end && strcmp(c->error + len - end, ending) == 0;
            s->kept |= c->near && strcmp(c->near, rule->name) == 0;
        }
    arena_free(&a);
}

Test(verify, every_rule_has_a_case_that_breaks_it_and_one_that_just_keeps_it)
{
    for (size_t i = 0; i < IR_RULE_COUNT; i++) {
        struct stock s = {0};
        cr_assert(ir_rules[i].name, "rule %zu has no row", i);
        take_stock(&s, &ir_rules[i], verify_operator_groups, verify_operator_group_count);
        take_stock(&s, &ir_rules[i], verify_program_groups, verify_program_group_count);
        take_stock(&s, &ir_rules[i], verify_scope_groups, verify_scope_group_count);
        take_stock(&s, &ir_rules[i], verify_property_groups, verify_property_group_count);
        cr_expect(s.broken, "no case breaks the rule %s", ir_rules[i].name);
        cr_expect(s.kept, "no case just keeps the rule %s", ir_rules[i].name);
    }
}

static void expect_known_rules(const struct verify_group *groups, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < groups[i].n; j++) {
            const struct verify_case *c = &groups[i].cases[j];
            cr_expect(!c->error || strchr(c->error, '['), "%s names no rule", c->name);
            cr_expect(!c->near || ir_rule_find(c->near), "%s: no rule '%s'", c->name, c->near);
            cr_expect(c->error || c->near, "%s proves no rule", c->name);
        }
}

Test(verify, cases_name_rules_that_exist)
{
    expect_known_rules(verify_operator_groups, verify_operator_group_count);
    expect_known_rules(verify_table_groups, verify_table_group_count);
    expect_known_rules(verify_program_groups, verify_program_group_count);
    expect_known_rules(verify_scope_groups, verify_scope_group_count);
    expect_known_rules(verify_property_groups, verify_property_group_count);
}

Test(verify, rows_of_the_rule_table)
{
    for (size_t i = 0; i < IR_RULE_COUNT; i++) {
        const struct ir_rule_row *r = &ir_rules[i];
        cr_expect(ir_rule_find(r->name) == r, "two rules are named %s", r->name);
        cr_expect(strspn(r->name, "abcdefghijklmnopqrstuvwxyz-") == strlen(r->name), "%s", r->name);
        cr_expect(r->group && *r->group && r->fact && *r->fact && r->message && *r->message, "%s",
                  r->name);
    }
    cr_expect(!ir_rule_find("op-aritt"));
}

Test(verify, rows_of_the_property_table)
{
    for (int i = 0; i < IR_PROPERTY_COUNT; i++) {
        const struct ir_property_row *r = &ir_properties[i];
        cr_expect(ir_property_find(r->name) == (enum ir_property)i, "%s", r->name);
        cr_expect(r->doc && *r->doc && r->fact && *r->fact, "%s", r->name);
    }
    cr_expect(ir_property_find("SSAFrom") == IR_PROPERTY_COUNT);
}

/* The whole error as a reader sees it. */
Test(verify, the_line_the_caret_and_the_rule)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct ir_program *p = parse_good(&a, "caret",
                                      kernel_text(&a, "pld.system.wait(sig, [0, 0], 1, cmp=1)\n"
                                                      "pld.system.wait(out, [0, 0], 1, cmp=1)\n"));
    cr_expect(!verify_program(p, &d));
    expect_text("caret", diag_text(&d, &a),
                "t.py:4:21: error: argument 'signal' of pld.system.wait must be a "
                "DistributedTensor, found pl.Tensor[[4, 64], pl.FP32] [argument-kind]\n"
                "    4 |     pld.system.wait(out, [0, 0], 1, cmp=1)\n"
                "      |                     ^~~\n");
    arena_free(&a);
}
