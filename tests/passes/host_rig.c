/* SPDX-License-Identifier: MIT */
#include "tests/passes/host_rig.h"

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/pass.h"

static const char head[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class test:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def core(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def chip(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"
    "        self.core(w)\n"
    "    @pl.function(level=pl.Level.CHIP, role=pl.Role.Orchestrator)\n"
    "    def pair(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]], "
    "v: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"
    "        self.core(w)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def rows(self, t: pl.InOut[pld.DistributedTensor[[8, 256], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def block(self, t: pl.InOut[pld.DistributedTensor[[16, 16], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def cells(self, s: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def count(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]], "
    "v: pl.Scalar[pl.FP32]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def plain(self, x: pl.Tensor[[256], pl.FP32]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.Graph)\n"
    "    def graph(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\n"
    "    def worker(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
    "    def main(self, x: pl.Tensor[[8, 256], pl.FP32], n: pl.Scalar[pl.INT64], "
    "d: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):\n";

static const char materialize[] = "MaterializeCommDomainScopes";

static const char *text_of(struct arena *a, const char *body)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, head);
    while (*body) {
        size_t len = strcspn(body, "\n");
        strbuf_add(&b, "        ");
        strbuf_addn(&b, body, len);
        strbuf_add(&b, "\n");
        body += len + (body[len] == '\n');
    }
    return b.text;
}

const struct ir_program *host_program(struct arena *a, const char *name, const char *body)
{
    struct diag d = {.arena = a};
    const struct ir_program *p =
        ir_parse(a, source_from_string(a, "host.py", text_of(a, body)), &d);
    cr_assert(p, "%s: %s", name, diag_text(&d, a));
    return p;
}

const char *host_body(struct arena *a, const struct ir_program *p)
{
    struct strbuf b = strbuf_make(a);
    const char *line = strstr(ir_print(a, p), "def main(");
    cr_assert(line);
    for (line = strchr(line, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        cr_assert(strncmp(line + 1, "        ", 8) == 0, "stray line: %s", line + 1);
        strbuf_addn(&b, line + 9, strcspn(line + 9, "\n") + 1);
    }
    return b.text;
}

/* ---- running ---- */

enum { MAX_PASSES = 8 };

static const struct ir_program *run(struct arena *a, const char *passes, const struct ir_program *p,
                                    bool verify, struct diag *d)
{
    const char *names[MAX_PASSES];
    size_t n = 0;
    char *list = arena_strdup(a, passes ? passes : materialize), *rest;
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        cr_assert(n < MAX_PASSES);
        names[n++] = name;
    }
    struct pass_options o = PASS_OPTIONS_DEFAULT;
    o.verify_each = verify;
    return passes_run(a, p, names, n, &o, NULL, d);
}

const struct ir_program *host_run(struct arena *a, const char *name, const char *passes,
                                  const struct ir_program *p)
{
    struct diag d = {.arena = a};
    const struct ir_program *out = run(a, passes, p, true, &d);
    cr_assert(out, "%s: %s", name, diag_text(&d, a));
    return out;
}

/* ---- checking ---- */

/* The error as it prints, at a place that counts lines from the start of the body. */
static const char *error_text(struct arena *a, const struct host_error *c)
{
    int first = 1;
    for (const char *p = head; *p; p++)
        first += *p == '\n';
    const char *line = c->before;
    for (int i = 1; i < c->line; i++)
        line = strchr(line, '\n') + 1;
    struct strbuf b = strbuf_make(a);
    int at = first + c->line - 1, col = 8 + c->col;
    strbuf_addf(&b, "host.py:%d:%d: error: %s\n%5d |         %.*s\n      | ", at, col, c->error, at,
                (int)strcspn(line, "\n"), line);
    strbuf_pad(&b, ' ', (size_t)col - 1);
    strbuf_add(&b, "^");
    strbuf_pad(&b, '~', (size_t)c->len - 1);
    strbuf_add(&b, "\n");
    return b.text;
}

static void expect_error(struct arena *a, const struct host_error *c)
{
    struct diag d = {.arena = a};
    const struct ir_program *out =
        run(a, c->passes, host_program(a, c->name, c->before), false, &d);
    cr_expect(!out, "%s: no error", c->name);
    expect_text(c->name, diag_text(&d, a), error_text(a, c));
}

static void expect_unchanged(const char *name, const struct ir_program *before,
                             const struct ir_program *after)
{
    for (size_t i = 0; i < before->funcs.len; i++)
        cr_expect_eq(before->funcs.items[i], after->funcs.items[i], "%s: function %s changes", name,
                     before->funcs.items[i]->name);
}

static void expect_result(struct arena *a, const struct host_case *c)
{
    struct diag d = {.arena = a};
    const struct ir_program *before = host_program(a, c->name, c->before);
    const char *printed = ir_print(a, before);
    const struct ir_program *after = host_run(a, c->name, c->passes, before);
    expect_text(c->name, host_body(a, after), c->after ? c->after : c->before);
    cr_expect(strcmp(ir_print(a, before), printed) == 0, "%s: the program given changes", c->name);
    expect_unchanged(c->name, after, host_run(a, c->name, c->passes, after));
    if (!c->passes || strstr(c->passes, materialize))
        cr_expect(verify_property(after, IR_PROPERTY_COMM_DOMAIN_SCOPES, &d), "%s: %s", c->name,
                  diag_text(&d, a));
    if (!c->after)
        expect_unchanged(c->name, before, after);
}

void expect_host_cases(const struct host_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        expect_result(&a, &cases[i]);
        arena_free(&a);
    }
}

void expect_host_errors(const struct host_error *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        expect_error(&a, &cases[i]);
        arena_free(&a);
    }
}
