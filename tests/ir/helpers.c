/* SPDX-License-Identifier: MIT */
#include "tests/ir/helpers.h"

#include "base/strbuf.h"

static const char kernel_head[] =
    "@pl.function(type=pl.FunctionType.InCore)\n"
    "def k(x: pl.Tensor[[4, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 64], pl.FP32]], "
    "win: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]], "
    "sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], ctx: pld.CommCtx, "
    "n: pl.Scalar[pl.INT32], i: pl.Scalar[pl.INDEX], f: pl.Scalar[pl.FP32], b: "
    "pl.Scalar[pl.BOOL]):\n";

struct ir_program *parse_text(struct arena *a, const char *text, const char **error)
{
    struct diag d = {.arena = a};
    struct ir_program *p = ir_parse(a, source_from_string(a, "t.py", text), &d);
    *error = d.failed ? diag_text(&d, a) : NULL;
    cr_expect((p == NULL) == d.failed, "an error and only an error is reported");
    return p;
}

struct ir_program *parse_good(struct arena *a, const char *name, const char *text)
{
    const char *error;
    struct ir_program *p = parse_text(a, text, &error);
    cr_assert(p, "%s: %s\n%s", name, error, text);
    return p;
}

char *kernel_text(struct arena *a, const char *body)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, kernel_head);
    while (*body) {
        size_t len = strcspn(body, "\n") + 1;
        strbuf_add(&b, "    ");
        strbuf_addn(&b, body, len);
        body += len;
    }
    return b.text;
}

char *printed_body(struct arena *a, const struct ir_program *p)
{
    struct strbuf b = strbuf_make(a);
    const char *text = strstr(ir_print(a, p), "):\n") + 3;
    while (*text) {
        size_t len = strcspn(text, "\n") + 1;
        strbuf_addn(&b, text + 4, len - 4);
        text += len;
    }
    return b.text;
}

char *short_error(struct arena *a, const char *error)
{
    const char *from = error + strlen("t.py:");
    const char *mark = strstr(from, ": error: ");
    if (!mark)
        return arena_strdup(a, error);
    const char *message = mark + strlen(": error: ");
    return arena_printf(a, "%.*s: %.*s", (int)(mark - from), from, (int)strcspn(message, "\n"),
                        message);
}

static struct ir_program *read_back(struct arena *a, const char *name, const struct ir_program *p)
{
    const char *text = ir_print(a, p);
    struct ir_program *again = parse_good(a, name, text);
    cr_expect(ir_equal(p, again), "%s: what is printed is not equal to what was parsed:\n%s", name,
              text);
    cr_expect(ir_hash(p) == ir_hash(again), "%s: equal programs differ in hash", name);
    return again;
}

void expect_reads_back(const char *name, const struct ir_program *p)
{
    struct arena a = {0};
    read_back(&a, name, p);
    arena_free(&a);
}

void expect_round_trip(const char *name, const struct ir_program *p)
{
    struct arena a = {0};
    struct ir_program *again = read_back(&a, name, p);
    expect_text(name, ir_print(&a, again), ir_print(&a, p));
    arena_free(&a);
}
