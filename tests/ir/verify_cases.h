/* SPDX-License-Identifier: MIT */
/* The cases of the verifier: tables by subject, which verify_test.c runs and takes stock of. */
#ifndef TESTS_IR_VERIFY_CASES_H
#define TESTS_IR_VERIFY_CASES_H

#include "ir/verify.h"
#include "tests/ir/helpers.h"

struct verify_case {
    const char *name, *text;
    const char *error; /* "line:col: message [rule]", or NULL: the text is well formed */
    const char *near;  /* of a well-formed one: the rule that it only just keeps */
    void (*change)(struct ir_program *p); /* what no text can say, or NULL */
};

#define BAD(title, body, message)                                                                  \
    {                                                                                              \
        .name = (title), .text = (body), .error = (message)                                        \
    }
#define NEAR(title, rule, body)                                                                    \
    {                                                                                              \
        .name = (title), .text = (body), .near = (rule)                                            \
    }

struct verify_group {
    const char *name;
    const struct verify_case *cases;
    size_t n;
    bool bodies;               /* texts are bodies of the standard kernel (tests/ir/helpers.h) */
    enum ir_property property; /* what is asked; IR_PROPERTY_COUNT: is the program well formed? */
};

#define GROUP(table, is_body, asked)                                                               \
    {                                                                                              \
#table, table, sizeof(table) / sizeof *(table), (is_body), (asked)                         \
    }

extern const struct verify_group verify_operator_groups[], verify_table_groups[],
    verify_program_groups[], verify_scope_groups[], verify_property_groups[];
extern const size_t verify_operator_group_count, verify_table_group_count,
    verify_program_group_count, verify_scope_group_count, verify_property_group_count;

#define HOST   "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef main():\n"
#define INCORE "@pl.function(type=pl.FunctionType.InCore)\ndef k():\n"
#define CHIP   "@pl.function(type=pl.FunctionType.Orchestration)\ndef chip(c: pld.CommCtx):\n"

#endif
